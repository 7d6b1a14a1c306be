"""The packet engine against hand calculation and against its own books."""

import dataclasses
import math
import sys

import numpy as np
import pytest
from shared import invariants, one_channel
from shared.networks import case, network, reference, ring, seed

from planner.kernels.packet import loop, records
from planner.network.topology import build
from planner.simulation import RouterSettings, embed, state
from planner.simulation.engine import Run
from planner.simulation.faults import NEVER
from planner.simulation.routing import polarized
from planner.simulation.traffic import uniform


def measured(made, load, number=1, **options):
    return Run(made, load, seed(number)).measure(lambda now: None, **options)


def mean_delay(measures):
    return measures.delay_sum / measures.delivered


def alone(topology, link_cycles, router_cycles, packet_phits=16):
    """Return the delays seen at a load so low that no packet meets another."""
    made = case(
        topology, link_cycles, router_cycles=router_cycles, packet_phits=packet_phits, warmup=0, cycles=200_000, input_packets=20
    )
    measures = measured(made, 0.0005)
    assert measures.delivered > 5
    return np.flatnonzero(measures.delays).tolist()


@pytest.mark.parametrize(
    ("packet_phits", "router_cycles", "expected"),
    [
        # Cable 2 + router + link 5 + router + cable 3, then the other phits of the packet.
        (16, 4, 2 + 4 + 5 + 4 + 3 + 15),
        (1, 4, 2 + 4 + 5 + 4 + 3),
        (4, 0, 2 + 5 + 3 + 3),
        (16, 300, 2 + 300 + 5 + 300 + 3 + 15),
    ],
)
def test_delay_without_load_between_two_routers(packet_phits, router_cycles, expected):
    assert alone(network([(0, 1)], [0, 1]), [5, 2, 3], router_cycles, packet_phits) == [expected]


def test_delay_without_load_on_one_router():
    assert alone(network([], [0, 0]), [7, 9], 2) == [7 + 2 + 9 + 15]


def test_delay_without_load_on_a_ring():
    # Links in order: 0-1, 0-4, 1-2, 2-3, 3-4; the path from 0 to 2 is via 1.
    topology = network([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], [0, 2])
    assert alone(topology, [11, 1, 700, 1, 1, 6, 8], 3) == [6 + 3 + 11 + 3 + 700 + 3 + 8 + 15]


@pytest.mark.parametrize("load", [0.2, 0.9])
@pytest.mark.parametrize("settings", [{}, {"input_packets": 1, "output_packets": 1}, {"link_cycles": 9, "router_cycles": 5}])
def test_every_place_credit_and_packet_is_accounted_for(load, settings):
    run = Run(case(ring(6, 3), take_turns=1, **settings), load, seed())
    for cycles in (1, 1, 7, 40, 100, 301, 550):
        assert run.advance(cycles) == records.FINE
        invariants.check(run)


@pytest.mark.slow
def test_created_packets_are_delivered_in_flight_or_at_their_sources():
    run = Run(case(reference("sf5"), channels=4), 0.9, seed(3))
    states = run.engine.source_state.copy()
    started = run.engine.endpoint["created"].copy()
    for _ in range(4):
        run.advance(333)
        created = sum(creations(run, *source) for source in zip(states, started, strict=True))
        tally = run.engine.tally[0]
        source_backlog = run.created() - tally["injected"]
        in_flight = tally["fresh_packets"] - tally["free_packets"]
        assert created == tally["delivered"] + in_flight + source_backlog
        assert source_backlog > 0


def creations(run, state, first):
    """Return how many packets a source creates before the present cycle, by plain arithmetic."""
    state, time, count = int(state), int(first), 0
    while time < run.now:
        count += 1
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
        drawn = ((mixed ^ (mixed >> 31)) >> 11) / 2**53
        time += 1 + int(math.log(1 - drawn) / run.engine.source_numbers[0, 0])
    return count


def test_result_does_not_depend_on_the_chunk_size():
    made = case(reference("sf5"), warmup=300, cycles=700)
    a, b = measured(made, 0.7, chunk=1000), measured(made, 0.7, chunk=17)
    for field in dataclasses.fields(a):
        np.testing.assert_array_equal(getattr(a, field.name), getattr(b, field.name))


