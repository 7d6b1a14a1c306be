"""containerlab: every link once, between interfaces that its schema and Linux allow."""

from __future__ import annotations

import re

import pytest
import yaml

from planner.formats import write


@pytest.mark.slow
@pytest.mark.parametrize("which", ["plan", "twin", "trunks", "odd"])
def test_links_are_those_of_the_plan(which, request, tmp_path):
    plan = request.getfixturevalue(which)
    lab = yaml.safe_load(write(plan, tmp_path, "containerlab", kind="sonic-vs", image="docker-sonic-vs").read_text())
    assert set(lab) == {"name", "topology"}
    topology = lab["topology"]
    assert topology["kinds"] == {"linux": {"image": "alpine:3"}, "sonic-vs": {"image": "docker-sonic-vs"}}
    nodes = topology["nodes"]
    assert [facts["kind"] for facts in nodes.values()].count("sonic-vs") == plan.topology.router_count
    assert len(nodes) == plan.inventory.device_count
    assert all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", name) for name in nodes)
    assert all({type(value) for value in facts["labels"].values()} == {str} for facts in nodes.values())
    ends = [end for link in topology["links"] for end in link["endpoints"]]
    assert len(ends) == len(set(ends)) == 2 * plan.cables.cable_count
    assert all(re.fullmatch(r"\S+:eth[1-9]\d*", end) and len(end.partition(":")[2]) <= 15 for end in ends)
    names, made = list(nodes), plan.cables
    pairs = [[end.partition(":")[0] for end in link["endpoints"]] for link in topology["links"]]
    assert pairs == [[names[a], names[b]] for a, b in made.device.tolist()]
    routers = [end.partition(":eth")[2] for link in topology["links"] for end in link["endpoints"][:1]]
    assert [int(port) for port in routers] == made.port[:, 0].tolist()


@pytest.mark.slow
def test_equal_kinds_have_images_of_their_own(plan, tmp_path):
    lab = yaml.safe_load(write(plan, tmp_path, "containerlab", image="frr:10").read_text())
    assert lab["topology"]["nodes"]["R000"]["image"] == "frr:10"
    assert lab["topology"]["nodes"]["E000"]["image"] == "alpine:3"
