"""Executors: the same results anywhere; a worker that is killed costs its task alone."""

import os
import time

import pytest
from shared import tasks

from planner.core.errors import InputError, PlannerError
from planner.core.executors import WorkerDied, executor
from planner.core.executors.processes import Processes


@pytest.fixture(scope="module")
def pool():
    with Processes(2) as workers:
        yield workers


@pytest.fixture(params=["here", "processes"])
def workers(request, pool):
    if request.param == "processes":
        yield pool
    else:
        with executor(1) as here:
            yield here


def test_map_keeps_the_order(workers):
    assert list(workers.map(tasks.square, range(100))) == [n * n for n in range(100)]
    assert list(workers.map(tasks.square, [])) == []


def test_each_gives_every_outcome_once(workers):
    outcomes = dict(workers.each(tasks.square, range(50)))
    assert {number: outcome.value for number, outcome in outcomes.items()} == {n: n * n for n in range(50)}


@pytest.mark.slow
def test_an_exception_is_an_outcome_of_each_and_raised_by_map(workers):
    outcomes = dict(workers.each(tasks.odd, range(4)))
    assert [outcomes[n].value for n in (1, 3)] == [1, 3]
    assert all("even" in str(outcomes[n].error) for n in (0, 2))
    with pytest.raises(InputError, match="0 is even"):
        list(workers.map(tasks.odd, range(4)))


def test_large_functions_tasks_and_results_pass(workers):
    large = b"x" * 3_000_000
    assert [len(found) for found in workers.map(tasks.Prefix(large), [large] * 5)] == [6_000_000] * 5


def test_what_cannot_be_pickled_is_reported(pool):
    with pytest.raises(PlannerError, match="cannot be pickled"):
        list(pool.map(tasks.lock, [1]))
    assert list(pool.map(tasks.square, [3])) == [9]


@pytest.mark.slow
def test_a_task_that_kills_its_worker_is_given_up_and_costs_no_other(pool, tmp_path):
    outcomes = dict(pool.each(tasks.Deadly(tmp_path, deaths=9, at=3), range(20)))
    assert isinstance(outcomes.pop(3).error, WorkerDied)
    assert {number: outcome.value for number, outcome in outcomes.items()} == {n: n for n in range(20) if n != 3}
    assert len(list(tmp_path.iterdir())) == 2, "it was tried twice"


@pytest.mark.slow
def test_tasks_whose_workers_die_once_run_again(pool, tmp_path):
    folders = [tmp_path / str(number) for number in (3, 40, 41, 42, 99)]
    for folder in folders:
        folder.mkdir()
    assert list(pool.map(tasks.Unlucky(tmp_path), range(100))) == list(range(100))
    assert all(len(list(folder.iterdir())) == 1 for folder in folders)


@pytest.mark.slow
def test_what_is_closed_early_runs_no_further(workers, tmp_path):
    outcomes = workers.each(tasks.Touch(tmp_path), range(100))
    next(outcomes)
    outcomes.close()
    seen = len(list(tmp_path.iterdir()))
    assert seen < 10
    time.sleep(0.2)
    assert len(list(tmp_path.iterdir())) == seen
    assert list(workers.map(tasks.square, [4])) == [16]


@pytest.mark.slow
def test_workers_end_with_their_driver():
    with Processes(2) as pool:
        pids = set(pool.map(tasks.own_pid, range(8)))
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.slow
def test_a_number_below_one_is_refused():
    with pytest.raises(InputError, match="at least 1"):
        executor(0)
