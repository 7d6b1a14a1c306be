"""Statistics against known distributions, and what a record of a simulation holds."""

import dataclasses
import math
import sys

import numpy as np
import pytest
from shared import one_channel
from shared.networks import case, network, reference, ring, run, seed

from planner.core.errors import InputError
from planner.simulation.case import default_cycles
from planner.simulation.measures import network_delay
from planner.simulation.observation import Precision, observe
from planner.simulation.statistics import half_width, ratio_half_width, regrouped, truncation


def autoregressive(rng, length, factor, start=0.0):
    """Return an AR(1) series around 0: each value is `factor` times the one before it, and noise."""
    noise = rng.normal(size=length)
    series = np.empty(length)
    value = start
    for i in range(length):
        value = factor * value + noise[i]
        series[i] = value
    return series


def test_intervals_of_independent_values_hold_the_mean_in_95_of_100_cases():
    rng = np.random.default_rng(1)
    held = sum(abs(values.mean()) <= half_width(values) for values in rng.normal(size=(4000, 20)))
    # A binomial of 4000 with 0.95: standard deviation 0.0034.
    assert held / 4000 == pytest.approx(0.95, abs=0.0138)


@pytest.mark.slow
def test_batch_means_hold_the_mean_of_an_autoregressive_series():
    """Single values of such a series hold it far too rarely: they depend on each other over about ten steps."""
    rng = np.random.default_rng(2)
    batches = singles = 0
    for _ in range(400):
        series = autoregressive(rng, 4000, 0.8, start=rng.normal() / 0.6)
        batches += abs(series.mean()) <= half_width(regrouped(series) / 200)
        singles += abs(series.mean()) <= half_width(series)
    # 0.95 with a standard deviation of 0.011 by chance, and less by what dependence between batches is left.
    assert 0.91 <= batches / 400 <= 0.985
    assert singles / 400 < 0.6


def test_half_width_of_three_values_by_hand():
    """t for 2 degrees of freedom is 4.3027 (tables of Student's distribution)."""
    assert half_width(np.array([4.0, 6.0, 8.0])) == pytest.approx(4.3027 * 2 / math.sqrt(3), rel=1e-4)
    assert math.isnan(half_width(np.array([4.0])))


@pytest.mark.slow
def test_ratios_of_batches_with_unequal_counts():
    """Batches with the same mean are sure of it, however many packets each has."""
    counts = np.array([10, 30, 20])
    assert ratio_half_width(7 * counts, counts) == 0
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(1000):
        counts = rng.poisson(50, 20)
        sums = np.array([rng.exponential(3, count).sum() for count in counts])
        held += abs(sums.sum() / counts.sum() - 3) <= ratio_half_width(sums, counts)
    assert held / 1000 == pytest.approx(0.95, abs=0.03)
    assert math.isnan(ratio_half_width(np.zeros(3), np.zeros(3)))


def test_warm_up_is_cut_off_and_no_more():
    rng = np.random.default_rng(4)
    cuts = []
    for _ in range(50):
        series = autoregressive(rng, 400, 0.5)
        series[:50] += np.linspace(15, 0, 50)
        cuts.append(truncation(series))
    assert 25 <= np.median(cuts) <= 60
    steady = [truncation(autoregressive(rng, 400, 0.5)) for _ in range(50)]
    assert np.median(steady) <= 100
    # A queue that grows all the time never settles.
    assert all(truncation(np.arange(400) + autoregressive(rng, 400, 0.5)) == 400 for _ in range(10))


def test_the_parts_of_the_delay_without_load():
    """Cables 2, 5 and 3, routers 4 each, a packet of 16: nothing of it is queueing."""
    made = case(network([(0, 1)], [0, 1]), [5, 2, 3], router_cycles=4, warmup=0, cycles=100_000, input_packets=20)
    alone = observe(made, 0.0005, seed(), lambda now: None)
    # Half of the packets come from each end; the path has the same cables.
    assert network_delay(made, alone.measures) == 2 + 4 + 5 + 4 + 3 + 15
    assert alone.measures.delay_sum == alone.measures.delivered * 33


@pytest.mark.slow
def test_queueing_is_what_load_adds():
    quiet, busy = run(reference("sf5"), loads=(0.01, 0.7), cycles=6000, link_cycles=3, router_delay_cycles=2).delay_queue
    assert quiet < 0.5
    assert busy > 20
    result = run(reference("sf5"), loads=(0.5,), cycles=6000, link_cycles=3, router_delay_cycles=2)
    hops = result.mean_hops[0]
    assert result.delay_network[0] == pytest.approx((hops + 2) * 3 + (hops + 1) * 2 + 15)
    assert result.delay_network[0] + result.delay_queue[0] == pytest.approx(result.delay_mean[0])


def test_the_network_part_is_unknown_where_cables_differ_in_rate():
    made = run(network([(0, 1)], [0, 1]), link_rate=np.array([0.5, 1, 1]), loads=(0.002,), cycles=50_000, warmup=0)
    assert np.isnan([made.delay_network[0], made.delay_queue[0]]).all()
    assert made.delay_mean[0] == made.delay_p50[0]


