"""Faults: the network without what is dead, and the routing for what is left."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from planner.errors import InputError, Problem
from planner.kernels.packet.records import LINK_DEAD, ROUTER_DEAD
from planner.model import Topology
from planner.simulation.case import Fault
from planner.simulation.network import Network, Routing

NEVER = np.iinfo(np.int32).max
"""The cycle at which nothing dies."""


def stages(
    network: Network,
    prepare: Callable[[Network], Routing],
    cable_dead_at: np.ndarray,
    router_dead_at: np.ndarray,
) -> tuple[Network, Routing, tuple[Fault, ...]]:
    """Return the network with its ports in order of death, its first routing, and what dies later.

    A router's ports are turned so that those that die first come last. What is left is then a network
    with the same port numbers, for which any routing can be prepared; all of them are, before the run.

    Parameters
    ----------
    network
        The network with all its parts.
    prepare
        Prepares the routing.
    cable_dead_at
        Cycle from which each cable is dead, links first, then endpoints: int32 (L+H,); `NEVER` for those that live.
    router_dead_at
        Cycle from which each router is dead, with all its cables: int32 (R,).

    Raises
    ------
    InputError
        When no two endpoints are left, or the routing cannot be prepared for what is left.
    """
    topology = network.topology
    death = _deaths(topology, cable_dead_at, router_dead_at)
    times = np.unique(death[death < NEVER])
    if len(times) == 0:
        return network, prepare(network), ()
    ordered = dataclasses.replace(network, topology=_ordered(topology, death))
    left = [_routing(_left(ordered, death, time), prepare, time) for time in times]
    first = left[0] if times[0] <= 0 else prepare(ordered)
    faults = [
        Fault(int(time), _dead_ports(ordered, death, router_dead_at, time), routing)
        for time, routing in zip(times, left, strict=True)
    ]
    return ordered, first, tuple(faults)


def _deaths(topology: Topology, cable_dead_at: np.ndarray, router_dead_at: np.ndarray) -> np.ndarray:
    """Return the cycle from which each cable is dead, by itself or with a router at its ends."""
    of_links = router_dead_at[topology.links].min(axis=1, initial=NEVER)
    return np.minimum(cable_dead_at, np.concatenate([of_links, router_dead_at[topology.endpoint_router]]))


def _ordered(topology: Topology, death: np.ndarray) -> Topology:
    router = np.repeat(np.arange(topology.router_count), topology.degree)
    order = np.lexsort([-death[topology.link].astype(np.int64), router])
    return dataclasses.replace(topology, indices=topology.indices[order], link=topology.link[order])


def _left(network: Network, death: np.ndarray, time: int) -> Network:
    """Return the network of the cables that live longer than `time`; it keeps all routers, dead ones without cables."""
    topology = network.topology
    lives = death > time
    links, endpoints = lives[: topology.link_count], lives[topology.link_count :]
    if endpoints.sum() < 2:
        raise InputError(Problem("", f"fewer than two endpoints live beyond cycle {time}", "let more of them live"))
    row = links[topology.link]
    return Network(
        dataclasses.replace(
            topology,
            links=topology.links[links],
            link_class=topology.link_class[links],
            indptr=np.concatenate([[0], np.cumsum(row)])[topology.indptr].astype(np.int32),
            indices=topology.indices[row],
            link=(np.cumsum(links) - 1)[topology.link[row]].astype(np.int32),
            endpoint_router=topology.endpoint_router[endpoints],
        ),
        network.link_cycles[lives],
        None if network.rates is None else network.rates[lives],
        np.diff(network.first_port),
    )


def _routing(network: Network, prepare: Callable[[Network], Routing], time: int) -> Routing:
    try:
        return prepare(network)
    except InputError as error:
        raise InputError(
            [
                dataclasses.replace(problem, message=f"{problem.message}, after the faults of cycle {time}")
                for problem in error.problems
            ]
        ) from None


def _dead_ports(network: Network, death: np.ndarray, router_dead_at: np.ndarray, time: int) -> np.ndarray:
    """Return what `Fault.dead` holds."""
    topology, end = network.topology, int(network.first_port[-1])
    dead = np.zeros(end + topology.endpoint_count, np.int32)
    links, endpoints = np.split(np.where(death <= time, LINK_DEAD, 0), [topology.link_count])
    dead[network.link_ports] = links[:, None]
    dead[network.endpoint_port] = dead[end:] = endpoints
    router = np.repeat(router_dead_at <= time, np.diff(network.first_port))
    dead[:end][router] = ROUTER_DEAD
    return dead
