"""Candidates of families of any size, by a rule per family (docs/compare.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, floor, isqrt, prod, sqrt
from typing import Any

from planner.network.topology.construction.field import prime_power
from planner.network.topology.construction.tiers import wirings
from planner.network.topology.fattree import level_routers, max_links
from planner.network.topology.mddp import start_graphs
from planner.network.topology.slimfly import degree_of
from planner.network.topology.threelevel import trees
from planner.studies.explore import MAX_RADIX, explore
from planner.studies.explore.candidate import MAX_ROUTERS, Candidate, Demand, flat, global_link_limit, leafy


def _fat_trees(ports: int, demand: Demand) -> Iterator[Candidate]:
    """Yield k-ary trees, folded Clos networks whose top level uses all ports, and the latter with fewer pods.

    Pods may also have fewer subtrees, a number that divides that of a complete pod, so that no port is unused.
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
                count, radix = level_routers(k, levels, **tree), max_links(k, levels, **tree)
                if radix <= ports and sum(count) <= MAX_ROUTERS:
                    parameters = {"k": k, "levels": levels} | tree
                    yield leafy("fattree", parameters, sum(count), radix, count[0], k, k)


def _leaf_spines(ports: int, demand: Demand) -> Iterator[Candidate]:
    """Yield networks of full bisection with all numbers of leaves and of parallel links that divide the uplinks."""
    uplinks = ports // 2
    for parallel, leaves_max in wirings(uplinks, ports):
        for leaves in range(2, leaves_max + 1):
            parameters = {"leaves": leaves, "spines": uplinks // parallel, "uplinks": uplinks}
            radix = max(uplinks, leaves * parallel)
            yield leafy("leafspine", parameters, leaves + uplinks // parallel, radix, leaves, uplinks, uplinks)


def _three_levels(ports: int, demand: Demand) -> Iterator[Candidate]:
    """Yield networks of full bisection with all numbers of pods, and of parallel links that divide the uplinks."""
    for pods in range(2, ports + 1):
        for tree in trees(ports, pods):
            leaves, spines, uplinks = tree["units"] * tree["rails"], pods * tree["spines_per_pod"], tree["uplinks"]
            radix = max(2 * uplinks, spines * uplinks // tree["cores"])
            routers = leaves + spines + tree["cores"]
            if routers <= MAX_ROUTERS:
                yield leafy("threelevel", tree, routers, radix, leaves, uplinks, uplinks)


def _random(family: str, of: Callable[[int, int], dict[str, Any]]) -> Callable[[int, Demand], Iterator[Candidate]]:
    """Return the candidates of random graphs, of any size: for each number of endpoints per router all other ports are links."""

    def listed(ports: int, demand: Demand) -> Iterator[Candidate]:
        for endpoints in range(1, ports - 2):
            routers = -(-demand.minimum // endpoints) if demand.maximum is None else demand.maximum // endpoints
            routers += routers % 2 if demand.maximum is None else -(routers % 2)
            radix = ports - endpoints
            if radix < routers <= MAX_ROUTERS:
                yield flat(family, of(routers, radix), routers, radix)

    return listed


def _xpanders(ports: int, demand: Demand) -> Iterator[Candidate]:
    for degree in range(3, ports):
        for lifts in range(17):
            if (routers := (degree + 1) << lifts) <= MAX_ROUTERS:
                yield flat("xpander", {"degree": degree, "lifts": lifts}, routers, degree)


def _tori(ports: int, demand: Demand) -> Iterator[Candidate]:
    """Yield sizes as equal as possible in two to six dimensions; the mean distance of a torus is the sum over its rings."""
    for sizes in _sizes(ports):
        routers = prod(sizes)
        mean = sum(size * size // 4 / size for size in sizes) * routers / (routers - 1)
        yield flat("torus", {"sizes": list(sizes)}, routers, 2 * len(sizes), 2 * len(sizes) / mean)


def _meshes(ports: int, demand: Demand) -> Iterator[Candidate]:
    """Yield sizes as for tori; a row of n routers has a mean distance of (n² - 1) / 3n, and n - 1 links."""
    for sizes in _sizes(ports):
        routers = prod(sizes)
        mean = sum((size * size - 1) / (3 * size) for size in sizes) * routers / (routers - 1)
        links = sum(2 * (size - 1) / size for size in sizes)
        yield flat("mesh", {"sizes": list(sizes)}, routers, 2 * len(sizes), links / mean)


def _hyperx(ports: int, demand: Demand) -> Iterator[Candidate]:
    """Yield sizes as equal as possible in two to five dimensions; the bisection limits endpoints to the smallest size [2]_.

    References
    ----------
    .. [2] J. Ahn, N. Binkert, A. Davis, M. McLaren, R. Schreiber, "HyperX: topology, routing, and packaging of efficient
           large-scale networks", SC 2009 (bisection of each dimension).
    """
    for dimensions in range(2, 6):
        for radix in range(dimensions, ports):
            sizes = tuple((radix + 2 * dimensions - 1 - axis) // dimensions for axis in range(dimensions))
            if (routers := prod(sizes)) <= MAX_ROUTERS:
                yield flat("hyperx", {"sizes": list(sizes)}, routers, radix, min(sizes))


def _sizes(ports: int) -> Iterator[tuple[int, ...]]:
    for dimensions in range(2, min(6, (ports - 1) // 2) + 1):
        for size in range(3, floor(MAX_ROUTERS ** (1 / dimensions)) + 1):
            for longer in range(dimensions):
                sizes = (size + 1,) * longer + (size,) * (dimensions - longer)
                if prod(sizes) <= MAX_ROUTERS:
                    yield sizes


def _mddp(ports: int, demand: Demand) -> Iterator[Candidate]:
    """Yield sizes as for random graphs, if a start graph of the degree is known; one trial from each of the nearest two."""
    for each in _random("mddp", lambda routers, degree: {"routers": routers, "degree": degree, "trials": 1})(ports, demand):
        if start_graphs(each.radix):
            yield each


def _skywalks(ports: int, demand: Demand) -> Iterator[Candidate]:
    """Yield grids, as square as possible, of cabinets of four fully linked routers; all other ports lead to other cabinets.

    No two cabinets are linked twice, which limits the number of outside links.
    """
    inside = _IN_CABINET - 1
    for endpoints in range(1, ports - inside):
        each = endpoints * _IN_CABINET
        if demand.maximum is None:
            cabinets = -(-demand.minimum // each)
            columns = ceil(sqrt(cabinets))
            rows = -(-cabinets // columns)
        else:
            columns = isqrt(demand.maximum // each)
            rows = demand.maximum // each // columns if columns else 0
        outside = min(ports - endpoints - inside, (columns * rows - 1) // _IN_CABINET)
        if outside > 0 and columns * rows * _IN_CABINET <= MAX_ROUTERS:
            parameters = {"columns": columns, "rows": rows, "routers_per_cabinet": _IN_CABINET, "inside": inside}
            yield flat("skywalk", parameters | {"outside": outside}, columns * rows * _IN_CABINET, inside + outside)


_IN_CABINET = 4


def _galaxyflies(ports: int, demand: Demand) -> Iterator[Candidate]:
    """Yield all numbers of routers per supernode and outside links per router that use all ports.

    A supernode has (q - δ) / 2 links inside its cluster and one to each other cluster. All but one in `clusters` packets of
    a router use one of the latter, which limits its endpoints.
    """
    fields = [q for q in range(3, MAX_ROUTERS) if degree_of(q) - q <= ports * ports // 4 and prime_power(q)]
    for a in range(2, ports):
        for outside in range(1, ports - a + 1):
            for q in fields:
                clusters = a * outside - (degree_of(q) - q) + 1
                if clusters < 2 or clusters * q * a > MAX_ROUTERS:
                    continue
                parameters = {"clusters": clusters, "q": q, "a": a}
                balance = global_link_limit(clusters - 1, clusters) / a
                yield flat("galaxyfly", parameters, clusters * q * a, a - 1 + outside, balance)


def _swapped(family: str, sides: int, swaps: float, max_nucleus: int) -> Callable[[int, Demand], Iterator[Candidate]]:
    """Return the candidates of networks of copies of a nucleus: one link of every router leads to another copy.

    Packets between copies use `swaps` of these links on average, which limits the endpoints per router. Nuclei are those of
    `_NUCLEI` with up to `max_nucleus` routers, of every radix.
    """

    def listed(ports: int, demand: Demand) -> Iterator[Candidate]:
        largest = min(max_nucleus, isqrt(MAX_ROUTERS // sides))
        for item in explore(range(1, min(ports - 1, MAX_RADIX + 1)), _NUCLEI, routers=(2, largest)):
            n = item.routers
            parameters = {"nucleus": item.family, "nucleus_parameters": item.parameters}
            yield flat(family, parameters, sides * n * n, item.radix + 1, global_link_limit(1, n * sides) / swaps)

    return listed


_NUCLEI = ("hypercube", "hyperx", "polarfly", "slimfly")
"""Complete graphs (HyperX of one dimension), HyperX of two and three, hypercubes, and networks of diameter 2."""


ANY_SIZE: dict[str, Callable[[int, Demand], Iterator[Candidate]]] = {
    "jellyfish": _random("jellyfish", lambda routers, degree: {"routers": routers, "degree": degree}),
    "fattree": _fat_trees,
    "leafspine": _leaf_spines,
    "threelevel": _three_levels,
    "dln": _random("dln", lambda routers, degree: {"routers": routers, "matchings": degree - 2}),
    "biswapped": _swapped("biswapped", 2, 1.5, 700),
    "galaxyfly": _galaxyflies,
    "hyperx": _hyperx,
    "xpander": _xpanders,
    "mddp": _mddp,
    "otis": _swapped("otis", 1, 1.0, 1000),
    "skywalk": _skywalks,
    "torus": _tori,
    "mesh": _meshes,
}
"""Families of any size, and those for which `planner explore` does not list all configurations."""
