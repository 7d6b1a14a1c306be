"""Lines of labor and labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.bill._pieces import Pieces
from planner.bill._routers import price_confidence
from planner.bill._terms import Terms
from planner.model import BillLine, CablePlan, Catalog


def labor_lines(catalog: Catalog, cables: CablePlan, bought: Pieces, terms: Terms) -> Iterator[BillLine]:
    """Yield the labor of the installation: by the hour where hours and their price are known, else by cable and meter."""
    rates = catalog.labor
    if terms.prices is not None and not terms.prices.labor:
        return
    sure = price_confidence(rates)
    if terms.hours_s is not None and rates.hour_cents is not None:
        yield BillLine("labor", rates.id, "person-hour", -(-terms.hours_s // 3600), rates.hour_cents, confidence=sure)
        return
    between = cables.cabinet[bought.row, 0] != cables.cabinet[bought.row, 1]
    inside, across = int((~between).sum()), int(between.sum())
    yield BillLine("labor", rates.id, "cable inside a cabinet", inside, rates.in_cabinet_cents, confidence=sure)
    yield BillLine("labor", rates.id, "cable between cabinets", across, rates.between_cabinets_cents, confidence=sure)
    if rates.pull_cents_per_m:
        meters = -(-int(cables.run_mm[bought.row][between].astype(np.int64).sum()) // 1000)
        yield BillLine("labor", rates.id, "meter pulled over trays", meters, rates.pull_cents_per_m, confidence=sure)


def label_lines(catalog: Catalog, bought: Pieces, terms: Terms) -> Iterator[BillLine]:
    """Yield the labels, one on each plug of every piece; unpriced where no price is known."""
    rates = catalog.labor
    known = rates.label_cents is not None and terms.prices is None
    yield BillLine(
        "labels", rates.id if known else "", "printed label", int(bought.plugs.sum()), rates.label_cents if known else 0,
        confidence=price_confidence(rates) if known else "",
    )  # fmt: skip
