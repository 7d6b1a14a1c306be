"""Ways over the trays, one for each pair of slots that share cables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.floor import Ways


@dataclass(frozen=True)
class Routes:
    """Arrays as in `planner.model.CablePlan`: `route` (W,), `indptr` (Q + 1,), `segments` (X,)."""

    route: np.ndarray
    indptr: np.ndarray
    segments: np.ndarray


def routes_between(ways: Ways, slot: np.ndarray) -> Routes:
    """Return the shortest way of every cable; `slot` holds the slots of both ends, int (W, 2).

    The way back is the way there reversed, so that all cables of a bundle lie together.
    """
    route = np.full(len(slot), -1, np.int64)
    between = slot[:, 0] != slot[:, 1]
    if not between.any():
        return Routes(route, np.zeros(1, np.int64), np.zeros(0, np.int64))
    pairs, inverse = np.unique(slot[between], axis=0, return_inverse=True)
    route[between] = inverse.ravel()
    there, which = np.unique(np.sort(pairs, axis=1), axis=0, return_inverse=True)
    # In the order of their starts, so that the tree of ways from each start is found once.
    ways_there = [ways.segments(a, b) for a, b in there.tolist()]
    back = (pairs[:, 0] > pairs[:, 1]).tolist()
    pieces = [ways_there[k][::-1] if turn else ways_there[k] for k, turn in zip(which.ravel().tolist(), back, strict=True)]
    indptr = np.zeros(len(pairs) + 1, np.int64)
    np.cumsum([len(piece) for piece in pieces], out=indptr[1:])
    return Routes(route, indptr, np.array([segment for piece in pieces for segment in piece], np.int64))
