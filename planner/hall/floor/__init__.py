"""Floors: rooms from floor plan files, and cable lengths between slots."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le

from planner.core import reading, shipped
from planner.core.checking import checked
from planner.core.errors import InputError, Problem
from planner.core.storage import replacing
from planner.domain.model import Room, Zone
from planner.domain.parts import Row
from planner.hall.floor._aisles import aisles_of, check_aisles
from planner.hall.floor._clash import check_slots, check_swings
from planner.hall.floor._drawing import Drawing
from planner.hall.floor._grid import expand
from planner.hall.floor._site import obstacles_of, site_of
from planner.hall.floor._slots import require_slots, slots_of
from planner.hall.floor._survey import survey, survey_text
from planner.hall.floor._trays import trays_of
from planner.hall.floor.existing import Contents, with_existing
from planner.hall.floor.lengths import Lengths, Slack, TrayDistances

__all__ = ["Drawing", "Lengths", "Slack", "TrayDistances", "draw", "import_dxf", "room", "survey", "survey_text"]


@checked()
def room(
    plan: str,
    *,
    routers: int,
    base: Path = Path(),
    cabinets: Annotated[int, Ge(1)] | None = None,
    end_mm: Annotated[int, Ge(0)] | None = None,
    in_cabinet_mm: Annotated[int, Ge(1)] | None = None,
    cabinet_routers: Annotated[int, Ge(1)] | None = None,
    design_fill: Annotated[float, Gt(0), Le(1)] | None = None,
    max_fill: Annotated[float, Gt(0), Le(1)] | None = None,
    fill_shape: Literal["round", "square"] | None = None,
    existing: Contents | None = None,
) -> Room:
    """Read a floor plan.

    Parameters
    ----------
    plan
        Name of a shipped floor plan, or a path from `base`.
    routers, base
        Supplied by the flow: routers of the network, folder of the study.
    cabinets
        For the grid rooms of papers: number of slots. By default enough for all
        routers at `cabinet_routers` each.
    end_mm
        For the grid rooms: length from port to tray at each end, in millimeters. By default that of the floor plan.
    in_cabinet_mm
        For the grid rooms: length of a cable inside a cabinet, in millimeters. By default that of the floor plan.
    cabinet_routers
        For the grid rooms: maximum number of routers in one cabinet. By default that of the floor plan.
    design_fill
        Design limit of the share of a tray's cross-section that cables take. By default that of the floor plan.
    max_fill
        Hard limit of the share of a tray's cross-section that cables take. By default that of the floor plan.
    fill_shape
        Cross-section counted per cable: its circle (``round``) or the square around it. By default that of the floor plan.
    existing
        What is in the room already, and the reserve for growth, a table ``[room.existing]``. By default nothing.

    Raises
    ------
    InputError
        With every problem of the file, of what is there already, and of the geometry: self-intersecting outlines, slots
        that leave the outline or touch an obstacle, slots without a tray, disconnected trays.
    """
    fixed = {"end_mm": end_mm, "in_cabinet_mm": in_cabinet_mm, "cabinet_routers": cabinet_routers}
    plan_file = _open(plan, routers=routers, base=base, cabinets=cabinets, fixed=fixed)
    filled: dict[str, Any] = {"design_fill": design_fill, "max_fill": max_fill, "fill_shape": fill_shape}
    made = dataclasses.replace(plan_file.room(), **{key: given for key, given in filled.items() if given is not None})
    if made.max_fill < made.design_fill:
        rule = f"max_fill = {made.max_fill} is less than design_fill = {made.design_fill}"
        raise InputError(Problem("max_fill" if max_fill is not None else "design_fill", rule, "raise max_fill"))
    return made if existing is None else with_existing(made, existing)


def plan_data(plan: str, base: Path = Path()) -> dict[str, Any]:
    """Return the keys of a floor plan file as plain data.

    Parameters
    ----------
    plan, base
        As for `room`.

    Raises
    ------
    InputError
        When there is no such file, or it is not TOML.
    """
    return reading.read(shipped.find("floorplans", plan, base)).data


def room_of(data: dict[str, Any], name: str = "room") -> Room:
    """Return the room that the keys of a floor plan file describe; not for the grid rooms of papers.

    Raises
    ------
    InputError
        With every problem, as for `room`.
    """
    drawing = reading.construct(Drawing, data)
    if drawing.grid is not None:
        raise InputError(Problem("grid", "is sized by a rule for its network", "choose a room with rows and trays of its own"))
    return _room(name, drawing, dict.fromkeys(("end_mm", "in_cabinet_mm", "cabinet_routers")))


def write_plan(data: dict[str, Any], path: Path) -> None:
    """Write the keys of a floor plan as a file."""
    from planner.hall.floor._rows import text_of

    with _writing(path) as temporary:
        temporary.write_text(text_of(data), encoding="utf-8")


def draw(
    plan: str,
    out: str | Path,
    *,
    routers: Annotated[int, Ge(1)] = 1,
    cabinets: Annotated[int, Ge(1)] | None = None,
    scale: Annotated[int, Ge(1)] = 50,
) -> Path:
    """Write a floor plan as a drawing, DXF or SVG by the file's name.

    Parameters
    ----------
    plan, out
        Name of a shipped floor plan or a path; the file to write.
    routers, cabinets
        For the grid rooms of papers: number of routers and of slots.
    scale
        For SVG: scale 1:`scale`.

    Raises
    ------
    InputError
        When the plan is invalid, or `out` is neither .dxf nor .svg or cannot be written.
    """
    path = Path(out)
    if path.suffix.lower() not in (".dxf", ".svg"):
        raise InputError(Problem(str(path), "is neither .dxf nor .svg", "choose one of them"))
    if scale < 1:
        raise InputError(Problem("--scale", f"must be at least 1, not {scale}", ""))
    plan_file = _open(plan, routers=max(1, routers), cabinets=cabinets)
    room = plan_file.room()
    from planner.hall.floor._scene import drawing_scene

    scene = drawing_scene(plan_file.drawing, room)
    with _writing(path) as temporary:
        if path.suffix.lower() == ".dxf":
            from planner.hall.scene.dxf import write_dxf

            # The importer builds the walls between halls itself.
            write_dxf(scene.with_layers(without=("walls",)), temporary)
        else:
            from planner.hall.scene.svg import svg

            temporary.write_text(svg(scene, scale), encoding="utf-8")
    return path


def import_dxf(drawing: str | Path, out: str | Path, *, layers: str | Path | None = None) -> Room:
    """Turn a DXF drawing into a floor plan file, and return the room that it describes.

    Parameters
    ----------
    drawing, out
        The drawing, and the TOML file to write. The file is written even if the room violates a
        rule, so that it can be corrected.
    layers
        The mapping of layers and blocks, TOML; by default that of the drawings of `draw`.

    Raises
    ------
    InputError
        With every problem of mapping and drawing, or else of the room.
    """
    from planner.hall.floor._dxf_read import plan_of
    from planner.hall.floor._layers import Mapping, own_mapping
    from planner.hall.floor._rows import text_of

    if layers is None:
        mapping = own_mapping()
    else:
        document = reading.read(layers)
        mapping = reading.construct(Mapping, document.data, file=document.file, lines=document.lines)
    data = plan_of(Path(drawing), mapping, ours=layers is None)
    try:
        reading.construct(Drawing, data)
    except InputError as error:
        # Problems of the mapping's [room] keys are reported there, all others at the drawing.
        ours, theirs = str(layers), str(drawing)
        raise InputError(
            dataclasses.replace(problem, place=f"room.{problem.place}", file=ours)
            if problem.place.split(".")[0] in mapping.room
            else dataclasses.replace(problem, file=theirs)
            for problem in error.problems
        ) from None
    text = text_of(data)
    with _writing(Path(out)) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return room(str(Path(out).absolute()), routers=1)


@contextmanager
def _writing(path: Path) -> Iterator[Path]:
    """Yield a temporary path that replaces `path` in the end; an unwritable place is an InputError."""
    try:
        with replacing(path) as temporary:
            yield temporary
    except OSError as error:
        raise InputError(Problem(str(path), f"cannot be written: {error.strerror}", "choose another place")) from None


@dataclasses.dataclass(frozen=True)
class _PlanFile:
    """A floor plan file; grid rooms of papers are expanded into slots and trays."""

    name: str
    drawing: Drawing
    fixed: dict[str, int | None]
    document: reading.Document

    def room(self) -> Room:
        try:
            return _room(self.name, self.drawing, self.fixed)
        except InputError as error:
            raise error.located(self.document.file, lines=self.document.lines) from None


def _open(
    plan: str, *, routers: int = 1, base: Path = Path(), cabinets: int | None = None, fixed: dict[str, int | None] | None = None
) -> _PlanFile:
    try:
        path = shipped.find("floorplans", plan, base)
    except InputError as error:
        raise error.located(section="plan") from None
    document = reading.read(path)
    drawing = reading.construct(Drawing, document.data, file=document.file, lines=document.lines)
    fixed = fixed or dict.fromkeys(("end_mm", "in_cabinet_mm", "cabinet_routers"))
    if drawing.grid is None:
        if cabinets is not None:
            raise InputError(Problem("cabinets", f"{plan} has rows of its own", "remove it"))
    else:
        count = cabinets or math.ceil(routers / (fixed["cabinet_routers"] or drawing.grid.cabinet_routers))
        require_slots(count, "cabinets")
        drawing = dataclasses.replace(drawing, **expand(drawing.grid, count))
        fixed = {name: getattr(drawing.grid, name) if given is None else given for name, given in fixed.items()}
    return _PlanFile(path.stem, drawing, fixed, document)


def _room(name: str, drawing: Drawing, fixed: dict[str, Any]) -> Room:
    problems: list[Problem] = []
    require_slots(sum(rule.count for rule in drawing.row) + len(drawing.slot), "row")
    site = site_of(drawing, problems)
    slots = slots_of(drawing, problems)
    obstacles = obstacles_of(drawing, problems)
    if site is None:
        raise InputError(problems)
    check_slots(drawing, site, obstacles, slots, problems)
    check_swings(drawing, obstacles, problems)
    aisles = aisles_of(slots, site) if drawing.grid is None else []
    check_aisles(drawing, site, obstacles, slots, aisles, problems)
    trays = trays_of(drawing, site, slots, problems)
    if problems:
        raise InputError(problems)
    facts = {field.name: getattr(drawing, field.name) for field in dataclasses.fields(Row) if hasattr(drawing, field.name)}
    standing = tuple(Zone(rule.name, rule.kind, rule.corners or ()) for rule in drawing.obstacle)
    return Room(
        name=name,
        title=drawing.title,
        tile_mm=drawing.tile_mm,
        outline=site.outline,
        obstacles=standing + site.walls,
        aisles=tuple(aisle.zone for aisle in aisles),
        slot_names=slots.names,
        slot_xy=slots.xy,
        slot_size=slots.size,
        slot_row=slots.row,
        slot_facing=slots.facing,
        slot_power_mw=slots.power_mw,
        slot_load_g=slots.load_g,
        cooling_mw=tuple(slots.cooling_mw.tolist()) if slots.cooled else (),
        row_names=slots.row_names,
        slot_egress=slots.egress,
        tray_names=tuple(rule.name for rule in drawing.tray) + tuple(rule.name for rule in drawing.riser),
        tray_kinds=tuple(rule.kind for rule in drawing.tray) + ("riser",) * len(drawing.riser),
        tray_bend_mm=tuple(rule.bend_mm or 0 for rule in drawing.tray) + (0,) * len(drawing.riser),
        zones=slots.zones,
        fill_shape=drawing.fill_shape,
        design_fill=drawing.design_fill,
        max_fill=drawing.max_fill,
        sources=(Row(id=name, **facts),),
        halls=tuple(Zone(rule.name, "hall", rule.outline_mm) for rule in drawing.hall),
        penetrations=tuple(Zone(rule.name, "penetration", rule.corners or ()) for rule in drawing.penetration),
        **fixed,
        **{field.name: getattr(trays, field.name) for field in dataclasses.fields(trays)},
    )
