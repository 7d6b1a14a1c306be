"""Every hop follows the stated rule, checked against plain reckoning."""

from collections import Counter
from itertools import islice

import networkx
import pytest
from shared.routing_walks import ONE, Walk, lengths

from planner.kernels.routing import steps
from planner.network.topology import build


def hops_of(walk, creations=1):
    for created in range(creations):
        for source, target in walk.pairs():
            for _, hop in walk.transitions(source, target, created):
                yield source, target, hop


@pytest.mark.slow
@pytest.mark.parametrize("routing", ["minimal", "single_path", "ecmp", "source"])
def test_minimal_hops_come_nearer(routing):
    topology = build("slimfly", q=4, **ONE)
    distance = lengths(topology)
    for _, target, hop in hops_of(Walk(topology, routing)):
        assert distance[hop.to][target] == distance[hop.router][target] - 1
        assert hop.channel == hop.hops


@pytest.mark.slow
def test_single_path_depends_on_router_and_target_alone():
    walk = Walk(build("fattree", k=4, levels=3, endpoints_per_leaf=1), "single_path")
    used = Counter()
    for target in walk.used:
        for router in walk.used:
            if router != target:
                rows = {walk.options(router, s, target, created=c)[0].port for s in walk.used if s != target for c in (0, 7)}
                assert len(rows) == 1
                used[rows.pop()] += 1
    # Of 240 pairs of leaves a quarter goes up by each of the four ports, but for chance.
    assert len(used) == 4
    assert all(abs(count - 60) < 4 * (240 * 0.25 * 0.75) ** 0.5 for count in used.values())


def test_flows_keep_their_path_under_ecmp_and_spread():
    walk = Walk(build("fattree", k=4, levels=3, endpoints_per_leaf=1), "ecmp")
    paths = {}
    for source, target in walk.pairs():
        kept = {tuple(walk.follow(source, target, created=created)) for created in (0, 7, 123)}
        assert len(kept) == 1
        paths[source, target] = kept.pop()
    # Between pods there are 16 paths over 16 tops; 192 flows use all tops, none more than thrice its share.
    tops = Counter(path[2] for path in paths.values() if len(path) == 5)
    assert len(tops) == 16
    assert max(tops.values()) < 3 * sum(tops.values()) / 16


def test_source_paths_are_fixed_and_equally_likely():
    topology = build("hyperx", sizes=(2, 2, 3), **ONE)
    walk = Walk(topology, "source")
    source, target = 0, topology.router_count - 1
    paths = Counter(tuple(walk.follow(source, target, created=created)) for created in range(1200))
    expected = {tuple(path) for path in networkx.all_shortest_paths(networkx.Graph(topology.links.tolist()), source, target)}
    assert set(paths) == expected
    assert len(expected) == 6
    # 200 each; six standard deviations.
    assert all(abs(count - 200) < 6 * 13 for count in paths.values())


def test_all_shortest_paths_are_alike_where_ports_differ_in_number():
    """Router 0 has two paths to 5 via 1 and one via 2: a third each, not half for the latter."""
    from shared.networks import network

    walk = Walk(network([(0, 1), (0, 2), (1, 3), (1, 4), (2, 6), (3, 5), (4, 5), (6, 5)], range(7)), "source")
    paths = Counter(tuple(walk.follow(0, 5, created=created)) for created in range(900))
    assert set(paths) == {(0, 1, 3, 5), (0, 1, 4, 5), (0, 2, 6, 5)}
    assert all(abs(count - 300) < 6 * 15 for count in paths.values())


@pytest.mark.slow
@pytest.mark.parametrize(("family", "parameters"), [("polarfly", {"q": 3, **ONE}), ("mesh", {"sizes": (3, 4)})])
def test_valiant_is_minimal_to_the_intermediate_then_to_the_target(family, parameters):
    topology = build(family, **parameters)
    walk, distance = Walk(topology, "valiant"), lengths(topology)
    drawn = Counter()
    for number in range(30):
        for source, target in walk.pairs():
            created = 100 * number + target
            first = walk.options(source, source, target, created=created)
            vias = {(hop.label & steps.VIA) - 1 for hop in first}
            assert len(vias) == 1
            via = vias.pop()
            assert via not in (source, target)
            drawn[via] += 1
            for _, hop in walk.transitions(source, target, created):
                goal = target if hop.label & steps.REACHED else via
                assert distance[hop.to][goal] == distance[hop.router][goal] - 1
                assert hop.channel == hop.hops
    mean = sum(drawn.values()) / topology.router_count
    assert all(abs(count - mean) < 6 * mean**0.5 for count in drawn.values())


@pytest.mark.slow
@pytest.mark.parametrize("family", ["dragonfly", "megafly"])
def test_valiant_through_groups_crosses_one_other_group(family):
    parameters = {"a": 4, "h": 1, **ONE} if family == "dragonfly" else {"rho": 1, "a": 4, "endpoints_per_leaf": 1}
    topology = build(family, **parameters)
    walk, group = Walk(topology, "valiant", {"through": "group"}), topology.group[:, 0].tolist()
    seen = set()
    for created in range(6):
        for source, target in walk.pairs():
            path = [group[router] for router in walk.follow(source, target, created)]
            visited = [g for i, g in enumerate(path) if i == 0 or path[i - 1] != g]
            if visited == [group[target]]:
                # The target was on the path out of its own group.
                continue
            assert len(visited) == 3
            assert visited[1] not in (group[source], group[target])
            seen.add(visited[1])
    assert seen == set(group)


