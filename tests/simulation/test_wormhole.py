"""Wormhole switching against hand calculation, its own books, and a plain engine of the same model."""

import dataclasses
import sys

import numpy as np
import pytest
from shared import fixed_target, invariants, one_channel
from shared.networks import case, network, reference, ring, seed
from shared.plain_wormhole import PlainWormhole
from shared.scripted import delays, on_tree, sending

from planner.core.errors import InputError, PlannerWarning
from planner.kernels.packet import records
from planner.simulation import simulate
from planner.simulation.engine import Run
from planner.simulation.faults import NEVER


def wormhole(input_phits=64, packet_phits=16, crossbar_speedup=2, **settings):
    """Return the settings of a case with wormhole switching."""
    return {
        "input_phits": input_phits, "input_packets": -(-input_phits // packet_phits), "output_packets": 0,
        "packet_phits": packet_phits, "crossbar_speedup": crossbar_speedup,
        "router_cycles": {1: 2, 2: 1}.get(crossbar_speedup, 0), **settings,
    }  # fmt: skip


@pytest.fixture(autouse=True)
def outside(monkeypatch):
    monkeypatch.setitem(sys.modules, "outside.one_channel", one_channel)
    monkeypatch.setitem(sys.modules, "outside.fixed_target", fixed_target)


PAIR = network([(0, 1)], [0, 0, 1, 1])


@pytest.mark.parametrize("crossbar_speedup", [1, 2, 3, 5])
@pytest.mark.parametrize("input_phits", [16, 21, 64])
def test_delay_without_load_between_two_routers(crossbar_speedup, input_phits):
    made = sending(
        PAIR,
        [2, 3, 0, 1],
        channels=1,
        **wormhole(input_phits, 16, crossbar_speedup, router_cycles=4, link_cycles=[3, 2, 1, 1, 2]),
    )
    assert delays(made, [10, None, None, None], cycles=45)[0] == 2 + 4 + 3 + 4 + 1 + 15


def test_a_queue_smaller_than_a_packet():
    """Two phits leave for the link, two more when their credits are back after 5 + 5 cycles, and so on.

    The first leaves when it comes, a cycle after its creation; the last one is the second of the eighth pair.
    """
    made = sending(PAIR, [2, 3, 0, 1], channels=1, **wormhole(2, 16, 3, link_cycles=[5, 1, 1, 1, 1]))
    assert delays(made, [10, None, None, None], cycles=10 + 79)[0] == 1 + (7 * 10 + 1) + 5 + 1


@pytest.mark.parametrize("credit_cycles", [0, 3])
def test_one_phit_at_a_time(credit_cycles):
    """With room for one phit each crosses the link alone: of two phits the second follows a round trip later."""
    made = sending(PAIR, [2, 3, 0, 1], channels=1, **wormhole(1, 2, 3, link_cycles=[5, 1, 1, 1, 1], credit_cycles=credit_cycles))
    assert delays(made, [10, None, None, None], cycles=10 + 7 + 10 + credit_cycles + 1)[0] == 7 + 10 + credit_cycles


def test_a_blocking_packet_holds_its_channel():
    """Both go over the link on one channel, which the second may take when the last phit of the first has crossed."""
    made = sending(PAIR, [2, 3, 0, 1], channels=1, **wormhole(link_cycles=[5, 1, 1, 1, 1]))
    alone = 1 + 1 + 5 + 1 + 1 + 15
    seen = delays(made, [10, 10, None, None], cycles=10 + alone + 18)
    assert seen == [alone, alone + 16]


def test_phits_of_two_packets_interleave_on_two_channels():
    """Two packets for one endpoint: each takes a channel of its own, and both are through at nearly the same time."""
    topology = network([], [0, 0, 0])
    made = sending(topology, [2, 2, 0], channels=2, **wormhole(crossbar_speedup=1))
    alone = 1 + 2 + 1 + 15
    seen = delays(made, [10, 10, None], cycles=10 + alone + 17)
    assert seen[0] >= alone + 14
    assert seen[1] == alone + 16


def test_a_ring_of_three_by_turns():
    """Every router sends to the next: three packets that never meet, a phit a cycle each."""
    topology = network([(0, 1), (1, 2), (0, 2)], [0, 1, 2])
    made = sending(topology, [1, 2, 0], **wormhole(link_cycles=[5, 5, 5, 1, 1, 1], crossbar_speedup=1))
    alone = 1 + 2 + 5 + 2 + 1 + 15
    assert delays(made, [10, 10, 10], cycles=10 + alone + 1) == [alone] * 3


@pytest.mark.parametrize("load", [0.2, 0.9])
@pytest.mark.parametrize(
    "settings", [{}, {"input_phits": 5}, {"input_phits": 1, "crossbar_speedup": 1}, {"input_phits": 40, "credit_cycles": 7}]
)
def test_every_place_credit_phit_and_packet_is_accounted_for(load, settings):
    run = Run(case(ring(6, 3), take_turns=1, **wormhole(**settings)), load, seed())
    for cycles in (1, 1, 7, 40, 100, 301, 550):
        assert run.advance(cycles) == records.FINE
        invariants.check_phits(run)
    assert run.engine.tally[0].delivered > 0


def test_result_does_not_depend_on_the_chunk_size():
    made = case(reference("sf5"), warmup=200, cycles=300, **wormhole(12, channels=3))
    a, b = (Run(made, 0.6, seed()).measure(lambda now: None, chunk=chunk) for chunk in (1000, 17))
    for field in dataclasses.fields(a):
        np.testing.assert_array_equal(getattr(a, field.name), getattr(b, field.name))


@pytest.mark.slow
def test_time_in_queues_is_that_of_their_phits():
    made = case(ring(5, 2), occupancy=True, take_turns=1, **wormhole(20, 8))
    run = Run(made, 0.5, seed())
    inputs, lines = np.zeros(run.rules.routers_end * made.channels, np.int64), 0
    for _ in range(600):
        run.advance(1)
        inputs += run.switching[0].lane["phits"][: len(inputs)]
        lines += run.switching[0].side["count"].sum()
    held = run.occupancy()
    np.testing.assert_array_equal(held[0].ravel(), inputs // made.packet_phits)
    assert 0 <= lines / made.packet_phits - held[1].sum() < held[1].size
    tally = run.engine.tally[0]
    assert 0 < run.queued() < tally.injected - tally.delivered
    assert held[1].sum() > 0


def test_a_network_that_locks_up_is_reported():
    made = case(ring(6, 2), channels=1, cycles=50_000, **wormhole(4))
    made = dataclasses.replace(made, routing="outside.one_channel", prepared=one_channel.prepare(made.network))
    run = Run(made, 1.0, seed())
    assert 0 < run.measure(lambda now: None).deadlock < 50_000
    invariants.check_phits(run)
    assert not invariants.scheduled(run.engine)[records.ARRIVE]


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"input_phits": 5, "credit_cycles": 2},
        {"input_phits": 1, "crossbar_speedup": 1},
        {"input_phits": 1, "packet_phits": 4, "crossbar_speedup": 3, "credit_cycles": 1},
        {"input_phits": 3, "packet_phits": 7, "crossbar_speedup": 4, "router_cycles": 2},
        {"input_phits": 2, "packet_phits": 1},
    ],
)
@pytest.mark.parametrize("load", [pytest.param(0.1, marks=pytest.mark.nightly), 0.6])
def test_every_packet_has_the_same_delay_where_nothing_is_left_to_chance(monkeypatch, settings, load):
    targets = [9, 8, 6, 0, 7, 1, 2, 3, 5, 4]
    made, path = on_tree(monkeypatch, targets, **wormhole(**settings))
    plain = PlainWormhole(made, load, seed(), path, targets.__getitem__)
    run = Run(made, load, seed())
    for now in range(1, 1001):
        run.advance(1)
        plain.run(now)
        assert int(run.engine.tally[0].delivered) == len(plain.delivered), now
    assert len(plain.delivered) >= 5
    seen = np.bincount([end - created for _, created, end, _ in plain.delivered], minlength=len(run.engine.delays))
    np.testing.assert_array_equal(run.engine.delays, seen)
    np.testing.assert_array_equal(run.engine.hops, np.bincount([hops for *_, hops in plain.delivered], minlength=256))


