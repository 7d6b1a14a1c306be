"""Routings, one file each: ``prepare(network, **parameters) -> Routing`` and the compiled ``candidates``.

What a routing of your own imports is here.
"""

from planner.kernels.packet.records import routing_function, seen
from planner.simulation.network import Network, Routing

__all__ = ["Network", "Routing", "routing_function", "seen"]
