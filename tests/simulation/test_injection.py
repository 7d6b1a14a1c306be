"""Injection processes: loads and spread against theory."""

import numpy as np
import pytest
from scipy.stats import chisquare

from planner.core.errors import InputError
from planner.kernels.packet import injection as kernel
from planner.simulation.injection import PROCESSES, numbers

CYCLES = 400_000


def created(process, load, rate=1.0, packet_phits=4, burst_packets=8, burst_load=1.0, seed=5):
    """Return the cycles in which one source creates packets, the first counted from a creation at -1."""
    made = numbers(process, load, np.array([rate]), packet_phits, burst_packets, burst_load)[0]
    random, found = np.array([seed], np.uint64), []
    time = 0 if process == "poisson" else -1
    while (time := time + kernel.gap(random, PROCESSES.index(process), made)) < CYCLES:
        found.append(time)
    return np.array(found)


def counts(times, window):
    """Packets in consecutive windows of time."""
    return np.bincount(times // window, minlength=CYCLES // window)[: CYCLES // window]


@pytest.mark.slow
@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.parametrize(("load", "rate"), [(0.1, 1), (0.6, 1), (0.6, 0.25)])
def test_loads_are_what_was_offered(process, load, rate):
    expected = CYCLES * load * rate / 4
    # Bursts of 8 packets spread about 2 * 8 times as much as single packets do.
    assert len(created(process, load, rate)) == pytest.approx(
        expected, abs=4 * np.sqrt(expected * (17 if process == "burst" else 1))
    )


@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.parametrize("ports", [2, 3, 8])
def test_ports_in_turn_share_the_packets_of_one_node(process, ports):
    """Packet i of the node, created in cycle n of the node, is that of port i mod ports, in cycle n div ports of the network."""
    single = numbers(process, 0.6, np.ones(1), 4, 8, 1.0)[0]
    random, index, early = np.array([7], np.uint64), PROCESSES.index(process), 0 if process == "poisson" else 1
    times, at = [], -early
    for _ in range(40 * ports):
        at += kernel.gap(random, index, single)
        times.append(at + single[kernel.PHASE])
    for port in range(ports):
        own, state, found, now = numbers(process, 0.6, np.ones(1), 4, 8, 1.0)[0], np.array([7], np.uint64), [], 0
        own[kernel.PHASE] = -early
        for packet in range(40):
            now += kernel.gap(state, index, own, ports if packet else port + 1, ports)
            found.append(now)
        assert found == [int(time // ports) for time in times[port::ports]]


@pytest.mark.slow
def test_bernoulli_gaps_are_geometric():
    gaps = np.diff(created("bernoulli", 0.8))
    expected = np.array([0.2 * 0.8**n for n in range(30)]) * len(gaps)
    seen = np.bincount(gaps, minlength=31)[1:31]
    kept = expected > 5
    tail = len(gaps) - seen[kept].sum(), len(gaps) - expected[kept].sum()
    assert chisquare([*seen[kept], tail[0]], [*expected[kept], tail[1]]).pvalue > 0.001
    assert (np.diff(created("bernoulli", 1.0, packet_phits=1)) == 1).all()


@pytest.mark.slow
def test_poisson_counts_in_a_cycle_are_poisson():
    times = created("poisson", 1.0, packet_phits=2)
    seen = np.bincount(counts(times, 1), minlength=6)[:6]
    # Mean 1/2: e^-1/2 / 2^n n!.
    expected = CYCLES * np.exp(-0.5) / np.array([1, 2, 8, 48, 384, 3840])
    assert chisquare([*seen[:5], CYCLES - seen[:5].sum()], [*expected[:5], CYCLES - expected[:5].sum()]).pvalue > 0.001
    # Windows are independent and as spread as their mean.
    spread = counts(times, 100)
    assert spread.var() / spread.mean() == pytest.approx(1, abs=0.08)
    assert abs(np.corrcoef(spread[1:], spread[:-1])[0, 1]) < 0.06


def test_bursts_are_as_long_and_dense_as_they_should():
    """At peak load 1 with packets of one phit a burst is a row of cycles without a gap."""
    times = created("burst", 0.25, packet_phits=1, burst_packets=10)
    breaks = np.flatnonzero(np.diff(times) > 1)
    lengths = np.diff(breaks)
    pauses = np.diff(times)[breaks] - 1
    # On and off times are geometric, their means 10 and 30.
    assert lengths.mean() == pytest.approx(10, rel=0.05)
    assert pauses.mean() == pytest.approx(30, rel=0.05)
    assert lengths.var() == pytest.approx(10 * 9, rel=0.1)
    spread = counts(times, 2000)
    # Index of dispersion of a two-state process: 1 - p + 2 (1 - p) λ / (1 - λ), p = 1/4, λ = 1 - 1/10 - 1/30.
    share, keep = 0.25, 1 - 1 / 10 - 1 / 30
    assert spread.var() / spread.mean() == pytest.approx((1 - share) * (1 + 2 * keep / (1 - keep)), rel=0.25)


@pytest.mark.parametrize("process", PROCESSES)
def test_silent_sources_never_create(process):
    made = numbers(process, 0.5, np.array([0.0]), 16, 8, 1.0)
    random = np.array([3], np.uint64)
    for _ in range(20):
        assert kernel.gap(random, PROCESSES.index(process), made[0]) == kernel.NEVER


def test_bursts_that_cannot_give_the_load_are_refused():
    with pytest.raises(InputError, match=r"0\.5 is not above the load 0\.5"):
        numbers("burst", 0.5, np.ones(1), 16, 8, 0.5)
    with pytest.raises(InputError, match="use longer bursts"):
        numbers("burst", 0.95, np.ones(1), 1, 1, 1.0)
