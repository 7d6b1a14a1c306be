"""Executors: where independent work runs; here, on worker processes, or on a Dask cluster.

All follow one protocol, so that nothing depends on which it is::

    executor.map(function, tasks)    results in the order of the tasks, as those of `concurrent.futures`
    executor.each(function, tasks)   outcomes as they come, each with the number of its task

Functions and tasks are pickled, except here. Results never depend on the executor.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from typing import Any, Protocol

from planner.errors import InputError, PlannerError, Problem

MAX_DEATHS = 2
"""A task whose worker dies so often is given up."""


class WorkerDied(PlannerError):
    """The worker of a task died again and again: killed from outside, or out of memory."""


@dataclass(frozen=True)
class Outcome:
    """What became of a task: its value, or what the function raised."""

    value: Any = None
    error: BaseException | None = None

    def result(self) -> Any:
        """Return the value or raise the error."""
        if self.error is not None:
            raise self.error
        return self.value


class Executor(AbstractContextManager, Protocol):
    """A place where tasks run."""

    def map(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        """Give the results in the order of the tasks."""

    def each(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Generator[tuple[int, Outcome], None, None]:
        """Give the outcomes as they come, one call at a time; what has not run when the iterator is closed never runs."""


def executor(worker_count: int | None = None, cluster: str | None = None) -> Executor:
    """Return an executor, to be used in a ``with`` statement.

    Parameters
    ----------
    worker_count
        Workers; if not given one for each processor that this process may use. 1 without a cluster means here.
    cluster
        Address of a Dask scheduler (``tcp://host:port``), or ``"local"`` or ``"slurm"`` to start a cluster.

    Raises
    ------
    InputError
        For a number below 1, a cluster that cannot be reached, or one that needs a package that is not installed.
    """
    if worker_count is not None and worker_count < 1:
        raise InputError(Problem("--workers", f"must be at least 1, not {worker_count}"))
    if cluster is not None:
        from planner.executors.cluster import Cluster

        return Cluster(cluster, worker_count)
    if (worker_count or processors()) == 1:
        from planner.executors.serial import Serial

        return Serial()
    from planner.executors.processes import Processes

    return Processes(worker_count or processors())


def processors() -> int:
    """Return how many processors this process may use."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(outcomes: Generator[tuple[int, Outcome], None, None]) -> Iterator[Any]:
    """Give the results of `Executor.each` in the order of the tasks, each as soon as all before it are there."""
    early: dict[int, Outcome] = {}
    following = 0
    with closing(outcomes):
        for number, outcome in outcomes:
            early[number] = outcome
            while following in early:
                yield early.pop(following).result()
                following += 1
