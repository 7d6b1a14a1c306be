"""Cores that no task uses are lent to threads of a task, and given back."""

import time
from multiprocessing import Value, connection

import pytest

from planner.core import cores
from planner.core.executors.forks import AVAILABLE, Forks

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="processes cannot be forked safely")


def lent(limit):
    with cores.spare(limit) as count:
        return count


def test_one_process_has_no_spare_core():
    assert lent(4) == 0


def test_cores_are_lent_once_and_given_back():
    with Forks(4):
        assert lent(0) == 0
        with cores.spare(2) as first, cores.spare(2) as second, cores.spare(2) as third:
            assert (first, second, third) == (2, 1, 0)
        assert lent(9) == 3
    assert lent(4) == 0


def test_an_error_gives_cores_back():
    with Forks(3):
        with pytest.raises(KeyError), cores.spare(2):
            raise KeyError
        assert lent(2) == 2


def test_a_process_announces_that_it_waits_for_a_core(monkeypatch):
    """On a single core the second task waits while the first one runs; then nobody does."""
    pipes, shared = [], cores.shared

    def noticed(*given):
        pipes.extend(given)
        return shared(*given)

    monkeypatch.setattr(cores, "shared", noticed)
    with Forks(1) as forks:
        found = forks.map(lambda seconds: bool(connection.wait([pipes[1][0]], seconds)), [60, 0])
        assert list(found) == [True, False]


def test_a_task_has_the_cores_that_its_siblings_leave():
    """Two tasks on four cores: two are left to both of them."""
    both = Value("i", 0)

    def task(number):
        with both.get_lock():
            both.value += 1
        end = time.monotonic() + 60
        while both.value < 2 and time.monotonic() < end:
            time.sleep(0.002)
        with cores.spare(1) as count:
            with both.get_lock():
                both.value += 1
            while both.value < 4 and time.monotonic() < end:
                time.sleep(0.002)
            return count

    with Forks(4) as forks:
        assert list(forks.map(task, range(2))) == [1, 1]
        assert lent(9) == 3
    with Forks(2) as forks:
        both.value = 0
        assert list(forks.map(task, range(2))) == [0, 0]
