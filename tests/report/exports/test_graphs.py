"""Graph formats: read by NetworkX, by a reader after BookSim's own, and back through Planner's topology `file`."""

from __future__ import annotations

import zipfile
from collections import Counter
from dataclasses import replace

import networkx
import numpy as np
import pytest
from shared.small_plans import lonely, make_plan

from planner.core.errors import InputError
from planner.formats import write
from planner.network import topology

FORMATS = ["edge_list", "adjacency", "graphml", "anynet"]


def links(network) -> Counter:
    return Counter(map(tuple, np.sort(network.links, axis=1).tolist()))


@pytest.mark.slow
@pytest.mark.parametrize("which", ["plan", "trunks", "odd"])
@pytest.mark.parametrize("name", FORMATS)
def test_planner_reads_the_same_network(name, which, request, tmp_path):
    plan = request.getfixturevalue(which)
    again = topology.build("file", path=write(plan, tmp_path, name))
    assert again.router_count == plan.topology.router_count
    assert links(again) == links(plan.topology)
    if name == "anynet":
        assert again.endpoint_router.tolist() == plan.topology.endpoint_router.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["edge_list", "adjacency", "graphml"])
def test_parallel_links_stay(name, twin, tmp_path):
    again = topology.build("file", path=write(twin, tmp_path, name), parallel=True)
    assert links(again) == links(twin.topology)
    assert set(links(again).values()) == {2}


def test_edge_list_by_networkx(plan, tmp_path):
    graph = networkx.read_weighted_edgelist(write(plan, tmp_path, "edge_list", weight="stock_mm"), nodetype=int)
    weights = dict(zip(map(tuple, plan.topology.links.tolist()), plan.cables.stock_mm.tolist(), strict=False))
    assert {(min(u, v), max(u, v)): int(weight) for u, v, weight in graph.edges(data="weight")} == weights
    assert networkx.diameter(graph) == 2  # the Slim Fly


def test_adjacency_is_in_port_order(plan, tmp_path):
    head, *rows = [list(map(int, line.split())) for line in write(plan, tmp_path, "adjacency").read_text().splitlines()]
    assert head == [50, 175]
    network = plan.topology
    assert rows == [network.indices[a:b].tolist() for a, b in zip(network.indptr[:-1], network.indptr[1:], strict=True)]


# -- GraphML ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("which", ["plan", "twin", "odd"])
def test_graphml_holds_what_the_plan_knows(which, request, tmp_path):
    plan = request.getfixturevalue(which)
    graph = networkx.read_graphml(write(plan, tmp_path, "graphml", endpoints=True), node_type=int, force_multigraph=True)
    assert not graph.is_directed()
    routers = plan.topology.router_count
    assert list(graph) == list(range(routers + plan.topology.endpoint_count))
    assert Counter(kind for _, kind in graph.nodes(data="kind"))["router"] == routers
    slots = plan.placement.slot_of[plan.placement.cabinet].tolist()
    assert [cabinet for _, cabinet in graph.nodes(data="cabinet")] == [plan.room.slot_names[slot] for slot in slots]
    assert [unit for _, unit in graph.nodes(data="unit")] == plan.placement.unit.tolist()
    assert [[facts["x_mm"], facts["y_mm"]] for _, facts in graph.nodes(data=True)] == plan.room.slot_xy[slots].tolist()
    edges = sorted(((int(key[1:]), facts) for _, _, key, facts in graph.edges(keys=True, data=True)), key=lambda edge: edge[0])
    assert len(edges) == plan.cables.cable_count
    cables = plan.cables
    columns = {
        "label_a": cables.label_a, "label_b": cables.label_b, "stock_mm": cables.stock_mm, "run_mm": cables.run_mm,
        "delay_ps": cables.delay_ps, "a_port": cables.port[:, 0], "cable": cables.piece + 1,
    }  # fmt: skip
    for name, column in columns.items():
        assert [facts[name] for _, facts in edges] == column.tolist(), name


# -- anynet -----------------------------------------------------------------------------------


