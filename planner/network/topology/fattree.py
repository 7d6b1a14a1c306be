"""Fat-tree: k-ary n-trees and folded Clos networks, complete or partial, with optional tapering at the leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import Annotated, Any, NamedTuple

import numpy as np
from annotated_types import Ge, Le

from planner.domain.model import Topology
from planner.network.topology.construction.embedding import same_coordinates
from planner.network.topology.construction.graph import from_links, require
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

EXAMPLE = {"k": 2, "levels": 3}
"""A small instance, for tests and pictures."""

_ROLES = ("leaf", "spine", "core")
"""Roles of the lowest levels."""


def build(
    k: Annotated[int, Ge(2)],
    levels: Annotated[int, Ge(2), Le(24)] = 3,
    clos: bool = False,
    taper: Annotated[int, Ge(1)] = 1,
    endpoints_per_leaf: EndpointsPerRouter | None = None,
    subtrees: tuple[Annotated[int, Ge(2)], ...] = (),
) -> Topology:
    """Build a k-ary n-tree, or a folded Clos network of full radix.

    The tree has n levels of k^(n-1) routers and endpoints on level 0. Router (l, w) with digits w of
    base k has id l·k^(n-1) + w, the last digit fastest; (l, w) and (l + 1, v) are linked when w and v
    agree in all digits but digit l. The folded Clos has two such trees below one top level, whose
    routers use all 2k ports: with R = 2k and three levels 5R²/4 routers and R³/4 endpoints.
    Ports: down, then up.

    With `subtrees` a partial tree is built [3]: m subtrees below a router instead of k, or instead of 2k
    below the top of a folded Clos. Each of them is connected by p parallel links, and has k / p routers above instead
    of k, where p is the largest divisor of k for which m · p links fit. Every router below the top keeps k up links,
    and the network its full bisection, with fewer routers above.

    Parameters
    ----------
    k
        Down links and up links per router; the top level has down links only, 2k of them in a folded Clos.
    levels
        Number of levels, n.
    clos
        Whether to build a folded Clos instead of a k-ary n-tree.
    taper
        Ratio of endpoints to up links of a leaf (oversubscription).
    endpoints_per_leaf
        Endpoints per leaf; by default k · taper.
    subtrees
        Number of subtrees below a router of the top level, then of the level below it, and so on; by default all.

    Raises
    ------
    InputError
        When the tree is too large to be built, or `subtrees` has too many or too large entries.

    References
    ----------
    .. [1] F. Petrini, M. Vanneschi, "k-ary n-trees: high performance networks for massively parallel architectures", IPPS 1997.
    .. [2] M. Al-Fares, A. Loukissas, A. Vahdat, "A scalable, commodity data center network architecture", SIGCOMM 2008.
    .. [3] E. Zahavi, "Fat-tree routing and node ordering providing contention free traffic for MPI global collectives",
           J. Parallel and Distributed Computing 72(11), 2012 (parallel ports generalized fat-trees).

    Examples
    --------
    >>> network = build(k=18)
    >>> network.router_count, network.endpoint_count
    (972, 5832)

    Ten pods of 64-port routers, each with 16 of 32 leaves:

    >>> network = build(k=32, clos=True, subtrees=(10, 16))
    >>> network.router_count, network.endpoint_count
    (448, 5120)
    """
    limits = [2 * k if clos else k, *[k] * (levels - 2)]
    fits = len(subtrees) < levels and all(given <= room for given, room in zip(subtrees, limits, strict=False))
    require(fits, "subtrees", f"a tree of {levels} levels has at most {limits}, not {list(subtrees)}", "use fewer")
    require_size("k and levels", k, levels * k * k // 2)
    count = level_routers(k, levels, clos, subtrees)
    routers, start = sum(count), np.cumsum([0, *count])
    per_leaf = k * taper if endpoints_per_leaf is None else endpoints_per_leaf
    require_size("k, levels and taper", routers, k * (routers - count[-1]), endpoints=count[0] * per_leaf)
    shape, copies = _shape(k, levels, clos, subtrees)
    links, ports, classes = _links(k, shape, copies, start)
    level = np.repeat(np.arange(levels), np.diff(start))
    copy, word = np.divmod(np.arange(routers) - start[level], np.array([prod(digits) for digits in shape.digits])[level])
    # A pod: routers below the top that reach each other without it; the top level is one group, the core.
    pods = shape.below[-1] if levels > 2 else 1
    pod = np.where(level < levels - 1, copy * pods + word % pods, copies * pods)
    return from_links(
        "fattree",
        {"k": k, "levels": levels, "clos": clos, "taper": taper, "endpoints_per_leaf": endpoints_per_leaf}
        | ({"subtrees": list(subtrees)} if subtrees else {}),
        routers,
        links,
        endpoints=np.where(level == 0, per_leaf, 0),
        link_class=classes,
        link_class_names=[f"level {n}–{n + 1}" for n in range(levels - 1)],
        group=pod[:, None],
        group_names=("pod",),
        coords=np.column_stack([level, copy, _addresses(word, level, shape)]),
        coord_names=("level", "half", *(f"w{n}" for n in range(levels - 1))),
        port_key=ports,
        role=level,
        role_names=_ROLES[:levels] + tuple(f"level {n}" for n in range(len(_ROLES), levels)),
    )


def embed(old: Topology, target: Topology) -> np.ndarray | None:
    """Return the router of a larger tree that each router becomes, None where there is none.

    The second half of a complete folded Clos has the subtrees that come after the k of the first half.
    """
    if old.coord_names != target.coord_names:
        return None
    return same_coordinates(*(replace(tree, coords=_without_halves(tree)) for tree in (old, target)))


def _without_halves(tree: Topology) -> np.ndarray:
    coords = tree.coords.copy()
    half = tree.coord_names.index("half")
    coords[:, -1] += coords[:, half] * tree.params["k"]
    coords[:, half] = 0
    return coords


class _Shape(NamedTuple):
    """Shape of a tree, level by level.

    Attributes
    ----------
    below, above, parallel
        Between one level and the next: subtrees below a router, routers above one, and parallel links per pair.
    digits
        For each level the number of values of each digit of a router's word.
    """

    below: list[int]
    above: list[int]
    parallel: list[int]
    digits: list[list[int]]


def _shape(k: int, levels: int, clos: bool, subtrees: Sequence[int]) -> tuple[_Shape, int]:
    """Return the shape of a tree, and the number of copies below one top level: two for a complete folded Clos."""
    copies = 2 if clos and not subtrees else 1
    room = [k] * (levels - 2) + [2 * k // copies if clos else k]
    below = room[: levels - 1 - len(subtrees)] + list(subtrees[::-1])
    parallel = [max(p for p in range(1, k + 1) if k % p == 0 and m * p <= limit) for m, limit in zip(below, room, strict=True)]
    above = [k // p for p in parallel]
    return _Shape(below, above, parallel, [above[:level] + below[level:] for level in range(levels)]), copies


def level_routers(k: int, levels: int, clos: bool = False, subtrees: Sequence[int] = ()) -> list[int]:
    """Return the routers of every level, leaves first, without building the tree.

    >>> level_routers(32, 4, True, (49, 2))
    [3136, 3136, 3136, 2048]
    """
    shape, copies = _shape(k, levels, clos, subtrees)
    return [copies * prod(digits) for digits in shape.digits[:-1]] + [prod(shape.digits[-1])]


def max_links(k: int, levels: int, clos: bool = False, subtrees: Sequence[int] = ()) -> int:
    """Return the maximum number of links of a router without building the tree.

    >>> max_links(32, 4, True, (49, 2))
    64
    """
    shape, copies = _shape(k, levels, clos, subtrees)
    *inner, top = [m * p for m, p in zip(shape.below, shape.parallel, strict=True)]
    return max(copies * top, k + max(inner, default=0))


def _addresses(word: np.ndarray, level: np.ndarray, shape: _Shape) -> np.ndarray:
    """The digits of the words of all routers, (R, n - 1)."""
    digits = np.array(shape.digits)[level]
    step = np.cumprod(np.column_stack([np.ones(len(word), np.int64), digits[:, :0:-1]]), axis=1)[:, ::-1]
    return word[:, None] // step % digits


def _links(k: int, shape: _Shape, copies: int, start: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Links and their ports, int64 (L, 2) each, level by level, and the level of each, (L,)."""
    links, ports = [], []
    for level, (below, above, parallel) in enumerate(zip(shape.below, shape.above, shape.parallel, strict=True)):
        width = prod(shape.digits[level])
        top = level == len(shape.below) - 1
        step = prod(shape.digits[level][level + 1 :])
        word = np.arange(width)
        high, digit, low = word // (step * below), word // step % below, word % step
        for copy in range(copies):
            first = start[level] + copy * width
            next_first = start[level + 1] + (0 if top else copy * prod(shape.digits[level + 1]))
            for other in range(above):
                upper = next_first + (high * above + other) * step + low
                for wire in range(parallel):
                    down = (digit + (copy * k if top else 0)) * parallel + wire
                    links.append(np.column_stack([first + word, upper]))
                    ports.append(np.column_stack([np.full(width, k + other * parallel + wire), down]))
    sizes = [copies * k * prod(digits) for digits in shape.digits[:-1]]
    return np.concatenate(links), np.concatenate(ports), np.repeat(np.arange(len(sizes)), sizes)


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the k-ary trees of two to four levels with a radix without building them."""
    for levels in (2, 3, 4):
        k, odd = (radix, 0) if levels == 2 else divmod(radix, 2)
        if k >= 2 and not odd:
            routers = levels * k ** (levels - 1)
            parameters = {"k": k, "levels": levels}
            yield {"parameters": parameters, "routers": routers, "endpoints": k**levels, "diameter": 2 * (levels - 1)}
