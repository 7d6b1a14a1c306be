"""Install stages: the distance class of each cable."""

from __future__ import annotations

import numpy as np

STAGES = ("in cabinet", "in row", "in zone", "across the room")


def stages(cabinet: np.ndarray, row: np.ndarray, zone: np.ndarray) -> np.ndarray:
    """Return the install stage of every cable, index into `STAGES`, uint8 (W,).

    Parameters
    ----------
    cabinet, row
        Cabinet at both ends, and its row, int (W, 2).
    zone
        Area of the floor at both ends: a hall, or a zone of the room; -1 for slots outside all of them, which share
        no zone. Int (W, 2).

    Examples
    --------
    >>> there = np.array([[0, 0], [0, 1], [0, 2], [0, 3]])
    >>> row, zone = np.array([0, 0, 1, 2]), np.array([0, 0, 0, 1])
    >>> [STAGES[stage] for stage in stages(there, row[there], zone[there])]
    ['in cabinet', 'in row', 'in zone', 'across the room']
    """
    same_zone = (zone[:, 0] == zone[:, 1]) & (zone[:, 0] >= 0)
    conditions = [cabinet[:, 0] == cabinet[:, 1], row[:, 0] == row[:, 1], same_zone]
    return np.select(conditions, [0, 1, 2], default=3).astype(np.uint8)
