"""A routing of your own: every packet takes the highest-numbered minimal port; compared with adaptive minimal routing."""

import numpy as np

from planner import topology
from planner.simulation import simulate
from planner.simulation.routing import Network, Routing, routing_function, seen


def prepare(network: Network) -> Routing:
    """Return a table of one minimal port per router and target; the virtual channel is the hop number."""
    rows, distance = network.topology, network.distance
    port = np.zeros(distance.shape, np.uint32)
    for router in range(rows.router_count):
        for number, neighbor in enumerate(rows.indices[rows.indptr[router] : rows.indptr[router + 1]]):
            port[router, distance[neighbor] < distance[router]] = number
    return Routing(max(1, network.diameter), port, np.zeros((1, 1), np.uint8), np.zeros(1, np.int64))


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the one candidate of packet `p`: port, virtual channel, penalty and label."""
    packet, _, port, _, _, found = seen(view)
    found[0, 0] = port[router, packet[p].target_router]
    found[0, 1] = packet[p].hops
    found[0, 2] = 0
    found[0, 3] = 0
    return 1


def main() -> None:
    network = topology.build("hyperx", sizes=(5, 5), endpoints_per_router=3)
    delay_ps = np.full(network.link_count + network.endpoint_count, 25_000)
    for routing in ("minimal", "examples.own_routing"):
        result = simulate(network, delay_ps, seed=1, routing=routing, router_delay_ps=90_000, rate_gbps=100, loads=(0.3, 0.9))
        print(f"{routing}: accepted {result.accepted.round(3)} of {result.offered} phits per cycle and endpoint")


if __name__ == "__main__":
    main()
