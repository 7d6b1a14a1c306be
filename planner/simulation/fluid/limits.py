"""Saturation by the flow-level model: the load at which queues that cannot keep up lose a share of all traffic."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import count
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from planner.simulation.drift import CHANCE
from planner.simulation.fluid.flows import Flows
from planner.simulation.fluid.waits import Waits

STEP = 1.02
"""Ratio of successive loads beyond the first unstable queue."""

RUN = 100_000 / 16
"""Packets that a source creates at load 1 in a run of usual length of the engine."""

_RESOLUTION = 1e-3

_STEEP = 4.0
"""Ratio of utilizations at two loads above which the middle is a better guess than interpolation."""


class Limit(NamedTuple):
    """Limits of the offered load, in phits per cycle and endpoint."""

    saturation: float
    """Load at which the backlog of all traffic, or of one source, grows by the allowed share; at most 1."""
    first_full: float
    """Load at which the first queue, link, source or endpoint cannot keep up; at most 1."""
    limited_by: str
    """What cannot keep up first."""


class Tested(NamedTuple):
    """A load, and the utilization of what is fullest at it."""

    load: float
    fullest: float


def limit(flows: Flows, at: Callable[[float], Waits], lost: float, near: float = 1.0) -> Limit:
    """Return the limits of the load.

    Parameters
    ----------
    flows
        Flows at load 1.
    at
        Returns the waits at a load.
    lost
        Share of all traffic that may be lost to growing queues.
    near
        A guess of the load at which the first queue cannot keep up.
    """
    low = first_full(at, near=near)
    if low == 1:
        return Limit(1.0, 1.0, at(1.0).limited_by)
    bound = detected(low, len(flows.traffic.rates))
    return Limit(min(_beyond(flows, at, low, lost, bound), bound), low, at(low * (1 + _RESOLUTION)).limited_by)


def detected(load: float, sources: int) -> float:
    """Return the offered load, at most 1, at which the engine detects that one of its sources can send at `load` only.

    Of n packets created the queue of the source retains more than chance explains, d √(2 n), by the test of
    `planner.simulation.drift.single`; n is that of a run of usual length.
    """
    chance = -float(ndtri(CHANCE / sources)) * math.sqrt(2 / RUN)
    return min(1.0, ((chance + math.sqrt(chance**2 + 4 * load)) / 2) ** 2)


def first_full(at: Callable[[float], Waits], resolution: float = _RESOLUTION, near: float = 1.0) -> float:
    """Return the highest load, at most 1, at which every queue, link, source and endpoint keeps up, to a relative resolution.

    The result is the one of bisection between 0 and 1, whatever the guess `near`: the lower end of its last interval. Since
    utilizations grow smoothly, few loads are tested before the ends of that interval.
    """
    low, high, guess = Tested(0.0, 0.0), None, near
    for number in count():
        first, last = _interval(guess, resolution)
        if high is not None and first <= low.load and high.load <= last:
            break
        load = 1.0 if guess == 1 else first if low.load < first else last
        tested = Tested(load, at(load).fullest)
        if tested.fullest >= 1:
            high = tested
        elif load == 1:
            return 1.0
        else:
            low = tested
        if high is None:
            guess = min(1.0, low.load * (1 + resolution * (2**number - 1)))
        else:
            guess = _crossing(low, high, middle=number % 3 == 2)
    return first


def coarser(load: float, resolution: float) -> float:
    """Return what `first_full` returns to a coarser resolution where it returns `load` to a finer one."""
    return load if load == 1 else _interval(load, resolution)[0]


def _interval(load: float, resolution: float) -> tuple[float, float]:
    """Return the last interval of a bisection between 0 and 1 that searches for a load."""
    low, high = 0.0, 1.0
    while high - low > resolution * high:
        middle = (low + high) / 2
        low, high = (middle, high) if load >= middle else (low, middle)
    return low, high


def _crossing(low: Tested, high: Tested, *, middle: bool) -> float:
    """Return a guess of the load at which utilization reaches 1, from a load below and one above; their middle if wanted."""
    if middle or not low.fullest or high.fullest > _STEEP * low.fullest:
        return (low.load + high.load) / 2
    share = math.log(low.fullest) / math.log(low.fullest / high.fullest)
    # Rounded, it may reach the upper load, which is excluded.
    return min(low.load + share * (high.load - low.load), math.nextafter(high.load, 0))


def _beyond(flows: Flows, at: Callable[[float], Waits], stable: float, lost: float, bound: float) -> float:
    """Return the load at which growing queues lose a share of all traffic; each loses what exceeds its own limit.

    The search ends with any load above `bound` if they do not lose it below.
    """
    rates = (flows.flow, flows.load, flows.traffic.rates, flows.traffic.received)
    limits = [np.full(rate.shape, np.inf) for rate in rates]
    load, before = stable, _utilizations(at(stable))

    def loss(offered: float) -> float:
        parts = ((rate[own < offered], own[own < offered]) for rate, own in zip(rates, limits, strict=True))
        return max(float(rate @ (offered - own)) for rate, own in parts) - lost * offered * flows.traffic.total

    while load < bound:
        last, load = load, min(1.0, load * STEP)
        now = _utilizations(at(load))
        for own, old, new in zip(limits, before, now, strict=True):
            crossed = (new >= 1) & np.isinf(own)
            own[crossed] = last + (load - last) * np.clip((1 - old[crossed]) / np.maximum(new - old, 1e-12)[crossed], 0, 1)
        before = now
        if loss(load) > 0:
            while load - last > _RESOLUTION * load:
                middle = (last + load) / 2
                last, load = (middle, load) if loss(middle) <= 0 else (last, middle)
            return (last + load) / 2
    return 1.0


def _utilizations(waits: Waits) -> tuple[np.ndarray, ...]:
    return waits.busy, waits.link, waits.sources, waits.ejection
