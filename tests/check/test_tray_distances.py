"""Tray distances over chains of nodes are those of Dijkstra's algorithm over all nodes."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import dijkstra

from planner.check.basis.graph import network
from planner.check.basis.tray_distances import TrayDistances


def _same_as_all_nodes(segments: list[tuple[int, int]], carries: list[int], length_mm: list[int], nodes: int) -> None:
    ends = np.array(segments, np.int64).reshape(-1, 2)
    room = SimpleNamespace(
        segments=ends,
        segment_carries=np.array(carries, np.int64),
        segment_mm=np.array(length_mm, np.int64),
        node_xyz=np.zeros((nodes, 3)),
    )
    own = np.flatnonzero((room.segment_carries & 1 == 1) & (ends[:, 0] != ends[:, 1]))
    graph = network(ends[own], np.maximum(room.segment_mm[own], 1e-6), nodes)
    a, b = np.divmod(np.arange(nodes * nodes), nodes)
    assert TrayDistances(room, 0).between(a, b).tolist() == np.round(dijkstra(graph, directed=False)).ravel().tolist()


@given(st.data(), st.integers(1, 12))
def test_any_trays(data, nodes):
    ends = st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1))
    segments = data.draw(st.lists(ends, max_size=2 * nodes))
    size = len(segments)
    carries = data.draw(st.lists(st.integers(1, 3), min_size=size, max_size=size))
    length_mm = data.draw(st.lists(st.integers(0, 40), min_size=size, max_size=size))
    _same_as_all_nodes(segments, carries, length_mm, nodes)


def test_ring_without_a_junction():
    _same_as_all_nodes([(n, (n + 1) % 7) for n in range(7)], [1] * 7, [5, 1, 9, 2, 2, 30, 4], 7)


def test_loop_at_one_junction():
    _same_as_all_nodes([(0, 1), (1, 2), (2, 3), (3, 1)], [1] * 4, [5, 1, 9, 2], 4)
