"""Annealing kernels against plain recounts; all methods of bookkeeping agree."""

import hashlib
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.naive import MODES, instance, random_state

from planner.kernels.placement import anneal as kernel
from planner.kernels.placement import layout

ENDLESS = np.int64(1) << np.int64(62)
NO_SAMPLE = np.empty(0, np.int64)

modes = pytest.mark.parametrize("mode", MODES)
seeds = st.integers(0, 2**32 - 1)


def possible(chosen):
    """No more items than places, and two that move: with fewer a search does not start."""
    items = min(chosen["items"], chosen["slots"] * chosen["places"])
    return chosen | {"items": items, "fixed": min(chosen["fixed"], items - 2)}


options = st.fixed_dictionaries(
    {
        "items": st.integers(2, 14),
        "slots": st.integers(5, 10),
        "places": st.sampled_from([1, 3]),
        "heaviest": st.sampled_from([1, 4]),
        "apart_price": st.sampled_from([0, 13]),
        "near": st.booleans(),
        "fixed": st.integers(0, 2),
    }
).map(possible)


def snapshot(state):
    return {name: np.copy(array) for name, array in state._asdict().items()}


def same(one, other, names=None):
    return all(np.array_equal(one[name], other[name]) for name in names or one)


def where(state):
    return {name: getattr(state, name).tolist() for name in ("slot", "place", "content", "filled", "demand", "together")}


def run(chosen, mode, seed, shares, temperature):
    """Anneal in portions; return where everything ends, the changes of cost, and the random state."""
    made = instance(seed, mode, **chosen)
    random, totals = random_state(seed + 1), np.zeros(2, np.int64)
    for moves, swap_share in shares:
        totals += kernel.anneal(moves, temperature, swap_share, random, made.state, NO_SAMPLE)
    made.check()
    return where(made.state), totals.tolist(), int(random[0]), made


@pytest.mark.slow
@modes
@settings(max_examples=20)
@given(seeds, options, st.booleans())
def test_changes_of_cost_equal_full_recounts(mode, seed, chosen, separable):
    made = instance(seed, mode, **chosen, separable=separable or mode == "split")
    state, draw = made.state, np.random.default_rng(seed)
    made.check()
    for _ in range(12):
        r, s = draw.integers(0, chosen["items"], 2).astype(np.uint32)
        before = made.objective
        if state.slot[r] != state.slot[s]:
            change = layout.swap_cost(r, s, ENDLESS, state)
            assert made.objective == before, "a query moves nothing"
            layout.swap(r, s, state)
            assert made.objective - before == change
        here, there = draw.choice(chosen["slots"], 2, replace=False).astype(np.uint32)
        before = made.objective
        change = layout.exchange_cost(here, there, state)
        layout.exchange(here, there, state)
        assert made.objective - before == change
    made.check()


@pytest.mark.slow
@modes
@settings(max_examples=20)
@given(seeds, options, st.booleans(), st.integers(-200, 200))
def test_an_early_answer_is_above_the_limit_too(mode, seed, chosen, separable, limit):
    state = instance(seed, mode, **chosen, separable=separable or mode == "split").state
    for r in range(chosen["items"]):
        for s in range(chosen["items"]):
            if state.slot[r] != state.slot[s]:
                exact = layout.swap_cost(np.uint32(r), np.uint32(s), ENDLESS, state)
                assert layout.swap_cost(np.uint32(r), np.uint32(s), np.int64(exact), state) == exact
                for below in (exact - 1, exact - 30, limit):
                    quick = layout.swap_cost(np.uint32(r), np.uint32(s), np.int64(below), state)
                    assert quick == exact if exact <= below else quick > below


