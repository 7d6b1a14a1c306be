"""Rules that a study leaves open: all that the room can hold are tried, the cheapest is kept, and what is written binds."""

import numpy as np
import pytest
from shared import by_hand

from planner.core.errors import Infeasible
from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.design.placement.model.endpoint_cost import EndpointCost, cost_in_place
from planner.design.placement.model.endpoints import cable_cost_bound
from planner.domain import catalog
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology

MOVES = 60_000


@pytest.fixture(scope="module")
def tree(edr):
    """A folded Clos network whose leaves and spines are groups of their own, with a few servers at each leaf."""
    network = topology.build("fattree", k=4, levels=2, clos=True, endpoints_per_leaf=6)
    return network, Lengths(floor.room("hall-a", routers=1), edr.cabinet, Slack())


def placed_with(tree, edr, **rules):
    network, lengths = tree
    return place(network, edr, lengths, seed=1, moves=MOVES, **{"bounds": False} | rules)


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["price", "length"])
def test_open_rules_cost_no_more_than_any_written_ones(tree, edr, objective):
    network, lengths = tree
    free = placed_with(tree, edr, objective=objective)
    chosen = next(each for each in free.alternatives if each.chosen)
    assert sum(each.chosen for each in free.alternatives) == 1
    assert chosen.total == min(each.total for each in free.alternatives)
    assert {each.endpoints for each in free.alternatives} == {"together", "apart"}
    for groups in ("required", "preferred", "ignored"):
        for endpoints in ("together", "apart"):
            bound = placed_with(tree, edr, objective=objective, groups=groups, endpoints=endpoints, packing="auto")
            cost = cost_in_place(network, edr, lengths, objective, bound)
            if objective == "price":
                cost += bound.cabinet_count * edr.cabinet.price_cents
            assert chosen.total <= cost


@pytest.mark.slow
def test_what_a_study_writes_binds(tree, edr):
    network, _ = tree
    apart = placed_with(tree, edr, endpoints="apart")
    assert {each.endpoints for each in apart.alternatives} <= {"apart"}
    assert not set(apart.cabinet[: network.router_count].tolist()) & set(apart.cabinet[network.router_count :].tolist())
    whole = placed_with(tree, edr, groups="required", endpoints="together", packing="groups")
    assert whole.alternatives == ()
    pairs = np.column_stack([network.group[:, 0], whole.cabinet[: network.router_count]])
    assert len(np.unique(pairs, axis=0)) == len(np.unique(network.group[:, 0]))
    # Another algorithm takes the rules as they always were.
    plain = place(*tree[:1], edr, tree[1], seed=1, algorithm="identity", bounds=False)
    assert plain.alternatives == ()
    assert (plain.cabinet[network.router_count :] == plain.cabinet[network.endpoint_router]).all()


@pytest.mark.slow
def test_rules_that_the_room_cannot_hold_are_left_out(edr):
    """Two slots hold the routers with their servers; none is left for servers apart."""
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    room = floor.room("spectralfly", routers=10, cabinets=5, cabinet_routers=10)
    placed = place(network, edr, Lengths(room, edr.cabinet, Slack()), seed=1, moves=MOVES)
    assert {each.endpoints for each in placed.alternatives} <= {"together"}
    with pytest.raises(Infeasible, match="apart"):
        place(network, edr, Lengths(room, edr.cabinet, Slack()), seed=1, moves=MOVES, endpoints="apart")


@pytest.mark.slow
def test_open_rules_are_reproducible_and_survive_interrupts(tree, edr):
    first, second = (placed_with(tree, edr) for _ in range(2))
    assert first.fingerprint == second.fingerprint
    for at in (1, 2, 5):
        calls = []

        def stop_early(stage, done, total, calls=calls, at=at, **facts):
            calls.append(stage)
            if len(calls) == at:
                raise KeyboardInterrupt

        cut = placed_with(tree, edr, progress=stop_early)
        assert not cut.complete
        assert len(cut.cabinet) == tree[0].router_count + tree[0].endpoint_count


def test_the_cost_in_place_is_what_cables_cost(tree, edr):
    """In a room with wide trays: the price of all parts as they are bought, and the labor."""
    network, lengths = tree
    for endpoints in ("together", "apart"):
        placed = placed_with(tree, edr, groups="ignored", endpoints=endpoints)
        cables = cable(inventory(network, edr), edr, placed, lengths)
        inside = cables.cabinet[:, 0] == cables.cabinet[:, 1]
        labor = np.where(inside, edr.labor.in_cabinet_cents, edr.labor.between_cabinets_cents)
        labor = labor + cables.run_mm.astype(np.int64) * edr.labor.pull_cents_per_m // 1000
        assert cost_in_place(network, edr, lengths, "price", placed) == int((cables.price_cents + labor).sum())


@pytest.mark.slow
def test_the_case_of_the_narrow_trays():
    """Nodes of eight ports, 32 leaves and 16 spines: routers packed by links, and nodes with them, are the cheapest by far."""
    parts = catalog.select("nvidia-qm9700", "dgx-h100", "hpe-10648-g2")
    network = topology.build("fattree", k=16, levels=2, clos=True, subtrees=(16,), endpoints_per_leaf=32)
    lengths = Lengths(floor.room("hall-a", routers=1), parts.cabinet, Slack())
    placed = place(network, parts, lengths, seed=1, moves=MOVES, bounds=False)
    best = {}
    for each in placed.alternatives:
        best[each.endpoints] = min(best.get(each.endpoints, each.total), each.total)
    assert best["together"] < best["apart"]
    assert next(each for each in placed.alternatives if each.chosen).endpoints == "together"
    required = place(network, parts, lengths, seed=1, moves=MOVES, bounds=False, endpoints="apart", groups="required")
    free = place(network, parts, lengths, seed=1, moves=MOVES, bounds=False, endpoints="apart")
    totals = [cost_in_place(network, parts, lengths, "price", each) for each in (free, required)]
    cabinets = [each.cabinet_count * parts.cabinet.price_cents for each in (free, required)]
    assert totals[0] + cabinets[0] <= totals[1] + cabinets[1]


@pytest.mark.parametrize("objective", ["price", "length"])
@pytest.mark.parametrize("seed", range(4))
def test_the_bound_of_endpoint_cables_holds_for_any_places(edr, lab, objective, seed):
    """Router cabinets and boxes anywhere in the room, each box counted by hand."""
    network = topology.build("slimfly", q=5, endpoints_per_router=4)
    lengths = Lengths(lab, edr.cabinet, Slack())
    draw, by_rules = np.random.default_rng(seed), by_hand.EndpointCost(edr, lengths, objective)
    cabinets = int(draw.integers(2, 6))
    lowest = cable_cost_bound(network, EndpointCost(edr, lengths, objective), cabinets)
    slots = draw.permutation(lab.slot_count)
    of_router = slots[draw.integers(0, cabinets, network.router_count)]
    own = np.isin(np.arange(lab.slot_count), slots[:cabinets])
    by_distance = [
        sorted(np.flatnonzero(~own).tolist(), key=lambda slot, here=here: by_rules(int(here), slot))
        for here in range(lab.slot_count)
    ]
    places = dict.fromkeys(range(lab.slot_count), 200)
    total = 0
    for router in of_router[network.endpoint_router].tolist():
        slot = next(slot for slot in by_distance[router] if places[slot])
        places[slot] -= 1
        total += by_rules(router, slot)
    assert 0 < lowest <= total
