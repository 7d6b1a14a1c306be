"""The deadlock check: cycles are found and named, and nothing is missed or invented."""

from dataclasses import replace

import networkx
import numpy as np
import pytest
from shared import one_channel
from shared.networks import network, reference, ring
from shared.routing_walks import INPUT, OUTPUT, PHITS, Walk

from planner.core.errors import InputError
from planner.kernels.packet import dependencies as kernel
from planner.network.topology import build
from planner.simulation import dependencies as module
from planner.simulation.case import Fault
from planner.simulation.deadlock import require_none
from planner.simulation.dependencies import dependencies
from planner.simulation.faults import NEVER, stages
from planner.simulation.network import Network
from planner.simulation.routing import minimal

SIZES = (PHITS, INPUT, OUTPUT)


def of(topology, routing=minimal, **options) -> module.Dependencies:
    net = Network(topology, np.ones(topology.link_count + topology.endpoint_count, np.int32))
    prepared = routing.prepare(net)
    return dependencies(net, prepared, routing.candidates.address, prepared.virtual_channels, SIZES, **options)


def edges(found: module.Dependencies) -> set[tuple[int, int]]:
    return set(map(tuple, found.edges.tolist()))


def plain(walk: Walk) -> set[tuple[int, int]]:
    """Return the dependencies of a plain walk over one packet of every pair."""
    first, channels = walk.network.first_port, walk.channels
    return {
        tuple(int((first[r] + port) * channels + channel) for r, port, channel in edge) for edge in walk.dependencies()[0].edges
    }


def test_a_ring_on_one_channel_has_a_cycle_and_it_is_named():
    """Packets that go two hops clockwise hold a link and wait for the next, all around."""
    found = of(ring(5), one_channel)
    assert len(found.cycle) == 5
    assert {channel.channel for channel in found.cycle} == {0}
    path = [channel.router for channel in found.cycle]
    assert sorted(path) == [0, 1, 2, 3, 4]
    for channel, following in zip(found.cycle, (*found.cycle[1:], found.cycle[0]), strict=True):
        assert channel.to == following.router
    assert not found.ascending
    assert (found.pairs, found.all_pairs) == (20, 20)
    named = ", ".join(f"{channel.router}>{channel.to} on 0" for channel in found.cycle)
    with pytest.raises(InputError, match=named) as error:
        require_none(found, "one_channel")
    assert "allow_deadlock = true" in str(error.value)


def test_ascending_channels_are_free_of_cycles():
    found = of(ring(5))
    assert found.ascending
    assert found.cycle == ()
    require_none(found, "minimal")
    # From each link clockwise and back, on channel 0, to the next one on channel 1.
    assert found.edges.tolist() == sorted(found.edges.tolist())
    assert len(found.edges) == 10


@pytest.mark.parametrize("routers", [2, 3])
def test_single_hops_wait_for_nothing(routers):
    found = of(ring(3) if routers == 3 else network([(0, 1)], [0, 1]), one_channel)
    assert (len(found.edges), found.cycle, found.ascending) == (0, (), True)


def test_a_path_on_one_channel_has_no_cycle_though_nothing_ascends():
    found = of(network([(0, 1), (1, 2), (2, 3)], [0, 1, 2, 3]), one_channel)
    assert not found.ascending
    assert found.cycle == ()
    assert len(found.edges) == 4


