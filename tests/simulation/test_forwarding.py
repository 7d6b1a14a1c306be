"""Forwarding tables: every path arrives over ports of the routing, and links of trees are balanced."""

from __future__ import annotations

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.network.metrics.planes import planes
from planner.network.topology import build
from planner.simulation.forwarding import forwarding_tables
from planner.simulation.tables import routing_table

PLANE = {"leaves": 3, "spines": 2, "uplinks": 2, "endpoints_per_leaf": 2}
NETWORKS = {
    "slimfly": (build("slimfly", q=5, endpoints_per_router=2), "minimal"),
    "dragonfly": (build("dragonfly", a=4, h=2, endpoints_per_router=2), "minimal"),
    "torus": (build("torus", sizes=(3, 4), endpoints_per_router=1), "dimension_order"),
    "hyperx": (build("hyperx", sizes=(4, 3), endpoints_per_router=2), "single_path"),
    "tree": (build("fattree", k=2, levels=3), "up_down"),
    "spines": (build("leafspine", leaves=6, spines=3, uplinks=6, endpoints_per_leaf=6), "minimal"),
    "planes": (build("multiplane", plane="leafspine", planes=2, plane_parameters=PLANE), "minimal"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NETWORKS)
def test_every_path_arrives_over_ports_of_the_routing(name):
    network, routing = NETWORKS[name]
    chosen, _ = forwarding_tables(network, routing)
    plane = planes(network)
    table = routing_table(network, routing, plane=plane if plane.any() else None)
    offered = set(zip(table.router.tolist(), table.target.tolist(), table.port.tolist(), strict=True))
    target = np.concatenate([network.endpoint_router, np.arange(network.router_count)])
    for router in range(network.router_count):
        for number, wanted in enumerate(target.tolist()):
            here, hops = router, 0
            while here != wanted and (port := int(chosen[here, number])) >= 0:
                if number < network.endpoint_count:
                    assert (here, wanted, port) in offered
                here, hops = int(network.indices[network.indptr[here] + port]), hops + 1
                assert hops <= network.router_count
            assert (here == wanted) == (plane[router] == plane[wanted])
            if here == wanted:
                assert chosen[here, number] == -1


def test_endpoints_of_a_leaf_are_spread_over_all_uplinks():
    network, _ = NETWORKS["spines"]
    chosen, _ = forwarding_tables(network)
    for leaf in range(6):
        for other in set(range(6)) - {leaf}:
            assert sorted(chosen[leaf, : network.endpoint_count][network.endpoint_router == other]) == list(range(6))


def test_routings_without_a_fixed_path_are_refused():
    network, _ = NETWORKS["slimfly"]
    with pytest.raises(InputError, match=r"packets of valiant may pass router \d+ twice on their path to one destination"):
        forwarding_tables(network, "valiant")


def test_a_network_without_links():
    chosen, channels = forwarding_tables(build("leaves", leaves=3, endpoints_per_leaf=2))
    assert (chosen.shape, channels) == ((3, 9), 1)
    assert (chosen == -1).all()
