"""Worker processes on this machine, each with its own pipe, so that a killed worker does not affect others.

`concurrent.futures.ProcessPoolExecutor` terminates all workers if one is killed, and does not report which task was running.
Here a killed worker is replaced and its task is repeated, up to `MAX_DEATHS` times.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from multiprocessing import connection, get_context
from typing import Any

from planner.core.children import end_with_parent
from planner.core.errors import PlannerError
from planner.core.executors import THREADS, Deaths, Executor, Outcome, calls, shared

_READY, _FUNCTION = -1, -1
"""Special task numbers: the worker is ready; the message contains the function."""

_SMALL_BYTES = 2**14
"""Maximum size of a task that is queued in the pipe of a busy worker."""

_THREADS = (*THREADS, "NUMBA_NUM_THREADS")


@dataclass
class _Worker:
    process: Any
    pipe: connection.Connection
    ready: bool = False
    function: bytes = b""
    tasks: deque[int] = field(default_factory=deque)
    """Assigned tasks in order; the first is running."""


class Processes(Executor):
    """A pool of worker processes, started on demand and kept until the end."""

    def __init__(self, worker_count: int) -> None:
        self.worker_count = worker_count
        self._context = get_context("spawn")
        self._workers: list[_Worker] = []

    def __exit__(self, *failure: object) -> None:
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(1)
            _end(worker)
        self._workers.clear()

    def each(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Generator[tuple[int, Outcome], None, None]:
        """Yield outcomes as they arrive. Workers share the large arrays of the function.

        Raises
        ------
        PlannerError
            When workers fail to start.
        """
        with shared.packed(function) as call:
            yield from self._each(call, tasks)

    def _each(self, call: bytes, tasks: Iterable[Any]) -> Generator[tuple[int, Outcome], None, None]:
        blobs = {number: pickle.dumps(task, pickle.HIGHEST_PROTOCOL) for number, task in enumerate(tasks)}
        waiting = deque(blobs)
        deaths = Deaths()
        failed_starts = 0
        try:
            while blobs:
                self._start(min(self.worker_count, len(blobs)))
                for worker in self._workers:
                    _feed(worker, call, waiting, blobs)
                ready = connection.wait([worker.pipe for worker in self._workers])
                for worker in [worker for worker in self._workers if worker.pipe in ready]:
                    try:
                        number, answer = worker.pipe.recv()
                    except (EOFError, OSError):
                        failed_starts += not worker.ready
                        if failed_starts > 2 * self.worker_count:
                            raise PlannerError("worker processes fail to start") from None
                        for victim in self._remove(worker, waiting):
                            if (given_up := deaths.of(victim)) is not None:
                                waiting.remove(victim)
                                del blobs[victim]
                                yield victim, given_up
                        continue
                    if number == _READY:
                        worker.ready, failed_starts = True, 0
                    else:
                        worker.tasks.popleft()
                        del blobs[number]
                        yield number, pickle.loads(answer)
        finally:
            # Closed early: terminate running tasks.
            for worker in [worker for worker in self._workers if worker.tasks]:
                self._workers.remove(worker)
                _end(worker)

    def _start(self, count: int) -> None:
        kept = {name: os.environ.get(name) for name in _THREADS}
        try:
            # One worker per processor, so each computes with one thread.
            os.environ.update(dict.fromkeys(_THREADS, "1"))
            while len(self._workers) < count:
                ours, theirs = self._context.Pipe()
                process = self._context.Process(target=_work, args=(theirs,), daemon=True)
                process.start()
                theirs.close()
                self._workers.append(_Worker(process, ours))
        finally:
            for name, old in kept.items():
                if old is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = old

    def _remove(self, worker: _Worker, waiting: deque[int]) -> list[int]:
        """Remove a killed worker and requeue its tasks; return the task that was running, if any."""
        self._workers.remove(worker)
        _end(worker)
        waiting.extendleft(reversed(worker.tasks))
        return list(worker.tasks)[:1]


def _feed(worker: _Worker, call: bytes, waiting: deque[int], blobs: dict[int, bytes]) -> None:
    """Send a worker its next task, and queue one more."""
    if not worker.ready:
        return
    try:
        while waiting and (not worker.tasks or (len(worker.tasks) < 2 and len(blobs[waiting[0]]) < _SMALL_BYTES)):
            if worker.function is not call:
                if worker.tasks:
                    return
                worker.pipe.send((_FUNCTION, call))
                worker.function = call
            worker.pipe.send((waiting[0], blobs[waiting[0]]))
            worker.tasks.append(waiting.popleft())
    except OSError:
        # The worker was killed; its pipe reports it.
        return


def _end(worker: _Worker) -> None:
    worker.pipe.close()
    if worker.process.is_alive():
        worker.process.kill()
    worker.process.join()
    worker.process.close()


def _work(pipe: connection.Connection) -> None:
    """Main loop of a worker."""
    # Ctrl-C reaches all processes of the group; the main process terminates the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    function: Any = None
    try:
        pipe.send((_READY, None))
        while True:
            number, blob = pipe.recv()
            if number == _FUNCTION:
                function = calls.loaded(blob)
            else:
                pipe.send((number, calls.called(function, blob)))
    except (EOFError, OSError):
        return
