"""Random and irregular networks for the tests of metrics, and conversion to NetworkX and back."""

from dataclasses import replace

import networkx
import numpy as np

from planner.domain.model import Topology
from planner.network.topology import from_links


def from_networkx(graph: networkx.Graph, endpoints=1) -> Topology:
    links = np.array([edge[:2] for edge in graph.edges], np.int64).reshape(-1, 2)
    return from_links("made", {}, len(graph), links, endpoints=endpoints)


def to_networkx(network: Topology) -> networkx.MultiGraph:
    graph = networkx.MultiGraph()
    graph.add_nodes_from(range(network.router_count))
    graph.add_edges_from(network.links.tolist())
    return graph


def relabeled(network: Topology, seed: int) -> Topology:
    """The same network with router ids shuffled, groups and coordinates with them; endpoints are one of each router."""
    new = np.random.default_rng(seed).permutation(network.router_count)
    old = np.argsort(new)
    return replace(
        from_links("made", {}, network.router_count, new[network.links], endpoints=1),
        group=network.group[old],
        group_names=network.group_names,
        coords=network.coords[old],
        coord_names=network.coord_names,
    )


SMALL = {
    "petersen": networkx.petersen_graph(),
    "path": networkx.path_graph(9),
    "tree": networkx.balanced_tree(2, 3),
    "complete": networkx.complete_graph(7),
    "star": networkx.star_graph(6),
    "long cycle": networkx.cycle_graph(151),
    "grid": networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(4, 5)),
    **{f"regular {seed}": networkx.random_regular_graph(4, 18, seed=seed) for seed in range(4)},
    **{f"random {seed}": networkx.connected_watts_strogatz_graph(16, 5, 0.6, seed=seed) for seed in range(4)},
}
APART = networkx.disjoint_union(networkx.path_graph(4), networkx.complete_graph(3))
