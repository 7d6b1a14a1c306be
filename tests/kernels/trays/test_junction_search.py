"""Routes from junction to junction against routes from segment to segment: the same segments, also among ties."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.design.cabling.trays import chains as contraction
from planner.design.cabling.trays.chains import chains_of
from planner.design.cabling.trays.graph import Demands, TrayGraph, kernel_trays, same
from planner.design.cabling.trays.negotiation import negotiate
from planner.kernels.trays import negotiation, segment_search, trees
from planner.kernels.trays.junction_search import find_route, guide

pytestmark = pytest.mark.slow


def rows_of_slots(seed, pulls=12):
    """Junctions in any order, rings, loops and parallel trays among them, each tray with up to five slots; equal lengths."""
    random = np.random.default_rng(seed)
    nodes = int(random.integers(1, 8))
    trays = [(int(random.integers(0, node)), node) for node in range(1, nodes)]
    trays += random.integers(0, nodes, (int(random.integers(1, 9)), 2)).tolist()
    ends, kinds = [], []
    for a, b in trays:
        slots = int(random.integers(0, 6))
        stops = [a, *range(nodes, nodes + slots), b]
        nodes += slots
        ends += [*pairwise(stops)]
        kinds += random.choice([1, 2, 3, 3, 3, 3, 3, 3], slots + 1).tolist() if random.random() < 0.3 else [3] * (slots + 1)
    number = random.permutation(nodes)
    count = len(ends)
    length = random.choice([600, 600, 600, 1200], count) if random.random() < 0.7 else random.integers(1, 9, count)
    room = np.where(random.random(count) < 0.3, -1, random.integers(0, 40, count))
    graph = TrayGraph(nodes, number[np.array(ends)], length, room, kinds)
    cables = random.integers(1, 6, pulls)
    return graph, Demands(
        random.integers(0, nodes, (pulls, 2)), random.integers(0, 2, pulls), random.integers(0, 8, pulls), cables
    )


def kernel_arrays(graph, pulls, landmarks):
    """What the searches take, with lengths to all targets or to some landmarks."""
    trays = kernel_trays(graph, 10**9)
    segments, none = len(graph.ends), np.zeros(len(pulls.medium_class), np.int64)
    distance = np.empty((3, graph.nodes, graph.nodes))
    for number, kinds in enumerate((1, 2, 3)):
        tree = trees.scratch(graph.nodes, segments)
        trees.distances(trays, trays.length_mm, np.uint8(kinds), np.arange(graph.nodes), tree, distance[number])
    ahead_mm = distance[:2].reshape(-1, graph.nodes).copy()
    search = segment_search.scratch(graph.nodes, segments, ahead_mm, distance[2, :, :2].copy())
    row = np.full(len(none), -1) if landmarks else pulls.ends[:, 1] + graph.nodes * pulls.medium_class.astype(np.int64)
    rows = negotiation.Demands(
        pulls.ends[:, 0].copy(), pulls.ends[:, 1].copy(), np.left_shift(np.uint8(1), pulls.medium_class),
        pulls.cable_um2, pulls.cables, row.astype(np.int32),
    )  # fmt: skip
    routed = negotiation.Routed(none.copy(), np.zeros(segments), none, none, np.empty(1000, np.int32), np.zeros(1, np.int64))
    return trays, search, rows, routed._replace(use_um2=np.zeros(segments, np.int64))


@pytest.mark.parametrize("landmarks", [False, True])
@pytest.mark.parametrize(("strict", "guided"), [(False, False), (True, False), (False, True)])
@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_routes_over_junctions_are_those_over_segments(strict, guided, landmarks, seed):
    graph, pulls = rows_of_slots(seed)
    random = np.random.default_rng(seed + 1)
    trays, search, rows, routed = kernel_arrays(graph, pulls, landmarks)
    _, other, _, _ = kernel_arrays(graph, pulls, landmarks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contraction, "MIN_CONTRACTION", 0)
        chains = chains_of(trays, search.ahead_mm)
    routed.price[:] = random.choice([0.0, 100.0, 0.1 * random.random()], len(routed.price))
    for pull in range(len(pulls.medium_class)):
        # Cables are routed or removed in between; whoever does that notifies the chains.
        for segment in random.integers(0, len(graph.ends), 3):
            routed.use_um2[segment] = random.integers(0, 40)
            if len(chains.stamp):
                chains.stamp[chains.of[segment]] = 0
        a, b = pulls.ends[pull].tolist()
        if a == b:
            continue
        cables = int(random.integers(1, pulls.cables[pull] + 1))
        given_ = trays, rows, routed, pull, cables, 70.0
        if guided and len(chains.node):
            chains.removed[:] = random.integers(0, 20, len(chains.removed))
            guide(trays, chains, rows, routed, pull, 70.0)
            # What the bounds allow for.
            routed.use_um2[:] -= random.integers(0, chains.removed + 1)
            chains.stamp[:] = 0
        plain = segment_search.find(trays, rows, other, *given_[2:], strict, 0)
        found = find_route(trays, chains, rows, search, *given_[2:], strict, guided)
        assert found == plain
        assert search.path[: max(found, 0)].tolist() == other.path[: max(plain, 0)].tolist()


def test_chains_hold_every_segment_once():
    for seed in range(200):
        graph, pulls = rows_of_slots(seed)
        trays, search, _, _ = kernel_arrays(graph, pulls, False)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(contraction, "MIN_CONTRACTION", 0)
            chains = chains_of(trays, search.ahead_mm)
        between = np.flatnonzero(graph.ends[:, 0] != graph.ends[:, 1])
        assert sorted(chains.segment.tolist()) == between.tolist()
        assert (chains.junction >= 0).tolist() == (chains.within < 0).tolist()
        for chain, (start, stop) in enumerate(pairwise(chains.start)):
            node = int(chains.node[chains.ends[chain, 0]])
            for place, segment in enumerate(chains.segment[start:stop].tolist(), 1):
                node = int(graph.ends[segment].sum()) - node
                if start + place < stop:
                    assert (chains.within[node], chains.place[node]) == (chain, place)
            assert node == chains.node[chains.ends[chain, 1]]


def test_rooms_of_junctions_have_no_chains():
    grid = TrayGraph(4, [[0, 1], [1, 2], [2, 0], [2, 3], [3, 1], [0, 3]], [1] * 6, [-1] * 6, [3] * 6)
    trays = kernel_trays(grid, 1)
    assert len(chains_of(trays, np.zeros((1, 4))).node) == 0


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_whole_negotiations_are_the_same_with_and_without_chains(seed):
    graph, pulls = rows_of_slots(seed, pulls=40)
    found = []
    for limit in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(contraction, "MIN_CONTRACTION", limit)
            routed = negotiate(graph, pulls)
        found.append(
            [column.tolist() for column in (routed.demand, routed.cables, routed.indptr, routed.segments, routed.excess_um2)]
        )
    assert found[0] == found[1]


@given(st.integers(0, 2**32 - 1))
def test_pulls_that_stay_are_found_again(seed):
    random = np.random.default_rng(seed)
    old, new = (random.integers(0, 2, (int(random.integers(0, 9)), 5)) for _ in range(2))
    before, pulls = (Demands(rows[:, :2], rows[:, 2], rows[:, 3], rows[:, 4]) for rows in (old, new))
    found = same(pulls, before)
    kept = np.flatnonzero(found >= 0)
    assert len(set(found[kept].tolist())) == len(kept)
    assert old[found[kept]].tolist() == new[kept].tolist()
    # All that can exist are found.
    rows = [[tuple(row) for row in each.tolist()] for each in (old, new)]
    assert len(kept) == sum(min(rows[0].count(row), rows[1].count(row)) for row in set(rows[0]))
