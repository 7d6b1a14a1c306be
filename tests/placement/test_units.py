"""Rack units, cable managers, PDUs and feeds: stacks by hand, limits plug by plug, and power failure domains."""

from collections import Counter, defaultdict
from dataclasses import replace
from math import ceil

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shared.plan_study import study_of

from planner.check import check
from planner.core import registry
from planner.core.errors import Infeasible, InputError
from planner.design.bill import bill
from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.design.placement.packing import Interior, fit
from planner.design.placement.packing.cabinets.capacity import Capacity, contents
from planner.design.placement.packing.cabinets.interior import stacked
from planner.domain import catalog
from planner.domain.model import Plan, pdu_loads_mw, pdus, power_domains
from planner.domain.parts import CableManager, PduPart
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology

SOURCED = {"source": "by hand", "confidence": "A"}
NETWORK = topology.build("slimfly", q=5, endpoints_per_router=4)
METHODS = registry.names("packing")


def manager(units=2):
    return CableManager(id="manager", units=units, mass_g=2000, price_cents=0, **SOURCED)


def pdu(rating_mw=10_000_000, outlets=42, units=0):
    facts = {"mass_g": 5000, "price_cents": 0, "phases": 3, "volts": 400, "amps": 16}
    return PduPart(id="pdu", rating_mw=rating_mw, derating=0.8, outlets=outlets, units=units, **facts, **SOURCED)


@pytest.fixture(scope="module")
def hall():
    return floor.room("hall-a", routers=1)


def stack(parts, interior, routers=3, boxes=3):
    return stacked(parts, interior, 1, np.zeros(routers, int), np.zeros(boxes, int))


# -- stacks -----------------------------------------------------------------------------------

AT = {  # Units of three routers, three boxes of 2 units, and two managers of 2 units; 1 and 2 units reserved.
    "top": ([38, 37, 34], [32, 30, 28], [39, 35]),
    "middle": ([22, 21, 18], [25, 27, 16], [23, 19]),
    "bottom": ([6, 5, 2], [9, 11, 13], [7, 3]),
}


@pytest.mark.parametrize("at", AT)
def test_a_cabinet_by_hand(edr, at):
    interior = Interior(routers_at=at, routers_per_manager=2, reserve_top_units=2, reserve_bottom_units=1)
    found = stack(replace(edr, manager=manager()), interior)
    assert (found.unit_of.tolist(), found.box_unit.tolist(), found.fixture_unit.tolist()) == AT[at]


def test_pdus_with_units_stand_lowest(edr):
    found = stack(replace(edr, pdu=pdu(units=2)), Interior(reserve_bottom_units=3, routers_at="bottom"), routers=2, boxes=1)
    assert found.fixture_unit.tolist() == [4, 6]
    assert (found.unit_of.tolist(), found.box_unit.tolist()) == ([9, 8], [10])


interiors = st.builds(
    Interior,
    routers_at=st.sampled_from(["top", "middle", "bottom"]),
    routers_per_manager=st.integers(1, 5),
    reserve_top_units=st.integers(0, 4),
    reserve_bottom_units=st.integers(0, 4),
    feeds=st.sampled_from(["A", "A+B"]),
    pdus_per_feed=st.integers(1, 3),
)


def outfit(draw, parts):
    """The same parts with a manager and a PDU, or without."""
    supplies = {"router": draw(st.integers(1, 3)), "endpoint": draw(st.integers(1, 4))}
    return replace(
        parts,
        router=replace(parts.router, units=draw(st.integers(1, 2)), psu_count=supplies["router"]),
        endpoint=replace(parts.endpoint, psu_count=supplies["endpoint"]),
        manager=draw(st.none() | st.builds(manager, st.integers(1, 3))),
        pdu=draw(
            st.none() | st.builds(pdu, st.integers(3, 30).map(lambda kw: kw * 1_000_000), st.integers(4, 42), st.integers(0, 1))
        ),
    )