@pytest.mark.parametrize("load", [0.1, 0.4])
def test_below_saturation_all_is_accepted(load):
    made = case(reference("sf5"), warmup=2000, cycles=20_000)
    measures = measured(made, load)
    expected = load * made.cycles * 200 / made.packet_phits
    # Creations are a binomial; deliveries differ from them by the packets in flight at both ends.
    assert abs(measures.generated - expected) < 4 * math.sqrt(expected)
    assert abs(measures.delivered - measures.generated) < 4 * math.sqrt(expected) * 0.5


def test_no_link_carries_more_than_a_phit_a_cycle_and_none_beats_the_load_bound():
    topology = ring(8, 4)
    made = case(topology, warmup=3000, cycles=10_000, channels=4)
    measures = measured(made, 1.0)
    ports = made.network.link_ports.reshape(-1)
    carried = measures.sent[ports] / made.cycles
    assert carried.max() <= 1
    # 32 endpoints on 16 channels; a packet takes 64/31 hops on average over other endpoints.
    bound = 16 / (32 * (4 * (1 + 1 + 2 + 2 + 3 + 3 + 4) / 31))
    accepted = measures.delivered * made.packet_phits / made.cycles / 32
    assert 0.7 * bound < accepted < 1.01 * bound


def test_hops_are_the_distances_of_uniform_traffic():
    made = case(ring(5, 2), cycles=30_000)
    measures = measured(made, 0.2)
    share = measures.hops[:4] / measures.delivered
    np.testing.assert_allclose(share, [1 / 9, 4 / 9, 4 / 9, 0], atol=0.02)


def test_sources_are_served_alike():
    measures = measured(case(ring(6, 2), cycles=30_000), 0.9)
    assert measures.by_source.min() > 0.8 * measures.by_source.mean()


@pytest.mark.slow
def test_more_virtual_channels_than_a_port_has_bits_for():
    run = Run(case(ring(70, 1), link_cycles=1, cycles=3000), 0.05, seed())
    run.clear()
    assert run.case.channels == 35
    for _ in range(10):
        assert run.advance(300) == records.FINE
        invariants.check(run)
    hops = run.measures(records.FINE).hops
    assert hops[33:36].min() > 0
    assert hops[36:].sum() == 0


@pytest.mark.parametrize("load", [0.3, 1.0])
def test_asking_in_advance_changes_no_result(load):
    made = case(reference("rrg96"), warmup=100, cycles=900)
    plain, ahead = Run(made, load, seed()), Run(made, load, seed())
    assert plain.rules.prefetch == 0
    assert plain.rules.target_bytes == 4
    ahead.rules = ahead.rules._replace(prefetch=1)
    first, second = (run.measure(lambda now: None) for run in (plain, ahead))
    assert first.delivered > 1000
    assert (first.delays == second.delays).all()
    assert (first.sent == second.sent).all()
    assert (plain.engine.packet["next"] == ahead.engine.packet["next"])[: plain.engine.tally[0].fresh_packets].all()


def polarized_case(topology, **settings):
    made = case(topology, warmup=100, **settings)
    prepared = polarized.prepare(made.network)
    return dataclasses.replace(made, routing="polarized", prepared=prepared, channels=prepared.virtual_channels)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"input_packets": 1, "output_packets": 1}, {"link_cycles": 9, "router_cycles": 5}])
def test_slots_and_free_space_are_conserved_with_candidate_classes(settings):
    run = Run(polarized_case(reference("sf5"), **settings), 0.9, seed())
    assert run.rules.classes == 3
    for cycles in (1, 40, 100, 301, 550):
        assert run.advance(cycles) == records.FINE
        invariants.check(run)
    assert run.engine.router["waiting"].sum() > 0


@pytest.mark.parametrize(("routers", "degree", "words"), [(96, 9, 1), (60, 40, 2)])
def test_candidates_by_masks_are_those_by_hops(routers, degree, words, monkeypatch):
    topology = build("jellyfish", routers=routers, degree=degree, endpoints_per_router=4)
    by_masks = polarized_case(topology, cycles=600)
    assert by_masks.prepared.target_bytes == 4 * (2 * words + 1)
    monkeypatch.setattr(polarized, "MAX_BYTES", 0)
    by_hops = polarized_case(topology, cycles=600)
    assert by_hops.prepared.weights == ()
    assert by_hops.prepared.target_bytes == 0
    first, second = measured(by_masks, 0.8), measured(by_hops, 0.8)
    assert first.delivered > 1000
    assert (first.delays == second.delays).all()
    assert (first.sent == second.sent).all()