def test_only_pairs_with_endpoints_count():
    """Between two neighbors on a ring nothing waits around it."""
    assert of(network([(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)], [0, 1]), one_channel).cycle == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "parameters", "routing"),
    [
        ("torus", {"sizes": (4, 5)}, "dimension_order"),
        ("fattree", {"k": 2, "levels": 3, "endpoints_per_leaf": 1}, "up_down"),
        ("leafspine", {"leaves": 4, "spines": 3, "uplinks": 4, "endpoints_per_leaf": 1}, "up_down"),
        (
            "threelevel",
            {"units": 4, "rails": 2, "units_per_pod": 2, "spines_per_pod": 2, "cores": 3, "uplinks": 4}
            | {"core_uplinks": 3, "endpoints_per_leaf": 1},
            "up_down",
        ),
        ("dragonfly", {"a": 3, "h": 1, "endpoints_per_router": 1}, "hierarchical"),
        ("hyperx", {"sizes": (3, 4), "endpoints_per_router": 1}, "omnidimensional"),
    ],
)
def test_the_graph_is_that_of_a_plain_walk(family, parameters, routing):
    walk = Walk(build(family, **parameters), routing)
    found = dependencies(walk.network, walk.prepared, walk.candidates.address, walk.channels, SIZES)
    assert edges(found) == plain(walk)
    assert found.complete
    assert found.cycle == ()


@pytest.mark.parametrize("routing", ["minimal", "single_path", "hierarchical"])
def test_packets_to_one_target_share_their_states(routing):
    """The graph is that of a plain walk over all pairs, with fewer states than pairs have each for itself."""
    walk = Walk(build("dragonfly", a=3, h=1, endpoints_per_router=1), routing)
    assert walk.prepared.by_target
    shared = dependencies(walk.network, walk.prepared, walk.candidates.address, walk.channels, SIZES)
    alone = replace(walk.prepared, by_target=False)
    each = dependencies(walk.network, alone, walk.candidates.address, walk.channels, SIZES)
    assert edges(shared) == edges(each) == plain(walk)
    assert shared.complete


def test_a_sample_that_fits_the_limit_becomes_complete(monkeypatch):
    """A check whose sample shows that all pairs fit goes on to all of them; otherwise it ends with the sample."""
    monkeypatch.setattr(module, "SAMPLE_STATES", 200)
    monkeypatch.setattr(module, "BLOCK", 64)
    walk = Walk(reference("sf5"), "ecmp")

    def found(states):
        return dependencies(walk.network, walk.prepared, walk.candidates.address, walk.channels, SIZES, states=states)

    whole, sample = found(20_000), found(2000)
    assert whole.complete
    assert 0 < sample.pairs < 250
    assert edges(sample) < edges(whole)


def test_more_dependencies_than_can_be_stored_end_the_check(monkeypatch):
    monkeypatch.setattr(module, "MAX_EDGES", 1500)
    found = of(reference("sf5"))
    assert not found.complete
    assert len(found.edges) >= 1500


@pytest.mark.parametrize(("count", "block"), [(1, 4), (2, 4), (30, 7), (49, 64)])
@pytest.mark.parametrize("by_target", [False, True])
def test_every_pair_is_listed_once_and_those_of_a_mark_together(monkeypatch, count, block, by_target):
    monkeypatch.setattr(module, "BLOCK", block)
    net = Network(ring(max(count, 3)), np.ones(2 * max(count, 3), np.int32))
    used, working = np.arange(count), [np.array([n]) for n in range(count)]
    pairs = np.concatenate([*module.pair_blocks(net, used, working, 0, by_target), np.zeros((0, 5), np.int32)])
    assert sorted(map(tuple, pairs[:, :2].tolist())) == [(a, b) for a in range(count) for b in range(count) if a != b]
    marks = pairs[:, 4].tolist()
    assert (np.diff(marks) >= 0).all()
    assert len({(mark, target) for mark, target in zip(marks, pairs[:, 1].tolist(), strict=True)}) == len(set(marks))
    assert len(set(marks)) == (count if by_target and count > 1 else len(pairs))


def test_paths_that_depend_on_queues_are_found():
    """UGAL leaves the minimal paths only with occupied queues."""
    walk = Walk(build("polarfly", q=3, endpoints_per_router=1), "ugal")
    found = dependencies(walk.network, walk.prepared, walk.candidates.address, walk.channels, SIZES)
    idle, around = plain(walk), plain(Walk(walk.topology, "valiant"))
    assert idle < edges(found)
    assert edges(found) & (around - idle)
    assert found.ascending
    assert found.cycle == ()


