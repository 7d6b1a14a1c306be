"""Dense placement: costs counted once, limits kept, proofs against brute force, sets put back exactly."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core import registry
from planner.core.errors import InputError
from planner.core.progress import silent
from planner.design.placement import problem
from planner.design.placement.model.dense import dense
from planner.design.placement.search.independent import Sets
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology

OF_SLOTS = (
    "slot_xy", "slot_size", "slot_row", "slot_facing", "slot_power_mw", "slot_load_g", "slot_node",
    "slot_egress",
)  # fmt: skip
NAMES = ("tabu", "faq", "exact", "assignment")


def lab(slots, **facts):
    """The laboratory with n slots: the first half of both rows."""
    room = floor.room("lab", routers=1)
    kept = np.r_[: -(-slots // 2), 8 : 8 + slots // 2]
    arrays = {name: getattr(room, name)[kept] for name in OF_SLOTS}
    return replace(room, slot_names=tuple(room.slot_names[slot] for slot in kept), **arrays | facts)


def pose(network, edr, room, **wishes):
    return problem(network, edr, Lengths(room, edr.cabinet, Slack()), **wishes)


def run(name, posed, **parameters):
    return registry.function("placement", name)(posed, seed=1, progress=silent, **parameters)


def slots_of(placed):
    return placed.slot


def racks(cabinets, graph_seed=1, degree=5):
    """A random network whose groups of ten routers fill a cabinet each."""
    network = topology.build("jellyfish", routers=10 * cabinets, degree=degree, endpoints_per_router=4, graph_seed=graph_seed)
    rack = (np.arange(10 * cabinets) // 10)[:, None].astype(np.int32)
    return replace(network, group=rack, group_names=("rack",))


def lowest(posed, items, places):
    """The minimum objective over all assignments of items (of routers) to different places (of slots)."""
    choices = {tuple(places[list(choice)]) for choice in itertools.permutations(range(len(places)), int(items.max()) + 1)}
    return min(posed.objective(np.array(choice)[items]) for choice in choices)


def interrupting(after):
    calls = itertools.count()

    def progress(stage, done, total, **facts):
        if next(calls) >= after:
            raise KeyboardInterrupt

    return progress


@pytest.mark.slow
@given(
    seed=st.integers(0, 1000), cabinets=st.integers(2, 4), slots=st.integers(4, 7), objective=st.sampled_from(["price", "length"])
)
@settings(max_examples=15)
def test_cabinets_cost_what_placement_counts(edr, seed, cabinets, slots, objective):
    posed = pose(racks(cabinets, seed), edr, lab(slots), objective=objective, longest_mm=9000)
    form = dense(posed)
    assert posed.cabinets_stay
    assert form.whole
    assert form.qap.size == slots
    assert form.layout(np.arange(slots)).tolist() == posed.start.tolist()
    permutation = np.random.default_rng(seed).permutation(slots)
    assert form.qap.objective(permutation) + form.constant == posed.objective(form.layout(permutation), posed.search_cost)


@pytest.mark.slow
@given(seed=st.integers(0, 1000), endpoints=st.sampled_from([0, 4]))
@settings(max_examples=15)
def test_routers_cost_what_placement_counts(edr, seed, endpoints):
    network = topology.build("jellyfish", routers=24, degree=5, endpoints_per_router=endpoints, graph_seed=seed)
    posed = pose(network, edr, lab(6, cabinet_routers=5), groups="ignored", packing="order")
    form = dense(posed)
    permutation = np.random.default_rng(seed).permutation(24)
    layout = form.layout(permutation)
    assert not posed.cabinets_stay
    assert np.bincount(layout).tolist() == np.bincount(posed.start).tolist()
    assert form.qap.objective(permutation) + form.constant == posed.objective(layout)


def test_groups_apart_have_a_price_that_only_cabinets_can_take(edr):
    network = topology.build("dragonfly", a=4, h=1, groups=4, endpoints_per_router=4)
    with pytest.raises(InputError, match="does not support group_price"):
        dense(pose(network, edr, lab(8, cabinet_routers=2), groups="preferred", group_price=1000))


@pytest.mark.slow
def test_too_many_slots_are_refused(edr):
    with pytest.raises(InputError, match="at most 40 slots, and there are 141; use auto"):
        run("exact", pose(racks(3), edr, floor.room("hall-a", routers=1)))
    with pytest.raises(InputError, match=r"at most 1,500 routers, and there are 1,600; use auto"):
        network = topology.build("torus", sizes=[40, 40], endpoints_per_router=1)
        run("tabu", pose(network, edr, floor.room("hall-a", routers=1), groups="ignored", packing="order"))


@pytest.fixture(scope="module")
def uneven(edr):
    """Cabinets of ten and seven routers; the large ones need 30 kW, which half of the slots have."""
    network = topology.build("jellyfish", routers=34, degree=4, endpoints_per_router=4, graph_seed=3)
    network = replace(network, group=np.repeat([0, 1, 2, 3], [10, 10, 7, 7])[:, None].astype(np.int32), group_names=("rack",))
    power_mw = np.where(np.arange(8) % 2, 30_000_000, 22_000_000)
    return pose(network, edr, lab(8, slot_power_mw=power_mw))


@pytest.mark.parametrize("name", ["tabu", "exact", "assignment"])
def test_weak_slots_stay_free_of_heavy_cabinets(uneven, name):
    assert len(uneven.packing.allowed) > 1
    placed = run(name, uneven)
    for cabinet, slot in enumerate(placed.slot_of.tolist()):
        routers = np.flatnonzero(placed.cabinet == cabinet)
        assert uneven.packing.allowed[uneven.packing.demand[uneven.packing.cabinet_of[routers[0]]], slot]
    assert placed.objective <= uneven.objective(uneven.start)


def test_exact_knows_forbidden_slots(uneven):
    assert uneven.cabinets_stay
    cabinet = uneven.packing.cabinet_of
    carried = uneven.packing.allowed[uneven.packing.demand]
    costs = []
    for choice in itertools.permutations(range(8), int(cabinet.max()) + 1):
        if carried[np.arange(len(choice)), list(choice)].all():
            costs.append(uneven.objective(np.array(choice)[cabinet]))
    for method in ("branch", "cp-sat"):
        placed = run("exact", uneven, method=method)
        assert placed.objective == placed.lower_bound == min(costs)


def test_faq_refuses_forbidden_slots(uneven):
    with pytest.raises(InputError, match="slots that carry every cabinet"):
        run("faq", uneven)


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["price", "length"])
@pytest.mark.parametrize(("method", "words"), [("branch", "branch and bound"), ("cp-sat", "CP-SAT")])
def test_exact_finds_the_minimum_of_all_layouts(edr, objective, method, words):
    posed = pose(racks(4), edr, lab(6), objective=objective)
    placed = run("exact", posed, method=method)
    truth = lowest(posed, posed.packing.cabinet_of, np.arange(6))
    assert placed.objective == placed.lower_bound == truth
    assert placed.bound_method == f"{words}, proven optimal"
    assert placed.complete
    assert posed.objective(slots_of(placed)) == placed.objective


@pytest.mark.slow
def test_exact_proves_routers_that_are_all_alike(edr):
    network = topology.build("jellyfish", routers=8, degree=3, endpoints_per_router=2, graph_seed=1)
    posed = pose(network, edr, lab(4, cabinet_routers=2), groups="ignored", objective="length")
    placed = run("exact", posed)
    truth = lowest(posed, np.arange(8), np.repeat(np.arange(4), 2))
    assert placed.objective == placed.lower_bound == truth


@pytest.mark.slow
def test_exact_claims_nothing_where_rules_allow_more(edr):
    network = topology.build("jellyfish", routers=8, degree=3, endpoints_per_router=2, graph_seed=1)
    spare_slots = pose(network, edr, lab(6, cabinet_routers=2), groups="ignored", objective="length")
    assert run("exact", spare_slots).lower_bound == 0
    torn = pose(topology.build("dragonfly", a=8, h=1, groups=2, endpoints_per_router=2), edr, lab(4, cabinet_routers=4))
    assert torn.groups_stay
    assert not torn.cabinets_stay
    assert run("exact", torn).lower_bound == 0


@pytest.mark.slow
def test_exact_claims_nothing_where_long_links_are_penalized(edr):
    posed = pose(racks(4), edr, lab(6), longest_mm=5000)
    placed = run("exact", posed)
    assert (placed.lower_bound, placed.bound_method) == (0, "")
    # A limit that no run exceeds changes nothing.
    assert run("exact", pose(racks(4), edr, lab(6), longest_mm=10**6)).lower_bound > 0


@pytest.mark.parametrize("objective", ["price", "length"])
@pytest.mark.slow
def test_exact_proves_twelve_cabinets(edr, objective):
    network = topology.build("dragonfly", a=10, h=2, groups=12, endpoints_per_router=4)
    placed = run("exact", pose(network, edr, lab(12), objective=objective))
    assert placed.cabinet_count == 12
    assert placed.lower_bound == placed.objective


@pytest.mark.slow
@pytest.mark.parametrize("method", ["branch", "cp-sat"])
def test_a_proof_that_is_cut_short_is_still_a_bound(edr, method):
    posed = pose(racks(6), edr, lab(6), objective="length")
    full = run("exact", posed)
    limits = {"branch": {"nodes": 1}, "cp-sat": {"work": 1e-3}}[method]
    cut = run("exact", posed, method=method, **limits)
    assert 0 <= cut.lower_bound <= full.objective <= cut.objective
    assert cut.complete
    assert cut.bound_method.endswith("not complete") or cut.lower_bound == cut.objective


def test_cp_sat_refuses_what_is_too_large(edr):
    network = topology.build("jellyfish", routers=36, degree=6, endpoints_per_router=2, graph_seed=2)
    with pytest.raises(InputError, match=r"at most 100,000 products, and .* links on 36 places make more; use branch"):
        run("exact", pose(network, edr, lab(12, cabinet_routers=4), groups="ignored", packing="order"), method="cp-sat")


@pytest.fixture(params=["cabinets", "routers"])
def posed(request, edr):
    if request.param == "cabinets":
        return pose(racks(8), edr, lab(10))
    network = topology.build("jellyfish", routers=36, degree=4, endpoints_per_router=2, graph_seed=2)
    return pose(network, edr, lab(12, cabinet_routers=4), groups="ignored", packing="order", objective="length")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_results_keep_the_rules_and_are_reproducible(posed, name):
    limits = {"nodes": 2} if name == "exact" else {}
    placed, again = run(name, posed, **limits), run(name, posed, **limits)
    assert placed.fingerprint == again.fingerprint
    assert placed.complete
    assert placed.objective <= posed.objective(posed.start)
    cabinet = placed.cabinet[: len(posed.packing.cabinet_of)]
    assert np.sort(np.bincount(cabinet)).tolist() == np.sort(np.bincount(posed.packing.cabinet_of)).tolist()
    assert len(np.unique(placed.slot_of)) == placed.cabinet_count
    if posed.cabinets_stay:
        pairs = np.unique(np.column_stack([cabinet, posed.packing.cabinet_of]), axis=0)
        assert len(pairs) == posed.packing.cabinet_count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "after"), [*((name, 0) for name in NAMES), pytest.param("exact", 258, marks=pytest.mark.nightly), ("assignment", 3)]
)
def test_interrupted_searches_keep_what_they_have(posed, name, after):
    placed = registry.function("placement", name)(posed, seed=1, progress=interrupting(after))
    assert not placed.complete
    assert placed.objective <= posed.objective(posed.start)
    assert placed.lower_bound <= placed.objective


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_wall_time_is_marked(posed, name):
    placed = run(name, posed, seconds=0.05)
    assert placed.objective <= posed.objective(posed.start)
    if name != "assignment":
        assert not placed.complete


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_fixed_routers_and_a_given_layout_stay(edr, name, tmp_path):
    room = lab(12, cabinet_routers=4)
    network = topology.build("jellyfish", routers=32, degree=4, endpoints_per_router=2, graph_seed=2)
    rows = [f"{router},{room.slot_names[11 - router // 4]},{'yes' if router % 5 == 0 else 'no'}" for router in range(32)]
    table = tmp_path / "layout.csv"
    table.write_text("\n".join(["router,slot,fixed", *rows]))
    posed = pose(network, edr, room, groups="ignored", objective="length", layout=table)
    placed = run(name, posed, **({"nodes": 2} if name == "exact" else {}))
    assert (slots_of(placed)[:32:5] == 11 - np.arange(32)[::5] // 4).all()
    assert placed.objective <= posed.objective(posed.start)
    assert placed.start_objective == posed.objective(posed.start)


def test_a_network_where_everything_is_fixed_stays(edr, tmp_path):
    room = lab(4)
    table = tmp_path / "layout.csv"
    table.write_text("\n".join(["router,slot,fixed", *(f"{r},{room.slot_names[r // 10]},yes" for r in range(30))]))
    posed = pose(racks(3), edr, room, layout=table)
    for name in NAMES:
        assert slots_of(run(name, posed))[: len(posed.start)].tolist() == posed.start.tolist()


@pytest.mark.slow
@given(seed=st.integers(0, 10_000), group_price=st.sampled_from([0, 700]), whole=st.booleans())
@settings(max_examples=20)
def test_a_set_goes_back_where_it_is_cheapest(edr, seed, group_price, whole):
    """Against brute force over all orders of the set's items."""
    network = topology.build("dragonfly", a=4, h=1, groups=5, endpoints_per_router=2)
    wishes = {"groups": "preferred", "group_price": group_price} if group_price else {"groups": "ignored"}
    posed = pose(network, edr, lab(8, cabinet_routers=3), packing="order", **wishes)
    draw = np.random.default_rng(seed)
    shuffled = posed.start.copy()[draw.permutation(20)]
    posed = posed.starting_at(shuffled)
    sets = Sets(posed, whole=whole)
    state = draw.bit_generator.state
    layout, gain, count = sets.improved(shuffled, draw, 4)
    assert posed.objective(shuffled) - posed.objective(layout) == gain >= 0
    assert np.sort(np.bincount(layout)).tolist()[-7:] == np.sort(np.bincount(shuffled)).tolist()[-7:]
    draw.bit_generator.state = state
    items = sets.independent_block(draw, 4)
    assert len(items) == count
    slot_of, of_router = np.unique(shuffled, return_inverse=True)
    slot = slot_of if whole else shuffled
    of_router = of_router if whole else np.arange(20)
    places = np.concatenate([slot[items], np.setdiff1d(posed.slots, shuffled) if whole else []]).astype(np.int64)
    tried = []
    for choice in itertools.permutations(places, len(items)):
        moved = slot.copy()
        moved[items] = choice
        tried.append(posed.objective(moved[of_router]))
    assert posed.objective(layout) == min(tried)


def test_assignment_beats_its_start_by_much_where_few_links_tie(edr):
    """A ring laid out at random: most of its length can be saved."""
    network = topology.build("torus", sizes=[40], endpoints_per_router=1)
    posed = pose(network, edr, lab(10, cabinet_routers=4), groups="ignored", packing="order", objective="length")
    posed = posed.starting_at(posed.start[np.random.default_rng(1).permutation(40)])
    placed = run("assignment", posed)
    assert placed.objective < 0.8 * posed.objective(posed.start)