@pytest.mark.slow
@pytest.mark.parametrize(("load", "channels"), [(0.5, None), (1.0, None), (0.5, 2)])
def test_comparing_classes_in_the_engine_changes_no_result(load, channels, monkeypatch):
    """With two virtual channels packets that need a third are dropped."""
    made = polarized_case(reference("rrg96"), cycles=900)
    made = dataclasses.replace(made, channels=channels or made.channels)
    stored = Run(made, load, seed())
    assert stored.rules.classes == stored.engine.class_ports.shape[1] == 3
    monkeypatch.setattr(state, "MAX_PACKETS", 0)
    listed = Run(made, load, seed())
    assert listed.rules.classes == 0
    first, second = (run.measure(lambda now: None) for run in (stored, listed))
    assert first.delivered > 1000
    assert first.dropped == second.dropped
    assert (first.dropped > 0) == (channels is not None)
    assert (first.delays == second.delays).all()
    assert (first.sent == second.sent).all()
    assert (stored.engine.class_ports != 0).any()


def test_oblivious_packets_do_not_change_their_port():
    """Between opposite corners of a square both paths are drawn about equally often."""
    topology = network([(0, 1), (1, 2), (2, 3), (3, 0)], [0, 2])
    made = case(topology, cycles=30_000)
    oblivious = dataclasses.replace(made.prepared, tables=made.prepared.tables._replace(adaptive=0))
    made = dataclasses.replace(made, prepared=oblivious)
    measures = measured(made, 0.5)
    sent = measures.sent[made.network.link_ports]
    assert sent.sum() == pytest.approx(2 * measures.delivered * made.packet_phits, rel=0.01)
    assert sent.min() > 0.4 * sent.max()


def test_a_network_that_locks_up_is_reported(monkeypatch):
    monkeypatch.setitem(sys.modules, "outside.one_channel", one_channel)
    made = case(ring(6, 2), input_packets=1, output_packets=1, channels=1, cycles=50_000)
    made = dataclasses.replace(made, routing="outside.one_channel", prepared=one_channel.prepare(made.network))
    run = Run(made, 1.0, seed())
    measures = run.measure(lambda now: None)
    assert 0 < measures.deadlock < 50_000
    invariants.check(run)
    moving = (records.ARRIVE, records.MOVED, records.SENT, records.DELIVER)
    assert not any(invariants.scheduled(run.engine)[kind] for kind in moving)


def test_all_runs_share_one_compiled_loop():
    for made in (reference("sf5"), ring(6, 2)):
        Run(case(made), 0.1, seed())
        assert len(loop.run.signatures) <= 1


def test_sources_of_a_failed_router_create_nothing_more():
    """Packets created are those sent and those that wait, before and after a fault that stops some sources."""
    topology = build("slimfly", q=5, endpoints_per_router=3)
    delays = np.full(topology.link_count + topology.endpoint_count, 60_000, np.int64)
    fails = np.full(topology.router_count, NEVER)
    fails[7] = 3000
    made = embed(topology, delays, RouterSettings(), router_delay_ps=300_000, rate_gbps=200, router_fails_at=fails).case
    run = Run(dataclasses.replace(made, traffic="uniform", table=uniform.prepare(topology, 0), cycles=4000), 1.0, seed())
    own, sent, waiting = topology.endpoint_router == 7, [], []
    for end in (3000, 3001, 4000):
        run.advance(end - run.now)
        sent.append(run.engine.endpoint["sent"].copy())
        waiting.append(run.waiting())
        assert run.created() == run.engine.tally[0].injected + waiting[-1].sum() == sent[-1].sum() + waiting[-1].sum()
    assert waiting[0][own].sum() > 0
    assert not waiting[1][own].any()
    assert not waiting[2][own].any()
    assert (sent[1][own] == sent[2][own]).all()
    assert (sent[2][~own] > sent[1][~own]).all()
    assert (waiting[2] >= 0).all()
