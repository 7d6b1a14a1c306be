"""Floors: from floor plan files to rooms, and how long a cable between two slots is."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Annotated

from annotated_types import Ge

from planner import reading, shipped
from planner.errors import InputError, Problem
from planner.floor._drawing import Drawing
from planner.floor._grid import expand
from planner.floor._slots import aisles_of, check_slots, obstacles_of, outline_of, slots_of
from planner.floor._trays import trays_of
from planner.floor.lengths import Lengths, Slack, Ways
from planner.model import Room
from planner.parts import Row

__all__ = ["Lengths", "Slack", "Ways", "room"]


def room(
    plan: str,
    *,
    routers: int,
    base: Path = Path(),
    cabinets: Annotated[int, Ge(1)] | None = None,
    end_mm: Annotated[int, Ge(0)] | None = None,
    in_cabinet_mm: Annotated[int, Ge(1)] | None = None,
    cabinet_routers: Annotated[int, Ge(1)] | None = None,
) -> Room:
    """Read a floor plan.

    Parameters
    ----------
    plan
        Name of a shipped floor plan, or a path from `base`.
    routers, base
        Supplied by the flow: routers of the network, folder of the study.
    cabinets
        For the grid rooms of the papers: number of slots to lay out. By default enough for all
        routers at `cabinet_routers` each.
    end_mm, in_cabinet_mm
        For the grid rooms: way from port to tray at each end, and length inside a cabinet.
    cabinet_routers
        Most routers in one cabinet.

    Raises
    ------
    InputError
        With every problem of the file and of the geometry: outlines that cross themselves, slots
        that leave the outline or touch an obstacle, slots that no tray serves, trays that do not meet.
    """
    path = shipped.find("floorplans", plan, base)
    document = reading.read(path)
    drawing = reading.construct(Drawing, document.data, file=document.file, lines=document.lines)
    fixed = {"end_mm": end_mm, "in_cabinet_mm": in_cabinet_mm, "cabinet_routers": cabinet_routers}
    if drawing.grid is None:
        if cabinets is not None:
            raise InputError(Problem("cabinets", f"{plan} has rows of its own", "leave it out"))
    else:
        per_cabinet = cabinet_routers or drawing.grid.cabinet_routers
        count = cabinets or math.ceil(routers / per_cabinet)
        drawing = dataclasses.replace(drawing, **expand(drawing, count))
        fixed = {name: getattr(drawing.grid, name) if given is None else given for name, given in fixed.items()}
    try:
        return _room(path.stem, drawing, fixed)
    except InputError as error:
        raise error.located(document.file, lines=document.lines) from None


def _room(name: str, drawing: Drawing, fixed: dict[str, int | None]) -> Room:
    problems: list[Problem] = []
    if drawing.outline_mm is None:
        problems.append(Problem("outline_mm", "a floor plan needs an outline", "add the corners, or a [grid] table"))
        raise InputError(problems)
    slots = slots_of(drawing)
    for repeated in (
        sorted({n for n in slots.names if slots.names.count(n) > 1}) if len(set(slots.names)) < len(slots.names) else ()
    ):
        problems.append(Problem("row", f"slot name {repeated} occurs twice", "give every row its own name"))
    if not slots.names:
        problems.append(Problem("row", "there is no slot for a cabinet", "add a [[row]]"))
    outline = outline_of(drawing, problems)
    obstacles = obstacles_of(drawing, problems)
    if not problems:
        check_slots(drawing, slots, problems)
    if problems:
        raise InputError(problems)
    trays = trays_of(drawing, slots, problems)
    if problems:
        raise InputError(problems)
    facts = {field.name: getattr(drawing, field.name) for field in dataclasses.fields(Row) if hasattr(drawing, field.name)}
    return Room(
        name=name,
        title=drawing.title,
        tile_mm=drawing.tile_mm,
        outline=outline,
        obstacles=obstacles,
        aisles=aisles_of(drawing, slots) if drawing.grid is None else (),
        slot_names=slots.names,
        slot_xy=slots.xy,
        slot_size=slots.size,
        slot_row=slots.row,
        slot_facing=slots.facing,
        slot_power_mw=slots.power_mw,
        slot_load_g=slots.load_g,
        row_names=tuple(rule.name for rule in drawing.row),
        tray_names=tuple(rule.name for rule in drawing.tray),
        design_fill=drawing.design_fill,
        max_fill=drawing.max_fill,
        sources=(Row(id=name, **facts),),
        **fixed,
        **{field.name: getattr(trays, field.name) for field in dataclasses.fields(trays)},
    )
