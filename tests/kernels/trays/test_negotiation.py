"""Routes, trees, loads and cuts over trays against NetworkX and plain loops."""

from itertools import combinations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.design.cabling.trays.graph import Demands, TrayGraph, grouped, kernel_trays
from planner.kernels.heap import Heap, pop, push
from planner.kernels.trays import negotiation, segment_search, trees

pytestmark = pytest.mark.slow

UNLIMITED = negotiation.UNLIMITED_UM2


@st.composite
def rooms(draw):
    """A connected tray graph with parallel segments and loops, and pulls between random nodes."""
    nodes = draw(st.integers(2, 7))
    ends = [(draw(st.integers(0, node - 1)), node) for node in range(1, nodes)]
    ends += draw(st.lists(st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)), max_size=8))
    count = len(ends)
    room = draw(st.lists(st.integers(-1, 30), min_size=count, max_size=count))
    length = draw(st.lists(st.integers(1, 9), min_size=count, max_size=count))
    graph = TrayGraph(nodes, ends, length, room, np.full(count, 3))
    number = draw(st.integers(1, 5))
    column = st.lists(st.integers(1, 5), min_size=number, max_size=number)
    pair = st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1))
    pairs = draw(st.lists(pair, min_size=number, max_size=number))
    return graph, Demands(pairs, np.zeros(number), draw(column), draw(column))


def plain(graph, cost):
    """The cheapest segment between every two nodes, as a NetworkX graph."""
    found = networkx.Graph()
    found.add_nodes_from(range(graph.nodes))
    for (a, b), paid in zip(graph.ends.tolist(), cost, strict=True):
        if a != b and paid < found.get_edge_data(a, b, {"cost": np.inf})["cost"]:
            found.add_edge(a, b, cost=paid)
    return found


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=30))
def test_the_heap_gives_back_what_went_in_in_order(items):
    heap = Heap(np.empty(len(items)), np.empty(len(items)), np.empty(len(items), np.int32))
    waiting = 0
    for item in items:
        waiting = push(heap, waiting, float(item[0]), float(item[1]), item[2])
    out = []
    while waiting:
        out.append((heap.key[0], heap.tie[0], heap.node[0]))
        waiting = pop(heap, waiting)
    assert out == sorted(items)


@given(rooms(), st.randoms(use_true_random=False))
def test_trees_have_the_distances_of_networkx(room, random):
    graph, pulls = room
    trays = kernel_trays(graph, int(pulls.area_um2.sum()))
    cost = np.array([float(random.randint(0, 5)) for _ in graph.ends])
    tree = trees.scratch(graph.nodes, len(graph.ends))
    found = np.empty((graph.nodes, graph.nodes))
    trees.distances(trays, cost, np.uint8(1), np.arange(graph.nodes), tree, found)
    expected = dict(networkx.all_pairs_dijkstra_path_length(plain(graph, cost), weight="cost"))
    assert found.tolist() == [[expected[a][b] for b in range(graph.nodes)] for a in range(graph.nodes)]


@given(rooms())
def test_loads_are_sums_over_shortest_routes(room):
    graph, pulls = room
    trays = kernel_trays(graph, int(pulls.area_um2.sum()))
    once = grouped(graph.nodes, pulls, np.ones(len(pulls.medium_class), bool))
    tree = trees.scratch(graph.nodes, len(graph.ends))
    use = np.zeros(len(graph.ends))
    total = trees.loads(trays, trays.length_mm, np.uint8(1), once, tree, np.empty(graph.nodes), use)
    expected = dict(networkx.all_pairs_dijkstra_path_length(plain(graph, graph.length_mm.tolist()), weight="cost"))
    apart = [expected[a][b] for a, b in pulls.ends.tolist()]
    assert total == pulls.area_um2 @ apart
    assert use @ graph.length_mm == total


@given(rooms())
def test_the_widest_cut_is_a_cut_and_single_nodes_are_among_those_tried(room):
    graph, pulls = room
    trays = kernel_trays(graph, int(pulls.area_um2.sum()))
    tree = trees.scratch(graph.nodes, len(graph.ends))
    once = grouped(graph.nodes, pulls, np.ones(len(pulls.medium_class), bool))
    sources = np.arange(graph.nodes)
    rank, crossing = np.empty(graph.nodes, np.int32), np.empty(graph.nodes)
    found, place, size = trees.widest_cut(trays, trays.length_mm, np.uint8(1), once, sources, UNLIMITED, tree, rank, crossing)

    def shortage(inside):
        crosses = [(a in inside) != (b in inside) for a, b in graph.ends.tolist()]
        if (trays.room_um2[crosses] == UNLIMITED).any():
            return -np.inf
        apart = [(a in inside) != (b in inside) for a, b in pulls.ends.tolist()]
        return pulls.area_um2[apart].sum() - trays.room_um2[crosses].sum()

    assert found >= max(shortage({node}) for node in range(graph.nodes))
    assert found <= max(shortage(set(s)) for k in range(1, graph.nodes) for s in combinations(range(graph.nodes), k))
    if place >= 0:
        trees.grow(trays, trays.length_mm, np.uint8(1), sources[place], tree)
        assert found == shortage(set(tree.order[:size].tolist()))


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("landmarks", [0, 1, 2, None])
@given(room=rooms(), random=st.randoms(use_true_random=False))
def test_a_route_is_the_cheapest(strict, landmarks, room, random):
    graph, pulls = room
    trays = kernel_trays(graph, 10**9)
    segments = len(graph.ends)
    tree = trees.scratch(graph.nodes, segments)
    distance = np.empty((graph.nodes, graph.nodes))
    trees.distances(trays, trays.length_mm, np.uint8(1), np.arange(graph.nodes), tree, distance)
    search = segment_search.scratch(graph.nodes, segments, distance, distance[:, :landmarks].copy())
    use = np.array([random.randint(0, 30) for _ in range(segments)])
    price = np.array([float(random.randint(0, 3)) for _ in range(segments)])
    none = np.zeros(len(pulls.medium_class), np.int64)
    routed = negotiation.Routed(use, price, none, none, np.empty(1000, np.int32), np.zeros(1, np.int64))
    rows = negotiation.Demands(
        pulls.ends[:, 0].copy(), pulls.ends[:, 1].copy(), np.ones(len(none), np.uint8), pulls.cable_um2, pulls.cables,
        pulls.ends[:, 1].copy() if landmarks is None else np.full(len(none), -1, np.int32),
    )  # fmt: skip
    for pull in range(len(none)):
        area, cable = int(pulls.area_um2[pull]), int(pulls.cable_um2[pull])
        over = use + area - trays.room_um2
        cost = graph.length_mm + cable * (price + 2.0 * np.clip(over / area, 0, 1))
        if strict:
            cost = np.where(over > 0, np.inf, graph.length_mm)
        count = segment_search.find(trays, rows, search, routed, pull, pulls.cables[pull], 2.0, strict, 0)
        a, b = pulls.ends[pull].tolist()
        try:
            shortest = networkx.dijkstra_path_length(plain(graph, cost.tolist()), a, b, weight="cost")
        except networkx.NetworkXNoPath:
            assert count == -1
            continue
        route = search.path[:count].tolist()
        assert sum(cost[route]) == pytest.approx(shortest)
        node = a
        for segment in route:
            assert node in graph.ends[segment]
            node = int(graph.ends[segment].sum()) - node
        assert node == b
