"""Searches: valid, reproducible, never worse than the start, best known on small problems, fixed items stay."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.qap_problems import brute, problems

from planner.core.errors import InputError
from planner.design.qap import ALGORITHMS, Qap, solve
from planner.design.qap.files import read, read_solution
from planner.design.qap.normal import CEILING

QAPLIB = Path(__file__).parents[2] / "benchmarks" / "qaplib"
HEURISTICS = [name for name in ALGORITHMS if name != "exact"]


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", HEURISTICS)
@given(problem=problems(), seed=st.integers(0, 1000))
@settings(max_examples=25)
def test_valid_for_every_kind_of_problem(algorithm, problem, seed):
    if algorithm == "faq" and problem.linear is not None:
        with pytest.raises(InputError, match="linear"):
            solve(problem, seed=seed, moves=10, algorithm=algorithm)
        return
    solution = solve(problem, seed=seed, moves=200, algorithm=algorithm)
    assert sorted(solution.permutation.tolist()) == list(range(problem.size))
    assert solution.objective == problem.objective(solution.permutation)
    if problem.fixed is not None:
        held = problem.fixed >= 0
        assert np.array_equal(solution.permutation[held], problem.fixed[held])


@pytest.mark.slow
@given(problems(), st.integers(0, 1000))
@settings(max_examples=20)
def test_small_problems_are_solved(problem, seed):
    assert solve(problem, seed=seed, moves=5_000).objective == brute(problem)


@pytest.mark.parametrize("algorithm", HEURISTICS)
def test_reproducible_and_never_worse_than_the_start(algorithm):
    problem = read(QAPLIB / "nug30.dat")
    start = read_solution(QAPLIB / "nug30.sln", problem).permutation
    first, second = (solve(problem, seed=5, moves=3000, algorithm=algorithm) for _ in range(2))
    assert first.permutation.tolist() == second.permutation.tolist()
    assert (first.objective, first.evaluations, first.method) == (second.objective, second.evaluations, second.method)
    assert solve(problem, seed=1, moves=100, algorithm=algorithm, start=start).objective == 6124


@pytest.mark.parametrize(
    "name",
    [
        *("els19", "esc16a", "nug30"),
        *(
            pytest.param(name, marks=pytest.mark.nightly)
            for name in ("chr12a", "chr20a", "had12", "kra32", "nug12", "rou12", "tai12a")
        ),
    ],
)
@pytest.mark.slow
def test_best_known(name):
    problem = read(QAPLIB / f"{name}.dat")
    solution = solve(problem, seed=1, moves=100_000_000)
    assert solution.objective == read_solution(QAPLIB / f"{name}.sln", problem).objective


def test_moves_are_a_limit():
    problem = read(QAPLIB / "nug12.dat")
    for algorithm in ("tabu", "anneal"):
        assert solve(problem, seed=1, moves=50_000, algorithm=algorithm).evaluations <= 50_000 + problem.normal.pairs
    assert solve(problem, seed=1, moves=0).evaluations <= problem.normal.pairs


def test_seconds_are_a_limit():
    problem = read(QAPLIB / "nug12.dat")
    assert solve(problem, seed=1, seconds=0.0).complete
    assert solve(problem, seed=1, seconds=0.05, moves=2_000_000_000).evaluations < 10**12


def test_interruption_keeps_the_best():
    problem = read(QAPLIB / "nug30.dat")
    calls = []

    def impatient(stage, done, total, **facts):
        calls.append(facts["objective"])
        if len(calls) == 3:
            raise KeyboardInterrupt

    solution = solve(problem, seed=1, progress=impatient, moves=10**9)
    assert not solution.complete
    assert "interrupted" in solution.method
    assert solution.objective == problem.objective(solution.permutation) == min(calls)


def test_an_interrupted_proof_reports_the_bound():
    problem = read(QAPLIB / "nug12.dat")

    def impatient(stage, done, total, **facts):
        if done == 50:
            raise KeyboardInterrupt

    solution = solve(problem, seed=1, progress=impatient, algorithm="exact")
    assert not solution.complete
    assert not solution.optimal
    assert 400 < solution.bound <= 578


def test_forbidden_by_a_large_linear_cost():
    numbers = np.random.default_rng(3)
    flow, distance = numbers.integers(0, 10, (2, 20, 20))
    allowed = numbers.random((20, 20)) < 0.4
    np.fill_diagonal(allowed, True)
    solution = solve(Qap(flow, distance, np.where(allowed, 0, 10**9)), seed=1, moves=2_000_000)
    assert allowed[np.arange(20), solution.permutation].all()


def test_huge_costs_do_not_overflow():
    ring = np.abs(np.subtract.outer(np.arange(30), np.arange(30)))
    flow = np.random.default_rng(2).integers(0, 10, (30, 30))
    factor = CEILING // (int(flow.sum()) * 29)
    small, large = Qap(flow, ring), Qap(flow * factor, ring)
    first, second = (solve(problem, seed=2, moves=300_000) for problem in (small, large))
    assert second.objective == first.objective * factor


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_smallest(size):
    problem = Qap(np.ones((size, size), int), np.ones((size, size), int))
    for algorithm in ALGORITHMS:
        solution = solve(problem, seed=1, moves=5, algorithm=algorithm)
        assert solution.objective == size * size


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 1]], [[0, 1]]), "shape"),
        (([[0]], [[0, 1], [1, 0]]), "shape"),
        (([], []), "shape"),
        (([[0.5]], [[1]]), "integers"),
        (([[float("nan")]], [[1]]), "integers"),
        (([["a"]], [[1]]), "integers"),
        (([[2**62]], [[1]]), "integers up to"),
        (([[2**63]], [[1]]), "integers up to"),
        (([[2**40]], [[2**40]]), "costs may exceed"),
        (([[1]], [[1]], [[1, 2]]), "shape"),
        (([[1]], [[1]], None, [1]), "outside"),
        ((np.ones((2, 2)), np.ones((2, 2)), None, [1, 1]), "same location"),
    ],
)
def test_bad_problems(arguments, message):
    with pytest.raises(InputError, match=message):
        Qap(*arguments)


def test_bad_arguments():
    problem = Qap(np.ones((3, 3), int), np.ones((3, 3), int), fixed=[-1, 0, -1])
    with pytest.raises(InputError) as caught:
        solve(problem, seed=1, moves=-1, seconds=float("nan"), algorithm="taboo")
    assert [problem.place for problem in caught.value.problems] == ["algorithm", "seconds", "moves"]
    assert "did you mean tabu" in str(caught.value)
    for start in ([0, 1], [0, 0, 1], [0.0, 1.0, 2.0], [0, 1, 2]):
        with pytest.raises(InputError):
            solve(problem, seed=1, start=np.array(start))
    with pytest.raises(InputError):
        problem.objective(np.array([0, 1, 3]))


def test_records_cannot_be_changed():
    problem = Qap([[0, 1], [1, 0]], [[0, 3], [3, 0]], linear=[[0, 1], [2, 3]])
    for content in (problem.flow, problem.distance, problem.linear, solve(problem, seed=1, moves=1).permutation):
        with pytest.raises(ValueError, match="read-only"):
            content[0] = 1
