"""Lines of cables and transceivers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from planner.bill._pieces import Pieces
from planner.bill._routers import price_confidence
from planner.bill._terms import Terms
from planner.model import BillLine, CablePlan, Catalog


@dataclass(frozen=True)
class _Ware:
    """The item of one line."""

    part: str
    description: str
    stock_mm: int
    power_mw: int
    mass_g: int


def cable_lines(catalog: Catalog, cables: CablePlan, bought: Pieces, terms: Terms) -> Iterator[BillLine]:
    """Yield cables and fibers by part and stock length.

    Raises
    ------
    Infeasible
        When the cost model has no cable of a length.
    """
    confidence = {row.id: price_confidence(row) for row in catalog.rows}
    cents, optical = _priced(cables, bought, terms)
    power = bought.power_mw
    if terms.power is not None:
        power = bought.router_ports * np.where(optical, terms.power.port_mw(True), terms.power.port_mw(False))
    # Cost models distinguish copper and fiber at the same part and length.
    keys = np.column_stack([cables.assembly[bought.row], cables.stock_mm[bought.row], optical, power])
    # The catalog has jumpers for links over panels; cost models have only cables from end to end.
    whole = ~cables.carried[bought.row] if terms.prices is None else np.ones(len(keys), bool)
    kinds, kind, count = np.unique(keys[whole], axis=0, return_inverse=True, return_counts=True)
    total = np.zeros(len(kinds), np.int64)
    np.add.at(total, kind.ravel(), cents[whole])
    sold: dict[_Ware, np.ndarray] = defaultdict(lambda: np.zeros(2, np.int64))
    for (number, stock_mm, fiber, power_mw), both in zip(kinds.tolist(), np.column_stack([count, total]), strict=True):
        made_of = cables.assemblies[number]
        what = f"{'fiber' if made_of.end_part else made_of.kind}, {stock_mm / 1000:g} m"
        priced_as = f", priced as {'optical' if fiber else 'electric'}" if terms.prices else ""
        # The same fiber may serve several assemblies; buyers want one line.
        sold[_Ware(made_of.length_part, what + priced_as, stock_mm, power_mw, made_of.mass_g_per_m * stock_mm // 1000)] += both
    for ware, (quantity, sum_cents) in sold.items():
        unit, over = divmod(int(sum_cents), int(quantity))
        sure = terms.prices.confidence if terms.prices else confidence[ware.part]
        yield BillLine(
            "cables", ware.part, ware.description, int(quantity), unit, ware.power_mw, ware.mass_g, sure, over, ware.stock_mm
        )


def transceiver_lines(catalog: Catalog, cables: CablePlan, terms: Terms) -> Iterator[BillLine]:
    """Yield transceivers by part; cost models include them in the cable, power models in the port."""
    confidence = {row.id: price_confidence(row) for row in catalog.rows}
    sold: Counter[tuple[str, int, int, int]] = Counter()
    for number, made_of in enumerate(cables.assemblies):
        of_kind = cables.modules[cables.assembly == number].sum(axis=0).tolist()
        for end, quantity in zip(made_of.ends, of_kind, strict=True):
            sold[end.part, made_of.rate_gbps, end.price_cents, end.power_mw] += quantity
    for (part, rate, cents, power_mw), quantity in sorted(sold.items()):
        if quantity:
            yield BillLine(
                "transceivers", part, f"transceiver, {rate} Gb/s", quantity, 0 if terms.prices else cents,
                0 if terms.power else power_mw, 0, "" if terms.prices else confidence[part],
            )  # fmt: skip


def _priced(cables: CablePlan, bought: Pieces, terms: Terms) -> tuple[np.ndarray, np.ndarray]:
    """Return the price of each piece without its transceivers, int64 (N,), and whether it counts as optical, bool (N,)."""
    row = bought.row
    if terms.prices is None:
        return bought.cents, cables.of_assembly("medium")[row] == "optical"
    inside = cables.cabinet[row, 0] == cables.cabinet[row, 1]
    return terms.prices.cable_cents(cables.run_mm[row], inside, bought.server)
