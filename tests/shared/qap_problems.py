"""Small quadratic assignment problems, and their optima by brute force."""

import itertools

import numpy as np
from hypothesis import strategies as st

from planner.design.qap import Qap


def brute(problem):
    """Minimum cost over all permutations that respect the fixed items."""
    fixed = problem.fixed
    return min(
        problem.objective(np.array(p))
        for p in itertools.permutations(range(problem.size))
        if fixed is None or all(f < 0 or f == at for f, at in zip(fixed, p, strict=True))
    )


@st.composite
def problems(draw, largest=6):
    """Small problems of all kinds: symmetric or not, with diagonals, linear cost, idle and fixed items."""
    n = draw(st.integers(1, largest))
    numbers = np.random.default_rng(draw(st.integers(0, 2**32)))
    low = draw(st.sampled_from([-5, 0]))
    flow, distance = numbers.integers(low, 10, (2, n, n))
    if draw(st.booleans()):
        flow = flow + flow.T
    if draw(st.booleans()):
        distance = distance + distance.T
    idle = draw(st.integers(0, n // 2))
    flow[:idle] = flow[:, :idle] = 0
    linear = numbers.integers(-20, 20, (n, n)) if draw(st.booleans()) else None
    fixed = None
    if draw(st.booleans()):
        fixed = np.where(numbers.random(n) < 0.4, numbers.permutation(n), -1)
    return Qap(flow, distance, linear, fixed)
