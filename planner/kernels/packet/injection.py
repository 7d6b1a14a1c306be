"""When sources create packets: gaps between creations by a Bernoulli, a Poisson or a burst process."""

from __future__ import annotations

import math

from planner.kernels import inlined
from planner.kernels.random import uniform

BERNOULLI, POISSON, BURST = range(3)

PHASE = 3
"""Place among the numbers of a source: for Poisson, where in its cycle the last creation lay, 0 to 1."""

NEVER = 2**30
"""A gap that no run reaches; what a source that never sends gets."""


@inlined
def geometric(state, log_stay):
    """Return 1, 2, 3 …: the cycle in which something of constant chance happens, `log_stay` the logarithm that it does not."""
    drawn = math.log(1.0 - uniform(state))
    # A chance of 0: never. (A chance of 1, of which `log_stay` is minus infinity: at once.)
    if log_stay == 0.0:
        return NEVER
    return 1 + int(min(drawn / log_stay, NEVER - 1))


@inlined
def gap(state, process, numbers):
    """Return the cycles from one creation to the next: at least 1, for Poisson at least 0.

    Parameters
    ----------
    state
        Random state of the source, uint64 (1,).
    process
        `BERNOULLI`, `POISSON` or `BURST`.
    numbers
        Of the source, float64 (4,), see `planner.simulation.injection.numbers`; the last one is updated.

    Notes
    -----
    A burst creates only while it is on, and whether it goes on does not depend on the past: every creation starts the process
    anew, so that gaps are independent and nothing need be remembered.
    """
    if process == BERNOULLI:
        return geometric(state, numbers[0])
    if process == POISSON:
        time = numbers[PHASE] - math.log(1.0 - uniform(state)) * numbers[0]
        if time >= NEVER:
            return NEVER
        whole = int(time)
        numbers[PHASE] = time - whole
        return whole
    total = 0
    # The burst is on in the cycles before `end`, counted from `total`.
    end = geometric(state, numbers[1])
    while True:
        drawn = geometric(state, numbers[0])
        if drawn < end:
            return min(total + drawn, NEVER)
        # The cycle before the first of the next burst, which lasts one cycle at least.
        total += end + geometric(state, numbers[2]) - 1
        if total >= NEVER:
            return NEVER
        end = 1 + geometric(state, numbers[1])
