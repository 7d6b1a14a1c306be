"""Lines of jumpers, trunks, multi-core fibers, panels and boxes."""

from __future__ import annotations

from collections.abc import Iterator

from planner.bill._routers import price_confidence
from planner.model import BillLine, CablePlan, Catalog
from planner.parts import Row

_WORDS = {"jumpers": "jumper", "trunks": "trunk", "panels": "panel, cassette or box"}


def passive_lines(catalog: Catalog, cables: CablePlan) -> Iterator[BillLine]:
    """Yield the parts of links over panels; jumpers are listed as cables."""
    known = {row.id: row for row in (*catalog.rows, *_rows(catalog))}
    for one in cables.passives:
        unit, over = divmod(one.cents or 0, one.quantity)
        sure = price_confidence(known[one.part]) if one.cents is not None and one.part in known else ""
        length = f", {one.stock_mm / 1000:g} m" if one.stock_mm else ""
        category = "cables" if one.category == "jumpers" else one.category
        yield BillLine(
            category, one.part, f"{_WORDS[one.category]}{length}", one.quantity, unit, confidence=sure, over_cents=over,
            stock_mm=one.stock_mm,
        )  # fmt: skip


def passive_rows(catalog: Catalog, cables: CablePlan) -> tuple[Row, ...]:
    """Return the catalog rows behind these lines."""
    used = {one.part for one in cables.passives}
    return tuple(row.origin for row in _rows(catalog) if row.id in used)


def _rows(catalog: Catalog) -> tuple[Row, ...]:
    parts = catalog.bundling
    if parts is None:
        return ()
    return (*parts.trunks, *parts.cassettes, parts.panel, *parts.multicore_fibers, parts.shuffle_box)
