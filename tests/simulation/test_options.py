"""Arbitration, limits of the crossbar, rates of links, time in queues and faults."""

import dataclasses

import numpy as np
import pytest
from shared import invariants
from shared.networks import case, faulty, network, reference, ring, seed

from planner.core.errors import InputError
from planner.kernels.packet import records
from planner.simulation import simulate
from planner.simulation.engine import Run
from planner.simulation.faults import NEVER
from planner.simulation.routing import minimal, polarized

OPTIONS = [
    {"arbitration": records.ROUND_ROBIN},
    {"arbitration": records.AGE},
    {"input_speedup": 1},
    {"input_speedup": 2, "arbitration": records.AGE},
    {"rates": (2.0, 1.0), "crossbar_speedup": 2},
    {"crossbar_speedup": 5},
    {"rates": (1.0, 0.5), "input_speedup": 1, "arbitration": records.ROUND_ROBIN},
]


def made_case(topology, rates=None, **settings):
    """Return a case; `rates` are those of links and of endpoints."""
    made = case(topology, **settings)
    if rates is None:
        return made
    each = np.repeat(rates, [topology.link_count, topology.endpoint_count])
    return dataclasses.replace(made, network=dataclasses.replace(made.network, rates=each))


@pytest.mark.parametrize("options", OPTIONS)
def test_every_place_credit_and_packet_is_accounted_for(options):
    run = Run(made_case(ring(6, 3), channels=3, **options), 0.7, seed())
    for cycles in (1, 1, 7, 40, 100, 301, 550):
        assert run.advance(cycles) == records.FINE
        invariants.check(run)


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
def test_result_does_not_depend_on_the_chunk_size(options):
    made = made_case(reference("sf5"), warmup=300, cycles=700, occupancy=True, **options)
    a, b = (Run(made, 0.7, seed()).measure(lambda now: None, chunk=chunk) for chunk in (1000, 17))
    for field in dataclasses.fields(a):
        np.testing.assert_array_equal(getattr(a, field.name), getattr(b, field.name))


@pytest.mark.parametrize(
    ("rates", "crossbar_speedup", "expected"),
    [
        # Cables of 5 and 3 cycles to the endpoints and a link of 2, packets of 16 phits: the slowest part holds up the last phit.
        ((2.0, 2.0), 2, 5 + 2 + 3 + 8 - 1),
        ((2.0, 2.0), 1, 5 + 2 + 3 + 16 - 1),
        ((2.0, 1.0), 2, 5 + 2 + 3 + 16 - 1),
        ((0.25, 1.0), 1, 5 + 2 + 3 + 64 - 1),
        ((1.0, 0.3), 1, 5 + 2 + 3 + 54 - 1),
    ],
)
def test_delay_without_load_by_rate(rates, crossbar_speedup, expected):
    topology = network([(0, 1)], [0, 1])
    made = made_case(
        topology,
        rates=rates,
        link_cycles=[2, 5, 3],
        warmup=0,
        cycles=200_000,
        input_packets=20,
        crossbar_speedup=crossbar_speedup,
    )
    measures = Run(made, 0.0005, seed()).measure(lambda now: None)
    assert measures.delivered > 5
    assert np.flatnonzero(measures.delays).tolist() == [expected]


def test_a_fast_link_carries_two_slow_endpoints():
    """Three endpoints on each of two routers, links at rate 2: each sends 3/5 of its load over the link."""
    topology = network([(0, 1)], [0, 0, 0, 1, 1, 1])
    for rate, accepted in ((1.0, 1 / 1.8), (2.0, 1.0)):
        made = made_case(topology, rates=(rate, 1.0), crossbar_speedup=2, channels=8, cycles=20_000)
        measures = Run(made, 1.0, seed()).measure(lambda now: None)
        load = measures.delivered * 16 / 20_000 / 6
        assert 0.85 * accepted < load <= 1.01 * accepted


def test_one_input_port_sends_one_packet_at_a_time():
    """Endpoint 0 sends to two others; its port passes a phit a cycle, as its cable does, so that the limit has no effect."""
    run = Run(made_case(ring(6, 3), input_speedup=1, channels=3), 0.9, seed())
    for _ in range(300):
        run.advance(1)
        assert run.engine.port["taking"].max() <= 1
        moving = np.flatnonzero(run.engine.input["output"] != records.NONE) // 3
        np.testing.assert_array_equal(np.bincount(moving, minlength=len(run.engine.port)), run.engine.port["taking"])


def test_the_oldest_goes_first():
    """Beyond saturation age makes the worst delay shorter than chance does."""
    longest = {}
    for arbitration in (records.RANDOM, records.AGE):
        made = made_case(ring(8, 2), arbitration=arbitration, warmup=2000, cycles=10_000)
        longest[arbitration] = np.flatnonzero(Run(made, 0.45, seed()).measure(lambda now: None).delays).max()
    assert longest[records.AGE] < longest[records.RANDOM]


def test_time_in_queues_is_what_sampling_sees():
    made = made_case(ring(5, 2), warmup=100, cycles=400, occupancy=True, channels=2)
    measures = Run(made, 0.6, seed()).measure(lambda now: None)
    run = Run(made, 0.6, seed())
    run.advance(100)
    engine, ports = run.engine, run.rules.routers_end
    in_input, in_output = np.zeros(ports * 2), np.zeros(ports * 2)
    for _ in range(400):
        run.advance(1)
        in_input += [len(invariants.members(engine, queue)) for queue in engine.input]
        in_input += engine.input["output"] != records.NONE
        in_output += 2 - engine.output["space"][: ports * 2]
    np.testing.assert_allclose(measures.input_occupancy.reshape(-1), in_input / 400, rtol=1e-6)
    np.testing.assert_allclose(measures.output_occupancy.reshape(-1), in_output / 400, rtol=1e-6)
    assert in_input.sum() > 0


