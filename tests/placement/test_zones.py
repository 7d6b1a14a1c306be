"""Zones with limits for all of their cabinets together: no layout exceeds them."""

from dataclasses import replace

import numpy as np
import pytest

from planner.check.zones import zones_within_totals
from planner.core.errors import Infeasible
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.domain.model import Plan, ZoneLimit
from planner.hall.floor import Lengths, Slack
from planner.network import topology

NETWORK = topology.build("slimfly", q=5, endpoints_per_router=4)
# A full cabinet of the plan below: ten routers of 460 W and forty endpoints in ten boxes.
POWER_MW = 27_320_000


def limited(lab, **limits):
    """The laboratory with a zone over its first row."""
    limits = {"power_mw": None, "cooling_mw": None, "load_g": None} | limits
    return replace(lab, zones=(ZoneLimit("south", tuple(range(8)), **limits),))


def plan_of(edr, room, placed):
    return Plan("t", "t", {}, catalog=edr, room=room, topology=NETWORK, inventory=inventory(NETWORK, edr), placement=placed)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["identity", "random", "anneal", "exact", "auto"])
@pytest.mark.parametrize("limits", [{"power_mw": 2 * POWER_MW}, {"cooling_mw": 3 * POWER_MW - 1}, {"load_g": 1_300_000}])
def test_zones_keep_their_totals(edr, lab, algorithm, limits):
    room = limited(lab, **limits)
    lengths = Lengths(room, edr.cabinet, Slack())
    placed = place(NETWORK, edr, lengths, seed=1, algorithm=algorithm)
    assert (placed.slot_of < 8).sum() == 2 if algorithm == "identity" else (placed.slot_of < 8).sum() <= 2
    assert not [*zones_within_totals(plan_of(edr, room, placed))]
    free = place(NETWORK, edr, Lengths(lab, edr.cabinet, Slack()), seed=1, algorithm="identity")
    assert (free.slot_of < 8).sum() == 5
    assert [*zones_within_totals(plan_of(edr, room, free))]


def test_the_open_slots_of_a_zone_are_those_near_the_middle(edr, lab):
    placed = place(NETWORK, edr, Lengths(limited(lab, power_mw=2 * POWER_MW), edr.cabinet, Slack()), seed=1, algorithm="identity")
    middle = np.abs(lab.slot_xy[:8] - lab.slot_xy.mean(axis=0)).sum(axis=1)
    assert sorted(placed.slot_of[placed.slot_of < 8].tolist()) == sorted(np.argsort(middle, kind="stable")[:2].tolist())


def test_zones_that_carry_too_little_are_infeasible(edr, lab):
    room = replace(lab, zones=(ZoneLimit("all", tuple(range(16)), 4 * POWER_MW, None, None),))
    with pytest.raises(Infeasible, match="5 cabinets needed"):
        place(NETWORK, edr, Lengths(room, edr.cabinet, Slack()), seed=1, algorithm="identity")
