"""Windows of work: no port twice, always connected, limits kept; and the network in each of them."""

import networkx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shared.growing import METHODS, PAIRS, grown

from planner.network.growth import during, plan, step, windows
from planner.network.growth.methods import block, swaps
from planner.network.growth.ports import first_ports, ordered_backward
from planner.network.topology import build


def replayed(change, found, ports):
    """Carry out the windows one cable at a time, and check ports and connections; return the links up in each window."""
    old, new = change.old, change.new
    free = ports.copy()
    np.subtract.at(free, old.links.ravel(), 1)
    up = networkx.MultiGraph()
    up.add_nodes_from(range(old.router_count))
    up.add_edges_from(map(tuple, old.links.tolist()))
    # Planes are networks of their own.
    parts = [set(part) for part in networkx.connected_components(up)]
    count = []
    for window in range(found.count + 1):
        for link in change.moved[found.moved == window].tolist():
            up.remove_edge(*old.links[link].tolist())
            free[old.links[link]] += 1
        assert all(networkx.node_connected_component(up, min(part)) >= part for part in parts)
        before = up.number_of_edges()
        for link in change.added[found.added == window].tolist():
            free[new.links[link]] -= 1
            up.add_edge(*new.links[link].tolist())
        assert (free >= 0).all()
        count.append(up.number_of_edges() if window == 0 else before)
    assert sorted(map(tuple, map(sorted, up.edges()))) == sorted(map(tuple, new.links.tolist()))
    return count


@pytest.mark.slow
@settings(max_examples=80)
@given(st.integers(0, len(PAIRS) - 1), st.sampled_from(sorted(METHODS)), st.integers(1, 3), st.integers(1, 40))
def test_windows_of_all_families_and_methods(pair, method, ends, cables):
    """No port is used twice, all routers stay connected, and never fewer links are up than before."""
    change = grown(pair, method)
    assume(change is not None)
    old, new = change.old, change.new
    ports = np.maximum(new.degree, np.append(old.degree, np.zeros(new.router_count - old.router_count, int)))
    found = windows(change, ends_down=ends, cables_down=cables)
    assert found.connected
    assert replayed(change, found, ports) == found.up.tolist()
    assert found.up.min() >= old.link_count
    limited(change, found, ends, cables)


def limited(change, found, ends, cables):
    """Check that all links are put in, and the limits of each window."""
    assert (found.added >= 0).all()
    for window in range(1, found.count + 1):
        out = change.old.links[change.moved[found.moved == window]]
        assert 1 <= len(out) <= cables
        assert np.bincount(out.ravel()).max() <= ends


@pytest.mark.slow
@given(
    st.integers(12, 30),
    st.integers(3, 6),
    st.integers(1, 12),
    st.integers(1, 3),
    st.integers(1, 20),
    st.booleans(),
    st.integers(0, 99),
)
def test_every_window_keeps_the_network(routers, degree, added, ends, cables, by_block, seed):
    old = build("jellyfish", routers=routers + routers * degree % 2, degree=degree, graph_seed=seed)
    method = block if by_block else swaps
    change = step(old, method.grow(old, routers=old.router_count + added, seed=seed))
    ports = np.maximum(change.new.degree, np.append(old.degree, np.zeros(added, int)))
    found = windows(change, ends_down=ends, cables_down=cables, ports=ports)
    if not found.connected:
        return
    assert replayed(change, found, ports) == found.up.tolist()
    # Where no port is free, the first cable leaves before one comes.
    assert found.up.min() >= old.link_count - (found.up[0] == old.link_count)
    limited(change, found, ends, cables)


