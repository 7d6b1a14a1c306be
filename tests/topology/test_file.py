"""Networks from files: every format reads back what was written, and every wrong line is named."""

import json
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.graphs import to_networkx

from planner.core import storage
from planner.core.errors import InputError
from planner.network import growth, topology
from planner.studies import study

GRAPH = nx.relabel_nodes(nx.random_regular_graph(3, 12, seed=1), {n: n for n in range(12)})
LINKS = sorted(tuple(sorted(edge)) for edge in GRAPH.edges)


def _adjacency(first, both_ends):
    rows = [" ".join(str(v + first) for v in sorted(GRAPH[u]) if both_ends or v > u) for u in range(12)]
    return "\n".join([f"12 {len(LINKS)}", *rows]) + "\n"


def _anynet(both_ends):
    rows = []
    for u in range(12):
        others = "".join(f" router {v} 5" for v in sorted(GRAPH[u]) if both_ends or v > u)
        rows.append(f"router {u} node {2 * u} node {2 * u + 1}{others}")
    return "\n".join(rows)


WRITTEN = {
    "edges": "# u v\n% again\n\n" + "\n".join(f"{v} {u}" for u, v in LINKS),
    "weighted edges": "\n".join(f"{u} {v} {u + 0.5}" for u, v in LINKS),
    "networkx edges": "\n".join(nx.generate_edgelist(GRAPH)),
    "adjacency": _adjacency(0, True),
    "adjacency from 1": _adjacency(1, True),
    "anynet": _anynet(False),
    "anynet from both ends": _anynet(True),
    "graphml": "\n".join(nx.generate_graphml(GRAPH)),
    "directed graphml": "\n".join(nx.generate_graphml(GRAPH.to_directed())),
    "json": json.dumps(nx.node_link_data(GRAPH, edges="links")),
    "json with edges": json.dumps(nx.node_link_data(GRAPH, edges="edges"), indent=1),
    "directed json": json.dumps(nx.node_link_data(GRAPH.to_directed(), edges="links")),
}


def build(folder, text, **parameters):
    path = folder / "network"
    path.write_text(text, encoding="utf-8")
    return topology.build("file", path=str(path), **parameters)


@pytest.mark.parametrize("name", WRITTEN)
def test_every_format_reads_back_the_same_links(tmp_path, name):
    made = build(tmp_path, WRITTEN[name])
    assert made.links.tolist() == [list(link) for link in LINKS]
    assert made.endpoint_count == (24 if name.startswith("anynet") else 12)


def test_an_adjacency_list_may_name_each_link_once(tmp_path):
    made = build(tmp_path, _adjacency(0, False), format="adjacency")
    assert made.links.tolist() == [list(link) for link in LINKS]


def test_the_suffix_tells_the_format(tmp_path):
    path = tmp_path / "ring.ANYNET"
    path.write_text("router a router b\nrouter b router c\nrouter c router a node x\n")
    made = topology.build("file", path=str(path))
    assert (made.link_count, made.endpoints_of.tolist()) == (3, [0, 0, 1])
    assert topology.build("file", path=str(path), endpoints_per_router=2).endpoint_count == 6


def with_endpoints(as_nodes):
    """The network with one endpoint at router 0, none at router 1, two at each other: as nodes or as an attribute."""
    graph, counts = GRAPH.copy(), [1, 0] + [2] * 10
    for router, count in enumerate(counts):
        if as_nodes:
            for number in range(count):
                graph.add_node(f"h{router}-{number}", kind="endpoint")
                graph.add_edge(router, f"h{router}-{number}")
        else:
            graph.nodes[router]["endpoints"] = count
    return graph, counts


@pytest.mark.parametrize("as_nodes", [True, False])
@pytest.mark.parametrize("form", ["graphml", "json"])
def test_attached_endpoints_come_along(tmp_path, form, as_nodes):
    graph, counts = with_endpoints(as_nodes)
    text = "\n".join(nx.generate_graphml(graph)) if form == "graphml" else json.dumps(nx.node_link_data(graph, edges="links"))
    made = build(tmp_path, text)
    assert made.links.tolist() == [list(link) for link in LINKS]
    assert made.endpoints_of.tolist() == counts
    assert build(tmp_path, text, endpoints_per_router=3).endpoint_count == 36


