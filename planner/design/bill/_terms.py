"""Terms of a bill: price and power model, policies and rates from the catalogs; how sure and how old its prices are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from planner.core.errors import InputError, Problem, suggestion
from planner.design.bill.models import POWER, PRICES, PowerBy, PriceBy, Rows
from planner.domain.model import BillLine, Catalog
from planner.domain.parts import ElectricityRates, ExchangeRate, Goods, LaserModule, PriceSeen, Row, SparesPolicy, TrayPart

Trays = Literal["none", "used", "all"]

_JOINING = ("cable", "breakout", "transceiver", "fiber")


@dataclass(frozen=True)
class Terms:
    """Terms of a bill; None for items not on the bill, and where the catalog applies.

    `rows` are the catalog rows behind it, `lasers` those of laser modules by id, `goods` those of cables, transceivers and
    fibers. `seen` are the price observations. `exchange` is the rate of the purchase file's currency, None for the catalog's.
    """

    prices: PriceBy | None
    power: PowerBy | None
    spares: SparesPolicy | None
    trays: Trays
    tray: TrayPart | None
    years: float
    electricity: ElectricityRates | None
    hours_s: int | None
    rows: tuple[Row, ...]
    lasers: Mapping[str, LaserModule]
    goods: Mapping[str, Goods]
    seen: tuple[PriceSeen, ...]
    exchange: ExchangeRate | None

    def description(self, part: str, otherwise: str) -> str:
        """Return what a cable, transceiver or fiber is by its row, or another text where no file has the row."""
        return self.goods[part].description if part in self.goods else otherwise

    def agree_on(self, catalog: Catalog) -> None:
        """Refuse a mix of currencies.

        Raises
        ------
        InputError
            With every currency that is not the catalog's.
        """
        problems = [*self._foreign(catalog)]
        if problems:
            raise InputError(problems)

    def _foreign(self, catalog: Catalog) -> Iterator[Problem]:
        stated = [("labor", catalog.labor.id, catalog.labor.currency)]
        if self.electricity is not None:
            stated.append(("electricity", self.electricity.id, self.electricity.currency))
        if self.prices is not None:
            stated.append(("prices", self.prices.name, "USD"))
        for key, name, currency in stated:
            if currency != catalog.currency:
                message = f"{name} is in {currency}, the catalog in {catalog.currency}: a bill has one currency"
                yield Problem(key, message, "add a row with converted prices to a file in [catalog] files")


def terms(
    rows: Rows,
    *,
    prices: str,
    power: str,
    spares: str,
    trays: Trays,
    tray: str,
    years: float,
    electricity: str,
    cents_per_kwh: float | None,
    pue: float | None,
    load: float | None,
    hours_s: int | None = None,
    currency: str = "",
    rates: tuple[ExchangeRate, ...] = (),
) -> Terms:
    """Return the terms named by the parameters of `planner.design.bill.bill`; fast enough to check a study before it runs.

    Raises
    ------
    InputError
        With every unknown name, and for a currency without one rate.
    """
    shelf = _Shelf(rows)
    policy = None if spares == "none" else shelf.row("spares", "spares", spares, ("none",))
    energy = shelf.row("electricity", "electricity", electricity) if years > 0 else None
    part = shelf.row("tray", "tray", tray) if tray else None
    priced = shelf.model("prices", prices, PRICES)
    drawn = shelf.model("power", power, POWER)
    if part is not None and not (part.price_cents_per_m and part.height_mm):
        shelf.problems.append(Problem("tray", f"{tray} states no price or no height", "name another, or leave tray out"))
    lasers = {row.id: row for row in rows("laser_module")}
    for router in rows("router"):
        if router.laser_module and router.laser_module not in lasers:
            message = f"router {router.id} names the laser module {router.laser_module!r}, which is in no catalog"
            shelf.problems.append(Problem("spares", message, suggestion(router.laser_module, lasers)))
    exchange = _exchange(currency, rates, shelf.problems)
    if shelf.problems:
        raise InputError(shelf.problems)
    if energy is not None:
        given = {"cents_per_kwh": cents_per_kwh, "pue": pue, "load": load}
        energy = replace(energy, **{key: number for key, number in given.items() if number is not None})
    used = (*(model.rows for model in (priced, drawn) if model), (policy,), (energy,), (part,))
    behind = {row.id: row for group in used for row in group if row is not None}
    goods = {row.id: row for kind in _JOINING for row in rows(kind)}
    return Terms(
        priced,
        drawn,
        policy,
        trays,
        part,
        years,
        energy,
        hours_s,
        tuple(behind.values()),
        lasers,
        goods,
        tuple(rows("price")),
        exchange,
    )


def _exchange(currency: str, rates: tuple[ExchangeRate, ...], problems: list[Problem]) -> ExchangeRate | None:
    """Return the rate of a currency; None for that of the catalog."""
    found = [rate for rate in rates if rate.currency == currency]
    if currency and len(found) != 1:
        what = "no rate" if not found else f"{len(found)} rates"
        remedy = f'write rates = [{{ currency = "{currency}", rate = …, date = "…" }}], or leave currency out'
        problems.append(Problem("currency", f"there is {what} for {currency}", remedy))
    return found[0] if currency and found else None


class _Shelf:
    """Look-up of rows and models by name that collects unknown names."""

    def __init__(self, rows: Rows):
        self.rows = rows
        self.problems: list[Problem] = []

    def row(self, key: str, kind: str, name: str, others: tuple[str, ...] = ()) -> Any:
        known = {row.id: row for row in self.rows(kind)}
        if name not in known:
            remedy = suggestion(name, (*known, *others))
            self.problems.append(Problem(key, f"there is no row {name!r} of kind {kind} in the catalogs", remedy))
        return known.get(name)

    def model(self, key: str, name: str, models: dict[str, Callable[[Rows], Any]]) -> Any:
        if name == "catalog":
            return None
        if name not in models:
            remedy = suggestion(name, ("catalog", *models))
            self.problems.append(Problem(key, f"there is no model {name!r} of {key}", remedy))
            return None
        return models[name](self.rows)


def price_confidence(row: Row) -> str:
    """Return the confidence of the price of a row: D where it is an estimate."""
    return "D" if any("cents" in name for name in row.estimates) else row.confidence


def dates(lines: Iterable[BillLine], known: Iterable[Row], terms: Terms) -> tuple[str, str, int]:
    """Return the oldest and newest date of the rows behind the prices, and the number of rows without a date."""
    by_model = ("routers", "cables", "spares") if terms.prices else ()
    named = {line.part for line in lines if line.cents and line.category not in by_model}
    found = {row.id: row.date for row in (*known, *terms.rows) if row.id in named}
    found |= {row.id: row.date for row in terms.prices.rows} if terms.prices else {}
    stated = sorted(date for date in found.values() if date)
    return stated[0] if stated else "", stated[-1] if stated else "", len(found) - len(stated)
