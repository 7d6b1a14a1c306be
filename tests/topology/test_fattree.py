"""Fat trees with subtrees left out: counts by hand, all links up, and the full bisection as a flow."""

from math import prod

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import maximum_flow

from planner.core.errors import InputError
from planner.network.metrics import distances
from planner.network.topology import build
from planner.network.topology.fattree import level_routers, max_links

PARTS = [
    # k, levels, clos, subtrees, routers of each level
    (4, 2, False, (2,), (2, 2)),
    (4, 2, True, (5,), (5, 4)),
    (4, 3, False, (3,), (12, 12, 16)),
    (4, 3, True, (4,), (16, 16, 8)),
    (4, 3, True, (6, 2), (12, 12, 8)),
    (6, 3, True, (5, 3), (15, 15, 9)),
    (4, 4, True, (4, 2), (32, 32, 32, 16)),
    (3, 4, False, (2, 3, 2), (12, 18, 18, 27)),
]


@pytest.mark.parametrize(("k", "levels", "clos", "subtrees", "routers"), PARTS)
def test_routers_and_links_of_every_level(k, levels, clos, subtrees, routers):
    tree = build("fattree", k=k, levels=levels, clos=clos, subtrees=subtrees)
    level = tree.coords[:, 0]
    assert np.bincount(level).tolist() == list(routers)
    assert level_routers(k, levels, clos, subtrees) == list(routers)
    assert max_links(k, levels, clos, subtrees) == tree.degree.max()
    assert tree.endpoint_count == k * routers[0]
    upper = level[tree.links].max(axis=1)
    up = np.bincount(tree.links[np.arange(len(upper)), np.argmin(level[tree.links], axis=1)], minlength=tree.router_count)
    # Every router below the top has k links up, so that each level carries what all endpoints send.
    assert (up[level < levels - 1] == k).all()
    assert np.bincount(upper)[1:].tolist() == [k * count for count in routers[:-1]]
    down = tree.degree - up
    assert (down[(level > 0) & (level < levels - 1)] <= k).all()
    assert down[level == levels - 1].max() <= (2 * k if clos else k)
    # Leaves are all subtrees of all subtrees.
    given = list(subtrees) + [k] * (levels - 1 - len(subtrees))
    assert routers[0] == prod(given)
    assert distances(tree).diameter == 2 * (levels - 1)


@pytest.mark.parametrize(("k", "levels", "clos", "subtrees", "routers"), PARTS)
def test_halves_of_the_leaves_reach_each_other_at_full_rate(k, levels, clos, subtrees, routers):
    tree = build("fattree", k=k, levels=levels, clos=clos, subtrees=subtrees)
    leaves, count = routers[0], tree.router_count
    draw = np.random.default_rng(1)
    # Pods against pods, every other leaf, and by chance.
    orders = [np.argsort(tree.group[:leaves, 0], kind="stable"), np.argsort(np.arange(leaves) % 2, kind="stable")]
    for order in [*orders, draw.permutation(leaves), draw.permutation(leaves)]:
        half = leaves // 2
        ends = [np.full(half, count), order[-half:]], [order[:half], np.full(half, count + 1)]
        both = np.concatenate([tree.links, tree.links[:, ::-1]])
        start = np.concatenate([both[:, 0], ends[0][0], ends[0][1]])
        end = np.concatenate([both[:, 1], ends[1][0], ends[1][1]])
        rate = np.concatenate([np.ones(len(both), np.int32), np.full(2 * half, k, np.int32)])
        network = coo_array((rate, (start, end)), shape=(count + 2,) * 2).tocsr().astype(np.int32)
        assert maximum_flow(network, count, count + 1).flow_value == half * k


@pytest.mark.parametrize("levels", [2, 3, 4])
def test_all_subtrees_named_are_the_whole_tree(levels):
    """With other numbers where the halves of a folded Clos were: there the halves come first."""
    whole, named = build("fattree", k=3, levels=levels), build("fattree", k=3, levels=levels, subtrees=(3,) * (levels - 1))
    assert np.array_equal(whole.links, named.links)
    assert np.array_equal(whole.indices, named.indices)
    assert np.array_equal(whole.coords, named.coords)
    clos, named = (build("fattree", k=3, levels=levels, clos=True, subtrees=part) for part in ((), (6,)))
    assert np.bincount(clos.coords[:, 0]).tolist() == np.bincount(named.coords[:, 0]).tolist()
    assert clos.link_count == named.link_count
    assert distances(clos).endpoint_mean == distances(named).endpoint_mean


@pytest.mark.parametrize(
    ("levels", "clos", "subtrees"), [(2, False, (2, 2)), (3, False, (5,)), (3, True, (9,)), (3, True, (4, 5))]
)
def test_more_subtrees_than_there_is_room_for(levels, clos, subtrees):
    with pytest.raises(InputError, match=r"subtrees: a tree of . levels has at most \["):
        build("fattree", k=4, levels=levels, clos=clos, subtrees=subtrees)


@pytest.mark.slow
def test_up_down_routing_reaches_all_leaves():
    """Packets reach every leaf, also over parallel links and in pods of fewer subtrees."""
    from planner.simulation import simulate

    tree = build("fattree", k=4, levels=3, clos=True, subtrees=(6, 2))
    delay = np.full(tree.link_count + tree.endpoint_count, 5000)
    found = simulate(
        tree, delay, seed=1, router_delay_ps=100_000, rate_gbps=100, routing="up_down", loads=(0.4,), warmup=500, cycles=2000
    )
    assert found.accepted[0] == pytest.approx(0.4, abs=0.02)
    assert found.saturated[0] == 0
