"""Age of the prices."""

from __future__ import annotations

from collections.abc import Iterable

from planner.bill._terms import Terms
from planner.model import BillLine, Catalog


def dates(lines: Iterable[BillLine], catalog: Catalog, terms: Terms) -> tuple[str, str, int]:
    """Return the oldest and newest date of the rows behind the prices, and the number of rows without a date."""
    by_model = ("routers", "cables", "spares") if terms.prices else ()
    named = {line.part for line in lines if line.cents and line.category not in by_model}
    found = {row.id: row.date for row in (*catalog.rows, *terms.rows) if row.id in named}
    found |= {row.id: row.date for row in terms.prices.rows} if terms.prices else {}
    stated = sorted(date for date in found.values() if date)
    return stated[0] if stated else "", stated[-1] if stated else "", len(found) - len(stated)
