"""Routing tables against shortest paths, and their files."""

import csv
import json

import networkx
import numpy as np
import pytest

from planner.commands.console.cli import main
from planner.core.errors import InputError
from planner.network.topology import build
from planner.simulation.tables import routing_table, write


def plain(topology):
    """Return the neighbors on shortest paths by router and target."""
    graph = networkx.Graph(topology.links.tolist())
    distance = dict(networkx.all_pairs_shortest_path_length(graph))
    used = np.flatnonzero(topology.endpoints_of).tolist()
    return {
        (router, target): sorted(n for n in graph[router] if distance[n][target] < distance[router][target])
        for router in graph
        for target in used
        if router != target
    }


def rows(table):
    found = {}
    for router, target, neighbor in zip(table.router.tolist(), table.target.tolist(), table.neighbor.tolist(), strict=True):
        found.setdefault((router, target), []).append(neighbor)
    return {pair: sorted(many) for pair, many in found.items()}


@pytest.mark.parametrize(
    ("family", "parameters"),
    [("slimfly", {"q": 3}), ("fattree", {"k": 2}), ("torus", {"sizes": (4, 3)}), ("megafly", {"rho": 2, "a": 4})],
)
def test_minimal_tables_list_all_shortest_paths(family, parameters):
    topology = build(family, **parameters)
    table = routing_table(topology)
    assert rows(table) == plain(topology)
    assert (table.channel == 0).all()


def test_tables_of_other_routings():
    topology = build("hyperx", sizes=(3, 3))
    one = routing_table(topology, "dimension_order")
    assert len(one.port) == 9 * 8
    assert set(rows(one)[0, 8]) == {6}
    assert len(routing_table(topology, "single_path").port) == 9 * 8
    assert rows(routing_table(topology, "ksp", packets=60, k=2))[0, 8] == [2, 6]
    # A Valiant packet may leave by any port.
    assert rows(routing_table(topology, "valiant", packets=60))[0, 8] == [1, 2, 3, 6]


def test_files(tmp_path):
    topology = build("polarfly", q=2)
    table = routing_table(topology)
    for suffix in (".csv", ".json", ".npz"):
        write(table, tmp_path / f"table{suffix}")
    expected = {(r, t): [int(np.flatnonzero(topology.indices[topology.indptr[r] : topology.indptr[r + 1]] == n)[0]) for n in many]
                for (r, t), many in plain(topology).items()}  # fmt: skip
    with open(tmp_path / "table.csv", newline="") as file:
        read = {(int(row["router"]), int(row["target"])): list(map(int, row["ports"].split())) for row in csv.DictReader(file)}
    assert read == {pair: sorted(ports) for pair, ports in expected.items()}
    assert (tmp_path / "table.csv").read_text().splitlines()[1] == "0,1,0,4"
    nested = json.loads((tmp_path / "table.json").read_text())
    assert nested["virtual_channels"] == 2
    assert nested["ports"]["0"]["3"] == read[0, 3]
    assert np.load(tmp_path / "table.npz")["port"].tolist() == table.port.tolist()
    with pytest.raises(InputError, match=r"use \.csv"):
        write(table, tmp_path / "table.xml")


def test_command(tmp_path, capsys):
    out = tmp_path / "table.csv"
    command = ["routes", "hyperx", "sizes=[3, 3]", "--routing", "ksp", "--set", "k=2", "--packets", "20", "--out", str(out)]
    assert main(command) == 0
    assert "9 routers, " in capsys.readouterr().out
    assert len(out.read_text().splitlines()) == 1 + 9 * 8
    assert main(["routes", "hyperx", "sizes=[3, 3]", "--routing", "up_down", "--out", str(out)]) == 2
    assert "up_down supports" in capsys.readouterr().err
    assert main(["routes", "hyperx", "sizes=[3, 3]", "--routing", "ksp", "--set", "kk=2", "--out", str(out)]) == 2
