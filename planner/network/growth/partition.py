"""Parts of a network and networks that shrink: what stays, what is cut, and how the rest is joined again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.core import seeds
from planner.core.errors import Infeasible
from planner.domain.model import Topology
from planner.network.growth.links.random import Network
from planner.network.growth.naming import chosen, extended
from planner.network.growth.step import step


@dataclass(frozen=True)
class Part:
    """A part of a network.

    Attributes
    ----------
    name
        Its group, or the chosen coordinates.
    routers
        Its routers in the whole network, ascending, int64 (R,).
    network
        The part alone, its routers in this order.
    cut
        Links between the part and the rest, which are idle while it runs alone.
    """

    name: str
    routers: np.ndarray
    network: Topology
    cut: int


def partition(network: Topology, level: int = -1) -> tuple[Part, ...]:
    """Return the groups of one level as parts: groups of a Dragonfly, pods of a fat tree, cabinets of a swapped Dragonfly.

    >>> from planner.network.topology import build
    >>> parts = partition(build("dragonfly", a=4, h=2))
    >>> len(parts), parts[0].network.link_count, parts[0].cut
    (9, 6, 8)
    """
    if not network.group_names:
        raise Infeasible("the network has no groups; name the routers of a part")
    label = network.group[:, level]
    name = network.group_names[level]
    return tuple(part(network, np.flatnonzero(label == value), f"{name} {value}") for value in np.unique(label).tolist())


def subnetwork(network: Topology, **coordinates: Sequence[int]) -> Part:
    """Return the part of the routers whose named coordinates have the given values.

    In a swapped Dragonfly, J cabinets and the same L drawers and positions are a D3(J, L) of their own.

    Raises
    ------
    Infeasible
        When the network has no such coordinate, or no router has these values.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> whole = build("swapped_dragonfly", k=4, m=4)
    >>> half = subnetwork(whole, cabinet=[0, 1], drawer=[0, 1, 2], position=[0, 1, 2])
    >>> half.network.link_count == build("swapped_dragonfly", k=2, m=3).link_count
    True
    """
    unknown = [name for name in coordinates if name not in network.coord_names]
    if unknown:
        raise Infeasible(f"{network.family} has no coordinate {unknown[0]}; it has {', '.join(network.coord_names)}")
    inside = np.ones(network.router_count, bool)
    for name, values in coordinates.items():
        inside &= np.isin(network.coords[:, network.coord_names.index(name)], list(values))
    if not inside.any():
        raise Infeasible("no router has these coordinates; give others")
    return part(network, np.flatnonzero(inside), ", ".join(f"{name} {list(values)}" for name, values in coordinates.items()))


def part(network: Topology, routers: np.ndarray, name: str = "") -> Part:
    """Return a part of a network by its routers."""
    inside = np.zeros(network.router_count, bool)
    inside[routers] = True
    cut = int((inside[network.links].sum(axis=1) == 1).sum())
    order = np.flatnonzero(inside)
    return Part(name, order, chosen(network, order), cut)


@dataclass(frozen=True)
class Shrink:
    """A network from which routers were taken out: a step of growth read backwards.

    Attributes
    ----------
    before, after
        Both networks.
    remaining
        Router of `before` that each router of `after` is, ascending, int64 (R,).
    kept
        Links that stay: index before and after, int64 (K, 2).
    removed
        Links taken out, of `before`, int64; each frees a cable.
    added
        Links put in between ports that became free, of `after`, int64.
    """

    before: Topology
    after: Topology
    remaining: np.ndarray
    kept: np.ndarray
    removed: np.ndarray
    added: np.ndarray


def shrink(network: Topology, leaving: Sequence[int], *, rejoin: bool = True, seed: Annotated[int, Ge(0)] = 1) -> Shrink:
    """Take routers out of a network, the reverse of growth by swaps.

    Ports that become free are joined: where router x leaves, its links (u, x) and (x, v) become (u, v), in random pairs, so that
    the remaining routers lose no ports but one here and there.

    Parameters
    ----------
    network
        The network.
    leaving
        Routers to take out.
    rejoin
        Whether to join freed ports; without, nothing is put in, as in hereditary families that lose a group.
    seed
        Seed of the pairs.

    Raises
    ------
    Infeasible
        When all routers leave, or one does not exist.

    References
    ----------
    .. [1] A. Singla, C.-Y. Hong, L. Popa, B. Godfrey, "Jellyfish: networking data centers randomly", NSDI 2012.
    """
    out = np.zeros(network.router_count, bool)
    wrong = [router for router in leaving if not 0 <= router < network.router_count]
    if wrong:
        raise Infeasible(f"there is no router {wrong[0]}; they are 0 to {network.router_count - 1}")
    out[list(leaving)] = True
    if out.all():
        raise Infeasible("all routers leave; keep at least one")
    rest = np.flatnonzero(~out)
    bare = chosen(network, rest)
    after = _rejoined(network, bare, rest, seed) if rejoin else bare
    change = step(bare, after)
    number = np.full(network.router_count, -1)
    number[rest] = np.arange(len(rest))
    old = np.flatnonzero((~out[network.links]).all(axis=1))
    # Links of the part are in the order of the whole network, as routers are.
    kept = np.column_stack([old[change.kept[:, 0]], change.kept[:, 1]])
    removed = np.setdiff1d(np.arange(network.link_count), kept[:, 0])
    return Shrink(network, after, rest, kept, removed, change.added)


def _rejoined(network: Topology, bare: Topology, rest: np.ndarray, seed: int) -> Topology:
    draw = seeds.stream(seed, "growth.shrink")
    wired = Network(bare.links, network.degree[rest] - bare.degree)
    stubs = draw.permutation(np.repeat(np.arange(len(rest)), wired.free)).tolist()
    waiting: list[int] = []
    for router in stubs:
        mate = next((k for k, other in enumerate(waiting) if wired.may_join(router, other)), None)
        if mate is None:
            waiting.append(router)
        else:
            wired.join(router, waiting.pop(mate))
    return extended(bare, len(rest), np.array(wired.links).reshape(-1, 2), params={"routers": len(rest)}, like=bare)
