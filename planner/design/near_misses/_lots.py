"""Lots: rows connected through shared cages, which are bought together; and which of them could share a cable."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner.domain.model import CablePlan, Inventory


class Lots:
    """Lots of a cable plan.

    Attributes
    ----------
    of
        Lot of each row, int64 (W,).
    together
        Number of rows in the cage at both ends of each row, int64 (W, 2).
    first
        Whether a row is the first in its cage, bool (W, 2): transceivers are charged to it.
    share
        Rows that fill a cage of a router, and a cage at the other end or boxes of one cabinet, have one number; -1 for
        the others. int64 (W,).
    """

    def __init__(self, inventory: Inventory, cables: CablePlan):
        low, units, cages = int(cables.unit.min(initial=0)), int(cables.unit.max(initial=0)), int(cables.cage.max(initial=0))
        unit = cables.unit.ravel().astype(np.int64) - low
        ends = (cables.cabinet.ravel() * (units - low + 1) + unit) * (cages + 1) + cables.cage.ravel()
        _, first, socket, count = np.unique(ends, return_index=True, return_inverse=True, return_counts=True)
        self.together = count[socket.ravel()].reshape(-1, 2)
        is_first = np.zeros(2 * cables.cable_count, bool)
        is_first[first] = True
        self.first = is_first.reshape(-1, 2)
        socket = socket.reshape(-1, 2)
        graph = coo_array((np.ones(len(socket), np.int8), tuple(socket.T)), shape=(len(count), len(count)))
        self.of = connected_components(graph, directed=False)[1][socket[:, 0]].astype(np.int64)
        self.share = _shares(inventory, cables, socket, self.together)
        self._order = np.lexsort((self.share, self.of))
        self._size = np.bincount(self.of)
        self._first = np.cumsum(self._size) - self._size

    def rows(self, lots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return all rows of some lots, by lot and by share, and the start of each lot, int64."""
        sizes = self._size[lots]
        start = np.cumsum(sizes) - sizes
        place = np.arange(int(sizes.sum())) + np.repeat(self._first[lots] - start, sizes)
        return self._order[place], start

    def single(self, lots: np.ndarray) -> np.ndarray:
        """Return whether lots have one row, bool."""
        return self._size[lots] == 1


def _shares(inventory: Inventory, cables: CablePlan, socket: np.ndarray, together: np.ndarray) -> np.ndarray:
    """Number the rows that could share a cable, int64 (W,); -1 for the others."""
    share = np.full(len(socket), -1)
    per_cage = np.array([joint.ports_per_cage[0] for joint in inventory.joints])[inventory.joint]
    full = np.flatnonzero((per_cage > 1) & (together[:, 0] == per_cage))
    order = full[np.argsort(socket[full, 0], kind="stable")]
    for number, rows in enumerate(np.split(order, np.flatnonzero(np.diff(socket[order, 0])) + 1)):
        far = socket[rows, 1]
        one_cage = (far == far[:1]).all() and (together[rows, 1] == len(rows)).all()
        one_cabinet = (together[rows, 1] == 1).all() and len(set(cables.cabinet[rows, 1].tolist())) == 1
        # At the first end of a link there may be links and endpoints; those of one cage are of one kind then.
        if one_cage or (one_cabinet and not inventory.is_link[rows].any()):
            share[rows] = number
    return share
