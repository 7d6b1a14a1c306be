"""Near misses, and moves whose savings are those of plans that are cabled anew."""

from dataclasses import replace

import numpy as np
import pytest

from planner import catalog, floor, topology
from planner.cabling import cable
from planner.floor import Lengths, Slack
from planner.near_misses import near_misses
from planner.placement import place
from planner.pricelist import price_list

pytestmark = pytest.mark.slow

EDR = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
NETWORK = topology.build("slimfly", q=5, endpoints_per_router=4)


def planned(room="lab", algorithm="random"):
    lengths = Lengths(floor.room(room, routers=1), EDR.cabinet, Slack())
    placed = place(NETWORK, EDR, lengths, seed=3, algorithm=algorithm)
    return lengths, placed, cable(NETWORK, EDR, placed, lengths)


def found(lengths, placed, cables, **wishes):
    return near_misses(NETWORK, EDR, placed, cables, lengths, **wishes)


@pytest.mark.parametrize("within", [0, 50, 300, 2000])
def test_every_near_miss_is_found(within):
    lengths, placed, cables = planned()
    result = found(lengths, placed, cables, within_mm=within, most=1000)
    expected = {}
    for number, run in enumerate(cables.run_mm.tolist()):
        offers = price_list(EDR.link_assemblies if number < NETWORK.link_count else EDR.endpoint_assemblies)
        price = int(offers.price_of([run])[0])
        shorter = [mm for mm in offers.limit_mm.tolist() if mm < run]
        if shorter and run - shorter[-1] <= within:
            saving = price - int(offers.price_of(shorter[-1:])[0])
            if saving > 0:
                expected[number] = (run - shorter[-1], saving)
    assert {item.cable: (item.over_mm, item.saving_cents) for item in result.items} == expected
    assert result.count == len(expected)
    assert result.saving_cents == sum(saving for _, saving in expected.values())
    assert [item.saving_cents for item in result.items] == sorted((s for _, s in expected.values()), reverse=True)


@pytest.mark.parametrize("room", ["lab", "raised-hall", "two-halls"])
def test_moving_a_router_saves_what_it_says(room):
    """The plan with the router in the other unit, in exchange where one stands there, is cheaper by just that."""
    lengths, placed, cables = planned(room)
    tried = 0
    for item in found(lengths, placed, cables, within_mm=400, most=30).items:
        if not item.unit_saving_cents:
            continue
        router = int(cables.device[item.cable, item.end])
        unit = placed.unit_of.copy()
        target = unit[router] + item.units
        other = np.flatnonzero((placed.cabinet_of == placed.cabinet_of[router]) & (unit == target))
        unit[other] = unit[router]
        unit[router] = target
        again = cable(NETWORK, EDR, replace(placed, unit_of=unit), lengths)
        assert cables.price_cents.sum() - again.price_cents.sum() == item.unit_saving_cents
        tried += 1
    assert tried


@pytest.mark.parametrize("room", ["lab", "raised-hall"])
def test_moving_a_cabinet_saves_what_it_says(room):
    lengths, placed, cables = planned(room)
    tried = 0
    for item in found(lengths, placed, cables, within_mm=2000, most=60).items:
        if not item.slot_saving_cents:
            continue
        slot = placed.slot_of.copy()
        cabinet = cables.cabinet[item.cable, item.slot_end]
        slot[cabinet] = lengths.room.slot_names.index(item.slot)
        again = cable(NETWORK, EDR, replace(placed, slot_of=slot), lengths)
        assert cables.price_cents.sum() - again.price_cents.sum() == item.slot_saving_cents
        tried += 1
    assert tried


def test_no_router_is_sent_where_nothing_may_stand():
    """Routers alone at the bottom are drawn up to the free units under the trays, unless these are reserved."""
    network = topology.build("slimfly", q=5, endpoints_per_router=0)
    lengths = Lengths(floor.room("lab", routers=1), EDR.cabinet, Slack(end_mm=100, loop_mm=100))
    placed = place(network, EDR, lengths, seed=3, algorithm="random", groups="required")
    placed = replace(placed, unit_of=placed.unit_of - placed.unit_of.min() + 1)
    cables = cable(network, EDR, placed, lengths)
    top = int(placed.unit_of.max())

    def highest(placement):
        result = near_misses(network, EDR, placement, cables, lengths, within_mm=5000, most=1000)
        moved = [item for item in result.items if item.unit_saving_cents]
        return max((placed.unit_of[cables.device[item.cable, item.end]] + item.units for item in moved), default=0)

    assert highest(placed) > top >= highest(replace(placed, reserved_units=(0, EDR.cabinet.units - top)))


def test_runs_set_by_hand_stay(tmp_path):
    """No move shortens what the study fixes."""
    (tmp_path / "runs.csv").write_text("class,run_mm\nin group,5100\nbetween groups,5100\nendpoint,2100\n")
    lengths, placed, _ = planned()
    cables = cable(NETWORK, EDR, placed, lengths, overrides=tmp_path / "runs.csv")
    result = found(lengths, placed, cables)
    assert result.count == cables.cable_count
    assert not any(item.unit_saving_cents or item.slot_saving_cents for item in result.items)
