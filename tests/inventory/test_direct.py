"""Cables between two nodes without a router: pairs, ports, shared cables, and wrong input."""

from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.studies import pipeline, study

STORE = {"name": "store", "part": "storage-node", "count": 4, "per_cabinet": 2}
GUARD = {"name": "guard", "part": "dgx-h100", "count": 2, "per_cabinet": 1}
OOB = {
    "name": "oob",
    "topology": {"family": "leaves", "leaves": 1, "endpoints_per_leaf": 40},
    "parts": {"leaf": "nvidia-sn2201"},
    "attach": [{"node": "store", "ports": "mgmt", "rule": "fill"}, {"node": "guard", "ports": "mgmt", "rule": "fill"}],
}


def planned(direct, wanted=("cables",), **more):
    content = {
        "name": "pairs", "seed": 1, "room": {"plan": "hall-a"}, "catalog": {"cabinet": "apc-ar3300"},
        "placement": {"moves": 2_000}, "node": [STORE, GUARD], "network": [deepcopy(OOB) | {"direct": direct}], **more,
    }  # fmt: skip
    return pipeline.make(study.check(content, base=Path()), wanted, accepted=False)


def joined(plan):
    """Names and ports as printed of both ends of each cable between two nodes."""
    inventory, cables = plan.inventory, plan.cables
    return [
        tuple((str(inventory.names[d]), inventory.part_of(d).port_names[p - 1]) for d, p in zip(*ends, strict=True))
        for ends in zip(cables.device[inventory.is_direct].tolist(), cables.port[inventory.is_direct].tolist(), strict=True)
    ]


def test_successive_nodes_form_pairs():
    """Two ports each: four cables, port by port; the second pair does not touch the first."""
    plan = planned([{"node": "store", "ports": "storage"}])
    assert joined(plan) == [
        ((f"store{a}", f"storage/{port}"), (f"store{a + 1}", f"storage/{port}")) for a in (1, 3) for port in (1, 2)
    ]
    inventory = plan.inventory
    assert inventory.direct() == slice(6, 10)
    assert inventory.endpoints() == slice(0, 6)
    assert inventory.kind_names[inventory.kind[6]] == "storage"


def test_two_kinds_of_nodes_and_some_of_them():
    """The last two of one kind with both of another, by their storage ports, in an own kind."""
    guard = GUARD | {"part": "storage-node"}
    plan = planned([{"node": "store", "to": "guard", "ports": "storage", "count": 2, "kind": "mirror"}], node=[STORE, guard])
    assert {(a[0], b[0]) for a, b in joined(plan)} == {("store1", "guard1"), ("store2", "guard2")}
    assert plan.inventory.kind_names[-1] == "mirror"


@pytest.mark.slow
def test_ports_of_full_cages_share_a_cable():
    """The eight compute ports of a DGX are in four cages of two: four twin-port cables carry the eight connections."""
    plan = planned([{"node": "guard", "ports": "compute"}])
    own = np.flatnonzero(plan.inventory.is_direct)
    assert len(own) == 8
    assert len(np.unique(plan.cables.piece[own])) in (4, 8)
    assert (plan.cables.cage[own, 0] == plan.cables.cage[own, 1]).all()


@pytest.mark.slow
def test_they_are_on_the_schedule_and_the_bill_but_not_in_the_topology():
    plan, without = (planned(direct, wanted=("bill",)) for direct in ([{"node": "store", "ports": "storage"}], []))
    assert plan.topology.endpoint_count == without.topology.endpoint_count == 6
    assert len(plan.cables.piece) == len(without.cables.piece) + 4

    def cables(made):
        return sum(line.quantity for line in made.bill.lines if line.category == "cables")

    assert cables(plan) == cables(without) + 4


def test_a_node_may_be_on_no_other_network():
    oob = deepcopy(OOB) | {"attach": OOB["attach"][:1], "direct": [{"node": "guard", "ports": "compute"}]}
    plan = planned([], wanted=("inventory",), network=[oob])
    assert plan.inventory.attached().tolist() == list(range(1, 7))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("direct", "message"),
    [
        ({"node": "stor"}, "network.0.direct.0.node: there is no node 'stor'"),
        ({"node": "store", "to": "gard"}, "network.0.direct.0.to: there is no node 'gard'"),
        ({"node": "guard"}, "network.0.direct.0.ports: dgx-h100 has the port groups"),
        ({"node": "store", "ports": "storages"}, "network.0.direct.0.ports: storage-node has no port group 'storages'"),
        ({"node": "store", "to": "guard", "ports": "mgmt"}, "network.0.direct.0.count: 4 store and 2 guard do not form pairs"),
        ({"node": "store", "ports": "storage", "count": 3}, "network.0.direct.0.count: 3 store do not form pairs"),
        ({"node": "store", "ports": "storage", "skip": 2, "count": 4}, "network.0.direct.0.count: names devices 3 to 6 of 4"),
        ({"node": "store", "ports": "mgmt"}, "port 1 of the group mgmt of store1 is connected twice"),
        ({"node": "store", "rule": "fill"}, "network.0.direct.0.rule"),
    ],
)
def test_wrong_pairs_are_refused_with_their_place(direct, message):
    with pytest.raises(InputError) as error:
        planned([direct], wanted=("inventory",))
    assert message in str(error.value)


def test_groups_of_unlike_size_are_refused():
    """A compute tray has four compute ports, a DGX eight."""
    oob = deepcopy(OOB) | {"attach": [], "direct": [{"node": "guard", "to": "tray", "ports": "compute"}]}
    tray = GUARD | {"name": "tray", "part": "gb200-compute-tray"}
    with pytest.raises(InputError, match="guard has 8 ports in this group, tray has 4"):
        planned([], wanted=("inventory",), node=[GUARD, tray], network=[oob])
