"""Names that formats stumble over: quotes, marks of other formats, other scripts, 60 characters."""

from __future__ import annotations

from dataclasses import replace

from planner.domain.model import Room

ODD = ('hall "A"', "a, b", "semi;colon", "back\\slash", "Büro Süd", "北側", "<b>&amp;", "x" * 60, "tab / slash", "-=+@")


def oddly_named(room: Room) -> Room:
    """Give odd names to the room, its rows and its slots."""
    names = tuple(ODD[n % len(ODD)] + (str(n // len(ODD)) if n >= len(ODD) else "") for n in range(room.slot_count))
    rows = tuple(f"row {ODD[n % len(ODD)]}" for n in range(len(room.row_names)))
    return replace(room, slot_names=names, row_names=rows, title="Halle „Süd“, <1>")
