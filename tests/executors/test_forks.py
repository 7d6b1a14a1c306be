"""Forked processes: results, order, limits, interrupts, kills and messages of tasks that share the memory of their caller."""

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from multiprocessing import Value

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.errors import CheckFailed, InputError, PlannerError, PlannerWarning, Problem
from planner.core.executors import WorkerDied, forked
from planner.core.executors.forks import AVAILABLE, Forks

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="processes cannot be forked safely")

# The memory of all counters; it keeps a file open.
_COUNTERS = Value("i", 0)


@pytest.fixture
def forks():
    before = set(psutil.Process().children()), os.listdir("/proc/self/fd")
    with Forks(3) as executor:
        yield executor
    assert set(psutil.Process().children()) == before[0]
    assert len(os.listdir("/proc/self/fd")) == len(before[1])


def test_results_come_in_order_and_no_argument_is_pickled(forks):
    known = {"lock": threading.Lock(), "factor": 3}
    assert list(forks.map(lambda task: task * known["factor"], range(20))) == [3 * task for task in range(20)]


def test_tasks_of_tasks_share_the_cores(forks):
    busy, highest = Value("i", 0), Value("i", 0)

    def leaf(task):
        with busy.get_lock():
            busy.value += 1
            highest.value = max(highest.value, busy.value)
        # On a busy machine another task may start late.
        end = time.monotonic() + 30
        while highest.value < 2 and time.monotonic() < end:
            time.sleep(0.005)
        with busy.get_lock():
            busy.value -= 1
        return task

    def branch(first):
        return sum(forks.map(leaf, range(first, first + 4)))

    assert list(forks.map(branch, range(4))) == [sum(range(first, first + 4)) for first in range(4)]
    assert 1 < highest.value <= 3


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_a_task_sees_what_the_caller_made_of_those_that_it_needs(data):
    count = data.draw(st.integers(1, 6))
    needs = {str(task): [str(each) for each in range(task) if data.draw(st.booleans())] for task in range(count)}
    found: dict[str, int] = {}
    with Forks(2) as forks:
        for name, outcome in forks.following(lambda name: 1 + sum(found[need] for need in needs[name]), needs):
            assert name not in found
            found[name] = outcome.result()
    plain: dict[str, int] = {}
    for name, each in needs.items():
        plain[name] = 1 + sum(plain[need] for need in each)
    assert found == plain


def test_needs_that_are_no_tasks_are_done(forks):
    assert [name for name, _ in forks.following(lambda name: name, {"a": ("elsewhere",)})] == ["a"]


def test_a_killed_task_runs_again_and_once_more_is_an_error(forks):
    runs = Value("i", 0)

    def task(kills):
        with runs.get_lock():
            runs.value += bool(kills)
            again = runs.value <= kills
        if again:
            os.kill(os.getpid(), signal.SIGKILL)
        return kills

    assert list(forks.map(task, [0, 1])) == [0, 1]
    runs.value = 0
    outcomes = dict(forks.each(task, [0, 9, 0]))
    assert [outcomes[0].value, outcomes[2].value] == [0, 0]
    assert isinstance(outcomes[1].error, WorkerDied)


def test_errors_keep_their_form(forks):
    problem = Problem("topology.q", "12 is not a prime power", "use 11 or 13")

    def fail(error):
        raise error

    errors = [
        outcome.error for _, outcome in sorted(forks.each(fail, [InputError(problem), CheckFailed("wrong"), KeyError("x")]))
    ]
    assert isinstance(errors[0], InputError)
    assert errors[0].problems == (problem,)
    assert isinstance(errors[1], CheckFailed)
    assert isinstance(errors[2], KeyError)
    # The traceback of a bug, for the log.
    assert all("in fail" in error.__notes__[0] for error in errors[1:])
    with pytest.raises(PlannerError, match="cannot be pickled"):
        list(forks.map(lambda task: threading.Lock(), [0]))


def test_warnings_and_progress_reach_the_caller(forks):
    heard = []
    tell = forks.relayed(lambda stage, done, total, **facts: heard.append((stage, done, total, facts)))

    def inner(task):
        tell("inner", task, 2, load=0.5)
        warnings.warn("beware", PlannerWarning, stacklevel=1)
        return task

    with pytest.warns(PlannerWarning, match="beware"):
        assert list(forks.map(lambda task: list(forks.map(inner, [1, 2])), [0])) == [[1, 2]]
    assert sorted(heard) == [("inner", 1, 2, {"load": 0.5}), ("inner", 2, 2, {"load": 0.5})]