def test_deferred_candidates_are_found():
    """Polarized packets take the best candidate, and any of the others once it is the best."""
    topology = build("polarfly", q=3, endpoints_per_router=1)
    patient, hasty = (Walk(topology, "polarized", {"patient": patient}) for patient in (True, False))
    found = dependencies(patient.network, patient.prepared, patient.candidates.address, patient.channels, SIZES)
    assert edges(found) == plain(hasty)


def test_draws_of_packets_are_repeated_until_nothing_new_comes():
    """With random intermediates one round covers only some of the paths."""
    walk = Walk(build("polarfly", q=3, endpoints_per_router=1), "valiant")
    found = dependencies(walk.network, walk.prepared, walk.candidates.address, walk.channels, SIZES)
    once = walk.dependencies(creations=1)[0]
    assert len(found.edges) > len(once.edges)
    assert found.cycle == ()


def test_too_few_channels_close_the_dateline():
    """Dimension order on a ring without its second channel."""
    walk = Walk(build("torus", sizes=(6,)), "dimension_order")
    prepared = type(walk.prepared)(1, walk.prepared.tables._replace(dateline=0))
    found = dependencies(walk.network, prepared, walk.candidates.address, 1, SIZES)
    assert len(found.cycle) == 6
    assert networkx.is_directed_acyclic_graph(networkx.DiGraph(found.edges.tolist())) is False


def test_a_sample_is_reported_and_reproducible():
    found, again = (of(reference("sf5"), states=300) for _ in range(2))
    assert 0 < found.pairs < found.all_pairs == 50 * 49
    assert not found.complete
    assert found.edges.tolist() == again.edges.tolist()
    whole = of(reference("sf5"))
    assert whole.complete
    assert edges(found) < edges(whole)


def test_pairs_with_many_states_are_left_out(monkeypatch):
    # 50 routers of degree 7: at most 350 channels, each followed by 6 at another router.
    assert len(of(reference("sf5")).edges) == 350 * 6
    monkeypatch.setattr(module, "PAIR_STATES", 4)
    monkeypatch.setattr(module, "TARGET_STATES", 4)
    walk = Walk(build("hypercube", dimensions=4), "minimal")
    alone = replace(walk.prepared, by_target=False)
    found = dependencies(walk.network, alone, walk.candidates.address, walk.channels, SIZES)
    # At distance 4 there are four links from the source and twelve behind them; at distance 3, three and six.
    near = sum(1 for s, t in walk.pairs() if (s ^ t).bit_count() < 3)
    assert (found.pairs, found.all_pairs) == (near, 240)


def test_a_table_that_is_full_ends_the_check(monkeypatch):
    """Room for 20 queues of one word, of 350 that packets occupy while they request others."""
    monkeypatch.setattr(module, "MAX_BYTES", 20 * 8)
    found = of(reference("sf5"))
    assert not found.complete
    assert len(np.unique(found.edges[:, 0])) == 20


def test_pairs_that_died_are_left_out():
    """Without two neighboring routers a ring is a path."""
    topology = ring(6)
    net = Network(topology, np.ones(12, np.int32))
    at = np.full(6, NEVER)
    at[:2] = 0
    left, prepared, faults = stages(net, one_channel.prepare, np.full(12, NEVER), at)
    assert isinstance(faults[0], Fault)
    found = dependencies(left, prepared, one_channel.candidates.address, 1, SIZES, failed=faults[0].failed)
    assert found.all_pairs == 12
    assert found.cycle == ()


def test_a_router_with_a_label_has_one_number_in_a_level():
    seen, nodes = np.zeros((8, 2), np.int32), np.zeros((2, 4, 2), np.int32)
    found, entries = [], [(5, 0), (7, 0), (5, 1), (7, 0), (5, 0)]
    for level in (1, 2):
        count = 0
        for router, label in entries:
            found.append(int(kernel.place_of(seen, nodes, 0, count, level, router, label)))
            count = max(count, found[-1] + 1)
    assert found == [0, 1, 2, 1, 0] * 2
    assert nodes[0, :3].tolist() == [[5, 0], [7, 0], [5, 1]]
