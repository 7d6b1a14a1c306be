"""Loads of links over windows of any length: phits sent in the window, none of before or after."""

import dataclasses

import numpy as np
import pytest
from shared.networks import case, network, reference, ring, run, seed

from planner.kernels.packet import records
from planner.simulation.elements import element
from planner.simulation.embedding import embed_given
from planner.simulation.engine import Run
from planner.simulation.replay import Replay
from planner.simulation.state import phits_sent
from planner.simulation.traffic import uniform

WINDOWS = (1, 2, 5, 16, 17, 40, 100, 500)


def embedded(topology, **settings):
    delays = np.zeros(topology.link_count + topology.endpoint_count)
    return embed_given(topology, delays, router_delay_ps=0, rate_gbps=400, **settings)


def uniformly(made):
    return dataclasses.replace(made.case, traffic="uniform", table=uniform.prepare(made.case.network.topology, 0))


def carried_by_windows(made, load):
    """Yield the length of each window and the phits that each direction of each link sent in it."""
    running, ports = Run(made, load, seed()), made.network.link_ports.reshape(-1)
    running.advance(400)
    for _ in range(12):
        for cycles in WINDOWS:
            running.clear()
            status = running.advance(cycles)
            yield cycles, running.measures(status).sent[ports]


@pytest.mark.slow
@pytest.mark.parametrize("settings", [
    {"preset": "booksim"}, {"preset": "caminos"}, {"preset": "caminos", "packet_phits": 5}, {"crossbar_speedup": 3},
    {"preset": "booksim", "input_phits": 7},
], ids=str)  # fmt: skip
def test_no_link_sends_more_than_a_phit_a_cycle_in_any_window(settings):
    made = uniformly(embedded(reference("sf5"), **settings))
    full = 0
    for cycles, phits in carried_by_windows(made, 1.0):
        assert phits.min() >= 0
        assert phits.max() <= cycles
        assert (phits == np.rint(phits)).all()
        full += int((phits == cycles).sum())
    # Links do get full, so that a limit that is too low would show.
    assert full > 0


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.25, 0.5, 2.0, 3.0])
def test_no_link_beats_its_rate_in_any_window(rate):
    topology = ring(6, 4)
    rates = np.where(np.arange(topology.link_count + topology.endpoint_count) % 2, 1.0, rate)
    made = uniformly(embedded(topology, link_rate=rates))
    limit = np.repeat(rates[: topology.link_count], 2)
    for cycles, phits in carried_by_windows(made, 1.0):
        assert phits.min() >= 0
        assert (phits <= cycles * limit + 1e-9).all()


def test_windows_add_up():
    """What is sent in windows one after the other is what is sent in all of them."""
    made = case(reference("sf5"))
    running, whole = Run(made, 0.9, seed()), Run(made, 0.9, seed())
    total = np.zeros(len(running.engine.port))
    for cycles in WINDOWS * 3:
        running.clear()
        total += running.measures(running.advance(cycles)).sent
    whole.clear()
    np.testing.assert_allclose(total, whole.measures(whole.advance(3 * sum(WINDOWS))).sent, atol=1e-6)


@pytest.mark.slow
def test_a_packet_counts_phit_by_phit():
    """A packet of 16 phits: those sent so far, at every cycle."""
    made = case(network([(0, 1)], [0, 1]), channels=1)
    running = Run(made, 0.01, seed(2))
    port = made.network.link_ports.reshape(-1)
    seen = []
    while len(seen) < 4000:
        running.advance(1)
        seen.append(phits_sent(running.engine, made)[port])
    steps = np.diff(np.array(seen), axis=0)
    assert set(np.unique(steps).tolist()) == {0.0, 1.0}
    assert steps.sum() >= 64


def test_the_printed_load_of_a_short_run_is_at_most_one():
    result = run(reference("sf5"), preset="booksim", loads=(1.0,), warmup=300, cycles=500)
    assert 0.9 < result.link_load.max() <= 1


def test_an_interrupted_motif_counts_what_was_sent_until_then():
    made = embedded(ring(4, 2))
    messages = element("motif", "alltoall", {"bytes": 16384})(8)
    running = Replay(made.case, messages, np.arange(8), made.cycle_ps, 1024, np.random.SeedSequence(1))
    for _ in range(20):
        assert running.advance(23) == records.FINE
        load = running.result("alltoall", records.FINE).link_load
        assert load.min() >= 0
        assert load.max() <= 1
    assert load.max() > 0.4
