"""Projection bound: eigenvalues of the links against those of the costs, paired in opposite order."""

from __future__ import annotations

import math

import numpy as np

from planner.design.placement.bound.relaxation.items import Items, views
from planner.design.placement.model.problem import PlacementProblem

_LARGEST = 2500
_FULL = 2 / 3
"""Minimum share of occupied places; below, the bound is expensive and weak."""


def bound(problem: PlacementProblem) -> int | None:
    """Return the bound; None for more than 2,500 places, or if more than a third of them are empty.

    A layout is a permutation matrix of routers by places, which is orthogonal and maps the vector of ones to
    itself. Over all such matrices the cost is minimal if the eigenvectors of links and costs, both projected
    onto the complement of the vector of ones, are matched in opposite order. Empty places hold routers without links.

    Notes
    -----
    Differs from [1]_: where it is larger, the bound of the Laplacian is taken in place of that of the links, since it has no
    linear term; the error of the eigenvalues is subtracted.

    References
    ----------
    .. [1] S. Hadley, F. Rendl, H. Wolkowicz, "A new lower bound via projection for the quadratic assignment problem",
           Mathematics of Operations Research 17, 1992.
    """
    values = [_bound(items) for items in views(problem) if _FULL * items.places <= items.count <= items.places <= _LARGEST]
    return max(values, default=None)


def _bound(items: Items) -> int:
    size = items.places
    cost = items.place_cost().astype(np.float64)
    # No router is its own neighbor, so the diagonal is arbitrary; 0 is required for the Laplacian.
    np.fill_diagonal(cost, 0)
    weight = np.zeros((size, size))
    weight[: items.count, : items.count] = items.weight.toarray()
    laplacian = np.diag(weight.sum(axis=1)) - weight
    far = np.linalg.eigvalsh(projected(cost))
    # On and off the diagonal of 0 links and Laplacian differ in sign only, and the Laplacian has no linear part.
    smooth = -float(np.linalg.eigvalsh(projected(laplacian)) @ far)
    plain = _plain(weight, cost, far)
    # The error of the eigenvalues is a small multiple of the rounding unit times the norm.
    error = 1e-12 * size * np.linalg.norm(laplacian) * np.linalg.norm(cost) / math.sqrt(size) + 1e-6
    return items.within_cost + max(0, math.ceil((max(smooth, plain) - error) / 2))


def _plain(weight: np.ndarray, cost: np.ndarray, far: np.ndarray) -> float:
    """Return the bound from the links: eigenvalues, and the linear term of irregular networks and costs."""
    size = len(weight)
    near = np.linalg.eigvalsh(projected(weight))
    degree, sums = np.sort(weight.sum(axis=1)), np.sort(cost.sum(axis=1))[::-1]
    linear = 2 / size * float(degree @ sums) - float(degree.sum() * sums.sum()) / size**2
    return float(near @ far[::-1]) + linear


def projected(matrix: np.ndarray) -> np.ndarray:
    """Project a symmetric matrix onto the complement of the vector of ones, float64 (n - 1, n - 1).

    The last n - 1 columns of the Householder reflection that maps the vector of ones to the
    first axis are an orthonormal basis of the complement.
    """
    size = len(matrix)
    mirror = np.ones(size)
    mirror[0] += math.sqrt(size)
    mirror *= math.sqrt(2) / np.linalg.norm(mirror)
    half = matrix - np.outer(matrix @ mirror, mirror)
    return (half - np.outer(mirror, mirror @ half))[1:, 1:]
