"""Rooms as DXF drawings: one layer per kind, cabinets as block references with attributes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import ezdxf
import numpy as np
from ezdxf.document import Drawing as Document
from ezdxf.enums import TextEntityAlignment
from ezdxf.layouts import Modelspace

from planner.errors import CheckFailed
from planner.floor._drawing import Drawing
from planner.floor._layers import APPID, LAYERS, CabinetBlock, printable
from planner.floor._slots import exits_of
from planner.model import EGRESS, Room

# A string of extended data holds 255 bytes, and a character takes up to four.
_CHUNK = 60
_TEXT_MM = 120
_TAGS = CabinetBlock()
FACTS = ("title", "source", "confidence", "date", "note", "estimates", "tile_mm", "design_fill", "max_fill", "fill_shape")
FACTS += ("tray_reach_mm", "passage_mm")
TRAY_FACTS = ("name", "width_mm", "height_mm", "kind", "carries", "bend_mm", "serves")
RISER_FACTS = ("name", "at_mm", "width_mm", "height_mm")
# Limits of a zone per slot are stored at the slots.
ZONE_FACTS = ("total_power_mw", "total_cooling_mw", "total_load_g")


def write_dxf(drawing: Drawing, room: Room, path: Path) -> None:
    """Write a room as a DXF drawing in millimeters.

    Raises
    ------
    CheckFailed
        When ezdxf's audit finds an error in the drawing.
    """
    doc = ezdxf.new("R2010", units=ezdxf.units.MM)
    doc.header["$MEASUREMENT"] = 1
    doc.appids.add(APPID)
    for layer, color in LAYERS.values():
        doc.layers.add(layer, color=color)
    for key in FACTS:
        if (fact := getattr(drawing, key)) is not None:
            doc.header.custom_vars.append(f"{APPID}.{key}", json.dumps(fact))
    space = doc.modelspace()
    _draw_floor(space, drawing, room)
    _draw_slots(doc, space, drawing, room)
    for rule in drawing.tray:
        line = space.add_lwpolyline(rule.path_mm, dxfattribs=_on("tray", elevation=rule.elevation_mm, const_width=rule.width_mm))
        _attach(line, **{key: given for key in TRAY_FACTS if (given := getattr(rule, key)) is not None})
        _write(space, rule.name, rule.path_mm[0], _TEXT_MM)
    for rule in drawing.riser:
        (x, y), half, deep = rule.at_mm, rule.width_mm / 2, rule.height_mm / 2
        corners = [(x - half, y - deep), (x + half, y - deep), (x + half, y + deep), (x - half, y + deep)]
        _attach(_closed(space, "riser", corners), **{key: getattr(rule, key) for key in RISER_FACTS})
    for rule in drawing.zone:
        totals = {key: given for key in ZONE_FACTS if (given := getattr(rule, key)) is not None}
        if totals:
            _attach(_closed(space, "zone", rule.corners), name=rule.name, **totals)
    auditor = doc.audit()
    if auditor.has_errors or auditor.has_fixes:
        raise CheckFailed(f"the drawing of {room.name} has faults: {[e.message for e in auditor.errors + auditor.fixes][:3]}")
    doc.saveas(path)


def _draw_floor(space: Modelspace, drawing: Drawing, room: Room) -> None:
    halls = [(rule.name, rule.outline_mm) for rule in drawing.hall] or [("", drawing.outline_mm)]
    for name, corners in halls:
        _attach(_closed(space, "outline", corners), **({"name": name} if name else {}))
    for zone in room.aisles:
        _closed(space, "aisle", zone.corners_mm)
        _write(space, f"{zone.kind} {zone.name}", np.mean(zone.corners_mm, axis=0), _TEXT_MM)
    for rule in drawing.obstacle:
        door = {"opens": rule.opens, "hinge": rule.hinge} if rule.opens else {}
        _attach(_closed(space, rule.kind, rule.corners), name=rule.name, clearance_mm=rule.clearance_mm, **door)
        _write(space, rule.name, np.mean(rule.corners, axis=0), _TEXT_MM)
    for rule in drawing.penetration:
        facts = {"through": rule.through, "height_mm": rule.height_mm}
        if rule.elevation_mm is not None:
            facts["elevation_mm"] = rule.elevation_mm
        _attach(_closed(space, "penetration", rule.corners), name=rule.name, **facts)


def _draw_slots(doc: Document, space: Modelspace, drawing: Drawing, room: Room) -> None:
    exits = exits_of(drawing)
    for slot, name in enumerate(room.slot_names):
        facing = int(room.slot_facing[slot])
        width, depth = room.slot_size[slot].tolist()[:: 1 if facing in (90, 270) else -1]
        values = {
            _TAGS.name: printable(name),
            _TAGS.row: printable(room.row_names[room.slot_row[slot]]),
            _TAGS.power_kw: _decimal(int(room.slot_power_mw[slot]), 6),
            _TAGS.load_kg: _decimal(int(room.slot_load_g[slot]), 3),
        }
        # Default values are omitted.
        leaving = {_TAGS.exit: (exits[slot], "any"), _TAGS.egress: (EGRESS[room.slot_egress[slot]], "nearest")}
        values |= {tag: given for tag, (given, usual) in leaving.items() if given != usual}
        if room.cooling_mw:
            values[_TAGS.cooling_kw] = _decimal(room.cooling_mw[slot], 6)
        at = room.slot_xy[slot].tolist()
        insert = space.add_blockref(_block(doc, width, depth), at, dxfattribs=_on("cabinet", rotation=(facing - 90) % 360))
        insert.add_auto_attribs(values)
    for row, name in enumerate(room.row_names):
        centers = room.slot_xy[room.slot_row == row]
        if len(centers):
            space.add_lwpolyline([centers[0].tolist(), centers[-1].tolist()], dxfattribs=_on("row"))
            _write(space, f"row {name}", centers[0] - room.slot_size[room.slot_row == row][0] * 0.75, 2 * _TEXT_MM)


def _block(doc: Document, width: int, depth: int) -> str:
    """Return the block of a cabinet of this size, its front a double line on the +y side; created on first use."""
    name = f"SLOT_{width}x{depth}"
    if name not in doc.blocks:
        block = doc.blocks.new(name)
        x, y = width / 2, depth / 2
        block.add_lwpolyline([(-x, -y), (x, -y), (x, y), (-x, y)], close=True)
        block.add_line((-x, y - 40), (x, y - 40))
        size = min(width, depth) / 6
        tags = (_TAGS.name, _TAGS.row, _TAGS.power_kw, _TAGS.load_kg, _TAGS.cooling_kw, _TAGS.exit, _TAGS.egress)
        for place, tag in enumerate(tags):
            # All but the name are invisible: for programs and for the properties dialog.
            attributes = {"height": size, "layer": LAYERS["text"][0], "invisible": int(place > 0)}
            block.add_attdef(tag, (-x + size / 2, -place * size * 1.5), dxfattribs=attributes)
    return name


def _closed(space: Modelspace, kind: str, corners: Iterable) -> Any:
    return space.add_lwpolyline([tuple(map(float, corner)) for corner in corners], close=True, dxfattribs=_on(kind))


def _write(space: Modelspace, text: str, place: Iterable, height: float) -> None:
    x, y = place
    entity = space.add_text(printable(text), height=height, dxfattribs=_on("text"))
    entity.set_placement((float(x), float(y)), align=TextEntityAlignment.MIDDLE_CENTER)


def _on(kind: str, **attributes: Any) -> dict[str, Any]:
    return {"layer": LAYERS[kind][0], **attributes}


def _attach(entity: Any, **facts: Any) -> None:
    """Attach facts as extended data."""
    if facts:
        text = json.dumps(facts)
        entity.set_xdata(APPID, [(1000, text[i : i + _CHUNK]) for i in range(0, len(text), _CHUNK)])


def _decimal(amount: int, places: int) -> str:
    """Return the number `amount` / 10^places exactly and without trailing zeros.

    >>> _decimal(12_500_000, 6), _decimal(3_000, 3), _decimal(1, 3)
    ('12.5', '3', '0.001')
    """
    whole, rest = divmod(amount, 10**places)
    return f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".")
