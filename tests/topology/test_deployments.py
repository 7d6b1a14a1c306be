"""Leaf-spine, three-level, multi-plane and dual-homed networks against the counts that reference architectures print."""

import json
from math import lcm
from pathlib import Path

import numpy as np
import pytest
from shared.flows import carries

from planner.core.errors import InputError
from planner.network import topology
from planner.network.metrics import bisection, distances, figures, planes
from planner.simulation import embed, simulate
from planner.simulation.dependencies import dependencies
from planner.simulation.network import candidates_of
from planner.simulation.routers import RouterSettings
from planner.studies.explore import explore

PUBLISHED = json.loads((Path(__file__).parents[1] / "data" / "deployments.json").read_text(encoding="utf-8"))


def rows(name):
    table = PUBLISHED[name]
    return [pytest.param(dict(zip(table["columns"], row, strict=True)), id=f"{name}-{row[0]}") for row in table["rows"]]


def dgx(row):
    """Return the network of 64-port switches of a DGX system: eight rails, units of the nodes that the leaves imply."""
    if row.get("core"):
        pods = row["spine"] // min(row["su"], 32)
        return topology.build(
            "threelevel", units=row["su"], rails=8, units_per_pod=row["su"] * 8 // pods, spines_per_pod=row["spine"] // pods,
            cores=row["core"], uplinks=32, core_uplinks=32,
        )  # fmt: skip
    return leafspine(row, uplinks=32)


