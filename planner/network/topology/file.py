"""A network from a file: edge list, adjacency list, BookSim anynet, GraphML, JSON, or the record of a plan."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import numpy as np

from planner.core import storage
from planner.core.errors import InputError, Problem
from planner.core.names import fault
from planner.domain.model import Topology
from planner.network.topology.construction import formats
from planner.network.topology.construction.graph import from_links
from planner.network.topology.construction.limits import EndpointsPerRouter
from planner.network.topology.construction.listing import Listing

_ROUTER, _ENDPOINT = re.compile(r"R\d+"), re.compile(r"E\d+")

EXAMPLE = {"path": str(Path(__file__).with_name("_examples") / "petersen.edges")}
"""A small instance, for tests and pictures."""


def build(
    path: Path,
    format: Literal["auto", "edges", "adjacency", "anynet", "graphml", "json", "record"] = "auto",
    parallel: bool = False,
    groups: Path | None = None,
    endpoints_per_router: EndpointsPerRouter | None = None,
) -> Topology:
    """Read a connected network without loops.

    If all router names are integers, ids follow their numeric order; otherwise ids follow the order of first
    appearance, and routers keep their names: in the plan's devices, labels and exports, and in tables of attachments.
    Endpoints are numbered router by router; where the file numbers or lists them in another order, they keep its names too.
    Traffic patterns and the ranks of jobs count them router by router.

    Parameters
    ----------
    path
        Graph file; relative to the folder of the study.
    format
        ``edges``: a line ``u v`` or ``u v weight`` for each link, as in Graph Golf, or with commas or semicolons; weights are
        not used. A first line with the number of routers and of links, or with names of columns, is a header.
        ``adjacency``: first ``N M``, then a line with the neighbors of each router, as in EvalNet and METIS.
        ``anynet``: BookSim's lines ``router 0 node 0 router 1``, whose nodes are the endpoints. ``graphml``;
        labels of nodes are their names. ``json``: NetworkX' node-link form. A directed file whose edges do not all occur in both
        directions is read as undirected. In these two a node with the attribute ``kind`` = ``endpoint``, ``node`` or
        ``host`` is an endpoint, and the attribute ``endpoints`` of a router is its number of endpoints. ``record``: the file
        ``topology.npz`` of a plan, whose family, coordinates, groups, roles and order of ports are kept. By default detected
        from the suffix or the content.
    parallel
        Whether repeated links are parallel links; otherwise they are errors.
    groups
        File with a line ``router group`` for each router, relative to the folder of the study; by default no groups.
    endpoints_per_router
        Number of endpoints of every router, overriding those in the file; by default those in the file, else one.

    Raises
    ------
    InputError
        When a file cannot be read, a line is invalid, or the network has a loop or is not connected.

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
    if format == "record" or (format == "auto" and Path(path).suffix == ".npz"):
        return _of_record(Path(path), parallel, groups, endpoints_per_router)
    listing = formats.read(str(path), format)
    found = np.array(listing.links(parallel), np.int64).reshape(-1, 3)
    listing.check()
    count = len(listing.routers)
    if not len(found):
        raise InputError(Problem("", "contains no link", "write at least one", str(path)))
    _require_connected(listing, found)
    ids, numbers = listing.order()
    router_names = _router_names(listing)
    names = _endpoint_names(listing, router_names) if endpoints_per_router is None else ()
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
        endpoint_names=names,
        router_names=router_names,
    )


def _of_record(path: Path, parallel: bool, groups: Path | None, endpoints_per_router: int | None) -> Topology:
    """Return the network that a plan stores."""
    given = {"parallel": parallel, "groups": groups, "endpoints_per_router": endpoints_per_router}
    if wrong := [name for name, value in given.items() if value not in (None, False)]:
        message = f"has no effect on the network of a plan, which has its own: {path}"
        raise InputError(Problem(name, message, "leave it out") for name in wrong)
    found = storage.restore(Topology, path)
    if why := _unsound(found):
        raise InputError(Problem("", f"is no network: {why}", "run the plan again that it is from", str(path)))
    return found


def _unsound(found: Topology) -> str:
    """Return why a record is no network; "" if it is one."""
    links, routers, count = found.links.astype(np.int64), found.router_count, found.link_count
    if routers < 1 or not count or links.min() < 0 or links.max() >= routers or (links[:, 0] >= links[:, 1]).any():
        return "a link does not join two of its routers"
    owner = np.repeat(np.arange(routers), np.maximum(found.degree, 0))
    shape = found.indptr[0] == 0 and len(owner) == len(found.link) == len(found.indices) == 2 * count
    if not shape or found.link.min() < 0 or found.link.max() >= count:
        return "its ports are not those of its links"
    ends = links[found.link]
    other = np.where(ends[:, 0] == owner, ends[:, 1], ends[:, 0])
    if not ((ends == owner[:, None]).any(axis=1) & (other == found.indices)).all() or (np.bincount(found.link) != 2).any():
        return "its ports are not those of its links"
    per_router = {"group": found.group, "coords": found.coords, "role": found.role}
    if wrong := [name for name, each in per_router.items() if len(each) != routers]:
        return f"{wrong[0]} is not given for each router"
    router = found.endpoint_router
    if len(router) and (router[0] < 0 or router[-1] >= routers or (np.diff(router) < 0).any()):
        return "an endpoint has no router"
    names = (found.group.shape[1], len(found.group_names)), (found.coords.shape[1], len(found.coord_names))
    ranges = (found.role, found.role_names), (found.link_class, found.link_class_names)
    if any(one != two for one, two in names) or any(each.max(initial=0) >= len(known) for each, known in ranges):
        return "its names do not fit its routers and links"
    return ""


def _router_names(listing: Listing) -> tuple[str, ...]:
    """Return the names of the routers unless they are numbers."""
    names = listing.router_names()
    for name in names:
        why = fault(name) or ("has the name of an endpoint of the plan" if _ENDPOINT.fullmatch(name) else "")
        if why:
            raise InputError(Problem("", f"router {name[:40]!r} {why}", "give it another name", listing.file))
    return names


def _endpoint_names(listing: Listing, routers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the endpoints where the file does not list them router by router."""
    names = tuple(listing.endpoint_names())
    if names and len(names) != listing.endpoints.total():
        message = f"names {len(names)} endpoints and counts {listing.endpoints.total() - len(names)} others"
        raise InputError(Problem("", message, "name all of them, or list those of a router one after the other", listing.file))
    for name in names:
        why = fault(name) or ("has the name of a router of the plan" if _ROUTER.fullmatch(name) or name in routers else "")
        if why:
            raise InputError(Problem("", f"endpoint {name[:40]!r} {why}", "give it another name", listing.file))
    return names


def _require_connected(listing: Listing, found: np.ndarray) -> None:
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


def _groups(path: str, listing: Listing, ids: list[int]) -> np.ndarray:
    """Return the group of each router id, int64 (R,), numbered by first appearance."""
    listed = Listing(path)
    numbers: dict[str, int] = {}
    group = np.full(len(ids), -1)
    for line, words in formats.lines(formats.read_text(path)):
        if len(words) == 2 and words[0] in listing.routers:
            group[ids[listing.routers[words[0]]]] = numbers.setdefault(words[1], len(numbers))
        elif words:
            listed.wrong(line, f"is not a router and its group: {' '.join(words)[:60]!r}", "write router group")
    missing = [name for name, number in listing.routers.items() if group[ids[number]] < 0]
    if missing:
        listed.wrong(0, f"{len(missing)} routers have no group, the first is {missing[0]}", "write a line for each router")
    listed.check()
    return group
