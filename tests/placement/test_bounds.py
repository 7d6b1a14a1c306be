"""Lower bounds: never above what brute force, a search or a published layout reaches."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.small_placements import NONE, brute_force, network, posed

from planner.core import registry
from planner.design.placement import SlotCost, bound
from planner.design.placement import problem as pose
from planner.design.placement.bound import crossing, projection
from planner.design.placement.bound.relaxation import cuts as cuts_module
from planner.design.placement.bound.relaxation import items as items_module
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network.topology import build

BOUNDS = registry.names("bound")


@st.composite
def small_problems(draw):
    """Networks of up to 6 routers, some parallel links, on up to 6 slots; free or whole cabinets; any cost."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    count, slots = draw(st.integers(2, 6)), draw(st.integers(2, 6))
    links = [tuple(rng.choice(count, 2, replace=False)) for _ in range(draw(st.integers(0, 12)))]
    if draw(st.booleans()):
        links += [(n, (n + 1) % count) for n in range(count)]
    size = draw(st.integers(-(-count // slots), 3))
    start = rng.permutation(slots)[np.arange(count) // size]
    free = draw(st.booleans())
    swap_class = np.zeros(count, int) if free else start
    columns = draw(st.integers(1, slots))
    x, y = (index.astype(np.int32) for index in np.divmod(np.arange(slots), columns))
    dx, dy = np.indices((x.max() + 1, y.max() + 1))
    run = int(rng.integers(0, 9)) + dx * int(rng.integers(0, 9)) + dy * int(rng.integers(0, 9))
    kind = draw(st.sampled_from(["manhattan", "steps", "any", "table"]))
    if kind == "steps":
        run = np.array([0, 3, 4, 9, 30, 31, 80])[np.minimum(6, -(-run // 5))]
    elif kind == "any":
        run = rng.integers(0, 50, run.shape)
    run[0, 0] = rng.integers(0, 12)
    cost = SlotCost(run.astype(np.int32), x, y, "mm")
    if kind == "table" or draw(st.booleans()):
        full = cost.full + (np.triu(rng.integers(0, 20, (slots, slots))) if kind == "table" else 0)
        cost = SlotCost(np.maximum(full, full.T).astype(np.int32), NONE, NONE, "cents")
    return posed(network(count, links), cost, np.column_stack([x, y]) * 600, start, swap_class)


@pytest.mark.slow
@settings(max_examples=30)
@given(small_problems())
def test_no_bound_exceeds_the_optimum(problem):
    if not problem.cabinets_stay and problem.room.slot_count**problem.topology.router_count > 5000:
        problem = replace(problem, swap_class=problem.start)
    optimum = brute_force(problem)
    value, name, values = bound.best(problem)
    assert sorted(values) == BOUNDS
    known = [each for each in values.values() if each is not None]
    assert value == values[name] == max(known)
    assert all(each <= optimum for each in known), (values, optimum)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "options", "lowest", "mean"),
    [
        ("spectralfly", {"p": 11, "q": 7}, 7.10, 7.80),
        ("slimfly", {"q": 9}, 8.24, 8.50),
        ("spectralfly", {"p": 19, "q": 7}, 9.51, 10.06),
        ("slimfly", {"q": 13}, 10.08, 10.54),
    ],
)
def test_table_ii_of_spectralfly(family, options, lowest, mean, edr):
    """Lines are crossed as the spectrum implies, and means of wires that layouts have (m) stay above; two routers a cabinet."""
    net = build(family, **options)
    problem = table_ii(net, edr)
    found = crossing.bound(problem) / net.link_count / 1000
    assert lowest <= found <= mean
    full = SlotCost(problem.cost.full, NONE, NONE, "mm")
    assert crossing.bound(replace(problem, cost=full)) == pytest.approx(crossing.bound(problem), rel=2e-3)


def table_ii(net, edr):
    room = floor.room("spectralfly", routers=net.router_count)
    x, y, run = Lengths(room, edr.cabinet, Slack()).lattice(40, 1, 1)
    return posed(net, SlotCost(run, x, y, "mm"), room.slot_xy, np.arange(net.router_count) // 2, np.zeros(net.router_count))


@pytest.mark.slow
@pytest.mark.parametrize("plan", ["hall-a", "lab", "mddp"])
@pytest.mark.parametrize("objective", ["length", "price"])
@pytest.mark.parametrize("groups", ["required", "ignored"])
def test_layouts_of_shipped_rooms_stay_above(plan, objective, groups, edr):
    net = build("polarstar", q=4, supernode_degree=3, endpoints_per_router=2)
    room = floor.room(plan, routers=net.router_count)
    problem = pose(net, edr, Lengths(room, edr.cabinet, Slack()), objective=objective, groups=groups)
    search = registry.function("placement", "anneal")
    reached = search(problem, seed=1, progress=lambda *_, **__: None, moves=20_000).objective
    _, _, values = bound.best(problem)
    assert all(value is None or value <= reached for value in values.values()), (values, reached)
    assert values["crossing"] > 0 < values["star"]


def test_whole_cabinets_bound_higher_than_free_routers():
    """Pairs that cannot part, on a line: the links inside are known, and cabinets are counted one by one."""
    links = [(a, b) for a in range(8) for b in range(a) if a // 2 != b // 2 or a % 2]
    line = SlotCost(np.abs(np.subtract.outer(range(4), range(4))).astype(np.int32), NONE, NONE, "mm")
    start = np.arange(8) // 2
    xy = np.column_stack([np.arange(4), np.zeros(4, int)])
    whole, free = (crossing.bound(posed(network(8, links), line, xy, start, kin)) for kin in (start, np.zeros(8)))
    # Every two cabinets share four links; six pairs on a line of four are 10 apart in all.
    assert whole == 40
    assert free <= whole


def test_disconnected_networks_and_none_at_all():
    cost = SlotCost(np.array([[1, 5], [5, 1]], np.int32), NONE, NONE, "mm")
    xy = [[0, 0], [600, 0]]
    apart = posed(network(4, [(0, 1), (2, 3)]), cost, xy, [0, 1, 0, 1], np.zeros(4))
    assert 0 < bound.best(apart)[0] <= 2
    assert bound.best(posed(network(4, []), cost, xy, [0, 0, 1, 1], np.zeros(4)))[0] == 0


def test_ctrl_c_keeps_what_is_known():
    cost = SlotCost(np.array([[1, 5], [5, 1]], np.int32), NONE, NONE, "mm")
    problem = posed(network(2, [(0, 1)]), cost, [[0, 0], [600, 0]], [0, 1], [0, 1])

    def stop(stage, done, total, **facts):
        if done == 1:
            raise KeyboardInterrupt

    value, name, values = bound.best(problem, progress=stop)
    assert list(values) == [name] == BOUNDS[:1]
    assert value == 5


def plain_crossing(capacity, price, cut):
    """Every assignment of the items to the columns."""
    n = len(cut) - 1
    spreads = (counts for counts in product(*(range(c + 1) for c in capacity)) if sum(counts) == n)
    return min(sum(p * cut[s] for p, s in zip(price, np.cumsum(counts)[:-1], strict=True)) for counts in spreads)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=5), st.integers(0, 2**32), st.booleans())
def test_minimum_crossing_is_the_minimum(capacity, seed, coarse):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, sum(capacity), endpoint=True))
    price = rng.integers(0, 9, len(capacity) - 1)
    half = np.sort(rng.integers(0, 30, n // 2 + 1))
    half[0] = 0
    cut = np.concatenate([half, half[: n - n // 2][::-1]])
    expected = plain_crossing(capacity, price, cut)
    found, cuts = cuts_module.min_crossing(np.array(capacity), price, cut)
    assert found == expected == cuts @ price
    with pytest.MonkeyPatch.context() as patch:
        # Larger steps only loosen.
        patch.setattr(cuts_module, "WORK", 0)
        patch.setattr(cuts_module, "STEPS", 2)
        assert cuts_module.min_crossing(np.array(capacity), price, cut)[0] <= expected


@given(st.integers(1, 7), st.integers(1, 2), st.integers(0, 2**32))
def test_minimum_distance_is_never_above(slots, capacity, seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 20, (2, slots))
    count = int(rng.integers(1, slots * capacity, endpoint=True))
    apart = np.abs(np.subtract.outer(x, x)) + np.abs(np.subtract.outer(y, y))
    fills = (np.array(f) for f in product(range(capacity + 1), repeat=slots) if sum(f) == count)
    lowest = min(int(f @ apart @ f) // 2 for f in fills)
    found = cuts_module.min_distance_sum(x, y, capacity, count)
    assert found <= lowest
    assert found == lowest or count < slots * capacity


def test_minimum_cut_against_all_subsets():
    net = build("slimfly", q=5)
    a, b = net.links.T
    items = items_module.views(table_ii_like(net))[0]
    cut = cuts_module.min_cut(items, items.connectivity)
    assert (cut == cut[::-1]).all()
    draw = np.random.default_rng(1)
    for _ in range(300):
        side = np.zeros(50, bool)
        side[draw.choice(50, draw.integers(51), replace=False)] = True
        assert (side[a] != side[b]).sum() >= cut[side.sum()]


def table_ii_like(net):
    cost = SlotCost(np.ones((50, 50), np.int32), NONE, NONE, "mm")
    return posed(net, cost, np.zeros((50, 2), int), np.arange(50), np.zeros(50))


def test_across_is_a_projection():
    matrix = np.random.default_rng(2).random((6, 6))
    matrix += matrix.T
    centered = np.eye(6) - 1 / 6
    expected = np.sort(np.linalg.eigvalsh(centered @ matrix @ centered))
    found = np.linalg.eigvalsh(projection.projected(matrix))
    assert np.allclose(np.sort(np.append(found, 0)), expected)
