"""What every routing promises: real ports, arrival within its bound, no cycle of channels, delivery."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import networkx
import numpy as np
import pytest
from shared.routing_walks import ONE, Walk

from planner.core import registry
from planner.core.errors import InputError
from planner.network.topology import build
from planner.simulation import simulate
from planner.simulation.faults import NEVER

pytestmark = pytest.mark.slow

NETWORKS = {
    "polarfly": ("polarfly", {"q": 3, **ONE}),
    "slimfly": ("slimfly", {"q": 3, **ONE}),
    "dragonfly": ("dragonfly", {"a": 3, "h": 1, **ONE}),
    "dragonfly of few groups": ("dragonfly", {"a": 4, "h": 2, "groups": 4, **ONE}),
    "megafly": ("megafly", {"rho": 1, "a": 4, "endpoints_per_leaf": 1}),
    "fattree": ("fattree", {"k": 2, "levels": 3, "endpoints_per_leaf": 1}),
    "clos": ("fattree", {"k": 2, "levels": 3, "clos": True, "endpoints_per_leaf": 1}),
    "leafspine": ("leafspine", {"leaves": 4, "spines": 3, "uplinks": 4, "endpoints_per_leaf": 1}),
    "threelevel": (
        "threelevel",
        {"units": 4, "rails": 2, "units_per_pod": 2, "spines_per_pod": 2, "cores": 3, "uplinks": 4, "core_uplinks": 3}
        | {"endpoints_per_leaf": 1},
    ),
    "hyperx": ("hyperx", {"sizes": (3, 4), **ONE}),
    "parallel": ("hyperx", {"sizes": (3, 3), "parallel": (2, 1), **ONE}),
    "hypercube": ("hypercube", {"dimensions": 3}),
    "torus": ("torus", {"sizes": (4, 5)}),
    "ring": ("torus", {"sizes": (7,)}),
    "mesh": ("mesh", {"sizes": (3, 4)}),
    "polarstar": ("polarstar", {"q": 2, "supernode_degree": 3, **ONE}),
    "paley": ("polarstar", {"q": 2, "supernode_degree": 2, "supernode": "paley", **ONE}),
    "d3": ("swapped_dragonfly", {"k": 2, "m": 3, **ONE}),
    "part of d3": ("swapped_dragonfly", {"k": 4, "m": 4, "cabinets": (0, 2, 3), "positions": (1, 3), **ONE}),
    "jellyfish": ("jellyfish", {"routers": 16, "degree": 3, "graph_seed": 1, **ONE}),
}
ANY = ("polarfly", "dragonfly", "fattree", "leafspine", "parallel", "ring", "mesh", "d3", "jellyfish")
GROUPS = {"through": "group"}

# Networks, parameters, packets that draw differently, random fillings of the queues, maximum hops (None: the virtual channels).
SERVED = {
    "minimal": [(ANY, {}, 1, 0, None), (("threelevel",), {}, 1, 0, 4), (ANY, {"adaptive": False}, 8, 0, None)],
    "single_path": [(ANY, {}, 1, 0, None)],
    "ecmp": [(ANY, {}, 1, 0, None), (ANY, {"salted": False}, 1, 0, None)],
    "source": [(ANY, {}, 8, 0, None)],
    "hierarchical": [(("dragonfly", "dragonfly of few groups"), {}, 1, 0, 3)],
    "up_down": [(("fattree", "clos", "threelevel"), {}, 1, 0, 4), (("leafspine",), {}, 1, 0, 2), (("megafly",), {}, 1, 0, 3)],
    "valiant": [
        (ANY, {}, 16, 0, None),
        (("polarfly", "hyperx", "polarstar", "slimfly"), GROUPS, 4, 0, None),
        (("dragonfly", "dragonfly of few groups"), GROUPS, 8, 0, 5),
        (("megafly",), GROUPS, 8, 0, 6),
    ],
    "ugal": [
        (("polarfly", "fattree", "d3", "jellyfish"), {}, 0, 8, None),
        (("polarfly", "dragonfly", "mesh"), {"queues": "path", "samples": 2}, 0, 8, None),
        (("dragonfly", "dragonfly of few groups"), GROUPS, 0, 12, 5),
        (("megafly",), GROUPS | {"queues": "path"}, 0, 12, 6),
    ],
    "par": [(("dragonfly", "dragonfly of few groups"), {}, 0, 16, 6)],
    "polarized": [((*ANY, "slimfly"), {}, 1, 0, None), (ANY, {"strong": True}, 1, 0, None)],
    "ksp": [(("polarfly", "ring", "d3", "parallel"), {}, 16, 0, None)],
    "all_paths": [(("polarfly", "ring", "hyperx"), {}, 24, 0, None)],
    "omnidimensional": [(("hyperx", "parallel", "hypercube"), {}, 1, 0, None), (("hyperx",), {"misroutes": 1}, 1, 0, None)],
    "dimension_order": [(("hyperx", "parallel", "hypercube"), {}, 1, 0, 3), (("torus", "ring", "mesh"), {}, 1, 0, 5)],
    "polarstar": [(("polarstar", "paley"), {}, 1, 0, 3)],
    "swapped_dragonfly": [
        (("d3", "part of d3"), {}, 1, 0, 3),
        (("d3", "part of d3"), {"deflect": "random"}, 12, 0, 5),
        (("d3", "part of d3"), {"deflect": "cabinet"}, 1, 0, 4),
    ],
}
CASES = [
    pytest.param(name, routing, parameters, creations, fills, bound, id=f"{routing}{parameters or ''} on {name}")
    for routing, rows in SERVED.items()
    for networks, parameters, creations, fills, bound in rows
    for name in networks
]
MINIMAL = ("minimal", "single_path", "ecmp", "source", "up_down", "dimension_order", "polarstar")


def made(name):
    family, parameters = NETWORKS[name]
    return build(family, **parameters)


def test_every_routing_is_here():
    assert sorted(SERVED) == registry.names("routing")


@pytest.mark.parametrize(("name", "routing", "parameters", "creations", "fills", "bound"), CASES)
def test_packets_arrive_and_channels_have_no_cycle(name, routing, parameters, creations, fills, bound):
    walk = Walk(made(name), routing, parameters)
    graph, longest = walk.dependencies(creations, fills)
    assert longest <= (bound or walk.channels)
    assert networkx.is_directed_acyclic_graph(graph)
    assert max(channel for link in graph for channel in [link[2]]) < walk.channels


@pytest.mark.parametrize(("name", "routing", "parameters", "creations", "fills", "bound"), CASES)
def test_low_load_is_delivered(name, routing, parameters, creations, fills, bound):
    walk = Walk(made(name), routing, parameters)
    measures = walk.run(0.08)
    assert measures.deadlock == -1
    assert measures.dropped == 0
    assert measures.delivered > 0
    assert abs(measures.delivered - measures.generated) <= 8
    assert np.flatnonzero(measures.hops).max() <= (bound or walk.channels)


@pytest.mark.parametrize(("name", "routing", "parameters"), [row.values[:3] for row in CASES if row.values[1] in MINIMAL])
def test_minimal_paths_have_the_hops_of_the_distance(name, routing, parameters):
    walk = Walk(made(name), routing, parameters)
    lengths = dict(networkx.all_pairs_shortest_path_length(networkx.Graph(walk.topology.links.tolist())))
    hops = [len(walk.follow(s, t, created=3)) - 1 for s, t in walk.pairs()]
    assert hops == [lengths[s][t] for s, t in walk.pairs()]
    measures = walk.run(0.1, cycles=6000)
    mean = (measures.hops @ np.arange(256)) / measures.delivered
    assert mean == pytest.approx(np.mean(hops), rel=0.1)


@pytest.mark.parametrize("routing", [name for name in SERVED if name not in ("minimal",)])
def test_tables_are_those_that_the_routing_declares(routing):
    networks, parameters, *_ = SERVED[routing][0]
    walk = Walk(made(networks[0]), routing, parameters)
    assert type(walk.prepared.tables) is walk.candidates.tables
    assert walk.view.record.tables.record is walk.prepared.tables


@pytest.mark.parametrize(
    ("routing", "name", "words"),
    [
        ("hierarchical", "torus", "supports dragonfly, not torus; use up_down"),
        ("par", "megafly", "supports dragonfly"),
        ("up_down", "torus", "supports fattree and leafspine and threelevel and hpn and megafly, not torus; use minimal"),
        ("omnidimensional", "torus", "supports hyperx and hypercube"),
        ("dimension_order", "polarfly", "supports hyperx and torus and mesh and hypercube"),
        ("polarstar", "polarfly", "supports polarstar"),
        ("swapped_dragonfly", "dragonfly", "supports swapped_dragonfly"),
    ],
)
def test_other_families_are_refused(routing, name, words):
    with pytest.raises(InputError, match=words):
        Walk(made(name), routing)


def test_other_supernodes_and_missing_groups_are_refused():
    with pytest.raises(InputError, match="iq and paley supernodes"):
        Walk(build("polarstar", q=2, supernode_degree=2, supernode="complete", **ONE), "polarstar")
    for routing in ("valiant", "ugal"):
        with pytest.raises(InputError, match="no groups"):
            Walk(made("jellyfish"), routing, GROUPS)


def without(topology, link):
    """Return the topology without one link."""
    keep = np.arange(topology.link_count) != link
    row = topology.link != link
    return dataclasses.replace(
        topology, links=topology.links[keep], link_class=topology.link_class[keep],
        indptr=np.concatenate([[0], np.cumsum(row)])[topology.indptr].astype(np.int32), indices=topology.indices[row],
        link=(topology.link[row] - (topology.link[row] > link)).astype(np.int32),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("routing", "name", "parameters"),
    [
        ("hierarchical", "dragonfly", {}),
        ("par", "dragonfly", {}),
        ("valiant", "dragonfly", GROUPS),
        ("up_down", "megafly", {}),
        ("omnidimensional", "hyperx", {}),
        ("dimension_order", "torus", {}),
        ("polarstar", "polarstar", {}),
        ("polarstar", "paley", {}),
        ("swapped_dragonfly", "d3", {}),
    ],
)
def test_missing_cables_are_reported(routing, name, parameters):
    topology = made(name)
    for link in (0, topology.link_count // 2, topology.link_count - 1):
        with pytest.raises(InputError, match=r"missing.*use"):
            Walk(without(topology, link), routing, parameters)


@pytest.mark.parametrize("name", ["fattree", "clos", "leafspine", "threelevel"])
def test_up_down_goes_around_missing_cables(name):
    topology = made(name)
    lengths = dict(networkx.all_pairs_shortest_path_length(networkx.Graph(topology.links.tolist())))
    for link in (0, topology.link_count // 2, topology.link_count - 1):
        walk = Walk(without(topology, link), "up_down")
        graph, longest = walk.dependencies()
        assert longest <= 4
        assert networkx.is_directed_acyclic_graph(graph)
        assert max(lengths[s][t] for s, t in walk.pairs()) <= longest


@pytest.mark.parametrize("routing", ["single_path", "ecmp", "source", "valiant", "ugal", "polarized", "ksp", "all_paths"])
def test_general_routings_go_around_missing_cables(routing):
    walk = Walk(without(made("polarfly"), 5), routing)
    graph, longest = walk.dependencies(creations=3)
    assert longest <= walk.channels
    assert networkx.is_directed_acyclic_graph(graph)


def figures():
    """Return what short runs of all routings measure."""
    found = {}
    for routing, rows in SERVED.items():
        networks, parameters, *_ = rows[-1]
        measures = Walk(made(networks[0]), routing, parameters).run(0.4, cycles=150, warmup=0)
        found[routing] = [measures.delivered, measures.delay_sum, *measures.hops[:8].tolist()]
    return found


def test_uncompiled_routings_give_the_same_numbers():
    folder = Path(__file__).parent
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(map(str, (folder, *folder.parents[:2])))}
    script = "import json; from test_routing_contract import figures; print(json.dumps(figures()))"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert min(delivered for delivered, *_ in figures().values()) > 10
    assert json.loads(done.stdout) == figures()


@pytest.mark.parametrize(
    ("routing", "parameters"),
    [(name, {}) for name in ("source", "single_path", "ecmp", "polarized", "valiant", "ugal", "ksp", "all_paths")]
    + [("ugal", {"queues": "path"}), ("valiant", GROUPS)],
)
@pytest.mark.filterwarnings("ignore:polarized")
def test_cables_may_die_during_a_run(routing, parameters):
    topology = build("polarfly", q=4, endpoints_per_router=2)
    cables = topology.link_count + topology.endpoint_count
    failed_at = np.full(cables, NEVER)
    failed_at[[3, 9, 20]] = (0, 900, 1500)
    result = simulate(
        topology, np.zeros(cables), router_delay_ps=0, rate_gbps=400, seed=1, loads=(0.2,), warmup=500, cycles=3000,
        routing=routing, routing_parameters=parameters, cable_fails_at=failed_at,
    )  # fmt: skip
    assert result.deadlock[0] == -1
    assert result.accepted[0] == pytest.approx(0.2, rel=0.1)
