"""ECMP: a hash of source and target endpoint selects one of the minimal ports; a flow keeps its path."""

from __future__ import annotations

from typing import NamedTuple

from planner.kernels.routing import steps
from planner.kernels.routing.view import Here, Packet, only, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import targets

PLANES = True
"""Packets stay in their plane."""


class Tables(NamedTuple):
    """Tables of ECMP."""

    ports: steps.Ports
    salted: int
    """Whether the hash includes the router number."""


def prepare(network: Network, salted: bool = True) -> Routing:
    """Prepare equal-cost multi-path routing.

    Parameters
    ----------
    network
        The network.
    salted
        Whether the hash includes the router number. Otherwise all routers hash alike, and successive routers use
        few of their ports (hash polarization).

    Returns
    -------
    Routing
        Needs one virtual channel per hop of the diameter between endpoints, used in ascending order [2]_.

    Notes
    -----
    Differs from [1]_: the hash is the finalizer of SplitMix64 over both endpoints and the router, not a CRC over header fields.
    As there, ports share the range of the hash equally.

    References
    ----------
    .. [1] C. Hopps, "Analysis of an equal-cost multi-path algorithm", RFC 2992, 2000.
    .. [2] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    """
    ports = targets.ports(network.minimal_ports())
    return Routing(max(1, network.diameter), Tables(ports, salted), lookup=ports.mask)


@routing_function
def candidates(here: Here, packet: Packet, tables: Tables, found):
    """Offer the port that the packet's flow takes."""
    count = steps.toward(found, tables.ports, here.router, packet.target_router, packet.hops)
    salt = here.router if tables.salted else 0
    endpoint = packet.target_router << 16 | packet.target
    return only(found, steps.hashed(packet.source, endpoint, salt, count))
