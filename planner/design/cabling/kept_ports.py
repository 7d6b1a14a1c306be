"""Ports of new connections around those that a kept plan uses."""

from __future__ import annotations

from collections import defaultdict

import numpy as np


def around_kept(
    place: np.ndarray,
    share: np.ndarray,
    held: np.ndarray,
    piece: np.ndarray,
    owner: np.ndarray,
    ports: np.ndarray,
    per_cage: np.ndarray,
    given: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return ports and shares with kept connections in their ports, and each new one in its own, or else the lowest free port.

    Parameters
    ----------
    place, share
        Port in its group at both ends, from 0, int64 (W, 2), and the rows that share a cable, int64 (W,), as if nothing was
        built.
    held
        Port of kept connections at both ends, from 0; -1 for ends that are chosen here; int64 (W, 2).
    piece
        Cable of the kept plan of each row, -1 for new ones, int64 (W,).
    owner
        Box and port group at both ends, int64 (W, 2).
    ports, per_cage
        Ports of the group and of a cage at both ends, int64 (W, 2).
    given
        Whether the study fixes the port of an end, bool (W, 2).
    """
    kept: np.ndarray = held >= 0
    place = np.where(kept, held, place)
    share = _shares(share, piece, np.any(kept, axis=1))
    taken: dict[int, set[int]] = defaultdict(set)
    for box, port in zip(owner[kept].tolist(), held[kept].tolist(), strict=True):
        taken[box].add(port)
    used = {box: set(busy) for box, busy in taken.items()}
    waiting: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row, side in np.argwhere(~kept).tolist():
        box, port = int(owner[row, side]), int(place[row, side])
        if port in taken[box] and not given[row, side]:
            # What shares a cage moves together.
            key = int(share[row]) if share[row] >= 0 and per_cage[row, side] > 1 else -1 - row
            waiting[key, side].append(row)
        else:
            used.setdefault(box, set()).add(port)
    for (key, side), rows in sorted(waiting.items(), key=lambda item: (item[0][0] < 0, item[0][1], item[1])):
        box, size, count = (int(array[rows[0], side]) for array in (owner, per_cage, ports))
        if key >= 0:
            rows = np.flatnonzero(share == key).tolist()
            for row in rows:
                used[box].discard(int(place[row, side])) if int(place[row, side]) not in taken[box] else None
            first = next((cage for cage in range(0, count - size + 1, size) if not used[box] & set(range(cage, cage + size))), -1)
            if first < 0:
                share[rows] = -1
        free = iter(port for port in range(first if key >= 0 and first >= 0 else 0, count) if port not in used[box])
        for row in rows:
            # A box without a free port is refused before, since it has fewer ports than connections.
            place[row, side] = next(free, int(place[row, side]))
        used[box] |= {int(place[row, side]) for row in rows}
    return place, share


def _shares(share: np.ndarray, piece: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Return the shares with those of kept cables of several rows; new rows do not share with kept ones."""
    mixed = np.unique(share[kept & (share >= 0)])
    found = np.where(kept | np.isin(share, mixed), -1, share)
    cables, number, count = np.unique(piece[kept], return_inverse=True, return_counts=True)
    own = number.ravel() + int(share.max(initial=-1)) + 1
    found[kept] = np.where(count[number.ravel()] > 1, own, -1) if len(cables) else found[kept]
    # Shares are numbered without gaps.
    shared = found >= 0
    found[shared] = np.unique(found[shared], return_inverse=True)[1].ravel()
    return found
