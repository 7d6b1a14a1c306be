"""Cables that just miss a shorter part."""

from __future__ import annotations

from dataclasses import dataclass

from planner.record import Record, value


@dataclass(frozen=True)
class NearMiss:
    """A cable that is a little too long for a cheaper part, and what would help.

    `end` is 0 or 1: the end at which moving the router by `units` (up is positive) saves
    `unit_saving_cents` over all cables that this changes; `slot` is the free slot where the cabinet at
    `slot_end` would save `slot_saving_cents`. Where nothing saves anything, the saving is 0.
    """

    cable: int
    over_mm: int
    stock_mm: int
    saving_cents: int
    end: int = 0
    units: int = 0
    unit_saving_cents: int = 0
    slot_end: int = 0
    slot: str = ""
    slot_saving_cents: int = 0


@dataclass(frozen=True, eq=False)
class NearMisses(Record):
    """Cables whose run is at most `within_mm` longer than what a cheaper part covers, dearest first."""

    within_mm: int = value("how much too long counts as a near miss", "mm")
    count: int = value("how many there are")
    saving_cents: int = value("what all of them would save if each were that much shorter", "cents")
    items: tuple[NearMiss, ...] = value("those that would save most")
