"""Routings, one file each: ``prepare(network, **parameters) -> Routing`` and the compiled ``candidates``.

What a routing of your own imports is here. A routing whose packets stay in their plane where planes are not joined declares
``PLANES = True``; others are refused for such networks.
"""

from planner.kernels.routing.view import NO_CANDIDATE, NOT_NOW, Here, Packet, offer, only, queued, routing_function
from planner.simulation.network import Network, Routing

__all__ = ["NOT_NOW", "NO_CANDIDATE", "Here", "Network", "Packet", "Routing", "offer", "only", "queued", "routing_function"]
