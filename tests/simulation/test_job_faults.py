"""Jobs while cables and routers fail: dropped packets are sent again; packets leave a failed intermediate router out."""

import numpy as np
import pytest
from shared.networks import faulty, network, reference, ring

from planner.core.errors import InputError
from planner.kernels.packet import records
from planner.kernels.routing import steps
from planner.kernels.routing.view import candidate_array
from planner.simulation.motif.alltoall import messages as alltoall
from planner.simulation.motif.broadcast import messages as broadcast
from planner.simulation.replay import Replay
from planner.simulation.routing import minimal, ugal, valiant
from planner.simulation.workload import Job, workload

PACKET = 16 * 64
"""Bytes of a packet in these tests."""


def started(made, messages, port, timeout):
    return Replay(made, messages, np.asarray(port), 1280.0, PACKET, np.random.SeedSequence(3), timeout=timeout)


def one_message(packets):
    return broadcast(2, bytes=packets * PACKET)


def test_a_packet_lost_on_a_cable_is_sent_again_around_it():
    """A square whose link between the ranks fails while the packet is on it; cables of 100 cycles, routers of 2."""
    square, cable, router = network([(0, 1), (1, 2), (2, 3), (0, 3)], [0, 1, 2, 3]), 100, 2
    made = faulty(square, cables=[(0, 150)], link_cycles=cable, router_cycles=router)
    run = started(made, one_message(1), [0, 1], timeout=1000)
    while run.advance(37) == records.FINE:
        pass
    # Lost where it would have arrived at the second router; then three hops, by the delay of an empty network.
    lost = 2 * (cable + router)
    assert run.result("test", 2).completion_cycles == lost + 1000 + 5 * cable + 4 * router + 15
    assert run.engine.tally[0].dropped == 1
    assert run.engine.tally[0].injected == 2


@pytest.mark.parametrize("routing", [minimal, ugal])
@pytest.mark.parametrize("routers", [(), [(9, 760)]])
def test_a_job_ends_although_cables_and_a_router_fail(routing, routers):
    name, slimfly = routing.__name__.rpartition(".")[2], reference("sf5")
    # Routers 20 to 43 have one rank each; links between them fail one after the other.
    inside = np.flatnonzero(((slimfly.links >= 20) & (slimfly.links < 44)).all(axis=1))[:8].tolist()
    cables = list(zip(inside, (0, 500, 500, 600, 700, 800, 900, 1000), strict=True))
    made = faulty(slimfly, cables=cables, routers=routers, prepare=routing.prepare, routing=name, link_cycles=50)
    messages = alltoall(24, algorithm="linear", bytes=12 * PACKET)
    ranks = 4 * np.arange(20, 44)
    ends = []
    for chunk in (1000, 7):
        run = started(made, messages, ranks, timeout=100)
        while (status := run.advance(chunk)) == records.FINE:
            tally = run.engine.tally[0]
            flying = tally.fresh_packets - tally.free_packets
            assert tally.injected == tally.delivered + tally.dropped + flying
            assert run.books.missing.sum() == run.books.unsent.sum() + run.books.lost.sum() + flying
        tally = run.engine.tally[0]
        assert tally.delivered == run.packets.sum() == tally.injected - tally.dropped
        assert tally.dropped > 0
        ends.append(run.result("test", status).fingerprint)
    assert ends[0] == ends[1]


def test_a_job_on_a_failed_endpoint_is_refused():
    square = ring(4)
    made = faulty(square, routers=[(1, 70)])
    with pytest.raises(InputError, match="endpoint 1 of the job fails in cycle 70"):
        started(made, one_message(1), [0, 1], timeout=1)
    assert started(made, one_message(1), [0, 2], timeout=1).left > 0


def test_jobs_of_a_study_take_faults():
    square = ring(4)
    cables = square.link_count + square.endpoint_count
    fails = np.full(cables, 2**31 - 1)
    fails[0] = 0
    given = {"router_delay_ps": 0, "rate_gbps": 400, "seed": 1, "jobs": (Job("alltoall", motif_parameters={"bytes": 2048}),)}
    whole = workload(square, np.zeros(cables), **given)
    left = workload(square, np.zeros(cables), cable_fails_at=fails, **given)
    assert left.finished[0]
    assert left.completion_cycles[0] > whole.completion_cycles[0]


@pytest.mark.parametrize("routing", [ugal, valiant])
def test_a_packet_whose_intermediate_fails_goes_on_to_its_target(routing):
    """After router 7 of a Slim Fly fails, packets on a path to it take the minimal ports of what is left."""
    made = faulty(reference("sf5"), routers=[(7, 300)], prepare=routing.prepare, routing=routing.__name__.rpartition(".")[2])
    left = made.faults[0].prepared
    tables = left.tables
    packet, found = np.zeros(1, records.PACKET), candidate_array(7)
    output = np.zeros(int(made.network.first_port[-1]) * made.channels, records.OUTPUT)
    output["space"], output["credit"] = 2, 4
    view = left.view((16, 4, 2), packet, output, found)
    for router, target in ((0, 30), (12, 44), (44, 3)):
        packet["source_router"], packet["target_router"], packet["hops"], packet["label"] = 20, target, 1, 1 + 7
        first = int(made.network.first_port[router]) * made.channels
        count = routing.candidates(router, first, made.channels, 0, view.address)
        mask = int(tables.ports.mask[router, target, 0])
        assert sorted(found["port"][:count].tolist()) == [port for port in range(7) if mask >> port & 1]
        assert (found["label"][:count] & steps.REACHED > 0).all()
        assert (found["channel"][:count] == 1).all()
