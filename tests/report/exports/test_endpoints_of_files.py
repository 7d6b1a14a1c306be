"""Endpoints that a file does not list router by router keep its names in plans, verification and exports."""

import csv
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import networkx
import numpy as np
import pytest

from planner.check.inventory import devices_follow_the_network
from planner.core.errors import InputError
from planner.design.placement.model import layout
from planner.formats import write
from planner.network import topology
from planner.studies import pipeline, study

RING = [(0, 1), (1, 2), (2, 3), (3, 0)]
HOMES = {router: [node for node in range(8) if node % 4 == router] for router in range(4)}
"""Endpoint n on router n modulo 4: every router has two that do not follow each other."""


def text(name="node {}"):
    near = {router: [f"router {b if a == router else a}" for a, b in RING if router in (a, b)] for router in HOMES}
    rows = (" ".join([f"router {router}", *map(name.format, HOMES[router]), *near[router]]) for router in HOMES)
    return "\n".join(rows) + "\n"


def planned(folder, content):
    (folder / "ring.anynet").write_text(content, encoding="utf-8")
    data = {
        "name": "ring", "seed": 1, "topology": {"family": "file", "path": "ring.anynet"},
        "catalog": {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"},
        "room": {"plan": "lab"}, "near_misses": {"detailed": 0},
    }  # fmt: skip
    return pipeline.make(study.check(data, base=folder), ("violations",))


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    return planned(tmp_path_factory.mktemp("ring"), text())


@pytest.mark.slow
def test_devices_have_the_numbers_of_the_file(plan):
    assert plan.inventory.names[4:].tolist() == ["E000", "E004", "E001", "E005", "E002", "E006", "E003", "E007"]
    router = plan.inventory.ends[plan.inventory.endpoints(), 0]
    assert [int(name[1:]) % 4 for name in plan.inventory.names[4:]] == router.tolist()
    assert plan.violations.items == ()


def test_other_names_are_found(plan):
    names = plan.inventory.names.copy()
    names[[4, 5]] = names[[5, 4]]
    wrong = replace(plan, inventory=replace(plan.inventory, names=names))
    assert [item.where for item in devices_follow_the_network(wrong)] == ["inventory.names"]


def test_anynet_has_them_and_is_read_again(plan, tmp_path):
    path = write(plan, tmp_path, "anynet")
    rows = path.read_text(encoding="ascii").splitlines()
    assert {row: [int(node) for node in re.findall(r"node (\d+)", line)] for row, line in enumerate(rows)} == HOMES
    again = topology.build("file", path=str(path))
    assert again.endpoint_names == plan.topology.endpoint_names
    assert np.array_equal(again.links, plan.topology.links)


def test_graphml_has_them(plan, tmp_path):
    path = write(plan, tmp_path, "graphml", endpoints=True)
    graph = networkx.parse_graphml(Path(path).read_text(encoding="utf-8"))
    names = networkx.get_node_attributes(graph, "name")
    found = {names[u]: names[v] for a, b in graph.edges() for u, v in ((a, b), (b, a)) if names[u].startswith("E")}
    assert found == {f"E{node:03d}": f"R{router:03d}" for router, nodes in HOMES.items() for node in nodes}


@pytest.mark.slow
def test_words_are_kept_as_they_are(tmp_path):
    """The first endpoint that the file lists is on the last router: n3 on 3, then router by router."""
    plan = planned(tmp_path, "node n3 router 3\n" + text("node n{}"))
    assert plan.inventory.names[4:].tolist() == ["n0", "n4", "n1", "n5", "n2", "n6", "n3", "n7"]
    assert plan.violations.items == ()
    rows = write(plan, tmp_path, "anynet").read_text(encoding="ascii").splitlines()
    # BookSim knows numbers only: those of Planner.
    assert re.findall(r"node (\d+)", rows[3]) == ["6", "7"]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A triangle of named routers, two of which would be endpoints by their first letter, with a layout by name."""
    folder = tmp_path_factory.mktemp("drawn")
    (folder / "net.edges").write_text("from,to\nEdge north,core\ncore,Edge south\nEdge south,Edge north\n")
    (folder / "layout.csv").write_text("router;slot;fixed\nEdge south;A02;yes\n")
    data = {
        "name": "drawn", "seed": 1, "topology": {"family": "file", "path": "net.edges"},
        "catalog": {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"},
        "room": {"plan": "lab"}, "near_misses": {"detailed": 0}, "placement": {"layout": "layout.csv"},
    }  # fmt: skip
    return pipeline.make(study.check(data, base=folder), ("violations",))


def test_routers_have_the_names_of_the_file(drawn, tmp_path):
    assert drawn.inventory.names.tolist() == ["Edge north", "core", "Edge south", "E000", "E001", "E002"]
    assert drawn.violations.items == ()
    assert drawn.room.slot_names[drawn.placement.slot_of[drawn.placement.cabinet[2]]] == "A02"
    rows = list(csv.DictReader(write(drawn, tmp_path, "csv").read_text("utf-8-sig").splitlines()))
    ends = Counter(row[end] for row in rows for end in ("a_device", "b_device"))
    assert ends == {"Edge north": 3, "core": 3, "Edge south": 3, "E000": 1, "E001": 1, "E002": 1}
    # The schedule of a finished plan is a layout.
    again = layout.read(write(drawn, tmp_path, "csv"), drawn.topology, drawn.room)
    assert (again.slot >= 0).all()


def test_routers_that_must_not_move_have_the_names_of_the_file(tmp_path):
    (tmp_path / "net.edges").write_text("west core\ncore east\neast west\n")
    fixed = {"east": {"cabinet": "A03", "unit": 30}}
    data = {
        "name": "fixed", "seed": 1, "topology": {"family": "file", "path": "net.edges"},
        "catalog": {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"},
        "room": {"plan": "lab", "existing": {"fixed": fixed}}, "near_misses": {"detailed": 0},
    }  # fmt: skip
    plan = pipeline.make(study.check(data, base=tmp_path), ("violations",))
    assert plan.violations.items == ()
    assert plan.room.slot_names[plan.placement.slot_of[plan.placement.cabinet[2]]] == "A03"
    assert plan.placement.unit[2] == 30


@pytest.mark.parametrize("template", [None, "sw{n}"])
def test_tables_of_attachments_name_routers_as_the_file_does(template, tmp_path):
    (tmp_path / "net.edges").write_text("leaf-b spine\nleaf-a spine\n")
    lines = [f"host{n},1,{router}" for n, router in enumerate(("leaf-a", "leaf-b", "leaf-a"), 1)]
    (tmp_path / "attach.csv").write_text("\n".join(["device,port,router", *lines]) + "\n")
    network = {
        "name": "fabric", "topology": {"family": "file", "path": "net.edges", "endpoints_per_router": 2},
        "parts": {"router": "nvidia-sn2201"}, "names": {"router": template} if template else {},
        "attach": [{"node": "host", "ports": "mgmt", "rule": "table", "path": "attach.csv"}],
    }  # fmt: skip
    data = {
        "name": "named", "seed": 1, "catalog": {"cabinet": "apc-ar3300"}, "room": {"plan": "hall-a"}, "network": [network],
        "node": [{"name": "host", "part": "dgx-h100", "count": 3, "per_cabinet": 2, "names": "host{n}"}],
    }  # fmt: skip
    plan = pipeline.make(study.check(data, base=tmp_path), ("violations",))
    assert plan.violations.items == ()
    leaf_b, spine, leaf_a = ["sw1", "sw2", "sw3"] if template else ["leaf-b", "spine", "leaf-a"]
    names = plan.inventory.names
    assert names[:3].tolist() == [leaf_b, spine, leaf_a]
    ends = plan.inventory.ends[plan.inventory.endpoints()]
    found = {(str(names[b]), str(names[a])) for a, b in ends}
    assert found == {("host1", leaf_a), ("host2", leaf_b), ("host3", leaf_a)}
    (tmp_path / "attach.csv").write_text("\n".join(["device,port,router", *lines]).replace("leaf-b", "leaf-c"))
    with pytest.raises(InputError, match="router 'leaf-c' takes no ports of nodes; did you mean leaf-"):
        pipeline.make(study.check(data, base=tmp_path), ("inventory",))
