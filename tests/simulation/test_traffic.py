"""Traffic patterns: what every pattern owes, and each one's own rule."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from scipy.stats import chisquare
from shared.networks import network, ring

from planner.core import registry
from planner.core.errors import InputError
from planner.core.reading import arguments
from planner.network import topology
from planner.simulation import jobs
from planner.simulation.traffic import adversarial

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text())
NETWORKS = {
    "polarstar": {"q": 3, "supernode_degree": 3, "endpoints_per_router": 2},
    "dragonfly": {"a": 4, "h": 2},
    "megafly": {"rho": 2, "a": 4},
    "fattree": {"k": 3, "levels": 3},
    "hyperx": {"sizes": (3, 4), "endpoints_per_router": 2},
    "slimfly": {"q": 5},
    "torus": {"sizes": (4, 5)},
}
FIXED = [
    "permutation", "router_permutation", "neighbor_permutation", "bit_shuffle", "bit_reverse", "bit_transpose",
    "bit_complement", "tornado", "adversarial",
]  # fmt: skip
RATES = "source,target,rate\n"


def built(family):
    return topology.build(family, **NETWORKS[family])


def prepared(name, network, seed=1, **parameters):
    module = registry.load("traffic", name)
    checked = arguments(module.prepare, data=parameters, owner=name, given=("topology", "seed"))
    return module, module.prepare(network, seed, **checked)


def drawn(module, table, source, count, number=7):
    random = np.array([number], np.uint64)
    return [module.target(source, table, random) for _ in range(count)]


def parameters_of(name, folder):
    if name == "jobs":
        return {"ranks": (5, 9)}
    if name == "matrix":
        path = folder / "rates.csv"
        path.write_text(RATES + "0,1,2\n1,2,1\n7,0,0.5\n")
        return {"file": str(path)}
    return {}


@pytest.mark.parametrize("name", registry.names("traffic"))
def test_every_pattern_keeps_its_word(name, tmp_path):
    network = built("slimfly")
    module, table = prepared(name, network, **parameters_of(name, tmp_path))
    assert table.dtype == np.int32
    assert table.ndim == 1
    np.testing.assert_array_equal(table, prepared(name, network, **parameters_of(name, tmp_path))[1])
    rates = module.rates(table) if hasattr(module, "rates") else np.ones(network.endpoint_count)
    assert rates.shape == (network.endpoint_count,)
    assert rates.min() >= 0
    assert rates.max() == 1
    for source in range(network.endpoint_count):
        targets = drawn(module, table, source, 20)
        assert all(0 <= target < network.endpoint_count for target in targets)
        # Silent sources are not drawn; others never send to themselves.
        assert rates[source] == 0 or source not in targets


@pytest.mark.slow
@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize("family", NETWORKS)
def test_fixed_patterns_are_permutations(name, family):
    if name == "neighbor_permutation" and family in ("fattree", "megafly"):
        with pytest.raises(InputError, match="router_permutation"):
            prepared(name, built(family))
        return
    module, table = prepared(name, built(family))
    assert sorted(table) == list(range(len(table)))
    assert drawn(module, table, 3, 2) == [table[3]] * 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["permutation", "router_permutation"])
def test_random_permutations_have_fixed_points_only_when_asked(name):
    network = ring(5)
    seen = Counter(prepared(name, network, seed)[1][0] for seed in range(400))
    assert set(seen) == {1, 2, 3, 4}
    assert chisquare(list(seen.values())).pvalue > 0.001
    tables = [prepared(name, network, seed, itself=True)[1] for seed in range(60)]
    assert any((table == np.arange(5)).any() for table in tables)


def test_router_permutation_keeps_places():
    network = built("slimfly")
    _, table = prepared("router_permutation", network)
    assert (table % 3 == np.arange(150) % 3).all()
    assert len({(source // 3, target // 3) for source, target in enumerate(table)}) == 50


@pytest.mark.parametrize("family", ["slimfly", "hyperx", "torus", "dragonfly"])
def test_neighbors_are_linked(family):
    network = built(family)
    links = {tuple(pair) for pair in network.links.tolist()}
    _, table = prepared("neighbor_permutation", network)
    router = network.endpoint_router
    assert {tuple(sorted(pair)) for pair in zip(router, router[table], strict=True)} <= links


@pytest.mark.parametrize("pattern", ["shuffle", "reverse", "transpose", "complement"])
@pytest.mark.parametrize("bits", [3, 4])
def test_bit_patterns_are_the_published_ones(pattern, bits):
    golden = GOLDEN["traffic_bits"][str(bits)][pattern]
    module, table = prepared(f"bit_{pattern}", ring(2**bits + 3))
    assert table[: 2**bits].tolist() == golden
    beyond = list(range(2**bits, 2**bits + 3))
    assert table[2**bits :].tolist() == beyond
    assert not module.rates(table)[beyond].any()


def test_tornado_goes_nearly_halfway_around():
    network = built("torus")
    _, table = prepared("tornado", network)
    coords = network.coords
    np.testing.assert_array_equal((coords[table] - coords) % (4, 5), np.tile([1, 2], (20, 1)))
    dragonfly = built("dragonfly")
    _, table = prepared("tornado", dragonfly)
    group = dragonfly.group[dragonfly.endpoint_router, 0]
    assert set((group[table] - group) % 9) == {4}
    with pytest.raises(InputError, match="bit_complement"):
        prepared("tornado", topology.build("torus", sizes=(2, 2)))


def graph(network):
    made = nx.Graph(network.links.tolist())
    made.add_nodes_from(range(network.router_count))
    return made


@pytest.mark.parametrize("family", ["polarstar", "dragonfly", "megafly", "fattree", "slimfly"])
def test_adversarial_groups_send_to_one_group_each(family):
    network = built(family)
    _, table = prepared("adversarial", network)
    group = network.group[network.endpoint_router, 0]
    to = {int(one): {int(other) for other in group[table][group == one]} for one in group}
    assert all(len(others) == 1 for others in to.values())
    assert not any(one in others for one, others in to.items())


def test_adversarial_polarstar_has_no_local_hop():
    """(x, a) sends to (y, f(a)), x and y not adjacent: 3 hops on q + 1 paths, all of them over links of ER_q or its loops."""
    network = built("polarstar")
    _, table = prepared("adversarial", network)
    made, supernode = graph(network), network.group[:, 0]
    for source, target in enumerate(table.tolist()):
        ends = int(network.endpoint_router[source]), int(network.endpoint_router[target])
        paths = list(nx.all_shortest_paths(made, *ends))
        assert len(paths) == 4  # q + 1
        for path in paths:
            assert len(path) == 4
            # f of IQ_3 joins a and a + 4; a link inside a supernode between such two is a loop of ER_q.
            assert all(supernode[a] != supernode[b] or abs(a - b) == 4 for a, b in pairwise(path))


@pytest.mark.parametrize(("family", "hops"), [("dragonfly", 3), ("megafly", 3), ("fattree", 4)])
def test_adversarial_paths_are_long(family, hops):
    network = built(family)
    _, table = prepared("adversarial", network)
    made, router = graph(network), network.endpoint_router
    lengths = [nx.shortest_path_length(made, int(router[s]), int(router[t])) for s, t in enumerate(table.tolist())]
    # One router of a Dragonfly group holds the link to the next group, one there receives it: they cannot all be 3 apart.
    assert np.mean([length == hops for length in lengths]) >= {"dragonfly": 0.5, "megafly": 0.5, "fattree": 1}[family]
    group = network.group[router, 0]
    if family != "fattree":
        assert set((group[table] - group) % (group.max() + 1)) == {1}


def test_adversarial_levels_and_networks_without_groups():
    network = built("hyperx")
    _, table = prepared("adversarial", network, level="plane")
    plane = network.coords[network.endpoint_router, 0]
    assert set((plane[table] - plane) % 3) == {1}
    lonely = ring(6)
    _, table = prepared("adversarial", lonely)
    assert table.tolist() == [3, 4, 5, 0, 1, 2]
    with pytest.raises(InputError, match="there are line, plane"):
        prepared("adversarial", network, level="pod")


@pytest.mark.parametrize(
    ("family", "parameters"), [("jellyfish", {"routers": 60, "degree": 4}), ("spectralfly", {"p": 5, "q": 7})]
)
def test_adversarial_pairs_of_large_networks_are_as_far_apart(monkeypatch, family, parameters):
    """Without the order of ties the total distance is still the maximum."""
    network = topology.build(family, **parameters, endpoints_per_router=1)
    hops = dict(nx.all_pairs_shortest_path_length(graph(network)))
    _, ordered = prepared("adversarial", network)
    monkeypatch.setattr(adversarial, "MAX_ORDERED", 10)
    _, table = prepared("adversarial", network)
    assert sorted(table.tolist()) == list(range(len(table)))
    assert (table != np.arange(len(table))).all()
    total = sum(hops[source][target] for source, target in enumerate(table.tolist()))
    assert total == sum(hops[source][target] for source, target in enumerate(ordered.tolist()))


def test_hot_spots_get_their_share():
    network = ring(10, 2)
    module, table = prepared("hot_spot", network, share=0.3, endpoints=(4, 9))
    targets = drawn(module, table, 0, 20_000)
    expected = np.full(20, 0.7 / 19)
    expected[0] = 0
    expected[[4, 9]] += 0.15
    seen = np.bincount(targets, minlength=20)
    assert chisquare(seen[1:], 20_000 * expected[1:]).pvalue > 0.001
    # A hot source spreads what would come back to it.
    seen = np.bincount(drawn(module, table, 4, 20_000), minlength=20)
    assert seen[4] == 0
    assert seen[9] / 20_000 == pytest.approx(0.15 + 0.85 / 19, abs=0.01)


def test_uniform_is_even():
    module, table = prepared("uniform", ring(7))
    seen = np.bincount(drawn(module, table, 3, 12_000), minlength=7)
    assert seen[3] == 0
    assert chisquare(np.delete(seen, 3)).pvalue > 0.001


def test_jobs_stay_among_themselves():
    network = built("slimfly")
    module, table = prepared("jobs", network, ranks=(5, 9), placement="random")
    one, other = jobs.place(network, (5, 9), "random", 1)
    assert set(drawn(module, table, int(one[2]), 200)) == set(one.tolist()) - {int(one[2])}
    assert set(drawn(module, table, int(other[0]), 400)) == set(other.tolist()[1:])
    assert np.flatnonzero(module.rates(table)).tolist() == sorted([*one, *other])


@pytest.mark.parametrize("placement", ["linear", "random", "groups", "routers"])
@pytest.mark.parametrize("ranks", [(7,), (20, 31), (50, 50, 50)])
def test_jobs_are_placed_once(placement, ranks):
    network = built("slimfly")
    placed = jobs.place(network, ranks, placement, 3)
    assert [len(job) for job in placed] == list(ranks)
    assert len(set(np.concatenate(placed))) == sum(ranks)


def test_jobs_take_whole_groups_and_routers():
    network = built("dragonfly")
    placed = jobs.place(network, (9, 8), "groups")
    assert placed[0].tolist() == list(range(9))
    assert placed[1].tolist() == list(range(16, 24))
    (job,) = jobs.place(network, (6,), "routers", 5)
    assert (np.diff(job) > 0).all()
    assert sorted(Counter(network.endpoint_router[job]).values()) == [2, 2, 2]
    with pytest.raises(InputError, match="73 ranks exceed 72"):
        jobs.place(network, (40, 33))
    with pytest.raises(InputError, match="has no groups"):
        jobs.place(ring(4), (2,), "groups")


def test_a_matrix_is_reproduced(tmp_path):
    path = tmp_path / "rates.csv"
    path.write_text(RATES + "0,1,6\n0,2,1\n0,3,1\n# a remark\n2,0,4\n\n")
    module, table = prepared("matrix", ring(4), file=str(path))
    assert module.rates(table).tolist() == [1, 0, 0.5, 0]
    seen = np.bincount(drawn(module, table, 0, 16_000), minlength=4)
    assert chisquare(seen[1:], [12_000, 2000, 2000]).pvalue > 0.001
    assert set(drawn(module, table, 2, 50)) == {0}


def test_a_random_matrix_is_reproduced(tmp_path):
    random = np.random.default_rng(5)
    rates = random.random((12, 12)) * (random.random((12, 12)) < 0.6)
    np.fill_diagonal(rates, 0)
    path = tmp_path / "rates.csv"
    path.write_text(RATES + "".join(f"{a},{b},{rates[a, b]}\n" for a, b in np.argwhere(rates)))
    module, table = prepared("matrix", ring(12), file=str(path))
    np.testing.assert_allclose(module.rates(table), rates.sum(axis=1) / rates.sum(axis=1).max(), atol=1e-8)
    for source in range(12):
        np.testing.assert_allclose(module.chances(table, source), rates[source] / rates[source].sum(), atol=1e-8)
        seen = np.bincount(drawn(module, table, source, 5000), minlength=12)
        used = rates[source] > 0
        assert not seen[~used].any()
        assert chisquare(seen[used], 5000 * rates[source, used] / rates[source].sum()).pvalue > 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names("traffic"))
def test_the_stated_chances_are_those_of_the_drawn_targets(name, tmp_path):
    network = built("slimfly")
    module, table = prepared(name, network, **parameters_of(name, tmp_path))
    rates = module.rates(table) if hasattr(module, "rates") else np.ones(network.endpoint_count)
    for source in np.flatnonzero(rates)[::40].tolist():
        chances = module.chances(table, source)
        assert chances.sum() == pytest.approx(1)
        seen, used = np.bincount(drawn(module, table, source, 8000), minlength=network.endpoint_count), chances > 0
        assert not seen[~used].any()
        assert used.sum() == 1 or chisquare(seen[used], 8000 * chances[used]).pvalue > 1e-4


def test_a_matrix_of_routers_or_groups_is_shared_evenly(tmp_path):
    path = tmp_path / "rates.csv"
    path.write_text(RATES + "0,0,1\n0,2,3\n2,1,2\n")
    network = ring(3, 4)
    module, table = prepared("matrix", network, file=str(path), level="router")
    seen = np.bincount(drawn(module, table, 1, 8000), minlength=12)
    assert seen[1] == 0
    assert not seen[4:8].any()
    assert chisquare(seen[[0, 2, 3, 8, 9, 10, 11]], [8000 / 12] * 3 + [1500] * 4).pvalue > 0.001
    assert module.rates(table).tolist() == [1] * 4 + [0] * 4 + [0.5] * 4
    dragonfly = built("dragonfly")
    module, table = prepared("matrix", dragonfly, file=str(path), level="group")
    assert {int(target) // 8 for target in drawn(module, table, 5, 300)} == {0, 2}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "source,target,rate first"),
        ("a,b,c\n", ":1: does not begin with its header"),
        (RATES, "contains no rate above 0"),
        (RATES + "0,1,0\n", "contains no rate above 0"),
        (RATES + "0,1\n", ":2: has 2 columns"),
        (RATES + "# remark\n0,9,1\n", ":3: unknown endpoint '9'; use 0 to 3"),
        (RATES + "0,1,1\nx,1,-2\n", "(?s):3: unknown endpoint 'x'.*:3: '-2' is not a rate"),
        (RATES + "0,1,1\n0,1,2\n", ":3: endpoint 0 to 1 is listed twice"),
        (RATES + "2,2,1\n", ":2: endpoint 2 would send to itself"),
        (RATES + "0,1,nan\n", "is not a rate"),
        (RATES + "9,9,9\n" * 50, "more lines"),
    ],
)
def test_bad_matrices_are_refused_with_their_lines(tmp_path, text, words):
    path = tmp_path / "rates.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        prepared("matrix", ring(4), file=str(path))


def test_other_bad_input_is_refused(tmp_path):
    path = tmp_path / "rates.csv"
    with pytest.raises(InputError, match="check the name"):
        prepared("matrix", ring(4), file=str(path))
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="UTF-8"):
        prepared("matrix", ring(4), file=str(path))
    path.write_text(RATES + "0,1,1\n")
    with pytest.raises(InputError, match="did you mean router"):
        prepared("matrix", ring(4), file=str(path), level="ruter")
    with pytest.raises(InputError, match="one of them has no endpoint"):
        prepared("matrix", network([(0, 1), (1, 2)], [0, 0, 2]), file=str(path), level="router")
    for name in ("permutation", "bit_shuffle", "hot_spot", "tornado"):
        with pytest.raises(InputError, match="attach more endpoints"):
            prepared(name, network([(0, 1)], [0]))
    with pytest.raises(InputError, match="use 0 to 3"):
        prepared("hot_spot", ring(4), endpoints=(7,))
    with pytest.raises(InputError, match="in one group"):
        prepared("adversarial", network([(0, 1)], [0, 0]))
