"""Lines of routers and cabinets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.bill._terms import Terms
from planner.model import BillLine, Catalog, Placement, Topology
from planner.parts import Row


def router_lines(topology: Topology, catalog: Catalog, terms: Terms) -> Iterator[BillLine]:
    """Yield the routers; one line for each number of ports in use where a model depends on it."""
    router = catalog.router
    what = f"{router.family or 'router'}, {router.ports} x {router.rate_gbps} Gb/s"
    confidence = terms.prices.confidence if terms.prices else price_confidence(router)
    if terms.prices is None and terms.power is None:
        groups = [(0, topology.router_count)]
    else:
        ports, count = np.unique(topology.degree + topology.endpoints_of, return_counts=True)
        groups = list(zip(ports.tolist(), count.tolist(), strict=True))
    for ports, count in groups:
        cents = terms.prices.router_cents(ports) if terms.prices else router.price_cents
        power_mw = terms.power.router_mw(ports) if terms.power else router.power_typical_mw
        used = f", {ports} ports in use" if ports else ""
        yield BillLine("routers", router.id, what + used, count, cents, power_mw, router.mass_g, confidence)


def cabinet_lines(catalog: Catalog, placement: Placement, terms: Terms) -> Iterator[BillLine]:
    """Yield the cabinets; cost models do not price them."""
    cabinet = catalog.cabinet
    yield BillLine(
        "cabinets", cabinet.id, f"cabinet, {cabinet.units} units, {cabinet.width_mm} x {cabinet.depth_mm} mm",
        placement.cabinet_count, 0 if terms.prices else cabinet.price_cents, 0, cabinet.mass_g,
        "" if terms.prices else price_confidence(cabinet),
    )  # fmt: skip


def price_confidence(row: Row) -> str:
    """Return the confidence of the price of a row: D where it is an estimate."""
    return "D" if any("cents" in name for name in row.estimates) else row.confidence
