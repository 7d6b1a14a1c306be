"""The cables of a placement that is being edited: after a move only those of the moved devices are routed and bought again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner.core.reading import parameters
from planner.design.cabling import cable
from planner.design.cabling.cages import Cages, cages_of
from planner.design.cabling.trays.routes import cross_section_um2, trays
from planner.design.near_misses import misses
from planner.domain.model import CablePlan, Catalog, Inventory, Placement, Plan
from planner.hall.floor import Lengths
from planner.install.editing.routes import KnownRoutes
from planner.studies.stage import Study

COLUMNS = ("port", "cage", "run_mm", "tray_mm", "stock_mm", "assembly", "price_cents", "power_mw", "first", "route", "detour_mm",
           "over_mm", "saving_cents")  # fmt: skip
"""Figures of every row that a move may change: as in `planner.domain.model.CablePlan`, `first` marks the first rows of pieces,
`detour_mm` is the length in trays beyond the shortest route, and `over_mm` and `saving_cents` are those of near misses."""

_NO_LABELS = "{{}}"
"""A label without fields: labels are not shown, and those of the study take a fifth of the time of a move."""


@dataclass(frozen=True, eq=False)
class Change:
    """Rows that a move changed, with their figures before and after.

    Attributes
    ----------
    rows
        Ascending, int64.
    before, after
        Figures of these rows by the names of `COLUMNS`.
    fill_um2
        Cross-section in each tray segment before, int64 (K,).
    passive_cents
        Price of jumpers, trunks and panels before.
    """

    rows: np.ndarray
    before: dict[str, np.ndarray]
    after: dict[str, np.ndarray]
    fill_um2: np.ndarray
    passive_cents: int


class Current:
    """All rows of a cable plan as columns that moves change in place.

    The cables of other devices keep part, length and route until the next full count. That is what the flow plans, too, where all
    cables have their shortest route: routes and parts then do not depend on other cables. `estimated` gives the reasons where
    that may differ.

    Attributes
    ----------
    columns
        Figures by the names of `COLUMNS`, int64 or bool, (W,) or (W, 2).
    assemblies
        All assemblies of the joints; `assembly` is an index into them.
    routes
        The routes by the numbers in the column `route`.
    fill_um2
        Cross-section of the cables in each tray segment, int64 (K,).
    """

    def __init__(
        self,
        inventory: Inventory,
        catalog: Catalog,
        lengths: Lengths,
        placement: Placement,
        cables: CablePlan,
        *,
        options: dict[str, Any],
        within_mm: int,
        kept: Any = None,
    ):
        self.inventory, self.catalog, self.lengths, self.placement = inventory, catalog, lengths, placement
        self._options, self._within_mm, self._kept = options | {"label": _NO_LABELS}, within_mm, kept
        self.assemblies = tuple(dict.fromkeys(each for joint in inventory.joints for each in joint.assemblies))
        self.routes = KnownRoutes()
        self.fill_um2, self.passive_cents = cables.fill_um2.copy(), _passive_cents(cables)
        self._area_um2 = np.array(
            [cross_section_um2(np.array(each.diameter_um), lengths.room.fill_shape) for each in self.assemblies], np.int64
        )
        self._modular = max((max(joint.ports_per_cage) for joint in inventory.joints), default=1) > 1
        # Panels, overrides and kept cables join cables of other devices: all are planned again.
        self.is_whole = bool(kept is not None or options.get("overrides") or cables.carried.any() or self._over_panels())
        self.columns = self._figures(np.arange(cables.cable_count), inventory, cables, self.routes.numbers(cables))
        self._cages = cages_of(inventory, placement, kept)
        order = np.argsort(inventory.ends.ravel(), kind="stable")
        self._row_of_end, self._start = (
            order // 2,
            np.searchsorted(inventory.ends.ravel()[order], np.arange(inventory.device_count + 1)),
        )

    @classmethod
    def of(cls, study: Study, plan: Plan, lengths: Lengths) -> Current:
        """Return the cables of a plan as its study has them planned."""
        accepted = parameters(cable)
        options = {name: each for name, each in study.sections["cabling"].items() if name in accepted}
        return cls(
            plan.inventory, plan.catalog, lengths, plan.placement, plan.cables,
            options=options, within_mm=study.sections["near_misses"]["within_mm"], kept=plan.kept,
        )  # fmt: skip

    def _over_panels(self) -> bool:
        return self._options.get("bundling", "loom") not in ("loom", "row_loom")

    # --- what others read, as from a cable plan

    of_assembly = CablePlan.of_assembly
    delay_ps = CablePlan.delay_ps

    def longest_of_pieces(self) -> np.ndarray:
        """Run length of each piece, int64 (pieces,): of splitters that of the longest leg."""
        head = np.where(self.columns["first"], np.arange(self.cable_count), _mates(self._cages.share))
        longest = np.zeros(self.cable_count, np.int64)
        np.maximum.at(longest, head, self.columns["run_mm"])
        return longest[self.columns["first"]]

    @property
    def cable_count(self) -> int:
        return self.inventory.connection_count

    @property
    def device(self) -> np.ndarray:
        return self.inventory.ends

    @property
    def cabinet(self) -> np.ndarray:
        return self.placement.cabinet[self.inventory.ends]

    @property
    def stock_mm(self) -> np.ndarray:
        return self.columns["stock_mm"]

    @property
    def run_mm(self) -> np.ndarray:
        return self.columns["run_mm"]

    @property
    def assembly(self) -> np.ndarray:
        return self.columns["assembly"]

    def route_of(self, row: int) -> np.ndarray:
        """Return the tray segments of one row in order; none inside a cabinet."""
        return self.routes.segments(int(self.columns["route"][row]))

    # --- moves

    def advance(self, placement: Placement, devices: np.ndarray) -> Change:
        """Move some devices, and route and buy their cables again.

        Raises
        ------
        Infeasible
            When a cable is longer than the reach of every part; nothing changes then.
        """
        old = self.placement
        if self.is_whole:
            rows, cages, taken = np.arange(self.cable_count), None, None
            inventory = self.inventory
        else:
            rows, all_cages = self._rows(placement, devices)
            inventory = self.inventory.only(rows)
            cages = Cages(*(column[rows] for column in vars(all_cages).values()))
            taken = self.fill_um2 - self._fill(rows)
        given = {} if self._kept is None else {"kept": self._kept}
        cables = cable(inventory, self.catalog, placement, self.lengths, cages=cages, taken_um2=taken, **given, **self._options)
        self.placement = placement
        try:
            figures = self._figures(rows, inventory, cables, self.routes.numbers(cables))
        except BaseException:
            self.placement = old
            raise
        if not self.is_whole:
            self._cages = all_cages
        change = Change(rows, {}, figures, self.fill_um2, self.passive_cents)
        self.fill_um2 = cables.fill_um2.astype(np.int64) + (0 if taken is None else taken)
        self.passive_cents = _passive_cents(cables)
        for name, column in self.columns.items():
            change.before[name] = column[rows]
            column[rows] = figures[name]
        return change

    def restore(self, change: Change, placement: Placement) -> None:
        """Take back the last change, of which `placement` is the placement before."""
        for name, column in change.before.items():
            self.columns[name][change.rows] = column
        self.fill_um2, self.passive_cents, self.placement = change.fill_um2, change.passive_cents, placement
        if self._modular:
            self._cages = cages_of(self.inventory, placement, self._kept)

    def _rows(self, placement: Placement, devices: np.ndarray) -> tuple[np.ndarray, Cages]:
        """Return the rows to plan again, ascending, and ports and cages of all rows in the new placement."""
        spans = [self._row_of_end[self._start[one] : self._start[one + 1]] for one in devices.tolist()]
        rows = np.unique(np.concatenate([np.zeros(0, np.int64), *spans]))
        if not self._modular:
            return rows, self._cages
        # Where cages have several ports, endpoints of neighboring boxes may come to share them.
        before, cages = self._cages, cages_of(self.inventory, placement)
        differs = np.zeros(self.cable_count, bool)
        differs[rows] = True
        differs |= (cages.port != before.port).any(axis=1) | (_mates(cages.share) != _mates(before.share))
        lots = [_lots(before), _lots(cages)]
        while True:
            count = int(differs.sum())
            for lot in lots:
                marked = np.zeros(int(lot.max()) + 1, bool)
                marked[lot[differs]] = True
                differs = marked[lot]
            if int(differs.sum()) == count:
                return np.flatnonzero(differs), cages

    def _figures(self, rows: np.ndarray, inventory: Inventory, cables: CablePlan, route: np.ndarray) -> dict[str, np.ndarray]:
        """Return the columns of some rows from their cable plan."""
        number = np.array([self.assemblies.index(each) for each in cables.assemblies], np.int64)
        first = np.zeros(len(rows), bool)
        first[cables.first_of_piece] = True
        over, saving = misses(
            inventory, cables, self.lengths.room, within_mm=self._within_mm, prefer=self._options.get("prefer", "price")
        )
        plain = {name: getattr(cables, name).astype(np.int64) for name in ("port", "cage", "run_mm", "tray_mm", "stock_mm",
                                                                             "price_cents", "power_mw")}  # fmt: skip
        return {
            **plain,
            "assembly": number[cables.assembly] if len(number) else np.zeros(0, np.int64),
            "first": first,
            "route": route,
            "detour_mm": np.where(cables.carried, 0, plain["tray_mm"] - self._shortest_mm(cables)),
            "over_mm": over,
            "saving_cents": saving,
        }

    def _shortest_mm(self, cables: CablePlan) -> np.ndarray:
        """Return the length of the shortest tray route of each row in its medium class, int64."""
        slot = self.placement.slot_of[cables.cabinet].astype(np.int64)
        found = np.zeros(len(slot), np.int64)
        far = slot[:, 0] != slot[:, 1]
        for number, rules in enumerate(self.lengths.by_medium_class):
            own = far & (cables.medium_class == number)
            found[own] = rules.distances.between_mm(slot[own, 0], slot[own, 1])
        return found

    def _fill(self, rows: np.ndarray) -> np.ndarray:
        """Return the cross-section of some rows in each segment, int64 (K,)."""
        own = {name: self.columns[name][rows] for name in ("route", "first", "assembly")}
        area = np.where(own["first"], self._area_um2[own["assembly"]], 0)
        return self.routes.fill_um2(own["route"], area, len(self.lengths.room.segments))

    # --- what the figures assume

    def estimated(self) -> Iterator[str]:
        """Yield the reasons why a full count may find other routes, lengths and parts; none where it finds the same."""
        if self.is_whole:
            return
        if (self.columns["detour_mm"] > 0).any():
            yield "some cables take detours because trays are full; a full count routes all cables again"
        if self.over_full().any():
            yield "a tray is above its design fill; a full count routes all cables again"
        if (self.inventory.apart >= 0).any():
            yield "cables of one device are kept apart in trays; a full count chooses their routes again"

    def over_full(self) -> np.ndarray:
        """Return which segments are above their design fill, what the study keeps free included, bool (K,)."""
        return (self._limit_um2 >= 0) & (self.fill_um2 > self._limit_um2)

    @cached_property
    def _limit_um2(self) -> np.ndarray:
        """Room of each segment up to the design fill, -1 without a limit, int64 (K,)."""
        room = self.lengths.room
        return trays(room, room.design_fill, np.zeros(len(room.segments), np.int64)).room_um2


def _passive_cents(cables: CablePlan) -> int:
    return sum(one.cents or 0 for one in cables.passives)


def _lots(cages: Cages) -> np.ndarray:
    """Number the rows that are connected through shared cages, int64 (W,)."""
    number = np.unique(cages.socket, return_inverse=True)[1].reshape(-1, 2)
    size = int(number.max(initial=-1)) + 1
    graph = coo_array((np.ones(len(number), np.int8), (number[:, 0], number[:, 1])), shape=(size, size))
    return connected_components(graph, directed=False)[1].astype(np.int64)[number[:, 0]]


def _mates(share: np.ndarray) -> np.ndarray:
    """Return for each row the first row that shares a cable with it, -1 for none: equal numbers in equal groups, int64 (W,)."""
    found = np.full(len(share), -1)
    some = np.flatnonzero(share >= 0)
    _, first, group = np.unique(share[some], return_index=True, return_inverse=True)
    found[some] = some[first][group.ravel()]
    return found
