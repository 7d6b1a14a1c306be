"""What one file states, or several together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from planner.core.errors import Problem
from planner.domain.model import Equipment, FixedDevice

LISTED = 20
"""Maximum number of problems of one kind that are listed one by one."""


@dataclass(frozen=True, eq=False)
class Found:
    """Equipment, cross-section of cables in each tray segment (int64 (K,), None for none), and places of devices."""

    equipment: tuple[Equipment, ...] = ()
    tray_um2: np.ndarray | None = None
    devices: tuple[FixedDevice, ...] = ()


def joined(found: Iterable[Found]) -> Found:
    """Return everything that several files state."""
    every = [*found]
    fills = [each.tray_um2 for each in every if each.tray_um2 is not None]
    return Found(
        tuple(one for each in every for one in each.equipment),
        np.sum(fills, axis=0) if fills else None,
        tuple(one for each in every for one in each.devices),
    )


def listed(problems: list[Problem], what: str) -> Iterator[Problem]:
    """Yield the first problems of one kind, and the number of the others."""
    yield from problems[:LISTED]
    if len(problems) > LISTED:
        first = problems[0]
        yield Problem("", f"{len(problems) - LISTED:,} more {what}", first.remedy, first.file)
