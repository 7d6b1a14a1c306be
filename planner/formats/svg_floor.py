"""Floor to scale as SVG: rows, cabinets by use, power or heat, trays by fill, and the busiest routes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from annotated_types import Ge, Le

from planner.domain.model import Plan
from planner.hall.scene.plan import fill_layer, routes_layer
from planner.hall.scene.room import tray_names
from planner.hall.scene.svg import svg
from planner.view.cabinets import cabinets
from planner.view.floor import plan_scene
from planner.view.project import title_lines

ENDING = ".floor.svg"


def write(
    plan: Plan,
    path: Path,
    *,
    scale: Annotated[int, Ge(1), Le(10_000)] = 50,
    routes: Annotated[int, Ge(0), Le(1000)] = 10,
    shade: Literal["fill", "use", "power", "heat"] = "fill",
) -> None:
    """Write a drawing at 1:`scale` in millimeters of the room, a group for each kind of thing.

    Every object has its name and figures as a title, which browsers show as a tooltip. The facts of ``[project]`` are below the
    legend.

    Parameters
    ----------
    scale
        Denominator of the scale: millimeters in the room per millimeter on paper.
    routes
        Number of routes between two cabinets to draw, busiest first.
    shade
        What the color of a cabinet shows: rack units in use, kinds of devices, power or heat as a share of the slot's limit.

    Raises
    ------
    InputError
        When the plan has no room.
    """
    placed = cabinets(plan) if plan.placement is not None and plan.catalog is not None else []
    scene = plan_scene(plan, placed, shade).with_layers(tray_names(plan.room), fill_layer(plan), routes_layer(plan, routes))
    path.write_text(svg(scene, scale, block=title_lines(plan)), encoding="utf-8", newline="")