@pytest.mark.slow
@settings(max_examples=40)
@given(st.data(), interiors, st.integers(1, 20), st.integers(0, 20))
def test_what_fits_by_the_limits_never_overlaps(edr, data, interior, routers, boxes):
    parts = outfit(data.draw, edr)
    capacity = Capacity(parts, 10**9, 10**8, interior=interior)
    assume(capacity.fits(np.array([routers, boxes * parts.endpoint.endpoints, 0])))
    found = stack(parts, interior, routers, boxes)
    heights = [parts.manager.units if parts.manager else 0, parts.pdu.units if parts.pdu else 0]
    pieces = [(unit, parts.router.units) for unit in found.unit_of.tolist()]
    pieces += [(unit, parts.endpoint.units) for unit in found.box_unit.tolist()]
    pieces += [(u, heights[kind]) for u, kind in zip(found.fixture_unit.tolist(), found.fixture_kind.tolist(), strict=True)]
    taken = Counter(place for unit, height in pieces for place in range(unit, unit + height))
    assert set(taken.values()) == {1}
    assert interior.reserve_bottom_units < min(taken)
    assert max(taken) <= parts.cabinet.units - interior.reserve_top_units
    if parts.manager:
        assert (found.fixture_kind == 0).sum() == -(-routers // interior.routers_per_manager)


# -- power ------------------------------------------------------------------------------------


def plugged(parts, interior, routers, boxes):
    """Outlets and power of every PDU with the other feed lost, box by box."""
    outlets, power = Counter(), Counter()
    for part, count in ((parts.router, routers), (parts.endpoint, boxes)):
        for number in range(count):
            feeds = [0] if interior.feeds == "A" else [number % 2] if part.psu_count == 1 else [0, 1]
            turn = number // 2 if interior.feeds == "A+B" and part.psu_count == 1 else number
            for plug in range(part.psu_count):
                outlets[feeds[plug % len(feeds)], turn % interior.pdus_per_feed] += 1
            for feed in feeds:
                power[feed, turn % interior.pdus_per_feed] += part.power_max_mw
    return outlets, power


@settings(max_examples=40)
@pytest.mark.slow
@given(st.data(), interiors, st.integers(1, 14), st.integers(0, 14))
def test_limits_are_those_of_the_fullest_pdu(edr, data, interior, routers, boxes):
    parts = outfit(data.draw, edr)
    assume(parts.pdu is not None)
    needs = Capacity(parts, 10**9, 10**8, interior=interior).needs(np.array([routers, boxes * parts.endpoint.endpoints, 0]))
    outlets, power = plugged(parts, interior, routers, boxes)
    assert needs["PDU outlets"] == (max(outlets.values()), parts.pdu.outlets)
    assert needs["PDU power"] == (max(power.values()), parts.pdu.rating_mw * 8 // 10)


@pytest.mark.slow
@settings(max_examples=25)
@given(st.data(), st.sampled_from(METHODS), interiors)
def test_every_method_keeps_the_limits_of_units_and_pdus(edr, data, method, interior):
    network = topology.build("dragonfly", a=4, h=1, endpoints_per_router=data.draw(st.integers(0, 5)))
    parts = outfit(data.draw, edr)
    capacity = Capacity(parts, 40_000_000, 1_500_000, interior=interior)
    assume(capacity.fits(contents(network, np.arange(network.router_count))).all())
    found = registry.function("packing", method)(network, capacity, np.arange(network.router_count), seed=1)
    assert sorted(np.concatenate(found).tolist()) == list(range(network.router_count))
    for members in found:
        boxes = -(-int(np.isin(network.endpoint_router, members).sum()) // parts.endpoint.endpoints)
        units = len(members) * parts.router.units + boxes * parts.endpoint.units
        units += -(-len(members) // interior.routers_per_manager) * (parts.manager.units if parts.manager else 0)
        units += interior.reserve_top_units + interior.reserve_bottom_units
        if parts.pdu:
            units += interior.pdu_count(parts) * parts.pdu.units
            outlets, power = plugged(parts, interior, len(members), boxes)
            assert max(outlets.values()) <= parts.pdu.outlets
            assert max(power.values()) <= parts.pdu.limit_mw
        assert units <= parts.cabinet.units


def test_a_feed_carries_the_whole_cabinet_when_the_other_fails(edr):
    """0.8 x 10 kW: three boxes of 2.4 kW and two routers of 332 W make 7.864 kW, a third router 8.196 kW."""
    two = Capacity(replace(edr, pdu=pdu()), 10**9, 10**8)
    assert two.fits(np.array([2, 12, 0]))
    assert not two.fits(np.array([3, 12, 0]))
    # Two PDUs of each feed: the first has two boxes and two routers.
    four = Capacity(replace(edr, pdu=pdu()), 10**9, 10**8, interior=Interior(pdus_per_feed=2))
    assert four.needs(np.array([3, 12, 0]))["PDU power"] == (2 * 2_400_000 + 2 * 332_000, 8_000_000)


def test_loads_of_pdus_by_hand(edr, hall):
    parts = replace(edr, pdu=pdu(30_000_000), endpoint=replace(edr.endpoint, psu_count=1))
    placed = place(NETWORK, parts, Lengths(hall, parts.cabinet, Slack()), seed=1, algorithm="identity", bounds=False)
    normal, alone = pdu_loads_mw(inventory(NETWORK, parts), placed)
    routers, boxes = np.bincount(placed.cabinet[: NETWORK.router_count]), defaultdict(set)
    first = NETWORK.router_count
    for home, unit in zip(placed.cabinet[first:].tolist(), placed.unit[first:].tolist(), strict=True):
        boxes[home].add(unit)
    for number in range(placed.cabinet_count):
        on_a, on_b = -(-len(boxes[number]) // 2) * 2_400_000, len(boxes[number]) // 2 * 2_400_000
        both = int(routers[number]) * 332_000
        assert normal[number].tolist() == [[on_a + both // 2], [on_b + both // 2]]
        assert alone[number].tolist() == [[on_a + both], [on_b + both]]


def test_what_goes_down_together(edr, hall):
    parts = replace(edr, pdu=pdu(30_000_000), endpoint=replace(edr.endpoint, psu_count=1))
    placed = place(NETWORK, parts, Lengths(hall, parts.cabinet, Slack()), seed=1, algorithm="identity", bounds=False)
    domains = {domain.name: domain for domain in power_domains(inventory(NETWORK, parts), placed, hall)}
    names = [hall.slot_names[slot] for slot in placed.slot_of.tolist()]
    home, unit = placed.cabinet[NETWORK.router_count :], placed.unit[NETWORK.router_count :]
    for number, name in enumerate(names):
        # Routers have a second supply; boxes take turns from the top.
        for turn, feed in enumerate("AB"):
            lost = domains[f"{name}-{feed}1"]
            assert (lost.kind, len(lost.routers)) == ("PDU", 0)
            units = sorted(set(unit[home == number].tolist()), reverse=True)[turn::2]
            here = (home == number) & np.isin(unit, units)
            assert np.array_equal(lost.endpoints, np.flatnonzero(here))
    halves = domains["A"].endpoints, domains["B"].endpoints
    assert sorted(np.concatenate(halves).tolist()) == list(range(NETWORK.endpoint_count))
    in_rows = [domains[name].endpoints for name in domains if name.startswith("A of row")]
    assert sorted(np.concatenate(in_rows).tolist()) == halves[0].tolist()


def test_one_feed_takes_all_and_of_two_nothing_is_lost(edr, hall):
    parts = replace(edr, pdu=pdu(60_000_000))
    devices = inventory(NETWORK, parts)
    lengths = Lengths(hall, parts.cabinet, Slack())
    wishes = {"seed": 1, "algorithm": "identity", "bounds": False}
    two = place(NETWORK, parts, lengths, **wishes)
    assert [(d.kind, d.name, len(d.routers), len(d.endpoints)) for d in power_domains(devices, two, hall)] == [
        ("feed", "A", 0, 0),
        ("feed", "B", 0, 0),
    ]
    one = place(NETWORK, parts, lengths, interior=Interior(feeds="A"), **wishes)
    domains = power_domains(devices, one, hall)
    assert [domain.kind for domain in domains].count("PDU") == one.cabinet_count
    assert (len(domains[-1].routers), len(domains[-1].endpoints)) == (NETWORK.router_count, NETWORK.endpoint_count)
    assert (pdus(devices, one)[: NETWORK.router_count] == [0, -1]).all()
    assert power_domains(devices, replace(one, feeds=0), hall) == ()


# -- through the stages -----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("at", AT)
@pytest.mark.parametrize("endpoints", ["together", "apart"])
def test_a_furnished_plan_breaks_no_rule(hall, at, endpoints):
    chosen = {"pdu": "apc-ap8886", "cable_manager": "panduit-wmpf1e", "blanking_panel": "apc-ar8136blk"}
    parts = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300", **chosen)
    lengths = Lengths(hall, parts.cabinet, Slack())
    interior = Interior(routers_at=at, routers_per_manager=3, reserve_top_units=4, reserve_bottom_units=2)
    placed = place(NETWORK, parts, lengths, seed=1, algorithm="identity", interior=interior, endpoints=endpoints, bounds=False)
    cables = cable(inventory(NETWORK, parts), parts, placed, lengths)
    made = bill(inventory(NETWORK, parts), parts, placed, cables, room=hall, rows=catalog.rows)
    plan = Plan(
        "furnished",
        "",
        study_of(),
        catalog=parts,
        room=hall,
        topology=NETWORK,
        inventory=inventory(NETWORK, parts),
        placement=placed,
        cables=cables,
        bill=made,
    )
    found = check(plan)
    assert found.items == ()
    assert (placed.fixture_kind == 0).sum() >= -(-NETWORK.router_count // 3)


@pytest.mark.parametrize("manager_units", [0, 2])
def test_the_objective_knows_where_routers_stand(edr, hall, manager_units):
    """One router in each cabinet, in its middle: the objective is the sum of the run lengths."""
    network = topology.build("torus", sizes=[8], endpoints_per_router=0)
    parts = replace(edr, manager=manager(manager_units)) if manager_units else edr
    room, interior = replace(hall, cabinet_routers=1), Interior(routers_at="middle", reserve_bottom_units=10)
    lengths = Lengths(room, parts.cabinet, Slack())
    wishes = {"seed": 1, "algorithm": "identity", "bounds": False, "objective": "length", "groups": "ignored"}
    placed = place(network, parts, lengths, interior=interior, **wishes)
    run = int(cable(inventory(network, parts), parts, placed, lengths).run_mm.sum())
    # The middle of a block with its manager is above the router's by half the manager.
    assert abs(placed.objective - run) <= network.link_count * manager_units * 45
    assert manager_units or placed.objective == run
    assert place(network, parts, lengths, **wishes).objective < placed.objective


def test_too_weak_pdus_are_named_with_what_would_help(edr, lab):
    """8 kW of a PDU carry two routers and two boxes of 2.732 kW together."""
    pdus = ceil(ceil(NETWORK.router_count / lab.slot_count) / 2)
    message = (
        f"limited by PDU power.* slots too few; any one of these changes helps: .*at least {pdus} PDUs of each feed in a cabinet"
    )
    with pytest.raises(Infeasible, match=message):
        fit(NETWORK, lab, replace(edr, pdu=pdu(10_000_000)), groups="ignored")
    with pytest.raises(Infeasible, match=r"PDU power 2\.732 kW, allowed 0\.800 kW"):
        fit(NETWORK, lab, replace(edr, pdu=pdu(1_000_000)))


def test_a_box_deeper_than_the_cabinet_is_refused(tmp_path):
    own = tmp_path / "own.toml"
    own.write_text(
        '[[cabinet]]\nid = "shallow"\nunits = 42\nwidth_mm = 600\ndepth_mm = 800\nmount_depth_mm = 740\nheight_mm = 1991\n'
        'mass_g = 1\nload_g = 1_000_000\nprice_cents = 1\nsource = "by hand"\nconfidence = "A"\n'
    )
    with pytest.raises(InputError, match=r"server-half-unit is 800 mm deep, shallow has mount_depth_mm = 740; choose a deeper"):
        catalog.select("nvidia-sb7800", "server-half-unit", "shallow", files=(str(own),))
    with pytest.raises(InputError, match="there is no pdu 'apc-ap8885' in the catalogs; did you mean apc-ap888"):
        catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300", pdu="apc-ap8885")
