"""Injection processes: gaps between packet creations of a Bernoulli, Poisson or burst process."""

from __future__ import annotations

import math

from planner.kernels import always_inlined
from planner.kernels.random import uniform

BERNOULLI, POISSON, BURST = range(3)

PHASE = 3
"""Index in `numbers`: the part of a cycle at which the last packet was created, in cycles of the node."""

NEVER = 2**30
"""Gap beyond the end of every run, for sources that never send."""


@always_inlined
def geometric(state, log_stay):
    """Return a geometric random number 1, 2, 3 …; `log_stay` is the logarithm of the probability of failure."""
    drawn = math.log(1.0 - uniform(state))
    # Probability 0: never. (Probability 1, where `log_stay` is minus infinity: at once.)
    if log_stay == 0.0:
        return NEVER
    return 1 + int(min(drawn / log_stay, NEVER - 1))


@always_inlined
def _burst_gap(state, numbers):
    """Return the gap of an on/off process."""
    total = 0
    # The burst is on in the cycles before `end`, counted from `total`.
    end = geometric(state, numbers[1])
    while True:
        drawn = geometric(state, numbers[0])
        if drawn < end:
            return min(total + drawn, NEVER)
        # The cycle before the next burst, which lasts at least one cycle.
        total += end + geometric(state, numbers[2]) - 1
        if total >= NEVER:
            return NEVER
        end = 1 + geometric(state, numbers[1])


@always_inlined
def gap(state, process, numbers, packets=1, turns=1):
    """Return the cycles from one creation to the next: at least 1, for Poisson at least 0.

    A node that sends its packets through its ports in turn creates them `turns` times as fast: in cycles of the node, of which
    a cycle of the network has `turns`. All its ports draw from equal states, and each counts the packets of the others.

    Parameters
    ----------
    state
        Random state of the source, uint64 (1,).
    process
        `BERNOULLI`, `POISSON` or `BURST`.
    numbers
        Parameters of the source, float64 (4,), see `planner.simulation.injection.numbers`; the last one is updated.
    packets
        Number of the node's packets up to the next one of this port: `turns`, before the first packet the turn of the port.
    turns
        Ports of the node.

    Notes
    -----
    The burst process is memoryless: whether a burst continues does not depend on the past. Gaps are therefore independent, and
    no state is kept between creations.
    """
    if process == BERNOULLI and turns == 1:
        return geometric(state, numbers[0])
    time = numbers[PHASE]
    for _ in range(packets):
        if process == BERNOULLI:
            time += geometric(state, numbers[0])
        elif process == POISSON:
            time -= math.log(1.0 - uniform(state)) * numbers[0]
        else:
            time += _burst_gap(state, numbers)
        if time >= NEVER * turns:
            return NEVER
    whole = int(time / turns)
    numbers[PHASE] = time - whole * turns
    return whole
