"""Lines of spares, by policy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from planner.model import BillLine
from planner.parts import SparesPolicy


def spare_lines(lines: Iterable[BillLine], policy: SparesPolicy | None) -> Iterator[BillLine]:
    """Yield the spares for each part and stock length; they draw no power and are not in the mass.

    Where lines of one part differ in price, a spare has the highest of these prices.
    """
    if policy is None:
        return
    same: dict[tuple[str, str, int], list[BillLine]] = defaultdict(list)
    for line in lines:
        same[line.category, line.part, line.stock_mm].append(line)
    for (category, part, stock_mm), group in same.items():
        quantity = policy.quantity(category, sum(line.quantity for line in group))
        if quantity:
            priciest = max(group, key=lambda line: line.unit_cents)
            yield BillLine(
                "spares", part, f"spare {priciest.description}", quantity, priciest.unit_cents, confidence=priciest.confidence,
                stock_mm=stock_mm,
            )  # fmt: skip
