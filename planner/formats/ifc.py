"""Cabinets and trays of the room as an IFC4 building model, for architects and their BIM tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, radians, sin
from pathlib import Path

import numpy as np

from planner import __version__
from planner.core.errors import InputError, Problem
from planner.domain.model import Plan
from planner.formats.syntax.step import DERIVED, NONE, Entity, Model, enumeration, typed
from planner.hall.scene.room import sides
from planner.hall.scene.trays import tray_lines
from planner.view.cabinets import Cabinet, cabinets

ENDING = ".ifc"

_TRAYS = {"ladder": "CABLELADDERSEGMENT", "trough": "CABLETRUNKINGSEGMENT"}
"""IFC's types of cable carriers by kind of tray; others are trays."""

_PLAIN_MM = (100, 100)
"""Width and height of a tray without a cross-section."""

Box = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
"""Middle of the base, direction of the first axis, size."""


def write(plan: Plan, path: Path) -> None:
    """Write the room with its outline, every cabinet as a box and every straight piece of a tray as a cable carrier.

    Cabinets have a property set ``Planner_Cabinet``, trays ``Planner_Tray``. Identifiers follow from the names of the plan and
    of the objects, so that a later revision of a plan replaces its objects.

    Raises
    ------
    InputError
        When the plan has no room.

    References
    ----------
    .. [1] ISO 16739-1:2018 (IFC4) and ISO 10303-21 (the file format).
    """
    if plan.room is None:
        raise InputError(Problem("", "the plan has no room", "run the study to its end"))
    model = Model(plan.name)
    body, space = _building(model, plan)
    parts = [_cabinet(model, body, plan, each) for each in cabinets(plan)] if plan.placement is not None else []
    parts += _trays(model, body, plan)
    if parts:
        model.rooted("IFCRELCONTAINEDINSPATIALSTRUCTURE", "room", NONE, NONE, parts, space)
    with path.open("w", encoding="ascii", newline="") as file:
        file.writelines(line + "\n" for line in model.lines(f"Planner {__version__}"))


def _building(model: Model, plan: Plan) -> tuple[Entity, Entity]:
    """Add project, units, site, building, storey and room; return the context of bodies, and the room."""
    whole = model.add("IFCGEOMETRICREPRESENTATIONCONTEXT", NONE, "Model", 3, 1e-05, model.origin, NONE)
    own = (DERIVED,) * 4
    body, foot = (
        model.add("IFCGEOMETRICREPRESENTATIONSUBCONTEXT", name, "Model", *own, whole, NONE, enumeration(view), NONE)
        for name, view in (("Body", "MODEL_VIEW"), ("FootPrint", "PLAN_VIEW"))
    )
    units = [("LENGTHUNIT", "MILLI", "METRE"), ("AREAUNIT", "", "SQUARE_METRE"), ("VOLUMEUNIT", "", "CUBIC_METRE")]
    units += [("PLANEANGLEUNIT", "", "RADIAN"), ("MASSUNIT", "KILO", "GRAM"), ("POWERUNIT", "", "WATT")]
    made = [
        model.add("IFCSIUNIT", DERIVED, enumeration(kind), enumeration(prefix) if prefix else NONE, enumeration(name))
        for kind, prefix, name in units
    ]
    room = plan.room
    title = room.title or room.name
    project = model.rooted(
        "IFCPROJECT", "", plan.name, plan.title or NONE, NONE, NONE, NONE, [whole], model.add("IFCUNITASSIGNMENT", made)
    )
    place = model.add("IFCLOCALPLACEMENT", NONE, model.origin)
    element = enumeration("ELEMENT")
    site = model.rooted("IFCSITE", "", title, NONE, NONE, place, NONE, NONE, element, *(NONE,) * 5)
    building = model.rooted("IFCBUILDING", "", title, NONE, NONE, place, NONE, NONE, element, *(NONE,) * 3)
    storey = model.rooted("IFCBUILDINGSTOREY", "", title, NONE, NONE, place, NONE, NONE, element, 0.0)
    corners = [model.point(corner) for corner in room.outline.tolist()]
    outline = model.add("IFCPOLYLINE", [*corners, corners[0]])
    shape = model.add("IFCSHAPEREPRESENTATION", foot, "FootPrint", "Curve2D", [outline])
    drawn = model.add("IFCPRODUCTDEFINITIONSHAPE", NONE, NONE, [shape])
    space = model.rooted("IFCSPACE", "", title, NONE, NONE, place, drawn, NONE, element, enumeration("INTERNAL"), NONE)
    for over, under in pairwise((project, site, building, storey, space)):
        model.rooted("IFCRELAGGREGATES", over, NONE, NONE, over, [under])
    return body, space


