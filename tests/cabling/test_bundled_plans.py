"""Whole plans with cables in looms, over trunks, in multi-core fibers or over shuffle boxes."""

from itertools import pairwise

import numpy as np
import pytest
from shared.bundled_plans import KINDS, OVER_PANELS, PARTS, planned

import planner
from planner.check import check
from planner.commands.console.terminal import key_figures
from planner.core.errors import InputError
from planner.design.bill import bill
from planner.design.cabling import cable
from planner.design.cabling.bundling import bundlings
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.domain import catalog
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology


@pytest.mark.slow
@pytest.mark.parametrize("room", ["two-halls", "raised-hall"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_verifier_finds_nothing(kind, room):
    plan, _ = planned(kind, room)
    assert check(plan).items == ()


@pytest.mark.slow
@pytest.mark.parametrize("kind", OVER_PANELS)
def test_something_is_carried(kind):
    plan, _ = planned(kind)
    cables = plan.cables
    assert cables.carried.any()
    between = cables.cabinet[:, 0] != cables.cabinet[:, 1]
    assert np.array_equal(cables.bundle >= 0, between)
    assert (cables.leg_stock_mm[cables.carried] > 0).all()
    assert not cables.leg_stock_mm[~cables.carried].any()
    assert sum(count for _, count in cables.direct) == (between & ~cables.carried).sum()


@pytest.mark.slow
@pytest.mark.parametrize("kind", OVER_PANELS)
def test_carried_rows_run_to_their_panels_and_on(kind):
    """Segment after segment, from the tray over the first cabinet to that over the second."""
    plan, _ = planned(kind)
    cables, room = plan.cables, plan.room
    for number in np.flatnonzero(cables.carried):
        here, there = room.slot_node[plan.placement.slot_of[cables.cabinet[number]], 1]
        for segment in cables.route_of(number).tolist():
            assert here in room.segments[segment]
            here = room.segments[segment].sum() - here
        assert here == there
        assert room.segment_mm[cables.route_of(number)].sum() == cables.tray_mm[number]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_fill_is_the_sum_of_its_cables(kind):
    plan, _ = planned(kind)
    cables = plan.cables
    fill = np.zeros(len(plan.room.segments))
    for number in np.flatnonzero(~cables.carried):
        fill[cables.route_of(number)] += round(np.pi / 4 * cables.assemblies[cables.assembly[number]].diameter_um ** 2)
    routes = [cables.route_segments[a:b] for a, b in pairwise(cables.route_indptr.tolist())]
    for area, route in zip(cables.carrier_um2, cables.carrier_route, strict=True):
        fill[routes[route]] += area
    assert np.array_equal(fill, cables.fill_um2)


@pytest.mark.parametrize("kind", OVER_PANELS)
def test_labor_of_a_link_over_panels_is_that_of_its_jumpers_and_its_trunk(kind):
    """Counted end by end: 2.50 USD in a cabinet, 6.25 USD between cabinets and for each plug of a trunk."""
    plan, _ = planned(kind)
    cables, panels = plan.cables, plan.panels
    cents = 0
    for first in {int(row) for row in cables.first_of_piece.tolist()}:
        if not cables.carried[first]:
            cents += 250 if cables.cabinet[first, 0] == cables.cabinet[first, 1] else 625
    seen = {}
    for each, row in enumerate(panels.row.tolist()):
        for side in (0, 1):
            jumper = int(panels.jumper[each, side])
            frame = panels.frame[panels.jumper_panel[jumper]]
            seen[jumper] = 250 if panels.frame_cabinet[frame] == cables.cabinet[row, side] else 625
    # Last cables of routers that only hold the rest of a row are at the router of the one before.
    for jumper in range(len(panels.jumper_port)):
        seen.setdefault(jumper, seen.get(jumper - 1))
    cents += sum(seen.values()) + 625 * sum(1 for plug in panels.plug_trunk.tolist() if plug >= 0)
    assert plan.bill.cents("labor") == cents
    assert sum(line.quantity for line in plan.bill.lines if line.description.startswith("jumper to")) == len(panels.jumper_port)


def test_fan_outs_are_bought_two_for_each_fiber():
    plan, _ = planned("multicore")
    (line,) = (line for line in plan.bill.lines if line.category == "panels")
    assert line.quantity == 2 * len(plan.panels.trunk_names) == len(plan.panels.names)
    assert (line.part, line.unit_cents, line.confidence) == ("8-core fan-out", 0, "")


def test_links_over_panels_are_not_billed_without_their_panels():
    plan, _ = planned(OVER_PANELS[0])
    with pytest.raises(ValueError, match="record of the panels"):
        bill(plan.inventory, plan.catalog, plan.placement, plan.cables, room=plan.room, rows=catalog.rows)


def test_few_fibers_take_less_room_than_cables():
    loom, multicore = planned("loom")[0].cables, planned("multicore")[0].cables
    assert multicore.fill_um2.max() < loom.fill_um2.max() / 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_bill_is_that_of_the_comparison(kind):
    """Cables, transceivers, trunks and panels of the plan cost the same as in the comparison."""
    plan, lengths = planned(kind)
    name = kind.split()[0]
    found = bundlings(plan.inventory, PARTS, plan.placement, plan.cables, lengths, name, KINDS[kind])
    billed = sum(plan.bill.cents(category) for category in ("cables", "transceivers", "trunks", "panels"))
    assert billed == found.cents[found.methods.index(name)]
    assert found.bundles[found.methods.index(name)] == len(plan.cables.bundle_kind)


def test_jumpers_and_trunks_by_hand():
    """Every carried link has two jumpers; twelve links of MPO plugs fill a trunk of 144 fibers."""
    plan, _ = planned("trunk")
    cables, count = plan.cables, int(plan.cables.carried.sum())
    jumpers = sum(one.quantity for one in cables.passives if one.category == "jumpers")
    assert jumpers == 2 * count
    assert cables.polarity == "B"
    trunks = np.flatnonzero(cables.bundle_kind == cables.bundle_kinds.index("trunk"))
    links = np.bincount(cables.bundle[cables.carried], minlength=len(cables.bundle_kind))[trunks]
    assert links.sum() == count
    assert {tuple(pair) for pair in cables.bundle_cabinet[trunks].tolist()} == {(-1, -1)}
    part = np.array(cables.bundle_parts)[cables.bundle_part[trunks]]
    assert set(cables.bundle_capacity[trunks][part == "os2-trunk-144f"]) == {12}


def test_longer_over_panels():
    """The delay is that of both jumpers and the trunk."""
    plan, _ = planned("trunk")
    cables = plan.cables
    carried = cables.carried
    bought = cables.leg_stock_mm.sum(axis=1) + cables.bundle_stock_mm[cables.bundle]
    assert np.array_equal(cables.stock_mm[carried], bought[carried])
    assert (cables.delay_ps[carried] >= 5 * cables.stock_mm[carried] - 1).all()


def test_wrong_bundlings_are_reported():
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    lengths = Lengths(floor.room("lab", routers=1), PARTS.cabinet, Slack())
    placed = place(network, PARTS, lengths, seed=1, algorithm="identity")
    for kind, parameters, message in (
        ("looms", {}, "did you mean loom"),
        ("trunk", {"level": "floor"}, "level"),
        ("multicore", {"level": "supernode"}, "has no groups 'supernode'"),
        ("loom", {"cores": 4}, "cores"),
    ):
        with pytest.raises(InputError, match=message):
            cable(inventory(network, PARTS), PARTS, placed, lengths, bundling=kind, bundling_parameters=parameters)


@pytest.mark.slow
def test_the_terminal_states_why_a_bundling_carries_nothing(tmp_path):
    (tmp_path / "study.toml").write_text(
        """
name = "none"
topology = { family = "polarstar", q = 3, supernode_degree = 3, endpoints_per_router = 2 }
catalog = { router = "nvidia-sn4700", endpoint = "server-half-unit-400g", cabinet = "hpe-10648-g2" }
room = { plan = "hall-a" }
placement = { groups = "required", objective = "price" }
cabling = { prefer = "price", bundling = "multicore" }
report = { formats = ["csv"] }
"""
    )
    plan = planner.run(tmp_path)
    between = np.count_nonzero(plan.cables.cabinet[:, 0] != plan.cables.cabinet[:, 1])
    (line,) = (text for _, text in key_figures(plan) if "bundling" in text)
    assert line.startswith(
        f"bundling multicore carries none of {between} connections over panels; the others: {between} no fiber"
    )
    assert 'media = ["passive copper", "transceiver"]' in line
