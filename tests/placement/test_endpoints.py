"""Endpoints in separate cabinets: every box within the limits, minimum cost flows, plans without violations."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from shared import by_hand
from shared.plan_study import study_of

from planner.check import check
from planner.commands.new import TEMPLATE
from planner.core.errors import Infeasible, InputError
from planner.design.bill import bill
from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.design.latency import latency
from planner.design.placement import place
from planner.design.placement.model import endpoints as endpoints_module
from planner.design.placement.model.endpoints import Boxes
from planner.design.placement.model.offers import Offers, assign_boxes
from planner.design.placement.packing import fit
from planner.domain import stored
from planner.domain.catalog import rows
from planner.domain.model import Plan
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology
from planner.studies import pipeline


@pytest.fixture(scope="module")
def hall():
    return floor.room("hall-a", routers=1)


def placed_in(room, edr, network, **wishes):
    wishes = {"algorithm": "identity", "bounds": False} | wishes
    return place(network, edr, Lengths(room, edr.cabinet, Slack()), seed=1, endpoints="apart", **wishes)


def checked(room, edr, network, placed):
    lengths = Lengths(room, edr.cabinet, Slack())
    cables = cable(inventory(network, edr), edr, placed, lengths)
    made = bill(inventory(network, edr), edr, placed, cables, room=room, rows=rows)
    assert latency(network, inventory(network, edr), cables, seed=1).endpoint_mean_ps > 0
    return (
        cables,
        made,
        check(
            Plan(
                "apart",
                "apart",
                study_of(),
                catalog=edr,
                room=room,
                topology=network,
                inventory=inventory(network, edr),
                placement=placed,
                cables=cables,
                bill=made,
            )
        ),
    )


def boxes_of(placed, network):
    first = network.router_count
    return np.unique(np.column_stack([placed.cabinet[first:], placed.unit[first:]]), axis=0)


@given(count=st.lists(st.integers(0, 7), min_size=2, max_size=9), size=st.integers(1, 4))
def test_boxes_hold_endpoints_of_one_router(count, size):
    network = topology.build("torus", sizes=[len(count)] if len(count) > 2 else [3], endpoints_per_router=0)
    count = (count + [0])[: network.router_count]
    router = np.repeat(np.arange(len(count)), count).astype(np.int32)
    boxes = Boxes.of(replace(network, endpoint_router=router), size)
    content = [router[boxes.of_endpoint == box].tolist() for box in range(boxes.count)]
    assert all(1 <= len(inside) <= size and len(set(inside)) == 1 for inside in content)
    assert [sum(inside[0] == r for inside in content) for r in range(len(count))] == [-(-c // size) for c in count]


def lowest(supply, holds, cost):
    """The minimum cost of sending all boxes: each a row, each place in a slot a column of a linear assignment."""
    rows = np.repeat(np.arange(len(supply)), supply)
    columns = np.repeat(np.arange(len(holds)), holds)
    full = cost[rows][:, columns]
    return full[linear_sum_assignment(full)].sum()


@st.composite
def housings(draw):
    """Boxes of some router cabinets, slots that hold them all, and costs."""
    numbers = np.random.default_rng(draw(st.integers(0, 2**32)))
    supply = numbers.integers(0, 6, draw(st.integers(1, 5)))
    supply[0] += 1
    holds = numbers.integers(1, 6, draw(st.integers(1, 6)))
    holds[0] += max(0, supply.sum() - holds.sum())
    return supply, holds, numbers.integers(0, 1000, (len(supply), len(holds)))


def offers(supply, holds, cost):
    """Every slot offered to everybody."""
    tail, head = (side.ravel() for side in np.indices(cost.shape))
    return Offers(supply, holds, tail, head, cost.ravel())


@given(housings())
def test_flows_have_minimum_cost(housing):
    supply, holds, cost = housing
    boxes_per_offer = offers(*housing).flow(cost.ravel(), np.ones(len(holds), bool)).reshape(cost.shape)
    assert boxes_per_offer.sum(axis=1).tolist() == supply.tolist()
    assert (boxes_per_offer.sum(axis=0) <= holds).all()
    assert (boxes_per_offer >= 0).all()
    assert (boxes_per_offer * cost).sum() == lowest(supply, holds, cost)


@given(housings(), st.integers(0, 2000))
@settings(max_examples=30)
def test_opened_cabinets_hold_all_boxes_at_a_sensible_price(housing, opening):
    supply, holds, cost = housing
    boxes_per_offer, complete = assign_boxes(offers(*housing), opening, lambda *_, **__: None)
    total = offers(*housing).total(boxes_per_offer, opening)
    boxes_per_offer = boxes_per_offer.reshape(cost.shape)
    assert complete
    assert boxes_per_offer.sum(axis=1).tolist() == supply.tolist()
    assert (boxes_per_offer.sum(axis=0) <= holds).all()
    opened = np.flatnonzero(boxes_per_offer.any(axis=0))
    # Boxes go where they are cheapest in what is open; no one cabinet may be done without.
    assert (boxes_per_offer * cost).sum() == lowest(supply, holds[opened], cost[:, opened])
    for closed in opened:
        left = opened[opened != closed]
        if holds[left].sum() >= supply.sum():
            assert lowest(supply, holds[left], cost[:, left]) + opening * len(left) >= total
    # Not worse than a price of cabinets that is forgotten, nor than all slots open.
    assert total <= lowest(supply, holds, cost) + opening * len(holds)


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["price", "length", "power"])
@pytest.mark.parametrize("endpoints", [1, 4, 5])
def test_a_plan_with_endpoints_apart_breaks_no_rule(edr, hall, objective, endpoints):
    network = topology.build("slimfly", q=5, endpoints_per_router=endpoints)
    placed = placed_in(hall, edr, network, objective=objective)
    cables, made, violations = checked(hall, edr, network, placed)
    assert violations.items == ()
    assert not set(placed.cabinet[: network.router_count].tolist()) & set(placed.cabinet[network.router_count :].tolist())
    assert set(placed.cabinet[: network.router_count].tolist()) | set(placed.cabinet[network.router_count :].tolist()) == set(
        range(placed.cabinet_count)
    )
    assert np.diff(placed.slot_of).min() > 0
    # Boxes are not shared by routers.
    assert len(boxes_of(placed, network)) == 50 * -(-endpoints // edr.endpoint.endpoints)
    assert (cables.stage[network.link_count :] > 0).all()
    assert next(line.quantity for line in made.lines if line.category == "cabinets") == placed.cabinet_count


@pytest.mark.parametrize("objective", ["price", "length"])
def test_the_objective_counts_links_and_endpoint_cables(edr, hall, objective):
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    bare = topology.build("slimfly", q=5, endpoints_per_router=0)
    apart = placed_in(hall, edr, network, objective=objective)
    alone = placed_in(hall, edr, bare, objective=objective)
    ends = by_hand.ends(network, apart, by_hand.EndpointCost(edr, Lengths(hall, edr.cabinet, Slack()), objective))
    assert (apart.objective, apart.start_objective) == (alone.objective + ends, alone.start_objective + ends)
    assert apart.slot[: network.router_count].tolist() == alone.slot[: network.router_count].tolist()
    assert "50 endpoint boxes apart in 3 cabinets" in apart.method
    assert "endpoint" not in alone.method


def test_routers_alone_fill_cabinets_to_their_own_limits(edr, hall):
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    together = fit(network, hall, edr, groups="ignored")
    apart = fit(network, hall, edr, groups="ignored", endpoints="apart")
    highest = min(edr.cabinet.units // edr.router.units, 50)
    assert apart.cabinet_count == -(-50 // highest) < together.cabinet_count
    assert apart.topology.endpoint_count == 0


@pytest.mark.slow
def test_endpoint_cabinets_stand_near_their_routers(edr, hall):
    """Each cable is no longer than a cable from the same routers to a random free slot, on average."""
    network = topology.build("dragonfly", a=12, h=2, groups=8, endpoints_per_router=4)
    placed = placed_in(hall, edr, network, objective="length")
    cables, _, _ = checked(hall, edr, network, placed)
    run = cables.run_mm[network.link_count :]
    lengths = Lengths(hall, edr.cabinet, Slack())
    free = np.setdiff1d(np.arange(hall.slot_count), placed.slot_of)
    choice = lengths.distances.rows_mm(placed.slot_of[np.unique(placed.cabinet[: network.router_count])])[:, free]
    assert (run - cables.slack_mm[network.link_count :].sum(axis=1)).mean() < choice.mean()


def test_the_number_of_cabinets_comes_first_where_the_objective_is_no_money(edr, hall):
    network = topology.build("slimfly", q=7, endpoints_per_router=4)
    placed = placed_in(hall, edr, network, objective="length")
    power, load = int(hall.slot_power_mw.max()), int(hall.slot_load_g.max())
    box, cabinet = edr.endpoint, edr.cabinet
    highest = min(
        cabinet.units // box.units, power // box.power_max_mw, (min(cabinet.load_g, load - cabinet.mass_g)) // box.mass_g
    )
    assert len(np.unique(placed.cabinet[network.router_count :])) == -(-98 // highest)


def test_an_expensive_cabinet_is_opened_only_where_it_pays(edr, lab):
    network = topology.build("slimfly", q=5, endpoints_per_router=2)
    expensive = replace(edr, cabinet=replace(edr.cabinet, price_cents=10**8))
    cheap = replace(edr, cabinet=replace(edr.cabinet, price_cents=0))
    counts = [placed_in(lab, parts, network).cabinet_count for parts in (expensive, cheap)]
    assert counts[0] <= counts[1]


def test_slots_too_few_are_counted_before_the_search(edr, lab):
    network = topology.build("jellyfish", routers=150, degree=8, endpoints_per_router=8)
    with pytest.raises(Infeasible, match=r"300 boxes .* 12 slots of lab .* hold 144; 13 slots too few"):
        placed_in(lab, edr, network, algorithm="anneal", groups="ignored")
    weak = replace(lab, slot_power_mw=np.full(16, edr.endpoint.power_max_mw - 1))
    alone = placed_in(lab, edr, topology.build("slimfly", q=5, endpoints_per_router=0))
    with pytest.raises(Infeasible, match="no slot carries apc-ar3300 with a box"):
        endpoints_module.place_endpoints_apart(
            topology.build("slimfly", q=5, endpoints_per_router=4), edr, Lengths(weak, edr.cabinet, Slack()), alone
        )


def test_ports_count_wherever_endpoints_stand(edr, hall):
    with pytest.raises(Infeasible, match="needs 37 ports"):
        placed_in(hall, edr, topology.build("slimfly", q=5, endpoints_per_router=30))


def test_weak_slots_take_fewer_boxes(edr, lab):
    power = np.where(np.arange(16) < 4, 30_000_000, 4 * edr.endpoint.power_max_mw)
    room = replace(lab, slot_power_mw=power)
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    placed = placed_in(room, edr, network, groups="ignored", separate=[])
    assert checked(room, edr, network, placed)[2].errors == ()


def test_offers_of_few_slots_are_widened_until_they_hold_all(edr, lab, monkeypatch):
    network = topology.build("slimfly", q=5, endpoints_per_router=12)
    monkeypatch.setattr(endpoints_module, "MAX_ARCS", 1)
    monkeypatch.setattr(endpoints_module, "NEAREST", 1)
    placed = placed_in(lab, edr, network)
    assert checked(lab, edr, network, placed)[2].errors == ()


def test_interrupted_in_the_flows_everything_has_a_place(edr, hall):
    network = topology.build("slimfly", q=5, endpoints_per_router=4)

    def progress(stage, done, total, **facts):
        if stage == "endpoints":
            raise KeyboardInterrupt

    placed = placed_in(hall, edr, network, progress=progress)
    assert not placed.complete
    assert checked(hall, edr, network, placed)[2].errors == ()


def test_the_same_study_gives_the_same_placement(edr, hall):
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    first, again = (placed_in(hall, edr, network, algorithm="anneal", moves=10_000) for _ in range(2))
    assert first.fingerprint == again.fingerprint


@pytest.mark.slow
def test_a_whole_study_with_endpoints_apart(tmp_path):
    text = (
        TEMPLATE.format(name="apart")
        .replace('algorithm = "auto"', 'algorithm = "anneal"\nmoves = 2_000')
        .replace("[0.1, 0.3, 0.5, 0.7, 0.9]", "[0.2]\ncycles = 300")
    )
    assert 'endpoints = "auto"' in text
    text = text.replace('endpoints = "auto"', 'endpoints = "apart"')
    (tmp_path / "study.toml").write_text(text)
    plan = pipeline.run(tmp_path)
    assert plan.violations.items == ()
    assert "endpoint boxes apart" in plan.placement.method
    names = {path.suffix for path in tmp_path.iterdir()}
    assert {".pdf", ".xlsx", ".csv"} <= names
    assert stored.restore(tmp_path).placement.fingerprint == plan.placement.fingerprint


def test_other_words_are_refused(tmp_path):
    text = TEMPLATE.format(name="apart").replace('endpoints = "auto"', 'endpoints = "elsewhere"')
    (tmp_path / "study.toml").write_text(text)
    with pytest.raises(InputError, match="endpoints"):
        pipeline.run(tmp_path)