def interrupted_when(ready):
    """Send Ctrl-C to this process as soon as something holds."""

    def wait():
        while not ready():
            time.sleep(0.005)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


@pytest.mark.parametrize("deep", [False, True])
def test_an_interrupted_search_keeps_its_best_and_the_others_start_again(forks, deep):
    begun, search_runs = Value("i", 0), Value("i", 0)

    def search():
        try:
            with begun.get_lock():
                begun.value += 1
            time.sleep(60)
        except KeyboardInterrupt:
            return "best"

    def other():
        with begun.get_lock():
            begun.value += 1
            search_runs.value += 1
        if search_runs.value == 1:
            time.sleep(60)
        return "again"

    def task(name):
        if name == "other":
            return other()
        return next(forks.map(lambda one: search(), [0])) if deep else search()

    thread = interrupted_when(lambda: begun.value == 2)
    found = [(name, outcome.result()) for name, outcome in forks.following(task, {"search": (), "other": ()})]
    thread.join()
    assert found == [("search", "best"), ("other", "again")]


def test_an_interrupt_while_the_caller_works_on_an_outcome_keeps_the_best_of_the_others(forks):
    begun = Value("i", 0)

    def task(name):
        if name == "short":
            return name
        try:
            begun.value = 1
            time.sleep(60)
        except KeyboardInterrupt:
            return "best"

    found = []
    for name, outcome in forks.following(task, {"search": (), "short": ()}):
        found.append((name, outcome.result()))
        if name == "short":
            while not begun.value:
                time.sleep(0.005)
            os.kill(os.getpid(), signal.SIGINT)
    assert found == [("short", "short"), ("search", "best")]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_during_the_last_outcome_is_raised(forks):
    found = []
    with pytest.raises(KeyboardInterrupt):
        for name, _ in forks.following(str, {"one": (), "two": ("one",)}):
            found.append(name)
            if name == "two":
                os.kill(os.getpid(), signal.SIGINT)
    assert found == ["one", "two"]
    assert list(forks.map(str, [1])) == ["1"]


def test_a_task_that_has_just_been_started_is_interrupted(forks):
    finished = Value("i", 0)

    def task(name):
        if name == "second":
            time.sleep(60)
            finished.value = 1

    with pytest.raises(KeyboardInterrupt):
        for _ in forks.following(task, {"first": (), "second": ("first",)}):
            os.kill(os.getpid(), signal.SIGINT)
    assert not finished.value


def test_an_interrupt_without_any_result_is_raised(forks):
    begun = Value("i", 0)

    def task(number):
        with begun.get_lock():
            begun.value += 1
        time.sleep(60)

    thread = interrupted_when(lambda: begun.value == 2)
    with pytest.raises(KeyboardInterrupt):
        list(forks.map(task, range(2)))
    thread.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_tasks_end_with_an_iterator_that_is_closed(forks):
    outcomes = forks.each(lambda task: time.sleep(60 * task), [0, 1])
    assert next(outcomes)[0] == 0
    outcomes.close()


def test_tasks_end_with_a_killed_command(tmp_path):
    program = (
        "import os, time\nfrom planner.core.executors.forks import Forks\n"
        "def leaf(task):\n    os.write(1, b'%d\\n' % os.getpid())\n    time.sleep(60)\n"
        "with Forks(3) as forks:\n    list(forks.map(lambda task: list(forks.map(leaf, [0])), [0, 1]))\n"
    )
    command = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    leaves = [int(command.stdout.readline()) for _ in range(2)]
    command.kill()
    command.wait()
    command.stdout.close()
    deadline = time.monotonic() + 30
    while any(psutil.pid_exists(leaf) and psutil.Process(leaf).status() != psutil.STATUS_ZOMBIE for leaf in leaves):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_one_process_needs_no_executor_and_none_is_refused():
    with forked(1) as executor:
        assert executor is None
    with pytest.raises(InputError, match="--jobs: must be at least 1, not 0"):
        forked(0)
