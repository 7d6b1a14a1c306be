"""The bill of materials: quantities, prices, power and mass."""

from __future__ import annotations

from typing import Literal

from planner.core.checking import checked
from planner.design.bill._cables import cable_lines, passive_lines, passive_rows, pieces, transceiver_lines
from planner.design.bill._hardware import cabinet_lines, device_lines, fitting_lines, router_lines, tray_lines
from planner.design.bill._purchase import goods_of, purchase_lines
from planner.design.bill._services import energy_lines, label_lines, labor_lines, laser_lines, pack_lines, spare_lines
from planner.design.bill._terms import Rows, Terms, Trays, dates, terms
from planner.domain.model import Bill, CablePlan, Catalog, Inventory, PanelPlan, Placement, Room
from planner.domain.parts.money import CentsPerKwh, ExchangeRate, Load, Pue, Years

__all__ = ["Rows", "Terms", "bill", "terms"]


@checked()
def bill(
    inventory: Inventory,
    catalog: Catalog,
    placement: Placement,
    cables: CablePlan,
    *,
    room: Room,
    rows: Rows,
    prices: Literal["catalog", "slimfly", "mudigonda-stock", "mudigonda-custom"] = "catalog",
    power: Literal["catalog", "slimfly", "spectralfly"] = "catalog",
    spares: str = "one-per-hundred",
    trays: Trays = "none",
    tray: str = "",
    years: Years = 0.0,
    electricity: str = "us-middle-atlantic-2025",
    cents_per_kwh: CentsPerKwh | None = None,
    pue: Pue | None = None,
    load: Load | None = None,
    hours_s: int | None = None,
    panels: PanelPlan | None = None,
    currency: str = "",
    rates: tuple[ExchangeRate, ...] = (),
) -> Bill:
    """Return the bill of the network; endpoint boxes are not part of it.

    Categories: routers, cabinets, fittings of cabinets, cables (finished ones, fibers, jumpers), trunks, panels,
    transceivers, trays, labels, labor, spares, energy. Power is typical power: routers, and both ends of every cable.

    Parameters
    ----------
    rows
        Function that returns the catalog rows of a kind: `planner.domain.catalog.rows`, with the files of the study.
    prices
        Source of router and cable prices: the catalog, or the cost model of a paper, see
        `planner.design.bill.models`. A model prices only what its paper prices.
    power
        Source of power figures: the catalog, or the power model of a paper.
    spares
        Id of the spares policy, or ``"none"``.
    trays
        Trays on the bill: none, those that carry cables, or all of the room.
    tray
        Id of the catalog tray for prices and widths; without it trays are listed as meters by cross-section, unpriced.
    years
        Years of energy on the bill; 0 for none.
    electricity
        Id of the electricity rates.
    cents_per_kwh
        Price of a kilowatt hour in cents. By default that of the electricity rates.
    pue
        Power usage effectiveness: power of the site over that of its boxes. By default that of the electricity rates.
    load
        Mean power of the boxes over their typical power. By default that of the electricity rates.
    hours_s
        Person-seconds of the whole installation, if known: labor is then billed by the hour if the
        labor rates have an hourly price, else by the cable.
    panels
        Panels of the links that go over some, with their jumpers and trunks; not needed without such links.
    currency
        Currency of the purchase file, next to that of the catalog, which all other documents print. Needs a rate.
    rates
        Exchange rates, each with `currency`, `rate` (its units for one unit of the catalog's currency), `date` and `source`.

    Raises
    ------
    InputError
        With every missing row, and every price in a currency other than the catalog's.
    Infeasible
        When a cost model has no price for the length of a cable.
    ValueError
        When links go over panels and `panels` is missing.
    """
    agreed = terms(
        rows, prices=prices, power=power, spares=spares, trays=trays, tray=tray, years=years, electricity=electricity,
        cents_per_kwh=cents_per_kwh, pue=pue, load=load, hours_s=hours_s, currency=currency, rates=rates,
    )  # fmt: skip
    agreed.agree_on(catalog)
    if panels is None:
        if cables.carried.any():
            raise ValueError("links over panels are billed with the record of the panels")
        panels = PanelPlan.none()
    bought = pieces(inventory, cables)
    known = {row.id: row for row in (*catalog.rows, *inventory.rows)}
    lines = [
        *router_lines(inventory, agreed),
        *device_lines(inventory, agreed),
        *cabinet_lines(inventory, catalog, placement, agreed),
        *fitting_lines(inventory, catalog, room, placement, agreed),
        *cable_lines(known, cables, bought, agreed),
        *(passive_lines(catalog, cables, agreed) if agreed.prices is None else ()),
        *transceiver_lines(known, cables, agreed),
        *tray_lines(room, cables, agreed),
        *label_lines(catalog, cables, bought, agreed),
        *labor_lines(catalog, cables, panels, bought, agreed),
    ]
    lines = [line for line in lines if line.quantity]
    lasers = [*laser_lines(inventory, agreed)]
    lines += [*spare_lines(lines, agreed.spares), *lasers]
    if agreed.prices is None:
        lines += [*pack_lines(lines, goods_of(inventory, catalog, agreed))]
    lines += energy_lines(sum(line.power_mw for line in lines), agreed)
    behind = tuple(agreed.lasers[line.part] for line in lasers)
    oldest, newest, undated = dates(lines, (*known.values(), *behind), agreed)
    return Bill(
        currency=catalog.currency, lines=tuple(lines), prices=prices, power=power, spares=agreed.spares,
        purchase=purchase_lines(lines, inventory, catalog, cables, agreed), exchange=agreed.exchange,
        electricity=agreed.electricity, years=agreed.years, oldest=oldest, newest=newest, undated=undated,
        rows=tuple(row.origin for row in (*agreed.rows, *behind)) + passive_rows(catalog, cables),
    )  # fmt: skip
