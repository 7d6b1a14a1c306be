"""What work costs, and prices seen in the market."""

from __future__ import annotations

from dataclasses import dataclass

from planner.parts.row import Name, NonNegative, Positive, Row


@dataclass(frozen=True, kw_only=True)
class LabourRates(Row):
    """What pulling and plugging costs."""

    in_cabinet_cents: NonNegative
    between_cabinets_cents: NonNegative
    pull_cents_per_m: NonNegative = 0


@dataclass(frozen=True, kw_only=True)
class PriceSeen(Row):
    """One price observation: evidence behind the prices of parts, never read by a stage.

    `part` is the id of the catalog row it concerns, if there is one. Prices by length stand in
    `length_mm` and `cents`, in parallel; a price that does not depend on length has one entry of
    `cents` and at most one of `length_mm`. `derived` marks arithmetic on a proxy.
    """

    item: Name
    part: str = ""
    currency: Name = "USD"
    cents: tuple[NonNegative, ...] = ()
    length_mm: tuple[Positive, ...] = ()
    low_cents: NonNegative | None = None
    high_cents: NonNegative | None = None
    cents_per_m: NonNegative | None = None
    cents_per_gbps: NonNegative | None = None
    derived: bool = False
    basis: str = ""
    vendor: str = ""


@dataclass(frozen=True, kw_only=True)
class Gap(Row):
    """What was looked for and not found; kept so that nobody takes silence for a fact."""

    items: tuple[str, ...]