def leafspine(row, uplinks):
    parameters = {"leaves": row["leaf"], "spines": row["spine"], "uplinks": uplinks}
    return topology.build("leafspine", **parameters, leaves_per_unit=row["leaf"] // row["su"])


def routers(network, role):
    return int((network.role == network.role_names.index(role)).sum()) if role in network.role_names else 0


def cables(network, link_class):
    if link_class not in network.link_class_names:
        return 0
    return int((network.link_class == network.link_class_names.index(link_class)).sum())


def ports_used(network):
    return int((network.degree + network.endpoints_of).max())


def assert_counts(network, row):
    assert [routers(network, role) for role in ("leaf", "spine", "core")] == [row["leaf"], row["spine"], row.get("core", 0)]
    assert cables(network, "leaf–spine") == row["leaf_spine"]
    assert cables(network, "spine–core") == row.get("spine_core", 0)
    assert network.endpoint_count == row["node_leaf"]
    assert distances(network).connected


@pytest.mark.parametrize("row", [*rows("superpod_h100"), *rows("superpod_b200")])
def test_superpods_of_64_port_switches(row):
    network = dgx(row)
    assert_counts(network, row)
    assert network.endpoint_count == row["gpus"]
    assert ports_used(network) == 64
    # Rail r of every unit is one leaf, so that its nodes are one switch apart.
    unit, rail = (network.coords[network.role == 0, network.coord_names.index(name)] for name in ("unit", "rail"))
    pairs = list(zip(unit.tolist(), rail.tolist(), strict=True))
    assert sorted(pairs) == pairs == [(u, r) for u in range(row["leaf"] // 8) for r in range(8)]


@pytest.mark.parametrize("row", rows("superpod_h100_ufm"))
def test_superpods_with_ufm(row):
    """The switches and cables between them are those of full units."""
    network = leafspine(row, 32)
    assert (routers(network, "spine"), network.link_count) == (row["spine"], row["spine_leaf_cables"])
    assert network.endpoint_count == row["compute_plus_ufm_cables"] + 4
    assert ports_used(network) == 64


@pytest.mark.parametrize("row", rows("superpod_b300_spectrum"))
def test_twin_planes(row):
    """The table counts cages of two links; each of them belongs to another of two planes of half the switches."""
    plane = {"leaves": row["leaf"] // 2, "spines": row["spine"] // 2, "uplinks": 64, "leaves_per_unit": 8}
    network = topology.build("multiplane", planes=2, plane="leafspine", plane_parameters=plane)
    assert (routers(network, "leaf"), routers(network, "spine")) == (row["leaf"], row["spine"])
    assert (network.link_count, network.endpoint_count) == (2 * row["leaf_spine"], 2 * row["node_leaf"])
    assert np.bincount(planes(network)).tolist() == [(row["leaf"] + row["spine"]) // 2] * 2
    assert ports_used(network) == 128


@pytest.mark.parametrize("row", rows("superpod_b300_xdr"))
def test_superpods_of_144_port_switches(row):
    network = leafspine(row, 72)
    assert_counts(network, row)
    assert network.endpoint_count == 8 * row["nodes"]
    assert ports_used(network) == 144


def racks(row):
    return topology.build(
        "threelevel", units=row["su"], rails=4, leaves_per_rail=8, units_per_pod=1, spines_per_pod=6, cores=row["core"],
        uplinks=18, core_uplinks=24,
    )  # fmt: skip


@pytest.mark.parametrize("row", rows("superpod_gb200"))
def test_superpods_of_racks(row):
    """Eight racks of 18 trays with four ports are a unit: a leaf has one rail of one rack; spines join the racks of a unit."""
    network = racks(row)
    assert_counts(network, {**row, "node_leaf": row["gpus"], "leaf_spine": row["gpus"], "spine_core": row["gpus"]})
    degree = network.degree.tolist()
    assert {degree[router] for router in np.flatnonzero(network.role == 1)} == {48}
    assert {degree[router] for router in np.flatnonzero(network.role == 2)} == {64}


@pytest.mark.parametrize("row", rows("superpod_gb300"))
def test_units_that_share_all_spines(row):
    network = topology.build("leafspine", leaves=row["leaf"], spines=row["spine"], uplinks=72, leaves_per_unit=8, rails=4)
    assert set(network.degree[network.role == 1].tolist()) == {row["spine_ports"]}
    assert network.link_count == row["spine"] * row["spine_ports"]


def test_hpn_segment_and_pod():
    reported = PUBLISHED["hpn"]
    network = topology.build("hpn", segments=reported["segments_per_pod"])
    segment = network.coords[:, network.coord_names.index("segment")]
    leaf = network.role == 0
    assert set(np.bincount(segment[leaf]).tolist()) == {reported["tors_per_segment"]}
    assert set(network.endpoints_of[leaf].tolist()) == {reported["tor_down"]}
    assert set(network.degree[leaf].tolist()) == {reported["tor_up"]}
    assert routers(network, "spine") == 2 * reported["aggs_per_plane"]
    # 15 segments of 16 ToRs with 60 links up.
    assert network.link_count == 14_400
    nics = network.endpoint_count // 2 - reported["segments_per_pod"] * reported["spare_hosts_per_segment"] * 8
    assert nics == reported["gpus_per_pod"]
    assert set(network.degree[~leaf].tolist()) == {120}


def test_hpn_cores_are_oversubscribed_as_published():
    network = topology.build("hpn", segments=15, pods=2, cores_per_plane=60)
    spine = network.role == 1
    level = network.coords[:, 0]
    up = np.bincount(network.links[level[network.links].max(axis=1) == 2].min(axis=1), minlength=network.router_count)[spine]
    assert set(((network.degree[spine] - up) / up).tolist()) == {PUBLISHED["hpn"]["agg_core_oversubscription"]}
    assert set(network.degree[spine].tolist()) == {128}
    assert np.bincount(planes(network)).tolist() == [network.router_count // 2] * 2


def test_the_two_leaves_of_a_rail_are_in_different_planes():
    network = topology.build("hpn", segments=3, rails=4, hosts_per_segment=5, spines_per_plane=2)
    place = {tuple(row): router for router, row in enumerate(network.coords[:, [0, 2, 3, 5]].tolist())}
    plane = planes(network)
    for segment in range(3):
        for rail in range(4):
            first, second = place[0, segment, rail, 0], place[0, segment, rail, 1]
            assert plane[first] != plane[second]
            assert second == first + 1
    assert np.array_equal(plane, network.coords[:, 5])


def test_multi_plane_fat_tree():
    reported = PUBLISHED["mpft"]
    half = reported["switch_ports"] // 2
    plane = {"leaves": 2 * half, "spines": half, "uplinks": half}
    network = topology.build("multiplane", planes=reported["planes"], plane="leafspine", plane_parameters=plane)
    assert network.router_count == reported["switches"]
    assert network.link_count == reported["links"]
    assert network.endpoint_count == reported["endpoints"]
    assert ports_used(network) == reported["switch_ports"]
    # Port p of node h is endpoint h of plane p.
    ends = network.endpoint_router.reshape(reported["planes"], -1)
    assert np.array_equal(planes(network)[ends], np.repeat(np.arange(8), 2048).reshape(8, -1))
    assert np.array_equal(ends, ends[0] + 96 * np.arange(8)[:, None])
    # Figures are those of one plane, sizes of all.
    one, all_planes = figures(topology.build("leafspine", **plane), effort="low"), figures(network, effort="low")
    assert (all_planes["planes"], all_planes["connected"]) == (8, False)
    for name in ("diameter", "mean_hops", "endpoint_mean_hops", "girth", "radix"):
        assert all_planes[name] == one[name]


def test_explore_lists_the_networks_that_the_paper_compares():
    """A plane, eight of them, and three levels of the same routers."""
    reported = PUBLISHED["mpft"]
    found = {
        (item.family, item.parameters.get("planes", 1)): item
        for item in explore([reported["switch_ports"]], ["leafspine", "multiplane", "threelevel"])
        if item.endpoints in (reported["endpoints"], reported["endpoints"] // 8, reported["three_level"]["endpoints"])
    }
    assert found["leafspine", 1].routers == reported["switches"] // 8
    assert found["multiplane", 8].routers == reported["switches"]
    assert found["threelevel", 1].routers == reported["three_level"]["switches"]
    assert found["multiplane", 8].diameter is None


@pytest.mark.parametrize(
    ("leaves", "spines", "uplinks", "striping", "expected"),
    [
        (3, 2, 4, "in turn", [[0, 1, 0, 1], [0, 1, 0, 1], [0, 1, 0, 1]]),
        (3, 2, 4, "blocked", [[0, 0, 1, 1]] * 3),
        (3, 2, 4, "auto", [[0, 0, 1, 1]] * 3),
        (4, 3, 4, "auto", [[0, 1, 2, 0], [1, 2, 0, 1], [2, 0, 1, 2], [0, 1, 2, 0]]),
        (3, 3, 2, "auto", [[0, 1], [2, 0], [1, 2]]),
    ],
)
def test_uplinks_in_port_order(leaves, spines, uplinks, striping, expected):
    network = topology.build("leafspine", leaves=leaves, spines=spines, uplinks=uplinks, striping=striping)
    up = [network.indices[network.indptr[leaf] : network.indptr[leaf + 1]] - leaves for leaf in range(leaves)]
    assert np.array(up).tolist() == expected
    # A spine's ports follow the leaves.
    for spine in range(leaves, leaves + spines):
        row = network.indices[network.indptr[spine] : network.indptr[spine + 1]]
        assert (np.diff(row) >= 0).all()
    # No spine has more than one link more than another.
    assert np.ptp(network.degree[leaves:]) <= 1


TREES = [
    {"units": 4, "rails": 2, "spines_per_pod": 4, "cores": 4, "uplinks": 4, "core_uplinks": 4},
    {"units": 2, "rails": 2, "leaves_per_rail": 4, "units_per_pod": 1, "spines_per_pod": 3, "cores": 6, "uplinks": 6}
    | {"core_uplinks": 8},
    {"units": 4, "rails": 2, "units_per_pod": 2, "spines_per_pod": 2, "cores": 3, "uplinks": 3, "core_uplinks": 3},
    {"units": 6, "rails": 2, "units_per_pod": 3, "spines_per_pod": 4, "cores": 6, "uplinks": 4, "core_uplinks": 3},
]


@pytest.mark.parametrize("row", [*rows("superpod_h100")[:3], *rows("superpod_h100_ufm")])
def test_published_networks_have_full_bisection(row):
    """Any half of the leaves sends to the other half at full rate; spines bought ahead add nothing."""
    network = dgx(row)
    leaves = np.random.default_rng(1).permutation(np.flatnonzero(network.role == 0))
    half = len(leaves) // 2
    assert carries(network, leaves[:half], leaves[half:]) == 32 * half


def test_racks_have_full_bisection():
    network = racks({"su": 2, "core": 18})
    leaves = np.flatnonzero(network.role == 0)
    for first in (leaves < 32, leaves % 4 < 2, np.random.default_rng(1).permutation(leaves) < 32):
        assert carries(network, leaves[first], leaves[~first]) == 32 * 18


@pytest.mark.parametrize("parameters", TREES)
def test_halves_of_the_leaves_reach_each_other_at_full_rate(parameters):
    network = topology.build("threelevel", **parameters)
    leaves = np.flatnonzero(network.role == 0)
    for order in (leaves, leaves[np.argsort(leaves % 2, kind="stable")], np.random.default_rng(1).permutation(leaves)):
        half = len(leaves) // 2
        assert carries(network, order[:half], order[half:]) == half * parameters["uplinks"]


@pytest.mark.parametrize("parameters", TREES)
def test_ports_down_are_before_those_up(parameters):
    network = topology.build("threelevel", **parameters)
    level = network.coords[:, 0]
    for router in range(network.router_count):
        towards = level[network.indices[network.indptr[router] : network.indptr[router + 1]]]
        assert (np.diff(towards) >= 0).all()
    assert distances(network).endpoint_diameter == 4


def test_leaves_of_a_pod_share_spines_and_no_others():
    network = topology.build("threelevel", **TREES[3])
    level, unit, _, rail = network.coords.T
    for leaf in np.flatnonzero(level == 0):
        above = network.indices[network.indptr[leaf] : network.indptr[leaf + 1]]
        assert set(zip(rail[above].tolist(), unit[above].tolist(), strict=True)) == {(rail[leaf], unit[leaf] // 3)}


def test_shares_of_cores_are_even():
    for units in (2, 3, 4, 8):
        network = topology.build(
            "threelevel", units=units, rails=2, units_per_pod=1, leaves_per_rail=4, spines_per_pod=2, cores=lcm(2, units),
            uplinks=4, core_uplinks=8,
        )  # fmt: skip
        assert np.ptp(network.degree[network.role == 2]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("routing", ["minimal", "up_down"])
@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("leafspine", {"leaves": 8, "spines": 2, "uplinks": 8, "leaves_per_unit": 4}),
        ("leafspine", {"leaves": 6, "spines": 3, "uplinks": 10}),
        (
            "threelevel",
            {"units": 2, "rails": 2, "leaves_per_rail": 2, "units_per_pod": 1, "spines_per_pod": 2, "cores": 2, "uplinks": 6}
            | {"core_uplinks": 6},
        ),
    ],
)
def test_parallel_links_carry_what_one_link_to_each_spine_cannot(family, parameters, routing):
    network, load = topology.build(family, **parameters), 0.45
    leaf = network.indices[: network.degree[0]]
    ends = network.endpoint_count
    away = parameters["uplinks"] * (ends - parameters["uplinks"]) / (ends - 1)
    assert load * away > len(np.unique(leaf))
    delay = np.full(network.link_count + ends, 5000)
    found = simulate(
        network, delay, seed=1, router_delay_ps=100_000, rate_gbps=100, routing=routing, loads=(load,), warmup=1000, cycles=3000
    )
    assert found.accepted[0] == pytest.approx(load, abs=0.02)
    assert found.saturated[0] == 0
    assert (found.link_load[0][: 2 * network.link_count] > 0).all()


@pytest.mark.parametrize(("routing", "channels"), [("minimal", 2), ("up_down", 1)])
def test_packets_of_a_superpod_cannot_deadlock(routing, channels):
    network = topology.build("leafspine", leaves=32, spines=16, uplinks=32)
    delay = np.full(network.link_count + network.endpoint_count, 5000)
    found = embed(network, delay, RouterSettings(routing=routing, virtual_channels=channels), router_delay_ps=0, rate_gbps=400)
    checked, made = found.checked[0], found.case
    assert (checked.cycle, checked.pairs, checked.all_pairs) == ((), 32 * 31, 32 * 31)
    # From each of 32 uplinks of a leaf to both links down to each other leaf.
    sizes = made.packet_phits, made.input_packets, made.output_packets
    every = dependencies(made.network, made.prepared, candidates_of(made.routing, made.prepared), made.channels, sizes)
    assert len(every.edges) == 32 * 32 * 31 * 2


@pytest.mark.slow
def test_leaves_have_no_links_and_figures():
    network = topology.build("leaves", leaves=500, endpoints_per_leaf=48)
    found = figures(network, effort="high")
    assert (found["links"], found["planes"], found["connected"], found["girth"]) == (0, 500, False, None)
    assert (found["diameter"], found["bisection_upper"], found["throughput_minimal"]) == (0, 0, 1)
    assert (network.role_names, network.degree.any()) == (("leaf",), False)
    found = bisection(network)
    assert (found.lower, found.upper, found.plane.tolist()) == (0, 0, list(range(500)))


@pytest.mark.slow
def test_every_plane_is_halved():
    """Of 64 leaves linked to 32 spines each, 32 leaves and 16 spines on a side cut 2 · 32 · 16 links, the minimum.

    The second smallest eigenvalue of the Laplacian of a complete bipartite graph is its smaller part: 32 · 48 · 48 / 96.
    """
    plane = {"leaves": 64, "spines": 32, "uplinks": 32}
    network = topology.build("multiplane", planes=8, plane="leafspine", plane_parameters=plane)
    found = bisection(network, starts=4)
    assert (found.lower, found.upper) == (8 * 768, 8 * 1024)
    assert found.spectral == pytest.approx(8 * 768, rel=1e-6)


@pytest.mark.parametrize(
    ("family", "parameters", "message"),
    [
        ("leafspine", {"leaves": 4, "spines": 3, "uplinks": 4, "striping": "blocked"}, "4 uplinks are no multiple of 3 routers"),
        ("leafspine", {"leaves": 4, "spines": 2, "uplinks": 2, "leaves_per_unit": 3}, "3 does not divide 4 leaves"),
        ("leafspine", {"leaves": 4, "spines": 2, "uplinks": 2, "rails": 3}, "3 does not divide the 4 leaves of a unit"),
        ("leafspine", {"leaves": 4, "spines": 8, "uplinks": 1}, "some routers cannot reach others; use fewer spines"),
        ("threelevel", TREES[0] | {"units_per_pod": 3}, "3 does not divide 4 units"),
        ("threelevel", TREES[0] | {"cores": 64}, "some routers cannot reach others"),
        ("multiplane", {"planes": 2, "plane": "leafspin", "plane_parameters": {}}, "plane: .*did you mean leafspine"),
        ("multiplane", {"planes": 2, "plane": "slimfly", "plane_parameters": {"q": 6}}, "plane_parameters.q: .*nearest: 5 and 7"),
        ("multiplane", {"planes": 2, "plane": "leaves", "plane_parameters": {"leaves": 2, "endpoints_per_leaf": 1}}, "all reach"),
        ("multiplane", {"planes": 10_000, "plane": "slimfly", "plane_parameters": {"q": 5}}, "use at most 10"),
        ("hpn", {"segments": 2, "pods": 2}, "2 pods are not joined without cores"),
        ("hpn", {"segments": 2, "pods": 2, "cores_per_plane": 960, "core_uplinks": 8}, "some routers of a plane cannot reach"),
        ("leaves", {"leaves": 2}, "needs this key"),
    ],
)
def test_errors(family, parameters, message):
    with pytest.raises(InputError, match=message):
        topology.build(family, **parameters)


def test_pairs_of_leaves_with_peer_links():
    """Six leaves with four uplinks each, and two cables between the leaves of a pair: 24 and 6 in RA-11333-001, table 8."""
    network = topology.build("leafspine", leaves=6, spines=2, uplinks=4, peer_links=2)
    classes = np.bincount(network.link_class)
    assert dict(zip(network.link_class_names, classes.tolist(), strict=True)) == {"leaf–spine": 24, "peer": 6}
    peers = network.links[network.link_class == 1]
    assert sorted(map(tuple, peers.tolist())) == [(0, 1), (0, 1), (2, 3), (2, 3), (4, 5), (4, 5)]
    assert network.degree.tolist() == [6] * 6 + [12] * 2
    # Peer links use the ports after the uplinks.
    assert (network.indices.reshape(-1)[network.indptr[0] : network.indptr[1]][-2:] == 1).all()


def test_pairs_of_an_odd_number_of_leaves():
    with pytest.raises(InputError, match="3 leaves do not form pairs"):
        topology.build("leafspine", leaves=3, spines=1, uplinks=1, peer_links=1)
