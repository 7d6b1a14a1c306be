"""How long a cable is, and why: ways over the trays, drops, rises and slack.

A cable between two cabinets runs from its port to the side of the cabinet and up to the top
(*rise*), from there to the tray (*drop*), over the trays, and down again. Inside a cabinet it goes
to the side, along it, and back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from planner.errors import InputError, Problem
from planner.model import UNIT_UM, Room
from planner.parts import CabinetPart, NonNegative


@dataclass(frozen=True, kw_only=True)
class Slack:
    """How much longer than its way a cable must be; the defaults are engineering practice, not sourced.

    Parameters
    ----------
    end_mm
        At each end, for dressing and plugging.
    loop_mm
        Service loop at each end of a cable between cabinets.
    percent
        Of the whole way.
    """

    __pydantic_config__ = {"extra": "forbid", "allow_inf_nan": False}

    end_mm: NonNegative = 300
    loop_mm: NonNegative = 500
    percent: Annotated[float, Ge(0), Le(100)] = 0.0


class Ways:
    """Shortest ways over the trays between the nodes that serve slots."""

    def __init__(self, room: Room):
        self._nodes, self._row = np.unique(room.slot_node, return_inverse=True)
        a, b = room.segments.T
        count = len(room.node_xyz)
        graph = coo_array((room.segment_mm.astype(np.float64), (a, b)), shape=(count, count)).tocsr()
        distance, self._before = dijkstra(graph, directed=False, indices=self._nodes, return_predecessors=True)
        self._slot_node = room.slot_node
        # Slots reach each other (checked when the room was read), so the distances are finite.
        self.tray_mm = distance[:, self._nodes].astype(np.int64)[np.ix_(self._row, self._row)]
        self._segment = {(int(u), int(v)): k for k, (u, v) in enumerate(room.segments)}

    def segments(self, start: int, end: int) -> list[int]:
        """Return the tray segments on the way from one slot to another, in order."""
        before = self._before[self._row[start]]
        node = int(self._slot_node[end])
        home = int(self._slot_node[start])
        way = []
        while node != home:
            previous = int(before[node])
            way.append(self._segment[min(previous, node), max(previous, node)])
            node = previous
        return way[::-1]


@dataclass(frozen=True)
class Lengths:
    """The length rules of one room with one kind of cabinet.

    Raises
    ------
    InputError
        When a tray hangs lower than the cabinet's top.
    """

    room: Room
    cabinet: CabinetPart
    slack: Slack

    def __post_init__(self) -> None:
        above = self.room.node_xyz[self.room.slot_node, 2] - self.cabinet.height_mm
        if self.room.end_mm is None and (above < 0).any():
            slot = int(np.argmin(above))
            raise InputError(
                Problem(
                    "catalog.cabinet",
                    f"{self.cabinet.id} is {self.cabinet.height_mm} mm high, {-above[slot]} mm above the tray over slot "
                    f"{self.room.slot_names[slot]} in {self.room.name}",
                    "choose a lower cabinet or raise elevation_mm of the trays",
                )
            )

    @cached_property
    def ways(self) -> Ways:
        return Ways(self.room)

    @cached_property
    def drop_mm(self) -> np.ndarray:
        """Way between cabinet top and tray node at each slot, int64 (S,)."""
        if self.room.end_mm is not None:
            return np.full(self.room.slot_count, self.room.end_mm, np.int64)
        height = self.room.node_xyz[self.room.slot_node, 2].astype(np.int64) - self.cabinet.height_mm
        return height + self.room.slot_offset_mm

    def rise_mm(self, unit: np.ndarray, units: np.ndarray) -> np.ndarray:
        """Way from the port to the cabinet's top, int64: half the width, and up from the middle of the box.

        Parameters
        ----------
        unit, units
            Lowest unit of the box, and how many it takes.
        """
        unit = np.asarray(unit, np.int64)
        if self.room.end_mm is not None:
            return np.zeros_like(unit)
        above_um = (2 * (self.cabinet.units - unit + 1) - units) * UNIT_UM // 2
        return self.cabinet.width_mm // 2 + -(-above_um // 1000)

    def inside_mm(self, unit: np.ndarray, units: np.ndarray, other: np.ndarray, other_units: np.ndarray) -> np.ndarray:
        """Way from port to port inside one cabinet, slack not included, int64."""
        if self.room.in_cabinet_mm is not None:
            return np.full(np.shape(unit), self.room.in_cabinet_mm, np.int64)
        twice_um = np.abs(2 * (np.asarray(unit, np.int64) - other) + units - other_units) * UNIT_UM
        return self.cabinet.width_mm + -(-twice_um // 2000)

    def slack_mm(self, way_mm: np.ndarray, between: np.ndarray | bool) -> np.ndarray:
        """Slack of cables whose way is `way_mm`; `between` tells those between cabinets. int64."""
        way_mm = np.asarray(way_mm, np.int64)
        fixed = np.where(between, self.room.end_mm is not None, self.room.in_cabinet_mm is not None)
        ends = 2 * self.slack.end_mm + np.where(between, 2 * self.slack.loop_mm, 0)
        return np.where(fixed, 0, ends + np.ceil(way_mm * self.slack.percent / 100).astype(np.int64))

    def slot_run_mm(self, unit: int, units: int) -> np.ndarray:
        """Run lengths between boxes that stand at the same unit of two slots, int64 (S, S).

        On the diagonal stands a cable between neighbouring boxes of one cabinet.
        """
        end = self.drop_mm + self.rise_mm(np.array(unit), np.array(units))
        way = self.ways.tray_mm + end[:, None] + end[None, :]
        run = way + self.slack_mm(way, True)
        inside = self.inside_mm(np.array([unit]), np.array([units]), np.array([unit + units]), np.array([units]))
        np.fill_diagonal(run, inside[0] + self.slack_mm(inside, False)[0])
        return run
