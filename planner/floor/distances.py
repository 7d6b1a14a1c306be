"""Shortest tray lengths between slots."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array, csr_array

from planner.errors import InputError, Problem
from planner.floor._lattice import Lattice, lattice_of
from planner.floor.chains import Chains, chains_of
from planner.model import Room

BLOCK = 1 << 20
_LONGEST_MM = 2**31 - 1


class TrayDistances:
    """Shortest tray lengths between slots for one medium class.

    All results are computed on demand. On a full lattice of trays a length is a formula;
    elsewhere a route goes through the junctions at the ends of the two chains of trays of the slots.

    Raises
    ------
    InputError
        When all trays together exceed the int32 range in millimeters, 2,147 km.
    """

    def __init__(self, room: Room, medium_class: int = 0):
        if (total := room.segment_mm.sum(dtype=np.int64)) > _LONGEST_MM:
            raise InputError(Problem("tray", f"the trays are {total / 1e6:.0f} km long in all", "lengths are in millimeters"))
        self._room = room
        self._slot_node = np.ascontiguousarray(room.slot_node[:, medium_class])
        self._open = np.flatnonzero(room.segment_carries & (1 << medium_class))

    @cached_property
    def lattice(self) -> Lattice | None:
        """Positions of the slots, if the trays form a full lattice."""
        return lattice_of(self._room)

    @cached_property
    def _distances(self) -> Lattice | Chains:
        return self.lattice or chains_of(self._graph, self._slot_node)

    @cached_property
    def _graph(self) -> csr_array:
        """Lengths between neighboring nodes, lower node first; of parallel segments the shortest. float64 (T, T)."""
        room = self._room
        order = self._open[np.argsort(-room.segment_mm[self._open], kind="stable")].tolist()
        ends = np.sort(room.segments, axis=1).tolist()
        kept = list({tuple(ends[k]): k for k in order}.values())
        a, b = room.segments[kept].T
        return coo_array((room.segment_mm[kept].astype(np.float64), (a, b)), shape=(len(room.node_xyz),) * 2).tocsr()

    @cached_property
    def tray_mm(self) -> np.ndarray:
        """Lengths between all slots, int32 (S, S). For large rooms use pairs or rows instead."""
        tray = np.empty((len(self._slot_node),) * 2, np.int32)
        for slots in blocks(len(tray)):
            tray[slots] = self.rows_mm(slots)
        return tray

    def rows_mm(self, slots: np.ndarray) -> np.ndarray:
        """Return the lengths from the given slots to all, int32 (given, S)."""
        return self._distances.rows_mm(slots).astype(np.int32, copy=False)

    def between_mm(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the lengths from the slots of `a` to those of `b`, int32 (len(a),)."""
        return self._distances.pairs_mm(a, b).astype(np.int32, copy=False)


def blocks(count: int) -> Iterator[np.ndarray]:
    """Yield 0 … count - 1 in blocks with a bounded total of rows times `count`."""
    for first in range(0, count, rows := max(1, BLOCK // max(count, 1))):
        yield np.arange(first, min(first + rows, count))
