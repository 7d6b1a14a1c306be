"""The bound over bridges: against brute force, searches, hand-made cases, and plain twins of its parts."""

from itertools import combinations, pairwise, product
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.small_placements import NONE, brute_force, network, posed

from planner.core import registry
from planner.design.placement import SlotCost
from planner.design.placement import problem as pose
from planner.design.placement.bound import bridges, crossing
from planner.design.placement.bound.relaxation import trees
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network.topology import build

HEAD = """title = "Test"
source = "a test"
confidence = "D"
outline_mm = [[0, 0], [40000, 0], [40000, 20000], [0, 20000]]
power_mw = 30_000_000
load_g = 1_500_000
"""


def row(name, x, y, count):
    """Slots with a tray above that begins a tile before the first and ends a tile behind the last."""
    slots = f'[[row]]\nname = "{name}"\nfirst_mm = [{x}, {y}]\ncount = {count}\nfacing = "+y"\n'
    return slots + tray(name, [x - 600, y], [x + 600 * count, y], "true")


def tray(name, start, end, serves="false"):
    return f'[[tray]]\nname = "{name}"\npath_mm = [{start}, {end}]\nwidth_mm = 300\nheight_mm = 100\nserves = {serves}\n'


def comb(rows, count):
    """Rows whose trays meet only in one cross tray at their ends."""
    teeth = "".join(row(f"R{r}", 2000, 2000 + 2400 * r, count) for r in range(rows))
    return HEAD + teeth + (tray("cross", [1400, 2000], [1400, 2400 * rows - 400]) if rows > 1 else "")


def halls(count):
    """Two rings of two rows each, joined by one tray."""
    text = HEAD
    for hall, x in (("A", 2000), ("B", 22000)):
        text += row(f"{hall}1", x, 2000, count) + row(f"{hall}2", x, 4400, count)
        text += tray(f"{hall} west", [x - 600, 2000], [x - 600, 4400])
        text += tray(f"{hall} east", [x + 600 * count, 2000], [x + 600 * count, 4400])
    return text + tray("penetration", [2000 + 600 * count, 2000], [21400, 2000])


ROOMS = {"comb of 6 rows": comb(6, 10), "single row": comb(1, 60), "two halls": halls(15)}


def problem_in(text, net, edr, folder, **options):
    path = folder / "test.toml"
    path.write_text(text)
    room = floor.room(str(path), routers=net.router_count)
    return pose(net, edr, Lengths(room, edr.cabinet, Slack()), **{"groups": "ignored"} | options)


@pytest.mark.slow
@pytest.mark.parametrize("plan", ROOMS)
@pytest.mark.parametrize("objective", ["length", "price"])
@pytest.mark.parametrize("groups", ["required", "ignored"])
def test_annealing_stays_above(plan, objective, groups, edr, tmp_path):
    net = build("slimfly", q=9, endpoints_per_router=6)
    problem = problem_in(ROOMS[plan], net, edr, tmp_path, objective=objective, groups=groups)
    found = bridges.bound(problem)
    search = registry.function("placement", "anneal")
    assert 0 < found <= search(problem, seed=1, progress=lambda *_, **__: None, moves=50_000).objective
    if plan != "two halls":
        # Where the trays are a tree nothing of the route is left out.
        assert found >= crossing.bound(problem) * (1 - 1e-6)


def test_a_comb_is_bounded_higher_than_by_lines(edr, tmp_path):
    net = build("slimfly", q=9, endpoints_per_router=6)
    problem = problem_in(ROOMS["comb of 6 rows"], net, edr, tmp_path, objective="length")
    assert bridges.bound(problem) > 1.2 * crossing.bound(problem)


def test_no_bridge_no_bound(edr, lab, lab_lengths):
    assert bridges.bound(pose(build("slimfly", q=5, endpoints_per_router=4), edr, lab_lengths)) is None


def trays(count, segments, length_mm, slot_node):
    """A room that is trays only."""
    slots = len(slot_node)
    return {
        "slot_count": slots,
        "slot_xy": np.column_stack([np.arange(slots) * 600, np.zeros(slots, int)]),
        "slot_node": np.repeat(np.asarray(slot_node)[:, None], 2, axis=1),
        "node_xyz": np.zeros((count, 3), int),
        "segments": np.asarray(segments).reshape(-1, 2),
        "segment_mm": np.asarray(length_mm),
    }


def in_room(net, room, cost, start, swap_class):
    problem = posed(net, cost, room["slot_xy"], start, swap_class)
    vars(problem.room).update(room)
    return problem


