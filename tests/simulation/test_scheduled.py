"""Scheduled collectives on D3(K, M): no conflict, all messages delivered, and the number of steps of the formulas."""

import json
from pathlib import Path

import numpy as np
import pytest

from planner import topology
from planner.errors import InputError
from planner.simulation import scheduled

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text())["d3_collectives"]
SIZES = [(1, 4), (2, 4), (3, 4), (2, 6), (4, 4), (3, 5), (2, 3), (2, 2)]


def sources(m, alike):
    """Routers with d = p, or with d ≠ p."""
    return [router for router in range(m * m) if (router // m == router % m) == alike]


@pytest.mark.parametrize(("k", "m"), SIZES)
def test_every_hop_is_a_link(k, m):
    network = topology.build("swapped_dragonfly", k=k, m=m)
    links = {tuple(pair) for pair in network.links.tolist()}
    to = np.random.default_rng(3).permutation(k * m * m)
    for schedule in (
        scheduled.all_to_all(k, m), scheduled.one_to_all(k, m, 1), scheduled.broadcast(k, m, 0, 3), scheduled.all_to_one(k, m, 1),
        scheduled.permutation(k, m, to),
    ):  # fmt: skip
        assert {(min(hop), max(hop)) for hop in zip(schedule.source.tolist(), schedule.target.tolist(), strict=True)} <= links


@pytest.mark.parametrize(("k", "m"), SIZES)
def test_all_to_all(k, m):
    schedule = scheduled.all_to_all(k, m)
    rounds, idle, steps = GOLDEN["all_to_all"][f"K{k}M{m}"]
    assert (rounds, idle) == (k * m * m, k * m)
    assert schedule.steps == steps == schedule.step.max() + 1
    assert schedule.conflicts == 0
    assert len(np.unique(schedule.ends, axis=0)) == len(schedule.ends) == (k * m * m) ** 2


@pytest.mark.parametrize("size", ["K2M4", "K3M4", "K2M6", "K3M5"])
def test_all_to_all_with_the_fewest_idle_steps(size):
    k, m = int(size[1]), int(size[3])
    schedule = scheduled.all_to_all(k, m, detect=True)
    assert schedule.steps == k * m * m + GOLDEN["all_to_all"]["exact_delays"][size] + 2 == k * m * m + k * (m - 2) + 2
    assert schedule.conflicts == 0


def test_all_to_all_without_idle_steps_has_conflicts():
    hops, everyone = [], np.arange(32)
    for number in range(32):
        scheduled.send_vector(hops, 2, 4, everyone, number // 16, number % 4, number // 4 % 4, number)
    assert scheduled.schedule_of(34, hops, [np.zeros((0, 2), int)]).conflicts > 0


@pytest.mark.parametrize(("k", "m"), SIZES)
def test_one_to_all(k, m):
    for alike in (False, True):
        for source in sources(m, alike):
            schedule = scheduled.one_to_all(k, m, source)
            assert schedule.conflicts == 0
            assert sorted(schedule.ends[:, 1]) == list(range(k * m * m))
            if k > 1:
                assert schedule.steps == k * m + 2 + (m - 1 if alike else 0)
            if alike and m % 2 == 0 and k > 1:
                last = scheduled.one_to_all(k, m, source, zero_last=True)
                assert (last.steps, last.conflicts) == (k * m + 2 + m - 2, 0)


@pytest.mark.parametrize(("k", "m"), SIZES)
def test_broadcast(k, m):
    for alike in (False, True):
        for source in sources(m, alike):
            schedule = scheduled.broadcast(k, m, source, 6)
            assert schedule.conflicts == 0
            assert schedule.steps == (12 if alike else 8)
            assert sorted(schedule.ends[: k * m * m, 1]) == list(range(k * m * m))


@pytest.mark.parametrize(("k", "m"), SIZES)
def test_all_to_one(k, m):
    for sink in sources(m, alike=False):
        schedule = scheduled.all_to_one(k, m, sink)
        assert (schedule.steps, schedule.conflicts) == (k * m + 6, 0)
        assert sorted(schedule.ends[:, 0]) == [router for router in range(k * m * m) if router != sink]
        assert set(schedule.ends[:, 1]) == {sink}
    if k * m >= 6:
        assert scheduled.all_to_one(k, m, 1, careful=False).conflicts > 0


@pytest.mark.parametrize(("k", "m"), SIZES)
def test_permutations_end_in_time(k, m):
    random = np.random.default_rng(1)
    count = k * m * m
    turned = [np.roll(np.arange(count), shift) for shift in (1, m, m * m)]
    for to in [*turned, np.arange(count)[::-1], *(random.permutation(count) for _ in range(20))]:
        schedule = scheduled.permutation(k, m, to)
        assert schedule.conflicts == 0
        assert schedule.steps <= m + 2


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: scheduled.all_to_all(0, 1), "k: must be at least 1, not 0\nm: must be at least 2"),
        (lambda: scheduled.one_to_all(2, 3, 18), "use 0 to 17"),
        (lambda: scheduled.all_to_one(2, 3, 4), "use one with d ≠ p"),
        (lambda: scheduled.broadcast(2, 3, 0, 0), "at least 1, not 0"),
        (lambda: scheduled.permutation(1, 2, np.zeros(4, int)), "no permutation"),
    ],
)
def test_bad_input_is_refused(call, words):
    with pytest.raises(InputError, match=words):
        call()
