"""Trays that form a full rectangular lattice: lengths are Manhattan distances, without a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.model import Room


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
