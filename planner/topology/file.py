"""A network from a file: edge list, adjacency list, BookSim anynet, GraphML or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from planner.errors import InputError, Problem
from planner.model import Topology
from planner.topology import _formats
from planner.topology._graph import from_links
from planner.topology._limits import EndpointsPerRouter

EXAMPLE = {"path": str(Path(__file__).with_name("_examples") / "petersen.edges")}
"""A small instance, for tests and pictures."""


def build(
    path: Path,
    format: Literal["auto", "edges", "adjacency", "anynet", "graphml", "json"] = "auto",
    parallel: bool = False,
    groups: Path | None = None,
    endpoints_per_router: EndpointsPerRouter | None = None,
) -> Topology:
    """Read a connected network without loops.

    If all router names are integers, ids follow their numeric order; otherwise ids follow the order of first
    appearance.

    Parameters
    ----------
    path
        Graph file; relative to the folder of the study.
    format
        ``edges``: a line ``u v`` or ``u v weight`` for each link, as in Graph Golf; weights are not used.
        ``adjacency``: first ``N M``, then a line with the neighbors of each router, as in EvalNet and METIS.
        ``anynet``: BookSim's lines ``router 0 node 0 router 1``, whose nodes are the endpoints. ``graphml``.
        ``json``: NetworkX' node-link form. In these two a node with the attribute ``kind`` = ``endpoint``, ``node`` or
        ``host`` is an endpoint, and the attribute ``endpoints`` of a router is its number of endpoints. By default detected from
        the suffix or the content.
    parallel
        Whether repeated links are parallel links; otherwise they are errors.
    groups
        File with a line ``router group`` for each router, relative to the folder of the study; by default no groups.
    endpoints_per_router
        Number of endpoints of every router, overriding those in the file; by default those in the file, else one.

    Raises
    ------
    InputError
        When a file cannot be read, a line is invalid, the network has a loop or is not connected, or endpoints are not numbered
        router by router (as in rail-optimized networks): each endpoint box is attached to one router.

    References
    ----------
    .. [1] N. Jiang et al., "A detailed and flexible cycle-accurate network-on-chip simulator", ISPASS 2013 (anynet).
    .. [2] "Graph Golf: the order/degree problem competition", National Institute of Informatics (edge lists).

    Examples
    --------
    >>> petersen = build(**EXAMPLE)
    >>> petersen.router_count, petersen.link_count
    (10, 15)
    """
    path = str(path)
    listing = _formats.read(path, format)
    found = np.array(listing.links(parallel), np.int64).reshape(-1, 3)
    listing.check()
    count = len(listing.routers)
    if not len(found):
        raise InputError(Problem("", "contains no link", "write at least one", path))
    _require_connected(listing, found)
    ids, numbers = listing.order()
    if endpoints_per_router is None:
        _require_ascending(listing)
    endpoints = np.full(count, 1 if endpoints_per_router is None else endpoints_per_router)
    if endpoints_per_router is None and listing.endpoints:
        endpoints[ids] = [listing.endpoints[number] for number in range(count)]
    return from_links(
        "file",
        {
            "path": path,
            "format": format,
            "parallel": parallel,
            "groups": None if groups is None else str(groups),
            "endpoints_per_router": endpoints_per_router,
        },
        count,
        np.array(ids)[found[:, :2]],
        endpoints=endpoints,
        group=None if groups is None else _groups(str(groups), listing, ids),
        group_names=() if groups is None else ("group",),
        coords=None if numbers is None else np.array(numbers)[:, None],
        coord_names=("name" if numbers else "router",),
    )


def _require_ascending(listing: _formats.Listing) -> None:
    """Reject attachments that cannot be represented: endpoints are numbered router by router."""
    if (pair := listing.out_of_order()) is not None:
        routers = list(listing.routers)
        place = [f"node {name} to router {routers[listing.home[name]]}" for name in pair]
        message = f"attaches {place[0]} and {place[1]}: endpoints must be numbered router by router"
        remedy = "renumber them, or set endpoints_per_router to attach that number to every router"
        raise InputError(Problem("", message, remedy, listing.file))


def _require_connected(listing: _formats.Listing, found: np.ndarray) -> None:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = len(listing.routers)
    graph = coo_array((np.ones(len(found), np.int8), (found[:, 0], found[:, 1])), shape=(count, count))
    parts, part = connected_components(graph, directed=False)
    if parts > 1:
        names = list(listing.routers)
        away = int(np.flatnonzero(part != part[0])[0])
        line = next((int(line) for u, v, line in found if away in (u, v)), 0)
        message = f"is not connected: {names[away]} cannot reach {names[0]}; there are {parts} components"
        raise InputError(Problem("", message, "connect the components, or keep one of them", listing.file, line))


def _groups(path: str, listing: _formats.Listing, ids: list[int]) -> np.ndarray:
    """Return the group of each router id, int64 (R,), numbered by first appearance."""
    listed = _formats.Listing(path)
    numbers: dict[str, int] = {}
    group = np.full(len(ids), -1)
    for line, words in _formats.lines(_formats.read_text(path)):
        if len(words) == 2 and words[0] in listing.routers:
            group[ids[listing.routers[words[0]]]] = numbers.setdefault(words[1], len(numbers))
        elif words:
            listed.wrong(line, f"is not a router and its group: {' '.join(words)[:60]!r}", "write router group")
    missing = [name for name, number in listing.routers.items() if group[ids[number]] < 0]
    if missing:
        listed.wrong(0, f"{len(missing)} routers have no group, the first is {missing[0]}", "write a line for each router")
    listed.check()
    return group
