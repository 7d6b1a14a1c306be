"""Swapped Dragonfly D3(K, M): cabinets of drawers, one global link between every two drawers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, require, third
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

EXAMPLE = {"k": 2, "m": 4}
"""A small instance, for tests and pictures."""


def build(
    k: Annotated[int, Ge(1)],
    m: Annotated[int, Ge(2)],
    cabinets: tuple[Annotated[int, Ge(0)], ...] | None = None,
    positions: tuple[Annotated[int, Ge(0)], ...] | None = None,
    endpoints_per_router: EndpointsPerRouter | None = None,
) -> Topology:
    """Build D3(K, M), or the subnetwork D3(κ, λ) of the named cabinets and positions.

    Router (c, d, p), cabinet c, drawer d, position p, has id (cM + d)M + p. Its local ports
    1 … M - 1 lead to positions p + port modulo M; its global port γ leads to (c + γ, p, d). Port
    γ = 0 of router (c, d, d) would lead to itself and stays empty. Local ports
    come first, then the global ones by γ.

    Parameters
    ----------
    k
        Number of cabinets, K.
    m
        Drawers per cabinet and positions per drawer, M.
    cabinets
        Cabinets of the subnetwork, κ; by default all. Adding cabinets never moves existing cables.
    positions
        Drawers, and positions of each drawer, of the subnetwork, λ; by default all.
    endpoints_per_router
        By default a third of the radix K + M - 1, rounded.

    Raises
    ------
    InputError
        When a cabinet or position does not exist or is repeated, or the subnetwork is not connected.

    Notes
    -----
    The paper's port table has misprints (cabinet 8, and the second table's cabinet 3); the rule above is correct. Its Corollary 1
    counts ports, twice the links.

    References
    ----------
    .. [1] R. Draper, "The swapped Dragonfly", 2022.

    Examples
    --------
    >>> build(k=11, m=11).link_count
    13915
    """
    routers = (k if cabinets is None else len(cabinets)) * (m if positions is None else len(positions)) ** 2
    require_size("k and m", routers, routers * (k + m) // 2, scratch_bytes=8 * k * m * m + 100 * routers * (k + m))
    kappa = _chosen(cabinets, k, "cabinets")
    lam = _chosen(positions, m, "positions")
    c, d, p = (grid.ravel() for grid in np.meshgrid(kappa, lam, lam, indexing="ij"))
    code = (c * m + d) * m + p
    number = np.full(k * m * m, -1)
    number[code] = np.arange(len(code))
    ends, ports = [], []
    for port in range(1, m):
        far = (c * m + d) * m + (p + port) % m
        ends.append(np.column_stack([code, far]))
        ports.append(np.tile([port, m - port], (len(code), 1)))
    local = len(code) * (m - 1)
    for gamma in range(k):
        far = ((c + gamma) % k * m + p) * m + d
        ends.append(np.column_stack([code, far]))
        ports.append(np.tile([m + gamma, m + (k - gamma) % k], (len(code), 1)))
    pairs, keys = number[np.concatenate(ends)], np.concatenate(ports)
    is_local = np.arange(len(pairs)) < local
    # Every link appears from both ends; keep it once, and drop links that leave the subnetwork.
    keep = (pairs[:, 1] >= 0) & (pairs[:, 0] < pairs[:, 1])
    require(len(code) > 1 and bool(keep.any()), "positions", "leave a single router", "name more")
    radix = len(kappa) + len(lam) - 1
    drawers, cabinet_index = len(lam), np.searchsorted(kappa, c)
    return from_links(
        "swapped_dragonfly",
        {"k": k, "m": m, "cabinets": cabinets, "positions": positions, "endpoints_per_router": endpoints_per_router},
        len(code),
        pairs[keep],
        endpoints=third(radix) if endpoints_per_router is None else endpoints_per_router,
        link_class=np.where(is_local[keep], 0, 1),
        link_class_names=("local", "global"),
        group=np.column_stack([cabinet_index * drawers + np.searchsorted(lam, d), cabinet_index]),
        group_names=("drawer", "cabinet"),
        coords=np.column_stack([c, d, p]),
        coord_names=("cabinet", "drawer", "position"),
        port_key=keys[keep],
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield every whole D3(K, M) of a radix without building them."""
    for m in range(2, radix + 1):
        k = radix - m + 1
        routers = k * m * m
        endpoints = routers * third(radix)
        yield {"parameters": {"k": k, "m": m}, "routers": routers, "endpoints": endpoints, "diameter": 3}


def _chosen(chosen: tuple[int, ...] | None, size: int, place: str) -> np.ndarray:
    if chosen is None:
        return np.arange(size)
    wrong = [v for v in chosen if v >= size]
    require(bool(chosen) and not wrong, place, f"{wrong or 'nothing'} named; there are 0 … {size - 1}", "name some of these")
    require(len(set(chosen)) == len(chosen), place, "one is named twice", "name each once")
    return np.array(sorted(chosen))
