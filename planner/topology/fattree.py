"""Fat-tree: k-ary n-trees, with tapering between the levels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from planner.model import Topology
from planner.topology._graph import require, topology

EXAMPLE = {"k": 2, "levels": 3}
"""A small instance, for tests and pictures."""


def build(
    k: Annotated[int, Ge(2)],
    levels: Annotated[int, Ge(2)] = 3,
    clos: bool = False,
    taper: Annotated[int, Ge(1)] = 1,
    endpoints_per_leaf: Annotated[int, Ge(0)] | None = None,
) -> Topology:
    """Build a k-ary n-tree, or a folded Clos network of full radix.

    The tree has n levels of k^(n-1) routers and endpoints on level 0. Router (l, w) with digits w of
    base k has id l·k^(n-1) + w, the last digit fastest; (l, w) and (l + 1, v) are linked when w and v
    agree in all digits but digit l. The folded Clos has two such trees below one top level, whose
    routers use all 2k ports: with R = 2k and three levels 5R²/4 routers and R³/4 endpoints.
    Ports: down, then up.

    Parameters
    ----------
    k
        Links down and links up of a router; the top level uses the links down only, in a folded Clos twice as many.
    levels
        n.
    clos
        True for the folded Clos.
    taper
        Endpoints per leaf are `taper` times the links up (oversubscription of the leaves).
    endpoints_per_leaf
        By default k · taper.

    Raises
    ------
    InputError
        When the tree would have more than two million routers.

    References
    ----------
    .. [1] F. Petrini, M. Vanneschi, "k-ary n-trees: high performance networks for massively parallel architectures", IPPS 1997.
    .. [2] M. Al-Fares, A. Loukissas, A. Vahdat, "A scalable, commodity data center network architecture", SIGCOMM 2008.

    Examples
    --------
    >>> network = build(k=18)
    >>> network.router_count, network.endpoint_count
    (972, 5832)
    """
    width, copies = k ** (levels - 1), 2 if clos else 1
    routers = ((levels - 1) * copies + 1) * width
    require(routers <= 2_000_000, "levels", f"{levels} levels of {k}^{levels - 1} routers are too many", "use fewer levels")
    links, ports = _links(k, levels, copies)
    router = np.arange(routers)
    level, place = np.divmod(router, copies * width)
    copy, word = np.divmod(place, width)
    # A pod: routers below the top that reach each other without it; the top level is one group, the core.
    pods = k if levels > 2 else 1
    pod = np.where(level < levels - 1, copy * pods + word % pods, copies * pods)
    per_leaf = k * taper if endpoints_per_leaf is None else endpoints_per_leaf
    return topology(
        "fattree",
        {"k": k, "levels": levels, "clos": clos, "taper": taper, "endpoints_per_leaf": endpoints_per_leaf},
        routers,
        links,
        endpoints=np.where(level == 0, per_leaf, 0),
        link_class=np.repeat(np.arange(levels - 1), copies * width * k),
        link_class_names=[f"level {n}–{n + 1}" for n in range(levels - 1)],
        group=pod[:, None],
        group_names=("pod",),
        coords=np.column_stack([level, copy, *(word // k**n % k for n in range(levels - 2, -1, -1))]),
        coord_names=("level", "half", *(f"w{n}" for n in range(levels - 1))),
        port_key=ports,
    )


def _links(k: int, levels: int, copies: int) -> tuple[np.ndarray, np.ndarray]:
    """Links and their ports, int64 (L, 2) each, level by level."""
    width = k ** (levels - 1)
    word = np.arange(width)
    links, ports = [], []
    for level in range(levels - 1):
        top = level == levels - 2
        step = k ** (levels - 2 - level)
        digit = word // step % k
        for copy in range(copies):
            start = (level * copies + copy) * width
            above = (level + 1) * copies * width + (0 if top else copy * width)
            for other in range(k):
                links.append(np.column_stack([start + word, above + word + (other - digit) * step]))
                ports.append(np.column_stack([np.full(width, k + other), digit + (copy * k if top else 0)]))
    return np.concatenate(links), np.concatenate(ports)


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the k-ary trees of two to four levels with a radix without building them."""
    for levels in (2, 3, 4):
        k, odd = (radix, 0) if levels == 2 else divmod(radix, 2)
        if k >= 2 and not odd:
            routers = levels * k ** (levels - 1)
            parameters = {"k": k, "levels": levels}
            yield {"parameters": parameters, "routers": routers, "endpoints": k**levels, "diameter": 2 * (levels - 1)}
