"""Lines of cabinet fittings: power distribution units, cable managers, blanking panels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.bill._routers import price_confidence
from planner.bill._terms import Terms
from planner.model import FIXTURES, BillLine, Catalog, Placement


def fitting_lines(catalog: Catalog, placement: Placement, terms: Terms) -> Iterator[BillLine]:
    """Yield the fittings of the catalog; cost models do not price them."""
    managers = placement.fixture_cabinet[placement.fixture_kind == FIXTURES.index("cable manager")]
    pdus = placement.feeds * placement.pdus_per_feed
    for part, what, quantity in (
        (catalog.pdu, "power distribution unit", placement.cabinet_count * pdus),
        (catalog.manager, "cable manager", len(managers)),
        (catalog.blanking, "blanking panel", _blanking_panels(catalog, placement, managers, pdus)),
    ):
        if part is not None:
            units = f", {part.units} units" if part.units else ", upright"
            yield BillLine(
                "fittings", part.id, what + units, quantity, 0 if terms.prices else part.price_cents, 0, part.mass_g,
                "" if terms.prices else price_confidence(part),
            )  # fmt: skip


def _blanking_panels(catalog: Catalog, placement: Placement, managers: np.ndarray, pdus: int) -> int:
    """Return the number of panels for the free units of every cabinet, reserved units excluded."""
    if catalog.blanking is None:
        return 0
    count = placement.cabinet_count
    boxes = np.unique(np.column_stack([placement.endpoint_cabinet, placement.endpoint_unit]), axis=0)[:, 0]
    used = np.bincount(placement.cabinet_of, minlength=count) * catalog.router.units
    used += np.bincount(boxes, minlength=count) * catalog.endpoint.units
    used += np.bincount(managers, minlength=count) * (catalog.manager.units if catalog.manager else 0)
    used += pdus * (catalog.pdu.units if catalog.pdu else 0)
    free = np.maximum(catalog.cabinet.units - used - sum(placement.reserved_units), 0)
    return int((-(-free // catalog.blanking.units)).sum())