def test_up_down_never_goes_up_again():
    topology = build("fattree", k=3, levels=3, endpoints_per_leaf=1)
    walk, level = Walk(topology, "up_down"), topology.coords[:, 0].tolist()
    for source, target in walk.pairs():
        for before, hop in walk.transitions(source, target):
            if before is not None and level[before.to] < level[before.router]:
                assert level[hop.to] < level[hop.router]
    # Between pods a leaf may take any of its three ports up, and so may the router above.
    assert len(walk.options(0, 0, 8)) == 3


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("hyperx", {"sizes": (3, 4, 2), **ONE}),
        ("torus", {"sizes": (4, 5)}),
        ("mesh", {"sizes": (3, 2, 3)}),
        ("hypercube", {"dimensions": 4}),
    ],
)
def test_dimension_order_corrects_the_first_dimension(family, parameters):
    topology = build(family, **parameters)
    coords, walk = topology.coords.tolist(), Walk(topology, "dimension_order")
    distance = lengths(topology)
    for _, target, hop in hops_of(walk):
        differs = [axis for axis, pair in enumerate(zip(coords[hop.router], coords[target], strict=True)) if pair[0] != pair[1]]
        moved = [axis for axis, pair in enumerate(zip(coords[hop.router], coords[hop.to], strict=True)) if pair[0] != pair[1]]
        assert moved == differs[:1]
        assert distance[hop.to][target] == distance[hop.router][target] - 1


def test_the_dateline_is_the_link_between_last_and_first():
    walk = Walk(build("torus", sizes=(7,)), "dimension_order")
    paths = {}
    for source, target in ((5, 1), (1, 5), (1, 3)):
        paths[source, target] = [(hop.to, hop.channel) for _, hop in walk.transitions(source, target)]
    assert paths == {
        (5, 1): [(6, 0), (0, 0), (1, 1)],
        (1, 5): [(0, 0), (6, 0), (5, 1)],
        (1, 3): [(2, 0), (3, 0)],
    }


def shortest(topology, source, target, k, cutoff):
    """Return the k shortest paths by plain search, ties in order of the routers along them."""
    graph = networkx.Graph(topology.links.tolist())
    every = networkx.all_simple_paths(graph, source, target, cutoff=cutoff)
    return sorted((path for path in every), key=lambda path: (len(path), path))[:k]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "parameters", "cutoff"),
    [("polarfly", {"q": 2, **ONE}, 7), ("mesh", {"sizes": (3, 3)}, 9), ("torus", {"sizes": (7,)}, 7)],
)
def test_ksp_holds_the_k_shortest_paths(family, parameters, cutoff):
    from planner.simulation.routing.tables import path_tables

    topology = build(family, **parameters)
    walk = Walk(topology, "ksp", {"k": 5})
    graph = networkx.Graph(topology.links.tolist())
    for source, target in walk.pairs():
        paths = list(path_tables.drawn(walk.network, walk.prepared, source, target))
        assert paths == shortest(topology, source, target, 5, cutoff)
        yen = islice(networkx.shortest_simple_paths(graph, source, target), 5)
        assert [len(path) for path in paths] == [len(path) for path in yen]
        taken = {tuple(walk.follow(source, target, created)) for created in range(60)}
        assert taken == {tuple(path) for path in paths}


def test_all_paths_holds_those_with_at_most_one_hop_more():
    topology = build("hyperx", sizes=(3, 3), **ONE)
    walk, distance = Walk(topology, "all_paths"), lengths(topology)
    graph = networkx.Graph(topology.links.tolist())
    for source, target in ((0, 1), (0, 4), (2, 6)):
        expected = {tuple(p) for p in networkx.all_simple_paths(graph, source, target, cutoff=distance[source][target] + 1)}
        taken = {tuple(walk.follow(source, target, created)) for created in range(200)}
        assert taken == expected
    few = Walk(topology, "all_paths", {"max_paths": 2})
    assert len({tuple(few.follow(0, 4, created)) for created in range(40)}) == 2


def test_swapped_dragonfly_follows_the_source_vector():
    topology = build("swapped_dragonfly", k=3, m=4, **ONE)
    number = {tuple(row): router for router, row in enumerate(topology.coords.tolist())}
    walk = Walk(topology, "swapped_dragonfly")
    for (c, d, p), source in number.items():
        for (c2, d2, p2), target in number.items():
            if source != target:
                # Header (3; γ, π, δ): δ = d' - p, then γ = c' - c, then π = p' - d.
                places = [(c, d, p), (c, d, d2), (c2, d2, d), (c2, d2, p2)]
                path = [number[place] for place in places]
                expected = [router for i, router in enumerate(path) if i == 0 or path[i - 1] != router]
                expected = expected[: expected.index(target) + 1]
                assert walk.follow(source, target) == expected


def test_deflection_by_the_target_cabinet_is_global_local_global_local():
    topology = build("swapped_dragonfly", k=3, m=4, **ONE)
    number = {tuple(row): router for router, row in enumerate(topology.coords.tolist())}
    walk = Walk(topology, "swapped_dragonfly", {"deflect": "cabinet"})
    (c, d, p), (c2, d2, p2) = (0, 1, 2), (2, 3, 0)
    path = [(c, d, p), (c2, p, d), (c2, p, d2), (c2, d2, p), (c2, d2, p2)]
    assert walk.follow(number[c, d, p], number[c2, d2, p2]) == [number[place] for place in path]


def test_random_deflection_visits_every_drawer():
    topology = build("swapped_dragonfly", k=2, m=3, **ONE)
    walk = Walk(topology, "swapped_dragonfly", {"deflect": "random"})
    coords = topology.coords.tolist()
    source, target = coords.index([0, 1, 2]), coords.index([1, 0, 1])
    over = {tuple(coords[router]) for created in range(200) for router in walk.follow(source, target, created)[:3]}
    # (C, D, d) is reached after at most two hops.
    assert {(c, d, 1) for c in range(2) for d in range(3)} <= over
