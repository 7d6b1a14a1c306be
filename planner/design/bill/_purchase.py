"""The bill by orderable part: one line for each part and length, with spares, maker's numbers and the source of the price."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

from planner.design.bill._cables import passive_goods
from planner.design.bill._terms import Terms
from planner.domain.model import BillLine, CablePlan, Catalog, Inventory, PurchaseLine
from planner.domain.parts import Goods, Row

_SECTIONS = {"labor": "services", "energy": "energy"}
"""Sections of categories that are not parts."""

_BY_PART = ("routers", "cabinets", "fittings", "cables", "transceivers", "trunks", "panels", "spares", "packs")
"""Categories whose lines are parts of the catalog; those of one part and length are bought together."""

_Key = tuple[str, int, str]


def purchase_lines(
    lines: Iterable[BillLine], inventory: Inventory, catalog: Catalog, cables: CablePlan, terms: Terms
) -> tuple[PurchaseLine, ...]:
    """Return the lines of a bill by orderable part, in the order of the bill."""
    groups: dict[_Key, list[BillLine]] = defaultdict(list)
    for line in lines:
        groups[(line.part, line.stock_mm, "") if line.category in _BY_PART else ("", 0, line.description)].append(line)
    basis = _Basis(inventory, catalog, terms)
    by_network = _by_network(inventory, cables, terms.prices is None)
    none = np.zeros(len(inventory.network_names), np.int64)
    return tuple(basis.line(group, by_network.get(key[:2], none)) for key, group in groups.items())


def goods_of(inventory: Inventory, catalog: Catalog, terms: Terms) -> Mapping[str, Goods]:
    """Return the catalog row of every part that may be bought."""
    fitted = (catalog.cabinet, catalog.pdu, catalog.manager, catalog.blanking)
    rows = (*inventory.parts, *(row for row in fitted if row), *passive_goods(catalog), *terms.lasers.values())
    return {**terms.goods, **{row.id: row for row in rows}}


class _Basis:
    """Catalog rows behind the lines."""

    def __init__(self, inventory: Inventory, catalog: Catalog, terms: Terms):
        self._goods = goods_of(inventory, catalog, terms)
        paid = (catalog.labor, terms.electricity, terms.tray)
        self._rows: Mapping[str, Row] = {**{row.id: row for row in paid if row}, **self._goods}
        self._terms, self._currency = terms, catalog.currency

    def line(self, group: list[BillLine], networks: np.ndarray) -> PurchaseLine:
        """Return the line of one part, length or service."""
        installed = [line for line in group if line.category not in ("spares", "packs")]
        first = (installed or group)[0]
        quantity = sum(line.quantity for line in installed)
        cents, spares = sum(line.cents for line in group), sum(line.quantity for line in group) - quantity
        alike = {line.unit_cents for line in group if not line.over_cents} == {first.unit_cents}
        unit = first.unit_cents if alike or len(group) == 1 else cents // (quantity + spares)
        row = self._goods.get(first.part)
        source, date = self._source(first, unit)
        number, family = (row.number_at(first.stock_mm), row.part_number) if row else ("", "")
        return PurchaseLine(
            section=_SECTIONS.get(first.category, "parts"),
            category=first.category,
            part=first.part,
            maker=row.maker if row else "",
            part_number=number,
            family=family if family != number else "",
            description=first.description,
            stock_mm=first.stock_mm,
            quantity=quantity,
            spares=spares,
            pieces_per_item=row.pieces_per_item if row else 1,
            unit_cents=unit,
            cents=cents,
            source=source,
            date=date,
            confidence=first.confidence,
            lead_days=row.lead_days if row else None,
            together=row.together if row else "",
            networks=tuple(networks.tolist()),
        )

    def _source(self, line: BillLine, cents: int) -> tuple[str, str]:
        """Return source and date of a price: an observation of this price, or the basis in its row."""
        if not line.confidence:
            return "", ""
        if self._terms.prices is not None and line.category in ("routers", "cables"):
            return self._terms.prices.name, max(row.date for row in self._terms.prices.rows)
        for seen in self._terms.seen:
            if seen.derived:
                continue
            observed = set(zip(seen.length_mm or (0,), seen.cents, strict=False))
            if (seen.part, seen.currency) == (line.part, self._currency) and (line.stock_mm, cents) in observed:
                return f"{seen.vendor}: {seen.source}" if seen.vendor else seen.source, seen.date
        row = self._rows.get(line.part)
        return (row.price_basis, row.date) if row else ("", "")


def _by_network(inventory: Inventory, cables: CablePlan, by_catalog: bool) -> dict[tuple[str, int], np.ndarray]:
    """Return the pieces of each part and length that each network installs: routers, cables, transceivers; int64 (N,)."""
    count = len(inventory.network_names)
    found: dict[tuple[str, int], np.ndarray] = defaultdict(lambda: np.zeros(count, np.int64))
    network = np.repeat(np.arange(count), np.diff(inventory.first_link))
    for number in range(count):
        for part, quantity in enumerate(np.bincount(inventory.part[inventory.routers(number)]).tolist()):
            if quantity:
                found[inventory.parts[part].id, 0][number] += quantity
    first = cables.first_of_piece
    own = first[~cables.carried[first]] if by_catalog else first
    rows = np.column_stack([cables.assembly[own], cables.stock_mm[own], network[own]])
    for (assembly, stock, number), quantity in zip(
        *map(np.ndarray.tolist, np.unique(rows, axis=0, return_counts=True)), strict=True
    ):
        found[cables.assemblies[assembly].length_part, stock][number] += quantity
    for assembly, made_of in enumerate(cables.assemblies):
        for number in range(count):
            bought = cables.modules[(cables.assembly == assembly) & (network == number)].sum(axis=0).tolist()
            for end, quantity in zip(made_of.ends, bought, strict=True):
                if quantity:
                    found[end.part, 0][number] += quantity
    return found
