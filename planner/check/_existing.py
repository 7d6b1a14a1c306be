"""What is in the room already, as the rules count it."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from planner.model import FixedDevice, Plan, Room


def taken_slots(room: Room) -> set[int]:
    """Return the slots with cabinets of others."""
    return {each.slot for each in room.existing.equipment if each.kind == "cabinet"}


def units_in_use(room: Room) -> dict[int, set[int]]:
    """Return the rack units that equipment of others takes, by slot."""
    found: dict[int, set[int]] = {}
    for each in room.existing.equipment:
        if each.kind == "units":
            found.setdefault(each.slot, set()).update(each.low_unit + step for step in range(each.units))
    return found


def in_use(room: Room, figure: str) -> np.ndarray:
    """Return the sum of a figure of all equipment of others over each slot, int64 (S,)."""
    total = [0] * len(room.slot_names)
    for each in room.existing.equipment:
        total[each.slot] += getattr(each, figure)
    return np.array(total, np.int64)


@lru_cache(maxsize=1)
def fixed_devices(plan: Plan) -> tuple[tuple[FixedDevice, int | None], ...]:
    """Return what must not move with its device; None where the plan has none of that name.

    The numbers of routers may have more or fewer digits than in the plan, as in a plan of another size.
    """
    names = {name: number for number, name in enumerate(plan.inventory.names.tolist())}
    routers = {int(name[1:]): number for name, number in names.items() if _is_router(name)}
    return tuple(
        (each, names.get(each.name, routers.get(int(each.name[1:])) if _is_router(each.name) else None))
        for each in plan.room.existing.fixed
    )


def _is_router(name: str) -> bool:
    return name[:1] == "R" and name[1:].isdecimal() and name.isascii()


def tray_use_um2(room: Room) -> np.ndarray:
    """Return the cross-section in use of each tray segment, int64 (K,)."""
    return np.array(room.existing.tray_um2 or [0] * len(room.segments), np.int64)


def kept(share: float, total: int) -> int:
    """Return the number to keep free of a total: the smallest whole number that is not below the share."""
    return math.ceil(round(share * total, 6))
