"""Placement: what every algorithm promises, what searches reach, and that no move ever breaks a limit."""

import inspect
import os
import subprocess
import sys
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shared import by_hand

from planner.core import registry
from planner.core.errors import Infeasible, InputError
from planner.core.seeds import state as random_state
from planner.design.placement import Weights, anneal, bound, place, problem
from planner.design.placement.multilevel import bisected
from planner.design.placement.search.bisection import place_by_bisection
from planner.design.placement.search.cooling import LEVELS, Budget
from planner.design.placement.search.state import Search, quotient
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology
from planner.network.topology import from_links as made

ALGORITHMS = registry.names("placement")
OPTIMIZERS = [name for name in ALGORITHMS if name not in ("identity", "random", "manual")]
EFFORT = {"moves": 3000, "nodes": 5, "patience": 3}
"""Minimum effort of those that have such a parameter."""
REFUSES = {"exact": ["groups", "expensive groups"], "faq": ["mixed", "expensive groups"], "tabu": ["expensive groups"]}
"""What is too large for an algorithm, or knows a rule that it does not."""
CASES = ["groups", "mixed", "pairs", "expensive groups", "small"]


def taken(cases, algorithms=ALGORITHMS):
    """Every algorithm with every case that it does not refuse."""
    return [(algorithm, case) for algorithm in algorithms for case in cases if case not in REFUSES.get(algorithm, ())]


@pytest.fixture(scope="module")
def hall():
    return floor.room("hall-a", routers=1)


@pytest.fixture(scope="module")
def cases(edr, lab, hall):
    """Network, lengths and wishes: whole groups; routers with different needs on weak slots; two a cabinet; a few cabinets."""
    draw = np.random.default_rng(5)
    mixed = topology.build("jellyfish", routers=24, degree=4).links
    mixed = made("test", {}, 24, mixed, endpoints=draw.choice([0, 2, 5], 24))
    power = np.where(np.arange(lab.slot_count) % 3, 12, 5) * 1_000_000
    weak = replace(lab, slot_power_mw=power, cabinet_routers=3)
    polarstar = topology.build("polarstar", q=3, supernode_degree=3, endpoints_per_router=5)
    loose = {"groups": "ignored", "packing": "partition"}
    pairs = topology.build("jellyfish", routers=24, degree=5)
    dragonfly = topology.build("dragonfly", a=4, h=1, endpoints_per_router=2)
    narrow = replace(lab, cabinet_routers=3)
    small = topology.build("torus", sizes=(5, 2), endpoints_per_router=0)
    return {
        "groups": (polarstar, Lengths(hall, edr.cabinet, Slack()), {"groups": "required"}),
        "mixed": (mixed, Lengths(weak, edr.cabinet, Slack()), {"objective": Weights(meter_cents=50)} | loose),
        "pairs": (
            pairs,
            Lengths(floor.room("spectralfly", routers=24), edr.cabinet, Slack()),
            {"objective": "length", "groups": "required"},
        ),
        "expensive groups": (dragonfly, Lengths(narrow, edr.cabinet, Slack()), {"groups": "preferred", "group_price": 5000}),
        "small": (small, Lengths(replace(lab, cabinet_routers=2), edr.cabinet, Slack()), {"objective": "delay"}),
    }


@pytest.fixture(scope="module")
def known(cases, edr):
    """What no layout of each case costs less than."""
    return {case: bound.best(problem(network, edr, lengths, **wishes))[0] for case, (network, lengths, wishes) in cases.items()}


def layout_file(tmp_path, network, lengths, slot, fixed=()):
    """A table of the routers whose slot is not negative."""
    names = lengths.room.slot_names
    rows = [f"{r},{names[s]},{'yes' if r in fixed else ''}" for r, s in enumerate(slot) if s >= 0]
    path = tmp_path / "layout.csv"
    path.write_text("\n".join(["router,slot,fixed", *rows]))
    return path


def effort(algorithm):
    known = inspect.signature(registry.function("placement", algorithm)).parameters
    return {name: value for name, value in EFFORT.items() if name in known}


def where(placed):
    return placed.slot


