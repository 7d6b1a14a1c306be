"""A routing of your own: every packet takes the highest-numbered minimal port; compared with adaptive minimal routing."""

from typing import Annotated, NamedTuple

import numpy as np

from planner.network import topology
from planner.simulation import simulate
from planner.simulation.routing import Here, Network, Packet, Routing, offer, routing_function


class Tables(NamedTuple):
    """What the routing computes once and reads for every packet."""

    port: Annotated[np.ndarray, np.uint32, 2]
    """Port toward each target: router, target."""


def prepare(network: Network) -> Routing:
    """Return the highest-numbered port toward each target, and the number of virtual channels."""
    rows, distance = network.topology, network.distance
    port = np.zeros(distance.shape, np.uint32)
    for router in range(rows.router_count):
        for number, neighbor in enumerate(rows.indices[rows.indptr[router] : rows.indptr[router + 1]]):
            port[router, distance[neighbor] < distance[router]] = number
    return Routing(virtual_channels=max(1, network.diameter), tables=Tables(port))


@routing_function
def candidates(here: Here, packet: Packet, tables: Tables, found):
    """Offer the one port toward the packet's target; the virtual channel is the hop number."""
    port = tables.port[here.router, packet.target_router]
    return offer(found, 0, port, channel=packet.hops)


def main() -> None:
    network = topology.build("hyperx", sizes=(5, 5), endpoints_per_router=3)
    delay_ps = np.full(network.link_count + network.endpoint_count, 25_000)
    for routing in ("minimal", "examples.own_routing"):
        result = simulate(network, delay_ps, seed=1, routing=routing, router_delay_ps=90_000, rate_gbps=100, loads=(0.3, 0.9))
        print(f"{routing}: accepted {result.accepted.round(3)} of {result.offered} phits per cycle and endpoint")


if __name__ == "__main__":
    main()
