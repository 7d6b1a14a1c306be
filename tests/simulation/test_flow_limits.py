"""The load at which the first queue is full: the result of plain bisection, with fewer loads tested."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from planner.simulation.drift import Window, single
from planner.simulation.fluid.limits import RUN, coarser, detected, first_full


def bisected(fullest, resolution):
    """Bisection between 0 and 1, the plain twin."""
    if fullest(1.0) < 1:
        return 1.0
    low, high = 0.0, 1.0
    while high - low > resolution * high:
        middle = (low + high) / 2
        low, high = (middle, high) if fullest(middle) < 1 else (low, middle)
    return low


def waits_of(fullest):
    """Return the function as waits, and the list of the loads at which it is evaluated."""
    loads = []

    def at(load):
        loads.append(load)
        return SimpleNamespace(fullest=fullest(load))

    return at, loads


@given(
    limit=st.floats(0.002, 3.0),
    kink=st.floats(0.0, 1.0),
    steepness=st.floats(1.0, 400.0),
    near=st.floats(0.001, 1.0),
    resolution=st.sampled_from([0.02, 0.001]),
)
@example(limit=0.5, kink=0.0, steepness=1.0, near=0.5, resolution=0.02)
@example(limit=1.0, kink=1.0, steepness=1.0, near=1.0, resolution=0.001)
@example(limit=0.015625, kink=0.9, steepness=400.0, near=1.0, resolution=0.001)
def test_any_guess_leads_to_the_result_of_bisection(limit, kink, steepness, near, resolution):
    """Utilization is linear up to a share of its limit and grows steeply beyond, as where another queue becomes the fullest."""

    def fullest(load):
        share = load / limit
        return share + max(0.0, share - kink) * (steepness - 1) * (share >= 1)

    at, loads = waits_of(fullest)
    assert first_full(at, resolution, near=near) == bisected(fullest, resolution)
    assert len(loads) == len(set(loads))
    assert coarser(bisected(fullest, 0.001), 0.02) == bisected(fullest, 0.02)


def test_idle_networks_have_no_limit():
    at, loads = waits_of(lambda load: 0.0)
    assert first_full(at) == 1.0
    assert loads == [1.0]


@pytest.mark.parametrize("limit", [0.27, 0.55, 0.66, 0.9])
def test_a_good_guess_needs_two_loads(limit):
    at, loads = waits_of(lambda load: load / limit)
    assert first_full(at, 0.02, near=limit) == bisected(lambda load: load / limit, 0.02)
    assert len(loads) == 2


@pytest.mark.parametrize(("load", "sources"), [(0.05, 100), (0.2, 800), (0.6, 300)])
def test_the_detected_load_is_where_the_engine_sees_a_queue_grow(load, sources):
    """By the test of the engine itself, without the part of its bound that does not grow with the packets."""
    offered = detected(load, sources)
    none = np.zeros(0, np.int64)

    def grows(share):
        created, sent = offered * RUN, load * RUN
        grown = np.zeros(sources)
        grown[0] = share * (created - sent)
        return single(Window(0, none, none, none, 0, 0, grown), np.full(sources, created))

    assert load < offered < 1
    assert not grows(0.99)
    assert grows(1.2)


def test_a_source_that_keeps_up_is_not_limited():
    assert detected(0.99, 100) == 1.0
