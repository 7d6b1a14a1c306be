"""Cables between two nodes in reports: in schedules and tables of their network, not in its graph."""

import csv

import networkx
import pytest
from shared.plans import planned

from planner.formats import write
from planner.view.tables import tables_of


@pytest.fixture(scope="module")
def plan():
    return planned("several networks")


def test_the_schedule_of_their_network_has_them(plan, tmp_path):
    with write(plan, tmp_path, "csv", network="oob").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    [own] = [row for row in rows if row["kind"] == "peer"]
    assert {own["a_device"], own["b_device"]} == {"ufm1", "ufm2"}
    assert (own["a_port_name"], own["b_port_name"], own["network"]) == ("peer", "peer", "oob")
    assert len(rows) == plan.quantities["cables@oob"]["value"] == 20 + 1


def test_the_graph_of_their_network_has_not(plan, tmp_path):
    path = write(plan, tmp_path, "graphml", network="oob", endpoints=True)
    graph = networkx.parse_graphml(path.read_text(encoding="utf-8"))
    names = networkx.get_node_attributes(graph, "name")
    assert not [pair for pair in graph.edges() if {names[end] for end in pair} == {"ufm1", "ufm2"}]
    assert graph.number_of_edges() == 20


def test_devices_count_the_port(plan):
    """Two ports to the compute network, one for management, and one to the other manager."""
    table = tables_of(plan)["devices"]
    columns = {column.name: column for column in table.columns}
    rows = list(table.rows(plan, [columns[name] for name in ("device", "networks", "used_ports")]))
    assert [tuple(row) for row in rows if row[0].startswith("ufm")] == [("ufm1", "compute, oob", 4), ("ufm2", "compute, oob", 4)]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["pdf", "netbox", "nvidia_p2p", "shcd", "html", "labels"])
def test_other_formats_are_written(plan, tmp_path, form):
    """The near misses of this plan are counted and none is listed."""
    assert plan.near_misses.items == ()
    write(plan, tmp_path, form)
    assert any(tmp_path.iterdir())
