"""Near misses: cables that are slightly too long for a cheaper part."""

from __future__ import annotations

from dataclasses import dataclass

from planner.core.record import Record, value


@dataclass(frozen=True)
class NearMiss:
    """A cable that is slightly too long for a cheaper part, and the moves that would help.

    `end` is 0 or 1: the end at which moving the router by `units` (up is positive) saves
    `unit_saving_cents` over all cables that this changes; `slot` is the free slot where the cabinet at
    `slot_end` would save `slot_saving_cents`. Where no move saves anything, the saving is 0.
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
class NearMisses(Record, name="near_misses", needs=("inventory", "catalog", "room", "placement", "cables")):
    """Cables whose run is at most `within_mm` longer than a cheaper part covers, largest saving first."""

    within_mm: int = value("maximum excess length of a near miss", "mm")
    count: int = value("number of near misses")
    saving_cents: int = value("total saving if each cable were short enough", "cents")
    items: tuple[NearMiss, ...] = value("near misses with the largest savings")
