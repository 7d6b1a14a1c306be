"""What is in the room already, as the rules count it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from planner.domain.model import FixedDevice, Kept, Plan, Room


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
    """Return what must not move with its device; None where the plan has none of that name. Devices of a kept plan come last.

    The numbers of routers may have more or fewer digits than in the plan, as in a plan of another size.
    """
    names = {name: number for number, name in enumerate(plan.inventory.names.tolist())}
    routers = {int(name[1:]): number for name, number in names.items() if _is_router(name)}
    stated = tuple(
        (each, names.get(each.name, routers.get(int(each.name[1:])) if _is_router(each.name) else None))
        for each in plan.room.existing.fixed
    )
    return stated if plan.kept is None else (*stated, *_built(plan.kept))


def _built(kept: Kept) -> Iterator[tuple[FixedDevice, int]]:
    """Yield the devices of a kept plan that must not move."""
    rows = zip(
        kept.names.tolist(), kept.slot.tolist(), kept.unit.tolist(), kept.device.tolist(), kept.stays.tolist(), strict=True
    )
    for name, slot, unit, device, stays in rows:
        if stays and device >= 0:
            yield FixedDevice(name, slot, unit, kept.source), device


def fixed_slots(plan: Plan) -> set[int]:
    """Return the slots of what must not move."""
    built = set() if plan.kept is None else {each.slot for each, _ in _built(plan.kept)}
    return {each.slot for each in plan.room.existing.fixed} | built


def _is_router(name: str) -> bool:
    return name[:1] == "R" and name[1:].isdecimal() and name.isascii()


def tray_use_um2(room: Room) -> np.ndarray:
    """Return the cross-section in use of each tray segment, int64 (K,)."""
    return np.array(room.existing.tray_um2 or [0] * len(room.segments), np.int64)


def kept(share: float, total: int) -> int:
    """Return the number to keep free of a total: the smallest whole number that is not below the share."""
    return math.ceil(round(share * total, 6))


def names_with_kept(plan: Plan, names: list[str]) -> list[str]:
    """Return the names that the study gives with those of a kept plan.

    The others are any that are left, each once, with or without leading zeros of their number.
    """
    if plan.kept is None:
        return names
    built = {
        device: name for device, name in zip(plan.kept.device.tolist(), plan.kept.names.tolist(), strict=True) if device >= 0
    }
    have, taken = plan.inventory.names.tolist(), {_number(name) for name in built.values()}
    left = Counter(number for name in names if (number := _number(name)) not in taken)
    found = []
    for device, name in enumerate(names):
        is_left = device < len(have) and device not in built and left[_number(have[device])] > 0
        if is_left:
            left[_number(have[device])] -= 1
        found.append(built.get(device, have[device] if is_left else name))
    return found


def _number(name: str) -> str:
    """Return a name without the leading zeros of its last number."""
    stem = name.rstrip("0123456789")
    return stem + (name[len(stem) :].lstrip("0") or "0" if len(stem) < len(name) else "")