@pytest.mark.slow
@pytest.mark.parametrize("arbitration", [records.RANDOM, records.AGE])
@pytest.mark.parametrize(
    "outages",
    [
        {"cables": [(0, 300), (1, 300), (2, 301)]},
        {"cables": [(3, 0), (20, 250), (176, 401)]},
        {"routers": [(7, 300)]},
        {"routers": [(7, 0), (9, 333)], "cables": [(50, 333), (51, 500)]},
    ],
)
@pytest.mark.parametrize("routing", [minimal, polarized])
def test_packets_are_delivered_in_flight_or_dropped(outages, arbitration, routing):
    made = faulty(
        reference("sf5"), **outages, prepare=routing.prepare, routing=routing.__name__.rpartition(".")[2], warmup=0, cycles=2000,
        arbitration=arbitration, occupancy=True,
    )  # fmt: skip
    run = Run(made, 0.9, seed())
    for cycles in (1, 299, 1, 32, 1, 67, 1, 1, 97, 1, 1000):
        assert run.advance(cycles) == records.FINE
        invariants.check(run)
    assert run.engine.tally[0].dropped > 0
    failed = run.engine.port["failed"] != 0
    sent = run.engine.port["sent"].copy()
    run.advance(500)
    np.testing.assert_array_equal(run.engine.port["sent"][failed], sent[failed])
    held = [
        run.engine.output[queue]["head"]
        for port in np.flatnonzero(failed)
        for queue in range(made.channels * port, made.channels * (port + 1))
    ]
    assert set(held) <= {records.NONE}


def test_traffic_is_routed_around_a_failed_link():
    """A square loses one link: all else is delivered, over the other three."""
    topology = network([(0, 1), (1, 2), (2, 3), (0, 3)], [0, 1, 2, 3])
    made = faulty(topology, cables=[(0, 5000)], warmup=6000, cycles=20_000)
    measures = Run(made, 0.1, seed()).measure(lambda now: None)
    assert measures.dropped == 0
    assert abs(measures.generated - measures.delivered) < 10
    # Hops between all 12 pairs on a path of four routers: 3 x 1, 2 x 2, 1 x 3, in both directions.
    np.testing.assert_allclose(measures.hops[1:4] / measures.delivered, [6 / 12, 4 / 12, 2 / 12], atol=0.03)
    sides = measures.sent[made.network.link_ports]
    assert sides[0].sum() == 0
    assert sides[1:].min() > 0


def test_failed_from_the_start_equals_a_network_without():
    """The same graph without the link: the same hops, the same accepted load."""
    whole = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]
    made = faulty(network(whole, [0, 1, 2, 3]), cables=[(1, 0)], cycles=30_000)
    a = Run(made, 0.3, seed()).measure(lambda now: None)
    links = sorted(whole)
    links.pop(1)
    b = Run(case(network(links, [0, 1, 2, 3]), cycles=30_000), 0.3, seed()).measure(lambda now: None)
    assert a.generated == b.generated
    np.testing.assert_allclose(a.hops / a.delivered, b.hops / b.delivered, atol=0.02)


def test_packets_for_a_failed_router_are_dropped_at_their_source():
    topology = network([(0, 1), (1, 2), (0, 2)], [0, 1, 2])
    made = faulty(topology, routers=[(2, 0)], warmup=0, cycles=20_000)
    run = Run(made, 0.2, seed())
    run.advance(20_000)
    tally = run.engine.tally[0]
    # Two sources are left, and half of their packets go to the failed router.
    assert tally.dropped / tally.injected == pytest.approx(0.5, abs=0.05)
    assert tally.injected == pytest.approx(2 * 0.2 / 16 * 20_000, rel=0.15)


def test_faults_that_cut_the_network_are_refused():
    with pytest.raises(InputError, match=r"no path from router 0 .* after the faults of cycle 70"):
        faulty(network([(0, 1), (1, 2)], [0, 1, 2]), cables=[(1, 70)])
    with pytest.raises(InputError, match="fewer than two endpoints"):
        faulty(network([(0, 1)], [0, 1]), routers=[(1, 70)])


def test_simulate_takes_rates_and_faults():
    """Two endpoints on each of four routers in a ring; one link fails at the start, one router later."""
    topology = ring(4, 2)
    cables = topology.link_count + topology.endpoint_count
    given = {"router_delay_ps": 0, "rate_gbps": 400, "seed": 1, "loads": (0.2,), "warmup": 500, "cycles": 2000}
    failed = np.full(cables, NEVER)
    failed[1] = 0
    rates = np.repeat([2.0, 0.5], [topology.link_count, topology.endpoint_count])
    result = simulate(topology, np.zeros(cables), link_rate=rates, cable_fails_at=failed, **given)
    assert result.link_load[0, 2:4].tolist() == [0, 0]
    assert result.accepted[0] == pytest.approx(0.2, rel=0.1)
    assert result.virtual_channels == 3
    for wrong, words in (
        ({"link_rate": np.ones(3)}, r"link_rate: has shape \(3,\); give 12 values"),
        ({"link_rate": np.zeros(cables)}, "must be above 0 for every cable"),
        ({"router_fails_at": np.zeros(5)}, "router_fails_at: has shape"),
        ({"crossbar_speedup": 0}, "crossbar_speedup: must be greater than 0"),
        ({"input_speedup": -1}, "input_speedup: must be greater than or equal to 0"),
    ):
        with pytest.raises(InputError, match=words):
            simulate(topology, np.zeros(cables), **given, **wrong)
