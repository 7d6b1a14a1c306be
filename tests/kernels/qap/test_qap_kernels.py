"""Kernels of quadratic assignment against plain recounts, SciPy, and themselves in other chunks."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from planner.design.qap import Qap, solve
from planner.kernels.qap import dual_ascent, exchanges
from planner.kernels.qap.assignment import assign


@st.composite
def layouts(draw, largest=9):
    """A problem in normal form and some places."""
    n = draw(st.integers(2, largest))
    numbers = np.random.default_rng(draw(st.integers(0, 2**32)))
    flow, distance = numbers.integers(-5, 10, (2, n, n))
    if draw(st.booleans()):
        flow = flow + flow.T
    if draw(st.booleans()):
        distance = distance + distance.T
    linear = numbers.integers(-20, 20, (n, n)) if draw(st.booleans()) else None
    problem = Qap(flow, distance, linear)
    return problem, numbers.permutation(n).astype(np.uint32), numbers


def swapped(place, i, j):
    other = place.copy()
    other[i], other[j] = place[j], place[i]
    return other


@given(layouts())
def test_the_normal_form_costs_the_same(layout):
    problem, place, _ = layout
    plain = sum(
        int(problem.flow[i, j]) * int(problem.distance[place[i], place[j]])
        for i in range(problem.size)
        for j in range(problem.size)
    )
    if problem.linear is not None:
        plain += sum(int(problem.linear[i, place[i]]) for i in range(problem.size))
    assert plain == problem.objective(place) == problem.normal.cost(place) * problem.normal.factor


@pytest.mark.slow
@given(layouts())
def test_every_change_of_cost_is_that_of_a_recount(layout):
    problem, place, _ = layout
    normal = problem.normal
    field, cost = normal.field(place), normal.cost(place)
    for i in range(problem.size):
        for j in range(problem.size):
            if i != j:
                expected = normal.cost(swapped(place, i, j)) - cost
                pair = (normal.pair_flow, normal.pair_distance)
                assert exchanges.field_cost(i, j, *pair, place, field) == expected
                assert exchanges.exchange_cost(i, j, *normal.matrices, normal.linear, normal.symmetric, *pair, place) == expected


@pytest.mark.slow
@given(layouts())
def test_descent_ends_where_no_exchange_improves(layout):
    problem, place, _ = layout
    normal = problem.normal
    field, before = normal.field(place), normal.cost(place)
    pair = (normal.pair_flow, normal.pair_distance)
    work = np.empty((4, problem.size), np.int64)
    change, _ = exchanges.descend(*normal.matrices, normal.symmetric, *pair, normal.movable, place, field, work)
    assert normal.cost(place) == before + change
    assert np.array_equal(field, normal.field(place))
    assert normal.deltas(place, field).min() >= 0


def tabu(problem, place, seed, chunks):
    """Run tabu search in chunks; return all of its state."""
    normal, n = problem.normal, problem.size
    place = place.copy()
    field = normal.field(place)
    state = {
        "place": place,
        "field": field,
        "delta": normal.deltas(place, field),
        "banned": np.zeros((n, n), np.int64),
        "work": np.empty((6, n), np.int64),
        "best": place.copy(),
        "values": np.full(2, normal.cost(place), np.int64),
        "state": np.array([seed], np.uint64),
    }
    start = 1
    for count in chunks:
        pair = (normal.pair_flow, normal.pair_distance)
        floor = np.iinfo(np.int64).min
        start += exchanges.tabu(
            start, count, 2, 4, 3 * n * n, floor,
            *normal.matrices, normal.symmetric, *pair, normal.movable, *state.values(),
        )  # fmt: skip
    return state


@pytest.mark.slow
@given(layouts(), st.integers(0, 2**60))
@settings(max_examples=20)
def test_taboo_search_keeps_its_books_and_knows_no_chunks(layout, seed):
    problem, place, _ = layout
    normal = problem.normal
    whole = tabu(problem, place, seed, [60])
    parts = tabu(problem, place, seed, [1, 7, 30, 22])
    for name in whole.keys() - {"work"}:
        assert np.array_equal(whole[name], parts[name]), name
    assert np.array_equal(whole["field"], normal.field(whole["place"]))
    assert np.array_equal(whole["delta"], normal.deltas(whole["place"], whole["field"]))
    assert whole["values"].tolist() == [normal.cost(whole["place"]), normal.cost(whole["best"])]


def anneal(problem, place, seed, chunks, total, by_field):
    normal = problem.normal
    place = place.copy()
    field, best = normal.field(place), place.copy()
    values = np.full(2, normal.cost(place), np.int64)
    logs = -np.log((np.arange(4096) + 0.5) / 4096)
    state, work = np.array([seed], np.uint64), np.empty((4, problem.size), np.int64)
    start, accepted = 0, 0
    for count, fielded in zip(chunks, by_field, strict=True):
        if fielded:
            field = normal.field(place)
        accepted += exchanges.anneal(
            start, count, total, 50.0, 0.5, fielded,
            *normal.matrices, normal.linear, normal.symmetric, normal.pair_flow, normal.pair_distance, normal.movable,
            place, field, work, logs, best, values, state,
        )  # fmt: skip
        start += count
    if by_field[-1]:
        assert np.array_equal(field, normal.field(place))
    assert values.tolist() == [normal.cost(place), normal.cost(best)]
    return place.tolist(), best.tolist(), values.tolist(), int(accepted)


@pytest.mark.slow
@given(layouts(), st.integers(0, 2**60))
@settings(max_examples=20)
def test_annealing_knows_neither_chunks_nor_how_the_cost_is_found(layout, seed):
    problem, place, _ = layout
    whole = anneal(problem, place, seed, [3000], 3000, [False])
    assert anneal(problem, place, seed, [3000], 3000, [True]) == whole
    assert anneal(problem, place, seed, [1, 1023, 700, 1276], 3000, [False, True, True, False]) == whole


@given(st.integers(1, 12), st.integers(0, 2**32), st.sampled_from([3, 100, 2**50]))
def test_assignment_is_that_of_scipy_and_leaves_reduced_costs(n, seed, highest):
    numbers = np.random.default_rng(seed)
    cost = numbers.integers(-highest // 2, highest, (n, n))
    reduced = cost.copy()
    columns, rows, low, previous = (np.empty(n, np.int64) for _ in range(4))
    total = assign(reduced, n, columns, rows, low, previous, np.empty(n, bool))
    expected = linear_sum_assignment(cost)
    assert total == cost[expected].sum() == cost[np.arange(n), columns].sum()
    assert np.array_equal(rows[columns], np.arange(n))
    assert reduced.min() >= 0
    assert not reduced[np.arange(n), columns].any()
    # Every assignment has changed by the same: the difference is a sum of rows and columns.
    change = cost - reduced
    assert np.array_equal(change, change[:, :1] + change[:1] - change[0, 0])


def dual_cost(leader, pair, place):
    n = len(place)
    total = sum(int(leader[i, place[i]]) for i in range(n))
    return total + sum(int(pair[i, place[i], k, place[k]]) for i in range(n) for k in range(n) if i != k)


@pytest.mark.slow
@given(layouts(6), st.integers(1, 5))
@settings(max_examples=20)
def test_dual_ascent_leaves_every_permutation_its_cost(layout, rounds):
    problem, place, numbers = layout
    normal, n = problem.normal, problem.size
    pair = np.empty((n, n, n, n), np.int64)
    dual_ascent.fill_pairs(normal.flow, normal.distance, normal.symmetric, 64, pair)
    leader = normal.linear * 64
    scratch = [np.empty((n, n), np.int64), *(np.empty(n, np.int64) for _ in range(4)), np.empty(n, bool)]
    assert dual_cost(leader, pair, place) == 64 * normal.cost(place)
    bound, _ = dual_ascent.ascend(leader, pair, 0, 2**60, rounds, np.inf, *scratch)
    for _ in range(5):
        place = numbers.permutation(n)
        assert bound + dual_cost(leader, pair, place) == 64 * normal.cost(place.astype(np.uint32))
    assert leader.min() >= 0
    off = ~np.eye(n, dtype=bool)
    assert all(pair[i, j][np.ix_(off[i], off[j])].min() >= 0 for i in range(n) for j in range(n))
    # Fixing an item keeps the cost of all that contain it.
    i, j = 0, int(place[0])
    child_leader, child_pair = np.zeros((n - 1, n - 1), np.int64), np.zeros((n - 1,) * 4, np.int64)
    dual_ascent.fix(leader, pair, i, j, child_leader, child_pair)
    rest = place[1:] - (place[1:] > j)
    assert leader[i, j] + dual_cost(child_leader, child_pair, rest) == dual_cost(leader, pair, place)


SCRIPT = """
import numpy as np
from planner.design.qap import Qap, solve
numbers = np.random.default_rng(5)
flow, distance, linear = numbers.integers(0, 9, (3, 7, 7))
for problem in (Qap(flow, distance, linear), Qap(flow + flow.T, distance)):
    for algorithm in ("tabu", "anneal", "descent", "exact"):
        found = solve(problem, seed=1, moves=3 if algorithm == "exact" else 2000, algorithm=algorithm)
        print(algorithm, found.objective, found.permutation.tolist(), found.evaluations, found.bound)
"""


@pytest.mark.nightly
def test_uncompiled_kernels_give_the_same():
    results = []
    for off in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": off, "PYTHONWARNINGS": "ignore"}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=environment, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3],
        )  # fmt: skip
        results.append(run.stdout)
    assert results[0] == results[1]
    assert results[0].count("\n") == 8


def test_solve_gives_the_same_for_the_same_seed():
    numbers = np.random.default_rng(7)
    flow, distance = numbers.integers(0, 100, (2, 30, 30))
    problem = Qap(flow, distance)
    first, second = (solve(problem, seed=4, moves=400_000) for _ in range(2))
    assert first.permutation.tolist() == second.permutation.tolist()
    assert first.evaluations == second.evaluations