def test_complete_graph_in_a_row():
    """Four slots 10 apart: pairs are 10, 10, 10, 20, 20, 30 apart, and each of the six links has 7 at its ends."""
    room = trays(4, [(0, 1), (1, 2), (2, 3)], [10, 10, 10], range(4))
    cost = SlotCost(10 * np.abs(np.subtract.outer(range(4), range(4))).astype(np.int32) + 7, NONE, NONE, "mm")
    problem = in_room(network(4, list(combinations(range(4), 2))), room, cost, np.arange(4), np.zeros(4))
    assert bridges.bound(problem) == 10 + 10 + 10 + 20 + 20 + 30 + 6 * 7 == brute_force(problem)


def test_ring_in_two_halls():
    """Six routers in two rings of three slots, a bridge of 100 between: two links cross, the other four stay at 10."""
    segments = [(0, 1), (1, 2), (2, 0), (2, 6), (6, 3), (3, 4), (4, 5), (5, 3)]
    room = trays(7, segments, [10] * 3 + [40, 60] + [10] * 3, range(6))
    hall = np.arange(6) // 3
    cost = SlotCost(np.where(hall[:, None] == hall, 10, 110).astype(np.int32), NONE, NONE, "mm")
    problem = in_room(network(6, [(n, (n + 1) % 6) for n in range(6)]), room, cost, np.arange(6), np.arange(6))
    assert bridges.bound(problem) == 2 * 110 + 4 * 10 == brute_force(problem)


def test_parallel_trays_are_one_bridge_as_long_as_the_shortest():
    room = trays(2, [(0, 1), (1, 0), (1, 1)], [50, 30, 9], range(2))
    cost = SlotCost(np.array([[1, 30], [30, 1]], np.int32), NONE, NONE, "mm")
    problem = in_room(network(2, [(0, 1)]), room, cost, [0, 1], [0, 1])
    assert trees.tree_of(problem.room, np.arange(2)).bridge_mm.tolist() == [0, 30]
    assert bridges.bound(problem) == 30


