"""The lines that a bill must have, made out again from parts, placement, cables and work."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from planner.check.basis.boxes import framed, pdus_of_feeds
from planner.check.basis.goods import goods_text
from planner.check.basis.installed import over_panels
from planner.check.basis.paper_models import PaperPower, PaperPrices
from planner.check.basis.rule import Source
from planner.check.bill import blanking_panels, laser_modules
from planner.domain.model import FIXTURES, BillLine, Plan
from planner.domain.parts import CoolingUnit, ElectricityRates, PduPart, PowerShelf, Row, SparesPolicy, TrayPart


class Terms:
    """Bill settings of the study, with the rows that it names."""

    def __init__(self, plan: Plan, source: Source):
        settings = plan.study["bill"]

        def row(kind: str, name: str) -> Any:
            return next(row for row in source.rows(kind) if row.id == name)

        self.lasers = {row.id: row for row in source.rows("laser_module")}
        self.goods = {row.id: row for kind in ("cable", "breakout", "transceiver", "fiber") for row in source.rows(kind)}
        self.settings, self.years = settings, settings["years"]
        self.prices = PaperPrices(settings["prices"], source.rows) if settings["prices"] != "catalog" else None
        self.power = PaperPower(settings["power"], source.rows) if settings["power"] != "catalog" else None
        self.spares: SparesPolicy | None = row("spares", settings["spares"]) if settings["spares"] != "none" else None
        self.tray: TrayPart | None = row("tray", settings["tray"]) if settings["tray"] else None
        self.electricity: ElectricityRates | None = row("electricity", settings["electricity"]) if self.years > 0 else None
        if self.electricity is not None:
            given = {key: settings[key] for key in ("cents_per_kwh", "pue", "load") if settings.get(key) is not None}
            self.electricity = replace(self.electricity, **given)

    @property
    def rows(self) -> list[Row]:
        """The rows behind the terms, each once."""
        found = [*(self.prices.rows if self.prices else ()), *([self.power.row] if self.power else [])]
        found += [row for row in (self.spares, self.electricity, self.tray) if row is not None]
        if self.prices:
            # Models name their cables before their router.
            router, *cables = self.prices.rows
            found[: len(cables) + 1] = [*cables, router]
        return list({row.id: row for row in found}.values())


def lines(plan: Plan, terms: Terms) -> list[BillLine]:
    """Return all lines in order: what is installed, then spares, then energy."""
    made = _Lines(plan, terms)
    installed = [
        *made.routers(), *made.devices(), *made.cabinets(), *made.cables(), *made.passives(), *made.transceivers(),
        *made.trays(), *made.labor(),
    ]  # fmt: skip
    installed = [line for line in installed if line.quantity]
    spares = [*_spares(installed, terms.spares), *made.lasers()]
    if terms.prices is None:
        spares += _rest_of_packs(plan, [*installed, *spares], terms)
    return [*installed, *spares, *_energy(sum(line.power_mw for line in installed), terms)]


def _fitting(part: Any) -> str:
    """Return the text of a device that is neither router nor node; empty for those."""
    words = {PduPart: "power distribution unit", PowerShelf: "power shelf", CoolingUnit: "coolant distribution unit"}
    if type(part) not in words:
        return ""
    if part.freestanding:
        return f"{words[type(part)]}, freestanding"
    return f"{words[type(part)]}, {f'{part.units} units' if part.units else 'upright'}"


def confidence(row: Row) -> str:
    """Return the confidence of a row's price: D where any price in it is an estimate."""
    return "D" if [name for name in row.estimates if "cents" in name] else row.confidence


