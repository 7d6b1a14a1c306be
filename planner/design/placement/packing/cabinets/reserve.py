"""Slots that the reserve for growth keeps free."""

from __future__ import annotations

from planner.core.errors import Infeasible
from planner.domain.model import Room


def require_reserve(room: Room, cabinets: int) -> None:
    """Check that cabinets leave the slots free that the reserve for growth keeps.

    Raises
    ------
    Infeasible
        When they do not.
    """
    kept = room.existing.keep_free.of("slots", room.slot_count)
    left = room.slot_count - len(room.existing.taken) - kept
    if kept and cabinets > left:
        taken = f", {len(room.existing.taken):,} are taken" if room.existing.taken else ""
        raise Infeasible(
            f"{cabinets:,} cabinets needed, but keep_free keeps {kept:,} of the {room.slot_count:,} slots of {room.name} free"
            f"{taken}: {cabinets - left:,} slots too few; lower keep_free, or use fewer cabinets"
        )
