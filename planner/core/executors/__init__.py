"""Executors of independent tasks: in this process, on worker processes, on forked copies of this process, or on a Dask cluster.

All have the same interface::

    executor.map(function, tasks)    results in task order, as in `concurrent.futures`
    executor.each(function, tasks)   outcomes as they arrive, each with its task number

Functions and tasks are pickled for worker processes and clusters. Results never depend on the executor.

A sweep runs many plans on worker processes, a single plan on forked copies: they share what has been computed, and start at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar

from planner.core.errors import InputError, PlannerError, Problem

if TYPE_CHECKING:
    from planner.core.executors.forks import Forks

T = TypeVar("T")

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Environment variables with the number of threads of libraries for linear algebra, which they read once."""

MAX_DEATHS = 2
"""Number of killed workers after which a task is given up."""


class WorkerDied(PlannerError):
    """The workers of a task were killed repeatedly, from outside or for lack of memory."""


@dataclass(frozen=True)
class Outcome:
    """Outcome of a task: its value, or the exception raised."""

    value: Any = None
    error: BaseException | None = None

    def result(self) -> Any:
        """Return the value or raise the error."""
        if self.error is not None:
            raise self.error
        return self.value


class Deaths:
    """How often the workers of each task were killed."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def of(self, task: int) -> Outcome | None:
        """Count a worker of a task as killed; return None if the task shall run again, and its outcome if it is given up."""
        self._counts[task] += 1
        return GIVEN_UP if self._counts[task] >= MAX_DEATHS else None


GIVEN_UP = Outcome(error=WorkerDied(f"its worker was killed {MAX_DEATHS} times"))
"""Outcome of a task that has ended all its workers."""


class Executor(ABC):
    """Interface of executors, which are context managers."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        return None

    def map(self, function: Callable[[Any], T], tasks: Iterable[Any]) -> Iterator[T]:
        """Yield the results in task order."""
        return in_order(self.each(function, tasks))

    @abstractmethod
    def each(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Generator[tuple[int, Outcome], None, None]:
        """Yield outcomes as they arrive; tasks that have not run when the iterator is closed never run."""


def executor(worker_count: int | None = None, cluster: str | None = None) -> Executor:
    """Return an executor; use it in a ``with`` statement.

    Parameters
    ----------
    worker_count
        Number of workers; by default one per available processor. A single worker without a cluster is this process.
    cluster
        Address of a Dask scheduler (``tcp://host:port``), or ``"local"`` or ``"slurm"`` to start a cluster.

    Raises
    ------
    InputError
        For a number below 1, an unreachable cluster, or a missing package.
    """
    if worker_count is not None and worker_count < 1:
        raise InputError(Problem("--jobs", f"must be at least 1, not {worker_count}"))
    if cluster is not None:
        from planner.core.executors.cluster import Cluster

        return Cluster(cluster, worker_count)
    if (worker_count or processors()) == 1:
        from planner.core.executors.serial import Serial

        return Serial()
    from planner.core.executors.processes import Processes

    return Processes(worker_count or processors())


def forked(worker_count: int | None = None) -> AbstractContextManager[Forks | None]:
    """Return an executor for independent parts of one plan, which share the memory of this process.

    Parameters
    ----------
    worker_count
        Number of processes that compute at the same time; by default one per available processor.

    Returns
    -------
    Forks or None
        For a ``with`` statement; None for a single process, and where processes cannot be forked safely.

    Raises
    ------
    InputError
        For a number below 1.
    """
    from planner.core.executors.forks import AVAILABLE, Forks

    if worker_count is not None and worker_count < 1:
        raise InputError(Problem("--jobs", f"must be at least 1, not {worker_count}"))
    count = worker_count or processors()
    return Forks(count) if count > 1 and AVAILABLE else nullcontext()


def processors() -> int:
    """Return the number of processors available to this process."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(outcomes: Generator[tuple[int, Outcome], None, None]) -> Iterator[Any]:
    """Yield the results of `Executor.each` in task order, each as soon as all earlier ones have arrived."""
    early: dict[int, Outcome] = {}
    following = 0
    with closing(outcomes):
        for number, outcome in outcomes:
            early[number] = outcome
            while following in early:
                yield early.pop(following).result()
                following += 1
