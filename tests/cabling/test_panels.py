"""Panels: positions by hand, and what must hold for all kinds."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.bundled_plans import KINDS, planned
from shared.cable_sets import COPPER, DUPLEX, FIBER, cable_set, parts, room_of
from shared.cable_sets import assembly as part

from planner.design.cabling.bundling import KINDS as NAMES
from planner.design.cabling.bundling import bundle
from planner.design.cabling.panels import panels
from planner.design.cabling.trays.routes import shortest
from planner.domain import catalog
from planner.network.topology import from_links

ASKED = [("trunk", {"level": level}) for level in ("cabinet", "row", "zone")]
ASKED += [("multicore", {"fiber_cents": 1, "level": "cabinet"}), ("shuffle", {}), ("shuffle", {"level": "zone"})]


def made(facts, kind, settings):
    """Bundle cables, and return the columns of their plan that panels are made from, with the panels."""
    cables = cable_set(**facts)
    bundles = bundle(cables, kind, **settings)
    load = bundles.carriers
    plan = SimpleNamespace(
        **{name: getattr(cables, name) for name in ("device", "cabinet", "assembly", "assemblies", "of_assembly")},
        port=np.column_stack([np.arange(len(cables.assembly))] * 2), unit=np.ones_like(cables.device),
        carried=bundles.carried, bundle=bundles.bundle, leg_mm=bundles.leg_mm, leg_stock_mm=bundles.leg_stock_mm,
        polarity=bundles.polarity, bundle_parts=bundles.parts, carrier_route=np.arange(len(load.area_um2)),
        **{f"bundle_{name}": getattr(bundles, name) for name in ("kind", "part", "capacity", "run_mm", "stock_mm")},
    )  # fmt: skip
    slot_of = np.zeros(int(cables.cabinet.max(initial=0)) + 1, np.int64)
    slot_of[cables.cabinet] = cables.slot
    placement = SimpleNamespace(slot_of=slot_of, cabinet_count=len(slot_of))
    return plan, bundles, panels(SimpleNamespace(bundling_parts=parts()), cables.room, placement, plan, kind, settings)


@st.composite
def drawn(draw):
    """Random links of copper, parallel and duplex fiber between routers in random slots."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    routers, cabinets = draw(st.integers(2, 12)), draw(st.integers(2, 6))
    room = room_of(draw(st.sampled_from(["hall-a", "two-halls"])))
    links = rng.integers(0, routers, (draw(st.integers(1, 80)), 2))
    links = np.concatenate([links[links[:, 0] != links[:, 1]], [[0, 1]]])
    return {
        "network": from_links("random", {}, routers, links),
        "cabinet_of": rng.integers(0, cabinets, routers),
        "assemblies": (FIBER, DUPLEX, COPPER),
        "assembly_of": rng.choice(3, len(links), p=[0.4, 0.5, 0.1]),
        "room": room,
        "slot_of": rng.permutation(room.slot_count)[:cabinets],
    }


@settings(max_examples=10, deadline=None)
@given(drawn(), st.sampled_from(ASKED))
def test_every_socket_is_used_once_and_all_parts_are_mounted(facts, asked):
    kind, options = asked
    plan, bundles, found = made(facts, kind, options)
    assert found.row.tolist() == np.flatnonzero(plan.carried).tolist()
    front = list(zip(found.jumper_panel, found.jumper_cassette, found.jumper_port, strict=True))
    rear = [
        socket
        for end in (0, 1)
        for socket in zip(found.plug_panel[:, end], found.plug_cassette[:, end], found.plug_socket[:, end], strict=True)
    ]
    for used in (front, rear, list(zip(found.jumper.T.ravel(), found.pair.T.ravel(), strict=True))):
        assert len(set(used)) == len(used)
    bought = {}
    for one in bundles.panels:
        bought[one.part] = bought.get(one.part, 0) + one.count
    mounted = [found.parts[one] for one in (*found.part, *found.cassette_part)]
    if kind != "multicore":
        assert {name: mounted.count(name) for name in set(mounted)} == bought
    assert sum(one.count for one in bundles.bought) == len(found.jumper_port)
    assert len(found.trunk_names) == sum(bundles.part >= 0)
    assert np.array_equal(bundles.bundle[found.row][found.plug >= 0], found.trunk_bundle[found.trunk[found.plug >= 0]])


