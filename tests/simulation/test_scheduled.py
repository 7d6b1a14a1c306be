"""Scheduled collectives on D3(K, M): no conflict, all messages delivered, and the number of steps of the formulas."""

import json
from pathlib import Path

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.network import topology
from planner.simulation import scheduled
from planner.simulation.schedule import Builder

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text())["d3_collectives"]
SIZES = [(1, 4), (2, 4), (3, 4), (2, 6), (4, 4), (3, 5), (2, 3), (2, 2)]


def sources(m, alike):
    """Routers with d = p, or with d ≠ p."""
    return [router for router in range(m * m) if (router // m == router % m) == alike]


def reached(schedule, source):
    """Fail unless every message starts where the message that it waits for ended, before it starts; the others at the source."""
    first = schedule.after < 0
    assert set(schedule.ends[first, 0]) == {source}
    before = schedule.after[~first]
    assert (schedule.ends[before, 1] == schedule.ends[~first, 0]).all()
    assert (schedule.start[before] < schedule.start[~first]).all()


@pytest.mark.slow
@pytest.mark.parametrize(("k", "m"), SIZES)
def test_every_hop_is_a_link(k, m):
    network = topology.build("swapped_dragonfly", k=k, m=m)
    links = {tuple(pair) for pair in network.links.tolist()}
    to = np.random.default_rng(3).permutation(k * m * m)
    for schedule in (
        scheduled.all_to_all(k, m), scheduled.one_to_all(k, m, 1), scheduled.broadcast(k, m, 0, 3), scheduled.all_to_one(k, m, 1),
        scheduled.permutation(k, m, to), scheduled.one_to_all_by_columns(k, m, 1), scheduled.ascend_descend(k, m),
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
def test_all_to_all_with_the_minimum_of_idle_steps(size):
    k, m = int(size[1]), int(size[3])
    schedule = scheduled.all_to_all(k, m, detect=True)
    assert schedule.steps == k * m * m + GOLDEN["all_to_all"]["exact_delays"][size] + 2 == k * m * m + k * (m - 2) + 2
    assert schedule.conflicts == 0


def test_all_to_all_without_idle_steps_has_conflicts():
    built, everyone = Builder(), np.arange(32)
    for number in range(32):
        built.send(scheduled.vector_path(2, 4, everyone, number // 16, number % 4, number // 4 % 4), number)
    assert built.schedule(34).conflicts > 0


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(("k", "m"), SIZES)
def test_one_to_all_over_global_ports(k, m):
    """M² rounds from any source, section 10."""
    for source in range(k * m * m):
        schedule = scheduled.one_to_all_by_columns(k, m, source)
        assert (schedule.steps, schedule.conflicts) == (m * m + 3, 0)
        assert len(np.unique(schedule.start)) == m * m
        assert sorted(schedule.ends[:, 1]) == list(range(k * m * m))


@pytest.mark.parametrize(("k", "m"), [*SIZES, (5, 7), (8, 4)])
def test_hypercubes_have_dilation_four(k, m):
    """Every edge of a hypercube of 2^(k + 2m) nodes is a path of up to four hops; section 10."""
    router = scheduled.hypercube(k, m)
    power = {size: max(1 << i for i in range(5) if 1 << i <= size) for size in (k, m)}
    assert len(set(router)) == len(router) == power[k] * power[m] ** 2 <= k * m * m
    dimensions = len(router).bit_length() - 1
    node_of = {int(r): node for node, r in enumerate(router)}
    for order, count in (("ascend", dimensions), ("descend", dimensions), ("both", 2 * dimensions)):
        schedule = scheduled.ascend_descend(k, m, order)
        assert (schedule.steps, schedule.conflicts) == (4 * count, 0)
        assert np.bincount(schedule.message).max() <= 4
        # What each node knows doubles with every dimension.
        known = {node: {node} for node in range(len(router))}
        for at in range(0, schedule.steps, 4):
            now = schedule.start == at
            ends = [(node_of[a], node_of[b]) for a, b in schedule.ends[now].tolist()]
            assert {(a ^ b).bit_count() for a, b in ends} <= {1}
            assert len({a ^ b for a, b in ends}) == 1
            known = {b: known[a] | known[b] for a, b in ends}
        assert all(each == set(known) for each in known.values())


@pytest.mark.slow
@pytest.mark.parametrize(("k", "m"), SIZES)
def test_broadcast(k, m):
    for alike in (False, True):
        for source in sources(m, alike):
            schedule = scheduled.broadcast(k, m, source, 6)
            assert schedule.conflicts == 0
            assert schedule.steps == (12 if alike else 8)
            # Every round ends with a message to every router, from itself or from its drawer.
            last = schedule.ends[schedule.start == schedule.steps - 1]
            assert sorted(last[:, 1]) == list(range(k * m * m))
            reached(schedule, source)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "m"), SIZES)
def test_all_to_one(k, m):
    for sink in sources(m, alike=False):
        schedule = scheduled.all_to_one(k, m, sink)
        assert (schedule.steps, schedule.conflicts) == (k * m + 6, 0)
        answers = schedule.ends[~schedule.request]
        assert sorted(answers[:, 0]) == [router for router in range(k * m * m) if router != sink]
        assert set(answers[:, 1]) == {sink}
        # Who answers has received the request of its round, four steps after the round began.
        asked = schedule.after[~schedule.request]
        assert (schedule.ends[asked, 1] == answers[:, 0]).all()
        assert (schedule.start[asked] + 2 == schedule.start[~schedule.request]).all()
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
