"""Attachments to a port group of the routers other than that of their links: by hand, verified, and wrong input."""

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from planner.check.attachments import attachments_follow_their_rules, ports_of_groups_suffice
from planner.check.near import near_ports_are_nearest
from planner.core.errors import InputError
from planner.network import topology
from planner.studies import pipeline, study

DATA = {
    "name": "two-groups",
    "seed": 1,
    "catalog": {"cabinet": "apc-ar3300"},
    "room": {"plan": "lab"},
    "placement": {"moves": 20_000},
    "node": [
        {"name": "slow", "part": "server-one-unit-25g", "count": 5},
        {"name": "fast", "part": "server-2x100g", "count": 4},
    ],
    "network": [
        {
            "name": "data",
            # 48 ports of 25G and twelve of 100G in each switch.
            "topology": {"family": "leafspine", "leaves": 2, "spines": 1, "uplinks": 2, "endpoints_per_leaf": 4},
            "parts": {"leaf": "nvidia-sn3420", "spine": "nvidia-sn3420"},
            "attach": [
                {"node": "fast", "ports": "data", "rule": "pairs", "count": 3, "router_ports": "uplink"},
                {"node": "slow", "rule": "fill"},
                {"node": "fast", "ports": "data", "rule": "free", "skip": 3, "router_ports": "uplink", "kind": "last"},
            ],
        }
    ],
}


def planned(**first):
    """The plan up to its cables, with other keys of the first attachment."""
    content = deepcopy(DATA)
    content["network"][0]["attach"][0] |= first
    return pipeline.make(study.check(content, base=Path()), ("cables",), accepted=False)


@pytest.fixture(scope="module")
def plan():
    return planned()


def endpoints(plan):
    return np.arange(plan.inventory.connection_count)[plan.inventory.endpoints(0)]


def test_ports_of_both_groups_by_hand(plan):
    """Three dual-homed nodes on both leaves; four slow ones fill leaf 0, the fifth is on leaf 1; the rest goes to free ports."""
    inventory, rows = plan.inventory, endpoints(plan)
    names = inventory.names[inventory.ends[rows, 1]]
    group = [part.groups[number].name for part, number in zip(
        (inventory.part_of(device) for device in inventory.ends[rows, 0]), inventory.port_group[rows, 0], strict=True
    )]  # fmt: skip
    found = sorted(zip(inventory.ends[rows, 0].tolist(), names.tolist(), group, strict=True))
    assert found == sorted(
        [(leaf, f"fast{node}", "uplink") for leaf in (0, 1) for node in (1, 2, 3, 4)]
        + [(0, f"slow{node}", "ports") for node in (1, 2, 3, 4)]
        + [(1, "slow5", "ports")]
    )
    # Links keep the ports of 25G: two from each leaf, so endpoints of this group follow; the other group begins at port 49.
    ports = plan.cables.port[rows, 0]
    fast = np.array(group) == "uplink"
    for leaf in (0, 1):
        own = inventory.ends[rows, 0] == leaf
        assert sorted(ports[own & fast].tolist()) == [49, 50, 51, 52]
        assert sorted(ports[own & ~fast].tolist()) == [3, 4, 5, 6][: int((own & ~fast).sum())]
    rates = {inventory.joints[joint].single[0].rate_gbps for joint in inventory.joint[rows[fast]].tolist()}
    assert rates == {100}


def source_of(plan):
    """What the verifier compares with: the topology without attached nodes."""
    order = np.repeat(np.arange(2), 4).astype(plan.topology.endpoint_router.dtype)
    return SimpleNamespace(bare=lambda number: replace(plan.topology, endpoint_router=order))


def test_the_verifier_agrees_and_finds_ports_of_another_group(plan):
    assert not [*ports_of_groups_suffice(plan)]
    assert not [*attachments_follow_their_rules(plan, source_of(plan))]
    group = plan.inventory.port_group.copy()
    row = endpoints(plan)[np.flatnonzero(group[endpoints(plan), 0] == 1)[0]]
    group[row, 0] = 0
    other = replace(plan, inventory=replace(plan.inventory, port_group=group))
    assert [*attachments_follow_their_rules(other, source_of(plan))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "message", "remedy"),
    [
        ({"router_ports": "uplinks"}, "no router of data has the port group 'uplinks' next to that of its links", "uplink"),
        ({"router_ports": "ports"}, "no router of data has the port group 'ports' next to that of its links", "uplink"),
        ({"count": 4, "per_device": 1, "rule": "fill", "per_leaf": 1}, "4 ports, but the routers have 2 free", "fewer nodes"),
    ],
)
def test_wrong_groups_are_refused(first, message, remedy):
    with pytest.raises(InputError) as caught:
        planned(**first)
    problem = caught.value.problems[0]
    assert message in problem.message
    assert remedy in problem.remedy
    assert problem.place.startswith("network.0.attach.0")


def test_the_other_group_has_its_own_limit():
    """Twelve ports of 100G in each switch hold no 13 dual-homed nodes, however many ports of 25G are free."""
    content = deepcopy(DATA)
    content["node"][1]["count"] = 14
    content["network"][0]["attach"][0]["count"] = 13
    with pytest.raises(InputError, match=r"attaches 13 ports of fast to router 0, which has 12 free"):
        pipeline.make(study.check(content, base=Path()), ("cables",), accepted=False)


def test_near_exchanges_ports_of_one_group_alone():
    """Nodes of both kinds, one in a cabinet, at leaves in two of these cabinets: each keeps a port that fits its cable."""
    content = deepcopy(DATA)
    content["node"] = [{**node, "count": 4, "per_cabinet": 1, "cabinets": "both"} for node in content["node"]]
    network = content["network"][0]
    network["place"] = {"leaf": "both"}
    network["attach"] = [
        {"node": "fast", "ports": "data", "per_device": 1, "rule": "near", "router_ports": "uplink"},
        {"node": "slow", "rule": "near"},
    ]
    plan = pipeline.make(study.check(content, base=Path()), ("cables",), accepted=False)
    inventory, rows = plan.inventory, endpoints(plan)
    fast = np.char.startswith(inventory.names[inventory.ends[rows, 1]], "fast")
    assert (inventory.port_group[rows, 0] == fast).all()
    bare = topology.build(**content["network"][0]["topology"])
    assert not [*near_ports_are_nearest(plan, SimpleNamespace(bare=lambda number: bare))]
