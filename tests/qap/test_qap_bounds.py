"""Bounds never exceed the optimum; figures of the literature."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import linear_sum_assignment
from shared.qap_problems import brute, problems

from planner.core.errors import InputError
from planner.design.qap import Qap, bounds
from planner.design.qap.files import read, read_solution

QAPLIB = Path(__file__).parents[2] / "benchmarks" / "qaplib"


@pytest.mark.slow
@given(problems())
@settings(max_examples=40)
def test_no_bound_exceeds_the_optimum(problem):
    lowest = brute(problem)
    first = bounds.gilmore_lawler(problem)
    ascent = bounds.dual_ascent(problem, rounds=20)
    assert first <= lowest
    assert ascent <= lowest
    if problem.normal.symmetric:
        assert bounds.projection(problem) <= lowest
    assert bounds.best(problem)[0] <= lowest


@given(problems())
@settings(max_examples=20)
def test_the_first_step_of_dual_ascent_is_gilmore_lawler(problem):
    if problem.fixed is None:
        assert bounds.dual_ascent(problem, rounds=0) == bounds.gilmore_lawler(problem)
    else:
        assert bounds.dual_ascent(problem, rounds=0) >= bounds.gilmore_lawler(problem)


@given(problems())
@settings(max_examples=20)
def test_more_rounds_are_never_worse(problem):
    found = [bounds.dual_ascent(problem, rounds=rounds) for rounds in (0, 1, 5, 20)]
    assert found == sorted(found)


@pytest.mark.parametrize("name", ["nug12", "rou12", "nug30"])
def test_gilmore_lawler_by_its_definition(name):
    """Smallest scalar products row by row, then SciPy's assignment; rounded up, to an even number as all costs are."""
    problem = read(QAPLIB / f"{name}.dat")
    n = problem.size
    cost = np.empty((n, n), np.int64)
    for i in range(n):
        flow = np.sort(np.delete(problem.flow[i], i))
        for j in range(n):
            cost[i, j] = flow @ np.sort(np.delete(problem.distance[j], j))[::-1]
    lowest = int(cost[linear_sum_assignment(cost)].sum())
    assert lowest <= bounds.gilmore_lawler(problem) <= lowest + 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["els19", "nug30", "kra32", "tho40", "sko49", "tai64c", "sko100a", "tai100a"])
def test_every_bound_is_below_the_best_known(name):
    problem = read(QAPLIB / f"{name}.dat")
    known = read_solution(QAPLIB / f"{name}.sln", problem).objective
    assert bounds.gilmore_lawler(problem) <= known
    assert bounds.projection(problem) <= known
    if problem.size <= 20:
        assert bounds.dual_ascent(problem, rounds=5) <= known


def test_huge_costs():
    ring = np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]])
    problem = Qap(ring * 2**26, ring * 2**26)
    lowest = brute(problem)
    assert all(bound <= lowest for bound in (bounds.gilmore_lawler(problem), bounds.projection(problem)))
    # All costs have the factor 2**53 in common, and so have the bounds.
    assert bounds.dual_ascent(problem) == lowest


def test_what_a_bound_cannot_take():
    numbers = np.random.default_rng(1)
    crooked = Qap(*numbers.integers(0, 9, (2, 5, 5)))
    with pytest.raises(InputError, match="symmetric"):
        bounds.projection(crooked)
    large = Qap(np.zeros((41, 41), int), np.zeros((41, 41), int))
    with pytest.raises(InputError, match="at most 40"):
        bounds.dual_ascent(large)
