"""What a routing sees, and the errors of one that does not fit the interface."""

import dataclasses
import sys
from types import ModuleType
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from shared.networks import case, ring, seed

from planner.core.errors import InputError
from planner.kernels.packet import records
from planner.kernels.routing.view import candidate_array, is_entered, remember
from planner.network import topology
from planner.simulation import simulate
from planner.simulation.engine import Run
from planner.simulation.network import Network
from planner.simulation.routing import NO_CANDIDATE, Here, Packet, Routing, minimal, offer, only, queued, routing_function


class Facts(NamedTuple):
    out: Annotated[np.ndarray, np.int64, 1]
    number: int


@routing_function
def report(here: Here, packet: Packet, tables: Facts, found):
    out = tables.out
    out[0], out[1], out[2], out[3] = here.router, here.channels, here.first_queue, here.packet_phits
    out[4], out[5], out[6], out[7] = packet.created, packet.source, packet.source_router, packet.target_router
    out[8], out[9], out[10] = packet.target, packet.hops, packet.label
    out[11], out[12] = queued(here, 1, 2), is_entered(here, 1, 2)
    remember(here, 77)
    if tables.number == 0:
        return NO_CANDIDATE
    count = offer(found, 0, 4, 2)
    count = offer(found, count, 5, 1, penalty=9, label=3)
    return only(found, 1) if tables.number == 1 else count


def called(number):
    packet, output, found = np.zeros(2, records.PACKET), np.zeros(16, records.OUTPUT), candidate_array(4)
    packet[1] = (0, 123, 0, 5, 6, 7, 8, 9, 10)
    output["space"], output["credit"] = 3, 5
    output["space"][4 + 1 * 3 + 2], output["credit"][4 + 1 * 3 + 2], output["writing"][4 + 1 * 3 + 2] = 1, 2, 1
    facts = Facts(np.zeros(13, np.int64), number)
    view = Routing(3, facts).view((16, 5, 3), packet, output, found)
    count = report(11, 4, 3, 1, view.address)
    return count, found, facts.out.tolist(), packet


def test_a_routing_sees_the_packet_the_queues_and_its_tables():
    _, _, out, packet = called(2)
    assert packet.dtype.names == (
        "next", "created", "tail_cycle", "source", "label", "source_router", "target_router", "target", "hops"
    )  # fmt: skip
    assert out == [11, 3, 4, 16, 123, 5, 7, 8, 9, 10, 6, 8 - 3, 1]
    assert packet["label"].tolist() == [0, 77]


def test_candidates_are_offered_one_after_the_other():
    assert called(0)[0] == NO_CANDIDATE
    count, found, *_ = called(2)
    assert count == 2
    assert found[:2].tolist() == [(4, 2, 0, 0), (5, 1, 9, 3)]
    count, found, *_ = called(1)
    assert count == 1
    assert found[:1].tolist() == [(5, 1, 9, 3)]


def plug_in(monkeypatch, name, **functions):
    module = ModuleType(name)
    vars(module).update(functions)
    monkeypatch.setitem(sys.modules, name, module)


def run(routing):
    network = topology.build("torus", sizes=(4,))
    delay_ps = np.zeros(network.link_count + network.endpoint_count, np.int64)
    return simulate(network, delay_ps, seed=1, routing=routing, router_delay_ps=0, rate_gbps=400, loads=(0.1,), cycles=10)


def test_tables_of_another_class_are_refused(monkeypatch):
    def prepare(network: Network) -> Routing:
        return Routing(2, Facts(np.zeros(1, np.int64), 0))

    plug_in(monkeypatch, "outside.other_tables", prepare=prepare, candidates=minimal.candidates)
    with pytest.raises(InputError, match=r"prepare\(\) of outside.other_tables returned Facts as tables; return Tables"):
        run("outside.other_tables")
    made = case(ring(6, 2))
    made = dataclasses.replace(made, prepared=Routing(2, Facts(np.zeros(1, np.int64), 0)))
    with pytest.raises(InputError, match="returned Facts"):
        Run(made, 0.5, seed())


def test_a_table_of_another_type_is_refused(monkeypatch):
    def prepare(network: Network) -> Routing:
        made = minimal.prepare(network)
        return dataclasses.replace(made, tables=made.tables._replace(mask=made.tables.mask.astype(np.int64)))

    plug_in(monkeypatch, "outside.wide_table", prepare=prepare, candidates=minimal.candidates)
    with pytest.raises(InputError, match=r"Tables\.mask.*uint32 of 3 dimensions in C order, not int64 of 3"):
        run("outside.wide_table")


def test_candidates_without_declared_tables_are_refused():
    def candidates(here: Here, packet: Packet, tables, found):
        return 0

    with pytest.raises(InputError, match="declares no tables; annotate its parameter tables"):
        routing_function(candidates)
