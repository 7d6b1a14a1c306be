"""Verdicts on parallel queues of known capacity, and the fit that they rest on."""

import dataclasses

import numpy as np
import pytest

from benchmarks._queues import Queues, judged
from planner.simulation.books import WINDOW, Books
from planner.simulation.drift import Window, filling, growing_share, retained, share
from planner.simulation.saturation import Probe, search


def verdicts(count, load, seeds, others=0, **kind):
    """Return verdicts and lengths of runs with the delays and the limit of a comparison of 5,000 endpoints.

    Besides `count` queues at a load there are `others` at half of their capacity.
    """
    found = []
    for seed in range(seeds):
        queues = Queues(np.repeat([load, 0.5], [count, others]), seed, **kind)
        found.append((judged(queues, 8000, 560), queues.now))
    return found


@pytest.mark.slow
def test_many_queues_are_judged_within_6000_cycles():
    """Without a fit of filling these runs took 14,400 cycles, and 3 % of those at 0.97 were taken to drift."""
    below, beyond = verdicts(300, 0.97, 30), verdicts(300, 1.005, 30)
    assert np.mean([found.drifts for found, _ in below]) <= 0.1
    assert np.mean([found.drifts for found, _ in beyond]) >= 0.9
    assert np.mean([cycles for _, cycles in below + beyond]) < 6000
    assert not any(found.drifts and found.final for found, _ in below)


@pytest.mark.slow
def test_a_wide_interval_that_is_clearly_on_one_side_ends_a_run():
    """Of 30 queues the fitted drift has too wide an interval to name the limit: runs at 0.97 took 45,000 cycles, now 24,000."""
    below, beyond = verdicts(30, 0.97, 40), verdicts(30, 1.02, 40)
    assert np.mean([found.drifts for found, _ in below]) <= 0.25
    assert np.mean([found.drifts for found, _ in beyond]) >= 0.9
    assert np.mean([cycles for _, cycles in below]) < 32_000
    assert np.mean([cycles for _, cycles in beyond]) < 11_000


@pytest.mark.slow
def test_queues_at_their_limit_are_never_surely_said_to_drift():
    for kind in ({}, {"geometric": True}):
        assert not any(found.drifts and found.final for found, _ in verdicts(300, 1.0, 10, **kind))


@pytest.mark.slow
def test_queues_far_beyond_their_limit_are_said_to_drift_soon():
    for found, cycles in verdicts(300, 1.1, 10):
        assert found.drifts
        assert found.drift == pytest.approx(1 - 1 / 1.1, abs=0.02)
        assert cycles < 4000


@pytest.mark.slow
@pytest.mark.parametrize("kind", [{}, {"geometric": True}])
def test_few_queues_at_their_limit_are_no_measure_of_what_all_retain(kind):
    """Six of 300 queues 3 % beyond their limit retain 0.12 % of all packets, which counts as none, 20 % beyond it 0.77 %.

    With constant service, a verdict that takes all queues as at their limit finds a bounded backlog in two thirds of the latter.
    """
    below, beyond = verdicts(6, 1.03, 20, others=294, **kind), verdicts(6, 1.2, 20, others=294, **kind)
    assert np.mean([found.drifts for found, _ in below]) <= 0.2
    assert np.mean([found.drifts for found, _ in beyond]) >= 0.7


def test_queues_retain_what_those_that_grow_retain_and_no_more_than_what_waits():
    lengths = np.full(40, 10)
    window = Window(400, lengths, 10 * lengths, 0 * lengths, 4000, 8000, np.zeros(100, np.int64))
    every = filling(window, 10)
    assert every == pytest.approx((2 * np.pi * 600) ** -0.5)
    assert [retained(window, 10, share) for share in (1.0, 0.25)] == [every, 0.25 * every]
    # Of 8,000 packets 80 wait.
    assert retained(dataclasses.replace(window, waiting=80), 10, 1.0) == 0.01