@pytest.mark.slow
@pytest.mark.parametrize(("input_phits", "load"), [pytest.param(64, 0.35, marks=pytest.mark.nightly), (6, 0.2)])
def test_delays_agree_where_chance_decides(input_phits, load):
    """Uniform traffic on a ring, several virtual channels: the means of both engines over the same creations."""
    topology = ring(6, 2)
    made = case(topology, warmup=500, cycles=3500, credit_cycles=2, take_turns=1, **wormhole(input_phits))

    def path(router, target, hops):
        row = slice(*topology.indptr[router : router + 2])
        far = made.network.distance
        return [(p, hops) for p, near in enumerate(topology.indices[row]) if far[near, target] < far[router, target]]

    ours, theirs = [], []
    for number in range(4):
        dice = np.random.default_rng(number)
        plain = PlainWormhole(
            made, load, seed(number), path, lambda source, dice=dice: (source + 1 + int(dice.integers(11))) % 12
        )
        plain.run(4000)
        theirs.append(np.mean([end - created for _, created, end, _ in plain.delivered if end >= 500]))
        measures = Run(made, load, seed(number)).measure(lambda now: None)
        ours.append(measures.delay_sum / measures.delivered)
    assert np.mean(ours) == pytest.approx(np.mean(theirs), rel=0.05)


