"""Random numbers for kernels: the state is an argument, a uint64 array of one element.

Differs from [1]_: the increment is fixed, since streams have seeds of their own and are not split. `below` multiplies instead of
dividing, with a relative bias of at most bound / 2**32.

References
----------
.. [1] G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (SplitMix64).
"""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)


@compiled
def next_uint64(state):
    """Advance `state` (uint64, shape (1,)) and return 64 random bits."""
    state[0] += _STEP
    return mixed(state[0])


@compiled
def mixed(z):
    """Return 64 bits that depend on all bits of `z`, uint64."""
    z = (z ^ (z >> np.uint64(30))) * _MIX_A
    z = (z ^ (z >> np.uint64(27))) * _MIX_B
    return z ^ (z >> np.uint64(31))


@compiled
def below(state, bound):
    """Return a random int64 in 0 … bound - 1; bound is at most 2**31."""
    return np.int64(((next_uint64(state) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@compiled
def uniform(state):
    """Return a random float64 in [0, 1)."""
    return np.float64(next_uint64(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
