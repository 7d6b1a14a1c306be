"""Elites of tabu search: distinct, best, with children that keep common locations; longer runs are no worse."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import taillard
from planner.design.qap import solve, tabu
from planner.design.qap.files import read

QAPLIB = Path(__file__).parents[2] / "benchmarks" / "qaplib"


@given(st.integers(2, 30), st.integers(0, 2**32 - 1))
def test_children_keep_what_parents_agree_on(size, seed):
    draw = np.random.default_rng(seed)
    fixed = draw.random(size) < 0.3
    movable = np.flatnonzero(~fixed).astype(np.uint32)
    parents = []
    for _ in range(2):
        place = np.arange(size, dtype=np.uint32)
        some = movable[draw.random(len(movable)) < 0.6]
        place[some] = draw.permutation(place[some])
        parents.append(place)
    elites = tabu.Elites()
    for cost, place in enumerate(parents):
        elites.keep(place, cost)
    if len(elites) < 2:
        assert np.array_equal(*parents)
        return
    child = elites.child(movable, draw)
    assert sorted(child.tolist()) == list(range(size))
    agreed = parents[0] == parents[1]
    assert np.array_equal(child[agreed], parents[0][agreed])
    assert np.array_equal(child[fixed], np.flatnonzero(fixed))


def test_elites_are_different_and_the_best():
    draw, elites = np.random.default_rng(1), tabu.Elites()
    places = [draw.permutation(20).astype(np.uint32) for _ in range(3 * tabu.MAX_ELITES)]
    for cost in draw.permutation(len(places)).tolist():
        elites.keep(places[cost], cost)
        elites.keep(places[cost], cost)
    assert [cost for cost, _ in elites.places] == list(range(tabu.MAX_ELITES))


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["tabu", "auto"])
@pytest.mark.parametrize("name", ["tai30a", "sko49"])
def test_longer_is_no_worse(algorithm, name):
    """The best so far never gets worse, and a longer search does all that a shorter one with the same seed did."""
    problem = read(QAPLIB / f"{name}.dat")
    seen = []
    found = [
        solve(problem, seed=2, moves=moves, algorithm=algorithm, progress=lambda *_, objective, **__: seen.append(objective))
        for moves in (300_000, 3_000_000, 30_000_000)
    ]
    objectives = [solution.objective for solution in found]
    assert objectives == sorted(objectives, reverse=True)
    assert objectives[-1] < objectives[0]
    assert min(seen) == objectives[-1]


def test_a_stalled_search_breeds_children(monkeypatch):
    """With short phases and few shakes, elites are kept and children bred, and the result is counted in full."""
    bred = []
    child = tabu.Elites.child

    def spied(self, *given):
        bred.append(len(self))
        return child(self, *given)

    monkeypatch.setattr(tabu.Elites, "child", spied)
    monkeypatch.setattr(tabu, "STALL", 2)
    monkeypatch.setattr(tabu, "PERTURBATION_GROWTH", 3.0)
    problem = taillard.uniform(16)
    solution = solve(problem, seed=1, moves=2_000_000, algorithm="tabu")
    assert bred
    assert min(bred) >= tabu.MIN_ELITES
    assert solution.objective == problem.objective(solution.permutation)