RAILS = "router 0 node 0 node 2 router 1\nrouter 1 node 1 node 3\n"
"""Ports of two nodes on two routers: the even endpoints on router 0, the odd ones on router 1."""


def test_endpoints_out_of_order_are_sorted_and_keep_their_names(tmp_path):
    made = build(tmp_path, RAILS)
    assert made.endpoint_router.tolist() == [0, 0, 1, 1]
    assert made.endpoint_names == ("0", "2", "1", "3")
    assert build(tmp_path, RAILS, endpoints_per_router=2).endpoint_names == ()
    # Names that are no numbers count as they first appear: here router by router.
    assert build(tmp_path, RAILS.replace("node ", "node n")).endpoint_names == ()
    words = RAILS.replace("node ", "node n").replace("router 0 node n0 node n2", "router 0 node n0") + "node n2 router 0\n"
    assert build(tmp_path, words).endpoint_names == ("n0", "n2", "n1", "n3")


def test_the_order_within_a_router_is_kept(tmp_path):
    """Eleven endpoints, in turn on three routers of a ring: the rest of their number is their router."""
    homes = [" ".join(f"node {n}" for n in range(10, -1, -1) if n % 3 == router) for router in range(3)]
    text = "".join(f"router {router} {homes[router]} router {(router + 1) % 3}\n" for router in range(3))
    made = build(tmp_path, text)
    assert made.endpoint_names == ("0", "3", "6", "9", "1", "4", "7", "10", "2", "5", "8")
    assert [int(name) % 3 for name in made.endpoint_names] == made.endpoint_router.tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RAILS.replace("node 1", "node R1").replace("node 0 node 2", "node 0") + "node 2 router 0\n", "has the name of a router"),
        (RAILS.replace("node 1", "node a\x07").replace("node 0 node 2", "node 0") + "node 2 router 0\n", "control character"),
    ],
)
def test_names_that_plans_cannot_use_are_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        build(tmp_path, text)


def test_counted_endpoints_have_no_names_to_keep(tmp_path):
    nodes = [{"id": "a"}, {"id": "b", "endpoints": 2}, {"id": "h", "kind": "host"}, {"id": "i", "kind": "host"}]
    links = [("a", "b"), ("h", "b"), ("i", "a")]
    data = {"nodes": nodes, "links": [{"source": u, "target": v} for u, v in links]}
    with pytest.raises(InputError, match="names 2 endpoints and counts 2 others"):
        build(tmp_path, json.dumps(data))


@pytest.mark.parametrize(
    ("nodes", "links", "message"),
    [
        ([{"id": "a", "endpoints": -1}], [], r"node a has endpoints = '-1'"),
        ([{"id": "a", "endpoints": "2"}], [], r"node a has endpoints = '2'"),
        ([{"id": "h", "kind": "host"}], [], "endpoint h is attached to no router"),
        ([{"id": "h", "kind": "host"}, {"id": "i", "kind": "node"}], [("h", "i")], "links endpoint h to endpoint i"),
        ([{"id": "a"}, {"id": "b"}, {"id": "h", "kind": "host"}], [("h", "a"), ("b", "h")], "attaches node h to a second router"),
    ],
)
def test_wrong_attachments_are_named(tmp_path, nodes, links, message):
    data = {"nodes": nodes, "links": [{"source": u, "target": v} for u, v in links]}
    with pytest.raises(InputError, match=message):
        build(tmp_path, json.dumps(data))