def _cabinet(model: Model, body: Entity, plan: Plan, cabinet: Cabinet) -> Entity:
    room, part = plan.room, plan.catalog.cabinet
    x, y = room.slot_xy[cabinet.slot].tolist()
    turned = radians(int(room.slot_facing[cabinet.slot]) - 90)
    place = model.add("IFCLOCALPLACEMENT", NONE, model.axes((x, y, 0), (round(cos(turned), 6), round(sin(turned), 6), 0)))
    shape = model.box(body, part.width_mm, part.depth_mm, part.height_mm)
    about = f"{part.id}, {cabinet.routers} routers, {cabinet.endpoints} endpoints"
    found = model.rooted(
        "IFCBUILDINGELEMENTPROXY",
        cabinet.name,
        cabinet.name,
        about,
        "cabinet",
        place,
        shape,
        cabinet.name,
        enumeration("ELEMENT"),
    )
    values = [
        ("Row", typed("IFCLABEL", cabinet.row)), ("Units", typed("IFCINTEGER", cabinet.units)),
        ("UnitsUsed", typed("IFCINTEGER", cabinet.used_units)),
        ("PowerMaximum", typed("IFCPOWERMEASURE", cabinet.power_max_mw / 1000)),
        ("Mass", typed("IFCMASSMEASURE", cabinet.total_g / 1000)),
    ]  # fmt: skip
    model.properties("Planner_Cabinet", cabinet.name, found, values)
    return found


def _trays(model: Model, body: Entity, plan: Plan) -> list[Entity]:
    room, found = plan.room, []
    seen: dict[str, int] = {}
    for tray, segments, box in _boxes(plan):
        name, kind = room.tray_names[tray], room.tray_kinds[tray]
        seen[name] = seen.get(name, 0) + 1
        key = f"{name}\n{seen[name]}"
        at, along, size = box
        place = model.add("IFCLOCALPLACEMENT", NONE, model.axes(at, along))
        carrier = enumeration(_TRAYS.get(kind, "CABLETRAYSEGMENT"))
        made = model.rooted("IFCCABLECARRIERSEGMENT", key, name, NONE, kind, place, model.box(body, *size), name, carrier)
        area_mm2 = room.segment_mm2[segments]
        values = [("CrossSection", typed("IFCREAL", float(area_mm2.max())))]
        if plan.cables is not None and area_mm2.all():
            fill = plan.cables.fill_um2[segments] / (1e6 * area_mm2)
            values.append(("Fill", typed("IFCRATIOMEASURE", float(fill.max()))))
        values.append(("FillDesign", typed("IFCRATIOMEASURE", float(room.design_fill))))
        model.properties("Planner_Tray", key, made, values)
        found.append(made)
    return found


def _boxes(plan: Plan) -> Iterator[tuple[int, Sequence[int] | np.ndarray, Box]]:
    """Yield tray, segments and box of each straight piece of a tray, and of each riser."""
    room = plan.room
    for line in tray_lines(room):
        wide, high = sides(int(room.segment_mm2[line.segments].max())) if room.segment_mm2[line.segments].max() else _PLAIN_MM
        for (x, y), (u, v) in pairwise(line.path_mm):
            length = hypot(u - x, v - y)
            if length:
                along = (round((u - x) / length, 6), round((v - y) / length, 6), 0.0)
                yield line.tray, line.segments, (((x + u) / 2, (y + v) / 2, line.elevation_mm), along, (length, wide, high))
    ends = room.node_xyz[room.segments].astype(np.int64)
    for segment in np.flatnonzero((ends[:, 0, :2] == ends[:, 1, :2]).all(axis=1) & (ends[:, 0, 2] != ends[:, 1, 2])).tolist():
        (x, y, low), (_, _, high) = sorted(ends[segment].tolist(), key=lambda end: end[2])
        wide, deep = sides(int(room.segment_mm2[segment])) if room.segment_mm2[segment] else _PLAIN_MM
        yield int(room.segment_tray[segment]), np.array([segment]), ((x, y, low), (1.0, 0.0, 0.0), (wide, deep, high - low))
