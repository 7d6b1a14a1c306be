"""How long a cable is, and why: ways over the trays, drops, rises and slack.

A cable between two cabinets runs from its port to the side of the cabinet and up to the top
(*rise*), from there to the tray (*drop*), over the trays, and down again. Inside a cabinet it goes
to the side, along it, and back.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import dijkstra

from planner.errors import InputError, Problem
from planner.floor._chains import Chains, chains_of
from planner.floor._lattice import Lattice, lattice_of
from planner.model import UNIT_UM, Room
from planner.parts import CabinetPart, NonNegative

_BLOCK = 1 << 20
_KEPT = 1 << 24
_LONGEST_MM = 2**31 - 1


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
    """Shortest ways over the trays between slots.

    Nothing is computed before it is asked for. On a full lattice of trays a way is a formula;
    elsewhere it goes through the junctions at the ends of the two chains of trays that the slots
    stand on.

    Raises
    ------
    InputError
        When all trays together are longer than int32 counts millimetres, 2,147 km.
    """

    def __init__(self, room: Room):
        if (total := room.segment_mm.sum(dtype=np.int64)) > _LONGEST_MM:
            raise InputError(Problem("tray", f"the trays are {total / 1e6:.0f} km long in all", "lengths are in millimetres"))
        self._room = room
        self._slot_node = room.slot_node
        self._before: OrderedDict[int, np.ndarray] = OrderedDict()

    @cached_property
    def lattice(self) -> Lattice | None:
        """Where the slots stand, when the trays form a full lattice."""
        return lattice_of(self._room)

    @cached_property
    def _distances(self) -> Lattice | Chains:
        return self.lattice or chains_of(self._graph, self._slot_node)

    @cached_property
    def _segment(self) -> dict[tuple[int, int], int]:
        """The segment between two nodes, lower node first; of parallel ones the shortest."""
        room = self._room
        order = np.argsort(-room.segment_mm, kind="stable").tolist()
        ends = np.sort(room.segments, axis=1).tolist()
        return {tuple(ends[k]): k for k in order}

    @cached_property
    def _graph(self) -> csr_array:
        kept = list(self._segment.values())
        a, b = self._room.segments[kept].T
        count = len(self._room.node_xyz)
        return coo_array((self._room.segment_mm[kept].astype(np.float64), (a, b)), shape=(count, count)).tocsr()

    @cached_property
    def tray_mm(self) -> np.ndarray:
        """Ways between all slots, int32 (S, S). Large rooms: ask for pairs or rows instead."""
        tray = np.empty((len(self._slot_node),) * 2, np.int32)
        for slots in _blocks(len(tray)):
            tray[slots] = self.rows_mm(slots)
        return tray

    def rows_mm(self, slots: np.ndarray) -> np.ndarray:
        """Return the ways from the given slots to all, int32 (given, S)."""
        return self._distances.rows_mm(slots).astype(np.int32, copy=False)

    def between_mm(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the ways from the slots of `a` to those of `b`, int32 (len(a),)."""
        return self._distances.pairs_mm(a, b).astype(np.int32, copy=False)

    def segments(self, start: int, end: int) -> list[int]:
        """Return the tray segments on the way from one slot to another, in order.

        Many ways are found fastest in the order of their starts.
        """
        home, node = int(self._slot_node[start]), int(self._slot_node[end])
        before = self._before_from(home)
        way = []
        while node != home:
            previous = int(before[node])
            way.append(self._segment[min(previous, node), max(previous, node)])
            node = previous
        return way[::-1]

    def _before_from(self, home: int) -> np.ndarray:
        """The node before each node on the way from `home`, int32 (T,); the latest of them are kept."""
        if home not in self._before:
            while len(self._before) * len(self._room.node_xyz) >= _KEPT:
                self._before.popitem(last=False)
            self._before[home] = dijkstra(self._graph, directed=False, indices=home, return_predecessors=True)[1]
        self._before.move_to_end(home)
        return self._before[home]


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
        """Return the run lengths between boxes that stand at the same unit of two slots, int32 (S, S).

        On the diagonal stands a cable between neighbouring boxes of one cabinet.
        """
        count = self.room.slot_count
        run = np.empty((count, count), np.int32)
        for slots in _blocks(count):
            run[slots] = self.slot_run_rows(slots, unit, units)
        return run

    def slot_run_rows(self, slots: np.ndarray, unit: int, units: int) -> np.ndarray:
        """Return rows of `slot_run_mm`, int32 (given, S)."""
        end = self.drop_mm + self.rise_mm(np.array(unit), np.array(units))
        way = self.ways.rows_mm(slots) + (end[slots, None] + end)
        way += self.slack_mm(way, True)
        way[np.arange(len(slots)), slots] = self._neighbours_mm(unit, units)
        return _int32(way)

    def lattice(self, unit: int, units: int) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Return `slot_run_mm` in short where the trays form a full lattice and all ends are alike, else None.

        Returns
        -------
        x, y
            Column and row of every slot, int32 (S,).
        run_mm
            Run length by columns and rows apart, int32 (X, Y): that between slots a and b is
            ``run_mm[abs(x[a] - x[b]), abs(y[a] - y[b])]``.
        """
        grid = self.ways.lattice
        if grid is None or np.ptp(self.drop_mm):
            return None
        way = grid.way_mm + 2 * (self.drop_mm[0] + self.rise_mm(np.array(unit), np.array(units)))
        way += self.slack_mm(way, True)
        way[0, 0] = self._neighbours_mm(unit, units)
        return grid.x, grid.y, _int32(way)

    def _neighbours_mm(self, unit: int, units: int) -> int:
        """Run length between neighbouring boxes of one cabinet."""
        inside = self.inside_mm(np.array([unit]), np.array([units]), np.array([unit + units]), np.array([units]))
        return int(inside[0] + self.slack_mm(inside, False)[0])


def _blocks(count: int) -> Iterator[np.ndarray]:
    """Yield 0 … count - 1 in blocks whose rows of `count` numbers take little memory."""
    for first in range(0, count, rows := max(1, _BLOCK // max(count, 1))):
        yield np.arange(first, min(first + rows, count))


def _int32(length_mm: np.ndarray) -> np.ndarray:
    """Return the lengths as int32.

    Raises
    ------
    InputError
        When one is longer than int32 counts millimetres, 2,147 km.
    """
    if length_mm.max(initial=0) > _LONGEST_MM:
        raise InputError(Problem("room", f"a run is {length_mm.max() / 1e6:.0f} km long", "lengths are in millimetres"))
    return length_mm.astype(np.int32)
