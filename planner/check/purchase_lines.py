"""Rule of the purchase file: the bill by orderable part, counted again from the plan and the catalog files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

from planner.check.basis.bill_lines import Terms, bundling_rows, lines
from planner.check.basis.goods import together
from planner.check.basis.places import unlike
from planner.check.basis.rule import Source, rule
from planner.core.record import plain
from planner.domain.model import BillLine, Plan, Violation

_RULE = "purchase_is_the_bill_by_part"


@rule(45, source=True)
def purchase_is_the_bill_by_part(plan: Plan, source: Source) -> Iterator[Violation]:
    """The purchase has the pieces and prices of the bill by part and length, with numbers, sources and dates of the catalog."""
    if plan.bill is None:
        return
    terms = Terms(plan, source)
    found = _Catalog(plan, terms, source)
    groups: dict[tuple[str, ...], list[BillLine]] = {}
    for line in lines(plan, terms):
        loose = line.category in ("labor", "energy", "labels", "trays")
        key = ("", line.description) if loose else (line.part, str(line.stock_mm))
        groups.setdefault(key, []).append(line)
    wanted = [found.expected(group) for group in groups.values()]
    for number, (have, want) in enumerate(zip_longest(map(asdict, plan.bill.purchase), wanted), 1):
        if have is None or want is None:
            one, two = (line and line["description"] for line in (have, want))
            yield from unlike(_RULE, f"purchase line {number}", one, two, "is not a part of the plan")
            continue
        for column, right in want.items():
            where = f"purchase line {number} ({have['description']}): {column}"
            yield from unlike(_RULE, where, have[column], right, "is not the plan's")
    settings = plan.study["bill"]
    rate = next((rate for rate in settings.get("rates") or () if plain(rate)["currency"] == settings.get("currency")), None)
    exchange = plain(plan.bill.exchange)
    yield from unlike(_RULE, "bill.exchange", exchange, plain(rate), "is not the rate of the study's currency")
    billed = plan.bill.cents()
    bought = sum(line.cents for line in plan.bill.purchase)
    yield from unlike(_RULE, "total of the purchase", bought, billed, "is not that of the bill")


class _Catalog:
    """Catalog rows of what a plan buys, and its pieces by network."""

    def __init__(self, plan: Plan, terms: Terms, source: Source):
        catalog = plan.catalog
        self.terms, self.currency = terms, catalog.currency
        own = [row for row in (catalog.cabinet, catalog.pdu, catalog.manager, catalog.blanking) if row is not None]
        goods = [*terms.goods.values(), *plan.inventory.parts, *own, *bundling_rows(plan), *terms.lasers.values()]
        self.goods: dict[str, Any] = {row.id: row for row in goods}
        services = [row for row in (catalog.labor, terms.electricity, terms.tray) if row is not None]
        self.rows: dict[str, Any] = {row.id: row for row in services} | self.goods
        self.seen = [row for row in source.rows("price") if not row.derived]
        self.networks, self.pieces = len(plan.inventory.network_names), _pieces_of_networks(plan, terms.prices is None)

    def expected(self, group: list[BillLine]) -> dict[str, Any]:
        """Return the fields of the line of a group of bill lines."""
        main = next((line for line in group if line.category not in ("spares", "packs")), group[0])
        spares = sum(line.quantity for line in group if line.category in ("spares", "packs"))
        total, cents = sum(line.quantity for line in group), sum(line.cents for line in group)
        mixed = any(line.over_cents or line.unit_cents != main.unit_cents for line in group)
        unit = cents // total if mixed and len(group) > 1 else main.unit_cents
        loose = main.category in ("labor", "energy", "labels", "trays")
        row, stock = None if loose else self.goods.get(main.part), main.stock_mm
        numbers = {mm: "" for mm in getattr(row, "stock_mm", ())}
        numbers.update(zip(numbers, getattr(row, "part_numbers", ()), strict=False))
        family = row.part_number if row is not None else ""
        own = numbers.get(stock, "") if numbers else family
        origin, date = self._origin(main, unit)
        return {
            "section": {"labor": "services", "energy": "energy"}.get(main.category, "parts"),
            "category": main.category,
            "part": main.part,
            "maker": row.maker if row else "",
            "part_number": own,
            "family": "" if own == family else family,
            "description": main.description,
            "stock_mm": stock,
            "quantity": total - spares,
            "spares": spares,
            "pieces_per_item": row.pieces_per_item if row else 1,
            "unit_cents": unit,
            "cents": cents,
            "source": origin,
            "date": date,
            "confidence": main.confidence,
            "lead_days": row.lead_days if row else None,
            "together": together(row),
            "networks": tuple(0 if loose else self.pieces[main.part, stock, network] for network in range(self.networks)),
        }

    def _origin(self, line: BillLine, cents: int) -> tuple[str, str]:
        row = self.rows.get(line.part)
        if self.terms.prices and line.category in ("routers", "cables"):
            return self.terms.settings["prices"], max(row.date for row in self.terms.prices.rows)
        if not line.confidence:
            return "", ""
        for seen in self.seen:
            alike = seen.part == line.part and seen.currency == self.currency
            if alike and (line.stock_mm, cents) in zip(seen.length_mm or [0], seen.cents, strict=False):
                return ": ".join(filter(None, (seen.vendor, seen.source))), seen.date
        return (row.price_basis, row.date) if row is not None else ("", "")


def _pieces_of_networks(plan: Plan, by_catalog: bool) -> Counter[tuple[str, int, int]]:
    """Return the installed pieces by part, stock length and network."""
    inventory, cables = plan.inventory, plan.cables
    found: Counter[tuple[str, int, int]] = Counter()
    carried, seen = cables.carried.tolist(), set()
    modules, assembly = cables.modules.tolist(), cables.assembly.tolist()
    pieces, stock = cables.piece.tolist(), cables.stock_mm.tolist()
    ends = [made_of.ends for made_of in cables.assemblies]
    for network in range(len(inventory.network_names)):
        for device in range(*inventory.first_router[network : network + 2].tolist()):
            found[inventory.parts[inventory.part[device]].id, 0, network] += 1
        for row in range(*inventory.first_link[network : network + 2].tolist()):
            for end, quantity in zip(ends[assembly[row]], modules[row], strict=True):
                found[end.part, 0, network] += quantity
            if pieces[row] not in seen and not (by_catalog and carried[row]):
                found[cables.assemblies[assembly[row]].length_part, stock[row], network] += 1
            seen.add(pieces[row])
    return found
