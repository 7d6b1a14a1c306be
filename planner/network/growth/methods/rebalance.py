"""Rebalance: links between groups, or leaves and spines, are spread again over all pairs, and the exact minimum moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.errors import Infeasible
from planner.domain.model import Topology
from planner.network.growth.links.quotas import quotas
from planner.network.growth.methods import inside
from planner.network.growth.naming import extended


def grow(old: Topology, target: Topology) -> Topology:
    """Return a network of the target's size with evenly linked groups, or leaves and spines, and the maximum of old links.

    - Networks of groups with ``global`` links (Dragonfly, Megafly …): each two groups have the rounded-down or rounded-up mean
      number of links, old pairs keep theirs up to that, and the cut between old and new groups has its uniform share. Groups of
      several kinds, as in Slingshot, have the bundles of the target.
    - Leaf-spine networks: each leaf has the rounded-down or rounded-up mean number of uplinks to each spine.
    - All others, such as HyperX with parallel links: each pair of routers has the links of the target.

    Links that stay keep their routers and ports. Links are taken out where routers have lost the minimum of ports, and put in
    where they have the maximum of free ones.

    Parameters
    ----------
    old, target
        Networks of one family; the target's coordinates contain the old ones.

    Raises
    ------
    Infeasible
        When the target does not contain the old routers, or has too few ports.

    References
    ----------
    .. [1] S. Zhao, R. Wang, J. Zhou, J. Ong, J. Mogul, A. Vahdat, "Minimal rewiring: efficient live expansion for Clos data
           center networks", NSDI 2019.
    .. [2] "Oracle Exadata Database Machine Extending and Multi-Rack Cabling Guide".
    """
    goal = inside.grow(old, target)
    trunks = _trunks(goal)
    if trunks is None:
        return goal
    links = _Rebalanced(old, goal, trunks).links()
    rest = goal.link_class != trunks.link_class
    classes = np.concatenate([goal.link_class[rest], np.full(len(links), trunks.link_class)])
    wired = np.concatenate([goal.links[rest], links])
    return extended(old, goal.router_count, wired, params={"routers": goal.router_count}, link_class=classes, like=goal)


def applies(old: Topology, target: Topology) -> bool:
    """Return whether there are links that may be spread over pairs of groups or of leaves and spines, or parallel ones."""
    return _trunks(target) is not None or len(np.unique(old.links, axis=0)) < old.link_count


@dataclass(frozen=True)
class _Trunks:
    """Links to be spread.

    Attributes
    ----------
    link_class
        Their class.
    unit
        Group, or router, of each router, int (R,), -1 for routers without such links.
    side
        0 or 1 for each unit whose pairs are one of each side, -1 for pairs of any two.
    """

    link_class: int
    unit: np.ndarray
    side: np.ndarray


def _trunks(network: Topology) -> _Trunks | None:
    names = network.link_class_names
    if "global" in names and network.group_names == ("group",):
        unit = network.group[:, 0].astype(np.int64)
        return _Trunks(names.index("global"), unit, np.full(int(unit.max()) + 1, -1))
    if set(network.role_names) == {"leaf", "spine"} and names[:1] == ("leaf–spine",):
        return _Trunks(0, np.arange(network.router_count), (network.role == network.role_names.index("spine")).astype(int))
    return None


class _Rebalanced:
    """The links of a class, pair by pair of units."""

    def __init__(self, old: Topology, goal: Topology, trunks: _Trunks):
        self.unit = trunks.unit
        mine = goal.links[goal.link_class == trunks.link_class]
        self.before = old.links[old.link_class == trunks.link_class].astype(np.int64)
        ports = np.bincount(mine.ravel(), minlength=goal.router_count)
        used = np.bincount(self.before.ravel(), minlength=goal.router_count)
        # Routers of one role have the same ports; a target may leave some of them without a link.
        limit = np.zeros(goal.router_count, np.int64)
        for role in np.unique(goal.role):
            limit[goal.role == role] = ports[goal.role == role].max()
        self.free = np.maximum(limit, used) - used
        self.lost = np.zeros(goal.router_count, np.int64)
        units = len(trunks.side)
        budget = np.bincount(self.unit, weights=np.maximum(limit, used), minlength=units).astype(np.int64)
        lowest = np.zeros(units, np.int64)
        one, other = np.triu_indices(units, 1)
        fresh = np.ones(units, bool)
        fresh[self.unit[: old.router_count]] = False
        two_tiers = bool((trunks.side >= 0).all())
        if two_tiers:
            upper = trunks.side == 1
            across = trunks.side[one] != trunks.side[other]
            one, other = one[across], other[across]
            total = int(np.bincount(self.unit, weights=ports, minlength=units)[~upper].sum())
            budget[upper] = -(-total // int(upper.sum()))
            lowest[upper] = total // int(upper.sum())
        self.pairs = np.column_stack([one, other])
        self.number = np.full((units, units), -1)
        self.number[one, other] = self.number[other, one] = np.arange(len(one))
        pair = self.number[self.unit[self.before[:, 0]], self.unit[self.before[:, 1]]]
        if (pair < 0).any():
            raise Infeasible("old links join groups that the target does not join")
        self.had = np.bincount(pair, minlength=len(one))
        joined = np.bincount(self.number[self.unit[mine[:, 0]], self.unit[mine[:, 1]]], minlength=len(one))
        # Groups of several kinds have bundles by kind; there is nothing to balance.
        unlike = not two_tiers and len(joined) and joined.max() - joined.min() > 1
        self.wanted = joined if unlike else quotas(self.pairs, self.had, budget, lowest, None if two_tiers else fresh)
        self.of_pair = np.split(np.argsort(pair, kind="stable"), np.cumsum(self.had)[:-1])

    def links(self) -> np.ndarray:
        """Return all links of the class, int64 (L, 2)."""
        kept = np.ones(len(self.before), bool)
        for pair in np.flatnonzero(self.had > self.wanted).tolist():
            for _ in range(self.had[pair] - self.wanted[pair]):
                link = min(
                    (link for link in self.of_pair[pair].tolist() if kept[link]),
                    key=lambda link: (self.lost[self.before[link]].sum(), self.lost[self.before[link]].max(), link),
                )
                kept[link] = False
                self.lost[self.before[link]] += 1
                self.free[self.before[link]] += 1
        members = [np.flatnonzero(self.unit == unit).tolist() for unit in range(len(self.number))]
        joined = {tuple(ends) for ends in self.before[kept].tolist()}
        added = []
        for pair in np.flatnonzero(self.had < self.wanted).tolist():
            one, other = self.pairs[pair].tolist()
            for _ in range(self.wanted[pair] - self.had[pair]):
                added.append(self._join(members[one], members[other], joined))
        return np.concatenate([self.before[kept], np.array(added, np.int64).reshape(-1, 2)])

    def _join(self, one: list[int], other: list[int], joined: set[tuple[int, int]]) -> tuple[int, int]:
        """Use a port of each unit, at the router with the maximum of free ones; a parallel link only without other choice."""
        near = max(one, key=lambda router: (self.free[router], -router))
        far = max(other, key=lambda router: ((min(near, router), max(near, router)) not in joined, self.free[router], -router))
        if self.free[far] <= 0:
            far = max(other, key=lambda router: (self.free[router], -router))
        if self.free[near] <= 0 or self.free[far] <= 0:
            raise Infeasible("ports of a group do not suffice for its links; use fewer groups")
        self.free[[near, far]] -= 1
        joined.add((min(near, far), max(near, far)))
        return near, far
