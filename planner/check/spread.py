"""Rules of spread: no cabinet exceeds the limit of a set, and no cabinet's failure disconnects the network."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from planner.check.basis.nodes import joined_pairs, nodes
from planner.check.basis.places import cabinet_name, error
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation

_LARGE_SHARE = 0.25
"""Warning threshold: share of the pairs of surviving endpoints that one cabinet's failure disconnects."""
_WORK = 200_000_000
"""Maximum number of links examined; in larger plans, cabinets with many links come first."""

_FORESTS = 4
"""Spanning forests whose links are tried first; in a network of some dozen links at each router they nearly always suffice."""


@rule(90)
def routers_spread_as_configured(plan: Plan) -> Iterator[Violation]:
    """No cabinet has more routers of a set of `placement.spread` than the rule allows."""
    for spread in plan.study.get("placement", {}).get("spread", ()):
        limit = spread["at_most"]
        for routers in _sets(plan, spread):
            cabinets, count = np.unique(plan.placement.cabinet[plan.inventory.routers()][routers], return_counts=True)
            for cabinet in np.flatnonzero(count > limit):
                where = cabinet_name(plan, int(cabinets[cabinet]))
                yield error("routers_spread_as_configured", where, count[cabinet], limit, "routers", "too many of a set")


@rule(100, each="topology")
def no_cabinet_parts_the_rest(plan: Plan) -> Iterator[Violation]:
    """When one cabinet fails, almost all pairs of surviving endpoints stay connected.

    Endpoints in the cabinet, or of its routers, do not count; on planes that are not joined pairs are those of nodes. A warning,
    since a small network may have no choice.
    """
    topology, placement, inventory = plan.topology, plan.placement, plan.inventory
    if topology.endpoint_count < 2:
        return
    links, node = topology.links, nodes(plan)[0]
    of_link, of_endpoint = (placement.cabinet[inventory.ends[rows]] for rows in (inventory.links(), inventory.endpoints()))
    ends = np.bincount(of_link.ravel(), minlength=placement.cabinet_count)
    examined = np.argsort(-ends, kind="stable")[: max(1, _WORK // max(1, topology.link_count))]
    some, at_home = _forests(links, topology.router_count), placement.cabinet[inventory.routers()]
    few, (near, far) = links[some], of_link[some].T.copy()
    for cabinet in np.sort(examined[ends[examined] > 0]).tolist():
        # If a few links hold the other routers together, all do.
        whole = _parts(few[(near != cabinet) & (far != cabinet)], topology.router_count)[at_home != cabinet]
        if (whole == whole[:1]).all():
            continue
        parts = _parts(links[(of_link != cabinet).all(axis=1)], topology.router_count)
        left = (of_endpoint != cabinet).all(axis=1)
        alive, joined = joined_pairs(node[left], parts[topology.endpoint_router[left]])
        lost = 1 - joined / (alive * (alive - 1)) if alive > 1 else 0.0
        if lost > _LARGE_SHARE:
            message = "of the pairs of surviving endpoints are disconnected when it fails; see spread in [placement]"
            where = cabinet_name(plan, cabinet)
            yield Violation("no_cabinet_parts_the_rest", where, 100 * lost, 100 * _LARGE_SHARE, "%", "warning", message)


def _parts(links: np.ndarray, routers: int) -> np.ndarray:
    """Return the part of the network in which each router is, int32 (R,)."""
    graph = coo_array((np.ones(len(links), np.int8), tuple(links.T)), shape=(routers, routers))
    return connected_components(graph, directed=False)[1]


def _forests(links: np.ndarray, routers: int) -> np.ndarray:
    """Return the links of some spanning forests without a common link, int64: few links, and each router has several of them."""
    chosen, left = np.zeros(len(links), bool), np.arange(len(links))
    for _ in range(_FORESTS):
        # Numbers of parallel links add up, to one that may be of another link or of none: these only lengthen the search.
        number = csr_array((left + 1.0, tuple(links[left].T)), shape=(routers, routers))
        found = minimum_spanning_tree(number).data.astype(np.int64) - 1
        chosen[found[found < len(links)]] = True
        left = np.flatnonzero(~chosen)
    return np.flatnonzero(chosen)


def _sets(plan: Plan, rule: dict) -> list[np.ndarray]:
    """Return the sets of routers of a rule."""
    topology = plan.topology
    if rule.get("routers"):
        return [np.unique(np.array(rule["routers"], np.int64))]
    if rule.get("groups"):
        group = topology.group[:, topology.group_names.index(rule["groups"])]
        return [np.flatnonzero(group == number) for number in np.unique(group)]
    chosen = np.ones(topology.router_count, bool)
    for name, value in rule.get("where", {}).items():
        chosen &= topology.coords[:, topology.coord_names.index(name)] == value
    return [np.flatnonzero(chosen)]
