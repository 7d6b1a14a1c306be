"""Leaf-spine network: any numbers of leaves, spines and uplinks, with parallel links."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, is_connected, require
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size
from planner.network.topology.construction.tiers import Striping, striped, wirings

EXAMPLE = {"leaves": 8, "spines": 4, "uplinks": 8, "leaves_per_unit": 4}
"""A small instance, for tests and pictures."""


def build(
    leaves: Annotated[int, Ge(1)],
    spines: Annotated[int, Ge(1)],
    uplinks: Annotated[int, Ge(1)],
    striping: Striping = "auto",
    endpoints_per_leaf: EndpointsPerRouter | None = None,
    leaves_per_unit: Annotated[int, Ge(1)] | None = None,
    rails: Annotated[int, Ge(1)] | None = None,
    peer_links: Annotated[int, Ge(0)] = 0,
) -> Topology:
    """Build a leaf-spine network, a two-level folded Clos network with any number of leaves.

    Router ids: leaves, then spines. Leaves are numbered unit by unit, and in a unit block by block, one leaf per rail:
    port r of every node of a block is attached to the leaf of rail r. Ports: down, then up.

    Parameters
    ----------
    leaves
        Number of leaves.
    spines
        Number of spines.
    uplinks
        Links of each leaf to the spines.
    striping
        ``in turn``: uplink u of leaf l goes to spine (l · uplinks + u) mod spines. ``blocked``: adjacent uplinks go to the
        same spine, uplink u to spine u div (uplinks / spines). ``auto``: blocked if the uplinks are a multiple of the spines,
        else in turn.
    endpoints_per_leaf
        Endpoints of each leaf; by default the number of uplinks, for full bisection.
    leaves_per_unit
        Leaves of a scalable unit; by default all leaves are one unit.
    rails
        Leaves of a block; by default all leaves of a unit.
    peer_links
        Links between leaves 2i and 2i + 1, which serve dual-homed nodes as a pair (multi-chassis link aggregation).

    Raises
    ------
    InputError
        When `leaves_per_unit`, `rails`, a blocked striping or pairs of leaves do not divide, or some leaves cannot reach others.

    References
    ----------
    .. [1] M. Alizadeh, T. Edsall, "On the data path performance of leaf-spine datacenter fabrics", HOTI 2013.
    .. [2] "NVIDIA DGX SuperPOD: next generation scalable infrastructure for AI leadership, reference architecture featuring
           NVIDIA DGX H100", RA-11333-001, 2023 (units and rails).

    Examples
    --------
    Four scalable units of 32 nodes with eight ports:

    >>> network = build(leaves=32, spines=16, uplinks=32, leaves_per_unit=8)
    >>> network.link_count, network.endpoint_count
    (1024, 1024)
    """
    unit = leaves if leaves_per_unit is None else leaves_per_unit
    block = unit if rails is None else rails
    require(leaves % unit == 0, "leaves_per_unit", f"{unit} does not divide {leaves} leaves", "use a divisor")
    require(unit % block == 0, "rails", f"{block} does not divide the {unit} leaves of a unit", "use a divisor")
    per_leaf = uplinks if endpoints_per_leaf is None else endpoints_per_leaf
    require(not peer_links or leaves % 2 == 0, "peer_links", f"{leaves} leaves do not form pairs", "use an even number of leaves")
    sized = leaves * uplinks + leaves // 2 * peer_links
    require_size("leaves, spines, uplinks and peer_links", leaves + spines, sized, endpoints=leaves * per_leaf)
    above = striped(leaves, spines, uplinks, striping, "striping")
    leaf = np.repeat(np.arange(leaves), uplinks)
    peers = np.repeat(np.arange(leaves - 1, step=2), peer_links)
    up = np.column_stack([leaf, leaves + above.ravel()])
    links = np.concatenate([up, np.column_stack([peers, peers + 1])])
    # Peer links use the last ports of a leaf that links use.
    last = uplinks + np.arange(len(peers)) % max(peer_links, 1)
    whole = is_connected(leaves + spines, links)
    require(whole, "spines", "some routers cannot reach others", "use fewer spines, or more uplinks")
    number = np.arange(leaves + spines)
    is_leaf = number < leaves
    return from_links(
        "leafspine",
        {"leaves": leaves, "spines": spines, "uplinks": uplinks, "striping": striping, "endpoints_per_leaf": endpoints_per_leaf}
        | {"leaves_per_unit": leaves_per_unit, "rails": rails, "peer_links": peer_links},
        leaves + spines,
        links,
        endpoints=np.where(is_leaf, per_leaf, 0),
        link_class=np.repeat([0, 1], [len(up), len(peers)]),
        link_class_names=("leaf–spine", "peer") if peer_links else ("leaf–spine",),
        group=np.where(is_leaf, number // unit, leaves // unit)[:, None],
        group_names=("unit",),
        coords=np.column_stack(
            [
                ~is_leaf,
                np.where(is_leaf, number // unit, 0),
                np.where(is_leaf, number % unit // block, number - leaves),
                np.where(is_leaf, number % block, 0),
            ]
        ),
        coord_names=("level", "unit", "number", "rail"),
        port_key=np.concatenate(
            [np.column_stack([np.tile(np.arange(uplinks), leaves), np.arange(len(up))]), np.column_stack([last, last])]
        ),
        role=~is_leaf,
        role_names=("leaf", "spine"),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the networks of full bisection whose spines use all ports, with leaves of as many ports, without building them."""
    for parallel, leaves in wirings(radix // 2, radix):
        uplinks = radix // 2
        if leaves * parallel == radix:
            parameters = {"leaves": leaves, "spines": uplinks // parallel, "uplinks": uplinks}
            yield {
                "parameters": parameters,
                "routers": leaves + parameters["spines"],
                "endpoints": leaves * uplinks,
                "diameter": 2,
            }
