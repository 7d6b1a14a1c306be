"""Consistent parts and routes: parts decide which trays cables fit, and routes decide which parts cover them.

1. Parts are chosen for the shortest routes, and all cables are routed under the fill limits. Where a cable became
   longer than its part covers, a part for that length is chosen, which may be thinner or of another medium, and all cables
   are rerouted. The length that decides the part never shrinks and is bounded by the trays, so the iteration ends.
2. The routes are then final, and many are shorter than the lengths that decided the parts. Every part is chosen again
   for its final run, in the shortest length that covers it. A different part is accepted only where the trays on the route have
   room for it, the largest savings first; each is accepted at most once, so this ends, too.

Links over panels and trunks are bought for the shortest routes, and are routed there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from planner.core.progress import Progress
from planner.design.cabling.bundling import Bundles
from planner.design.cabling.carried import Carriers
from planner.design.cabling.kept import Installed
from planner.design.cabling.media import Purchase
from planner.design.cabling.runs import Ends, Parts, Runs
from planner.design.cabling.trays.apart import apart
from planner.design.cabling.trays.result import WarmStart
from planner.design.cabling.trays.routes import Routes, cross_section_um2, fill_um2, routes, trays
from planner.domain.model import Room

_FAR_MM = 2**40
"""Longer than the reach of any part."""

_UNLIMITED_UM2 = 2**60


@dataclass(frozen=True)
class Agreement:
    """Purchase, routes, bundles, and the carriers of some of the cables."""

    bought: Purchase
    found: Routes
    bundles: Bundles
    carriers: Carriers


@dataclass(frozen=True)
class Task:
    """Constant inputs of purchase, bundling and routing.

    Attributes
    ----------
    buy
        Purchase for run lengths (W, 2), over copper trays and over fiber trays; see `planner.design.cabling.media.purchase`.
    offers
        Number of assemblies in the catalog.
    apart, reach_mm
        Set of each connection whose cables shall not all share a tray segment, -1 for none, and the maximum length of its parts,
        int (W,).
    bundled
        Bundling of a purchase with given components of run lengths.
    lengthened
        The purchase with longer pieces where nominal slack costs nothing, for runs with nominal slack (W,).
    limit_mm
        Maximum run length of each connection, int64 (W,).
    installed
        Cables that stay as they are, None for none.
    taken_um2
        Cross-section of each segment that cables outside this task take, int64 (K,); 0 for none.
    thorough
        Whether routes are negotiated in many rounds where trays are full.
    """

    room: Room
    ends: Ends
    runs: Runs
    buy: Callable[..., Purchase]
    offers: int
    apart: np.ndarray
    reach_mm: np.ndarray
    bundled: Callable[[Purchase, Parts], Bundles]
    lengthened: Callable[[Purchase, np.ndarray], Purchase]
    limit_mm: np.ndarray
    progress: Progress
    installed: Installed | None = None
    taken_um2: np.ndarray | int = 0
    thorough: bool = True

    def agree(self) -> Agreement:
        """Return consistent parts and routes; after an interrupt the best so far, where trays may be overfilled."""
        shortest = self._shortest
        cover = np.column_stack([parts.run_mm for parts in shortest])
        bought, warm_start = self.buy(cover), None
        while True:
            near = self.runs.along(
                bought.medium_class, np.where(bought.medium_class == 0, shortest[0].tray_mm, shortest[1].tray_mm)
            )
            bundles = self.bundled(bought, near)
            carriers, carried = Carriers.of(self.room, bundles), bundles.carried
            found = self._routed(bought, carried, carriers, warm_start)
            warm_start = found.warm_start
            parts = self.runs.along(bought.medium_class, found.tray_mm)
            cover = np.maximum(cover, np.where(carried[:, None], 0, self._by_class(bought.medium_class, parts.run_mm, other=0)))
            before, bought = bought, self.buy(cover)
            same = np.array_equal(bought.medium_class, before.medium_class) and np.array_equal(
                bought.assembly[carried], before.assembly[carried]
            )
            if (same and np.array_equal(self.area_um2(bought), self.area_um2(before))) or not found.complete:
                break
        run = np.where(carried[:, None], cover, self._by_class(bought.medium_class, parts.run_mm, other=_FAR_MM))
        bought, found = self.repurchased(run, bought, found, carried, carriers)
        # Looms have the lengths of the cables as they are routed.
        mixed = self.runs.along(bought.medium_class, np.where(carried, near.tray_mm, found.tray_mm))
        longer = self.lengthened(bought, mixed.with_slack(self.limit_mm).run_mm)
        bought = longer if self.installed is None else self.installed.as_long(longer, bought)
        return Agreement(bought, found, self.bundled(bought, self.with_slack(mixed, bought, carried)), carriers)

    @property
    def _shortest(self) -> tuple[Parts, Parts]:
        """Components of run lengths over the shortest routes on copper and on fiber trays; one object for shared trays."""
        copper = self.runs.shortest(0)
        return copper, copper if self.runs.shared_trays else self.runs.shortest(1)

    def with_slack(self, parts: Parts, bought: Purchase, carried: np.ndarray) -> Parts:
        """Return components with as much of the nominal slack as the lengths bought have room for."""
        return parts.with_slack(np.where(carried, _FAR_MM, np.minimum(bought.stock_mm, self.limit_mm)))

    def area_um2(self, bought: Purchase) -> np.ndarray:
        """Return the cross-section of each row, int64 (W,): that of its piece on the first row, 0 on its other rows."""
        diameter = np.array([made_of.diameter_um for made_of in bought.assemblies], np.int64)
        area = cross_section_um2(diameter, self.room.fill_shape)[bought.assembly] if len(diameter) else np.zeros(0, np.int64)
        first = np.zeros(len(area), bool)
        first[_first(bought)] = True
        return np.where(first, area, 0)

    def _by_class(self, medium_class: np.ndarray, run_mm: np.ndarray, other: int) -> np.ndarray:
        """Return runs by medium class, int64 (W, 2): `other` in the class that a row does not use, where trays differ."""
        both = np.column_stack([run_mm, run_mm])
        return both if self.runs.shared_trays else np.where(np.arange(2) == medium_class[:, None], both, other)

    def _routed(self, bought: Purchase, carried: np.ndarray, carriers: Carriers, warm_start: WarmStart | None) -> Routes:
        """Route every piece that nothing carries; rows of a piece share its route."""
        slot, first = self.ends.slot, _first(bought)
        # A row from a slot to itself is not routed.
        own, area, taken_um2 = carried[first], self.area_um2(bought)[first], self.taken_um2 + carriers.taken_um2
        if self.installed is not None:
            own, taken_um2 = own | self.installed.routed[first], taken_um2 + self.installed.fill_um2(first, area, self.room)
        ends = np.where(own[:, None], slot[first, :1], slot[first])
        found = routes(
            self.room, ends, bought.medium_class[first], area,
            taken_um2=taken_um2, warm_start=warm_start, thorough=self.thorough, progress=self.progress,
        )  # fmt: skip
        if self.installed is not None:
            shortest = np.column_stack([parts.tray_mm[first] for parts in self._shortest])
            shortest_mm = shortest[np.arange(len(first)), bought.medium_class[first]]
            found = self.installed.with_routes(found, first, self.room, shortest_mm)
        if (self.apart >= 0).any():
            spread = replace(found, route=found.route[bought.piece], tray_mm=found.tray_mm[bought.piece])
            run_mm = self.runs.along(bought.medium_class, spread.tray_mm).run_mm
            found = apart(
                self.room, found, self.apart[first], slot[first], bought.medium_class[first], self.area_um2(bought)[first],
                self._left_um2(bought, spread, carried, carriers), (self.reach_mm - run_mm)[first],
            )  # fmt: skip
        return replace(found, route=found.route[bought.piece], tray_mm=found.tray_mm[bought.piece])

    def repurchased(
        self, run_mm: np.ndarray, bought: Purchase, found: Routes, carried: np.ndarray, carriers: Carriers
    ) -> tuple[Purchase, Routes]:
        """Choose parts again for the final runs, different ones only where there is room for them on the routes.

        The best part is tried first, then the next best. Every exchange lowers the cost, so this ends.
        """
        own = bought = self.buy(run_mm, only=bought.choice)
        left, routed = self._left_um2(bought, found, carried, carriers), found
        exchanged = True
        while exchanged:
            exchanged, barred = False, np.zeros((self.offers, len(run_mm)), bool)
            while True:
                best = self.buy(run_mm, only=np.where(carried, bought.choice, -1), barred=barred)
                differs = best.choice != bought.choice
                if not differs.any():
                    break
                taken = np.isin(best.component, self._exchanged(bought, best, routed, left))
                barred[best.choice[differs & ~taken], np.flatnonzero(differs & ~taken)] = True
                if taken.any():
                    bought, exchanged = self.buy(run_mm, only=np.where(taken, best.choice, bought.choice)), True
                    # Rows that now share a piece share the route of its first row.
                    first = _first(bought)[bought.piece]
                    routed = replace(routed, route=routed.route[first], tray_mm=routed.tray_mm[first])
        if not np.array_equal(self.bundled(bought, self.runs.along(bought.medium_class, routed.tray_mm)).carried, carried):
            return own, found
        # Rows that now share another row's route may need a shorter length.
        run = self._by_class(bought.medium_class, self.runs.along(bought.medium_class, routed.tray_mm).run_mm, other=_FAR_MM)
        return self.buy(np.where(carried[:, None], run_mm, run), only=bought.choice), routed

    def _left_um2(self, bought: Purchase, found: Routes, carried: np.ndarray, carriers: Carriers) -> np.ndarray:
        """Return the free cross-section of each segment up to the design fill; 0 where it is exceeded."""
        fill = fill_um2(found, np.where(carried, 0, self.area_um2(bought)), len(self.room.segments))
        limit = trays(self.room, self.room.design_fill, self.taken_um2 + carriers.taken_um2).room_um2
        return np.where(limit < 0, _UNLIMITED_UM2, np.maximum(limit - fill, 0))

    def _exchanged(self, kept: Purchase, best: Purchase, found: Routes, left_um2: np.ndarray) -> list[int]:
        """Return the components whose parts are exchanged for the best ones, which fit the trays on their routes."""
        saved = np.column_stack(
            [np.bincount(best.component, getattr(kept, by) - getattr(best, by)) for by in ("measure", "price_cents")]
        ).tolist()
        more = self._more_um2(kept, best, found)
        waiting = sorted((c for c in more if saved[c] > [0, 0]), key=lambda c: (saved[c], -c), reverse=True)
        exchanged: list[int] = []
        while waiting:
            before = len(exchanged)
            for component in waiting:
                routes_of = [(found.segments[a:b], area) for a, b, area in more[component]]
                for segments, area in routes_of:
                    left_um2[segments] -= area
                if all(area <= 0 or (left_um2[segments] >= 0).all() for segments, area in routes_of):
                    exchanged.append(component)
                else:
                    for segments, area in routes_of:
                        left_um2[segments] += area
            # Thinner parts may have made room for others.
            gone = set(exchanged[before:])
            waiting = [component for component in waiting if component not in gone] if gone else []
        return exchanged

    def _more_um2(self, kept: Purchase, best: Purchase, found: Routes) -> dict[int, list[tuple[int, int, int]]]:
        """Return the extra cross-section of the best parts by component: start and end of each route in segments, and µm²."""
        differs = np.unique(best.component[best.choice != kept.choice])
        more: dict[int, dict[int, int]] = {component: {} for component in differs.tolist()}
        for purchase, sign in ((best, 1), (kept, -1)):
            first = _first(purchase)
            first = first[np.isin(purchase.component[first], differs) & (found.route[first] >= 0)]
            area = sign * self.area_um2(purchase)[first]
            for component, route, um2 in zip(
                purchase.component[first].tolist(), found.route[first].tolist(), area.tolist(), strict=True
            ):
                more[component][route] = more[component].get(route, 0) + um2
        start = found.indptr.tolist()
        return {
            component: [(start[route], start[route + 1], um2) for route, um2 in by_route.items()]
            for component, by_route in more.items()
        }


def _first(bought: Purchase) -> np.ndarray:
    """Return the first row of each piece, int64 (pieces,)."""
    return np.unique(bought.piece, return_index=True)[1]
