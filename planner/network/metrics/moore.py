"""Moore bounds on size, diameter and mean distance of networks of a given degree.

As in the papers, without changes.

References
----------
.. [1] A. Hoffman, R. Singleton, "On Moore graphs with diameters 2 and 3", IBM J. Research and Development 4, 1960.
.. [2] V. Cerf et al., "A lower bound on the average shortest path length in regular graphs", Networks 4, 1974.
"""

from __future__ import annotations


def moore_bound(degree: int, diameter: int) -> int:
    """Return the maximum routers of a network of this degree and diameter.

    >>> moore_bound(7, 2)
    50
    """
    return 1 + degree * sum((degree - 1) ** hops for hops in range(diameter))


def min_diameter(routers: int, degree: int) -> int | None:
    """Return a lower bound of the diameter by the Moore bound; None if no connected network of this degree exists.

    >>> min_diameter(51, 7)
    3
    """
    diameter = 0
    while moore_bound(degree, diameter) < routers:
        if degree < 2 and diameter >= degree:
            return None
        diameter += 1
    return diameter


def min_mean(routers: int, degree: int) -> float | None:
    """Return a lower bound of the mean distance: the maximum number of routers at each distance.

    >>> round(min_mean(98, 11), 4)
    1.8866
    """
    diameter = min_diameter(routers, degree)
    if diameter is None or routers < 2:
        return None
    left, total, layer = routers - 1, 0, degree
    for hops in range(1, diameter + 1):
        here = min(left, layer)
        total += hops * here
        left -= here
        layer *= degree - 1
    return total / (routers - 1)


def moore_efficiency(routers: int, degree: int, diameter: int) -> float:
    """Return the number of routers relative to the Moore bound of this degree and diameter.

    >>> moore_efficiency(50, 7, 2)
    1.0
    """
    return routers / moore_bound(degree, diameter)
