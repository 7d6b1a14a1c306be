"""What a family could be with routers of so many ports: its configurations, and of free families the sizes asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import floor, inf, prod
from typing import Any

from planner import registry
from planner.explore import MOST_RADIX, explore, families
from planner.metrics import least_mean
from planner.topology.fattree import level_routers, most_links
from planner.topology.slimfly import degree_of

_MOST_ROUTERS = 100_000
"""Larger networks are not looked at."""


@dataclass(frozen=True)
class Demand:
    """How many endpoints are wanted.

    Attributes
    ----------
    least
        At least so many.
    most
        At most so many; None where just `least` are wanted, and what is above is not asked for.
    oversubscription
        How many times as much as the links carry all endpoints may send.
    trimmed
        Whether endpoints above `least` are left out.
    """

    least: int
    most: int | None = None
    oversubscription: float = 1.0
    trimmed: bool = False


@dataclass(frozen=True)
class Candidate:
    """One network that a family can be, endpoints left open.

    Attributes
    ----------
    parameters
        What `planner.topology.build` takes, besides the family and the endpoints.
    key
        The parameter that says how many endpoints a router has.
    radix
        Most links of a router.
    leaves, leaf_links
        Routers with endpoints, and the links of each.
    limit
        No more endpoints at a router than this, by the family's own balance or by what no graph of this size exceeds.
    """

    family: str
    parameters: dict[str, Any]
    key: str
    routers: int
    radix: int
    leaves: int
    leaf_links: int
    limit: float

    def topology(self, endpoints: int) -> dict[str, Any]:
        """Return the section ``[topology]`` of a study with so many endpoints at each router that has any."""
        return {"family": self.family} | self.parameters | {self.key: endpoints}


def candidates(family: str, ports: int, demand: Demand) -> list[Candidate]:
    """Return what a family can be with routers of so many ports; empty where it cannot say.

    Examples
    --------
    >>> found = candidates("slimfly", 20, Demand(100))
    >>> [(c.parameters["q"], c.routers, c.radix) for c in found if c.radix < 12]
    [(3, 18, 5), (4, 32, 6), (5, 50, 7), (7, 98, 11)]
    """
    if family in _FREE:
        return list(_FREE[family](ports, demand))
    if family not in families():
        return []
    found = []
    for item in explore(range(1, min(ports, MOST_RADIX) + 1), [family], routers=(2, _MOST_ROUTERS)):
        if family == "dragonfly":
            found += _dragonflies(item.parameters, item.radix) if item.radix < ports else ()
        elif family == "megafly":
            s, rho = item.parameters["a"] // 2, item.parameters["rho"]
            found.append(_leafy(family, item.parameters, item.routers, item.radix, item.routers // 2, s, min(s, rho)))
        elif family == "polarstar" and not item.parameters["supernode_degree"]:
            # Without links inside its supernodes it is the Levi graph of a plane, the family projective.
            continue
        elif item.radix < ports:
            found.append(_flat(family, item.parameters, item.routers, item.radix, _balance(family, item.parameters)))
    return found


def can_choose(family: str) -> bool:
    """Return whether `candidates` knows the sizes of a family."""
    return family in _FREE or family in families()


def all_families() -> list[str]:
    """Return all families but that of files."""
    return [name for name in registry.names("topology") if name != "file"]


QUARTER = 1.25
"""How much more than they carry shortest ways may ask of the links of one class, as long as all links together suffice.

