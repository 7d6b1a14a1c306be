"""Costly surprises are reported: ranges that exclude better members, ports that nothing attaches, queues that limit a network."""

from pathlib import Path

import pytest
from shared.plans import planned

from planner.commands.simulate import is_blocked
from planner.domain.quantities import unattached
from planner.studies import pipeline, study
from planner.studies.explore.candidate import Demand
from planner.studies.explore.choice import better_outside, choose

EXAMPLE = Path(__file__).parents[1] / "examples" / "head-of-line"


def test_a_range_that_excludes_a_better_member_is_reported():
    """Slim Fly, 36 ports: 338 routers for 1,014 endpoints, where 972 endpoints need 162 routers."""
    demand = Demand(1000, 1100)
    chosen = choose("slimfly", 36, demand)
    assert (chosen.routers, chosen.endpoints) == (338, 1014)
    assert "972 endpoints with 162 routers, 50% fewer for each endpoint than 1,014 with 338" in better_outside(chosen, 36, demand)
    assert better_outside(choose("hyperx", 36, demand), 36, demand) == ""
    assert better_outside(choose("slimfly", 36, Demand(1000)), 36, Demand(1000)) == ""


@pytest.mark.slow
def test_port_groups_that_nothing_attaches_are_listed():
    """No network of the study attaches the storage ports of the five DGX."""
    found = unattached(planned("several networks"))
    assert ("dgx-h100", 5, "storage", 2) in found
    assert [group for part, _, group, _ in found if part == "dgx-h100"] == ["storage"]


@pytest.mark.slow
def test_a_fat_tree_is_limited_by_its_queues():
    """A switch with long input queues carries 0.586 of uniform traffic (Karol, Hluchyj, Morgan 1987); speedup lifts that."""
    quick = ["simulation.loads=[1.0]", "simulation.saturation=false"]
    carried = {}
    for speedup in (1, 2):
        values = [*quick, f"simulation.crossbar_speedup={speedup}"]
        plan = pipeline.make(study.load(EXAMPLE, values), ["simulation"])
        carried[speedup] = float(plan.simulation.accepted[0])
        assert is_blocked(plan.simulation)
    assert 0.55 < carried[1] < 0.65
    assert carried[2] > carried[1] + 0.05
