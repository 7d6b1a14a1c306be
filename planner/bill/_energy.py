"""Lines of energy over the years."""

from __future__ import annotations

from collections.abc import Iterator

from planner.bill._terms import Terms
from planner.model import BillLine


def energy_lines(power_mw: int, terms: Terms) -> Iterator[BillLine]:
    """Yield the energy of the network, if it is on the bill."""
    rates = terms.electricity
    if rates is None:
        return
    kwh = rates.kwh(power_mw, terms.years)
    if kwh:
        unit, over = divmod(rates.cents(kwh), kwh)
        what = f"kWh in {terms.years:g} years, {rates.cents_per_kwh:g} cents each, PUE {rates.pue:g}, load {rates.load:g}"
        yield BillLine("energy", rates.id, what, kwh, unit, confidence=rates.confidence, over_cents=over)
