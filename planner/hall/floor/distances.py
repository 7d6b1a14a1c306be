"""Shortest tray lengths between slots; a formula where the trays form a full rectangular lattice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array, csr_array

from planner.core.errors import InputError, Problem
from planner.domain.model import Room
from planner.hall.floor.chains import Chains, chains_of

BLOCK = 1 << 20

_LONGEST_MM = 2**31 - 1


@dataclass(frozen=True)
class Lattice:
    """Positions of the slots on the lattice.

    Attributes
    ----------
    x, y
        Column and row of each slot's tray node, int32 (S,). No two slots share a node.
    columns, rows
        Size of the lattice.
    pitch_mm
        Distance between neighboring columns and between neighboring rows.
    """

    x: np.ndarray
    y: np.ndarray
    columns: int
    rows: int
    pitch_mm: tuple[int, int]

    @property
    def distance_mm(self) -> np.ndarray:
        """Distance by difference in columns and rows, int64 (columns, rows)."""
        return np.arange(self.columns)[:, None] * self.pitch_mm[0] + np.arange(self.rows) * self.pitch_mm[1]

    def pairs_mm(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the distances between the slots of `a` and of `b`, int64, the shape of both."""
        pitch_x, pitch_y = self.pitch_mm
        return np.abs(self.x[a] - self.x[b]) * np.int64(pitch_x) + np.abs(self.y[a] - self.y[b]) * np.int64(pitch_y)

    def rows_mm(self, slots: np.ndarray) -> np.ndarray:
        """Return the distances from the given slots to all, int64 (given, S)."""
        return self.pairs_mm(np.asarray(slots)[:, None], np.arange(len(self.x))[None, :])


def lattice_of(room: Room) -> Lattice | None:
    """Return the lattice of a room's trays, or None without one or where copper and fiber have separate trays.

    All nodes have one height, one on every crossing of evenly spaced columns with evenly spaced
    rows; all neighbors are connected by segments of the pitch's length, there are no other segments, and no
    node serves two slots.
    """
    if not room.shared_trays:
        return None
    slot_node = room.slot_node[:, 0]
    (xs, column), (ys, row) = (np.unique(room.node_xyz[:, axis], return_inverse=True) for axis in (0, 1))
    columns, rows = len(xs), len(ys)
    pitch_x, pitch_y = (np.unique(np.diff(values.astype(np.int64))) for values in (xs, ys))
    if columns * rows != len(room.node_xyz) or len(np.unique(room.node_xyz[:, 2])) != 1 or max(len(pitch_x), len(pitch_y)) > 1:
        return None
    pitch = (int(pitch_x[0]) if columns > 1 else 0, int(pitch_y[0]) if rows > 1 else 0)
    place = column * rows + row
    if len(np.unique(place)) != len(place) or len(np.unique(slot_node)) != room.slot_count:
        return None
    a, b = room.segments.T
    across, along = np.abs(column[a] - column[b]), np.abs(row[a] - row[b])
    joined = np.unique(np.minimum(place[a], place[b]) * len(place) + np.maximum(place[a], place[b]))
    neighbors = (across + along == 1).all() and len(joined) == (columns - 1) * rows + columns * (rows - 1)
    if not neighbors or (room.segment_mm != across * pitch[0] + along * pitch[1]).any():
        return None
    x, y = (index[slot_node].astype(np.int32) for index in (column, row))
    return Lattice(x, y, columns, rows, pitch)


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
