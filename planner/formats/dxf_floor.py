"""Floor as a DXF drawing in millimeters: rows, cabinets, trays, their fill and the busiest routes, a layer for each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from annotated_types import Ge, Le

from planner.domain.model import Plan
from planner.hall.scene import Label, Layer
from planner.hall.scene.dxf import write_dxf
from planner.hall.scene.plan import fill_layer, routes_layer
from planner.hall.scene.room import tray_names
from planner.view.cabinets import cabinets
from planner.view.floor import plan_scene
from planner.view.project import title_lines

ENDING = ".floor.dxf"


def write(plan: Plan, path: Path, *, routes: Annotated[int, Ge(0), Le(1000)] = 10) -> None:
    """Write the drawing; cabinets are on the layer CABINET, with their contents as attributes.

    The layers OUTLINE, SLOT, TRAY and those of obstacles are as ``planner floor import`` reads them: an architect can edit
    the drawing, and it can be imported as a room again. The facts of ``[project]`` are texts next to the room.

    Parameters
    ----------
    routes
        Number of routes between two cabinets to draw, busiest first.

    Raises
    ------
    InputError
        When the plan has no room.
    """
    placed = cabinets(plan) if plan.placement is not None and plan.catalog is not None else []
    scene = plan_scene(plan, placed)
    busiest = routes_layer(plan, routes)
    x, y = scene.high_mm
    # The title block is above the list of routes, next to the room.
    texts = [*title_lines(plan), *(shape.about for shape in busiest.shapes)]
    listed = [Label("list", text, (x + 600, y - 240 * n), anchor=(-1, 1)) for n, text in enumerate(texts)]
    write_dxf(scene.with_layers(tray_names(plan.room), fill_layer(plan), busiest, Layer("list", (), listed)), path)
