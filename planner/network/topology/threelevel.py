"""Three-level rail-optimized fat tree: units of leaves, spines per rail, cores that join the rails."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, is_connected, require
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size
from planner.network.topology.construction.tiers import Striping, grouped, striped, wirings

EXAMPLE = {"units": 4, "rails": 2, "spines_per_pod": 4, "cores": 4, "uplinks": 4, "core_uplinks": 4}
"""A small instance, for tests and pictures."""


def build(
    units: Annotated[int, Ge(1)],
    rails: Annotated[int, Ge(1)],
    spines_per_pod: Annotated[int, Ge(1)],
    cores: Annotated[int, Ge(1)],
    uplinks: Annotated[int, Ge(1)],
    core_uplinks: Annotated[int, Ge(1)],
    leaves_per_rail: Annotated[int, Ge(1)] = 1,
    units_per_pod: Annotated[int, Ge(1)] | None = None,
    striping: Striping = "auto",
    endpoints_per_leaf: EndpointsPerRouter | None = None,
) -> Topology:
    """Build a three-level fat tree whose leaves share spines with the other leaves of their rail.

    A unit has `leaves_per_rail` leaves of each rail. The leaves of one rail in `units_per_pod` units are a pod: they are
    linked to the same spines, and no others. The number of groups of cores is the greatest common divisor of the numbers of
    cores and spines per pod: if it is that of the spines per pod, spine s of every pod is linked to the cores of group s.

    Router ids: leaves, spines, cores. Leaves are numbered unit by unit, in a unit block by block, one leaf per rail:
    port r of every node of a block is attached to the leaf of rail r. Spines are numbered pod by pod, the pods by units,
    then rails. Ports: down, then up.

    Parameters
    ----------
    units
        Number of scalable units.
    rails
        Rails: leaves to which the nodes of a block are attached.
    spines_per_pod
        Spines to which the leaves of a rail are linked.
    cores
        Number of cores.
    uplinks
        Links of each leaf to the spines of its pod.
    core_uplinks
        Links of each spine to the cores.
    leaves_per_rail
        Leaves of each rail in a unit: number of blocks of nodes.
    units_per_pod
        Units whose leaves of the same rail share spines; by default all.
    striping
        Order of the uplinks of leaves and spines, as in `leafspine`.
    endpoints_per_leaf
        Endpoints of each leaf; by default the number of uplinks, for full bisection.

    Raises
    ------
    InputError
        When `units_per_pod` or a blocked striping do not divide, or some leaves cannot reach others.

    References
    ----------
    .. [1] "NVIDIA DGX SuperPOD: next generation scalable infrastructure for AI leadership, reference architecture featuring
           NVIDIA DGX H100", RA-11333-001, 2023 (switches and cables of 16 to 64 units).
    .. [2] "NVIDIA DGX SuperPOD reference architecture featuring NVIDIA DGX GB200", RA-11338-001, 2025.
    .. [3] M. Al-Fares, A. Loukissas, A. Vahdat, "A scalable, commodity data center network architecture", SIGCOMM 2008.

    Examples
    --------
    Sixteen scalable units of 32 nodes with eight ports, and 64-port routers:

    >>> network = build(units=16, rails=8, spines_per_pod=16, cores=64, uplinks=32, core_uplinks=32)
    >>> np.bincount(network.role).tolist(), network.link_count, network.endpoint_count
    ([128, 128, 64], 8192, 4096)
    """
    together = units if units_per_pod is None else units_per_pod
    require(units % together == 0, "units_per_pod", f"{together} does not divide {units} units", "use a divisor")
    leaves, pods = units * leaves_per_rail * rails, units // together * rails
    spines, per_leaf = pods * spines_per_pod, uplinks if endpoints_per_leaf is None else endpoints_per_leaf
    routers = leaves + spines + cores
    require_size(
        "units, rails, spines_per_pod and cores",
        routers,
        leaves * uplinks + spines * core_uplinks,
        endpoints=leaves * per_leaf,
    )
    leaf = np.arange(leaves)
    block, rail = np.divmod(leaf, rails)
    unit = block // leaves_per_rail
    pod = unit // together * rails + rail
    pod_leaves = together * leaves_per_rail
    above = striped(pod_leaves, spines_per_pod, uplinks, striping, "striping")[block % pod_leaves]
    up = np.column_stack([np.repeat(leaf, uplinks), leaves + (pod[:, None] * spines_per_pod + above).ravel()])

    spine_pod, spine = np.divmod(np.arange(spines), spines_per_pod)
    core = grouped(pods, spines_per_pod, cores, core_uplinks, striping, "striping")
    to_core = np.column_stack([leaves + np.repeat(np.arange(spines), core_uplinks), leaves + spines + core.ravel()])
    links = np.concatenate([up, to_core])
    whole = is_connected(routers, links)
    require(whole, "cores", "some routers cannot reach others", "use fewer spines and cores, or more uplinks")

    # Down ports of a router come first: those to leaf or spine n have the key n, those up follow.
    port = np.concatenate([np.tile(np.arange(uplinks), leaves), routers + np.tile(np.arange(core_uplinks), spines)])
    level = np.repeat(np.arange(3), [leaves, spines, cores])
    coords = [
        np.column_stack([unit, block % leaves_per_rail, rail]),
        np.column_stack([spine_pod // rails, spine, spine_pod % rails]),
        np.column_stack([np.zeros(cores), np.arange(cores), np.zeros(cores)]),
    ]
    return from_links(
        "threelevel",
        {
            "units": units,
            "rails": rails,
            "spines_per_pod": spines_per_pod,
            "cores": cores,
            "uplinks": uplinks,
            "core_uplinks": core_uplinks,
            "leaves_per_rail": leaves_per_rail,
            "units_per_pod": units_per_pod,
            "striping": striping,
            "endpoints_per_leaf": endpoints_per_leaf,
        },
        routers,
        links,
        endpoints=np.where(level == 0, per_leaf, 0),
        link_class=np.repeat([0, 1], [len(up), len(to_core)]),
        link_class_names=("leaf–spine", "spine–core"),
        group=np.concatenate([unit, units + spine_pod, np.full(cores, units + pods)])[:, None],
        group_names=("unit",),
        coords=np.column_stack([level, np.concatenate(coords)]),
        coord_names=("level", "unit", "number", "rail"),
        port_key=np.column_stack([port, links[:, 0]]),
        role=level,
        role_names=("leaf", "spine", "core"),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the largest networks of full bisection of a radix, with all parallel links that divide and up to eight rails."""
    for parameters in trees(radix, radix):
        pods, links = parameters["units"] // parameters["units_per_pod"] * parameters["rails"], parameters["uplinks"]
        spines, leaves = pods * parameters["spines_per_pod"], parameters["units"] * parameters["rails"]
        yield {
            "parameters": parameters,
            "routers": leaves + spines + parameters["cores"],
            "endpoints": leaves * links,
            "diameter": 4,
        }


def trees(ports: int, pods: int) -> Iterator[dict[str, Any]]:
    """Yield the networks of full bisection for routers of `ports` ports, with `pods` pods and all parallel links that divide.

    >>> [tree["cores"] for tree in trees(8, 8)]
    [16, 8]
    """
    uplinks = ports // 2
    for parallel, leaves in wirings(uplinks, ports // 2):
        spines, up = uplinks // parallel, leaves * parallel
        # The cores of a group share the links up of one spine per pod evenly.
        each = next(cores for cores in range(1, up + 1) if up % cores == 0 and pods * up // cores <= ports)
        rails = gcd(8, pods)
        if up == uplinks:
            yield {
                "units": leaves * (pods // rails),
                "rails": rails,
                "spines_per_pod": spines,
                "cores": spines * each,
                "uplinks": uplinks,
                "core_uplinks": up,
                "units_per_pod": leaves,
            }