def test_numbers_sort_and_words_keep_their_order(tmp_path):
    numbers = build(tmp_path, "10 9\n9 100\n100 10\n100 3\n")
    assert numbers.coords[:, 0].tolist() == [3, 9, 10, 100]
    assert numbers.links.tolist() == [[0, 3], [1, 2], [1, 3], [2, 3]]
    words = build(tmp_path, "leaf-2 spine\nleaf-1 spine\n")
    assert words.links.tolist() == [[0, 1], [1, 2]]
    assert words.coords[:, 0].tolist() == [0, 1, 2]


def k33(header):
    return header + "".join(f"{a} {b}\n" for a in (1, 2, 3) for b in (4, 5, 6))


@pytest.mark.parametrize(
    ("text", "routers", "links"),
    [
        (k33("6 9\n"), 6, 9),
        (k33("# K3,3\n6\t9\n\n"), 6, 9),
        (k33("source target\n"), 6, 9),
        (k33("From,To\n").replace(" ", ","), 6, 9),
        # A tree from 0: router 5 is in no other line.
        ("5 4\n0 1\n1 2\n2 3\n3 4\n", 5, 4),
        # N = M: two words on each line, but no list of neighbors.
        ("4 4\n1 2\n2 3\n3 4\n4 1\n", 4, 4),
        ("5 4\n0 1\n1 2\n2 3\n3 4\n\n", 5, 4),
        # No headers: a ring in descending order, and a link to a router of its own.
        ("".join(f"{u} {(u - 1) % 9}\n" for u in range(8, -1, -1)), 9, 9),
        ("6 8\n" + k33(""), 7, 10),
        ("a b\nb c\n", 3, 2),
        # Lists of neighbors of a ring, from 0 and from 1.
        ("4 4\n1 3\n0 2\n1 3\n0 2\n", 4, 4),
        ("4 4\n2 4\n1 3\n2 4\n1 3\n", 4, 4),
    ],
)
def test_headers_of_edge_lists_are_no_links(tmp_path, text, routers, links):
    made = build(tmp_path, text)
    assert (made.router_count, made.link_count) == (routers, links)


def test_a_line_that_may_be_a_header_or_a_link_is_a_problem(tmp_path):
    with pytest.raises(InputError, match="network:1: may be the numbers of routers and links, or a link between routers 5 and 4"):
        build(tmp_path, "5 4\n4 3\n3 2\n2 1\n1 5\n")


