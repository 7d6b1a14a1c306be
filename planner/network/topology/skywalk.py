"""SkyWalk: random links by cabinet positions, straight ones before diagonal ones."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.core import seeds
from planner.core.errors import Infeasible
from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, is_connected, require, simple
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

EXAMPLE = {"columns": 3, "rows": 4, "routers_per_cabinet": 2, "inside": 1, "outside": 4}
"""A small instance, for tests and pictures."""

_TRIES = 10


def build(
    columns: Annotated[int, Ge(1)],
    rows: Annotated[int, Ge(1)],
    routers_per_cabinet: Annotated[int, Ge(1)],
    inside: Annotated[int, Ge(0)],
    outside: Annotated[int, Ge(1)],
    graph_seed: Annotated[int, Ge(0)] = 1,
    endpoints_per_router: EndpointsPerRouter = 1,
) -> Topology:
    """Build a SkyWalk network on a grid of cabinets with Z routers each.

    Inside a cabinet the routers are fully linked, or by `inside` random matchings. Between
    cabinets, straight links join cabinets of one row or column: one for each such pair where the
    outside ports suffice, otherwise random; the remaining ports take random diagonal links. The
    links of a cabinet are assigned to its routers round-robin, so degrees may differ by one. Router
    (x, y, z) has id (xR + y)Z + z for R rows.

    Parameters
    ----------
    columns
        Columns of the grid of cabinets.
    rows
        Rows of the grid of cabinets.
    routers_per_cabinet
        Routers per cabinet, Z.
    inside
        Ports per router for links inside its cabinet.
    outside
        Ports per router for links to other cabinets.
    graph_seed
        Seed of the random links; of ten draws the one with the maximum number of links is kept.
    endpoints_per_router
        One by default.

    Raises
    ------
    InputError
        When there is only one cabinet.
    Infeasible
        When no draw was connected.

    References
    ----------
    .. [1] I. Fujiwara, M. Koibuchi, H. Matsutani, H. Casanova, "Skywalk: a topology for HPC networks with low-delay switches",
           IPDPS 2014; the order of the steps follows its first author's public layout tool.

    Examples
    --------
    >>> build(columns=5, rows=17, routers_per_cabinet=2, inside=1, outside=11).router_count
    170
    """
    cabinets, z = columns * rows, routers_per_cabinet
    require(cabinets > 1, "rows", "there is only one cabinet", "use more rows or columns")
    inner = min(inside, z - 1)
    link_count = cabinets * z * (inner + outside) // 2
    # Each matching of cabinets marks all pairs and tries many of them.
    steps = _TRIES * (z * outside * (cabinets * cabinets // 100 + 2 * cabinets) + 4 * cabinets * inner + 2 * link_count)
    require_size("columns and rows", cabinets * z, link_count, scratch_bytes=8 * cabinets * cabinets, steps=steps)
    draw = seeds.stream(graph_seed, "topology.skywalk")
    best = None
    for _ in range(_TRIES):
        pairs = _cabinet_links(columns, rows, z, outside, draw)
        links = np.concatenate([_inside(cabinets, z, inside, draw), _routers(pairs, cabinets, z)])
        links = simple(links)
        if (best is None or len(links) > len(best)) and is_connected(cabinets * z, links):
            best = links
    if best is None:
        raise Infeasible(f"skywalk: {_TRIES} draws gave no connected network; raise outside")
    router = np.arange(cabinets * z)
    cabinet = router // z
    local = best[:, 0] // z == best[:, 1] // z
    return from_links(
        "skywalk",
        {
            "columns": columns, "rows": rows, "routers_per_cabinet": z, "inside": inside, "outside": outside,
            "graph_seed": graph_seed, "endpoints_per_router": endpoints_per_router,
        },
        len(router),
        best,
        endpoints=endpoints_per_router,
        link_class=np.where(local, 0, 1),
        link_class_names=("in cabinet", "between cabinets"),
        group=cabinet[:, None],
        group_names=("cabinet",),
        coords=np.column_stack([cabinet // rows, cabinet % rows, router % z]),
        coord_names=("column", "row", "router"),
        port_key=np.repeat(np.where(local, 0, 1)[:, None], 2, axis=1),
    )  # fmt: skip


def _inside(cabinets: int, z: int, inside: int, draw: np.random.Generator) -> np.ndarray:
    """Links inside all cabinets: complete where the ports suffice, else random matchings."""
    start = np.arange(cabinets)[:, None, None] * z
    if inside >= z - 1:
        return (start + np.column_stack(np.triu_indices(z, 1))).reshape(-1, 2)
    parts = [c * z + draw.permutation(z)[: z // 2 * 2].reshape(-1, 2) for c in range(cabinets) for _ in range(inside)]
    return np.concatenate(parts) if parts else np.zeros((0, 2), np.int64)


def _cabinet_links(columns: int, rows: int, z: int, outside: int, draw: np.random.Generator) -> np.ndarray:
    """Pairs of cabinets to be linked, int64 (N, 2)."""
    cabinets = columns * rows
    x, y = np.divmod(np.arange(cabinets), rows)
    limit = -(-((columns - 1) + (rows - 1)) // z)
    straight, diagonal = min(outside, limit), max(0, outside - limit)
    taken = np.eye(cabinets, dtype=bool)
    same_line = (x[:, None] == x) | (y[:, None] == y)
    parts = []
    if straight == limit:
        parts.append(np.argwhere(np.triu(same_line & ~taken)))
        taken |= same_line
    else:
        for _ in range(straight * z):
            parts.append(_matching(same_line & ~taken, taken, draw))
    off_line = ~same_line
    for _ in range(diagonal * z):
        parts.append(_matching(off_line & ~taken, taken, draw))
    return np.concatenate(parts)


def _matching(allowed: np.ndarray, taken: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """A random matching over the allowed pairs, which it marks as taken: shuffle, pair each with the first that is left."""
    left = draw.permutation(len(allowed)).tolist()
    pairs = []
    while left:
        a = left.pop(0)
        for place, b in enumerate(left):
            if allowed[a, b]:
                pairs.append((a, b))
                taken[a, b] = taken[b, a] = True
                left.pop(place)
                break
    return np.array(pairs, np.int64).reshape(-1, 2)


def _routers(pairs: np.ndarray, cabinets: int, z: int) -> np.ndarray:
    """Assign each end of a link between cabinets to a router of the cabinet, round-robin."""
    turn = np.zeros(cabinets, np.int64)
    links = np.empty_like(pairs)
    for number, (a, b) in enumerate(pairs.tolist()):
        links[number] = a * z + turn[a] % z, b * z + turn[b] % z
        turn[a] += 1
        turn[b] += 1
    return links
