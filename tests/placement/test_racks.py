"""Layouts of filled cabinets against brute force and plain recounts."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.core.errors import Infeasible
from planner.design.placement.racks import costs, lower_bound
from planner.design.placement.racks.problem import RackProblem
from planner.design.placement.racks.search import search, start
from planner.design.placement.search.cooling import Budget
from planner.kernels.placement import racks as kernel


def drawn(seed, cabinets=4, slots=6, kinds=2, edges=7, forbid=0.15):
    """A random problem; tables are not symmetric."""
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, cabinets, (edges, 2))
    ends = ends[ends[:, 0] != ends[:, 1]]
    allowed = rng.random((cabinets, slots)) > forbid
    allowed[np.arange(cabinets), rng.permutation(slots)[:cabinets]] = True
    return RackProblem(
        ends=ends,
        weight=rng.integers(1, 5, len(ends)),
        kind=rng.integers(0, kinds, len(ends)),
        table=rng.integers(1, 100, (kinds, slots, slots)).astype(np.int32),
        bias=rng.integers(0, 30, (cabinets, slots)),
        allowed=allowed,
        run=rng.integers(1, 9, (kinds, slots, slots)).astype(np.int32),
    )


def plain_measures(problem, slot):
    """Cost, run length edge by edge, and the length of one pull for each pair of cabinets and kind."""
    edges = list(zip(problem.ends.tolist(), problem.weight.tolist(), problem.kind.tolist(), strict=True))
    pulls = {(a, b, kind) for (a, b), _, kind in edges}
    run = sum(weight * int(problem.run[kind, slot[a], slot[b]]) for (a, b), weight, kind in edges)
    return plain_cost(problem, slot), run, sum(int(problem.run[kind, slot[a], slot[b]]) for a, b, kind in pulls)


def plain_cost(problem, slot):
    """Cost edge by edge."""
    total = sum(int(problem.bias[cabinet, place]) for cabinet, place in enumerate(slot))
    for (a, b), weight, kind in zip(problem.ends.tolist(), problem.weight.tolist(), problem.kind.tolist(), strict=True):
        total += weight * int(problem.table[kind, slot[a], slot[b]])
    return total


def layouts(problem):
    for slot in permutations(range(problem.slot_count), problem.cabinet_count):
        if problem.allowed[np.arange(len(slot)), slot].all():
            yield slot


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_the_kernel_recounts_every_change(seed):
    problem = drawn(seed, cabinets=5, slots=8, edges=12)
    if seed % 2:
        # Few different costs and lengths: many layouts are equal in one or both.
        problem = replace(problem, table=problem.table // 50 + 1, run=problem.run // 4 + 1, bias=problem.bias // 15)
    slot = start(problem, ("",) * 5, "a room")
    rack = np.full(8, -1)
    rack[slot] = np.arange(5)
    before = plain_cost(problem, slot.tolist())
    assert problem.measures(slot) == plain_measures(problem, slot.tolist())
    run = (slot, rack, *problem.rows, problem.table, problem.bias)
    assert kernel.total_cost(slot, *problem.rows, problem.table, problem.bias) == before == problem.cost(slot)
    state = np.array([seed + 1], np.uint64)
    change, accepted = kernel.anneal(200, 60.0, np.ones(1024), state, *run, problem.allowed.astype(np.uint8))
    assert plain_cost(problem, slot.tolist()) == before + change
    assert problem.allowed[np.arange(5), slot].all()
    assert (rack[slot] == np.arange(5)).all()
    assert (rack >= 0).sum() == 5
    lower = kernel.descend(
        *run, problem.allowed.astype(np.uint8), problem.run, np.ones_like(problem.rows[2]), np.zeros_like(problem.bias)
    )
    assert lower <= 0
    assert plain_cost(problem, slot.tolist()) == before + change + lower
    if accepted:
        # No move of one cabinet, nor a swap of two, lowers the cost, the length at equal cost, or the pulls at equal length.
        for cabinet in range(5):
            for goal in range(8):
                other = slot.copy()
                if rack[goal] >= 0:
                    other[rack[goal]] = slot[cabinet]
                other[cabinet] = goal
                if problem.allowed[np.arange(5), other].all():
                    other, now = other.tolist(), slot.tolist()
                    assert plain_measures(problem, other) >= plain_measures(problem, now)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_search_finds_the_best_layout_and_the_bound_is_below(seed):
    problem = drawn(seed, forbid=0.0)
    best = min(plain_cost(problem, slot) for slot in layouts(problem))
    slot, tried, complete = search(problem, start(problem, ("",) * 4, "a room"), Budget(20_000), 1)
    assert (plain_cost(problem, slot.tolist()), tried, complete) == (best, 20_000, True)
    assert lower_bound(problem) <= best
    again = search(problem, start(problem, ("",) * 4, "a room"), Budget(20_000), 1)[0]
    assert np.array_equal(slot, again)


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_forbidden_slots_stay_free(seed):
    problem = drawn(seed)
    best = min(plain_cost(problem, slot) for slot in layouts(problem))
    slot, _, _ = search(problem, start(problem, ("",) * 4, "a room"), Budget(2000), 1)
    assert problem.allowed[np.arange(4), slot].all()
    assert lower_bound(problem) <= best <= plain_cost(problem, slot.tolist())


def test_the_bound_is_sharp_for_a_star_and_of_the_simple_kind_in_large_problems(monkeypatch):
    ends = np.array([[0, 1], [0, 2], [0, 3]])
    line = np.abs(np.subtract.outer(np.arange(5), np.arange(5))).astype(np.int32)
    problem = RackProblem(
        ends, np.ones(3, int), np.zeros(3, int), line[None], np.zeros((4, 5), int), np.ones((4, 5), bool), line[None]
    )
    best = min(plain_cost(problem, slot) for slot in layouts(problem))
    assert (lower_bound(problem), best) == (4, 4)
    monkeypatch.setattr("planner.design.placement.racks.WORK", 0)
    assert lower_bound(problem) == 3


def test_cabinets_that_only_some_slots_carry():
    allowed = np.array([[True, True, False], [True, False, False]])
    problem = RackProblem(
        np.zeros((0, 2), int), np.zeros(0, int), np.zeros(0, int), np.zeros((1, 3, 3), np.int32), np.zeros((2, 3), int), allowed,
        np.zeros((1, 3, 3), np.int32),
    )  # fmt: skip
    assert start(problem, ("a", "b"), "lab").tolist() == [1, 0]
    none = replace(problem, allowed=allowed[:, [0, 2, 2]])
    with pytest.raises(Infeasible, match="lab has no slot for 1 of 2 cabinets"):
        start(none, ("a", "b"), "lab")


def test_interrupts_keep_the_best_so_far():
    problem = drawn(3)
    first = start(problem, ("",) * 4, "a room")

    def stop(*_, **__):
        raise KeyboardInterrupt

    slot, tried, complete = search(problem, first, Budget(20_000), 1, stop)
    assert (slot.tolist(), tried, complete) == (first.tolist(), 0, False)


def test_a_unit_in_two_rows_pays_for_their_distance():
    """Three rows at 0, 3 and 9 m: next to nothing in one row, the maximum between the first and the last."""
    row = np.array([0, 0, 1, 1, 2])
    xy = np.array([[0, 0], [600, 0], [0, 3000], [600, 3000], [300, 9000]])
    cost = costs.rows_apart(row, xy)
    assert cost[0].tolist() == [0, 0, *[costs.APART + costs.FAR // 3] * 2, costs.APART + costs.FAR]
    assert (cost == cost.T).all()