@pytest.mark.nightly
def test_a_record_is_sure_of_its_means():
    """The interval of one long run holds the mean of many others."""
    means = [run(ring(6, 2), loads=(0.4,), cycles=4000, warmup=1000, seed=number) for number in range(30)]
    truth = np.mean([one.delay_mean[0] for one in means])
    held = sum(abs(one.delay_mean[0] - truth) <= one.delay_error[0] for one in means)
    assert held >= 24
    generated = sum(abs(one.accepted[0] - 0.4) <= one.accepted_error[0] for one in means)
    assert generated >= 24
    assert all(0 < one.delay_error[0] < 0.3 * one.delay_mean[0] for one in means)


@pytest.mark.slow
def test_percentiles_are_in_order():
    result = run(reference("sf5"), loads=(0.2, 0.6), cycles=3000)
    for n in range(2):
        assert result.delay_p50[n] <= result.delay_mean[n] <= result.delay_p99[n] <= result.delay_max[n]


@pytest.mark.slow
def test_precision_is_reached_and_no_further():
    settings = {"loads": (0.1, 0.4), "cycles": 1000, "warmup": 500, "max_cycles": 100_000}
    rough, fine = (run(ring(6, 2), precision=share, **settings) for share in (0.1, 0.06))
    for result, share in ((rough, 0.1), (fine, 0.06)):
        assert (result.delay_error <= share * result.delay_mean).all()
        assert (result.accepted_error <= share * result.accepted).all()
        assert (result.cycles % 1000 == 0).all()
    assert (fine.cycles > rough.cycles).all()
    assert run(ring(6, 2), precision=0.06, **settings).fingerprint == fine.fingerprint
    # Without load to speak of the interval stays wide: the maximum that is allowed is measured.
    assert run(ring(6, 2), precision=0.0001, **(settings | {"max_cycles": 5500})).cycles.tolist() == [5000, 5000]


def test_saturated_loads_are_not_measured_on():
    result = run(ring(8, 4), loads=(1.0,), cycles=3000, warmup=500, precision=0.001, max_cycles=6000)
    assert result.saturated[0]
    assert result.cycles[0] == 3000
    # It never settles, so that all that is allowed is spent on warming up.
    assert result.warmup[0] >= 3000


@pytest.mark.slow
def test_without_precision_the_run_is_that_of_the_engine():
    """Batches change nothing of what is measured."""
    from planner.simulation.engine import Run

    made = case(reference("sf5"), warmup=300, cycles=700, occupancy=True)
    plain, seen = Run(made, 0.7, seed()).measure(lambda now: None), observe(made, 0.7, seed(), lambda now: None)
    for field in dataclasses.fields(plain):
        a, b = getattr(plain, field.name), getattr(seen.measures, field.name)
        if field.name == "delays":
            b = b[: len(a)]
        np.testing.assert_array_equal(a, b)
    assert (seen.warmup, seen.cycles, len(seen.packets)) == (300, 700, 20)
    assert seen.packets.sum() == plain.delivered
    assert seen.delays.sum() == plain.delay_sum


def test_precision_of_few_cycles():
    seen = observe(case(ring(4, 2), cycles=7, warmup=20), 0.5, seed(), lambda now: None, Precision(0.001, 100))
    assert seen.cycles == 98
    assert len(seen.lengths) == 20
    assert seen.lengths.sum() == 98


@pytest.mark.slow
def test_occupation_of_channels_is_lower_for_later_hops():
    result = run(reference("sf5"), loads=(0.6,), cycles=3000, occupancy=True, virtual_channels=3)
    first, second, unused = result.channel_occupancy[0]
    assert first > second > unused == 0
    assert run(reference("sf5"), loads=(0.6,)).channel_occupancy.shape == (1, 0)


def test_deadlock_is_refused_before_the_run_unless_it_is_allowed(monkeypatch):
    monkeypatch.setitem(sys.modules, "outside.one_channel", one_channel)
    settings = {"routing": "outside.one_channel", "input_packets": 4, "output_packets": 1, "cycles": 20_000, "loads": (1.0,)}
    with pytest.raises(InputError, match=r"cyclic channel dependency.*>.* on 0"):
        run(ring(6, 2), **settings)
    result = run(ring(6, 2), allow_deadlock=True, **settings)
    assert result.deadlock[0] > 0
    assert result.saturated[0]
    assert (result.checked_pairs, result.router_pairs) == (0, 30)
    fine = run(ring(6, 2))
    assert (fine.checked_pairs, fine.router_pairs) == (30, 30)


@pytest.mark.parametrize(
    ("endpoints", "cable", "cycles"),
    [
        # 240 endpoints need 5,000 cycles for 75,000 packets of 16 phits.
        (20, 1, 5000),
        # 400,000 packets of 16 phits from 12,000 endpoints.
        (1000, 1, 534),
        # The same number from 48,000 endpoints takes less than the 6 links, 2 endpoint cables and 16 phits of the longest path.
        (4000, 30, 8 * 30 + 16),
    ],
)
def test_large_networks_are_measured_for_fewer_cycles(endpoints, cable, cycles):
    assert default_cycles(case(ring(12, endpoints), cable)) == cycles
