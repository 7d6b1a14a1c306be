"""Cables: ports, lengths, parts, routes, labels."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.errors import Infeasible
from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.domain.parts import Assembly
from planner.domain.pricelist import price_list
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology
from planner.network.topology import from_links as graph


def test_every_port_is_used_once_and_leads_back(small_plan):
    cables, network = small_plan.cables, small_plan.topology
    ends = {}
    for device, port in zip(cables.device.ravel().tolist(), cables.port.ravel().tolist(), strict=True):
        assert (device, port) not in ends or device >= network.router_count
        ends[device, port] = True
    for number, (a, b) in enumerate(network.links.tolist()):
        assert cables.device[number].tolist() == [a, b]
        port_a, port_b = (cables.port[number] - 1).tolist()
        assert network.indices[network.indptr[a] + port_a] == b
        assert network.indices[network.indptr[b] + port_b] == a
    # Endpoint cables take the ports after the links.
    assert cables.port[network.link_count :, 0].tolist() == [8, 9, 10, 11] * 50


def test_parallel_links_take_different_ports(edr, lab_lengths):
    pair = graph("pair", {}, 2, np.array([[0, 1], [0, 1], [1, 0]]))
    placed = place(pair, edr, lab_lengths, seed=1, algorithm="identity")
    cables = cable(inventory(pair, edr), edr, placed, lab_lengths)
    assert sorted(cables.port[:, 0].tolist()) == sorted(cables.port[:, 1].tolist()) == [1, 2, 3]
    assert len(set(cables.label_a.tolist() + cables.label_b.tolist())) == 6


def test_lengths_explain_themselves(small_plan):
    cables = small_plan.cables
    parts = cables.rise_mm.sum(axis=1) + cables.drop_mm.sum(axis=1) + cables.tray_mm + cables.slack_mm.sum(axis=1)
    assert np.array_equal(parts, cables.run_mm)
    assert (cables.stock_mm >= cables.run_mm).all()
    inside = cables.cabinet[:, 0] == cables.cabinet[:, 1]
    assert (cables.route[inside] == -1).all()
    assert (cables.route[~inside] >= 0).all()
    assert (cables.tray_mm[~inside] > 0).all()


def test_one_cable_by_hand(small_plan):
    """Router 0 to its second endpoint: both in cabinet A01, router in unit 42, box in units 31 and 32."""
    cables, plan = small_plan.cables, small_plan
    number = plan.topology.link_count + 1
    assert plan.room.slot_names[plan.placement.slot_of[0]] == "A01"
    assert cables.unit[number].tolist() == [42, 31]
    assert cables.label_a[number] == "A01-42:09/A01-31:02"
    assert cables.label_b[number] == "A01-31:02/A01-42:09"
    # Middle of unit 42 to the middle of units 31 and 32 is 10.5 units, and 600 mm to the side and back.
    assert cables.rise_mm[number].tolist() == [600 + 467, 0]
    assert cables.slack_mm[number].tolist() == [600, 0, 0]
    assert cables.run_mm[number] == 1667
    assert cables.stock_mm[number] == 2000
    assert cables.assemblies[cables.assembly[number]].id == "100g-qsfp28-dac-30awg"


def test_cables_of_a_bundle_share_a_route(small_plan):
    cables = small_plan.cables
    for bundle in range(int(cables.bundle.max()) + 1):
        members = np.flatnonzero(cables.bundle == bundle)
        assert len({frozenset(cables.cabinet[m].tolist()) for m in members}) == 1
        assert len({frozenset(cables.route_of(m).tolist()) for m in members}) == 1
        assert len({int(cables.tray_mm[m]) for m in members}) == 1


def test_fill_is_the_sum_of_circles(small_plan):
    cables = small_plan.cables
    fill = np.zeros(len(small_plan.room.segments))
    for number in range(cables.cable_count):
        fill[cables.route_of(number)] += np.pi / 4 * cables.assemblies[cables.assembly[number]].diameter_um ** 2
    assert fill == pytest.approx(cables.fill_um2, abs=cables.cable_count)
    assert fill.max() > 0


def test_the_cheapest_part_that_is_long_enough_is_taken(small_plan):
    cables, catalog = small_plan.cables, small_plan.catalog
    for number in range(cables.cable_count):
        choices = catalog.link_assemblies if number < small_plan.topology.link_count else catalog.endpoint_assemblies
        offers = [
            price
            for choice in choices
            for stock, price in zip(choice.stock_mm, choice.price_cents, strict=True)
            if cables.run_mm[number] <= stock <= choice.reach_mm
        ]
        assert cables.price_cents[number] == min(offers)


@pytest.mark.parametrize("prefer", ["power", "delay"])
def test_other_preferences(small_plan, lab_lengths, prefer):
    plan = small_plan
    other = cable(inventory(plan.topology, plan.catalog), plan.catalog, plan.placement, lab_lengths, prefer=prefer)
    if prefer == "power":
        assert other.of_assembly("power_mw").sum() <= plan.cables.of_assembly("power_mw").sum()
    else:
        assert other.delay_ps.sum() <= plan.cables.delay_ps.sum()
    assert other.price_cents.sum() >= plan.cables.price_cents.sum()


def part(identity, stock, price, reach=10**6, power=100, delay=5000):
    return Assembly(
        id=identity, medium="copper", kind="DAC", rate_gbps=100, connector_a="Q", connector_b="Q", reach_mm=reach,
        stock_mm=stock, price_cents=price, power_mw=power, diameter_um=5000, bend_mm=30, mass_g_per_m=40,
        delay_ps_per_m=delay, delay_end_ps=0, length_part=identity,
    )  # fmt: skip


@given(
    st.lists(
        st.tuples(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 99)), min_size=1, max_size=5), st.integers(1, 60)),
        min_size=1, max_size=4,
    ),
    st.integers(0, 60),
)  # fmt: skip
def test_price_list_against_the_definition(ladders, run):
    parts = [
        part(f"p{n}", tuple(s for s, _ in sorted(ladder)), tuple(p for _, p in sorted(ladder)), reach=reach)
        for n, (ladder, reach) in enumerate(ladders)
    ]
    offers = [(p, s) for a in parts for s, p in zip(a.stock_mm, a.price_cents, strict=True) if run <= s <= a.reach_mm]
    possible = [s for a in parts for s in a.stock_mm if s <= a.reach_mm]
    if not possible:
        return
    prices = price_list(parts)
    if not offers:
        with pytest.raises(Infeasible, match="longer than any part reaches"):
            prices.rows(np.array([run]), "links")
        return
    row = prices.rows(np.array([run]), "links")[0]
    assert prices.price_cents[row] == min(offers)[0]
    assert prices.stock_mm[row] >= run
    assert prices.price_of(np.array([run]))[0] == min(offers)[0]


def test_too_long_a_run_is_named(small_plan, lab_lengths):
    short = replace(small_plan.catalog, link_assemblies=(part("short", (1000,), (1,)),))
    with pytest.raises(Infeasible, match=r"links are longer than any part reaches: .* m needed, short reaches 1.00 m"):
        cable(inventory(small_plan.topology, short), short, small_plan.placement, lab_lengths)


def test_rule_rooms_have_the_papers_lengths(edr):
    """SpectralFly's room: every link is 2 m inside a cabinet, otherwise 4 m and the steps; no slack."""
    network = topology.build("slimfly", q=3, endpoints_per_router=0)
    room = floor.room("spectralfly", routers=network.router_count)
    lengths = Lengths(room, edr.cabinet, Slack())
    placed = place(network, edr, lengths, seed=1, algorithm="identity", objective="length", groups="ignored")
    cables = cable(inventory(network, edr), edr, placed, lengths)
    xy = room.slot_xy[placed.slot[: network.router_count]]
    step = np.abs(xy[network.links[:, 0]] - xy[network.links[:, 1]])
    expected = np.where(step.sum(axis=1) == 0, 2000, 4000 + step.sum(axis=1))
    assert np.array_equal(cables.run_mm, expected)
    assert placed.objective == expected.sum()
    assert np.bincount(placed.cabinet[: network.router_count]).max() == 2


def test_no_links_and_no_endpoints(edr, lab_lengths):
    """Two routers without endpoints: one cable."""
    network = topology.build("jellyfish", routers=2, degree=1, endpoints_per_router=0)
    placed = place(network, edr, lab_lengths, seed=1, algorithm="identity")
    cables = cable(inventory(network, edr), edr, placed, lab_lengths)
    assert cables.cable_count == 1
    assert cables.label_a.tolist() == ["A01-42:01/A01-41:01"]
