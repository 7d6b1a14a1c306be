"""Import of DXF drawings as floor plans; a mapping assigns layers and blocks."""

from __future__ import annotations

import json
import logging
import os
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import ezdxf
import ezdxf.path
from ezdxf import units
from ezdxf.audit import AuditError
from ezdxf.document import Drawing as Document
from ezdxf.entities import DXFEntity, Insert

from planner.core.errors import InputError, PlannerWarning, Problem, suggestion
from planner.hall.floor._bounds import MAX_BYTES, check_size
from planner.hall.floor._cabinets import Cabinet, cabinet_of, named
from planner.hall.floor._drawing import ObstacleRule
from planner.hall.floor._entities import Entities
from planner.hall.floor._layers import Mapping, TrayLayer, matches
from planner.hall.floor._outline import floors
from planner.hall.floor._rows import rows_of
from planner.hall.floor._scene import FACTS, RISER_FACTS, ZONE_FACTS
from planner.hall.floor._shapes import Shape, facts_of, path_of, shapes_of, where
from planner.hall.floor._slots import LIMITS
from planner.hall.scene.dxf import APPID

# Repairs by the reader are not printed to the terminal, unless the application enables logs.
logging.getLogger("ezdxf").addHandler(logging.NullHandler())

_UNITS = {"mm": units.MM, "cm": units.CM, "m": units.M, "in": units.IN, "ft": units.FT}
_UNUSABLE = (ValueError, TypeError, OverflowError, ZeroDivisionError, ezdxf.DXFError)
_NAMES = {AuditError.INVALID_LAYER_NAME, AuditError.BLOCK_NAME_MISMATCH, AuditError.DUPLICATE_TABLE_ENTRY_NAME}
"""Findings of ezdxf about names, which change nothing that is drawn."""

_OBSTACLES = ("column", "wall", "door", "cooling unit", "keep-out")
_DOOR_FACTS = ("clearance_mm", "opens", "hinge")


def plan_of(path: Path, mapping: Mapping, *, ours: bool) -> dict[str, Any]:
    """Return the floor plan in a drawing, as the data of a TOML file.

    Parameters
    ----------
    path
        The drawing.
    mapping
        Meaning of its layers and blocks.
    ours
        Whether the mapping is that of Planner's own drawings, where layers may be missing.

    Raises
    ------
    InputError
        When the file is not a valid DXF, or with every entity that does not match the mapping.
    """
    doc = _open(path)
    problems: list[Problem] = []
    factor = _factor(doc, mapping, problems)
    found = Entities(doc, mapping)
    entities = found.kept
    problems += found.problems
    _check_names(found, mapping, ours, problems)
    if problems and found.external:
        problems.append(found.missing())
    if problems:
        raise InputError(problems).located(str(path))
    plan = _facts(doc, mapping, path) if ours else dict(mapping.room)
    plan = {"title": path.stem, "source": f"imported from {path.name}", "confidence": "D", **plan}
    try:
        plan |= _contents(entities, mapping, factor, problems)
    except InputError as error:
        problems += error.problems
    if problems:
        raise InputError(problems).located(str(path))
    for note in found.notes():
        warnings.warn(f"{path}: {note}", PlannerWarning, stacklevel=3)
    return plan


def _open(path: Path) -> Document:
    try:
        if path.exists() and not path.is_file():
            raise InputError(Problem("", "cannot be read: it is not a file", "check the name", str(path)))
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 64))
            tail = file.read()
    except OSError as error:
        raise InputError(Problem("", f"cannot be read: {error.strerror}", "check the name", str(path))) from None
    if size > MAX_BYTES:
        message = f"is {size / 1e6:,.0f} MB large, and the limit is {MAX_BYTES / 1e6:,.0f} MB"
        raise InputError(Problem("", message, "save only the layers of the floor", str(path)))
    try:
        doc = ezdxf.readfile(path)
        check_size(doc)
        auditor = doc.audit()
    except InputError as error:
        raise error.located(str(path)) from None
    except Exception as error:  # a damaged file may fail in any way
        message = f"is not a readable DXF drawing ({type(error).__name__}: {' '.join(str(error).split())[:120]})"
        raise InputError(Problem("", message, "save it again as DXF", str(path))) from None
    if b"EOF" not in tail:
        raise InputError(Problem("", "is truncated: its end mark EOF is missing", "save it again as DXF", str(path)))
    # Programs draw all the same what has a name that others would not give.
    faults = [fault for fault in auditor.errors if fault.code not in _NAMES]
    if faults:
        fault = faults[0]
        handle = f"entity #{fault.entity.dxf.handle}" if fault.entity is not None and fault.entity.is_alive else ""
        raise InputError(Problem(handle, f"the drawing is damaged: {fault.message}", "save it again as DXF", str(path)))
    return doc