@pytest.mark.slow
@pytest.mark.parametrize(("ends", "cables", "swapped", "blocked"), [(1, 10**6, 10, 9), (2, 10**6, 5, 5), (1, 40, 29, 20)])
def test_measured_numbers_of_windows(ends, cables, swapped, blocked):
    """From 500 to 700 routers of 16 links; an order without block or balance took as many."""
    old = build("jellyfish", routers=500, degree=16)
    for new, highest in ((swaps.grow(old, routers=700, choices=1), swapped), (block.grow(old, routers=700), blocked)):
        change = step(old, new)
        found = windows(change, ends_down=ends, cables_down=cables)
        lost = np.bincount(old.links[change.moved].ravel()).max()
        # The proven minimum depends on the random network; the order reaches it.
        minimum = max(-(-lost // ends), -(-len(change.moved) // cables))
        assert minimum <= found.count <= minimum + 1
        assert found.count <= max(highest, minimum)
        assert found.connected
        # Never fewer links up than before the step.
        assert found.up.min() >= old.link_count


def test_networks_during_growth_can_be_simulated():
    from planner.network.metrics import channel_load

    old = build("jellyfish", routers=40, degree=6)
    change = step(old, block.grow(old, routers=60))
    found = windows(change, cables_down=10)
    for window in range(found.count + 1):
        network = during(change, found, window)
        assert network.router_count >= old.router_count
        assert channel_load(network).throughput > 0
    assert during(change, found, 0).link_count >= old.link_count
    with pytest.raises(ValueError, match="no window"):
        during(change, found, found.count + 1)


def test_limits_are_positive():
    old = build("jellyfish", routers=40, degree=6)
    with pytest.raises(ValueError, match="at least 1"):
        windows(step(old, old), ends_down=0)


def test_nothing_to_do():
    old = build("jellyfish", routers=40, degree=6)
    found = windows(step(old, old))
    assert (found.count, found.up.tolist(), found.connected) == (0, [old.link_count], True)


def test_a_bridge_is_taken_out_when_its_detour_is_up():
    """A path of three routers becomes a path through a fourth one; the old link leaves last."""
    old = build("mesh", sizes=[3])
    from planner.network.topology import from_links

    new = from_links("mesh", {}, 4, np.array([[0, 1], [1, 3], [2, 3]]))
    found = windows(step(old, new), ports=np.array([2, 3, 3, 2]))
    assert found.connected
    assert found.added.max() == 0


@pytest.mark.slow
def test_packets_while_the_crew_works():
    """Every window delivers a light load, and routers that are not joined yet take no part."""
    from planner.simulation import simulate

    old = build("jellyfish", routers=20, degree=5, endpoints_per_router=1)
    change = step(old, block.grow(old, routers=26))
    found = windows(change, cables_down=6)
    for window in sorted({0, 1, found.count}):
        network = during(change, found, window)
        delays = np.full(network.link_count + network.endpoint_count, 5000)
        result = simulate(network, delays, seed=1, loads=(0.1,), warmup=500, cycles=2000, router_delay_ps=100_000, rate_gbps=200)
        accepted = float(np.asarray(result.accepted)[0])
        assert accepted == pytest.approx(0.1, rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "parameters", "key", "values", "method"),
    [
        ("jellyfish", {"degree": 6}, "routers", (30, 40, 60), "inside"),
        ("jellyfish", {"degree": 6}, "routers", (30, 40, 60), "block"),
        ("dragonfly", {"a": 4, "h": 2}, "groups", (4, 6, 9), "auto"),
        ("slimfly", {}, "q", (3, 5), "match"),
        ("jellyfish", {"degree": 6}, "routers", (20, 26), "none"),
    ],
)
def test_windows_find_the_ports_free_that_the_plans_give(family, parameters, key, values, method):
    """Ports are numbered from the last phase backward; every added link finds its two ports free, in hardly more windows."""
    options = {"moves": 100_000} if method == "match" else {}
    growth = plan([build(family, **parameters, **{key: value}) for value in values], method=method, cables_down=5, **options)
    networks = ordered_backward(growth.networks, growth.steps, growth.windows)
    for change, counted, old, new in zip(growth.steps, growth.windows, networks, networks[1:], strict=False):
        one, other = first_ports(old), first_ports(new)
        assert np.array_equal(old.links, change.old.links)
        if (old.degree == new.degree[: old.router_count]).all():
            assert np.array_equal(one[change.kept[:, 0]], other[change.kept[:, 1]])
        holder = {}
        for number, link in enumerate(change.moved.tolist()):
            for router, port in zip(old.links[link].tolist(), one[link].tolist(), strict=True):
                holder[router, port] = number
        ends = zip(new.links[change.added].tolist(), other[change.added].tolist(), strict=True)
        before = [[holder.get(key, -1) for key in zip(routers, ports, strict=True)] for routers, ports in ends]
        found = windows(change, cables_down=5, before=np.array(before).reshape(-1, 2))
        assert found.connected
        assert (found.added >= 0).all()
        for (first, second), window in zip(before, found.added.tolist(), strict=True):
            assert all(found.moved[number] <= window for number in (first, second) if number >= 0)
        assert found.count <= counted.count + 2
