"""Tray routes: fill limits kept, copper and fiber on their own, every cable from end to end."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.plan_study import study_of

from planner.check.trays import routes_follow_trays, trays_within_fill
from planner.commands.console.terminal import key_figures
from planner.design.cabling import cable
from planner.design.cabling.trays.routes import cross_section_um2, fill_um2, routes
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.domain import catalog
from planner.domain.model import Plan
from planner.domain.quantities import measure
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology


def is_route(room, segments, start, end, medium):
    node = int(room.slot_node[start, medium])
    for segment in segments.tolist():
        assert node in room.segments[segment]
        assert room.segment_carries[segment] >> medium & 1
        node = int(room.segments[segment].sum()) - node
    return node == room.slot_node[end, medium]


@pytest.mark.slow
@settings(max_examples=30)
@given(st.sampled_from(["lab", "raised-hall"]), st.integers(0, 2**32), st.integers(1, 60))
def test_every_cable_has_a_route(plan, seed, count):
    rng = np.random.default_rng(seed)
    room = floor.room(plan, routers=1)
    slot = rng.integers(0, room.slot_count, (count, 2))
    medium = rng.integers(0, 2, count)
    area = rng.integers(1, 10, count) * 10**6
    found = routes(room, slot, medium, area)
    assert np.array_equal(found.route < 0, slot[:, 0] == slot[:, 1])
    fill = np.zeros(len(room.segments), np.int64)
    for number in np.flatnonzero(found.route >= 0):
        one = slice(*found.indptr[found.route[number] : found.route[number] + 2])
        assert is_route(room, found.segments[one], *slot[number].tolist(), int(medium[number]))
        assert room.segment_mm[found.segments[one]].sum() == found.tray_mm[number]
        np.add.at(fill, found.segments[one], area[number])
    assert np.array_equal(fill, fill_um2(found, area, len(room.segments)))
    assert found.tray_mm.sum() >= found.shortest_mm


def test_routes_are_symmetric(lab):
    slot = np.array([[0, 9], [9, 0], [0, 9]])
    found = routes(lab, slot, np.zeros(3, int), np.full(3, 10**6))
    one, two = (found.segments[a:b].tolist() for a, b in pairwise(found.indptr.tolist()))
    assert one == two[::-1]
    assert found.route[0] == found.route[2] != found.route[1]


def narrowed(room, mm2):
    return replace(room, segment_mm2=np.full(len(room.segments), mm2, np.int64))


def test_full_trays_are_passed_by(lab):
    """Cables of 10 mm² from A01 to B01 over trays of 200 mm²: eight by the near end of the rows, the others by the far one."""
    count = 12
    slot = np.tile([[lab.slot_names.index("A01"), lab.slot_names.index("B01")]], (count, 1))
    area = np.full(count, 10_000_000)
    easy = routes(lab, slot, np.zeros(count, int), area)
    assert easy.tray_mm.min() == easy.tray_mm.max()
    tight = narrowed(lab, 200)
    found = routes(tight, slot, np.zeros(count, int), area)
    fill = fill_um2(found, area, len(lab.segments))
    assert fill.max() <= 0.4 * 200 * 10**6
    assert found.shortest_mm == easy.tray_mm.sum() < found.tray_mm.sum()
    assert (found.tray_mm == easy.tray_mm[0]).sum() == 8
    assert found.bottleneck is None


def test_what_cannot_fit_is_proven(lab):
    """Between the rows there is a tray at either end; twenty cables of 10 mm² need 200 mm², the two have 160."""
    count = 20
    slot = np.tile([[lab.slot_names.index("A01"), lab.slot_names.index("B01")]], (count, 1))
    found = routes(narrowed(lab, 200), slot, np.zeros(count, int), np.full(count, 10_000_000))
    why = found.bottleneck
    assert why.is_cut
    assert (why.needed, why.room) == (200 * 10**6, 160 * 10**6)
    # At the maximum fill, half of both trays, everything fits.
    assert fill_um2(found, np.full(count, 10_000_000), len(lab.segments)).max() <= 0.5 * 200 * 10**6


def test_the_result_table_states_what_is_proven(ndr, lab):
    plan = planned(ndr, narrowed(lab, 100), topology.build("slimfly", q=5, endpoints_per_router=4))
    why = plan.cables.bottleneck
    assert why.is_cut
    assert why.needed > why.room
    rows = key_figures(replace(plan, quantities=measure(plan)))
    text = rows[[name for name, _ in rows].index("trays") + 1][1]
    assert text.startswith(f"proven: no routes keep that limit; bottleneck of {len(why.segments)} tray segment")
    assert text.endswith(f"{why.needed / 1e6:,.0f} mm² of cables must cross a cut with space for {why.room / 1e6:,.0f} mm²")


def test_squares_take_more_than_circles():
    assert cross_section_um2(np.array([1000, 2000]), "square").tolist() == [1_000_000, 4_000_000]
    assert cross_section_um2(np.array([1000, 2000]), "round").tolist() == [785_398, 3_141_593]


@pytest.fixture(scope="module")
def ndr():
    return catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")


def planned(parts, room, network, algorithm="random", slack=Slack()):  # noqa: B008
    lengths = Lengths(room, parts.cabinet, slack)
    placed = place(network, parts, lengths, seed=1, algorithm=algorithm)
    return Plan(
        "t",
        "t",
        study_of(slack),
        catalog=parts,
        room=room,
        topology=network,
        inventory=inventory(network, parts),
        placement=placed,
        cables=cable(inventory(network, parts), parts, placed, lengths),
    )


def test_copper_and_fiber_take_their_own_trays(ndr, tmp_path):
    """The raised hall with its baskets overhead, so that copper is short enough between neighboring cabinets."""
    text = (floor.shipped.folder("floorplans") / "raised-hall.toml").read_text(encoding="utf-8")
    (tmp_path / "hall.toml").write_text(text.replace("elevation_mm = -400", "elevation_mm = 2300"), encoding="utf-8")
    room = floor.room(str(tmp_path / "hall.toml"), routers=1)
    plan = planned(ndr, room, topology.build("slimfly", q=7, endpoints_per_router=4), "identity", Slack(end_mm=100, loop_mm=0))
    cables = plan.cables
    assert {"copper", "optical"} <= {made_of.medium for made_of in cables.assemblies}
    between = cables.route >= 0
    for medium, level in ((0, 2300), (1, 2500)):
        mine = between & (cables.medium_class == medium)
        assert mine.any()
        used = np.unique(np.concatenate([cables.route_of(number) for number in np.flatnonzero(mine)]))
        assert set(np.unique(room.node_xyz[room.segments[used], 2]).tolist()) <= {level, 2700 if medium else 2300}
    assert not [*routes_follow_trays(plan)]
    assert not [*trays_within_fill(plan)]


def test_a_cable_on_a_detour_gets_a_longer_part(ndr, lab):
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    wide = planned(ndr, lab, network)
    tight = planned(ndr, narrowed(lab, 400), network)
    assert tight.cables.tray_mm.sum() > wide.cables.tray_mm.sum()
    assert (tight.cables.stock_mm >= tight.cables.run_mm).all()
    assert not [*routes_follow_trays(tight)]


def test_interrupted_routing_is_reported_and_has_a_route_for_every_cable(ndr, lab):
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    room = narrowed(lab, 300)
    lengths = Lengths(room, ndr.cabinet, Slack())
    placed = place(network, ndr, lengths, seed=1, algorithm="random")
    asked = []

    def stop(stage, done, total, **facts):
        asked.append(done)
        if done == 1:
            raise KeyboardInterrupt

    plan = Plan(
        "t",
        "t",
        study_of(),
        catalog=ndr,
        room=room,
        topology=network,
        inventory=inventory(network, ndr),
        placement=placed,
        cables=cable(inventory(network, ndr), ndr, placed, lengths, progress=stop),
    )
    assert asked[-1] == 1
    assert asked.count(1) == 1
    assert not plan.cables.complete
    assert (plan.cables.stock_mm >= plan.cables.run_mm).all()
    assert not [*routes_follow_trays(plan)]
    assert cable(inventory(network, ndr), ndr, placed, lengths).complete
