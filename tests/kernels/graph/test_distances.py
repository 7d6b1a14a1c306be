"""Distances and minimal ports against NetworkX."""

import networkx
import numpy as np
import pytest

from planner.kernels.graph.bfs import UNREACHED, hop_distances, minimal_ports


def rows(graph):
    indptr = np.cumsum([0] + [graph.degree(v) for v in range(len(graph))]).astype(np.int32)
    indices = np.array([w for v in range(len(graph)) for w in sorted(graph[v])], np.int32)
    return indptr, indices


@pytest.mark.parametrize(
    "graph",
    [
        networkx.petersen_graph(),
        networkx.cycle_graph(7),
        networkx.random_regular_graph(35, 60, seed=1),
        networkx.disjoint_union(networkx.path_graph(4), networkx.complete_graph(3)),
        networkx.empty_graph(1),
    ],
)
def test_distances_and_minimal_ports(graph):
    indptr, indices = rows(graph)
    count = len(graph)
    distance = np.empty((count, count), np.uint8)
    largest = hop_distances(indptr, indices, distance)
    expected = dict(networkx.all_pairs_shortest_path_length(graph))
    assert distance.tolist() == [[expected[a].get(b, UNREACHED) for b in range(count)] for a in range(count)]
    assert largest == max(max(row.values()) for row in expected.values())

    masks = np.empty((count, count, 2), np.uint32)
    minimal_ports(indptr, indices, distance, masks)
    for a in range(count):
        for b in expected[a]:
            word = int(masks[a, b, 0]) | int(masks[a, b, 1]) << 32
            nearer = [p for p, v in enumerate(sorted(graph[a])) if expected[v][b] == expected[a][b] - 1]
            assert [p for p in range(64) if word >> p & 1] == nearer


def test_too_long_paths_are_refused():
    indptr, indices = rows(networkx.path_graph(256))
    assert hop_distances(indptr, indices, np.empty((256, 256), np.uint8)) == -1
    indptr, indices = rows(networkx.path_graph(255))
    assert hop_distances(indptr, indices, np.empty((255, 255), np.uint8)) == 254
