"""Failure domains: the network after the failure of each cabinet, row, zone, hall and tray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Le

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.design.failures.domains import domains_of
from planner.design.failures.pairs import separated
from planner.domain.model import Bisection, CablePlan, Domain, Failures, Inventory, Placement, Room, Topology
from planner.kernels.graph import failures as kernel
from planner.network.metrics import bisection, distances, nodes, planes

_BLOCK = 256
_LARGE = 20_000


def failures(
    topology: Topology,
    inventory: Inventory,
    room: Room,
    placement: Placement,
    cables: CablePlan,
    domains: Sequence[Domain] = (),
    *,
    seed: int,
    intact: Bisection | None = None,
    progress: Progress = silent,
    segments: bool = True,
    worst: Annotated[int, Ge(0), Le(100_000)] | None = None,
    starts: Annotated[int, Ge(1), Le(1000)] = 4,
) -> Failures:
    """Fail every domain of a plan in turn, and return the figures of the surviving network.

    A failed router takes its links and its endpoints with it; an endpoint fails with its box or
    its cable. A failed tray takes every cable routed over it. On planes that are not joined, pairs are those of nodes, which are
    connected as long as they share a plane.

    Parameters
    ----------
    topology, inventory, room, placement, cables, seed, progress
        Supplied by the flow.
    domains
        Further domains, such as power distribution units (kind ``PDU``); supplied by the flow.
    intact
        Bisection of the network, from whose halves those of the survivors start; supplied by the flow, by default computed.
    segments
        Whether each segment of a tray counts as a domain, in addition to whole trays.
    worst
        Number of worst domains of each kind, by lost pairs, to analyze in detail: hops and
        bisection of the surviving network. By default one in networks of up to 20,000 routers, none in
        larger ones, where each takes minutes.
    starts
        Number of random starts of each bisection.

    Raises
    ------
    InputError
        When a domain names ids that the network does not have.

    Examples
    --------
    A ring is disconnected by two of its cabinets, never by one: see ``tests/test_failures.py``.
    """
    if worst is None:
        worst = int(topology.router_count <= _LARGE)
    whole = Domain("none", "nothing failed")
    losses = [whole, *domains_of(inventory, room, placement, cables, segments=segments), *domains]
    _check(topology, domains)
    plane = planes(topology)
    node = nodes(topology, inventory.owners())[:, 0] if plane.any() else np.arange(topology.endpoint_count)
    result = figures_of(topology, losses, node, progress)
    kinds = tuple(dict.fromkeys(loss.kind for loss in losses))
    endpoints = topology.endpoint_count
    found: dict[str, Any] = {
        "routers": topology.router_count,
        "endpoints": endpoints,
        "node": node,
        "kinds": kinds,
        "kind": [kinds.index(loss.kind) for loss in losses],
        "names": [loss.name for loss in losses],
        "routers_lost": result[:, kernel.ROUTERS],
        "links_lost": result[:, kernel.LINKS],
        "endpoints_lost": result[:, kernel.ENDS] if endpoints else np.zeros(len(losses)),
        "components": result[:, kernel.COMPONENTS],
        "largest_routers": result[:, kernel.LARGEST_ROUTERS],
        "largest_endpoints": result[:, kernel.LARGEST_ENDS] if endpoints else np.zeros(len(losses)),
        "pairs_failed": result[:, kernel.LOST],
        "pairs_disconnected": result[:, kernel.DISCONNECTED],
    }
    blank: dict[str, Any] = {
        "diameter": np.full(len(losses), -1),
        "mean_hops": np.full(len(losses), np.nan),
        "bisection_lower": np.full(len(losses), -1),
        "bisection_upper": np.full(len(losses), -1),
    }
    ranked = Failures(**found, **blank)
    close = [number for kind in kinds for number in ranked.of(kind)[:worst].tolist()]
    if not close:
        return ranked
    before = bisection(topology, plane=plane, seed=seed, starts=starts) if intact is None else intact
    for done, number in enumerate(close, 1):
        _analyze(topology, plane, losses[number], before, number, blank, seed, starts)
        progress("failures", done, len(close), detail=losses[number].name)
    return Failures(**found, **blank)


def _check(topology: Topology, domains: Sequence[Domain]) -> None:
    counts = {"routers": topology.router_count, "links": topology.link_count, "endpoints": topology.endpoint_count}
    problems = []
    for domain in domains:
        for name, count in counts.items():
            given = np.asarray(getattr(domain, name))
            if len(given) and not (given.min() >= 0 and given.max() < count):
                place = f"failure domain {domain.kind} {domain.name}"
                problems.append(Problem(place, f"names {name} that the network does not have", f"there are {count}, from 0"))
    if problems:
        raise InputError(problems)


def figures_of(topology: Topology, losses: Sequence[Domain], node: np.ndarray, progress: Progress) -> np.ndarray:
    """Return the figures of every failure, int64 (failures, 8), columns as in `planner.kernels.graph.failures`.

    Pairs are those of nodes; `node`, int (H,), is that of each endpoint.
    """
    ends = topology.endpoints_of.astype(np.int64)
    if not topology.endpoint_count:
        ends = np.ones(topology.router_count, np.int64)
    forest, preorder = np.empty((4, topology.router_count), np.int32), np.empty(topology.router_count, np.int32)
    kernel.spanning_forest(topology.indptr, topology.indices, topology.link, forest, preorder)
    graph = topology.indptr, topology.indices, topology.link, topology.links, forest, preorder, ends
    result = np.zeros((len(losses), 8), np.int64)
    for first in range(0, len(losses), _BLOCK):
        block = losses[first : first + _BLOCK]
        failed = (
            *_joined([loss.routers for loss in block]),
            *_joined([loss.links for loss in block]),
            *_joined([topology.endpoint_router[np.unique(loss.endpoints)] for loss in block]),
        )
        kernel.losses(*graph, *failed, result[first : first + _BLOCK])
        progress("failures", first + len(block), len(losses))
    if (node != np.arange(len(node))).any():
        result[:, [kernel.LOST, kernel.DISCONNECTED]] = separated(topology, losses, node)
    return result


def _joined(rows: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the starts of the rows, int64 (rows + 1,), and all of their content, int64."""
    return np.append(0, np.cumsum([len(row) for row in rows])), np.concatenate(rows).astype(np.int64)