def run(algorithm, case, cases, edr, tmp_path, **more):
    """Place a case."""
    network, lengths, wishes = cases[case]
    if algorithm == "manual" and "layout" not in more:
        start = where(place(network, edr, lengths, seed=1, algorithm="identity", bounds=False, **wishes))[: network.router_count]
        more["layout"] = layout_file(tmp_path, network, lengths, start)
    options = {"seed": 3, "algorithm": algorithm, "bounds": False, "endpoints": "together"} | wishes | effort(algorithm) | more
    return place(network, edr, lengths, **options)


@pytest.mark.parametrize(("algorithm", "case"), [(algorithm, case) for algorithm, refused in REFUSES.items() for case in refused])
def test_what_an_algorithm_cannot_do_is_refused(algorithm, case, cases, edr, tmp_path):
    with pytest.raises(InputError):
        run(algorithm, case, cases, edr, tmp_path)


def check(placed, case, cases, edr):
    network, lengths, wishes = cases[case]
    by_hand.check_limits(placed, network, lengths.room, edr)
    cost = by_hand.LinkCost(edr, lengths, wishes.get("objective", "price"))
    expected = by_hand.objective(network, where(placed), cost)
    expected += by_hand.ends(network, placed, by_hand.EndpointCost(edr, lengths, wishes.get("objective", "price")))
    if "group_price" in wishes:
        expected += by_hand.apart(network, where(placed), wishes["group_price"])
    assert placed.objective == expected
    assert 0 <= placed.lower_bound <= placed.objective
    assert bool(placed.lower_bound) == bool(placed.bound_method)
    if case == "groups":
        pairs = np.column_stack([network.group[:, 0], placed.cabinet[: network.router_count]])
        assert len(np.unique(pairs, axis=0)) == len(np.unique(network.group[:, 0])), "every group fits, so none is split"


@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "case"), taken(CASES))
def test_every_algorithm_keeps_the_promises(algorithm, case, cases, known, edr, tmp_path):
    placed = run(algorithm, case, cases, edr, tmp_path)
    check(placed, case, cases, edr)
    assert placed.complete
    assert placed.method
    if algorithm in OPTIMIZERS:
        assert placed.objective <= placed.start_objective
    assert placed.objective >= known[case]
    assert run(algorithm, case, cases, edr, tmp_path).fingerprint == placed.fingerprint


@pytest.mark.slow
def test_bounds_are_reported(cases, edr, known):
    network, lengths, wishes = cases["pairs"]
    placed = place(network, edr, lengths, seed=1, algorithm="identity", **wishes)
    assert placed.lower_bound == known["pairs"] > 0
    assert placed.bound_method in registry.names("bound")
    assert 0 < placed.gap < 1


@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "case"), taken(CASES))
def test_layouts_are_honored(algorithm, case, cases, edr, tmp_path):
    """A finished plan with four routers fixed: they stay, everything else may move."""
    network, lengths, wishes = cases[case]
    start = where(place(network, edr, lengths, seed=7, algorithm="random", bounds=False, **wishes))[: network.router_count]
    fixed = set(np.random.default_rng(2).choice(network.router_count, 4, replace=False).tolist())
    table = layout_file(tmp_path, network, lengths, start, fixed)
    placed = run(algorithm, case, cases, edr, tmp_path, layout=table)
    check(placed, case, cases, edr)
    assert all(where(placed)[router] == start[router] for router in fixed)
    if algorithm in ("manual", "identity"):
        assert np.array_equal(where(placed)[: network.router_count], start)
    if algorithm in OPTIMIZERS:
        assert placed.start_objective >= placed.objective


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", [name for name, _ in taken(["mixed"], [name for name in ALGORITHMS if name != "manual"])])
def test_partial_layouts_are_honored(algorithm, cases, edr, tmp_path):
    network, lengths, _ = cases["mixed"]
    slot = np.full(network.router_count, -1)
    slot[[0, 7, 9]] = [4, 4, 10]
    table = layout_file(tmp_path, network, lengths, slot, {0, 7, 9})
    placed = run(algorithm, "mixed", cases, edr, tmp_path, layout=table)
    check(placed, "mixed", cases, edr)
    assert where(placed)[[0, 7, 9]].tolist() == [4, 4, 10]


