"""Cables of a kept plan that stay: their parts, lengths, routes and labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from planner.core.errors import Infeasible, InputError, Problem
from planner.design.cabling.media import Purchase
from planner.design.cabling.trays.routes import Routes
from planner.domain.model import Kept, Room


@dataclass(frozen=True, eq=False)
class Installed:
    """Cables that stay, by connection of this plan.

    Attributes
    ----------
    choice
        Part of each cable that stays, as `planner.design.cabling.media.Purchase.choice`; -1 for others; int64 (W,).
    stock_mm
        Its length, int64 (W,).
    routed
        Whether its route is known, bool (W,).
    kept_row
        Row of the kept plan of each connection, -1 for none, int64 (W,).
    """

    kept: Kept
    choice: np.ndarray
    stock_mm: np.ndarray
    routed: np.ndarray
    kept_row: np.ndarray

    @classmethod
    def of(cls, kept: Kept, count: int) -> Installed:
        row = kept.at_rows(np.arange(len(kept.row)), count)
        choice, stock_mm, route = (kept.at_rows(array, count) for array in (kept.choice, kept.stock_mm, kept.route))
        return cls(kept, choice, stock_mm, route >= 0, row)

    @property
    def stays(self) -> np.ndarray:
        """Which cables stay, bool (W,)."""
        return self.choice >= 0

    def bought(
        self, buy: Callable[..., Purchase], run_mm: np.ndarray, *, only: np.ndarray | None = None, **given: Any
    ) -> Purchase:
        """Return a purchase with the parts and lengths of the cables that stay; see `planner.design.cabling.media.purchase`.

        Raises
        ------
        Infeasible
            When a cable that stays is too short for its run.
        """
        run_mm = np.asarray(run_mm, np.int64)
        run_mm = np.column_stack([run_mm, run_mm]) if run_mm.ndim == 1 else run_mm
        stock = np.where(self.stays[:, None], self.stock_mm[:, None], run_mm)
        chosen = np.where(self.stays, self.choice, -1 if only is None else only)
        return buy(stock, only=chosen, **given)

    def as_long(self, longer: Purchase, bought: Purchase) -> Purchase:
        """Return a purchase with longer pieces, but for those that stay."""
        return replace(longer, stock_mm=np.where(self.stays, bought.stock_mm, longer.stock_mm))

    def require_reach(self, run_mm: np.ndarray) -> None:
        """Check that the cables that stay are long enough, given the minimum run length of all, int64 (W,).

        Raises
        ------
        Infeasible
            With the number of those that are not.
        """
        short = np.flatnonzero(self.stays & (run_mm > self.stock_mm))
        if len(short):
            worst = int(short[np.argmax((run_mm - self.stock_mm)[short])])
            raise Infeasible(
                f"{len(short):,} cables of the kept plan are too short for their runs, such as cable {worst + 1}: "
                f"{run_mm[worst] / 1000:.2f} m needed, {self.stock_mm[worst] / 1000:.2f} m bought: set [cabling.slack] and the "
                "lengths of the room as in the kept plan, or name their cabinets in [keep] movable"
            )

    def fill_um2(self, first: np.ndarray, area_um2: np.ndarray, room: Room) -> np.ndarray:
        """Return the cross-section in each segment of the cables whose routes are known, int64 (K,).

        Parameters
        ----------
        first, area_um2
            First row of each piece, and the cross-section of the pieces, int64.
        """
        fill = np.zeros(len(room.segments), np.int64)
        for place in np.flatnonzero(self.routed[first]).tolist():
            fill[self._segments(int(first[place]))] += area_um2[place]
        return fill

    def with_routes(self, found: Routes, first: np.ndarray, room: Room, shortest_mm: np.ndarray) -> Routes:
        """Return the routes of all pieces with those that are known.

        A proof that the others do not fit remains valid: their room is what these leave, wherever the others are routed.

        Parameters
        ----------
        shortest_mm
            Length of the shortest route of each piece, int64.
        """
        own = np.flatnonzero(self.routed[first])
        if not len(own):
            return found
        kept_row = self.kept_row[first[own]]
        turned = self.kept.turned[kept_row]
        kinds, kind = np.unique(np.column_stack([self.kept.route[kept_row], turned]), axis=0, return_inverse=True)
        new = [self._of_route(int(route), bool(back)) for route, back in kinds.tolist()]
        indptr = np.concatenate([found.indptr, found.indptr[-1] + np.cumsum([len(one) for one in new], dtype=np.int64)])
        route, tray = found.route.copy(), found.tray_mm.copy()
        route[own] = len(found.indptr) - 1 + kind.ravel()
        tray[own] = np.array([room.segment_mm[one].sum(dtype=np.int64) for one in new], np.int64)[kind.ravel()]
        return replace(
            found,
            route=route,
            indptr=indptr,
            segments=np.concatenate([found.segments, *new]).astype(np.int64),
            tray_mm=tray,
            shortest_mm=found.shortest_mm + int(shortest_mm[own].sum()),
        )

    def labeled(self, text: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Return the labels of all cables, with those of cables that stay.

        Raises
        ------
        InputError
            When a new cable would have the label of one that stays.
        """
        label = self.kept.at_rows(self.kept.label, len(self.choice), "")
        stays = self.stays[:, None] & (label != "")
        both = np.where(stays, label, np.column_stack(text))
        if twice := set(both[stays].tolist()) & set(both[~stays].tolist()):
            message = f"gives {len(twice):,} ends of new cables labels that stay on cables of the kept plan, such as {min(twice)}"
            remedy = 'use a label without running numbers, such as "tia606", or without the numbers of the plan'
            raise InputError(Problem("label", message, remedy))
        return both[:, 0], both[:, 1]

    def _segments(self, row: int) -> np.ndarray:
        kept_row = int(self.kept_row[row])
        return self._of_route(int(self.kept.route[kept_row]), back=False)

    def _of_route(self, route: int, back: bool) -> np.ndarray:
        start, end = self.kept.route_indptr[route : route + 2].tolist()
        segments = self.kept.route_segments[start:end].astype(np.int64)
        return segments[::-1] if back else segments