@settings(max_examples=10, deadline=None)
@given(drawn(), st.sampled_from(["BB", "AB", "AA"]))
def test_light_arrives_where_it_should(facts, jumpers):
    """Follow every fiber: a jumper or trunk of type B reverses positions; sent on the first fiber, received on the last."""
    plan, _, found = made(facts, "trunk", {"jumper_types": jumpers})
    for place, row in enumerate(found.row.tolist()):
        made_of = plan.assemblies[plan.assembly[row]]
        first, last = (found.fiber[place, side] for side in (0, 1))
        if made_of.plug == "lc":
            # Fiber i of a trunk of type B is 13 - i at the other end: the pair keeps its fibers and swaps them.
            far = {13 - i if found.polarity == "B" else i for i in (first, first + 1)}
            assert far == {last, last + 1}
            assert [found.jumper_port[found.jumper[place, side]] for side in (0, 1)] == [(first + 1) // 2, (last + 1) // 2]
        else:
            turns = [*jumpers, found.polarity].count("B")
            assert [13 - i if turns % 2 else i for i in range(1, 13)] == [13 - i for i in range(1, 13)]
            assert first == last == 1


def test_positions_by_hand():
    """Eight duplex links between two rows: two plugs of six and two; a cassette of six ports for each plug."""
    links = [(n, 8 + n) for n in range(8)]
    room = room_of("hall-a")
    slots = [int(np.flatnonzero(room.slot_row == row)[0]) for row in (0, 1)]
    facts = {
        "network": from_links("pairs", {}, 16, np.array(links)), "cabinet_of": np.repeat([0, 1], 8), "assemblies": (DUPLEX,),
        "assembly_of": np.zeros(8, int), "room": room, "slot_of": np.array(slots),
    }  # fmt: skip
    _, bundles, found = made(facts, "trunk", {})
    middle = [room.slot_names[np.flatnonzero(room.slot_row == row)[np.sum(room.slot_row == row) // 2]] for row in (0, 1)]
    assert found.names.tolist() == [f"PP-{name}-01" for name in middle]
    assert found.frame_names.tolist() == [f"PF-{name}" for name in middle]
    assert found.frame_cabinet.tolist() == [-1, -1]
    assert found.trunk_names.tolist()[0] == f"TR-{middle[0]}-{middle[1]}-01"
    assert sorted(found.fiber[:, 0].tolist()) == [1, 1, 3, 3, 5, 7, 9, 11]
    ports = found.ports()
    walked = {(ports[a].split(":")[1], ports[b].split(":")[1]) for a, b in found.jumper.tolist()}
    # Type B: the first port of a cassette leads to the last of the other.
    assert walked == {*((f"1/{n}", f"1/{7 - n}") for n in range(1, 7)), ("2/1", "2/6"), ("2/2", "2/5")}
    assert bundles.polarity == "B"


def test_polarity_is_the_catalogs():
    maps = {row.id: row.map for row in catalog.rows("polarity")}
    assert (maps["mpo12-method-b"], maps["method-a"]) == ("i <-> 13-i", "i <-> i")


def test_cassettes_limit_the_links_of_a_plug():
    """Links of one fiber would be twelve to a plug; the cassette has six ports."""
    single = part("single", plug="lc", fibers=1)
    links = [(n, 12 + n) for n in range(12)]
    room = room_of("hall-a")
    slots = [int(np.flatnonzero(room.slot_row == row)[0]) for row in (0, 1)]
    facts = {
        "network": from_links("pairs", {}, 24, np.array(links)), "cabinet_of": np.repeat([0, 1], 12), "assemblies": (single,),
        "assembly_of": np.zeros(12, int), "room": room, "slot_of": np.array(slots),
    }  # fmt: skip
    _, bundles, found = made(facts, "trunk", {})
    assert bundles.capacity.tolist() in ([12], [6, 6])
    assert found.jumper_port.max() == 6


@pytest.mark.parametrize("kind", ["trunk", "shuffle", pytest.param("trunk by cabinets", marks=pytest.mark.slow)])
def test_jumpers_run_from_their_cabinet_to_their_frame(kind):
    plan, _ = planned(kind, q=5)
    found, cables, room = plan.panels, plan.cables, plan.room
    node = room.slot_node[:, 1]
    cabinet = found.cabinet_of_jumper(cables.cabinet)
    slot = found.frame_slot[found.frame[found.jumper_panel]]
    if (found.frame_cabinet >= 0).all():
        assert (found.jumper_route == -1).all()
        assert np.array_equal(plan.placement.slot_of[cabinet], slot)
    else:
        ends = np.column_stack([node[plan.placement.slot_of[cabinet]], node[slot]])
        for jumper, route in enumerate(shortest(room, ends, np.ones(len(ends), np.int64))):
            start = cables.route_indptr[found.jumper_route[jumper]]
            assert room.segment_mm[route].sum() == room.segment_mm[cables.route_segments[start : start + len(route)]].sum()
    for trunk, ends in enumerate(found.frame_slot[found.trunk_frame].tolist()):
        route = found.trunk_route[trunk]
        at = node[ends[0]]
        for segment in cables.route_segments[cables.route_indptr[route] : cables.route_indptr[route + 1]].tolist():
            at = room.segments[segment].sum() - at
        assert at == node[ends[1]]


def test_equal_plans_have_equal_panels():
    plan, _ = planned("trunk", q=5)
    again = panels(plan.catalog, plan.room, plan.placement, plan.cables, "trunk", KINDS["trunk"])
    assert again.fingerprint == plan.panels.fingerprint
    assert NAMES.index("trunk") == 2