Networks that their authors call balanced are within it: 1.23 inside the supernodes of PolarStar (q = 11, d' = 3, 5 endpoints
at a router), 1.18 between the groups of a Dragonfly (a = 12, h = 6, 6 endpoints).
"""


def _balance(family: str, parameters: dict[str, Any]) -> float:
    """Most endpoints at a router by the balance that the family's authors ask for, or by what leaves its group at least.

    References
    ----------
    .. [1] J. Kim, W. Dally, S. Scott, D. Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008 (a = 2p = 2h).
    """
    if family == "dragonfly":
        return min(parameters["h"], parameters["a"] / 2)
    if family == "polarstar":
        return _leaving(parameters["q"] + 1, parameters["q"] ** 2 + parameters["q"] + 1)
    if family == "bundlefly":
        return _leaving(degree_of(parameters["s"]), 2 * parameters["s"] ** 2)
    return inf


def _leaving(links: int, groups: int) -> float:
    """Endpoints at a router with so many links to other groups: nearly every packet takes one of them."""
    return QUARTER * links * groups / (groups - 1)


def _dragonflies(parameters: dict[str, Any], radix: int) -> Iterator[Candidate]:
    """With the most groups, and with fewer where the palm tree joins all pairs of groups by equally many links."""
    a, h = parameters["a"], parameters["h"]
    for apart in range(2, a * h + 1):
        if a * h % apart == 0 and (routers := a * (apart + 1)) <= _MOST_ROUTERS:
            groups = {} if apart == a * h else {"groups": apart + 1}
            yield _flat("dragonfly", parameters | groups, routers, radix, _balance("dragonfly", parameters))


def _flat(family: str, parameters: dict[str, Any], routers: int, radix: int, balance: float = inf) -> Candidate:
    """A network whose routers all have endpoints; no graph of this degree has a smaller mean distance than `least_mean`."""
    mean = least_mean(routers, radix)
    bound = radix / mean if mean else inf
    return Candidate(family, parameters, "endpoints_per_router", routers, radix, routers, radix, min(balance, bound))


def _leafy(
    family: str, parameters: dict[str, Any], routers: int, radix: int, leaves: int, leaf_links: int, balance: float
) -> Candidate:
    return Candidate(family, parameters, "endpoints_per_leaf", routers, radix, leaves, leaf_links, balance)


def _fat_trees(ports: int, demand: Demand) -> Iterator[Candidate]:
    """The k-ary tree, the folded Clos network whose top uses all ports, and the same with fewer pods.

    The pods may have fewer subtrees as well, as many as divide those of whole ones, so that no port of theirs is unused.
    """
    for k in range(2, ports + 1):
        divisors = [m for m in range(2, k) if k % m == 0]
        for levels in (2, 3, 4):
            trees: list[dict[str, Any]] = [{}]
            if 2 * k <= ports:
                trees += [{"clos": True}, *({"clos": True, "subtrees": [pods]} for pods in range(2, 2 * k))]
                inner = divisors if levels > 2 else []
                trees += [{"clos": True, "subtrees": [pods, m]} for m in inner for pods in range(2, 2 * k + 1)]
            for tree in trees:
                count, radix = level_routers(k, levels, **tree), most_links(k, levels, **tree)
                if radix <= ports and sum(count) <= _MOST_ROUTERS:
                    parameters = {"k": k, "levels": levels} | tree
                    yield _leafy("fattree", parameters, sum(count), radix, count[0], k, k)


def _random(family: str, of: Callable[[int, int], dict[str, Any]]) -> Callable[[int, Demand], Iterator[Candidate]]:
    """Random graphs exist in any size: for each number of endpoints at a router all other ports are links."""

    def listed(ports: int, demand: Demand) -> Iterator[Candidate]:
        for endpoints in range(1, ports - 2):
            routers = -(-demand.least // endpoints) if demand.most is None else demand.most // endpoints
            routers += routers % 2 if demand.most is None else -(routers % 2)
            radix = ports - endpoints
            if radix < routers <= _MOST_ROUTERS:
                yield _flat(family, of(routers, radix), routers, radix)

    return listed


def _xpanders(ports: int, demand: Demand) -> Iterator[Candidate]:
    for degree in range(3, ports):
        for lifts in range(17):
            if (routers := (degree + 1) << lifts) <= _MOST_ROUTERS:
                yield _flat("xpander", {"degree": degree, "lifts": lifts}, routers, degree)


def _tori(ports: int, demand: Demand) -> Iterator[Candidate]:
    """Sizes as equal as possible in two to six dimensions; the mean distance of a torus is that of its rings together."""
    for sizes in _sizes(ports):
        routers = prod(sizes)
        mean = sum(size * size // 4 / size for size in sizes) * routers / (routers - 1)
        yield _flat("torus", {"sizes": list(sizes)}, routers, 2 * len(sizes), 2 * len(sizes) / mean)


def _meshes(ports: int, demand: Demand) -> Iterator[Candidate]:
    """The same; a row of n routers has a mean distance of (n² - 1) / 3n, and n - 1 links."""
    for sizes in _sizes(ports):
        routers = prod(sizes)
        mean = sum((size * size - 1) / (3 * size) for size in sizes) * routers / (routers - 1)
        links = sum(2 * (size - 1) / size for size in sizes)
        yield _flat("mesh", {"sizes": list(sizes)}, routers, 2 * len(sizes), links / mean)


def _hyperx(ports: int, demand: Demand) -> Iterator[Candidate]:
    """Sizes as equal as possible in two to five dimensions; the bisection of each bears as many endpoints as its size [2]_.

    References
    ----------
    .. [2] J. Ahn, N. Binkert, A. Davis, M. McLaren, R. Schreiber, "HyperX: topology, routing, and packaging of efficient
           large-scale networks", SC 2009 (bisection of each dimension).
    """
    for dimensions in range(2, 6):
        for radix in range(dimensions, ports):
            sizes = tuple((radix + 2 * dimensions - 1 - axis) // dimensions for axis in range(dimensions))
            if (routers := prod(sizes)) <= _MOST_ROUTERS:
                yield _flat("hyperx", {"sizes": list(sizes)}, routers, radix, min(sizes))


def _sizes(ports: int) -> Iterator[tuple[int, ...]]:
    for dimensions in range(2, min(6, (ports - 1) // 2) + 1):
        for size in range(3, floor(_MOST_ROUTERS ** (1 / dimensions)) + 1):
            for longer in range(dimensions):
                sizes = (size + 1,) * longer + (size,) * (dimensions - longer)
                if prod(sizes) <= _MOST_ROUTERS:
                    yield sizes


_FREE: dict[str, Callable[[int, Demand], Iterator[Candidate]]] = {
    "jellyfish": _random("jellyfish", lambda routers, degree: {"routers": routers, "degree": degree}),
    "fattree": _fat_trees,
    "dln": _random("dln", lambda routers, degree: {"routers": routers, "matchings": degree - 2}),
    "hyperx": _hyperx,
    "xpander": _xpanders,
    "torus": _tori,
    "mesh": _meshes,
}
"""Families of any size, and those whose list of configurations, as `planner explore` has it, leaves some out."""
