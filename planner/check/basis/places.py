"""How violations name the places of a plan, and how rules state that figures differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from planner.check.basis.tables import has_tables
from planner.domain.model import Plan, Room, Violation

_SHOWN = 10
"""Places of one fault that are listed; the others are counted."""


def error(rule: str, where: str, value: Any, limit: Any, unit: str, message: str) -> Violation:
    return Violation(rule, where, float(value), float(limit), unit, "error", message)


def unequal(
    rule: str, have: Any, want: Any, where: Callable[[int], str], message: str, unit: str = "", relative: float = 0.0
) -> Iterator[Violation]:
    """Yield an error for each entry of `have` that is not the one of `want`; NaN equals NaN.

    Parameters
    ----------
    have, want
        Numbers, in parallel; the first axis counts.
    where
        From the number of an entry to its place.
    relative
        Difference, as a share of the larger number, that sums in another order may make.
    """
    have, want = np.asarray(have), np.asarray(want)
    if have.shape != want.shape:
        yield error(rule, message, have.size, want.size, "entries", "is not as long as it must be")
        return
    same = have == want
    if relative and have.size:
        same |= np.isclose(have, want, rtol=relative, atol=1e-9, equal_nan=True)
    wrong = np.flatnonzero(~same.all(axis=tuple(range(1, same.ndim))))
    for entry in wrong[:_SHOWN]:
        off = np.flatnonzero(~np.atleast_1d(same[entry]).ravel())[0]
        value, limit = np.atleast_1d(have[entry]).ravel()[off], np.atleast_1d(want[entry]).ravel()[off]
        yield error(rule, where(int(entry)), value, limit, unit, message)
    if len(wrong) > _SHOWN:
        yield error(rule, f"{len(wrong) - _SHOWN:,} more", len(wrong), 0, "", message)


def unlike(rule: str, where: str, have: Any, want: Any, message: str) -> Iterator[Violation]:
    """Yield an error where two values that need not be numbers differ; both are named."""
    if have != want:
        yield Violation(rule, where, 0.0, 1.0, "", "error", f"{message}: {_short(have)}, expected {_short(want)}")


def _short(content: object) -> str:
    text = repr(content)
    return text if len(text) <= 120 else f"{text[:117]}..."


def device_name(plan: Plan, device: int) -> str:
    """Return the name of a device that a study with several networks gives it, or what it is with its number."""
    if has_tables(plan) and 0 <= device < len(plan.inventory.names):
        return str(plan.inventory.names[device])
    routers = plan.inventory.router_count
    return f"router {device}" if device < routers else f"endpoint {device - routers}"


def connection_name(plan: Plan, number: int) -> str:
    return " to ".join(device_name(plan, device) for device in plan.inventory.ends[number].tolist())


def cabinet_name(plan: Plan, cabinet: int | np.integer) -> str:
    return f"cabinet {plan.room.slot_names[plan.placement.slot_of[cabinet]]}"


def cable_name(plan: Plan, number: int | np.integer) -> str:
    return f"cable {number + 1} ({plan.cables.label_a[number]})"


def segment_name(room: Room, segment: int | np.integer) -> str:
    a, b = room.node_xyz[room.segments[segment]][:, :2].tolist()
    return f"tray {room.tray_names[room.segment_tray[segment]]} between ({a[0]}, {a[1]}) and ({b[0]}, {b[1]}) mm"
