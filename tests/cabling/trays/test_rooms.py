"""What negotiations over one graph share is what each would compute; a few rounds overfill no more than the shortest routes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from planner.design.cabling.trays import rooms
from planner.design.cabling.trays.graph import Demands, TrayGraph, kernel_trays
from planner.design.cabling.trays.negotiation import negotiate


def grid(side, draw, room_um2):
    """Return a grid of trays with drawn lengths."""
    node = np.arange(side * side).reshape(side, side)
    ends = np.concatenate([np.column_stack([node[:, :-1].ravel(), node[:, 1:].ravel()]),
                           np.column_stack([node[:-1].ravel(), node[1:].ravel()])])  # fmt: skip
    length = draw.integers(1, 50, len(ends))
    return TrayGraph(side * side, ends, length, np.full(len(ends), room_um2), np.full(len(ends), 3))


def test_distances_are_those_of_dijkstra_in_any_order():
    draw = np.random.default_rng(3)
    graph = grid(5, draw, -1)
    trays = kernel_trays(graph, 1)
    weights = csr_array((graph.length_mm, graph.ends.T), shape=(25, 25))
    expected = dijkstra(weights, directed=False)
    for sources in ([3, 7], [7, 3, 20], [20], [], [0, 24, 3, 3]):
        found = rooms.of(graph).distances(trays, 3, np.array(sources, np.int64))
        assert found.tolist() == expected[sources].tolist()


@pytest.mark.parametrize("stored", [0, 30])
def test_distances_that_are_not_stored_are_computed_again(stored, monkeypatch):
    monkeypatch.setattr(rooms, "STORED", stored)
    graph = grid(4, np.random.default_rng(stored), -1)
    trays, known = kernel_trays(graph, 1), rooms.Graph()
    first = known.distances(trays, 3, np.array([1, 5]))
    assert known.distances(trays, 3, np.array([5, 1, 2]))[:2].tolist() == first[::-1].tolist()


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), room_um2=st.integers(1, 12))
def test_a_few_rounds_are_no_worse_than_the_shortest_routes(seed, room_um2):
    draw = np.random.default_rng(seed)
    graph = grid(4, draw, room_um2)
    ends = draw.integers(0, 16, (12, 2))
    demands = Demands(ends, np.zeros(12), draw.integers(1, 4, 12), draw.integers(1, 4, 12))
    free = TrayGraph(16, graph.ends, graph.length_mm, np.full(len(graph.ends), -1), graph.carries)
    shortest, quick = negotiate(free, demands), negotiate(graph, demands, thorough=False)
    use = np.zeros(len(graph.ends), np.int64)
    for demand, cables, start, stop in zip(
        shortest.demand.tolist(),
        shortest.cables.tolist(),
        shortest.indptr[:-1].tolist(),
        shortest.indptr[1:].tolist(),
        strict=True,
    ):
        use[shortest.segments[start:stop]] += cables * int(demands.cable_um2[demand])
    overflow = int(np.maximum(use - room_um2, 0).sum())
    assert int(quick.excess_um2.sum()) <= overflow
    assert quick.length_mm >= shortest.length_mm
    if not overflow:
        assert quick.length_mm == shortest.length_mm
    assert np.bincount(quick.demand, quick.cables, 12).tolist() == demands.cables.tolist()