class _Lines:
    def __init__(self, plan: Plan, terms: Terms):
        self.plan, self.terms, self.catalog, self.plans_cables = plan, terms, plan.catalog, plan.cables
        self.sure = {row.id: confidence(row) for row in (*plan.catalog.rows, *plan.inventory.rows)}
        self.first = plan.cables.first_of_piece.tolist()
        self.texts = {id_: goods_text(row) for id_, row in terms.goods.items()}
        self.texts |= {row.id: goods_text(row) for row in bundling_rows(plan)}

    def routers(self) -> Iterator[BillLine]:
        """Yield the lines of routers, by part; models price and power them by their ports in use."""
        inventory, terms = self.plan.inventory, self.terms
        in_use = Counter(inventory.ends.ravel().tolist() if terms.prices or terms.power else ())
        routers = enumerate(inventory.part[inventory.is_router].tolist())
        used = Counter((part, in_use[device]) for device, part in routers)
        for (number, ports), count in sorted(used.items()):
            router: Any = inventory.parts[number]
            what = f"{router.family or 'router'}, {router.ports} x {router.rate_gbps} Gb/s"
            cents = terms.prices.router_cents(ports) if terms.prices else router.price_cents
            power = terms.power.router_mw(ports) if terms.power else router.power_typical_mw
            sure = max(row.confidence for row in terms.prices.rows) if terms.prices else confidence(router)
            text = what + (f", {ports} ports in use" if ports else "")
            yield BillLine("routers", router.id, text, count, cents, power, router.mass_g, sure)

    def devices(self) -> Iterator[BillLine]:
        """Yield the lines of PDUs, power shelves and cooling units that are devices of their own."""
        for number, part in enumerate(self.plan.inventory.parts):
            if text := _fitting(part):
                line = self._line("fittings", part, text, self.plan.inventory.part.tolist().count(number), part.price_cents)
                yield replace(line, unit_cents=0, confidence="") if self.terms.prices else line

    def lasers(self) -> Iterator[BillLine]:
        """Yield the spare laser modules of routers with optics of their own, by the policy of transceivers."""
        policy = self.terms.spares
        if policy is None:
            return
        for laser, count in laser_modules(self.plan).items():
            quantity = max(math.ceil(count * Fraction(str(policy.transceivers_percent)) / 100), policy.transceivers_min)
            row = self.terms.lasers[laser]
            priced = (row.price_cents, confidence(row)) if self.terms.prices is None else (0, "")
            if quantity:
                yield BillLine("spares", laser, "spare laser module", quantity, priced[0], confidence=priced[1])

    def _line(self, category: str, part: Any, text: str, quantity: int, cents: int, power_mw: int = 0) -> BillLine:
        return BillLine(category, part.id, text, quantity, cents, power_mw, part.mass_g, confidence(part))

    def cabinets(self) -> Iterator[BillLine]:
        """Yield the lines of cabinets and their fittings; cost models of papers do not price them."""
        catalog, placement = self.catalog, self.plan.placement
        cabinet, count = catalog.cabinet, int(framed(self.plan).sum())
        size = f"cabinet, {cabinet.units} units, {cabinet.width_mm} x {cabinet.depth_mm} mm"
        managers = int((placement.fixture_kind == FIXTURES.index("cable manager")).sum())
        fitted = [("cabinets", cabinet, size, count)]
        for part, word, quantity in (
            (catalog.pdu, "power distribution unit", int(pdus_of_feeds(self.plan).sum())),
            (catalog.manager, "cable manager", managers),
            (catalog.blanking, "blanking panel", blanking_panels(self.plan)),
        ):
            if part is not None:
                fitted.append(("fittings", part, f"{word}, {part.units} units" if part.units else f"{word}, upright", quantity))
        for category, part, text, quantity in fitted:
            line = self._line(category, part, text, quantity, part.price_cents)
            yield replace(line, unit_cents=0, confidence="") if self.terms.prices else line

    def cables(self) -> Iterator[BillLine]:
        """Yield the lines of cables and fibers by part and length, summed over the rows of a piece, without transceivers."""
        cables, terms = self.plans_cables, self.terms
        is_link, carried = self.plan.inventory.is_link, cables.carried.tolist()
        cents, power, ports = self._sums()
        sold: dict[tuple, list[int]] = {}
        for piece, row in enumerate(self.first):
            made_of = cables.assemblies[cables.assembly[row]]
            if terms.prices is None and carried[row]:
                continue
            optical, paid = made_of.medium == "optical", cents[piece]
            if terms.prices is not None:
                inside = bool(cables.cabinet[row, 0] == cables.cabinet[row, 1])
                paid, optical = terms.prices.cable(int(cables.run_mm[row]), inside, not is_link[row])
            drawn = ports[piece] * terms.power.port_mw(optical) if terms.power else power[piece]
            stock = int(cables.stock_mm[row])
            kind = (int(cables.assembly[row]), stock, optical, drawn)
            sums = sold.setdefault(kind, [0, 0])
            sums[0] += 1
            sums[1] += paid
        merged: dict[tuple, list[int]] = {}
        for (number, stock, optical, drawn), (count, paid) in sorted(sold.items()):
            made_of = cables.assemblies[number]
            text = f"{self.texts[made_of.length_part]}, {stock / 1000:g} m"
            text += f", priced as {'optical' if optical else 'electric'}" if terms.prices else ""
            sums = merged.setdefault((made_of.length_part, text, stock, drawn, made_of.mass_g_per_m * stock // 1000), [0, 0])
            sums[0] += count
            sums[1] += paid
        for (part, text, stock, drawn, mass), (count, paid) in merged.items():
            sure = max(row.confidence for row in terms.prices.rows) if terms.prices else self.sure[part]
            yield BillLine("cables", part, text, count, paid // count, drawn, mass, sure, paid % count, stock)

    def _sums(self) -> list[list[int]]:
        """Price without transceivers, own power, and router ports of each piece."""
        cables = self.plans_cables
        pieces = len(self.first)
        ends = [made_of.ends for made_of in cables.assemblies]
        module_cents = np.array([[end.price_cents for end in both] for both in ends]).reshape(-1, 2)[cables.assembly]
        plain = np.array([[end.part == "" for end in both] for both in ends]).reshape(-1, 2)[cables.assembly]
        alone = cables.price_cents - (module_cents * cables.modules).sum(axis=1)
        ports = np.where(self.plan.inventory.is_link, 2, np.where(self.plan.inventory.is_direct, 0, 1))
        found = []
        for column in (alone, (cables.power_mw * plain).sum(axis=1), ports):
            total = np.zeros(pieces, np.int64)
            np.add.at(total, cables.piece, column)
            found.append(total.tolist())
        return found

    def passives(self) -> Iterator[BillLine]:
        sure = self.sure | {row.id: confidence(row) for row in bundling_rows(self.plan)}
        for one in self.plans_cables.passives if self.terms.prices is None else ():
            cents, known = one.cents or 0, one.cents is not None
            text = self.texts.get(one.part, one.category.removesuffix("s")) + (
                f", {one.stock_mm / 1000:g} m" if one.stock_mm else ""
            )
            yield BillLine(
                "cables" if one.category == "jumpers" else one.category, one.part, text, one.quantity, cents // one.quantity,
                confidence=sure.get(one.part, "") if known else "", over_cents=cents % one.quantity, stock_mm=one.stock_mm,
            )  # fmt: skip

    def transceivers(self) -> Iterator[BillLine]:
        cables, terms = self.plans_cables, self.terms
        sold: Counter[tuple[str, int, int]] = Counter()
        for number, made_of in enumerate(cables.assemblies):
            bought = cables.modules[cables.assembly == number].sum(axis=0).tolist()
            for end, quantity in zip(made_of.ends, bought, strict=True):
                sold[end.part, end.price_cents, end.power_mw] += quantity
        for (part, cents, power), quantity in sorted(sold.items()):
            if quantity:
                line = BillLine("transceivers", part, self.texts[part], quantity, cents, power, 0, self.sure[part])
                line = replace(line, unit_cents=0, confidence="") if terms.prices else line
                yield replace(line, unit_power_mw=0) if terms.power else line

    def trays(self) -> Iterator[BillLine]:
        room, terms = self.plan.room, self.terms
        if terms.settings["trays"] == "none":
            return
        meters: Counter[int] = Counter()
        for area, length, fill in zip(
            room.segment_mm2.tolist(), room.segment_mm.tolist(), self.plans_cables.fill_um2.tolist(), strict=True
        ):
            if fill or terms.settings["trays"] == "all":
                meters[area] += length
        for area, length in sorted(meters.items()):
            quantity = -(-length // 1000)
            if terms.tray is None:
                text = f"meter of tray, {area / 100:g} cm² inside" if area else "meter of tray, no limit stated"
                yield BillLine("trays", "", text, quantity, 0, confidence="")
                continue
            tray = terms.tray
            fitting = sorted(zip(tray.widths_mm, tray.price_cents_per_m, strict=True))
            width, cents = next(one for one in fitting if one[0] * (tray.height_mm or 0) >= area)
            text = f"meter of tray, {width} x {tray.height_mm} mm"
            price = 0 if terms.prices else cents
            yield BillLine("trays", tray.id, text, quantity, price, 0, tray.mass_g_per_m or 0, confidence(tray))

    def labor(self) -> Iterator[BillLine]:
        rates, cables, terms = self.catalog.labor, self.plans_cables, self.terms
        carried = cables.carried.tolist()
        plugs = sum(1 + cables.assemblies[cables.assembly[row]].tails for row in self.first if not carried[row])
        plugs += sum(2 * one.quantity for one in cables.passives if one.category in ("jumpers", "trunks"))
        known = rates.label_cents is not None and terms.prices is None
        price = (rates.id, rates.label_cents, confidence(rates)) if known else ("", 0, "")
        yield BillLine("labels", price[0], "printed label", plugs, price[1], confidence=price[2])
        if terms.prices is not None and not terms.prices.pays_labor:
            return
        # Cost models have no panels: with them every piece is a cable from end to end.
        whole = [row for row in self.first if self.terms.prices is not None or not carried[row]]
        rows = np.array(whole, np.int64)
        between = cables.cabinet[rows, 0] != cables.cabinet[rows, 1]
        jumpers, trunks = over_panels(self.plan) if self.terms.prices is None else ([], [])
        length = int(cables.run_mm[rows][between].sum(dtype=np.int64))
        length += sum(run for run, at_home in jumpers if not at_home) + sum(run for run, _ in trunks)
        at_home = sum(1 for _, at_home in jumpers if at_home)
        paid = [
            ("cable inside a cabinet", int((~between).sum()), rates.in_cabinet_cents),
            ("cable between cabinets", int(between.sum()), rates.between_cabinets_cents),
            ("jumper to a panel of its cabinet", at_home, rates.in_cabinet_cents),
            ("jumper to a panel elsewhere", len(jumpers) - at_home, rates.between_cabinets_cents),
            ("plug of a trunk, both ends", sum(plugs for _, plugs in trunks), rates.between_cabinets_cents),
        ]
        if rates.pull_cents_per_m:
            paid.append(("meter pulled over trays", -(-length // 1000), rates.pull_cents_per_m))
        if self.plan.work is not None and rates.hour_cents is not None:
            paid = [("person-hour", -(-int(self.plan.work.person_s.sum()) // 3600), rates.hour_cents)]
        for text, quantity, cents in paid:
            yield BillLine("labor", rates.id, text, quantity, cents, confidence=confidence(rates))


def bundling_rows(plan: Plan) -> list[Row]:
    """Return the rows of trunks, panels and boxes that the plan may choose from."""
    parts = plan.catalog.bundling
    if parts is None:
        return []
    return [*parts.trunks, *parts.cassettes, parts.panel, *parts.multicore_fibers, *parts.fan_outs, parts.shuffle_box]


def _spares(installed: list[BillLine], policy: SparesPolicy | None) -> Iterator[BillLine]:
    groups: dict[tuple[str, str, int], list[BillLine]] = defaultdict(list)
    for line in installed if policy is not None else ():
        groups[line.category, line.part, line.stock_mm].append(line)
    for (category, part, stock), group in groups.items():
        percent = Fraction(str(getattr(policy, f"{category}_percent", 0)))
        quantity = max(math.ceil(sum(line.quantity for line in group) * percent / 100), getattr(policy, f"{category}_min", 0))
        if quantity:
            model = max(group, key=lambda line: line.unit_cents)
            text = f"spare {model.description}"
            yield BillLine("spares", part, text, quantity, model.unit_cents, confidence=model.confidence, stock_mm=stock)


def _rest_of_packs(plan: Plan, bought: list[BillLine], terms: Terms) -> list[BillLine]:
    """Return what whole packs hold beyond the pieces of a part and length that are needed."""
    rows = (*plan.inventory.parts, *bundling_rows(plan), *terms.goods.values(), *terms.lasers.values(), plan.catalog.cabinet)
    rows += (plan.catalog.pdu, plan.catalog.manager, plan.catalog.blanking)
    size = {row.id: row.pieces_per_item for row in rows if row is not None}
    pieces: Counter[tuple[str, int]] = Counter()
    for line in bought:
        pieces[line.part, line.stock_mm] += line.quantity
    found = []
    for (part, stock), count in pieces.items():
        if over := count % size.get(part, 1):
            own = [line for line in bought if (line.part, line.stock_mm) == (part, stock)]
            model, rest = max(own, key=lambda line: line.unit_cents), size[part] - over
            text = f"rest of packs of {size[part]}: {own[0].description}"
            line = BillLine("packs", part, text, rest, model.unit_cents, confidence=model.confidence, stock_mm=stock)
            found.append(line)
    return found


def _energy(power_mw: int, terms: Terms) -> Iterator[BillLine]:
    rates = terms.electricity
    if rates is None:
        return
    watts = Fraction(power_mw, 1000) * Fraction(str(rates.pue)) * Fraction(str(rates.load))
    kwh = math.ceil(watts * 24 * 365 * Fraction(str(terms.years)) / 1000)
    if kwh:
        cents = math.ceil(kwh * Fraction(str(rates.cents_per_kwh)))
        text = f"kWh in {terms.years:g} years, {rates.cents_per_kwh:g} cents each, PUE {rates.pue:g}, load {rates.load:g}"
        yield BillLine("energy", rates.id, text, kwh, cents // kwh, confidence=rates.confidence, over_cents=cents % kwh)