@st.composite
def small_trays(draw):
    """Trees of trays, some with a few segments more, and up to six slots over them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    count = draw(st.integers(2, 9))
    segments = [(int(rng.integers(n)), n) for n in range(1, count)]
    segments += [tuple(rng.integers(0, count, 2)) for _ in range(draw(st.integers(0, 3)))]
    order = rng.permutation(count)
    slots = draw(st.integers(2, 6))
    return trays(count, order[np.array(segments)], rng.integers(1, 30, len(segments)), rng.integers(0, count, slots))


def routes(room):
    """Lengths of the routes between slots, those of their bridges alone, and the slots behind each bridge by its length."""
    graph = nx.Graph()
    graph.add_nodes_from(range(len(room["node_xyz"])))
    for (a, b), length in zip(room["segments"].tolist(), room["segment_mm"].tolist(), strict=True):
        if a != b and length < graph.get_edge_data(a, b, {"weight": length + 1})["weight"]:
            graph.add_edge(a, b, weight=length)
    cuts, behind = set(nx.bridges(graph)), []
    for a, b in cuts:
        rest = graph.copy()
        rest.remove_edge(a, b)
        behind.append((graph[a][b]["weight"], np.isin(room["slot_node"][:, 0], list(nx.node_connected_component(rest, a)))))
    route = dict(nx.all_pairs_dijkstra_path(graph))
    nodes = room["slot_node"][:, 0].tolist()
    run, far = (np.zeros((len(nodes),) * 2, np.int64) for _ in range(2))
    for (i, a), (j, b) in product(enumerate(nodes), repeat=2):
        for edge in pairwise(route[a][b]):
            length = graph.edges[edge]["weight"]
            run[i, j] += length
            far[i, j] += length * (edge in cuts or edge[::-1] in cuts)
    return run, far, behind


@pytest.mark.slow
@settings(max_examples=30)
@given(small_trays(), st.integers(2, 6), st.sampled_from(["length", "price", "any"]), st.booleans(), st.integers(0, 2**32))
def test_never_above_the_optimum(room, count, objective, free, seed):
    rng = np.random.default_rng(seed)
    slots = room["slot_count"]
    run, far, _ = routes(room)
    table = run + rng.integers(0, 20)
    if objective == "price":
        table = np.array([3, 10, 11, 30, 60])[np.minimum(4, table // 15)] + table // 4
    elif objective == "any":
        table += np.triu(rng.integers(0, 20, table.shape))
    table = np.maximum(table, table.T)
    np.fill_diagonal(table, rng.integers(0, 12))
    size = int(rng.integers(-(-count // slots), 4)) if count <= 3 * slots else count
    start = rng.permutation(slots)[np.arange(count) // size]
    free = free and slots**count <= 5000
    links = [tuple(rng.choice(count, 2, replace=False)) for _ in range(rng.integers(0, 12))]
    links += [(n, (n + 1) % count) for n in range(count)] * int(rng.integers(2))
    net = network(count, links)
    problem = in_room(net, room, SlotCost(table.astype(np.int32), NONE, NONE, "mm"), start, np.zeros(count) if free else start)
    found = bridges.bound(problem)
    assert (found is None) == (not far.any())
    assert found is None or 0 <= found <= brute_force(problem)


@given(small_trays())
def test_minimum_cost_by_length_of_bridges(room):
    """Every pair once, at the bridges on its route; hulls are below."""
    _, far, _ = routes(room)
    slots = np.arange(room["slot_count"])
    cost = SlotCost((far * far + 1 + np.add.outer(slots, slots) % 3).astype(np.int32), NONE, NONE, "mm")
    tree = trees.tree_of(SimpleNamespace(**room), slots)
    assert tree.splits == bool(far.any())
    length, lowest = bridges.min_by_length(SimpleNamespace(slots=slots, cost=cost), tree)
    expected = {}
    for a, b in combinations(slots.tolist(), 2):
        expected[int(far[a, b])] = min(int(cost.table[a, b]), expected.get(int(far[a, b]), 2**31))
    assert dict(zip(length.tolist(), lowest.tolist(), strict=True)) == expected
    corner, height = bridges.lower_hull(length, lowest)
    assert (np.interp(length, corner, height) <= lowest + 1e-9).all()
    assert (np.diff(np.diff(height) / np.diff(corner)) > 0).all()
    assert set(zip(corner.tolist(), height.tolist(), strict=True)) <= set(expected.items())


def test_long_trays_are_counted_in_steps():
    room = trays(3, [(0, 1), (1, 2)], [1_000_001, 1_234_567], range(3))
    tree = trees.tree_of(SimpleNamespace(**room), np.arange(3))
    cost = SlotCost(np.array([[0, 1, 4], [1, 0, 2], [4, 2, 0]], np.int32), NONE, NONE, "mm")
    length, lowest = bridges.min_by_length(SimpleNamespace(slots=np.arange(3), cost=cost), tree)
    exact = np.array([1_000_001, 1_234_567, 2_234_568])
    assert lowest.tolist() == [1, 2, 4]
    assert ((length >= exact) & (length < exact * 1.0001)).all()


def plain_minimum(room, capacity, cut):
    """Every assignment of the items to the slots."""
    _, _, behind = routes(room)
    spreads = np.array([s for s in product(range(capacity + 1), repeat=room["slot_count"]) if sum(s) == len(cut) - 1])
    return min(sum(length * cut[(spreads * side).sum(axis=1)] for length, side in behind)) if behind else 0


@given(small_trays(), st.integers(1, 2), st.integers(0, 2**32))
def test_minimum_over_bridges_is_the_minimum(room, capacity, seed):
    rng = np.random.default_rng(seed)
    slots = room["slot_count"]
    n = int(rng.integers(1, slots * capacity, endpoint=True))
    half = np.sort(rng.integers(0, 30, n // 2 + 1))
    half[0] = 0
    cut = np.concatenate([half, half[: n - n // 2][::-1]])
    tree = trees.tree_of(SimpleNamespace(**room), np.arange(slots))
    expected = plain_minimum(room, capacity, cut)
    assert trees.min_bridge_cost(tree, capacity, cut) == expected
    with pytest.MonkeyPatch.context() as patch:
        # Shares in steps only loosen.
        patch.setattr(trees, "WORK", 5)
        assert trees.min_bridge_cost(tree, capacity, cut) <= expected


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=9), st.lists(st.integers(0, 50), min_size=1, max_size=9), st.integers(1, 10)
)
def test_branches_joined(small, large, step):
    expected = [
        min(small[a] + large[s - a] for a in range(len(small)) if 0 <= s - a < len(large))
        for s in range(len(small) + len(large) - 1)
    ]
    found = trees.join(np.array(small), np.array(large), step)
    assert (found <= expected).all()
    assert step > 1 or found.tolist() == expected