@pytest.mark.slow
@pytest.mark.parametrize("at", [1, 3])
@pytest.mark.parametrize(("algorithm", "case"), taken(["groups", "pairs", "small"]))
def test_an_interrupted_run_keeps_what_it_found(algorithm, case, at, cases, edr, tmp_path):
    calls = []

    def stop_early(stage, done, total, **facts):
        calls.append(stage)
        if len(calls) == at:
            raise KeyboardInterrupt

    placed = run(algorithm, case, cases, edr, tmp_path, progress=stop_early)
    check(placed, case, cases, edr)
    if len(calls) >= at:
        assert not placed.complete
    if algorithm in OPTIMIZERS:
        assert placed.objective <= placed.start_objective


def test_an_interrupt_between_two_runs_of_annealing_keeps_the_first(cases, edr, tmp_path, monkeypatch):
    whole, ended = anneal.search, []

    def search(*arguments):
        if ended:
            raise KeyboardInterrupt
        ended.append(whole(*arguments))
        return ended[0]

    monkeypatch.setattr(anneal, "search", search)
    placed = run("anneal", "mixed", cases, edr, tmp_path, moves=3000, restarts=3)
    assert not placed.complete
    assert placed.evaluations == ended[0][1] == 1000
    check(placed, "mixed", cases, edr)


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["price", "length", "power", "delay", Weights(meter_cents=3, optical_cents=9)], ids=str)
def test_every_objective_is_what_is_counted(objective, cases, edr):
    for case in ("groups", "pairs"):
        network, lengths, _ = cases[case]
        placed = place(network, edr, lengths, seed=1, algorithm="anneal", moves=5000, objective=objective, bounds=case == "pairs")
        links = by_hand.objective(network, where(placed), by_hand.LinkCost(edr, lengths, objective))
        assert placed.objective == links + by_hand.ends(network, placed, by_hand.EndpointCost(edr, lengths, objective))
        assert placed.lower_bound <= placed.objective


def test_manual_wants_a_complete_layout(cases, edr, tmp_path):
    network, lengths, _ = cases["small"]
    with pytest.raises(InputError, match="manual placement needs a layout"):
        place(network, edr, lengths, seed=1, algorithm="manual")
    table = layout_file(tmp_path, network, lengths, [0] * 2 + [-1] * 8)
    with pytest.raises(InputError, match=r"lacks R0002, .* R0009;"):
        place(network, edr, lengths, seed=1, algorithm="manual", layout=table)


def test_unknown_parameters_are_refused(cases, edr):
    network, lengths, _ = cases["small"]
    with pytest.raises(InputError, match="did you mean moves"):
        place(network, edr, lengths, seed=1, algorithm="anneal", mooves=5)
    with pytest.raises(InputError, match="did you mean anneal"):
        place(network, edr, lengths, seed=1, algorithm="aneal")
    with pytest.raises(InputError, match="has no effect if groups are required"):
        place(network, edr, lengths, seed=1, groups="required", group_price=5)


@pytest.mark.slow
def test_one_router_and_one_slot(edr, lab):
    """Nothing to move, nothing to draw."""
    one = {name: getattr(lab, name)[:1] for name in vars(lab) if name.startswith("slot_")}
    network = topology.build("jellyfish", routers=4, degree=3)
    for algorithm in OPTIMIZERS:
        placed = place(network, edr, Lengths(replace(lab, **one), edr.cabinet, Slack()), seed=1, algorithm=algorithm)
        assert placed.slot_of.tolist() == [0]


def test_seeds_matter(cases, edr):
    network, lengths, wishes = cases["pairs"]
    for algorithm in ("anneal", "random"):
        options = {"algorithm": algorithm, "bounds": False} | wishes | effort(algorithm)
        one, two = (place(network, edr, lengths, seed=seed, **options) for seed in (1, 2))
        assert one.fingerprint != two.fingerprint


# What searches reach.


def test_annealing_beats_order_and_chance(cases, edr):
    network, lengths, _ = cases["groups"]
    results = [
        place(network, edr, lengths, seed=1, algorithm=name, objective="length", bounds=False, **more).objective
        for name, more in (("multilevel", {}), ("anneal", {"moves": 200_000}), ("identity", {}), ("random", {}))
    ]
    assert max(results[:2]) < results[2] < results[3]


@pytest.fixture(scope="module")
def tiny(edr):
    """Eight routers, two to a cabinet, four cabinets in a square grid: few enough to try every layout."""
    room = floor.room("spectralfly", routers=8)
    network = topology.build("jellyfish", routers=8, degree=3)
    return network, room


