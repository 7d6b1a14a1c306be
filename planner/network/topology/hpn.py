"""HPN: rail-optimized segments with two leaves per rail, one in each of two planes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, is_connected, require
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size
from planner.network.topology.construction.tiers import grouped

EXAMPLE = {"segments": 2, "rails": 2, "hosts_per_segment": 3, "spines_per_plane": 2}
"""A small instance, for tests and pictures."""

JOINED = False
"""Routers of different planes cannot reach each other."""

_PLANES = 2


def build(
    segments: Annotated[int, Ge(1)],
    rails: Annotated[int, Ge(1)] = 8,
    hosts_per_segment: EndpointsPerRouter = 136,
    spines_per_plane: Annotated[int, Ge(1)] = 60,
    pods: Annotated[int, Ge(1)] = 1,
    cores_per_plane: Annotated[int, Ge(0)] = 0,
    core_uplinks: Annotated[int, Ge(1)] = 8,
) -> Topology:
    """Build the network of dual-homed hosts: the two ports of NIC r are attached to the two leaves of rail r.

    A segment has two leaves (top-of-rack routers) per rail, one in each plane. Each leaf has one link to each spine
    (aggregation router) of its plane in its pod. Planes are not joined, in the cores neither; the cores of a plane join its pods,
    in groups as in `threelevel`.

    Router ids: leaves by segment, rail and plane; spines by pod and plane; cores by plane. Ports: down, then up.
    Packets stay in their plane. Sizes and the bisection count both planes; the other figures of `planner topology` are those
    of one plane, as in `multiplane`. Node h of a segment owns endpoint h of each of its leaves; ports 2r and 2r + 1 are
    those of NIC r.

    Parameters
    ----------
    segments
        Segments of a pod.
    rails
        NICs of a host.
    hosts_per_segment
        Endpoints of each leaf; by default 128 hosts and 8 spare ones.
    spines_per_plane
        Spines of a pod in each plane, and links up of each leaf.
    pods
        Number of pods.
    cores_per_plane
        Cores of each plane; none by default.
    core_uplinks
        Links of each spine to cores, if there are any; by default 8, 15 times fewer than those down in a pod of 15 segments.

    Raises
    ------
    InputError
        When pods have no cores to join them, or too few.

    References
    ----------
    .. [1] K. Qian et al., "Alibaba HPN: a data center network for large language model training", SIGCOMM 2024.

    Examples
    --------
    A pod of 15 segments:

    >>> network = build(segments=15)
    >>> np.bincount(network.role).tolist(), network.link_count
    ([240, 120], 14400)
    """
    leaves, spines, cores = pods * segments * rails * _PLANES, pods * _PLANES * spines_per_plane, _PLANES * cores_per_plane
    require(pods == 1 or cores_per_plane > 0, "cores_per_plane", f"{pods} pods are not joined without cores", "add cores")
    routers, up = leaves + spines + cores, core_uplinks if cores else 0
    endpoints = leaves * hosts_per_segment
    require_size("segments, rails and spines_per_plane", routers, leaves * spines_per_plane + spines * up, endpoints=endpoints)
    pod, segment, rail, plane = (axis.ravel() for axis in np.indices((pods, segments, rails, _PLANES)))
    own = (pod * _PLANES + plane)[:, None] * spines_per_plane + np.arange(spines_per_plane)
    links = [np.column_stack([np.repeat(np.arange(leaves), spines_per_plane), leaves + own.ravel()])]
    spine_pod, spine_plane, spine = (axis.ravel() for axis in np.indices((pods, _PLANES, spines_per_plane)))
    if cores:
        above = grouped(pods, spines_per_plane, cores_per_plane, core_uplinks, "auto", "core_uplinks")
        core = leaves + spines + (spine_plane * cores_per_plane)[:, None] + above[spine_pod, spine]
        links.append(np.column_stack([np.repeat(leaves + np.arange(spines), core_uplinks), core.ravel()]))
    core_plane, core = (axis.ravel() for axis in np.indices((_PLANES, cores_per_plane)))
    level = np.repeat(np.arange(3), [leaves, spines, cores])
    nothing = np.zeros((3, max(leaves, spines, cores)), np.int64)
    coords = [
        np.column_stack([pod, segment, rail, nothing[0, :leaves], plane]),
        np.column_stack([spine_pod, nothing[:2, :spines].T, spine, spine_plane]),
        np.column_stack([nothing[:, :cores].T, core, core_plane]),
    ]
    ends = np.concatenate(links)
    whole = is_connected(routers, ends, components=_PLANES)
    require(whole, "cores_per_plane", "some routers of a plane cannot reach others", "use fewer cores, or more core_uplinks")
    group = [
        pod * segments + segment,
        pods * segments + spine_pod * _PLANES + spine_plane,
        (segments + _PLANES) * pods + core_plane,
    ]
    return from_links(
        "hpn",
        {
            "segments": segments,
            "rails": rails,
            "hosts_per_segment": hosts_per_segment,
            "spines_per_plane": spines_per_plane,
            "pods": pods,
            "cores_per_plane": cores_per_plane,
            "core_uplinks": core_uplinks,
        },
        routers,
        ends,
        endpoints=np.where(level == 0, hosts_per_segment, 0),
        link_class=np.repeat(np.arange(len(links)), [len(each) for each in links]),
        link_class_names=("leaf–spine", "spine–core")[: len(links)],
        group=np.concatenate(group)[:, None],
        group_names=("segment",),
        coords=np.column_stack([level, np.concatenate(coords)]),
        coord_names=("level", "pod", "segment", "rail", "number", "plane"),
        # Down links of a router are before those up, both in order of the routers at their other end.
        port_key=np.column_stack([ends[:, 1], ends[:, 0]]),
        role=level,
        role_names=("leaf", "spine", "core")[: len(links) + 1],
    )


def nodes(topology: Topology) -> np.ndarray:
    """Return the endpoints of each node, int64 (nodes, 2 rails): those of its first NIC in both planes, then of the next one."""
    params = topology.params
    segments, hosts, ports = params["pods"] * params["segments"], params["hosts_per_segment"], _PLANES * params["rails"]
    return np.arange(topology.endpoint_count).reshape(segments, ports, hosts).transpose(0, 2, 1).reshape(segments * hosts, ports)


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield a pod of a radix with one link from each leaf to every spine, for eight and four rails, without building it."""
    for rails in (4, 8):
        segments, odd = divmod(radix, rails)
        spines = radix // 2
        if segments and spines and not odd:
            leaves = _PLANES * radix
            parameters = {"segments": segments, "rails": rails, "hosts_per_segment": spines, "spines_per_plane": spines}
            routers = leaves + _PLANES * spines
            yield {"parameters": parameters, "routers": routers, "endpoints": leaves * spines, "diameter": None}
