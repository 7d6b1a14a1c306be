"""Site and delivery on paper: loads of network and nodes, feeds, and the order of the cabinets."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from shared.paper import printed
from shared.plans import planned
from shared.small_plans import make_plan

from planner.domain.model import Zone
from planner.hall.cooling import cooling
from planner.view.site import GOODS, SiteLoads, cabinets_in, delivery_order


def cooled(plan, load):
    return cooling(plan.inventory, plan.catalog, plan.room, plan.placement, plan.cables, load=load)


@pytest.fixture(scope="module", params=["two halls", pytest.param("several networks", marks=pytest.mark.slow), "plain"])
def plan(request):
    return planned(request.param)


def test_loads_add_up_to_heat_and_mass_of_the_cooling_stage(plan):
    loads = SiteLoads.of(plan)
    assert np.array_equal(loads.maximum_mw.sum(axis=1), cooled(plan, "maximum").heat_mw)
    assert np.array_equal(loads.typical_mw.sum(axis=1), cooled(plan, "typical").heat_mw)
    made = cooled(plan, "maximum")
    assert np.array_equal(loads.mass_g.sum(axis=1) + plan.catalog.cabinet.mass_g, made.mass_g)
    without = SiteLoads.of(replace(plan, cooling=None))
    assert np.array_equal(without.mass_g.sum(axis=1), loads.mass_g.sum(axis=1))


def test_network_is_routers_and_nodes_are_boxes_of_nodes(plan):
    loads, inventory, placement = SiteLoads.of(plan), plan.inventory, plan.placement
    first = placement.first_of_box
    routers_mw = sum(inventory.part_of(int(box)).power_max_mw for box in first if inventory.is_router[box])
    assert loads.maximum_mw[:, GOODS.index("network")].sum() == routers_mw
    routers_g = sum(inventory.part_of(int(box)).mass_g for box in first if inventory.is_router[box])
    assert loads.mass_g[:, GOODS.index("network")].sum() == routers_g


def test_areas_have_their_cabinets(plan):
    for area in plan.cooling.areas:
        own = cabinets_in(plan, area)
        assert own.sum() == area.cabinets
        assert plan.cooling.heat_mw[own].sum() == area.heat_mw


@pytest.mark.slow
def test_sheets_state_the_loads_of_every_cabinet(plan, tmp_path):
    paper = printed(plan, tmp_path, part="site manager")
    assert paper.faults == ()
    loads, site = SiteLoads.of(plan), paper.chapter("Site")
    for number, slot in enumerate(plan.placement.slot_of.tolist()):
        name, power = plan.room.slot_names[slot], loads.maximum_mw[number, :2] / 1e6
        line = next(line for line in site.split("\n") if line.startswith(f"{name} ") and "cabinets" not in line)
        assert all(f"{mw:,.1f}" in line.split() for mw in power if mw)
        assert f"{plan.cooling.mass_g[number] / 1000:,.0f}" in line.split()
    whole = f"{loads.typical_mw.sum() / 1e6:,.1f}"
    assert re.search(rf"whole room .*\b{re.escape(whole)}\b", site)
    assert "PDUs" in site if plan.placement.feeds else "feeds and phases are not planned" in site


@pytest.mark.slow
def test_every_cabinet_is_delivered_once(plan, tmp_path):
    steps = delivery_order(plan)
    assert sorted(step.cabinet for step in steps) == [*range(plan.placement.cabinet_count)]
    delivery = printed(plan, tmp_path, part="buyer").chapter("Delivery")
    names = [plan.room.slot_names[plan.placement.slot_of[step.cabinet]] for step in steps]
    assert re.findall(r"^\d+ (\S+) ", delivery.split("Order of the cabinets")[1], re.MULTILINE) == names


def test_the_far_end_of_the_far_row_comes_first():
    """A door at the right end of the lower row: the upper row first, both from left to right."""
    plan = make_plan(q=5, endpoints_per_router=2, simulate=False)
    slots = plan.placement.slot_of
    row = plan.room.slot_row[slots]
    x, y = plan.room.slot_xy[slots].T
    right, low = int(x.max()) + 5000, int(y[row == row.min()].mean())
    door = Zone("door", "door", tuple((right + dx, low + dy) for dx, dy in ((-9, -9), (9, -9), (9, 9), (-9, 9))))
    steps = delivery_order(replace(plan, room=replace(plan.room, obstacles=(door,))))
    assert [step.cabinet for step in steps] == np.lexsort((x, -np.abs(y - low))).tolist()
    assert [step.distance_mm for step in steps] == [
        round(float(np.hypot(right - x[step.cabinet], low - y[step.cabinet]))) for step in steps
    ]
    assert [step.distance_mm for step in delivery_order(replace(plan, room=replace(plan.room, obstacles=())))] == [None] * len(x)