def _factor(doc: Document, mapping: Mapping, problems: list[Problem]) -> float:
    """Return the millimeters per unit of the drawing."""
    unit = _UNITS[mapping.units] if mapping.units else doc.header.get("$INSUNITS", 0)
    if unit not in _UNITS.values():
        stated = f"$INSUNITS is {unit}" if unit else "the drawing states no units"
        problems.append(Problem("header", f"{stated}: no length that floors are drawn in", 'give units = "mm" in the mapping'))
        return 1.0
    return float(units.conversion_factor(units.InsertUnits(unit), units.InsertUnits.Millimeters))


def _check_names(found: Entities, mapping: Mapping, ours: bool, problems: list[Problem]) -> None:
    """Report layers and blocks of the mapping that the drawing lacks."""
    entities = found.kept
    layers = {entity.dxf.layer for entity in entities}
    blocks = {entity.dxf.name for entity in entities if isinstance(entity, Insert)}
    if ours:
        if not any(mapping.layers.kind_of(layer) == "outline" for layer in layers):
            problems.append(Problem("layer OUTLINE", "the drawing has nothing on it", _there(layers)))
        return
    wanted = [("layers", key, pattern, layers) for key, pattern in mapping.layers.unused(layers)]
    wanted += [("blocks", key, pattern, blocks) for key, pattern in mapping.blocks.unused(blocks)]
    wanted += [("tray", str(n), r.layer, layers) for n, r in enumerate(mapping.tray) if not any(map(r.covers, layers))]
    for section, key, pattern, names in wanted:
        what = "block reference of" if section == "blocks" else "entity on layer"
        hidden = [layer for layer in found.hidden if section != "blocks" and matches(pattern, layer)]
        remedy = f"thaw the layer {hidden[0]}, or switch it on" if hidden else suggestion(pattern, names)
        problems.append(Problem(f"mapping {section}.{key}", f"no {'visible ' * bool(hidden)}{what} {pattern}", remedy))
    if not mapping.layers.outline and not mapping.blocks.outline:
        problems.append(Problem("mapping layers.outline", "no layer is named as the outline", _there(layers)))


def _there(layers: set[str]) -> str:
    return f"give --layers; there are {', '.join(sorted(layers)) or 'none'}"


def _facts(doc: Document, mapping: Mapping, path: Path) -> dict[str, Any]:
    """Return the room data that Planner stored in the drawing."""
    facts = {}
    for key in FACTS:
        try:
            facts[key] = json.loads(doc.header.custom_vars.get(f"{APPID}.{key}") or "null")
        except (ValueError, RecursionError):
            continue  # unreadable after an edit: the default applies
    return {key: fact for key, fact in facts.items() if fact not in (None, "", [])} | mapping.room


def _contents(entities: list[DXFEntity], mapping: Mapping, factor: float, problems: list[Problem]) -> dict[str, Any]:
    """Sort the entities by kind and return the tables of the plan."""
    by_kind: dict[tuple[str, str], list[DXFEntity]] = {}
    cabinets: list[Cabinet | None] = []
    trays: list[dict[str, Any] | None] = []
    for entity in entities:
        layer = entity.dxf.layer
        kind = mapping.blocks.kind_of(entity.dxf.name) if isinstance(entity, Insert) else None
        kind = kind or mapping.layers.kind_of(layer)
        tray = next((rule for rule in mapping.tray if rule.covers(layer)), None) if kind is None else None
        try:
            if kind == "cabinet":
                cabinets.append(cabinet_of(entity, mapping.cabinet, factor, problems))
            elif tray is not None and not isinstance(entity, Insert):
                trays.append(_tray(entity, tray, factor, len(trays) + 1, problems))
            elif kind is not None:
                by_kind.setdefault((kind, layer), []).append(entity)
        except _UNUSABLE as error:
            problems.append(Problem(where(entity), f"cannot be used: {error}", "correct or remove it"))
    # Shapes keep the order of the drawing, so that an exported plan is restored exactly.
    order = {where(entity): number for number, entity in enumerate(entities)}
    shapes: list[Shape] = []
    for (kind, _), members in by_kind.items():
        try:
            shapes += shapes_of(kind, members, factor, problems)
        except _UNUSABLE as error:
            problems.append(Problem(where(members[0]), f"cannot be used as {kind}: {error}", "correct or remove it"))
    shapes.sort(key=lambda shape: order[shape.where])
    if not any(cabinets) and not problems:
        problems.append(Problem("cabinets", "the drawing has none", "name their layer or block in the mapping"))
    standing = named([cabinet for cabinet in cabinets if cabinet is not None])
    return {
        **_most_common(standing),
        **_outline(shapes, problems),
        "penetration": [_penetration(shape, mapping, problems) for shape in shapes if shape.kind == "penetration"],
        **rows_of(standing, _most_common(standing)),
        "obstacle": _obstacles(shapes),
        "zone": [_zone(shape, problems) for shape in shapes if shape.kind == "zone"],
        "tray": [tray for tray in trays if tray is not None],
        "riser": [_riser(shape) for shape in shapes if shape.kind == "riser"],
    }


