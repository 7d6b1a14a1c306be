"""Construction of `Topology` records from edge lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.network.topology.construction.limits import require_size

_NEAR = 10_000


def from_links(
    family: str,
    params: dict[str, Any],
    routers: int,
    links: np.ndarray,
    *,
    endpoints: int | np.ndarray = 0,
    link_class: np.ndarray | None = None,
    link_class_names: Sequence[str] = ("link",),
    group: np.ndarray | None = None,
    group_names: Sequence[str] = (),
    coords: np.ndarray | None = None,
    coord_names: Sequence[str] = ("router",),
    port_key: np.ndarray | None = None,
    role: np.ndarray | None = None,
    role_names: Sequence[str] = ("router",),
    endpoint_names: tuple[str, ...] = (),
    router_names: tuple[str, ...] = (),
) -> Topology:
    """Return the record of a network from its links.

    Parameters
    ----------
    links
        Integer array (L, 2); without loops; duplicates are parallel links.
    endpoints
        Endpoints of every router, or one number for each router (R,).
    link_class
        Index into `link_class_names` for each link.
    group
        Integer array (R, G), finest level first.
    coords
        Integer array (R, D); by default the router's id.
    port_key
        Integer array (L, 2): ports of a router are numbered by ascending key, then by neighbor.
        By default the key is 0, so that ports follow the neighbors' ids.
    role
        Index into `role_names` for each router; by default all have the first.
    endpoint_names
        Names of the endpoints in a file, where they are kept.
    router_names
        Names of the routers in a file, unless they are numbers.
    """
    links = np.asarray(links, np.int64).reshape(-1, 2)
    classes = np.zeros(len(links), np.uint8) if link_class is None else np.asarray(link_class, np.uint8)
    keys = np.zeros((len(links), 2), np.int64) if port_key is None else np.asarray(port_key, np.int64)
    swap = links[:, 0] > links[:, 1]
    links[swap] = links[swap, ::-1]
    keys = np.where(swap[:, None], keys[:, ::-1], keys)
    order = np.lexsort((keys[:, 0], links[:, 1], links[:, 0]))
    links, classes, keys = links[order], classes[order], keys[order]
    indptr, indices, link = _rows(routers, links, keys)
    count = np.broadcast_to(np.asarray(endpoints), (routers,))
    require_size("", routers, len(links), endpoints=int(count.sum(dtype=np.float64)))
    group = np.zeros((routers, 0), np.int32) if group is None else np.asarray(group).reshape(routers, -1)
    return Topology(
        family=family,
        params=params,
        links=links,
        link_class=classes,
        link_class_names=tuple(link_class_names),
        indptr=indptr,
        indices=indices,
        link=link,
        endpoint_router=np.repeat(np.arange(routers), count),
        group=group,
        group_names=tuple(group_names),
        coords=np.arange(routers)[:, None] if coords is None else coords,
        coord_names=tuple(coord_names),
        role=np.zeros(routers, np.uint8) if role is None else role,
        role_names=tuple(role_names),
        endpoint_names=endpoint_names,
        router_names=router_names,
    )


def simple(links: np.ndarray) -> np.ndarray:
    """Return `links` with loops dropped and duplicates merged, lower router first, sorted.

    >>> simple(np.array([[2, 1], [1, 2], [3, 3]])).tolist()
    [[1, 2]]
    """
    links = np.sort(np.asarray(links, np.int64).reshape(-1, 2), axis=1)
    links = links[links[:, 0] != links[:, 1]]
    order = np.lexsort((links[:, 1], links[:, 0]))
    links = links[order]
    first = np.ones(len(links), bool)
    first[1:] = (links[1:] != links[:-1]).any(axis=1)
    return links[first]


def is_connected(routers: int, links: np.ndarray, components: int = 1) -> bool:
    """Return whether every router reaches every other, or each of a number of components is connected."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = np.asarray(links).reshape(-1, 2)
    graph = coo_array((np.ones(len(links), np.int8), (links[:, 0], links[:, 1])), shape=(routers, routers))
    return connected_components(graph, directed=False, return_labels=False) == components


def require(condition: bool, place: str, message: str, remedy: str = "") -> None:
    """Raise InputError unless a validity condition of a family holds."""
    if not condition:
        raise InputError(Problem(place, message, remedy))


def third(radix: int) -> int:
    """Return a third of the radix, rounded: the usual number of endpoints per router at diameter 3.

    >>> third(15), third(11)
    (5, 4)
    """
    return (2 * radix + 3) // 6


def nearest(value: int, valid: Iterable[int]) -> str:
    """Return the nearest valid values below and above as text.

    >>> nearest(6, [3, 5, 7, 8])
    'nearest: 5 and 7'
    """
    ordered = sorted(valid)
    around = [v for v in ordered if v < value][-1:] + [v for v in ordered if v > value][:1]
    return f"nearest: {' and '.join(map(str, around))}" if around else "there is none"


def nearest_where(value: int, valid: Callable[[int], bool], lowest: int) -> str:
    """Return the nearest valid values of at least `lowest` as text, searching up to 10,000 values in each direction.

    >>> nearest_where(6, lambda v: v % 2 == 1, 3)
    'nearest: 5 and 7'
    """
    below = range(value - 1, max(lowest, value - _NEAR) - 1, -1)
    above = range(max(value + 1, lowest), max(value, lowest) + _NEAR)
    return nearest(value, [found for side in (below, above) for found in islice(filter(valid, side), 1)])


def _rows(routers: int, links: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Adjacency rows in port order: indptr (R+1,), indices (2L,), link (2L,)."""
    owner = links.T.ravel()
    neighbor = links[:, ::-1].T.ravel()
    link = np.tile(np.arange(len(links)), 2)
    order = np.lexsort((link, neighbor, keys.T.ravel(), owner))
    indptr = np.zeros(routers + 1, np.int64)
    np.cumsum(np.bincount(owner, minlength=routers), out=indptr[1:])
    return indptr, neighbor[order], link[order]
