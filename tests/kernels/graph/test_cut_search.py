"""The kernels of cuts against a plain twin that keeps no lists."""

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.kernels.graph import cuts
from planner.kernels.random import below


def rows(graph: networkx.Graph) -> tuple[np.ndarray, np.ndarray]:
    neighbors = [sorted(graph[vertex]) for vertex in range(len(graph))]
    indptr = np.append(0, np.cumsum([len(row) for row in neighbors])).astype(np.int32)
    return indptr, np.array([other for row in neighbors for other in row], np.int32)


def halves(vertices: int, seed: int) -> np.ndarray:
    side = np.zeros(vertices, np.uint8)
    side[np.random.default_rng(seed).permutation(vertices)[: vertices // 2]] = 1
    return side


def state_of(seed: int) -> np.ndarray:
    return np.array([seed], np.uint64)


def cut_of(graph: networkx.Graph, side: np.ndarray) -> int:
    return sum(side[a] != side[b] for a, b in graph.edges)


def searched(graph: networkx.Graph, side: np.ndarray, rests: int, shortest: int, moves: int, patience: int, seed: int):
    """Cut, best sides and last sides by the kernel."""
    indptr, indices = rows(graph)
    vertices = len(graph)
    last, best_side = side.copy(), np.empty(vertices, np.uint8)
    gain, due = np.empty(vertices, np.int32), np.empty(rests, np.int32)
    links = cuts.gain_lists(indptr)
    cut = cuts.search(indptr, indices, last, best_side, gain, links, due, shortest, moves, patience, state_of(seed))
    return cut, best_side, last


def twin(graph: networkx.Graph, side: np.ndarray, rests: int, shortest: int, moves: int, patience: int, seed: int):
    """As `searched`, in plain Python: every gain is counted when it is wanted."""
    side, state = side.copy(), state_of(seed)
    # When a vertex was last put on a list: of equal gains the latest moves.
    stamp, clock = {vertex: vertex for vertex in graph}, len(graph)
    resting: dict[int, list[int]] = {}
    best, best_side, excess, latest = cut_of(graph, side), side.copy(), 0, -1

    def gain(vertex: int) -> int:
        return sum(1 if side[other] != side[vertex] else -1 for other in graph[vertex])

    for turn in range(moves):
        if turn - latest > patience:
            break
        for vertex in reversed(resting.pop(turn, [])):
            stamp[vertex], clock = clock, clock + 1
        top = [max((gain(v) for v in stamp if side[v] == half), default=-len(graph)) for half in (0, 1)]
        if excess:
            origin = 0 if excess > 0 else 1
        elif top[0] == top[1]:
            origin = int(below(state, 2))
        else:
            origin = int(np.argmax(top))
        vertex = max((v for v in stamp if side[v] == origin), key=lambda v: (gain(v), stamp[v]))
        del stamp[vertex]
        side[vertex] = 1 - origin
        excess += 2 * origin - 1
        for other in sorted(graph[vertex]):
            if other in stamp:
                stamp[other], clock = clock, clock + 1
        resting.setdefault(turn + shortest + int(below(state, rests - shortest)), []).append(vertex)
        if not excess and cut_of(graph, side) < best:
            best, best_side, latest = cut_of(graph, side), side.copy(), turn
    return best, best_side, side


@pytest.mark.slow
@given(
    vertices=st.integers(10, 26), degree=st.integers(2, 5), rests=st.integers(3, 5), shortest=st.integers(1, 2),
    moves=st.integers(0, 60), patience=st.integers(0, 60), seed=st.integers(0, 2**32),
)  # fmt: skip
def test_the_search_does_what_its_plain_twin_does(vertices, degree, rests, shortest, moves, patience, seed):
    graph = networkx.gnm_random_graph(vertices, vertices * degree // 2, seed=seed)
    given = graph, halves(vertices, seed), min(rests, vertices // 2 - 1), shortest, moves, patience, seed
    cut, best_side, last = searched(*given)
    expected, expected_side, expected_last = twin(*given)
    assert cut == expected == cut_of(graph, best_side)
    assert np.array_equal(best_side, expected_side)
    assert np.array_equal(last, expected_last)
    assert int(best_side.sum()) == vertices // 2


@given(vertices=st.integers(2, 40), size=st.integers(0, 40), seed=st.integers(0, 2**32))
def test_refining_never_enlarges_a_cut_of_the_right_sizes(vertices, size, seed):
    graph = networkx.gnm_random_graph(vertices, 2 * vertices, seed=seed)
    indptr, indices = rows(graph)
    side, size = halves(vertices, seed), min(size, vertices)
    before_cut, right = cut_of(graph, side), int((side == 0).sum()) == size
    gain, moved = np.empty((2, vertices), np.int32)
    cut = cuts.refine(indptr, indices, side, size, gain, cuts.gain_lists(indptr), moved, 50)
    assert cut == cut_of(graph, side)
    assert int((side == 0).sum()) == size
    assert not right or cut <= before_cut


@pytest.mark.parametrize("pairs", [0, 1, 7])
def test_shaking_keeps_the_sizes(pairs):
    side = halves(30, 1)
    shaken = side.copy()
    cuts.shake(shaken, pairs, state_of(3))
    assert shaken.sum() == side.sum()
    assert (shaken != side).sum() <= 2 * pairs
    assert pairs == 0 or (shaken != side).any()