def _most_common(cabinets: list[Cabinet]) -> dict[str, int | None]:
    """Return the most common limits, which become those of the room; none where some slot has no limit."""
    common = {}
    for place, name in enumerate(LIMITS):
        given = Counter(cabinet.limits[place] for cabinet in cabinets)
        if given and None not in given:
            common[name] = given.most_common(1)[0][0]
    return common


def _outline(shapes: list[Shape], problems: list[Problem]) -> dict[str, Any]:
    outlines = floors([shape for shape in shapes if shape.kind == "outline"], problems)
    if len(outlines) == 1 and "name" not in outlines[0].facts:
        return {"outline_mm": outlines[0].corners}
    return {"hall": [{"name": _name(shape, f"hall {n}"), "outline_mm": shape.corners} for n, shape in enumerate(outlines, 1)]}


def _obstacles(shapes: list[Shape]) -> list[dict[str, Any]]:
    found, count = [], Counter[str]()
    for shape in shapes:
        if shape.kind in _OBSTACLES:
            count[shape.kind] += 1
            own = {key: shape.facts[key] for key in _DOOR_FACTS if shape.facts.get(key)}
            name = _name(shape, f"{shape.kind} {count[shape.kind]}")
            found.append({"name": name, "kind": shape.kind, **_area(shape.corners), **own})
    return found


def _area(corners: tuple[tuple[int, int], ...]) -> dict[str, Any]:
    """Return a rectangle by its lower left corner where that gives the same corners, else the corners."""
    (x, y), (u, v) = corners[0], corners[2]
    if u > x and v > y:
        rectangle: dict[str, Any] = {"at_mm": (x, y), "size_mm": (u - x, v - y)}
        if ObstacleRule(name="x", kind="wall", **rectangle).corners == corners:
            return rectangle
    return {"corners_mm": corners}


def _penetration(shape: Shape, mapping: Mapping, problems: list[Problem]) -> dict[str, Any]:
    facts: dict[str, Any] = {key: shape.facts[key] for key in ("through", "height_mm", "elevation_mm") if key in shape.facts}
    if mapping.penetration is not None:
        facts = {"through": mapping.penetration.through, "height_mm": mapping.penetration.height_mm, **facts}
    if "through" not in facts or "height_mm" not in facts:
        problems.append(Problem(shape.where, "this penetration has no height", "add [penetration] to the mapping"))
    xs, ys = zip(*shape.corners, strict=True)
    box = {"at_mm": (min(xs), min(ys)), "size_mm": (max(xs) - min(xs), max(ys) - min(ys))}
    return {"name": _name(shape, f"penetration at {min(xs)}, {min(ys)}"), **box, **facts}


def _tray(entity: DXFEntity, rule: TrayLayer, factor: float, number: int, problems: list[Problem]) -> dict[str, Any] | None:
    facts = facts_of(entity)
    points = path_of(entity, factor)
    if len(points) < 2:
        problems.append(Problem(where(entity), "this tray has no length", "remove it, or check the drawing's units"))
        return None
    if getattr(entity, "closed", False) or getattr(entity, "is_closed", False):
        points += [points[0]] if points[0] != points[-1] else []
    drawn_width = entity.dxf.get("const_width", 0) if entity.dxftype() == "LWPOLYLINE" else 0
    return {
        "name": str(facts.get("name") or f"tray {number}"),
        "path_mm": points,
        "elevation_mm": round(ezdxf.path.make_path(entity).start.z * factor) or rule.elevation_mm,
        "width_mm": facts.get("width_mm") or round(drawn_width * factor) or rule.width_mm,
        "height_mm": facts.get("height_mm") or rule.height_mm,
        "kind": facts.get("kind") or rule.kind,
        "carries": facts.get("carries") or rule.carries,
        **({"bend_mm": bend} if (bend := facts.get("bend_mm") or rule.bend_mm) else {}),
        "serves": facts.get("serves", rule.serves),
    }


def _riser(shape: Shape) -> dict[str, Any]:
    """Return an opening in the floor: with its stored size, or else the size drawn."""
    xs, ys = zip(*shape.corners, strict=True)
    drawn = {
        "at_mm": (round((min(xs) + max(xs)) / 2), round((min(ys) + max(ys)) / 2)),
        "width_mm": max(xs) - min(xs),
        "height_mm": max(ys) - min(ys),
    }
    given = {key: shape.facts[key] for key in RISER_FACTS if key in shape.facts}
    return {"name": _name(shape, "riser at {}, {}".format(*drawn["at_mm"])), **drawn, **given}


def _zone(shape: Shape, problems: list[Problem]) -> dict[str, Any]:
    totals = {key: shape.facts[key] for key in ZONE_FACTS if key in shape.facts}
    if not totals:
        problems.append(Problem(shape.where, "this zone limits nothing", "give its limits as [[zone]] in the floor plan"))
    return {"name": _name(shape, f"zone at {shape.corners[0]}"), **_area(shape.corners), **totals}


def _name(shape: Shape, default: str) -> str:
    return str(shape.facts.get("name") or default)
