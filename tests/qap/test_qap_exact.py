"""Branch and bound: proven optima are those of brute force and of QAPLIB."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.qap_problems import brute, problems

from planner.core.errors import InputError
from planner.design.qap import Qap, solve
from planner.design.qap.files import read, read_solution
from planner.design.qap.symmetry import Symmetry, automorphisms

QAPLIB = Path(__file__).parents[2] / "benchmarks" / "qaplib"


@pytest.mark.slow
@given(problems())
@settings(max_examples=30)
def test_the_proven_optimum_is_that_of_brute_force(problem):
    solution = solve(problem, seed=1, algorithm="exact")
    assert solution.optimal
    assert solution.objective == solution.bound == brute(problem)


@pytest.mark.slow
@given(problems(), st.integers(0, 6))
@settings(max_examples=20)
def test_the_bound_of_an_ended_search_is_valid(problem, nodes):
    solution = solve(problem, seed=1, moves=nodes, algorithm="exact")
    lowest = brute(problem)
    assert solution.bound is None or solution.bound <= lowest
    assert solution.objective >= lowest
    assert solution.optimal == (solution.bound == solution.objective)


@pytest.mark.parametrize("name", ["nug12", "chr12a", "had12", "rou12", "tai12a"])
@pytest.mark.slow
def test_qaplib(name):
    problem = read(QAPLIB / f"{name}.dat")
    solution = solve(problem, seed=1, algorithm="exact", moves=100_000)
    assert solution.optimal
    assert solution.objective == read_solution(QAPLIB / f"{name}.sln", problem).objective


@pytest.mark.slow
def test_a_small_budget_gives_no_proof_and_reports_it():
    problem = read(QAPLIB / "tai30a.dat")
    solution = solve(problem, seed=1, algorithm="exact", moves=1)
    assert not solution.optimal
    assert 0 < solution.bound <= 1818146 <= solution.objective


@pytest.mark.slow
def test_nodes_are_reproducible():
    problem = read(QAPLIB / "nug12.dat")
    first, second = (solve(problem, seed=3, algorithm="exact", moves=300) for _ in range(2))
    assert (first.bound, first.objective, first.method) == (second.bound, second.objective, second.method)


def test_too_large():
    flow = np.ones((41, 41), int)
    with pytest.raises(InputError, match="at most 40"):
        solve(Qap(flow, flow), seed=1, algorithm="exact")


@given(problems(5))
@settings(max_examples=30)
def test_symmetries_are_symmetries(problem):
    normal = problem.normal
    symmetry = Symmetry(normal)
    for s in symmetry.of_locations:
        assert np.array_equal(normal.distance[np.ix_(s, s)], normal.distance)
        assert np.array_equal(normal.linear[:, s], normal.linear)
    for s in symmetry.of_items:
        assert np.array_equal(normal.flow[np.ix_(s, s)], normal.flow)
        assert np.array_equal(normal.linear[s], normal.linear)


def test_the_hypercube_has_all_its_symmetries():
    cube = np.array([[(a ^ b).bit_count() for b in range(16)] for a in range(16)])
    assert len(automorphisms(cube, np.zeros((16, 16), int))) == 384 - 1


def test_orbits_shrink_when_locations_are_taken():
    ring = np.array([[min((a - b) % 6, (b - a) % 6) for b in range(6)] for a in range(6)])
    symmetry = Symmetry(Qap(np.ones((6, 6), int), ring).normal)
    assert symmetry.locations(np.arange(6)).tolist() == [0] * 6
    assert symmetry.locations(np.arange(1, 6)).tolist() == [0, 1, 2, 1, 0]
    assert symmetry.locations(np.arange(2, 6)).tolist() == [0, 1, 2, 3]
