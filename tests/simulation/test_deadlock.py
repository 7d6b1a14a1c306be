"""The deadlock check of a case: its result is kept for the same network and routing, and for no other."""

import sys

import numpy as np
import pytest
from shared import one_channel
from shared.networks import ring

from planner.core.errors import InputError
from planner.simulation import RouterSettings, deadlock, embed
from planner.simulation.faults import NEVER


@pytest.fixture
def calls(monkeypatch):
    """The checks that are really made, by routers and channels."""
    made, real = [], deadlock.dependencies

    def counted(network, *arguments, **options):
        made.append((network.topology.router_count, arguments[2]))
        return real(network, *arguments, **options)

    monkeypatch.setattr(deadlock, "dependencies", counted)
    monkeypatch.setattr(deadlock, "results", type(deadlock.results)())
    return made


def embedded(routers=6, delay_ps=0, faults=None, **settings):
    topology = ring(routers)
    delays = np.full(2 * routers, delay_ps, np.int64)
    return embed(topology, delays, RouterSettings(**settings), router_delay_ps=0, rate_gbps=400, cable_fails_at=faults).checked


def test_a_check_is_made_once_whatever_the_delays_of_cables(calls):
    first = embedded()
    assert embedded(delay_ps=100_000) == first
    assert (first[0].pairs, first[0].all_pairs) == (30, 30)
    assert calls == [(6, 3)]


def test_another_network_other_channels_and_faults_are_checked(calls):
    embedded()
    embedded(routers=7)
    embedded(virtual_channels=5)
    at = np.full(12, NEVER)
    at[0] = 100
    embedded(faults=at)
    assert calls == [(6, 3), (7, 3), (6, 5), (6, 5), (6, 5)]
    embedded(faults=at)
    assert len(calls) == 5


def test_sizes_of_queues_matter_to_routings_that_depend_on_them(calls):
    embedded(routing="ugal")
    embedded(routing="ugal", input_packets=9)
    assert len(calls) == 2


def test_a_cycle_is_reported_each_time(calls, monkeypatch):
    monkeypatch.setitem(sys.modules, "outside.one_channel", one_channel)
    for _ in range(2):
        with pytest.raises(InputError, match=r"cyclic channel dependency.*>.* on 0"):
            embedded(routing="outside.one_channel")
    assert len(calls) == 1
