"""Topology files that fabrics are verified with: ibdiagnet and PTM."""

from __future__ import annotations

import re
from collections import Counter

import pydot
import pytest

from planner.formats import write

LINE = re.compile(r"    (\S+) -> (\S+) (\S+) (\S+)")


def sections(path):
    """Type and links of each system, as ibdm-topo-file(1) separates them: a header, lines, an empty line."""
    text = path.read_bytes().decode("ascii")
    assert text.endswith("\n\n")
    found = {}
    for block in text.removesuffix("\n\n").split("\n\n"):
        header, *lines = block.split("\n")
        kind, name = header.split(" ")
        assert name not in found
        found[name] = (kind, [LINE.fullmatch(line).groups() for line in lines])
    return found


@pytest.mark.parametrize("which", ["plan", "twin", "trunks", "odd"])
def test_topo_has_every_link_from_both_switches(which, request, tmp_path):
    plan = request.getfixturevalue(which)
    found = sections(write(plan, tmp_path, "ibdiagnet_topo"))
    assert len(found) == plan.topology.router_count
    links, hosts = Counter(), Counter()
    for name, (kind, lines) in found.items():
        assert len({port for port, *_ in lines}) == len(lines)
        for port, far_kind, far, far_port in lines:
            if far_kind == "HCA":
                hosts[far] += 1
                assert far_port == "mlx5_0/P1"
            else:
                assert (far_kind, far_port[0]) == (kind, "P")
                links[frozenset([(name, port), (far, far_port)])] += 1
    assert len(links) == plan.topology.link_count
    assert set(links.values()) == {2}
    assert len(hosts) == plan.topology.endpoint_count
    assert set(hosts.values()) <= {1}


def test_topo_types(twin, plan, tmp_path):
    assert {kind for kind, _ in sections(write(twin, tmp_path, "ibdiagnet_topo")).values()} == {"MQM9700"}
    made = write(plan, tmp_path, "ibdiagnet_topo", router_type="SX 6036", endpoint_type="HCA_mlx5_3", endpoint_port="U1/P1")
    found = sections(made)
    assert found["R000"][0] == "SX_6036"
    assert ("HCA_mlx5_3", "E000", "U1/P1") in [line[1:] for line in found["R000"][1]]


def test_topo_of_a_cabinet_has_its_links_only(plan, tmp_path):
    found = sections(write(plan, tmp_path, "ibdiagnet_topo", cabinet="A01", stage="in cabinet"))
    assert set(found) == {f"R{router:03d}" for router in range(50) if plan.placement.cabinet[router] == 0}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # pydot's own, of its parser
@pytest.mark.parametrize("which", [*(pytest.param(name, marks=pytest.mark.nightly) for name in ("plan", "odd")), "twin"])
def test_dot_is_read_by_pydot(which, request, tmp_path):
    plan = request.getfixturevalue(which)
    (graph,) = pydot.graph_from_dot_data(write(plan, tmp_path, "ptm_dot").read_text(encoding="utf-8"))
    assert graph.get_type() == "graph"
    edges = graph.get_edges()
    ends = [(edge.get_source(), edge.get_destination()) for edge in edges]
    assert len({end for pair in ends for end in pair}) == 2 * len(edges) == 2 * plan.cables.cable_count
    pattern = r'"[RE]\d+":"(swp\d+(s[01])?|eth0)"'
    assert all(re.fullmatch(pattern, end) for pair in ends for end in pair)
    labels = [edge.get_attributes()["taillabel"][1:-1].replace('\\"', '"').replace("\\\\", "\\") for edge in edges]
    assert labels == plan.cables.label_a.tolist()
    lengths = [float(edge.get_attributes()["length"].strip('"').removesuffix(" m")) for edge in edges]
    assert [round(1000 * length) for length in lengths] == plan.cables.stock_mm.tolist()


def test_dot_ports(plan, twin, tmp_path):
    assert '"R000":"swp1" -- "R001":"swp1"' in write(plan, tmp_path, "ptm_dot").read_text()
    text = write(twin, tmp_path, "ptm_dot", endpoint_port="ib0").read_text()
    assert '"R000":"swp1s1" -- "R001":"swp1s1"' in text
    assert '"R000":"swp3s0" -- "E000":"ib0"' in text
