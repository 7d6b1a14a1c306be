"""Lines of hardware in the room: routers, cabinets and their fittings, trays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.core.errors import Infeasible
from planner.design.bill._terms import Terms, price_confidence
from planner.domain.model import FIXTURES, BillLine, CablePlan, Catalog, Inventory, Placement, Room
from planner.domain.parts import FacilityPart, TrayPart


def router_lines(inventory: Inventory, terms: Terms) -> Iterator[BillLine]:
    """Yield the routers by part; one line for each number of ports in use where a model depends on it."""
    routers = inventory.router_count
    ports = np.bincount(inventory.ends.ravel(), minlength=routers)[:routers]
    if terms.prices is None and terms.power is None:
        ports = np.zeros_like(ports)
    kinds, counts = np.unique(np.column_stack([inventory.part[:routers], ports]), axis=0, return_counts=True)
    for (part, ports), count in zip(kinds.tolist(), counts.tolist(), strict=True):
        router = inventory.parts[part]
        confidence = terms.prices.confidence if terms.prices else price_confidence(router)
        cents = terms.prices.router_cents(ports) if terms.prices else router.price_cents
        power_mw = terms.power.router_mw(ports) if terms.power else router.power_typical_mw
        used = f", {ports} ports in use" if ports else ""
        yield BillLine("routers", router.id, router.description + used, count, cents, power_mw, router.mass_g, confidence)


def device_lines(inventory: Inventory, terms: Terms) -> Iterator[BillLine]:
    """Yield the devices with a price that are neither routers nor nodes, such as PDUs; cost models do not price them."""
    for number, part in enumerate(inventory.parts):
        if isinstance(part, FacilityPart):
            yield BillLine(
                "fittings", part.id, part.description,
                int((inventory.part == number).sum()),
                0 if terms.prices else part.price_cents, 0, part.mass_g, "" if terms.prices else price_confidence(part),
            )  # fmt: skip


def cabinet_lines(inventory: Inventory, catalog: Catalog, placement: Placement, terms: Terms) -> Iterator[BillLine]:
    """Yield the cabinets; cost models do not price them."""
    cabinet = catalog.cabinet
    yield BillLine(
        "cabinets", cabinet.id, cabinet.description, int(placement.framed(inventory).sum()),
        0 if terms.prices else cabinet.price_cents, 0, cabinet.mass_g,
        "" if terms.prices else price_confidence(cabinet),
    )  # fmt: skip


def fitting_lines(inventory: Inventory, catalog: Catalog, room: Room, placement: Placement, terms: Terms) -> Iterator[BillLine]:
    """Yield the fittings of the catalog; cost models do not price them."""
    managers = placement.fixture_cabinet[placement.fixture_kind == FIXTURES.index("cable manager")]
    pdus = placement.feeds * placement.pdus_per_feed
    for part, quantity in (
        (catalog.pdu, int(placement.fitted_pdus(inventory, catalog).sum())),
        (catalog.manager, len(managers)),
        (catalog.blanking, _blanking_panels(inventory, catalog, room, placement, managers, pdus)),
    ):
        if part is not None:
            yield BillLine(
                "fittings", part.id, part.description, quantity, 0 if terms.prices else part.price_cents, 0, part.mass_g,
                "" if terms.prices else price_confidence(part),
            )  # fmt: skip


def _blanking_panels(
    inventory: Inventory, catalog: Catalog, room: Room, placement: Placement, managers: np.ndarray, pdus: int
) -> int:
    """Return the number of panels for the free units of every cabinet, reserved units and those in use excluded."""
    if catalog.blanking is None:
        return 0
    count = placement.cabinet_count
    used = placement.by_cabinet(inventory.of_part("units"))
    used += np.bincount(managers, minlength=count) * (catalog.manager.units if catalog.manager else 0)
    used += pdus * (catalog.pdu.units if catalog.pdu else 0)
    used += room.existing.units_between(placement.slot_of, *placement.usable_units(catalog.cabinet.units))
    free = np.maximum(catalog.cabinet.units - used - sum(placement.reserved_units), 0)
    return int((-(-free // catalog.blanking.units)).sum())


def tray_lines(room: Room, cables: CablePlan, terms: Terms) -> Iterator[BillLine]:
    """Yield the trays that carry cables, or all, according to the terms.

    Raises
    ------
    Infeasible
        When a segment needs more cross-section than the widest tray has.
    """
    if terms.trays == "none":
        return
    wanted = cables.fill_um2 > 0 if terms.trays == "used" else np.ones(len(room.segments), bool)
    for area_mm2 in np.unique(room.segment_mm2[wanted]).tolist():
        length_mm = int(room.segment_mm[wanted & (room.segment_mm2 == area_mm2)].astype(np.int64).sum())
        meters = -(-length_mm // 1000)
        if terms.tray is None:
            what = f"meter of tray, {area_mm2 / 100:g} cm² inside" if area_mm2 else "meter of tray, no limit stated"
            yield BillLine("trays", "", what, meters, 0, confidence="")
        else:
            width_mm, cents, mass_g = _narrowest(terms.tray, area_mm2)
            what = f"meter of tray, {width_mm} x {terms.tray.height_mm} mm"
            price = 0 if terms.prices else cents
            yield BillLine("trays", terms.tray.id, what, meters, price, 0, mass_g, price_confidence(terms.tray))


def _narrowest(tray: TrayPart, area_mm2: int) -> tuple[int, int, int]:
    """Return width, price and mass of a meter of the narrowest tray with this cross-section."""
    height_mm = tray.height_mm or 0
    for width_mm, cents in sorted(zip(tray.widths_mm, tray.price_cents_per_m, strict=True)):
        if width_mm * height_mm >= area_mm2:
            return width_mm, cents, tray.mass_g_per_m or 0
    raise Infeasible(
        f"a tray of the room has {area_mm2} mm² inside, the widest {tray.id} {max(tray.widths_mm) * height_mm} mm²; "
        "name another tray in [bill], or add a catalog row"
    )
