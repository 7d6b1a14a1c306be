"""Elevations of the cabinets to scale as SVG: front and rear with the sockets of every device, those in use shaded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from annotated_types import Ge, Le

from planner.domain.model import Plan
from planner.hall.scene.svg import svg
from planner.view.elevations import chosen_cabinets, elevation_scene

ENDING = ".elevations.svg"


def write(
    plan: Plan, path: Path, *, scale: Annotated[int, Ge(1), Le(1000)] = 50, cabinet: str | None = None, row: str | None = None
) -> None:
    """Write a drawing at 1:`scale` in millimeters; every device and port has its name as a title, which browsers show.

    Parameters
    ----------
    scale
        Denominator of the scale.
    cabinet, row
        Only this cabinet, or this row of cabinets.

    Raises
    ------
    InputError
        When the plan has no cabinets, or not the one chosen.
    """
    path.write_text(svg(elevation_scene(plan, chosen_cabinets(plan, cabinet, row)), scale), encoding="utf-8", newline="")
