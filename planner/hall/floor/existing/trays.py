"""Cross-section in use of each tray segment."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from planner.core.errors import Problem, suggestion
from planner.domain.model import Room

DEFAULT, SEGMENT = "default", "segment "


def cross_sections(
    shares: Mapping[str, float], mm2: Mapping[str, int], cables_um2: np.ndarray | None, room: Room, problems: list[Problem]
) -> tuple[int, ...]:
    """Return the cross-section in use of each tray segment in µm²; empty if no segment is in use.

    Parameters
    ----------
    shares, mm2
        Shares of the design fill, and cross-sections in mm², by name of the tray, ``segment 12`` or ``default``. In each
        table the entry of a segment has priority over that of its tray, and a cross-section over a share.
    cables_um2
        Cross-section of the cables of other plans in each segment, in addition, int64 (K,).
    problems
        Receives names that the room does not have.
    """
    tables = ((shares, "trays"), (mm2, "trays_mm2"))
    problems += [problem for table, key in tables for name in table if (problem := _unknown(name, key, room)) is not None]
    used = np.zeros(len(room.segments), np.int64) if cables_um2 is None else cables_um2.copy()
    trays = np.array(room.tray_names)[room.segment_tray] if len(room.segments) else np.zeros(0, str)
    for number, (tray, area_mm2) in enumerate(zip(trays.tolist(), room.segment_mm2.tolist(), strict=True), 1):
        names = (f"{SEGMENT}{number}", tray, DEFAULT)
        stated = next((mm2[name] * 1_000_000 for name in names if name in mm2), None)
        share = next((shares[name] for name in names if name in shares), 0.0)
        used[number - 1] += round(share * room.design_fill * area_mm2 * 1_000_000) if stated is None else stated
    return tuple(used.tolist()) if used.any() else ()


def _unknown(name: str, key: str, room: Room) -> Problem | None:
    """Return the problem of a name that is no tray of the room."""
    number = name.removeprefix(SEGMENT)
    if name == DEFAULT or name in room.tray_names:
        return None
    if name.startswith(SEGMENT) and number.isascii() and number.isdigit() and len(number) < 9:
        if 1 <= int(number) <= len(room.segments):
            return None
        return Problem(f"{key}.{name}", f"{room.name} has no tray segment {number}", f"use 1 to {len(room.segments)}")
    return Problem(f"{key}.{name}", f"{name!r} is not a tray of {room.name}", suggestion(name, (DEFAULT, *room.tray_names)))
