"""A Dask cluster: one that runs already, or one that is started here or by Slurm for as long as it is used."""

from __future__ import annotations

import logging
import pickle
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack
from functools import lru_cache
from tempfile import TemporaryDirectory
from typing import Any

from planner.errors import InputError, PlannerError, Problem
from planner.executors import MAX_DEATHS, Outcome, WorkerDied, calls, in_order, processors

LOOPBACK = "127.0.0.1"

CONNECT_S = 10
"""A scheduler that does not answer for so long is not there."""

GROUP_S = 0.25
"""Short tasks travel in groups that take about so long."""

MAX_TASKS = 100

LARGE_BYTES = 100_000
"""A function larger than this is laid down at the workers once, not sent with every task."""

MAX_LOST = 5
"""A task whose outcome the cluster lost so often, although no worker died at it, ends the work."""


class Cluster:
    """Tasks on the workers of a Dask scheduler."""

    def __init__(self, address: str, worker_count: int | None = None) -> None:
        self.address, self.worker_count = address, worker_count
        self._open = ExitStack()

    def __enter__(self) -> Cluster:
        try:
            import dask
            from distributed import Client
        except ModuleNotFoundError:
            raise _missing("distributed") from None
        with ExitStack() as opened:
            # Where the scheduler is ours, a task that killed so many workers is given up.
            opened.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": MAX_DEATHS - 1}))
            # Dask gives some of its loggers levels of their own.
            for name in ("distributed", "tornado", *logging.root.manager.loggerDict):
                if name.partition(".")[0] in ("distributed", "tornado"):
                    logging.getLogger(name).setLevel(logging.CRITICAL + 1)
            where = self.address
            if where == "local":
                where = opened.enter_context(_local(self.worker_count or processors(), opened))
            elif where == "slurm":
                where = opened.enter_context(_slurm(self.worker_count or 1))
            elif "://" not in where:
                remedy = "write tcp://host:port, local or slurm"
                raise InputError(Problem("--cluster", f"{where!r} is no address", remedy))
            try:
                self._client = opened.enter_context(Client(where, timeout=CONNECT_S, set_as_default=False))
            except (OSError, TimeoutError, ValueError) as error:
                problem = Problem(
                    "--cluster", f"no scheduler answers at {self.address}", f"start one with dask scheduler ({error})"
                )
                raise InputError(problem) from None
            self._open = opened.pop_all()
        return self

    def __exit__(self, *failure: object) -> None:
        self._open.close()

    def map(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        """Give the results in the order of the tasks."""
        return in_order(self.each(function, tasks))

    def each(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Generator[tuple[int, Outcome], None, None]:
        """Give the outcomes as they come.

        Raises
        ------
        PlannerError
            When the cluster goes away, or its workers cannot run the program.
        """
        from distributed import as_completed

        call = pickle.dumps(function, pickle.HIGHEST_PROTOCOL)
        blobs = {number: pickle.dumps(task, pickle.HIGHEST_PROTOCOL) for number, task in enumerate(tasks)}
        waiting, alone = deque(blobs), deque[int]()
        lost: Counter[int] = Counter()
        groups: dict[str, tuple[Any, list[int]]] = {}
        size, slots = 1, _Slots(self._client, self.worker_count or 1)
        laid = self._lay(call)
        coming = as_completed(loop=self._client.loop, raise_errors=False)
        try:
            while blobs:
                while (waiting or alone) and len(groups) < slots.count():
                    taken = [alone.popleft()] if alone else [waiting.popleft() for _ in range(min(size, len(waiting)))]
                    future = self._client.submit(run_group, laid, [blobs[number] for number in taken], pure=False)
                    groups[future.key] = future, taken
                    coming.add(future)
                future = next(coming)
                _, taken = groups.pop(future.key)
                if future.status == "finished":
                    answers, seconds = future.result()
                    size = max(1, min(MAX_TASKS, int(GROUP_S * len(taken) / max(seconds, 1e-6))))
                    for number, answer in zip(taken, answers, strict=True):
                        del blobs[number]
                        yield number, pickle.loads(answer)
                elif _killed(future):
                    if len(taken) == 1:
                        del blobs[taken[0]]
                        yield taken[0], Outcome(error=WorkerDied(f"its worker died {MAX_DEATHS} times"))
                    # Which task of the group it was comes out when each runs alone.
                    alone.extend(taken if len(taken) > 1 else ())
                else:
                    lost.update(taken)
                    if max(lost[number] for number in taken) >= MAX_LOST or self._client.status != "running":
                        raise PlannerError(f"the cluster at {self.address} went away")
                    laid = self._lay(call)
                    alone.extend(taken)
        finally:
            if self._client.status == "running":
                self._client.cancel([future for future, _ in groups.values()])

    def _lay(self, call: bytes) -> Any:
        return self._client.scatter(call, broadcast=True, hash=False) if len(call) > LARGE_BYTES else call


class _Slots:
    """How many groups the cluster can work at now; looked up now and then, since workers come and go."""

    def __init__(self, client: Any, least: int) -> None:
        self._client, self._least = client, least
        self._known, self._looked = 0, -1.0

    def count(self) -> int:
        if time.monotonic() - self._looked > 1:
            self._known = sum(self._client.nthreads().values())
            self._looked = time.monotonic()
        return max(self._known, self._least)


def run_group(call: bytes, blobs: list[bytes]) -> tuple[list[bytes], float]:
    """Run some tasks at a worker; return their outcomes, pickled, and how long they took together."""
    started = time.perf_counter()
    function = _function(call)
    return [calls.called(function, blob) for blob in blobs], time.perf_counter() - started


@lru_cache(2)
def _function(call: bytes) -> Any:
    return calls.loaded(call)


def _killed(future: Any) -> bool:
    """Whether workers died at it; what a worker could not even begin is raised."""
    from distributed import KilledWorker

    if future.status != "error":
        return False
    error = future.exception()
    if isinstance(error, KilledWorker):
        return True
    if isinstance(error, ModuleNotFoundError):
        raise PlannerError(f"a worker lacks the module {error.name}; install the same program everywhere")
    return False


def _local(worker_count: int, opened: ExitStack) -> Any:
    from distributed import LocalCluster

    folder = opened.enter_context(TemporaryDirectory(prefix="planner-", ignore_cleanup_errors=True))
    return LocalCluster(
        n_workers=worker_count, threads_per_worker=1, processes=True, local_directory=folder, protocol="tcp",
        # What scheduler and workers exchange runs as code: nobody but this machine may reach any of their ports.
        host=LOOPBACK, dashboard_address=f"{LOOPBACK}:0", worker_dashboard_address=f"{LOOPBACK}:0",
    )  # fmt: skip


def _slurm(worker_count: int) -> Any:
    """What a Slurm job is, its queue, memory and time, stands in Dask's own ``jobqueue.yaml``."""
    try:
        from dask_jobqueue import SLURMCluster
    except ModuleNotFoundError:
        raise _missing("dask-jobqueue") from None
    try:
        cluster = SLURMCluster()
    except (ValueError, TypeError, OSError, RuntimeError) as error:
        remedy = "write the section jobqueue.slurm of ~/.config/dask/jobqueue.yaml, see docs/cluster.md"
        raise InputError(Problem("--cluster", f"slurm cannot be set up: {' '.join(str(error).split())}", remedy)) from None
    cluster.scale(worker_count)
    return cluster


def _missing(package: str) -> InputError:
    return InputError(
        Problem("--cluster", f"needs the package {package}, which is not installed", "pip install 'planner[cluster]'")
    )
