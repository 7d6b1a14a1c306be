"""Lines of cables as bought, pulled and labeled: cables, transceivers, jumpers, trunks, panels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from planner.design.bill._terms import Terms, price_confidence
from planner.domain.model import BillLine, CablePlan, Catalog, Inventory
from planner.domain.parts import Goods, Row


@dataclass(frozen=True)
class Pieces:
    """The pieces of a cable plan, in order of their first rows.

    Attributes
    ----------
    row
        First row of each piece in the cable plan, int64 (N,).
    plugs
        Plugs of each piece, int64 (N,): 2, and more for a splitter.
    router_ports
        Router ports in use: 2 for each link, 1 for each endpoint; int64 (N,).
    server
        Whether it ends at endpoints, bool (N,).
    cents
        Price without transceivers, int64 (N,).
    power_mw
        Power of its own plugs, without transceivers, int64 (N,).
    """

    row: np.ndarray
    plugs: np.ndarray
    router_ports: np.ndarray
    server: np.ndarray
    cents: np.ndarray
    power_mw: np.ndarray

    def __len__(self) -> int:
        return len(self.row)


def pieces(inventory: Inventory, cables: CablePlan) -> Pieces:
    """Return the pieces of a plan, with the sums over their rows."""
    row = cables.first_of_piece
    link = inventory.is_link
    ends = [made_of.ends for made_of in cables.assemblies]
    module_cents = np.array([[end.price_cents for end in pair] for pair in ends], np.int64).reshape(-1, 2)[cables.assembly]
    has_module = np.array([[end.part != "" for end in pair] for pair in ends], bool).reshape(-1, 2)[cables.assembly]

    def summed(of_rows: np.ndarray) -> np.ndarray:
        total = np.zeros(len(row), np.int64)
        np.add.at(total, cables.piece, of_rows)
        return total

    return Pieces(
        row=row,
        plugs=1 + cables.of_assembly("tails")[row],
        router_ports=summed(2 * link + inventory.is_endpoint),
        server=~link[row],
        cents=summed(cables.price_cents - (cables.modules * module_cents).sum(axis=1)),
        power_mw=summed(np.where(has_module, 0, cables.power_mw).sum(axis=1)),
    )


@dataclass(frozen=True)
class _Ware:
    """The item of one line."""

    part: str
    description: str
    stock_mm: int
    power_mw: int
    mass_g: int


def cable_lines(known: Mapping[str, Row], cables: CablePlan, bought: Pieces, terms: Terms) -> Iterator[BillLine]:
    """Yield cables and fibers by part and stock length; `known` are the catalog rows in use by id.

    Raises
    ------
    Infeasible
        When the cost model has no cable of a length.
    """
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
        otherwise = "fiber" if made_of.end_part else made_of.kind
        what = f"{terms.description(made_of.length_part, otherwise)}, {stock_mm / 1000:g} m"
        priced_as = f", priced as {'optical' if fiber else 'electric'}" if terms.prices else ""
        # The same fiber may serve several assemblies; buyers want one line.
        sold[_Ware(made_of.length_part, what + priced_as, stock_mm, power_mw, made_of.mass_g_per_m * stock_mm // 1000)] += both
    for ware, (quantity, sum_cents) in sold.items():
        unit, over = divmod(int(sum_cents), int(quantity))
        sure = terms.prices.confidence if terms.prices else price_confidence(known[ware.part])
        yield BillLine(
            "cables", ware.part, ware.description, int(quantity), unit, ware.power_mw, ware.mass_g, sure, over, ware.stock_mm
        )


def transceiver_lines(known: Mapping[str, Row], cables: CablePlan, terms: Terms) -> Iterator[BillLine]:
    """Yield transceivers by part; cost models include them in the cable, power models in the port."""
    sold: Counter[tuple[str, int, int]] = Counter()
    for number, made_of in enumerate(cables.assemblies):
        of_kind = cables.modules[cables.assembly == number].sum(axis=0).tolist()
        for end, quantity in zip(made_of.ends, of_kind, strict=True):
            sold[end.part, end.price_cents, end.power_mw] += quantity
    for (part, cents, power_mw), quantity in sorted(sold.items()):
        if quantity:
            yield BillLine(
                "transceivers", part, terms.description(part, "transceiver"), quantity, 0 if terms.prices else cents,
                0 if terms.power else power_mw, 0, "" if terms.prices else price_confidence(known[part]),
            )  # fmt: skip


def _priced(cables: CablePlan, bought: Pieces, terms: Terms) -> tuple[np.ndarray, np.ndarray]:
    """Return the price of each piece without its transceivers, int64 (N,), and whether it counts as optical, bool (N,)."""
    row = bought.row
    if terms.prices is None:
        return bought.cents, cables.of_assembly("medium")[row] == "optical"
    inside = cables.cabinet[row, 0] == cables.cabinet[row, 1]
    return terms.prices.cable_cents(cables.run_mm[row], inside, bought.server)


def passive_lines(catalog: Catalog, cables: CablePlan, terms: Terms) -> Iterator[BillLine]:
    """Yield the parts of links over panels, by catalog prices; jumpers are listed as cables."""
    own = {row.id: row.description for row in passive_goods(catalog)}
    known = {row.id: row for row in (*catalog.rows, *passive_goods(catalog))}
    for one in cables.passives:
        unit, over = divmod(one.cents or 0, one.quantity)
        sure = price_confidence(known[one.part]) if one.cents is not None and one.part in known else ""
        length = f", {one.stock_mm / 1000:g} m" if one.stock_mm else ""
        category = "cables" if one.category == "jumpers" else one.category
        what = own.get(one.part) or terms.description(one.part, one.category.removesuffix("s"))
        yield BillLine(
            category, one.part, f"{what}{length}", one.quantity, unit, confidence=sure, over_cents=over,
            stock_mm=one.stock_mm,
        )  # fmt: skip


def passive_rows(catalog: Catalog, cables: CablePlan) -> tuple[Row, ...]:
    """Return the catalog rows behind these lines."""
    used = {one.part for one in cables.passives}
    return tuple(row.origin for row in passive_goods(catalog) if row.id in used)


def passive_goods(catalog: Catalog) -> tuple[Goods, ...]:
    """Return the parts for bundling."""
    parts = catalog.bundling
    if parts is None:
        return ()
    return (*parts.trunks, *parts.cassettes, parts.panel, *parts.multicore_fibers, *parts.fan_outs, parts.shuffle_box)