def simulated(topology=PAIR, **settings):
    """Simulate on cables without delay; return the result."""
    usual = {"router_delay_ps": 0, "rate_gbps": 400, "seed": 1, "loads": (0.0005,), "warmup": 0, "cycles": 50_000}
    delay = np.zeros(topology.link_count + topology.endpoint_count, np.int64)
    return simulate(topology, delay, **(usual | settings))


@pytest.mark.parametrize(("crossbar_speedup", "router"), [(1, 2), (2, 1), (3, 0)])
def test_routers_take_at_least_three_steps(crossbar_speedup, router):
    result = simulated(network([(0, 1)], [0, 1]), flow_control="wormhole", crossbar_speedup=crossbar_speedup)
    assert result.delay_mean[0] == result.delay_network[0] == 3 + 2 * router + 15


def test_delay_of_a_preset_is_that_of_the_simulator():
    """A flit of BookSim2 at speed-up 2: two cycles on each channel, and one in each router."""
    assert simulated(network([(0, 1)], [0, 1]), preset="booksim").delay_mean[0] == 3 * 2 + 2 * 1 + 15


def test_queues_too_short_for_the_cable():
    """Of 4 phits the credits are back after 20 cycles on the cable."""
    settings = {"flow_control": "wormhole", "loads": (1.0,), "warmup": 2000, "cycles": 8000, "link_cycles": 10}
    with pytest.warns(PlannerWarning, match="queues of 4 phits limit one virtual channel to 20 %"):
        short = simulated(network([(0, 1)], [0, 1]), input_phits=4, crossbar_speedup=3, **settings)
    assert short.accepted[0] == pytest.approx(4 / 20, rel=0.01)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"input_phits": 64, "flow_control": "cut_through"}, "give input_packets"),
        ({"arbitration": "age"}, "applies to cut-through only"),
        ({"output_packets": 2, "input_speedup": 1}, "applies to cut-through only"),
        ({"input_phits": 8, "input_packets": 1}, "give one of them"),
        ({"link_rate": np.array([2.0, 1, 1, 1, 1])}, "same rate"),
        ({"cable_fails_at": np.array([5, NEVER, NEVER, NEVER, NEVER])}, "does not support faults"),
        ({"input_phits": 0}, "must be greater than 0"),
    ],
)
def test_what_does_not_go_together_is_refused(settings, words):
    with pytest.raises(InputError, match=words):
        simulated(**({"flow_control": "wormhole"} | settings))
