"""The search for saturation, against networks solved by hand."""

import dataclasses
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import fixed_target
from shared.networks import case, network, reference, ring, run
from shared.small_plans import simulated

from planner.network import topology as topologies
from planner.network.metrics.load import channel_load
from planner.simulation.drift import TOLERANCE
from planner.simulation.saturation import MIN_LOAD, Probe, load_bound, search


@pytest.mark.slow
@given(st.floats(0.002, 1), st.floats(0.3, 1))
def test_the_interval_holds_the_limit(limit, kept):
    """Of any limit, whether more is accepted beyond it, or less, as where networks clog."""

    def probe(load):
        return Probe(load > limit, TOLERANCE, load if load <= limit else limit * kept + (load - limit) / 2)

    found = search(probe)
    if limit >= 1:
        assert found[:2] == (1, 1)
    else:
        assert found.low <= found.throughput <= found.high
        assert found.low < limit < found.high <= 1.01 * found.low


def test_a_result_without_an_interval_does_not_saturate():
    found = simulated(3)
    intervals = (None, None), (0.4, 0.5), (None, 0.5), (1.0, 1.0)
    results = [dataclasses.replace(found, saturation_low=low, saturation_high=high) for low, high in intervals]
    assert [result.saturates for result in results] == [False, True, False, False]


def test_a_search_runs_few_loads():
    probed = []

    def probe(load):
        probed.append(load)
        return Probe(load > 0.437, TOLERANCE, min(load, 0.437))

    search(probe)
    # Load 1, just below what it accepts there, and just above.
    assert [round(load, 4) for load in probed] == [1, 0.4361, 0.4379]
    probed.clear()
    search(lambda load: probe(load)._replace(accepted=0.9 * min(load, 0.437)))
    assert len(probed) <= 12


@given(st.floats(0.002, 0.4))
def test_loads_that_all_seem_just_above_the_limit_are_left_undecided(limit):
    """Queues that fill for longer than a run keep verdicts unclear: steps of their uncertainty would take up to 750 runs."""
    probed = []

    def probe(load):
        probed.append(load)
        return Probe(load > limit, 0.007, min(load, 0.48), clear=load == 1)

    found = search(probe)
    assert found.low < limit < found.high
    # Only load 1 surely drifts.
    assert (found.high, found.throughput) == (1, 0.48)
    assert len(probed) <= 32


def test_a_network_that_carries_nothing_is_not_searched_for_ever():
    found = search(lambda load: Probe(True, 0.0, 0.0))
    assert found.low == 0
    assert found.high <= MIN_LOAD


@pytest.fixture
def fixed(monkeypatch):
    """Register the traffic from outside."""
    monkeypatch.setitem(sys.modules, "outside.fixed_target", fixed_target)
    return "outside.fixed_target"


@pytest.mark.slow
def test_two_routers_by_hand(fixed):
    """Two endpoints on each router send to the other one: a link of 1 phit per cycle takes half of what they can send."""
    topology = network([(0, 1)], [0, 0, 1, 1])
    across = {"traffic": fixed, "traffic_parameters": {"targets": [2, 3, 0, 1]}}
    result = run(topology, loads=(0.3, 0.9), cycles=8000, warmup=1000, saturation=True, **across)
    assert result.load_bound == pytest.approx(0.5)
    assert result.saturation_low <= 0.5 <= result.saturation_high <= 1.02 * result.saturation_low
    assert result.saturation_throughput == pytest.approx(0.5, abs=0.003)
    # An estimate from the drift at a load slightly above.
    assert result.saturation_throughput <= 1.0001 * result.load_bound
    assert result.accepted[1] == pytest.approx(0.5, abs=0.002)


@pytest.mark.slow
def test_short_runs_of_a_small_network_find_the_same_within_their_uncertainty():
    """Nine sources need longer than such a run to create the packets with which other runs begin."""
    settings = {"preset": "caminos", "loads": (0.2,), "cycles": 500, "saturation": True}
    short, long = (run(topologies.build("torus", sizes=[3, 3]), max_cycles=cycles, **settings) for cycles in (400, 40_000))
    assert short.saturation_low <= long.saturation_high
    assert long.saturation_low <= short.saturation_high
    assert short.saturation_throughput == pytest.approx(long.saturation_throughput, rel=0.05)


def test_one_router_takes_all():
    result = run(network([], [0, 0]), loads=(0.5,), cycles=3000, saturation=True, packet_phits=1)
    assert (result.saturation_low, result.saturation_high, result.load_bound) == (1, 1, 1)
    assert result.saturation_throughput == pytest.approx(1, abs=0.001)


@pytest.mark.slow
def test_bound_of_uniform_traffic_is_that_of_the_mean_channel_load():
    topology = reference("sf5")
    assert load_bound(case(topology)) == pytest.approx(1 / channel_load(topology).mean)
    # 50 routers of degree 7, 7 others one hop away and 42 two hops, 4 endpoints on each; none sends to itself.
    hops = 4 * (7 * 1 + 42 * 2) / 199
    assert load_bound(case(topology)) == pytest.approx(350 / (200 * hops))
    # The published balance of this network counts itself among the targets.
    assert load_bound(case(topology)) * 200 / 199 == pytest.approx(0.962, abs=0.0005)


def test_bound_of_drawn_traffic(fixed):
    """Everybody on a ring of eight sends four hops: 16 channels for 32 endpoints."""
    targets = ((np.arange(32) + 16) % 32).astype(np.int32)
    made = dataclasses.replace(case(ring(8, 4)), traffic=fixed, table=targets)
    assert load_bound(made) == 16 / (32 * 4)


@pytest.mark.nightly
def test_saturation_is_never_above_the_bound():
    for topology in (ring(8, 4), reference("sf5")):
        result = run(topology, loads=(0.1, 0.5), cycles=2500, warmup=1500, saturation=True, preset="caminos")
        assert 0.7 * result.load_bound < result.saturation_throughput <= result.load_bound
        assert result.saturation_low < result.saturation_high <= 1.01 * result.load_bound


@pytest.mark.slow
def test_a_search_changes_nothing_else_and_repeats():
    settings = {"loads": (0.2,), "cycles": 1000}
    a, b = (run(ring(6, 3), saturation=True, **settings) for _ in range(2))
    assert a.fingerprint == b.fingerprint
    plain = run(ring(6, 3), **settings)
    assert plain.delay_mean.tolist() == a.delay_mean.tolist()
    assert plain.saturation_high is None
