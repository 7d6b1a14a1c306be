"""Every family is planned as a whole, from its example to a clean plan, and so does every room."""

import pytest

from planner.core import registry
from planner.core.record import plain
from planner.studies import pipeline, study

BASE = {
    "seed": 1,
    "catalog": {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"},
    "placement": {"algorithm": "anneal", "moves": 500},
    "simulation": {"loads": [0.2], "cycles": 300, "max_cycles": 300},
}
PRINTED = ("fattree", "polarstar")
"""Families whose plans are printed; what sheets hold does not depend on the family."""


def run(folder, network, room, formats=("csv",)):
    data = BASE | {"name": "whole", "topology": plain(network), "room": {"plan": room}, "report": {"formats": list(formats)}}
    return pipeline.run(study.check(data, base=folder))


@pytest.mark.parametrize("family", registry.names("topology"))
@pytest.mark.slow
def test_every_family_is_planned_as_a_whole(family, tmp_path):
    example = registry.load("topology", family).EXAMPLE
    formats = ("pdf", "xlsx", "csv") if family in PRINTED else ("csv",)
    plan = run(tmp_path, {"family": family} | example, "hall-a", formats)
    assert plan.violations.errors == ()
    assert plan.cables.cable_count == plan.topology.link_count + plan.topology.endpoint_count
    assert plan.simulation.accepted[0] > 0.1
    for suffix in formats:
        assert (tmp_path / f"whole.{suffix}").stat().st_size > 1000


@pytest.mark.slow
@pytest.mark.parametrize("room", ["lab", "hall-a", "spectralfly", "mddp"])
def test_every_room_takes_a_network(room, tmp_path):
    plan = run(tmp_path, {"family": "slimfly", "q": 3}, room)
    assert plan.violations.errors == ()
    assert plan.room.name == room