def mirrored(room):
    return replace(room, slot_xy=room.slot_xy * [-1, 1], node_xyz=room.node_xyz * [-1, 1, 1])


def rotated(room):
    """A quarter turn."""
    xy, nodes = room.slot_xy, room.node_xyz
    return replace(
        room,
        slot_xy=np.column_stack([-xy[:, 1], xy[:, 0]]),
        slot_size=room.slot_size[:, ::-1].copy(),
        node_xyz=np.column_stack([-nodes[:, 1], nodes[:, 0], nodes[:, 2]]),
    )


def renumbered(room):
    """The same room with its slots in another order."""
    order = np.random.default_rng(3).permutation(room.slot_count)
    arrays = {name: getattr(room, name)[order] for name in vars(room) if name.startswith("slot_") and name != "slot_names"}
    return replace(room, **arrays)


def relabeled(network):
    label = np.random.default_rng(4).permutation(network.router_count)
    return made("test", {}, network.router_count, label[network.links], endpoints=0)


def lowest(network, room, edr, objective):
    """The minimum objective of all layouts, tried one by one."""
    cost = by_hand.LinkCost(edr, Lengths(room, edr.cabinet, Slack()), objective)
    table = [[cost(a, b) for b in range(room.slot_count)] for a in range(room.slot_count)]
    seats = [slot for slot in range(room.slot_count) for _ in range(2)]
    links = network.links.tolist()
    return min(sum(table[slot[a]][slot[b]] for a, b in links) for slot in set(permutations(seats)))


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["length", "price"])
def test_the_search_finds_the_optimum_however_one_looks_at_it(tiny, edr, objective):
    network, room = tiny
    best = lowest(network, room, edr, objective)
    cases = [(network, room), (relabeled(network), room)]
    cases += [(network, change(room)) for change in (mirrored, rotated, renumbered)]
    for nodes, place_ in cases:
        lengths = Lengths(place_, edr.cabinet, Slack())
        for algorithm in ("anneal", "auto"):
            options = {"algorithm": algorithm, "objective": objective, "groups": "ignored", "bounds": False, "moves": 20_000}
            found = [place(nodes, edr, lengths, seed=seed, endpoints="together", **options) for seed in range(3)]
            ends = by_hand.EndpointCost(edr, lengths, objective)
            assert {placed.objective - by_hand.ends(nodes, placed, ends) for placed in found} == {best}


@pytest.mark.slow
def test_cabinets_too_find_their_optimum(edr, lab):
    """Five whole cabinets on seven slots of unequal reach."""
    chosen = [0, 1, 3, 7, 8, 12, 15]
    slots = {name: getattr(lab, name)[chosen] for name in vars(lab) if name.startswith("slot_") and name != "slot_names"}
    slots["slot_names"] = tuple(lab.slot_names[slot] for slot in chosen)
    lengths = Lengths(replace(lab, **slots, cabinet_routers=1), edr.cabinet, Slack())
    network = made("test", {}, 5, np.array([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2)]), endpoints=0)
    cost = by_hand.LinkCost(edr, lengths, "length")
    best = min(by_hand.objective(network, slot, cost) for slot in permutations(range(7), 5))
    for algorithm in ("anneal", "auto"):
        options = {"algorithm": algorithm, "objective": "length", "bounds": False, "moves": 20_000}
        assert {place(network, edr, lengths, seed=seed, **options).objective for seed in range(3)} == {best}


# No move breaks a limit.


