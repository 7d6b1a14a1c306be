"""The packet engine against cases solved on paper and against queueing theory."""

import dataclasses
import math
import sys

import fixed_target
import numpy as np
import pytest
from networks import case, network, seed

from planner.kernels.packet import records
from planner.kernels.packet.wheel import schedule
from planner.simulation.engine import Run


@pytest.fixture(autouse=True)
def outside(monkeypatch):
    monkeypatch.setitem(sys.modules, "outside.fixed_target", fixed_target)


def sending(topology, targets, **settings):
    """Return a case in which every endpoint has one target."""
    made = case(topology, **settings)
    return dataclasses.replace(made, traffic="outside.fixed_target", table=fixed_target.prepare(topology, 0, targets))


def delays(made, created, cycles=120):
    """Return the delays, ascending; each source creates a packet in every cycle from `created` on, none where it is None."""
    run = Run(made, 0.5, seed())
    run.engine.source_numbers[:, 0] = -math.inf
    run.engine.endpoint["created"] = [records.NEVER if cycle is None else cycle for cycle in created]
    for source, cycle in enumerate(created):
        if cycle is not None:
            schedule(run.engine, cycle, (run.rules.routers_end + source) * 8 + records.WAKE)
    run.advance(cycles)
    return np.repeat(np.arange(len(run.engine.delays)), run.engine.delays).tolist()


CABLES = {"link_cycles": [5, 1, 1, 1, 1], "router_cycles": 2, "channels": 1}
PAIR = network([(0, 1)], [0, 0, 1, 1])
ALONE = 1 + 2 + 5 + 2 + 1 + 15


def test_two_packets_for_one_link():
    """Both are at the heads of their queues in cycle 13; the second moves when the first has left its place, 16 cycles later."""
    made = sending(PAIR, [2, 3, 0, 1], **CABLES)
    assert delays(made, [10, 10, None, None], cycles=10 + ALONE + 17) == [ALONE, ALONE + 16]


def test_a_crossbar_twice_as_fast_changes_nothing_for_a_link():
    made = sending(PAIR, [2, 3, 0, 1], crossbar_speedup=2, **CABLES)
    assert delays(made, [10, 10, None, None], cycles=10 + ALONE + 17) == [ALONE, ALONE + 16]


def test_two_packets_for_two_endpoints_of_their_router_do_not_meet():
    made = sending(PAIR, [1, 0, 3, 2], **CABLES)
    assert delays(made, [10, 10, None, None], cycles=10 + 35) == [1 + 2 + 1 + 15] * 2


def test_two_packets_out_of_one_port_that_sends_one_at_a_time():
    """Over the link come packets for endpoints 2 and 3, on one virtual channel: the port holds them in order anyway."""
    made = sending(PAIR, [2, 3, 0, 1], input_speedup=1, **CABLES)
    assert delays(made, [10, 10, None, None], cycles=10 + ALONE + 17) == [ALONE, ALONE + 16]


@pytest.mark.parametrize("credit_cycles", [0, 4])
def test_queues_for_one_packet(credit_cycles):
    """The second packet, created at 11, waits for the credit of the link.

    The first one enters the link in cycle 13, is at the head of its queue at 13 + 5 + 2 and leaves that
    with its last phit 15 cycles later; the credit takes 5 cycles back.
    """
    made = sending(PAIR, [2, 3, 0, 1], input_packets=1, credit_cycles=credit_cycles, **CABLES)
    turn = 5 + 2 + 15 + 5 + credit_cycles
    seen = delays(made, [10, None, None, None], cycles=10 + ALONE + 2 * turn)
    assert seen[:2] == [ALONE, ALONE + turn - 1]


def test_a_ring_of_three_by_turns():
    """Every router sends to the next: three packets that never meet, a phit a cycle each."""
    made = sending(network([(0, 1), (1, 2), (0, 2)], [0, 1, 2]), [1, 2, 0], link_cycles=[5, 5, 5, 1, 1, 1], router_cycles=2)
    assert delays(made, [10, 10, 10], cycles=10 + ALONE + 1) == [ALONE] * 3


@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
def test_one_queue_against_theory(load):
    """A source is a discrete queue with Bernoulli arrivals p and service S: the mean wait is p S (S - 1) / (2 (1 - p S)).

    References
    ----------
    .. [1] H. Takagi, "Queueing Analysis 3: Discrete-Time Systems", 1993: Geo/G/1, late arrivals.
    """
    made = sending(network([(0, 1)], [0, 1]), [1, 0], cycles=1_000_000, warmup=5000, link_cycles=[5, 1, 1], router_cycles=2)
    measures = Run(made, load, seed()).measure(lambda now: None)
    wait = measures.delay_sum / measures.delivered - ALONE
    assert wait == pytest.approx(load * 15 / (2 * (1 - load)), rel=0.04)


def test_many_sources_on_one_link_against_theory():
    """Forty sources share a link: nearly M/D/1, whose mean wait is rho S / (2 (1 - rho)); the load of each source adds little."""
    count, load = 40, 0.6
    topology = network([(0, 1)], [0] * count + [1] * count)
    targets = [count + i for i in range(count)] + [i for i in range(count)]
    made = sending(topology, targets, cycles=400_000, warmup=5000, router_cycles=2, output_packets=8)
    measures = Run(made, load / count, seed()).measure(lambda now: None)
    wait = measures.delay_sum / measures.delivered - (1 + 2 + 1 + 2 + 1 + 15)
    at_source = load / count * 15 / (2 * (1 - load / count))
    assert wait - at_source == pytest.approx(load * 16 / (2 * (1 - load)), rel=0.05)
