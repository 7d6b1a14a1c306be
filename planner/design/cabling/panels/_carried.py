"""The rows that go over panels, and what is found for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.design.cabling.bundling.bundles.areas import Areas, Level
from planner.domain.model import CablePlan, Placement, Room


@dataclass(frozen=True, eq=False)
class Carried:
    """Rows over panels, their trunks, and the plugs of these.

    Attributes
    ----------
    rows, area, turned
        Rows of the cable plan, int64 (N,); their areas, (N, 2); whether their first end is at the trunk's second, bool (N,).
    center, at_cabinets
        Slot of the panels of each area, int64 (A,); whether areas are cabinets.
    trunk_bundle, trunk_area
        Bundle of each trunk, int64 (T,), and areas at its ends, (T, 2).
    trunk, rank
        Trunk of each row, -1 for none, and the rank of the row in it, int64 (N,).
    plugs, links_per_plug
        Plugs at each end of a trunk, and rows per plug, int64 (T,).
    """

    rows: np.ndarray
    area: np.ndarray
    turned: np.ndarray
    center: np.ndarray
    at_cabinets: bool
    trunk_bundle: np.ndarray
    trunk_area: np.ndarray
    trunk: np.ndarray
    rank: np.ndarray
    plugs: np.ndarray
    links_per_plug: np.ndarray

    @classmethod
    def of(
        cls, room: Room, placement: Placement, cables: CablePlan, connectors: dict[str, int], rows: np.ndarray, level: Level
    ) -> Carried:
        """Order the rows of each trunk by the box at the trunk's first end, from the top of its cabinet, and by its port.

        `connectors` holds the plugs at each end of trunks by part; a multi-core fiber counts as one.
        """
        areas = Areas.of(room, level)
        area = areas.of_slot[placement.slot_of[cables.cabinet[rows]]]
        turned = area[:, 0] > area[:, 1]
        bundles = np.flatnonzero((cables.bundle_kind > 1) & (cables.bundle_part >= 0))
        of_bundle = np.full(len(cables.bundle_kind), -1, np.int64)
        of_bundle[bundles] = np.arange(len(bundles))
        trunk = of_bundle[cables.bundle[rows]]
        near = turned.astype(np.int64)
        box = [getattr(cables, name)[rows, near].astype(np.int64) for name in ("port", "device", "unit", "cabinet")]
        order = np.lexsort((rows, box[0], box[1], -box[2], box[3], trunk))
        rank = np.empty(len(rows), np.int64)
        rank[order] = np.arange(len(rows)) - np.searchsorted(trunk[order], trunk[order])
        plugs = np.array([connectors.get(part, 1) for part in cables.bundle_parts] or [1], np.int64)[cables.bundle_part[bundles]]
        _, example = np.unique(trunk[trunk >= 0], return_index=True)
        return cls(
            rows, area, turned, areas.center, level == "cabinet", bundles,
            np.sort(area[np.flatnonzero(trunk >= 0)[example]], axis=1), trunk, rank,
            plugs, cables.bundle_capacity[bundles] // plugs,
        )  # fmt: skip

    @property
    def _first_plug(self) -> np.ndarray:
        return np.cumsum(self.plugs) - self.plugs

    @property
    def plug_trunk(self) -> np.ndarray:
        """Trunk of each plug, int64 (Q,)."""
        return np.repeat(np.arange(len(self.plugs)), self.plugs)

    @property
    def plug_number(self) -> np.ndarray:
        """Number of each plug in its trunk, from 1, int64 (Q,)."""
        return np.arange(self.plugs.sum()) - self._first_plug[self.plug_trunk] + 1

    @property
    def plug(self) -> np.ndarray:
        """Plug of each row, -1 for none, int64 (N,)."""
        first, per_plug = np.append(self._first_plug, 0), np.append(self.links_per_plug, 1)
        return np.where(self.trunk >= 0, first[self.trunk] + self.rank // per_plug[self.trunk], -1)

    @property
    def rank_in_plug(self) -> np.ndarray:
        """Rank of each row among those of its plug, int64 (N,)."""
        return self.rank % np.append(self.links_per_plug, max(1, len(self.rows)))[self.trunk]


@dataclass(frozen=True, eq=False)
class Fitted:
    """What is mounted and plugged in; columns as in `planner.domain.model.PanelPlan`, areas in place of frames.

    `place` is the number of a panel in its frame, from 0; `units` its height.
    """

    kind: int
    units: int
    area: np.ndarray
    place: np.ndarray
    part: np.ndarray
    parts: tuple[str, ...]
    cassette_panel: np.ndarray
    cassette_bay: np.ndarray
    cassette_part: np.ndarray
    plug_panel: np.ndarray
    plug_cassette: np.ndarray
    plug_socket: np.ndarray
    jumper_panel: np.ndarray
    jumper_cassette: np.ndarray
    jumper_port: np.ndarray
    jumper_part: np.ndarray
    jumper_parts: tuple[str, ...]
    jumper_run_mm: np.ndarray
    jumper_stock_mm: np.ndarray
    jumper_route: np.ndarray
    jumper: np.ndarray
    pair: np.ndarray
    fiber: np.ndarray
