"""A scene as a DXF drawing in millimeters: layers, blocks and extended data as the floor plan importer reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ezdxf
import numpy as np
from ezdxf.document import Drawing as Document
from ezdxf.enums import TextEntityAlignment

from planner.core.errors import CheckFailed
from planner.hall.scene import Scene, Shape
from planner.hall.scene.labels import Placed, place
from planner.hall.scene.palette import STYLES, channels, named

APPID = "PLANNER"
LAYERS = {
    "outline": ("OUTLINE", 7),
    "column": ("COLUMN", 8),
    "wall": ("WALL", 8),
    "door": ("DOOR", 3),
    "cooling unit": ("COOLING", 4),
    "keep-out": ("KEEP-OUT", 1),
    "penetration": ("PENETRATION", 6),
    "aisle": ("AISLE", 5),
    "slot": ("SLOT", 2),
    "tray": ("TRAY", 30),
    "riser": ("RISER", 30),
    "zone": ("ZONE", 140),
    "cabinet": ("CABINET", 5),
    "route": ("ROUTE", 200),
    "panel frame": ("PANEL-FRAME", 6),
    "row": ("ROW", 9),
    "text": ("TEXT", 7),
    "figure": ("FILL-TEXT", 7),
    **{
        f"fill {step}": (name, None)
        for step, name in enumerate(("FILL-25", "FILL-50", "FILL-75", "FILL-100", "FILL-ABOVE-DESIGN", "FILL-ABOVE-MAX"))
    },
    "no limit": ("FILL-NO-LIMIT", 8),
    "elevation": ("ELEVATION", 7),
    "router box": ("ROUTER", 5),
    "node box": ("NODE", 3),
    "fixture": ("FIXTURE", 8),
    "free port": ("PORT", 8),
    "port in use": ("PORT-IN-USE", 1),
}
"""Layer and color index of each kind of object; those without an index have the color of the palette."""

_KINDS = {
    "cold aisle": "aisle", "hot aisle": "aisle", "mixed aisle": "aisle", "fiber tray": "tray", "tray under the floor": "tray",
    "routers": "cabinet", "endpoints": "cabinet", "routers and endpoints": "cabinet", "chosen": "cabinet",
    "taken": "slot", "reserved": "slot",
}  # fmt: skip
_OF_LABELS = {"rows": "row", "figures": "figure", "list": "route"}
_SLOT_TAGS = ("NAME", "ROW", "POWER_KW", "LOAD_KG", "COOLING_KW", "EXIT", "EGRESS")
_LEFT_OUT = ("floor", "tile", "front")
"""Kinds that are in blocks, or that programs draw themselves."""
_CHUNK = 60
"""A string of extended data holds 255 bytes, and a character takes up to four."""
_MM_PER_PT = 50 * 25.4 / 72
"""Texts have the size of a drawing at 1:50."""
_ASPECT, _MARGIN = 1.5, 1.1
"""Width of a window in its height, and margin of what it shows."""
_CAPITAL, _CHARACTER = 0.72, 0.66
"""Height of a capital letter and mean width of a character, in the size of a text."""


def write_dxf(scene: Scene, path: Path) -> None:
    """Write a scene; equal scenes give equal bytes.

    Raises
    ------
    CheckFailed
        When ezdxf's audit finds an error in the drawing.
    """
    with _fixed_dates(ezdxf.options):
        doc = ezdxf.new("R2010", units=ezdxf.units.MM)
        doc.header["$MEASUREMENT"] = 1
        doc.appids.add(APPID)
        for key, fact in scene.facts.items():
            if fact is not None:
                doc.header.custom_vars.append(f"{APPID}.{key}", json.dumps(fact))
        for layer, index in LAYERS.values():
            if index is not None:
                doc.layers.add(layer, color=index)
        for shape in scene.shapes():
            if shape.kind not in _LEFT_OUT:
                _draw(doc, shape)
        for placed in place(scene.labels(), lambda text, size, bold: _CHARACTER * size * len(text), _MM_PER_PT, min_pt=0.1):
            _write(doc, placed)
        _start_view(doc, scene)
        auditor = doc.audit()
        if auditor.has_errors or auditor.has_fixes:
            raise CheckFailed(f"the drawing has faults: {[fault.message for fault in auditor.errors + auditor.fixes][:3]}")
        # ezdxf declares required classes in the order of a set, which differs between processes.
        doc.classes.add_required_classes(doc.dxfversion)
        doc.classes.classes = dict(sorted(doc.classes.classes.items()))
        doc.saveas(path)


def _start_view(doc: Document, scene: Scene) -> None:
    """State the extents of the drawing, and show all of it when it is opened."""
    drawn = [shape.points_mm for shape in scene.shapes() if shape.kind not in _LEFT_OUT]
    if not drawn:
        return
    points = np.concatenate([np.asarray(own, float).reshape(-1, 2) for own in drawn])
    (left, bottom), (right, top) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    doc.modelspace().reset_extents((left, bottom, 0), (right, top, 0))
    doc.header["$EXTMIN"], doc.header["$EXTMAX"] = (left, bottom, 0), (right, top, 0)
    doc.modelspace().reset_limits((left, bottom), (right, top))
    # Windows are about this much wider than high.
    height = max(top - bottom, (right - left) / _ASPECT, 1) * _MARGIN
    doc.set_modelspace_vport(height, ((left + right) / 2, (bottom + top) / 2))


def _draw(doc: Document, shape: Shape) -> None:
    kind = _KINDS.get(shape.kind, shape.kind)
    if kind in ("slot", "cabinet"):
        return _insert(doc, shape, kind)
    attributes: dict[str, Any] = {"layer": _layer(doc, kind)}
    if not shape.closed:
        wide = 160 if kind.startswith("fill") or kind == "no limit" else min(shape.width_mm, 1000)
        attributes |= {"elevation": shape.z_mm, "const_width": wide}
    entity = doc.modelspace().add_lwpolyline(shape.points_mm, close=shape.closed, dxfattribs=attributes)
    if not shape.closed:
        entity.transparency = 0.7 if kind == "tray" else 0.3
    if shape.facts:
        text = json.dumps(shape.facts)
        entity.set_xdata(APPID, [(1000, text[i : i + _CHUNK]) for i in range(0, len(text), _CHUNK)])
    return None


def _layer(doc: Document, kind: str) -> str:
    """Return the layer of a kind; those of fill are created on first use."""
    layer = LAYERS[kind][0]
    if layer not in doc.layers:
        doc.layers.add(layer, true_color=ezdxf.colors.rgb2int(channels(named(STYLES[kind].stroke))))
    return layer


def _insert(doc: Document, shape: Shape, kind: str) -> None:
    """Draw a slot or a cabinet as a block with its facts as attributes."""
    (left, bottom), (right, top) = shape.points_mm[0], shape.points_mm[2]
    facing = shape.facing or 0
    size = (right - left, top - bottom)
    width, depth = (round(length) for length in (size if facing in (90, 270) else size[::-1]))
    layer, _ = LAYERS[kind]
    values = _slot_values(shape) if kind == "slot" else {tag: str(fact) for tag, fact in shape.facts.items()}
    block = _block(doc, layer, width, depth, _SLOT_TAGS if kind == "slot" else tuple(values))
    attributes = {"layer": layer, "rotation": (facing - 90) % 360}
    insert = doc.modelspace().add_blockref(block, ((left + right) / 2, (bottom + top) / 2), dxfattribs=attributes)
    insert.add_auto_attribs({tag: _printable(value) for tag, value in values.items()})


def _slot_values(shape: Shape) -> dict[str, str]:
    """Return the attributes of a slot; default values are omitted."""
    facts: Mapping[str, Any] = shape.facts
    values = {"NAME": shape.name, "ROW": facts["row"]}
    for tag, key, places in (("POWER_KW", "power_mw", 6), ("LOAD_KG", "load_g", 3), ("COOLING_KW", "cooling_mw", 6)):
        if key in facts:
            values[tag] = _decimal(facts[key], places)
    leaving = {"EXIT": (facts.get("exit", "any"), "any"), "EGRESS": (facts["egress"], "nearest")}
    return values | {tag: given for tag, (given, usual) in leaving.items() if given != usual}


def _block(doc: Document, layer: str, width: int, depth: int, tags: tuple[str, ...]) -> str:
    """Return the block of a slot or cabinet of this size, a slot's front a double line on the +y side; created on first use."""
    name = f"{layer}_{width}x{depth}"
    if name in doc.blocks:
        return name
    block = doc.blocks.new(name)
    x, y = width / 2, depth / 2
    inset = 0 if layer == LAYERS["slot"][0] else 20
    corners = [(-x + inset, -y + inset), (x - inset, -y + inset), (x - inset, y - inset), (-x + inset, y - inset)]
    block.add_lwpolyline(corners, close=True)
    if not inset:
        block.add_line((-x, y - 40), (x, y - 40))
    size = min(width, depth) / 6
    for number, tag in enumerate(tags):
        # For programs, and for the properties dialog; the visible name is horizontal and not rotated with the block.
        attributes = {"height": size, "layer": LAYERS["text"][0], "invisible": 1}
        block.add_attdef(tag, (-x + size / 2, -number * size * 1.5), dxfattribs=attributes)
    return name


def _write(doc: Document, placed: Placed) -> None:
    label = placed.label
    attributes = {"layer": LAYERS[_OF_LABELS.get(label.kind, "text")][0]}
    height = placed.size_pt * _MM_PER_PT * _CAPITAL
    angle = 90 if placed.upright else label.angle
    entity = doc.modelspace().add_text(_printable(placed.text), height=height, rotation=angle, dxfattribs=attributes)
    entity.set_placement(placed.at_mm, align=TextEntityAlignment.MIDDLE_CENTER)


def _printable(text: str) -> str:
    """Replace unprintable characters by spaces: DXF is a format of lines."""
    return "".join(c if c.isprintable() else " " for c in text)


def _decimal(amount: int, places: int) -> str:
    """Return the number `amount` / 10^places exactly and without trailing zeros.

    >>> _decimal(12_500_000, 6), _decimal(3_000, 3), _decimal(1, 3)
    ('12.5', '3', '0.001')
    """
    whole, rest = divmod(amount, 10**places)
    return f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".")


@contextmanager
def _fixed_dates(options: Any) -> Iterator[None]:
    """Make ezdxf write constant dates and ids, so that equal plans give equal bytes."""
    before = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        options.write_fixed_meta_data_for_testing = before
