"""The lines of the bill, and their total."""

from __future__ import annotations

from typing import NamedTuple

from planner.domain.model import BillLine, Plan
from planner.view.figures import described
from planner.view.tables.table import FILE_AND_PAGE, Column, Table, each


class _Entry(NamedTuple):
    """A line of the bill, or the total of all."""

    category: str
    part: str
    description: str
    quantity: int | None
    unit_cents: int | None
    cents: int
    currency: str
    power_mw: int
    mass_g: int
    confidence: str
    stock_mm: int | None


def _entries(plan: Plan) -> list[_Entry] | None:
    bill = plan.bill
    if bill is None:
        return None
    # Subtotals are in the table of quantities: a filtered table must contain every cent once.
    total = _Entry("total", "", "", None, None, bill.cents(), bill.currency, bill.power_mw(), bill.mass_g(), "", None)
    return [*(_entry(line, bill.currency) for line in bill.lines), total]


def _entry(line: BillLine, currency: str) -> _Entry:
    return _Entry(
        line.category, line.part, described(line), line.quantity, line.unit_cents, line.cents, currency,
        line.power_mw, line.mass_g, line.confidence, line.stock_mm or None,
    )  # fmt: skip


COLUMNS = (
    Column("category", "category", "category; total in the last line", each(lambda e: e.category), shown=FILE_AND_PAGE,
           width=14),
    Column("part", "part", "catalog row", each(lambda e: e.part), shown=FILE_AND_PAGE, width=26),
    Column("description", "description", "what it is", each(lambda e: e.description), shown=FILE_AND_PAGE, width=36),
    Column("quantity", "quantity", "number of items", each(lambda e: e.quantity), "whole", shown=FILE_AND_PAGE),
    Column("unit_cents", "unit price", "price of one; the mean where prices differ", each(lambda e: e.unit_cents), "whole",
           "cents", shown=FILE_AND_PAGE),
    Column("cents", "price", "price of all", each(lambda e: e.cents), "whole", "cents", shown=FILE_AND_PAGE),
    Column("currency", "currency", "currency of the prices", each(lambda e: e.currency), shown=FILE_AND_PAGE),
    Column("power_mw", "power", "typical power of all", each(lambda e: e.power_mw), "whole", "mW", shown=FILE_AND_PAGE),
    Column("mass_g", "mass", "mass of all", each(lambda e: e.mass_g), "whole", "g", shown=FILE_AND_PAGE),
    Column("confidence", "confidence", "confidence of the catalog row, A to D", each(lambda e: e.confidence)),
    Column("stock_mm", "length to buy", "length of an item bought by length", each(lambda e: e.stock_mm), "whole", "mm"),
)  # fmt: skip

BILL = Table("bill", "One row per line of the bill, and the total.", _entries, COLUMNS)