def booksim(text: str) -> tuple[dict, dict]:
    """Channels with their cycles, and routers of nodes, word by word as ``AnyNet::readFile`` of BookSim 2 keeps them.

    As it is, not as it should be: a number sets the cycles of the channel from the line's router to the *router* of the number
    before it, also after a node, and makes one if there is none.
    """
    channels: dict[tuple[int, int], int] = {}
    nodes: dict[int, int] = {}
    for line in filter(None, text.split("\n")):
        words = line.split(" ")
        assert words.pop(0) == "router"
        head, body = int(words.pop(0)), None
        while words:
            word = words.pop(0)
            if body is not None and word not in ("router", "node"):
                channels[head, body] = int(word)
                continue
            body = int(words.pop(0))
            if word == "node":
                assert nodes.setdefault(body, head) == head
            else:
                assert word == "router"
                channels[head, body] = 1
                channels.setdefault((body, head), 1)
    assert sorted(nodes) == list(range(len(nodes)))
    return channels, nodes


def test_a_number_after_a_node_is_a_link_in_booksim():
    assert booksim("router 0 node 0 7 router 1 3\nrouter 1 node 1 7 router 0 3\n")[0] == {
        (0, 0): 7,
        (0, 1): 3,
        (1, 0): 3,
        (1, 1): 7,
    }


@pytest.mark.slow
@pytest.mark.parametrize("which", ["plan", "trunks"])
def test_anynet_has_the_cycles_of_both_directions(which, request, tmp_path):
    plan = request.getfixturevalue(which)
    cycle = plan.simulation.cycle_ps if plan.simulation else 1000
    channels, nodes = booksim(write(plan, tmp_path, "anynet").read_text(encoding="ascii"))
    cycles = np.maximum(1, np.ceil(plan.cables.delay_ps / cycle)).astype(int).tolist()
    count = plan.topology.link_count
    assert len(channels) == 2 * count
    for (a, b), wanted in zip(plan.topology.links.tolist(), cycles, strict=False):
        assert channels[a, b] == channels[b, a] == wanted
    assert [nodes[node] for node in range(len(nodes))] == plan.topology.endpoint_router.tolist()


def test_anynet_with_a_cycle_of_one_s_own(plan, tmp_path):
    channels, _ = booksim(write(plan, tmp_path, "anynet", cycle_ps=10**9).read_text())
    assert set(channels.values()) == {1}


def test_anynet_refuses_parallel_links(twin, tmp_path):
    with pytest.raises(InputError, match="routers 0 and 1 share 2 links"):
        write(twin, tmp_path, "anynet")


# -- Graph Golf -------------------------------------------------------------------------------


def test_graph_golf_files(plan, tmp_path):
    with zipfile.ZipFile(write(plan, tmp_path, "graph_golf")) as book:
        assert book.namelist() == ["network.clu.edges", "network.coord", "network.edges"]
        between, places, edges = ([list(map(int, line.split())) for line in book.open(name)] for name in book.namelist())
        book.extract("network.edges", tmp_path)
    assert [edge[:2] for edge in edges] == plan.topology.links.tolist()
    # Stock lengths are whole centimeters here.
    assert [10 * edge[2] for edge in edges] == plan.cables.stock_mm[:175].tolist()
    assert links(topology.build("file", path=tmp_path / "network.edges")) == links(plan.topology)
    xy = plan.room.slot_xy[plan.placement.slot_of[plan.placement.cabinet[:50]]]
    assert [[10 * x, 10 * y] for _, _, y, x in places] == xy.tolist()
    assert [cabinet for _, cabinet, _, _ in places] == plan.placement.cabinet[:50].tolist()
    ends = plan.cables.cabinet[:175]
    assert sum(count for *_, count in between) == (ends[:, 0] != ends[:, 1]).sum()
    assert all(a < b for a, b, _ in between)


# -- plans that lack something ----------------------------------------------------------------


def test_a_plan_without_cables_still_has_a_network(plan, tmp_path):
    early = replace(plan, cables=None, placement=None, bill=None, latency=None, simulation=None, violations=None)
    for name in FORMATS:
        assert links(topology.build("file", path=write(early, tmp_path, name))) == links(plan.topology)
    with pytest.raises(InputError, match="no cables"):
        write(early, tmp_path, "edge_list", weight="run_mm")
    with pytest.raises(InputError, match="no cables"):
        write(early, tmp_path, "graph_golf")


def test_one_router_alone(tmp_path):
    plan = make_plan(network=lonely(), simulate=False)
    assert write(plan, tmp_path, "edge_list").read_text() == ""
    assert write(plan, tmp_path, "adjacency").read_text() == "1 0\n\n"
    assert write(plan, tmp_path, "anynet").read_text() == "router 0\n"
    assert networkx.read_graphml(write(plan, tmp_path, "graphml")).number_of_nodes() == 1
