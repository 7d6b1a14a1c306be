"""Rates for labor, spares and electricity, and observed market prices."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from annotated_types import Ge, Gt, Le

from planner.core.names import Because
from planner.domain.parts.row import Name, NonNegative, Positive, Row

Percent = Annotated[float, Ge(0), Le(100)]


@dataclass(frozen=True, kw_only=True)
class LaborRates(Row):
    """Labor rates for pulling, plugging and labeling.

    `hour_cents` is the price of one person-hour, for plans with known hours; `label_cents` that of
    one printed label; None where no price is known. The seconds are person-seconds: to install and plug a
    cable, to pull it over a meter of tray, to dress one bundle, to apply one label, to test one link.
    """

    in_cabinet_cents: NonNegative
    between_cabinets_cents: NonNegative
    pull_cents_per_m: NonNegative = 0
    in_cabinet_s: NonNegative = 0
    between_cabinets_s: NonNegative = 0
    pull_s_per_m: NonNegative = 0
    dress_s: NonNegative = 0
    label_s: NonNegative = 0
    test_s: NonNegative = 0
    hour_cents: NonNegative | None = None
    label_cents: NonNegative | None = None
    currency: Name = "USD"


@dataclass(frozen=True, kw_only=True)
class SparesPolicy(Row):
    """Spares to buy: for every part (and stock length) a share of the installed quantity, and a minimum."""

    routers_percent: Percent = 0.0
    routers_min: NonNegative = 0
    cables_percent: Percent = 0.0
    cables_min: NonNegative = 0
    transceivers_percent: Percent = 0.0
    transceivers_min: NonNegative = 0
    trunks_percent: Percent = 0.0
    trunks_min: NonNegative = 0

    def quantity(self, category: str, installed: int) -> int:
        """Return the spares for a number of installed pieces of one part; 0 in categories without a rule.

        Examples
        --------
        >>> policy = SparesPolicy(id="a", source="s", confidence="D", cables_percent=1.0, cables_min=2)
        >>> policy.quantity("cables", 201), policy.quantity("cables", 5), policy.quantity("cabinets", 5)
        (3, 2, 0)
        """
        percent, minimum = getattr(self, f"{category}_percent", 0), getattr(self, f"{category}_min", 0)
        # The decimal as written: 1.1 per cent of 1000 are 11, not 12.
        return max(math.ceil(installed * Fraction(str(percent)) / 100), minimum) if installed else 0


CentsPerKwh = Annotated[float, Ge(0), Le(10_000), Because("no kilowatt hour costs more than 100 units of a currency")]
Pue = Annotated[float, Ge(1), Le(10), Because("it is a ratio; the worst sites that were measured are near 3")]
Load = Annotated[float, Gt(0), Le(2), Because("it is a share of typical power; the maximum of a box is below twice that")]
Years = Annotated[float, Ge(0), Le(100), Because("no network is in use for longer than a century")]


@dataclass(frozen=True, kw_only=True)
class ExchangeRate:
    """The rate at which the purchase file converts the catalog's prices.

    Parameters
    ----------
    currency
        The currency to convert to.
    rate
        Its units for one unit of the catalog's currency.
    date
        Date of the rate.
    source
        Where it is published.
    """

    __pydantic_config__ = {"extra": "forbid", "allow_inf_nan": False}

    currency: Name
    rate: Annotated[float, Gt(0), Le(1_000_000)]
    date: Name
    source: str = ""

    def cents(self, cents: int) -> int:
        """Return an amount converted, rounded to a cent, halves up.

        Examples
        --------
        >>> ExchangeRate(currency="EUR", rate=0.925, date="2026-11-02").cents(1_000_02)
        92502
        """
        return math.floor(cents * Fraction(str(self.rate)) + Fraction(1, 2))


@dataclass(frozen=True, kw_only=True)
class ElectricityRates(Row):
    """Electricity rates.

    `pue` is the power of the site over that of its boxes (power usage effectiveness), `load` the mean
    power of the boxes over their typical power.
    """

    cents_per_kwh: CentsPerKwh
    pue: Pue = 1.0
    load: Load = 1.0
    currency: Name = "USD"

    def kwh(self, power_mw: int, years: float) -> int:
        """Return the energy of boxes of this typical power, rounded up; a year has 8,760 hours.

        Examples
        --------
        >>> rates = ElectricityRates(id="a", source="s", confidence="D", cents_per_kwh=10.0, pue=1.5)
        >>> rates.kwh(1_000_000, 2)
        26280
        """
        share = Fraction(str(self.pue)) * Fraction(str(self.load)) * Fraction(str(years))
        return math.ceil(power_mw * 8760 * share / 1_000_000)

    def cents(self, kwh: int) -> int:
        """Return the price of an amount of energy, rounded up."""
        return math.ceil(kwh * Fraction(str(self.cents_per_kwh)))


@dataclass(frozen=True, kw_only=True)
class PriceSeen(Row):
    """One price observation: evidence behind the prices of parts, never read by a stage.

    `part` is the id of the related catalog row, if there is one. Prices by length are
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
    """Facts that were searched for and not found."""

    items: tuple[str, ...]
