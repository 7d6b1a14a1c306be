"""Packing and placement: limits kept, costs right, results reproducible."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner import floor, registry, topology
from planner.errors import Infeasible, InputError
from planner.floor import Lengths, Slack
from planner.kernels import anneal as kernel
from planner.placement import link_cost, place, problem
from planner.placement._packing import Capacity, pack
from planner.placement.anneal import _Run

ALGORITHMS = registry.names("placement")


@pytest.fixture(scope="module")
def hall():
    return floor.room("hall-a", routers=1)


@pytest.fixture(scope="module")
def lengths(hall, edr):
    return Lengths(hall, edr.cabinet, Slack())


@pytest.fixture(scope="module")
def polarstar():
    return topology.build("polarstar", q=3, supernode_degree=3, endpoints_per_router=5)


def cabinets(packing):
    return [np.flatnonzero(packing.cabinet_of == c).tolist() for c in range(packing.cabinet_count)]


def test_a_group_that_fits_stays_whole(polarstar, hall, edr):
    packing = pack(polarstar, hall, edr, "together")
    supernode = polarstar.group[:, 0]
    for number in np.unique(supernode):
        assert len(np.unique(packing.cabinet_of[supernode == number])) == 1


def test_small_groups_share_a_cabinet(hall, edr):
    """Groups of 4 routers and 8 endpoints take 8 of 42 units: five to a cabinet, by units."""
    network = topology.build("dragonfly", a=4, h=2)
    packing = pack(network, hall, edr, "together")
    assert cabinets(packing) == [list(range(20)), list(range(20, 36))]


def test_a_group_too_large_is_cut_into_equal_parts(hall, edr):
    """16 routers with 64 endpoints take 48 of 42 units: two cabinets of eight."""
    network = topology.build("dragonfly", a=16, h=1, groups=2, endpoints_per_router=4)
    assert [len(c) for c in cabinets(pack(network, hall, edr, "together"))] == [8, 8, 8, 8]


def test_free_packing_fills_cabinets(hall, edr):
    network = topology.build("jellyfish", routers=40, degree=3, endpoints_per_router=4)
    # 14 routers and 14 boxes of two units take 42 units.
    assert [len(c) for c in cabinets(pack(network, hall, edr, "free"))] == [14, 14, 12]


def test_the_limit_that_binds_is_named(edr, lab, hall, polarstar):
    network = topology.build("jellyfish", routers=400, degree=5, endpoints_per_router=4)
    with pytest.raises(
        Infeasible,
        match=r"40 cabinets needed of at most 10 routers \(full by power\), 16 of 16 slots in lab will do; 24 slots too few",
    ):
        pack(network, lab, edr, "free")
    weak = replace(hall, slot_power_mw=np.where(np.arange(hall.slot_count) < 2, 50_000_000, 5_000_000))
    with pytest.raises(Infeasible, match=r"338 cabinets needed of at most 1 routers|excluded by power"):
        pack(topology.build("slimfly", q=13, endpoints_per_router=4), weak, edr, "together")
    tiny = replace(hall, slot_power_mw=np.full(hall.slot_count, 1_000_000))
    with pytest.raises(
        Infeasible, match=r"one nvidia-sb7800 with 5 endpoints does not fit .* power in mW 5132000, allowed 1000000"
    ):
        pack(polarstar, tiny, edr, "together")
    with pytest.raises(Infeasible, match=r"router 0 needs 45 ports \(5 links, 40 endpoints\), and nvidia-sb7800 has 36"):
        pack(topology.build("jellyfish", routers=40, degree=5, endpoints_per_router=40), hall, edr, "free")


def test_weak_slots_are_left_empty_where_cabinets_need_more(hall, edr):
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    packing = pack(network, hall, edr, "together")
    weak = {n for n, name in enumerate(hall.slot_names) if name.startswith("K")}
    assert packing.cabinet_count == 5
    assert not weak & set(packing.usable.tolist())


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 60), st.integers(0, 6), st.sampled_from(["together", "free"]), st.integers(4, 50))
def test_packing_never_breaks_a_limit(hall, edr, routers, endpoints, groups, power_kw):
    network = topology.build("torus", sizes=(routers, 3), endpoints_per_router=endpoints)
    room = replace(hall, slot_power_mw=np.full(hall.slot_count, power_kw * 1_000_000))
    try:
        packing = pack(network, room, edr, groups)
    except Infeasible:
        return
    capacity = Capacity(edr, power_kw * 1_000_000, int(room.slot_load_g.max()), None)
    for members in cabinets(packing):
        assert members
        assert capacity.fits(len(members), len(members) * endpoints)
    unit_of, endpoint_cabinet, endpoint_unit = packing.stack(packing.cabinet_of)
    assert np.array_equal(endpoint_cabinet, packing.cabinet_of[network.endpoint_router])
    taken = set()
    for cabinet, unit in zip(packing.cabinet_of.tolist(), unit_of.tolist(), strict=True):
        assert (cabinet, unit) not in taken
        taken.add((cabinet, unit))
    for cabinet, unit in set(zip(endpoint_cabinet.tolist(), endpoint_unit.tolist(), strict=True)):
        assert 1 <= unit <= 41
        assert not {(cabinet, unit), (cabinet, unit + 1)} & taken
        taken |= {(cabinet, unit), (cabinet, unit + 1)}


def test_link_cost_by_hand(lab, edr, lab_lengths):
    """Two neighbouring slots of one row: 1.2 m of rise and drop each, 0.6 m of tray, 1.6 m of slack."""
    run = link_cost(edr, lab_lengths, "length")
    assert run[0, 1] - 600 - 1600 == 2 * (609 + 367)
    price = link_cost(edr, lab_lengths, "price")
    assert run[0, 1] == 4152
    # 5 m of 26 AWG copper at 72 USD, and 6.25 USD to lay it.
    assert price[0, 1] == 7200 + 625
    assert price[0, 0] == 4400 + 250
    assert np.array_equal(price, price.T)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_keeps_the_promises(algorithm, polarstar, hall, edr, lengths):
    placed = place(polarstar, edr, lengths, seed=3, algorithm=algorithm)
    again = place(polarstar, edr, lengths, seed=3, algorithm=algorithm)
    assert placed.fingerprint == again.fingerprint
    assert len(np.unique(placed.slot_of)) == placed.cabinet_count
    task = problem(polarstar, edr, lengths, "price", "together")
    assert set(placed.slot_of.tolist()) <= set(task.slots.tolist())
    a, b = polarstar.links.T
    slot = placed.slot_of[placed.cabinet_of]
    assert placed.objective == sum(int(task.cost[i, j]) for i, j in zip(slot[a], slot[b], strict=True))
    assert np.array_equal(placed.endpoint_cabinet, placed.cabinet_of[polarstar.endpoint_router])
    supernode = polarstar.group[:, 0]
    assert len(np.unique(np.column_stack([supernode, placed.cabinet_of]), axis=0)) == len(np.unique(supernode))


def test_annealing_beats_order_and_chance(polarstar, edr, lengths):
    results = {
        name: place(polarstar, edr, lengths, seed=1, algorithm=name, objective="length").objective
        for name in ("identity", "random", "anneal")
    }
    assert results["anneal"] < results["identity"] < results["random"]


@pytest.mark.parametrize("chunk", [1, 77, 1000, 10**6])
def test_the_chunk_size_changes_nothing(chunk, polarstar, edr, lengths):
    options = {"seed": 5, "algorithm": "anneal", "moves": 2000}
    assert (
        place(polarstar, edr, lengths, chunk=chunk, **options).fingerprint
        == place(polarstar, edr, lengths, **options).fingerprint
    )


def test_seeds_matter(edr, lengths):
    network = topology.build("jellyfish", routers=60, degree=5)
    one, two = (place(network, edr, lengths, seed=s, algorithm="anneal", moves=3000) for s in (1, 2))
    assert one.fingerprint != two.fingerprint


def test_incremental_costs_equal_full_recounts(edr, lengths):
    """The plain twin of the kernel's cost changes: count everything before and after."""
    network = topology.build("jellyfish", routers=60, degree=5, endpoints_per_router=4)
    task = problem(network, edr, lengths, "length", "free")
    run = _Run(task, 1, 0.5)
    (_, _, indptr, indices, cost, slots, _, _, _, slot, place_in_slot, content, filled) = run.arguments
    draw = np.random.default_rng(1)

    def full():
        a, b = network.links.T
        return int(cost[slot[a], slot[b]].sum())

    for _ in range(200):
        before = full()
        r, s = draw.choice(60, 2, replace=False).astype(np.uint32)
        if slot[r] != slot[s]:
            change = kernel.router_swap_cost(r, s, indptr, indices, slot, cost)
            kernel._swap_routers(r, s, slot, place_in_slot, content)
            assert full() - before == change
        before = full()
        here, there = draw.choice(slots, 2, replace=False)
        change = kernel.cabinet_move_cost(here, there, content, filled, indptr, indices, slot, cost)
        kernel._swap_slots(here, there, slot, content, filled)
        assert full() - before == change
        for router in range(60):
            assert content[slot[router], place_in_slot[router]] == router