@pytest.mark.slow
@settings(max_examples=30)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(4, 16),
    st.sampled_from(["ignored", "preferred", "required"]),
    st.none() | st.integers(20, 60),
    st.sampled_from([0.01, 1.0, 100.0]),
    st.booleans(),
)
def test_no_sequence_of_moves_breaks_a_limit(lab, edr, seed, routers, groups, panel_ports, temperature, near):
    """Small rooms, some slots weak in power or floor, routers with different endpoints and degrees, some kept apart."""
    draw = np.random.default_rng(seed)
    pairs = [(a, b) for a in range(routers) for b in range(a + 1, routers) if b == a + 1 or draw.random() < 0.2]
    group = {"group": draw.integers(0, 4, (routers, 1)), "group_names": ("group",)}
    network = made("test", {}, routers, np.array(pairs), endpoints=draw.choice([0, 1, 4, 7], routers), **group)
    power, load = draw.choice([5, 9, 14, 30], lab.slot_count), draw.choice([400, 1500], lab.slot_count, p=[0.2, 0.8])
    room = replace(lab, slot_power_mw=power * 10**6, slot_load_g=load * 1000, cabinet_routers=int(draw.integers(1, 5)))
    separate = (tuple(draw.choice(routers, 2, replace=False).tolist()),) if groups == "ignored" else ()
    price = 700 if groups == "preferred" else 0
    lengths = Lengths(room, edr.cabinet, Slack())
    wishes = {"groups": groups, "group_price": price, "panel_ports": panel_ports, "separate": separate}
    try:
        task = problem(network, edr, lengths, **wishes)
    except Infeasible:
        assume(False)
    assert np.array_equal(task.start, task.packing.slot_of[task.packing.cabinet_of])
    cost = by_hand.LinkCost(edr, lengths, "price")
    whole_before = whole_groups(network, task.start)
    for whole in (True, False):
        search = Search(task, random_state(seed, "test"), whole=whole, near=near)
        if not search.movable:
            continue
        for swap_share in (0, 0, 32) if whole is False else (0, 0):
            search.step(40, temperature * 1000, swap_share)
            placed = task.placement(search.layout, "moved", 0)
            by_hand.check_limits(placed, network, room, edr, panel_ports)
            expected = by_hand.objective(network, search.layout, cost) + by_hand.apart(network, search.layout, price)
            expected += by_hand.ends(network, placed, by_hand.EndpointCost(edr, lengths, "price"))
            assert search.objective == placed.objective == expected
            assert search.best_objective <= min(search.objective, placed.start_objective)
            assert task.objective(search.best) == search.best_objective
            for one, two in separate:
                assert search.layout[one] != search.layout[two]
            if groups == "required":
                assert whole_before <= whole_groups(network, search.layout)


def whole_groups(network, slot):
    return {g for g in np.unique(network.group[:, 0]).tolist() if len(set(slot[network.group[:, 0] == g].tolist())) == 1}


# Bookkeeping of searches.


def test_the_search_takes_the_field_and_drops_it_without_a_trace(cases, edr):
    """The same moves by arithmetic throughout, and with the field as the search chooses."""
    for case in ("groups", "pairs", "mixed", "expensive groups"):
        network, lengths, wishes = cases[case]
        task = problem(network, edr, lengths, **wishes)
        layouts = []
        for chooses in (True, False):
            search = Search(task, random_state(1, "test"), whole=False)
            if not chooses:
                search.choose = lambda accepted: None
            used = set()
            for temperature in (1e6, 1e5, 1e4, 100.0, 0.0, 0.0, 1e6, 1e6):
                search.step(300, temperature, 40)
                used.add(search.by_field)
            assert used == ({True, False} if chooses and search.movable and case != "groups" else {False}) or case == "groups"
            layouts.append((search.layout.tolist(), search.objective, search.best.tolist()))
        assert layouts[0] == layouts[1]


def test_the_quotient_counts_links_between_cabinets(cases, edr):
    network, _, _ = cases["groups"]
    cabinet = np.random.default_rng(1).integers(0, 9, network.router_count)
    expected = np.zeros((9, 9), int)
    for a, b in network.links.tolist():
        if cabinet[a] != cabinet[b]:
            expected[[cabinet[a], cabinet[b]], [cabinet[b], cabinet[a]]] += 1
    assert np.array_equal(quotient(network, cabinet).toarray(), expected)


@given(st.integers(0, 10**9), st.lists(st.floats(0.01, 1), min_size=1, max_size=4))
def test_budgets_add_up(moves, shares):
    levels = list(Budget(moves).levels())
    assert len(levels) == LEVELS
    assert sum(count for count, _ in levels) == moves
    used = [share for _, share in levels]
    assert used[0] == 0
    assert used == sorted(set(used))
    assert used[-1] < 1
    parts = [Budget(moves, 60.0).scaled(share / sum(shares)) for share in shares]
    assert moves - len(shares) <= sum(part.moves for part in parts) <= moves + 1
    assert sum(part.seconds for part in parts) == pytest.approx(60)


