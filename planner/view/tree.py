"""The network as schedulers of jobs see it: a tree of switches over the nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner.domain.model import Plan, Topology
from planner.view.ends import distinct, plain, require_network
from planner.view.names import device_names
from planner.view.selection import named

_NAME = "A-Za-z0-9_.-"
_LENGTH = 63
"""Slurm takes 64 characters of a name, a label of Kubernetes 63."""


class Switch(NamedTuple):
    """A switch of the tree: level 0 has nodes, others have switches of the level below."""

    name: str
    level: int
    children: list[str]


class Tree(NamedTuple):
    """All switches, leaves first, and whether the network is no tree, so that groups of routers stand for its upper levels."""

    switches: list[Switch]
    is_approximate: bool

    @property
    def leaves(self) -> list[Switch]:
        """Return the switches that have nodes."""
        return [switch for switch in self.switches if switch.level == 0]

    @property
    def parents(self) -> dict[str, str]:
        """Return the switch above each switch and node."""
        return {child: switch.name for switch in self.switches for child in switch.children}


def tree(plan: Plan, role: str) -> Tree:
    """Return the tree of the network whose records a plan has.

    A leaf is a router with nodes; a node with several ports is at the first of its routers. Above the leaves of trees each
    level has a switch for each set of leaves that is connected up to this level; in other networks the groups of routers are
    the levels. All spines of a stage are thus one switch, since a switch of a tree has one above it.

    Parameters
    ----------
    plan
        A plan with a network.
    role
        Role of the devices that are nodes.

    Raises
    ------
    InputError
        When the plan has no network, or no device of this role is attached to it.
    """
    require_network(plan)
    topology, nodes = plan.topology, _nodes(plan, role)
    leaves = sorted(nodes)
    names, exact = device_names(plan), _is_tree(topology)
    spelled = plain(names, _NAME, _LENGTH)
    first = 0 if plan.inventory is None else plan.inventory.routers(plan.network).start
    called: dict[tuple[str | int, int], str] = {("leaf", leaf): spelled[names[first + leaf]] for leaf in leaves}
    called |= {("node", device): spelled[names[device]] for leaf in leaves for device in nodes[leaf]}
    levels = _levels(topology, np.array(leaves, int), exact)
    called |= {
        (level, int(number)): name if len(of := np.unique(column)) == 1 else f"{name}{place + 1:0{len(str(len(of)))}d}"
        for level, (name, column) in enumerate(levels, 1)
        for place, number in enumerate(np.unique(column))
    }
    called = distinct(called, _LENGTH)
    switches = [Switch(called["leaf", leaf], 0, [called["node", device] for device in nodes[leaf]]) for leaf in leaves]
    below = {leaf: called["leaf", leaf] for leaf in leaves}
    for level, (_, column) in enumerate(levels, 1):
        for number in np.unique(column).tolist():
            inside = dict.fromkeys(below[leaf] for leaf, own in zip(leaves, column.tolist(), strict=True) if own == number)
            switches.append(Switch(called[level, number], level, list(inside)))
        below = {leaf: called[level, own] for leaf, own in zip(leaves, column.tolist(), strict=True)}
    return Tree(switches, not exact and len(leaves) > 1)


def _nodes(plan: Plan, role: str) -> dict[int, list[int]]:
    """Return the devices of the role at each router, both ascending; a device is at the first router that it is attached to."""
    if plan.inventory is None:
        pairs = [
            (router, plan.topology.router_count + number) for number, router in enumerate(plan.topology.endpoint_router.tolist())
        ]
    else:
        inventory = plan.inventory
        ends = inventory.ends[inventory.endpoints(plan.network)] - (inventory.routers(plan.network).start, 0)
        pairs = ends[~inventory.is_router[ends[:, 1]]].tolist()
        roles = [inventory.role_names[number] for number in inventory.role[[node for _, node in pairs]].tolist()]
        if pairs and role not in roles:
            named("role", role, sorted(set(roles)))
        pairs = [pair for pair, own in zip(pairs, roles, strict=True) if own == role]
    router_of: dict[int, int] = {}
    for router, node in pairs:
        router_of.setdefault(node, router)
    found: dict[int, list[int]] = {}
    for node, router in sorted(router_of.items()):
        found.setdefault(router, []).append(node)
    return found


def _is_tree(topology: Topology) -> bool:
    """Return whether every link leads to the next level, but for links between leaves."""
    if "level" not in topology.coord_names or not topology.link_count:
        return False
    level = topology.coords[:, topology.coord_names.index("level")][topology.links]
    return bool((np.abs(level[:, 0] - level[:, 1]) == 1)[level.max(axis=1) > 0].all())


def _levels(topology: Topology, leaves: np.ndarray, exact: bool) -> list[tuple[str, np.ndarray]]:
    """Return name and partition of the leaves of each level above them, finest first; levels that join nothing are left out."""
    if not len(leaves):
        return []
    found: list[tuple[str, np.ndarray]] = []
    if exact:
        level = topology.coords[:, topology.coord_names.index("level")]
        for upper in range(1, int(level.max()) + 1):
            name = topology.role_names[topology.role[np.argmax(level == upper)]]
            found.append((name, _components(topology, level <= upper)[leaves]))
    else:
        found += [(name, topology.group[leaves, place]) for place, name in enumerate(topology.group_names)]
    found.append(("fabric", _components(topology, np.ones(topology.router_count, bool))[leaves]))
    kept: list[tuple[str, np.ndarray]] = []
    count = len(leaves)
    for name, column in found:
        if len(np.unique(column)) < count:
            kept.append((name, column))
            count = len(np.unique(column))
    return kept


def _components(topology: Topology, inside: np.ndarray) -> np.ndarray:
    """Return the connected part of each router of a network that has only the links between routers `inside`."""
    links = topology.links[inside[topology.links].all(axis=1)]
    joined = coo_array((np.ones(len(links)), links.T), shape=(topology.router_count,) * 2)
    return connected_components(joined, directed=False)[1]


def hostlist(names: Iterable[str]) -> str:
    """Return names as Slurm abbreviates them, separated by commas."""
    return ",".join(ranges(list(names)))


def ranges(names: list[str]) -> Iterator[str]:
    """Yield names with numbers at the end as ranges.

    >>> list(ranges(["node08", "node09", "node10", "node12", "login", "node1"]))
    ['node[08-10,12]', 'login', 'node1']
    """
    found = [re.fullmatch(r"(.*?)(\d{0,18})", name) for name in names]
    key = [(match[1], len(match[2])) for match in found if match]
    for (head, width), group in groupby(range(len(names)), key=lambda place: key[place]):
        if not width:
            yield from (names[place] for place in group)
            continue
        numbers = [int(names[place][len(head) :]) for place in group]
        runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0])]
        texts = [f"{run[0]:0{width}d}" + (f"-{run[-1]:0{width}d}" if len(run) > 1 else "") for run in runs]
        yield head + (f"[{','.join(texts)}]" if len(numbers) > 1 else texts[0])