def test_the_compiler_changes_nothing(polarstar, edr, lengths):
    code = (
        "from planner import catalog, floor, topology\n"
        "from planner.floor import Lengths, Slack\n"
        "from planner.placement import place\n"
        "edr = catalog.select('nvidia-sb7800', 'server-half-unit', 'apc-ar3300')\n"
        "lengths = Lengths(floor.room('hall-a', routers=1), edr.cabinet, Slack())\n"
        "network = topology.build('polarstar', q=3, supernode_degree=3, endpoints_per_router=5)\n"
        "print(place(network, edr, lengths, seed=1, algorithm='anneal', moves=400).fingerprint)\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    plain = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert plain.stdout.strip() == place(polarstar, edr, lengths, seed=1, algorithm="anneal", moves=400).fingerprint


def test_an_interrupted_search_keeps_what_it_found(polarstar, edr, lengths):
    def stop_early(stage, done, total, **facts):
        if done >= 2000:
            raise KeyboardInterrupt

    placed = place(polarstar, edr, lengths, seed=1, algorithm="anneal", moves=10**6, chunk=1000, progress=stop_early)
    assert not placed.complete
    assert "interrupted" in placed.method
    assert len(np.unique(placed.slot_of)) == placed.cabinet_count
    assert placed.objective <= placed.start_objective


def test_one_router_and_one_slot(edr, lab):
    """Nothing to move, nothing to draw."""
    single = replace(
        lab, **{name: getattr(lab, name)[:1] for name in ("slot_names", "slot_xy", "slot_size", "slot_row", "slot_facing",
                                                         "slot_power_mw", "slot_load_g", "slot_node", "slot_offset_mm")}
    )  # fmt: skip
    network = topology.build("jellyfish", routers=4, degree=3)
    placed = place(network, edr, Lengths(single, edr.cabinet, Slack()), seed=1, algorithm="anneal")
    assert placed.cabinet_count == 1
    assert placed.slot_of.tolist() == [0]


def test_unknown_parameters_are_refused(polarstar, edr, lengths):
    with pytest.raises(InputError, match="did you mean moves"):
        place(polarstar, edr, lengths, seed=1, algorithm="anneal", mooves=5)
    with pytest.raises(InputError, match="did you mean anneal"):
        place(polarstar, edr, lengths, seed=1, algorithm="aneal")
