"""Automorphisms of distance and flow: equivalent locations or items of a search."""

from __future__ import annotations

import numpy as np

from planner.design.qap.normal import Normal

MAX_AUTOMORPHISMS = 2000
"""Maximum automorphisms kept; any subset is valid."""
STEPS = 100_000
"""Step limit of the automorphism search."""


class Symmetry:
    """Automorphisms of the locations, int64 (A, n), and of the items, both with the linear cost.

    Each one that fixes the placed locations (items) of a partial assignment maps its completions
    to completions of the same cost.
    """

    def __init__(self, normal: Normal):
        self.of_locations = automorphisms(normal.distance, normal.linear)
        self.of_items = automorphisms(normal.flow, normal.linear.T)

    def locations(self, left: np.ndarray) -> np.ndarray:
        """Return for each of the locations `left` the position in `left` of the first equivalent one, int64 (k,)."""
        return _orbits(self.of_locations, left)

    def items(self, left: np.ndarray) -> np.ndarray:
        """Return the same for the items `left`."""
        return _orbits(self.of_items, left)


def automorphisms(matrix: np.ndarray, linear: np.ndarray) -> np.ndarray:
    """Return permutations s with ``matrix[s[k], s[l]] == matrix[k, l]`` and ``linear[:, s[k]] == linear[:, k]``.

    Without the identity; all of them if there are few.

    Examples
    --------
    >>> square = np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]])
    >>> len(automorphisms(square, np.zeros((4, 4), int)))
    7
    """
    n = len(matrix)
    # Only vertices with equal sorted rows and columns can be images of each other.
    ranked = [np.sort(matrix, 1), np.sort(matrix, 0).T, np.diag(matrix)[:, None], linear.T]
    color = np.unique(np.hstack(ranked), axis=0, return_inverse=True)[1].ravel()
    found: list[np.ndarray] = []
    image = np.full(n, -1)
    untried = [np.flatnonzero(color == color[0]).tolist()]
    for _ in range(STEPS):
        if not untried or len(found) >= MAX_AUTOMORPHISMS:
            break
        k = len(untried) - 1
        if not untried[-1]:
            untried.pop()
            continue
        image[k] = untried[-1].pop(0)
        if k == n - 1:
            found.append(image.copy())
            continue
        same = color == color[k + 1]
        same[image[: k + 1]] = False
        fits = np.flatnonzero(same)
        placed = image[: k + 1]
        fits = fits[(matrix[np.ix_(fits, placed)] == matrix[k + 1, : k + 1]).all(1)]
        fits = fits[(matrix[: k + 1, k + 1] == matrix[np.ix_(placed, fits)].T).all(1)]
        untried.append(fits.tolist())
    identity = np.arange(n)
    return np.array([s for s in found if (s != identity).any()], np.int64).reshape(-1, n)


def _orbits(group: np.ndarray, left: np.ndarray) -> np.ndarray:
    placed = np.setdiff1d(np.arange(group.shape[1]), left)
    group = group[(group[:, placed] == placed).all(1)]
    first = np.arange(group.shape[1])
    changed = len(group) > 0
    while changed:
        # Propagate the smallest number of each orbit along all automorphisms.
        smallest = np.minimum(first, first[group].min(0))
        changed = (smallest != first).any()
        first = smallest
    return np.searchsorted(left, first[left])