@pytest.mark.slow
@settings(max_examples=30)
@given(seeds, options, st.sampled_from([0.0, 3.0, 60.0]), st.sampled_from([0, 32, 64]), st.lists(st.integers(0, 60), max_size=6))
def test_bookkeeping_and_chunks_change_nothing(seed, chosen, temperature, swap_share, portions):
    cuts = sorted({0, 200, *(3 * portion for portion in portions)})
    whole, *others = (
        run(chosen, mode, seed, shares, temperature)
        for mode in MODES
        for shares in ([(200, swap_share)], [(b - a, swap_share) for a, b in pairwise(cuts)])
    )
    for other in others:
        assert other[:3] == whole[:3]


@pytest.mark.slow
@modes
@settings(max_examples=30)
@given(seeds, options, st.sampled_from([0.0, 5.0, 100.0]), st.sampled_from([0, 32, 64]))
def test_a_run_keeps_count_and_limits(mode, seed, chosen, temperature, swap_share):
    start = instance(seed, mode, **chosen)
    before = start.state
    _, (change, accepted), _, made = run(chosen, mode, seed, [(300, swap_share)], temperature)
    state = made.state
    assert made.objective - start.objective == change
    assert change <= 0 or temperature
    assert 0 <= accepted <= 300
    stay = np.flatnonzero(before.peer_class == 2)
    assert np.array_equal(state.slot[stay], before.slot[stay])
    fixed_slots = np.setdiff1d(np.arange(chosen["slots"]), before.slots)
    moved = np.flatnonzero(before.demand != 4)
    assert (state.allowed[state.demand[moved], moved] == 1).all()
    assert np.array_equal(np.sort(state.demand), np.sort(before.demand))
    assert np.array_equal(state.filled[fixed_slots], before.filled[fixed_slots])
    contents = [
        sorted((int(k), int(d)) for k, d in zip(s.peer_class, s.demand[s.slot], strict=True)) for s in (before, state)
    ]  # a router takes its class along, and its new cabinet has the demand of the old one
    assert contents[0] == contents[1]
    if swap_share == 0:
        together = [sorted(sorted(np.flatnonzero(s.slot == p).tolist()) for p in range(chosen["slots"])) for s in (before, state)]
        assert together[0] == together[1]
    if swap_share == 64:
        classes = [[sorted(s.peer_class[s.slot == p].tolist()) for p in range(chosen["slots"])] for s in (before, state)]
        assert classes[0] == classes[1]
        assert np.array_equal(state.demand, before.demand)


@pytest.mark.slow
@modes
@settings(max_examples=20)
@given(seeds, options, st.integers(0, 40))
def test_a_sample_moves_nothing_and_tells_what_would_change(mode, seed, chosen, swap_share):
    made = instance(seed, mode, **chosen)
    before, random = snapshot(made.state), random_state(seed)
    changes = np.zeros(25, np.int64)
    assert kernel.anneal(25, 1e12, swap_share, random, made.state, changes) == (0, 0)
    assert same(before, snapshot(made.state))
    single = random_state(seed)
    for change in changes.tolist():
        fresh = instance(seed, mode, **chosen)
        assert kernel.anneal(1, 1e12, swap_share, single, fresh.state, NO_SAMPLE)[0] == change
    assert np.array_equal(single, random)


