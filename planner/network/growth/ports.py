"""Port numbers through growth: links that stay keep their ports, added links get ports that are free."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from planner.domain.model import Topology
from planner.network.growth.step import Step, step
from planner.network.growth.windows import Windows


def first_ports(topology: Topology) -> np.ndarray:
    """Return the port numbers of a network without a past, int64 (L, 2): at the lower and at the higher router of each link."""
    entry = np.empty((topology.link_count, 2), np.int64)
    owner = np.repeat(np.arange(topology.router_count), topology.degree)
    number = np.arange(len(owner)) - topology.indptr[owner]
    entry[topology.link, (owner == topology.links[topology.link, 1]).astype(int)] = number
    return entry


def ports(step: Step, before: np.ndarray | None = None) -> np.ndarray:
    """Return the port numbers of the new network, int64 (L, 2), at the lower and at the higher router of each link.

    Links that stay keep both numbers. At each router added links take the lowest free numbers, in the order of the new network's
    ports; those of links that are taken out are free.

    Parameters
    ----------
    step
        What stays, is moved and is added.
    before
        Port numbers of the old network, int64 (L, 2); by default the positions in its rows.
    """
    old, new = step.old, step.new
    before = first_ports(old) if before is None else before
    found = np.full((new.link_count, 2), -1)
    found[step.kept[:, 1]] = before[step.kept[:, 0]]
    # A router needs at most one number for each link that stays and each that is added.
    numbers = int(max(before.max(initial=-1) + 1, 0) + new.degree.max(initial=0))
    free = np.ones((new.router_count, numbers), bool)
    stay = found[:, 0] >= 0
    free[new.links[stay], found[stay]] = False
    router, number = np.nonzero(free)
    wanted = first_ports(new)
    added = np.column_stack([np.repeat(step.added, 2), np.tile([0, 1], len(step.added))])
    at = new.links[added[:, 0], added[:, 1]]
    order = np.lexsort((wanted[added[:, 0], added[:, 1]], at))
    rank = np.arange(len(order)) - np.searchsorted(at[order], at[order])
    choice = np.searchsorted(router, at[order]) + rank
    found[added[order, 0], added[order, 1]] = number[choice]
    return found


def aligned(old: Topology, new: Topology) -> Topology:
    """Return the new network with its ports in the order of `ports`.

    Where every router keeps or gains links, links that stay have the same port numbers in both networks.
    """
    change = step(old, new)
    number = ports(change)
    owner = np.repeat(np.arange(new.router_count), new.degree)
    end = (owner == new.links[new.link, 1]).astype(int)
    order = np.lexsort((number[new.link, end], owner))
    return replace(new, indices=new.indices[order], link=new.link[order])


def ordered_backward(networks: Sequence[Topology], steps: Sequence[Step], windows: Sequence[Windows]) -> list[Topology]:
    """Return the networks of all phases with ports numbered from the last one backward.

    Links that stay have their port of the last network. A link that is taken out in a step has the port of one that is added at
    its router in the same window or later, so that every window finds the ports that it needs free.

    Parameters
    ----------
    networks, steps, windows
        As in `planner.network.growth.plan.Growth`.
    """
    found = [networks[-1]]
    number = first_ports(networks[-1])
    for change, work in zip(reversed(steps), reversed(windows), strict=True):
        number = _of_old(change, work, number)
        old = change.old
        owner = np.repeat(np.arange(old.router_count), old.degree)
        end = (owner == old.links[old.link, 1]).astype(int)
        order = np.lexsort((number[old.link, end], owner))
        found.append(replace(old, indices=old.indices[order], link=old.link[order]))
    return found[::-1]


def _of_old(step: Step, work: Windows, after: np.ndarray) -> np.ndarray:
    """Return the port numbers of the old network, int64 (L, 2), given those of the new one."""
    old, new = step.old, step.new
    found = np.full((old.link_count, 2), -1)
    found[step.kept[:, 0]] = after[step.kept[:, 1]]
    leaves: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    comes: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for window, link in zip(work.moved.tolist(), step.moved.tolist(), strict=True):
        for side in (0, 1):
            leaves[int(old.links[link, side])].append((window, link, side))
    for window, link in zip(work.added.tolist(), step.added.tolist(), strict=True):
        for side in (0, 1):
            comes[int(new.links[link, side])].append((window, link, side))
    taken: dict[int, set[int]] = defaultdict(set)
    for router, port in zip(old.links[step.kept[:, 0]].ravel().tolist(), found[step.kept[:, 0]].ravel().tolist(), strict=True):
        taken[router].add(port)
    for router, own in leaves.items():
        free = max(int(new.degree[router]) - int(old.degree[router]), 0)
        # The first added links use ports that are free before.
        given = [int(after[link, side]) for _, link, side in sorted(comes[router])][free:]
        used = taken[router] | set(given)
        others = (port for port in range(len(used) + len(own)) if port not in used)
        for place, (_, link, side) in enumerate(sorted(own)):
            found[link, side] = given[place] if place < len(given) else next(others)
    return found