def _analyze(
    topology: Topology,
    plane: np.ndarray,
    lost: Domain,
    intact: Bisection,
    number: int,
    found: dict[str, np.ndarray],
    seed: int,
    starts: int,
) -> None:
    """Fill in hops and bisection of a surviving network; `plane`, int (R,), is that of each router before the failure."""
    left = survivors(topology, lost)
    hops = distances(left)
    found["diameter"][number] = hops.diameter
    found["mean_hops"][number] = hops.mean
    if left is topology:
        cut = intact
    elif left.link_count:
        halves = np.delete(intact.side, lost.routers)
        cut = bisection(left, plane=np.delete(plane, lost.routers), known=halves, seed=seed, starts=starts)
    found["bisection_lower"][number], found["bisection_upper"][number] = (cut.lower, cut.upper) if left.link_count else (0, 0)


def survivors(topology: Topology, lost: Domain) -> Topology:
    """Return the surviving routers and links, with the endpoints still connected to their router.

    Routers and groups are renumbered in order.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> left = survivors(build("torus", sizes=[6]), Domain("cabinet", "A01", routers=np.array([0, 3])))
    >>> left.router_count, left.links.tolist()
    (4, [[0, 1], [2, 3]])
    """
    if not (len(lost.routers) or len(lost.links) or len(lost.endpoints)):
        return topology
    alive = np.ones(topology.router_count, bool)
    alive[lost.routers] = False
    number = np.cumsum(alive) - 1
    kept = alive[topology.links].all(axis=1)
    kept[lost.links] = False
    ports = kept[topology.link]
    indptr = np.append(0, np.cumsum(ports))[topology.indptr]
    starts = np.append(True, alive)  # the row of a failed router is empty and is dropped
    fed = np.ones(topology.endpoint_count, bool)
    fed[lost.endpoints] = False
    router = topology.endpoint_router[fed]
    groups = [np.unique(column, return_inverse=True)[1] for column in topology.group[alive].T]
    return Topology(
        family=f"survivors of {topology.family}",  # properties of the family no longer hold
        params=topology.params,
        links=number[topology.links[kept]],
        link_class=topology.link_class[kept],
        link_class_names=topology.link_class_names,
        indptr=indptr[starts],
        indices=number[topology.indices[ports]],
        link=(np.cumsum(kept) - 1)[topology.link[ports]],
        endpoint_router=number[router[alive[router]]],
        group=np.column_stack(groups) if groups else np.zeros((int(alive.sum()), 0)),
        group_names=topology.group_names,
        coords=topology.coords[alive],
        coord_names=topology.coord_names,
        role=topology.role[alive],
        role_names=topology.role_names,
    )
