"""Elevations of the cabinets as a DXF drawing in millimeters: frames, devices and sockets, a layer for each."""

from __future__ import annotations

from pathlib import Path

from planner.domain.model import Plan
from planner.hall.scene.dxf import write_dxf
from planner.view.elevations import chosen_cabinets, elevation_scene

ENDING = ".elevations.dxf"


def write(plan: Plan, path: Path, *, cabinet: str | None = None, row: str | None = None) -> None:
    """Write the front and the rear of every cabinet; ports in use are on a layer of their own.

    Parameters
    ----------
    cabinet, row
        Only this cabinet, or this row of cabinets.

    Raises
    ------
    InputError
        When the plan has no cabinets, or not the one chosen.
    """
    write_dxf(elevation_scene(plan, chosen_cabinets(plan, cabinet, row)), path)
