"""Smaller networks of a family, from which one grows by the parameter that its rules of growth change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

from planner.network.topology.fattree import level_routers

Smaller = tuple[dict[str, Any], int]
"""Changed parameters, and the number of routers with endpoints."""


def smaller(family: str, parameters: dict[str, Any], *, reserve: bool = False) -> list[Smaller]:
    """Return what the parameters of smaller networks change, ascending in size, the network itself last; [] without a rule.

    Parameters
    ----------
    parameters
        Those of the largest network.
    reserve
        Whether ports follow the largest network, where a family may number them so; nothing moves then, and some ports stay free.

    Examples
    --------
    >>> smaller("dragonfly", {"a": 4, "h": 2, "groups": 4})
    [({'groups': 2}, 8), ({'groups': 3}, 12), ({'groups': 4}, 16)]
    >>> [change["sizes"] for change, _ in smaller("hyperx", {"sizes": [3, 3]})]
    [[2, 2], [3, 2], [3, 3]]
    """
    if family not in RULES:
        return []
    found = [(change, leaves) for change, leaves in RULES[family](parameters) if leaves > 1]
    if reserve and found and "groups" in found[-1][0]:
        return [(change | {"max_groups": found[-1][0]["groups"]}, leaves) for change, leaves in found]
    return found


def _groups(links: Callable[[dict[str, Any]], int], leaves: Callable[[dict[str, Any]], int]) -> _Rule:
    """Return the rule of networks of groups, with the links of a group to others and its routers with endpoints."""

    def rule(given: dict[str, Any]) -> Iterator[Smaller]:
        for groups in range(2, (given.get("groups") or links(given) + 1) + 1):
            yield {"groups": groups}, groups * leaves(given)

    return rule


def _counted(name: str, first: int = 2, per: Callable[[dict[str, Any]], int] = lambda given: 1) -> _Rule:
    """Return the rule of a parameter that counts routers with endpoints, or their equal parts."""

    def rule(given: dict[str, Any]) -> Iterator[Smaller]:
        for count in range(first, given[name] + 1):
            yield {name: count}, count * per(given)

    return rule


def _drawn(name: str, rest: int) -> _Rule:
    """Return the rule of random networks, with the parameter for the links of a router and how many more it has.

    Numbers of routers are even, so that no port is left over where the number of links is odd. Few routers have two links less
    than there are routers: complete graphs are not drawn.
    """

    def rule(given: dict[str, Any]) -> Iterator[Smaller]:
        for routers in dict.fromkeys([*range(6, given["routers"], 2), given["routers"]]):
            yield {"routers": routers, name: min(given[name], routers - 2 - rest)}, routers

    return rule


def _sizes(given: dict[str, Any]) -> Iterator[Smaller]:
    """Yield sizes whose largest coordinate shrinks by one from network to network: each is inside the next one."""
    sizes = list(given["sizes"])
    found = [list(sizes)]
    while max(sizes) > 2:
        # The last of equal coordinates, so that the sizes stay descending.
        axis = max(range(len(sizes)), key=lambda n: (sizes[n], n))
        sizes[axis] -= 1
        found.append(list(sizes))
    yield from (({"sizes": each}, prod(each)) for each in reversed(found))


def _pods(given: dict[str, Any]) -> Iterator[Smaller]:
    if not given.get("clos"):
        return
    k, levels, (whole, *inner) = given["k"], given["levels"], given.get("subtrees") or (2 * given["k"],)
    for pods in range(2, whole + 1):
        subtrees = [pods, *inner]
        yield {"subtrees": subtrees}, level_routers(k, levels, True, subtrees)[0]


def _units(given: dict[str, Any]) -> Iterator[Smaller]:
    """Yield numbers of whole pods of a network of three levels; all cores are there from the first pod."""
    pod = given.get("units_per_pod") or given["units"]
    for units in range(pod, given["units"] + 1, pod):
        yield {"units": units}, units * given["rails"] * given.get("leaves_per_rail", 1)


def _supernodes(given: dict[str, Any]) -> Iterator[Smaller]:
    """Yield even numbers of routers of each supernode; Paley supernodes have no pairs."""
    q, degree, kind = given["q"], given["supernode_degree"], given.get("supernode", "iq")
    whole = {"iq": 2 * degree + 2, "tournament": 2 * degree}.get(kind, 0)
    for routers in range(2, whole + 1, 2):
        yield {"supernode_routers": routers}, (q * q + q + 1) * routers


def _kautz(given: dict[str, Any]) -> Iterator[Smaller]:
    power = given["diameter"]
    for d in range(2, given["d"] + 1):
        yield {"d": d}, d**power + d ** (power - 1)


def _lifts(given: dict[str, Any]) -> Iterator[Smaller]:
    for lifts in range(given["lifts"] + 1):
        yield {"lifts": lifts}, (given["degree"] + 1) << lifts


def _nuclei(sides: int) -> _Rule:
    def rule(given: dict[str, Any]) -> Iterator[Smaller]:
        nucleus = given["nucleus_parameters"]
        for change, routers in smaller(given["nucleus"], nucleus):
            yield {"nucleus_parameters": nucleus | change}, sides * routers * routers

    return rule


_Rule = Callable[[dict[str, Any]], Iterator[Smaller]]

RULES: dict[str, _Rule] = {
    "biswapped": _nuclei(2),
    "dln": _drawn("matchings", 2),
    "dragonfly": _groups(lambda given: given["a"] * given["h"], lambda given: given["a"]),
    "fattree": _pods,
    "hypercube": lambda given: (({"dimensions": n}, 2**n) for n in range(1, given["dimensions"] + 1)),
    "hyperx": _sizes,
    "jellyfish": _drawn("degree", 0),
    "kautz": _kautz,
    "leafspine": _counted("leaves"),
    "mddp": _drawn("degree", 0),
    "megafly": _groups(lambda given: given["a"] // 2 * given["rho"], lambda given: given["a"] // 2),
    "mesh": _sizes,
    "otis": _nuclei(1),
    "polarstar": _supernodes,
    "swapped_dragonfly": _counted("k", 1, lambda given: given["m"] ** 2),
    "threelevel": _units,
    "torus": _sizes,
    "xpander": _lifts,
}
"""Rules by family. Networks of other families become the next member, or any network of its size."""