def test_the_share_of_growing_sources():
    grown = np.repeat([30, 0, -2], [5, 80, 15])
    quiet = np.zeros(0, np.int64)
    assert growing_share(Window(0, quiet, quiet, quiet, 0, 0, grown), 100) == pytest.approx(0.5)
    # Lengths of queues at their limit are half-normal, and differ: many of them count as all.
    lengths = np.abs(np.random.default_rng(1).normal(size=(3, 1000)))
    for sources, expected in ((1000, 1.0), (10_000, pytest.approx(2 / np.pi, rel=0.1))):
        assert growing_share(Window(0, quiet, quiet, quiet, 0, 0, lengths[0]), sources) == expected
    assert growing_share(Window(0, quiet, quiet, quiet, 0, 0, 0 * grown), 100) == 1


def filled_by(growth, cycles=5000, start=500, packets=1000.0):
    """Return the window of a run in which a function of the cycle states how many packets wait."""
    ends = np.linspace(start, cycles, 101)
    created = np.diff(ends) * packets
    return Window(start, np.diff(ends), created, np.diff(growth(ends)), int(start * packets), 10**9, np.zeros(1, np.int64))


def test_what_queues_retain_while_they_fill_is_no_drift():
    window = filled_by(lambda cycle: 20 * cycle + 40_000 * np.log(cycle))
    mean, error = share(window, 1000.0, walk=True, filling=True)
    assert (mean, error) == (pytest.approx(0.02), pytest.approx(0.0, abs=1e-9))
    assert share(window, 1000.0, walk=True)[0] > 0.03


def test_queues_at_their_limit_fill_by_the_root_of_time():
    """A ninth of the run is left out, as where a network fills in a ninth of 5,000 cycles."""
    sources = 16_000
    window = filled_by(lambda cycle: sources * np.sqrt(2 * cycle / 16 / np.pi), 5000, 560)
    late = window.since(2500)
    assert late.start >= 2500
    # One packet in 16 cycles from each source, by chance; the created packets of this window do not vary.
    expected = filling(late, sources)
    assert expected == pytest.approx(1 / np.sqrt(2 * np.pi * 3750 / 16), rel=0.02)
    assert share(window, 1000.0, walk=True, filling=True)[0] == pytest.approx(0.7 * expected, rel=0.05)


def test_unequal_batches_are_no_dispersion():
    lengths = np.tile([10, 11], 20)
    window = Window(0, lengths, 100 * lengths, 0 * lengths, 0, 0, np.zeros(1, np.int64))
    even = Window(0, np.full(40, 10.5), np.full(40, 1050), 0 * lengths, 0, 0, np.zeros(1, np.int64))
    assert filling(window, 10) == pytest.approx(filling(even, 10))


@pytest.mark.slow
def test_books_keep_the_counters_from_their_start():
    queues = Queues(np.full(50, 0.9), 1)
    queues.until(100)
    before = queues.waiting()
    books = Books(queues)
    for cycles in (300, 77, 1000):
        books.advance(cycles, 80, lambda now: None)
    window = books.window()
    assert (window.start, window.end) == (100, 1477)
    assert len(window.lengths) <= WINDOW
    assert window.lengths.max() < 2 * window.lengths.mean()
    assert window.growth.sum() == queues.waiting().sum() - before.sum()
    assert window.created_before + window.created.sum() == queues.total("injected") + queues.waiting().sum()
    np.testing.assert_array_equal(window.grown, queues.waiting() - before)
    assert not len(Books(queues).window().lengths)


def test_next_to_a_load_near_the_limit_the_search_takes_small_steps():
    probed = []

    def probe(load):
        probed.append(round(load, 4))
        return Probe(load > 0.7, 0.01, min(load, 0.69), clear=abs(load - 0.7) > 0.01)

    found = search(probe)
    # Just below what is accepted at load 1; a step that is doubled would end at 0.709.
    assert probed == [1, 0.6886, 0.6955, 0.7025]
    assert found.low < 0.7 < found.high
