"""Executor on a Dask cluster: a running one, or one started locally or by Slurm for the duration of its use."""

from __future__ import annotations

import logging
import pickle
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack
from functools import lru_cache
from tempfile import TemporaryDirectory
from typing import Any

from planner.core.errors import InputError, PlannerError, Problem
from planner.core.executors import GIVEN_UP, MAX_DEATHS, Executor, Outcome, calls, processors

LOOPBACK = "127.0.0.1"

CONNECT_S = 10
"""Timeout for connecting to a scheduler."""

GROUP_S = 0.25
"""Target run time of a group of short tasks."""

MAX_TASKS = 100

LARGE_BYTES = 100_000
"""Minimum size of a function that is broadcast to the workers once instead of sent with every task."""

MAX_LOST = 5
"""Maximum number of times that the cluster may lose the outcome of a task without a killed worker."""


class Cluster(Executor):
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
            # For our own scheduler, give up a task after it has killed this number of workers.
            opened.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": MAX_DEATHS - 1}))
            # Dask gives some of its loggers levels of their own.
            for name in ("distributed", "tornado", *logging.root.manager.loggerDict):
                if name.partition(".")[0] in ("distributed", "tornado"):
                    logging.getLogger(name).setLevel(logging.CRITICAL + 1)
            where = self.address
            if where == "local":
                where = opened.enter_context(_local(self.worker_count or processors(), opened))
            elif where == "slurm":
                where = opened.enter_context(slurm_cluster(self.worker_count or 1))
            elif "://" not in where:
                remedy = "write tcp://host:port, local or slurm"
                raise InputError(Problem("--cluster", f"{where!r} is not an address", remedy))
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

    def each(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Generator[tuple[int, Outcome], None, None]:
        """Yield outcomes as they arrive.

        Raises
        ------
        PlannerError
            When the cluster fails, or its workers cannot run the program.
        """
        from distributed import as_completed

        call = pickle.dumps(function, pickle.HIGHEST_PROTOCOL)
        blobs = {number: pickle.dumps(task, pickle.HIGHEST_PROTOCOL) for number, task in enumerate(tasks)}
        waiting, alone = deque(blobs), deque[int]()
        lost: Counter[int] = Counter()
        groups: dict[str, tuple[Any, list[int]]] = {}
        size, slots = 1, _Slots(self._client, self.worker_count or 1)
        shared = self._share(call)
        coming = as_completed(loop=self._client.loop, raise_errors=False)
        try:
            while blobs:
                while (waiting or alone) and len(groups) < slots.count():
                    taken = [alone.popleft()] if alone else [waiting.popleft() for _ in range(min(size, len(waiting)))]
                    future = self._client.submit(run_group, shared, [blobs[number] for number in taken], pure=False)
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
                        yield taken[0], GIVEN_UP
                    # Repeat the tasks one by one to find the one that killed the worker.
                    alone.extend(taken if len(taken) > 1 else ())
                else:
                    lost.update(taken)
                    if max(lost[number] for number in taken) >= MAX_LOST or self._client.status != "running":
                        raise PlannerError(f"the connection to the cluster at {self.address} was lost")
                    shared = self._share(call)
                    alone.extend(taken)
        finally:
            if self._client.status == "running":
                self._client.cancel([future for future, _ in groups.values()])

    def _share(self, call: bytes) -> Any:
        return self._client.scatter(call, broadcast=True, hash=False) if len(call) > LARGE_BYTES else call


class _Slots:
    """Number of groups that the cluster can run at once; polled regularly, since workers join and leave."""

    def __init__(self, client: Any, minimum: int) -> None:
        self._client, self._minimum = client, minimum
        self._known, self._polled_s = 0, -1.0

    def count(self) -> int:
        if time.monotonic() - self._polled_s > 1:
            self._known = sum(self._client.nthreads().values())
            self._polled_s = time.monotonic()
        return max(self._known, self._minimum)


def run_group(call: bytes, blobs: list[bytes]) -> tuple[list[bytes], float]:
    """Run tasks in a worker; return their pickled outcomes and the total time in seconds."""
    started = time.perf_counter()
    function = _function(call)
    return [calls.called(function, blob) for blob in blobs], time.perf_counter() - started


@lru_cache(2)
def _function(call: bytes) -> Any:
    return calls.loaded(call)


def _killed(future: Any) -> bool:
    """Return whether the task killed its workers; raise errors of workers that could not start it."""
    from distributed import KilledWorker

    if future.status != "error":
        return False
    error = future.exception()
    if isinstance(error, KilledWorker):
        return True
    if isinstance(error, ModuleNotFoundError):
        raise PlannerError(f"a worker lacks the module {error.name}; install the same version everywhere")
    return False


def _local(worker_count: int, opened: ExitStack) -> Any:
    from distributed import LocalCluster

    folder = opened.enter_context(TemporaryDirectory(prefix="planner-", ignore_cleanup_errors=True))
    return LocalCluster(
        n_workers=worker_count, threads_per_worker=1, processes=True, local_directory=folder, protocol="tcp",
        # Messages can execute code, so all ports are bound to this machine only.
        host=LOOPBACK, dashboard_address=f"{LOOPBACK}:0", worker_dashboard_address=f"{LOOPBACK}:0",
    )  # fmt: skip


def slurm_cluster(worker_count: int) -> Any:
    """Start a Slurm cluster; queue, memory and time are configured in Dask's ``jobqueue.yaml``."""
    handler = signal.getsignal(signal.SIGINT)
    try:
        from dask_jobqueue import SLURMCluster
    except ModuleNotFoundError:
        raise _missing("dask-jobqueue") from None
    finally:
        # Importing the package makes Ctrl-C end the process at once.
        signal.signal(signal.SIGINT, handler)
    try:
        cluster = SLURMCluster()
    except (ValueError, TypeError, OSError, RuntimeError) as error:
        remedy = "add the section jobqueue.slurm to ~/.config/dask/jobqueue.yaml, see docs/cluster.md"
        raise InputError(Problem("--cluster", f"slurm cannot be set up: {' '.join(str(error).split())}", remedy)) from None
    cluster.scale(worker_count)
    return cluster


def _missing(package: str) -> InputError:
    return InputError(
        Problem("--cluster", f"needs the package {package}, which is not installed", "pip install 'planner[cluster]'")
    )
