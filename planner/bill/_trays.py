"""Lines of trays: meters by width."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.bill._routers import price_confidence
from planner.bill._terms import Terms
from planner.errors import Infeasible
from planner.model import BillLine, CablePlan, Room
from planner.parts import TrayPart


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
    for width_mm, cents in sorted(zip(tray.widths_mm, tray.price_cents_per_m, strict=True)):
        if width_mm * tray.height_mm >= area_mm2:
            return width_mm, cents, tray.mass_g_per_m or 0
    raise Infeasible(
        f"a tray of the room has {area_mm2} mm² inside, the widest {tray.id} {max(tray.widths_mm) * tray.height_mm} mm²; "
        "name another tray in [bill], or add a catalog row"
    )