YED = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">
<node id="n0"/><node id="n1"/><node id="n2"/>
<edge source="n0" target="n1"/><edge source="n1" target="n0"/><edge source="n1" target="n2"/><edge source="n1" target="n2"/>
<edge source="n2" target="n0"/></graph></graphml>"""
"""A drawing of yEd: two cables drawn in opposite directions, two in the same, and one."""


def test_directions_of_drawn_lines_mean_nothing(tmp_path):
    made = build(tmp_path, YED, parallel=True)
    assert made.links.tolist() == [[0, 1], [0, 1], [0, 2], [1, 2], [1, 2]]
    with pytest.raises(InputError) as caught:
        build(tmp_path, YED)
    assert [problem.message for problem in caught.value.problems] == ["repeats the link n1 – n0", "repeats the link n1 – n2"]
    links = [{"source": u, "target": v} for u, v in ("ab", "ba", "bc", "bc", "ca")]
    data = {"directed": True, "multigraph": True, "nodes": [{"id": name} for name in "abc"], "links": links}
    assert build(tmp_path, json.dumps(data), parallel=True).link_count == 5
    data["links"] += [{"source": "c", "target": "b"}] * 2 + [{"source": "a", "target": "c"}]
    assert build(tmp_path, json.dumps(data), parallel=True).link_count == 4


def test_parallel_links_of_an_adjacency_list_that_names_each_once(tmp_path):
    assert build(tmp_path, "3 3\n1\n0 2\n\n", format="adjacency", parallel=True).links.tolist() == [[0, 1], [0, 1], [1, 2]]


def test_routers_keep_their_names(tmp_path):
    assert build(tmp_path, "leaf-2 spine\nleaf-1 spine\n").router_names == ("leaf-2", "spine", "leaf-1")
    assert build(tmp_path, "3 1\n1 2\n").router_names == ()
    assert build(tmp_path, "2 1\n1 0\n").router_names == ()
    labels = nx.MultiGraph([(0, 1), (1, 2)])
    nx.set_node_attributes(labels, {0: "leaf 1", 1: "spine", 2: "leaf 2"}, "label")
    text = "\n".join(nx.generate_graphml(labels))
    assert build(tmp_path, text).router_names == ("leaf 1", "spine", "leaf 2")
    assert build(tmp_path, text.replace("leaf 2", "leaf 1")).router_names == ()
    with pytest.raises(InputError, match="router 'E012' has the name of an endpoint of the plan"):
        build(tmp_path, "E012 a\n")
    shown = build(tmp_path, "leaf-2 spine\nleaf-1 spine\n")
    grown = growth.naming.chosen(shown, np.array([2, 0, 1]))
    assert grown.router_names == ("leaf-1", "leaf-2", "spine")


def test_parallel_links_only_when_asked_for(tmp_path):
    text = "0 1\n1 2\n1 0\n"
    with pytest.raises(InputError, match=r"network:3: repeats the link 1 – 0; remove it, or set parallel = true"):
        build(tmp_path, text)
    assert build(tmp_path, text, parallel=True).links.tolist() == [[0, 1], [0, 1], [1, 2]]
    both = "router 0 router 1 router 1\nrouter 1 router 0 router 0\n"
    assert build(tmp_path, both, parallel=True).links.tolist() == [[0, 1], [0, 1]]


def test_groups_come_from_a_file_of_their_own(tmp_path):
    groups = tmp_path / "groups"
    groups.write_text("# router, group\n2 east\n0 west\n1 west\n")
    assert build(tmp_path, "0 1\n1 2\n", groups=str(groups)).group[:, 0].tolist() == [1, 1, 0]
    (tmp_path / "study.toml").write_text(
        '[topology]\nfamily = "file"\npath = "network"\ngroups = "groups"\n'
        '[catalog]\nrouter = "nvidia-sb7800"\nendpoint = "server-half-unit"\ncabinet = "apc-ar3300"\n[room]\nplan = "lab"\n'
    )
    assert study.load(tmp_path).sections["topology"]["groups"] == groups
    groups.write_text("0 west\n1\n7 east\n")
    with pytest.raises(InputError) as caught:
        build(tmp_path, "0 1\n1 2\n", groups=str(groups))
    assert [problem.line for problem in caught.value.problems] == [2, 3, 0]
    assert "2 routers have no group, the first is 1" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "form", "message"),
    [
        ("", "auto", "network: contains no link"),
        ("# nothing\n", "edges", "network: contains no link"),
        ("0 1\n1 1\n", "edges", "network:2: links 1 to itself; remove the loop"),
        ("0 1\n2 3\n", "edges", "network:2: is not connected: 2 cannot reach 0; there are 2 components"),
        ("0 1\n5\n", "edges", "network:2: is not a link: '5'"),
        ("0 1\n1 2 far\n", "edges", "network:2: is not a link"),
        ("0 1 2 3\n", "edges", "network:1: is not a link"),
        ("three 3\n", "adjacency", "network:1: is not the number of routers"),
        ("3 3\n1 2\n0 2\n", "adjacency", "network:1: announces 3 routers, and 2 lines follow"),
        ("3 3\n1 2\n0 9\n0 1\n", "adjacency", "network:3: names router '9'; there are 0 … 2"),
        ("3 7\n1 2\n0 2\n0 1\n", "adjacency", "network:1: announces 7 links, and 6 neighbors follow"),
        ("router 0 router\n", "anynet", "network:1: is no anynet line"),
        ("0 router 1\n", "anynet", "network:1: is no anynet line"),
        ("node 0 node 1\n", "anynet", "network:1: links node 0 to node 1"),
        ("router 0 node 0 router 1\nrouter 1 node 0\n", "anynet", "network:2: attaches node 0 to a second router"),
        ("<graphml>\n<node", "graphml", "network:2: is not valid GraphML"),
        ("<graphml/>", "graphml", "network: is not valid GraphML"),
        ('{"nodes": [],\n', "json", "network:2: is not valid JSON"),
        ("[1]", "json", "network: has no lists nodes and links"),
        ('{"nodes": [{}], "links": []}', "json", r"nodes\[0\] has no id"),
        ('{"nodes": [{"id": 0}], "links": [{"source": 0}]}', "json", r"links\[0\] names no two nodes"),
        ('{"nodes": [{"id": 0}, {"id": 1}], "links": []}', "json", "contains no link"),
    ],
)
def test_errors_name_file_line_rule_and_remedy(tmp_path, text, form, message):
    with pytest.raises(InputError, match=message) as caught:
        build(tmp_path, text, format=form)
    assert all(problem.file.endswith("network") and problem.remedy for problem in caught.value.problems)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        topology.build("file", path=str(tmp_path / "missing"))
    with pytest.raises(InputError, match="cannot be read: embedded null byte"):
        topology.build("file", path="a\0b")
    (tmp_path / "binary").write_bytes(b"0 1\n\xff")
    with pytest.raises(InputError, match="byte 4 is not UTF-8 text"):
        topology.build("file", path=str(tmp_path / "binary"))


def test_a_file_full_of_nonsense_gives_a_readable_number_of_problems(tmp_path):
    with pytest.raises(InputError) as caught:
        build(tmp_path, "x\n" * 1000)
    assert len(caught.value.problems) == 20


def test_the_network_of_a_plan_is_read_as_it_is(tmp_path):
    grown = growth.plan([topology.build("jellyfish", routers=n, degree=4) for n in (8, 12)], method="block").networks[1]
    storage.save(grown, tmp_path / "network.npz")
    found = topology.build("file", path=str(tmp_path / "network.npz"))
    assert found.fingerprint == grown.fingerprint
    assert found.family == "grown jellyfish"
    with pytest.raises(InputError, match=r"endpoints_per_router.*which has its own"):
        topology.build("file", path=str(tmp_path / "network.npz"), endpoints_per_router=2)


@pytest.mark.parametrize(
    ("name", "spoil", "why"),
    [
        ("links", lambda one: one.links + 1, "does not join two"),
        ("links", lambda one: one.links[:, ::-1], "does not join two"),
        ("indices", lambda one: one.indices[::-1], "are not those of its links"),
        ("link", lambda one: one.link + 1, "are not those of its links"),
        ("indptr", lambda one: one.indptr[::-1], "ports|does not join"),
        ("endpoint_router", lambda one: one.endpoint_router[::-1], "an endpoint has no router"),
        ("role", lambda one: one.role + 1, "names do not fit"),
    ],
)
def test_a_record_that_is_no_network_is_refused(tmp_path, name, spoil, why):
    one = topology.build("jellyfish", routers=8, degree=4)
    storage.save(replace(one, **{name: spoil(one)}), tmp_path / "network.npz")
    with pytest.raises(InputError, match=why):
        topology.build("file", path=str(tmp_path / "network.npz"))


PIECES = st.sampled_from(
    ["0", "1", "2", "3", "10", "router", "node", "a", "-1", "0.5", "#", "{}", "{", "[", "<graphml>", "\n", "\n"]
)
TEXTS = st.text(max_size=60) | st.lists(PIECES, max_size=30).map(" ".join)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(text=TEXTS, form=st.sampled_from(["auto", "edges", "adjacency", "anynet", "graphml", "json"]), parallel=st.booleans())
def test_any_text_gives_a_network_or_an_input_error(tmp_path_factory, text, form, parallel):
    folder = tmp_path_factory.getbasetemp()
    try:
        made = build(folder, text, format=form, parallel=parallel)
    except InputError as error:
        assert "network" in str(error)
        return
    assert nx.is_connected(to_networkx(made))
    assert (made.links[:, 0] < made.links[:, 1]).all()
    assert parallel or len(np.unique(made.links, axis=0)) == made.link_count
