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
    taper: Annotated[int, Ge(1)] = 1,
    endpoints_per_leaf: Annotated[int, Ge(0)] | None = None,
) -> Topology:
    """Build a k-ary n-tree: n levels of k^(n-1) routers, endpoints on level 0.

    Router (l, w) with digits w of base k has id l·k^(n-1) + w, the last digit fastest; (l, w) and
    (l + 1, v) are linked when w and v agree in all digits but digit l. Ports: down, then up.

    Parameters
    ----------
    k
        Links down and links up of a router; the top level uses the links down only.
    levels
        n.
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

    Examples
    --------
    >>> network = build(k=18)
    >>> network.router_count, network.endpoint_count
    (972, 5832)
    """
    width = k ** (levels - 1)
    require(
        levels * width <= 2_000_000, "levels", f"{levels} levels of {k}^{levels - 1} routers are too many", "use fewer levels"
    )
    w = np.arange(width)
    links, ports = [], []
    for level in range(levels - 1):
        step = k ** (levels - 2 - level)
        digit = w // step % k
        for other in range(k):
            links.append(np.column_stack([level * width + w, (level + 1) * width + w + (other - digit) * step]))
            ports.append(np.column_stack([np.full(width, k + other), digit]))
    router = np.arange(levels * width)
    level = router // width
    # Pods: routers below the top that share the first digits; the top level is one group, the core.
    pods = k if levels > 2 else 1
    pod = np.where(level < levels - 1, router % width % k if levels > 2 else 0, pods)
    if levels == 3:
        pod = np.where(level < 2, router % width % k, k)
    per_leaf = k * taper if endpoints_per_leaf is None else endpoints_per_leaf
    return topology(
        "fattree",
        {"k": k, "levels": levels, "taper": taper, "endpoints_per_leaf": endpoints_per_leaf},
        len(router),
        np.concatenate(links),
        endpoints=np.where(level == 0, per_leaf, 0),
        link_class=np.repeat(np.arange(levels - 1), width * k),
        link_class_names=[f"level {n}–{n + 1}" for n in range(levels - 1)],
        group=pod[:, None],
        group_names=("pod",),
        coords=np.column_stack([level, *(router % width // k**n % k for n in range(levels - 2, -1, -1))]),
        coord_names=("level", *(f"w{n}" for n in range(levels - 1))),
        port_key=np.concatenate(ports),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the k-ary trees of two to four levels with a radix without building them."""
    for levels in (2, 3, 4):
        k, odd = (radix, 0) if levels == 2 else divmod(radix, 2)
        if k >= 2 and not odd:
            routers = levels * k ** (levels - 1)
            parameters = {"k": k, "levels": levels}
            yield {"parameters": parameters, "routers": routers, "endpoints": k**levels, "diameter": 2 * (levels - 1)}