def test_the_moves_are_those_that_were_asked_for(cases, edr):
    for case in ("groups", "pairs", "mixed"):
        network, lengths, wishes = cases[case]
        placed = place(network, edr, lengths, seed=1, algorithm="anneal", moves=9000, restarts=2, bounds=False, **wishes)
        assert 9000 * 0.99 <= placed.evaluations <= 9000 * 1.2, "a little more where rows and groups move too"


def test_wall_time_is_marked(cases, edr):
    network, lengths, wishes = cases["pairs"]
    placed = place(network, edr, lengths, seed=1, algorithm="anneal", seconds=0.05, **wishes)
    assert not placed.complete
    assert placed.evaluations > 0
    check(placed, "pairs", cases, edr)


@pytest.mark.nightly
def test_the_compiler_changes_nothing(cases, edr):
    code = (
        "from planner.domain import catalog\n"
        "from planner.hall import floor\n"
        "from planner.network import topology\n"
        "from planner.hall.floor import Lengths, Slack\n"
        "from planner.design.placement import place\n"
        "edr = catalog.select('nvidia-sb7800', 'server-half-unit', 'apc-ar3300')\n"
        "lengths = Lengths(floor.room('spectralfly', routers=24), edr.cabinet, Slack())\n"
        "network = topology.build('jellyfish', routers=24, degree=5)\n"
        "for name in ('anneal', 'multilevel'):\n"
        "    print(place(network, edr, lengths, seed=1, algorithm=name, moves=400, objective='length').fingerprint)\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    plain = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    network, lengths, wishes = cases["pairs"]
    found = [place(network, edr, lengths, seed=1, algorithm=n, moves=400, **wishes).fingerprint for n in ("anneal", "multilevel")]
    assert plain.stdout.split() == found


# Longest links.


def test_long_links_are_avoided_where_possible(cases, edr):
    """A ring can always be placed with short links; one that is too long in the cheapest layout must go."""
    network = topology.build("torus", sizes=(24,))
    lengths = Lengths(floor.room("spectralfly", routers=24), edr.cabinet, Slack())
    limit = 7000
    options = {"seed": 1, "algorithm": "anneal", "bounds": False, "moves": 300_000, "objective": "length", "groups": "ignored"}
    run_of = by_hand.LinkCost(edr, lengths, "length")

    def longest(placed):
        slot = where(placed)
        return max(run_of(slot[a], slot[b]) for a, b in network.links.tolist())

    long = place(
        network, edr, lengths, **{name: each for name, each in options.items() if name != "moves"} | {"algorithm": "random"}
    )
    short = place(network, edr, lengths, longest_mm=limit, **options)
    assert longest(short) <= limit < longest(long)
    ends = by_hand.ends(network, short, by_hand.EndpointCost(edr, lengths, "length"))
    assert short.objective == by_hand.objective(network, where(short), run_of) + ends, "the objective knows no penalty"


@pytest.mark.slow
def test_what_cannot_be_short_is_as_cheap_as_it_can(cases, edr):
    """With a limit below every link the penalty is the same for all layouts; the search minimizes the cost."""
    network, lengths, wishes = cases["pairs"]
    one = place(network, edr, lengths, seed=1, algorithm="anneal", longest_mm=1, bounds=False, **wishes)
    free = place(network, edr, lengths, seed=1, algorithm="anneal", bounds=False, **wishes)
    assert one.objective < 1.1 * free.objective


# Bisection.


def test_bisection_is_a_permutation_that_keeps_neighbors_together():
    """A path on a line, and a grid on a grid: as good as they can be within a factor that chance never reaches."""
    draw = np.random.default_rng(1)
    count = 64
    for side in (1, 8):
        xy = np.array([(x, y) for x in range(count // side) for y in range(side)]) * 1000
        links = np.array([(a, b) for a in range(count) for b in range(a) if np.abs(xy[a] - xy[b]).sum() == 1000])
        label = draw.permutation(count)
        network = made("test", {}, count, label[links], endpoints=0)
        place_ = place_by_bisection(quotient(network, np.arange(count)), xy, 1)
        assert sorted(place_.tolist()) == list(range(count))
        a, b = network.links.T
        length = np.abs(xy[place_[a]] - xy[place_[b]]).sum()
        chance = np.abs(xy[a] - xy[b]).sum()
        assert 1000 * len(links) <= length < chance / 2


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.floats(0, 0.4))
def test_bisection_takes_any_graph(seed, count, density):
    draw = np.random.default_rng(seed)
    pairs = np.array([(a, b) for a in range(count) for b in range(a) if draw.random() < density]).reshape(-1, 2)
    graph = quotient(made("test", {}, count, pairs, endpoints=0), np.arange(count))
    xy = draw.integers(0, 5, (count, 2)) * 600
    place_ = place_by_bisection(graph, xy, int(draw.integers(0, 100)))
    assert sorted(place_.tolist()) == list(range(count))
    assert place_by_bisection(graph, xy, 0).tolist() == place_by_bisection(graph, xy, 0).tolist()


@pytest.mark.slow
def test_bisection_alone_beats_order_and_chance_on_a_torus(edr):
    network = topology.build("torus", sizes=(8, 8, 8))
    network = relabeled(network)
    lengths = Lengths(floor.room("spectralfly", routers=512, cabinet_routers=1), edr.cabinet, Slack())
    options = {"seed": 1, "objective": "length", "bounds": False}
    found = place(network, edr, lengths, algorithm="multilevel", refine=False, **options).objective
    others = [place(network, edr, lengths, algorithm=name, **options).objective for name in ("identity", "random")]
    assert found < 0.6 * min(others)
    refined = place(network, edr, lengths, algorithm="multilevel", moves=200_000, **options).objective
    assert refined < found


def test_bisection_respects_fixed_cabinets_and_weak_slots(cases, edr, tmp_path):
    network, lengths, wishes = cases["mixed"]
    start = where(place(network, edr, lengths, seed=7, algorithm="random", bounds=False, **wishes))[: network.router_count]
    table = layout_file(tmp_path, network, lengths, start, {3, 11})
    task = problem(network, edr, lengths, layout=table, **wishes)
    assert len(task.packing.allowed) > 1, "the case has weak slots"
    for seed in range(5):
        layout = bisected(task, seed)
        by_hand.check_limits(task.placement(layout, "", 0), network, lengths.room, edr)
        assert layout[[3, 11]].tolist() == start[[3, 11]].tolist()
        assert len(np.unique(np.column_stack([layout, start]), axis=0)) == len(np.unique(start)), "cabinets stay whole"


# Where cabinets start.


def test_a_compact_start_keeps_slots_that_lie_together(edr):
    """Nine cabinets on 48 slots whose rows are as far apart as their columns."""
    room = floor.room("spectralfly", routers=1, cabinets=48, cabinet_routers=2)
    lengths = Lengths(room, edr.cabinet, Slack())
    network = topology.build("jellyfish", routers=18, degree=6)
    task = problem(network, edr, lengths, objective="length", groups="ignored")
    compact = task.compact()
    used, first = np.unique(compact), np.unique(task.start)
    assert len(used) == len(first) == 9
    run_of = by_hand.LinkCost(edr, lengths, "length")
    chances = [np.random.default_rng(seed).choice(room.slot_count, 9, replace=False) for seed in range(200)]

    def spread(slots):
        return sum(run_of(a, b) for a in slots.tolist() for b in slots.tolist())

    assert spread(used) <= min(spread(slots) for slots in [first, *chances])
    by_hand.check_limits(task.placement(compact, "", 0), network, room, edr)


def test_a_start_that_cannot_be_chosen_stays(cases, edr, tmp_path):
    network, lengths, wishes = cases["mixed"]
    task = problem(network, edr, lengths, **wishes)
    assert task.compact() is task.start, "some slots are weak"
    network, lengths, wishes = cases["small"]
    slot = np.full(10, -1)
    slot[0] = 3
    task = problem(network, edr, lengths, layout=layout_file(tmp_path, network, lengths, slot), **wishes)
    assert task.compact() is task.start, "a layout states where to begin"


def test_a_compact_layout_is_closer_together_than_the_first_slots(edr):
    network = topology.build("slimfly", q=9, endpoints_per_router=0)
    room = Lengths(floor.room("spectralfly", routers=162), edr.cabinet, Slack())
    task = problem(network, edr, room, objective="length", groups="ignored")
    assert task.packing.cabinet_count < len(task.slots)

    def spread(layout):
        used = np.unique(layout)
        return int(task.cost.between(used[:, None], used[None, :]).sum())

    assert spread(task.compact()) < spread(task.start)