def blocks_of(draw, things, of_items):
    """Disjoint pairs of slots, or of items that each fill a slot."""
    shuffled = draw.permutation(things)
    return shuffled[: len(shuffled) // 2 * 2].reshape(2, -1).astype(np.uint32) if of_items else shuffled[:6].reshape(3, 2)


@pytest.mark.slow
@modes
@settings(max_examples=30)
@given(seeds, options, st.booleans(), st.sampled_from([0.0, 20.0, 1e9]))
def test_a_block_is_exchanged_whole_or_not_at_all(mode, seed, chosen, of_items, temperature):
    chosen = chosen | {"slots": max(6, chosen["slots"])} | ({"places": 1} if of_items else {})
    chosen["items"] = min(chosen["items"], chosen["slots"] * chosen["places"])
    made = instance(seed, mode, **chosen)
    state = made.state
    things = np.arange(chosen["items"]) if of_items else np.arange(chosen["slots"])
    blocks = blocks_of(np.random.default_rng(seed), things, of_items).astype(np.uint32)
    random = random_state(seed)
    for _ in range(20):
        before, objective = snapshot(state), made.objective
        change, accepted = kernel.anneal_blocks(1, temperature, random, state, blocks, of_items)
        assert made.objective - objective == change
        if not accepted:
            assert change == 0
            assert same(before, snapshot(state))
        else:
            moved = [slot for slot in range(chosen["slots"]) if before["content"][slot].tolist() != state.content[slot].tolist()]
            assert len(moved) <= 2 * blocks.shape[1]
        filled = np.flatnonzero(state.demand != 4)
        assert (state.allowed[state.demand[filled], filled] == 1).all()
    made.check()


def test_blocks_that_cannot_stand_elsewhere_stay():
    """One slot of a row carries what the other row's cannot: the first exchanges are taken back."""
    made = instance(1, places=2, slots=6, items=8)
    state = made.state
    state.allowed[:] = 1
    state.demand[:] = 0
    state.demand[5] = 1
    state.allowed[1, 2] = 0
    before = snapshot(state)
    blocks = np.array([[0, 1, 2], [3, 4, 5]], np.uint32)
    _, accepted = kernel.anneal_blocks(60, 1e12, random_state(3), state, blocks, False)
    assert (state.allowed[state.demand, np.arange(6)] == 1).all()
    assert accepted > 0, "reversed, the heavy one is in slot 0"
    state.allowed[1, :3] = 0
    made = instance(1, places=2, slots=6, items=8)
    state = made.state._replace(allowed=state.allowed, demand=before["demand"].copy())
    before = snapshot(state)
    assert kernel.anneal_blocks(60, 1e12, random_state(3), state, blocks, False) == (0, 0)
    assert same(before, snapshot(state))


@pytest.mark.nightly
@pytest.mark.parametrize("mode", ["arithmetic", "split"])
def test_long_integers_tell_the_same(mode):
    short, long = (
        run({"items": 12, "apart_price": 7, "kind": kind}, mode, 5, [(400, 40)], 20.0) for kind in (np.int32, np.int64)
    )
    assert short[:3] == long[:3]


@pytest.mark.slow
def test_only_some_pairs_may_be_exchanged():
    state = instance(2, slots=6, places=2, items=6).state
    for here in range(6):
        for there in range(6):
            expected = (
                here != there
                and (state.filled[here] > 0 or state.filled[there] > 0)
                and state.allowed[state.demand[here], there] == 1
                and state.allowed[state.demand[there], here] == 1
            )
            assert bool(layout.may_exchange(here, there, state)) == expected


def test_the_thresholds_follow_the_exponential_law():
    """Metropolis accepts a loss d with probability exp(-d/T): so must the share of thresholds above d/T."""
    for loss in (0.05, 0.5, 1.0, 3.0):
        assert np.mean(loss <= kernel.THRESHOLD) == pytest.approx(np.exp(-loss), abs=1e-3)


def story():
    """Digest of short runs in every mode."""
    digest = hashlib.sha256()
    for mode in MODES:
        for near in (False, True):
            chosen = {"items": 8, "slots": 6, "places": 2, "apart_price": 5, "near": near}
            made = instance(9, mode, **chosen)
            random = random_state(4)
            changes = np.zeros(10, np.int64)
            kernel.anneal(10, 0.0, 32, random, made.state, changes)
            total = kernel.anneal(60, 10.0, 32, random, made.state, NO_SAMPLE)
            blocks = kernel.anneal_blocks(10, 50.0, random, made.state, np.array([[0, 1], [2, 3], [4, 5]], np.uint32), False)
            digest.update(repr((where(made.state), changes.tolist(), [int(v) for v in (*total, *blocks, random[0])])).encode())
    return digest.hexdigest()


@pytest.mark.slow
def test_the_compiler_changes_nothing():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[2])])
    code = "from test_anneal import story; print(story())"
    plain = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert plain.stdout.strip() == story(), plain.stderr
