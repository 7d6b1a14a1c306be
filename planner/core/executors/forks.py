"""Executor of forked copies of this process: tasks start at once and share all that this process has computed.

A task may itself run tasks on the same executor. All processes together then compute on at most one core for each worker:
a process that waits for its tasks gives its core to the first of them; each further one takes a token from a pipe that all of
them share, as the job server of GNU make does [1]_. A process that is killed can slow the others, never block them.

References
----------
.. [1] GNU make manual, "Sharing Job Slots with GNU make: POSIX Jobserver".
"""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing import Pipe, connection
from types import FrameType
from typing import Any

from planner.core import cores
from planner.core.executors import Deaths, Executor, Outcome, calls
from planner.core.progress import Progress, silent

AVAILABLE = sys.platform == "linux"
"""Whether processes can be forked safely: system libraries of macOS do not support it."""

_INTERRUPT = signal.SIGUSR1
"""What interrupts a task; Ctrl-C reaches all processes of a terminal, and each shall pass it on to its tasks once."""

_END_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


@dataclass
class _Child:
    """A forked process and the task that it runs."""

    number: int
    process: int
    pipe: connection.Connection
    outcome: Outcome | None = None
    kept: bool = False
    """Whether it was interrupted and returned the best result so far."""


@dataclass
class _Tasks:
    """Tasks of one call: those that wait, those that run, and how often the process of one was killed."""

    waiting: deque[int]
    running: dict[connection.Connection, _Child] = field(default_factory=dict)
    deaths: Deaths = field(default_factory=Deaths)


class Forks(Executor):
    """Tasks in forked processes, each of which runs one task.

    Parameters
    ----------
    worker_count
        Maximum number of processes that compute at the same time.
    """

    def __init__(self, worker_count: int) -> None:
        self.worker_count = worker_count
        self._progress: Progress = silent
        self._above: connection.Connection | None = None
        """Pipe to the process that forked this one."""
        self._tokens: tuple[int, int] = (-1, -1)
        self._waiting: tuple[int, int] = (-1, -1)
        """Pipe with a byte for each process that waits for a token."""
        self._wake: tuple[int, int] = (-1, -1)
        """Pipe that an interrupt of this process writes to."""
        self._taken = 0
        self._open: list[connection.Connection] = []
        """Pipes from all running tasks of this process, which a forked process closes."""
        self._context = ExitStack()

    def __enter__(self) -> Forks:
        self._tokens, self._waiting, self._wake = os.pipe(), os.pipe(), os.pipe()
        os.set_blocking(self._tokens[0], False)
        os.write(self._tokens[1], b"." * (self.worker_count - 1))
        self._context.enter_context(cores.shared(self._tokens, self._waiting))
        return self

    def __exit__(self, *failure: object) -> None:
        self._context.close()
        for end in (*self._tokens, *self._waiting, *self._wake):
            os.close(end)

    def relayed(self, progress: Progress) -> Progress:
        """Return a progress callback for tasks; it calls `progress` in this process."""
        self._progress = progress
        return self._tell

    def _tell(self, stage: str, done: int, total: int, **facts: Any) -> None:
        if self._above is None:
            self._progress(stage, done, total, **facts)
        else:
            self._above.send((stage, done, total, facts))

    def each(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Generator[tuple[int, Outcome], None, None]:
        """Yield outcomes as they arrive; Ctrl-C as in `following`."""
        listed = list(tasks)
        return self._run(lambda number: function(listed[number]), {number: () for number in range(len(listed))})

    def following(
        self, function: Callable[[str], Any], needs: Mapping[str, Iterable[str]]
    ) -> Generator[tuple[str, Outcome], None, None]:
        """Yield outcomes of tasks as they arrive, each started once the caller has received the outcomes of those that it needs.

        Tasks see all that the caller has changed in between. Ctrl-C interrupts the running tasks, also while the caller works on
        an outcome. Where one of them returns the best result so far, those that returned none start again; otherwise the
        interrupt is raised once all have ended.

        Parameters
        ----------
        function
            Runs a task, given its name.
        needs
            Names of the tasks that each task needs, in the order in which tasks start; others are done.

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C.
        """
        names = list(needs)
        place = {name: number for number, name in enumerate(names)}
        numbered = {place[name]: tuple(place[need] for need in each if need in place) for name, each in needs.items()}
        with self._noticing():
            for number, outcome in self._run(lambda number: function(names[number]), numbered):
                yield names[number], outcome
            # One that came while the caller worked on the last outcome has reached no task.
            if connection.wait([self._wake[0]], 0):
                os.read(self._wake[0], 1)
                raise KeyboardInterrupt

    def _run(
        self, function: Callable[[int], Any], needs: Mapping[int, tuple[int, ...]]
    ) -> Generator[tuple[int, Outcome], None, None]:
        tasks, done = _Tasks(deque(needs)), set[int]()
        try:
            while tasks.waiting or tasks.running:
                with self._noticing():
                    ended = self._next(tasks, function, lambda number: done.issuperset(needs[number]))
                    interrupted = ended is None
                    ended = self._interrupted(tasks) if ended is None else ended
                for child in ended:
                    done.add(child.number)
                    yield child.number, child.outcome or Outcome()
                if interrupted and not any(child.kept for child in ended):
                    raise KeyboardInterrupt
        finally:
            # Closed early, or failed.
            for child in list(tasks.running.values()):
                os.kill(child.process, signal.SIGKILL)
                self._remove(child, tasks)

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Turn an interrupt into a byte in a pipe, so that it never cuts a message in two."""
        number = signal.SIGINT if self._above is None else _INTERRUPT
        before = signal.getsignal(number)
        if not callable(before) or threading.current_thread() is not threading.main_thread():
            yield
            return

        def notice(number: int, frame: FrameType | None) -> None:
            try:
                before(number, frame)
            except KeyboardInterrupt:
                os.write(self._wake[1], b"!")

        signal.signal(number, notice)
        try:
            yield
        finally:
            signal.signal(number, before)

    def _next(self, tasks: _Tasks, function: Callable[[int], Any], ready: Callable[[int], bool]) -> list[_Child] | None:
        """Start what is ready and a core is free for, and wait; return the children that have ended, None after an interrupt."""
        able = [number for number in tasks.waiting if ready(number)]
        while able and (not tasks.running or self._take()):
            self._start(tasks, function, able.pop(0))
        if not able:
            return self._wait(tasks, [])
        # Tokens are given back by any process of the tree: waiting for their pipe is waiting for a core.
        os.write(self._waiting[1], b"?")
        try:
            return self._wait(tasks, [self._tokens[0]])
        finally:
            os.read(self._waiting[0], 1)

    def _interrupted(self, tasks: _Tasks) -> list[_Child]:
        """Interrupt all tasks and wait for their ends; return those with a result, and put the others back."""
        for child in tasks.running.values():
            os.kill(child.process, _INTERRUPT)
        ended: list[_Child] = []
        while tasks.running:
            more = self._wait(tasks, [])
            if more is None:
                raise KeyboardInterrupt
            ended += more
        aborted = [child for child in ended if child.outcome and isinstance(child.outcome.error, KeyboardInterrupt)]
        tasks.waiting.extendleft(sorted((child.number for child in aborted), reverse=True))
        return [child for child in ended if child not in aborted]

    def _wait(self, tasks: _Tasks, others: list[int]) -> list[_Child] | None:
        """Wait for messages; return the children that have ended, None after an interrupt."""
        ready = connection.wait([*tasks.running, self._wake[0], *others])
        if self._wake[0] in ready:
            os.read(self._wake[0], 1)
            return None
        heard = [self._heard(tasks.running[pipe], tasks) for pipe in list(tasks.running) if pipe in ready]
        return [child for child in heard if child is not None]

    def _heard(self, child: _Child, tasks: _Tasks) -> _Child | None:
        """Take a message of a child; return the child when it has ended with an outcome."""
        try:
            message = child.pipe.recv()
        except (EOFError, OSError):
            self._remove(child, tasks)
            child.outcome = tasks.deaths.of(child.number)
            if child.outcome is None:
                tasks.waiting.appendleft(child.number)
                return None
            return child
        if isinstance(message[0], str):
            stage, done, total, facts = message
            self._tell(stage, done, total, **facts)
            return None
        ended, child.kept, warned = message
        child.outcome = pickle.loads(ended)
        for text, category, file, line in warned:
            warnings.warn_explicit(text, category, file, line)
        self._remove(child, tasks)
        return child

    def _start(self, tasks: _Tasks, function: Callable[[int], Any], number: int) -> None:
        tasks.waiting.remove(number)
        ours, theirs = Pipe(duplex=False)
        sys.stdout.flush()
        parent = os.getpid()
        # Neither process takes a signal that is meant for the other; the new one takes an interrupt once it can report it.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, _INTERRUPT))
        process = os.fork()
        if process == 0:
            try:
                self._become(theirs, parent)
                theirs.send_bytes(_message(function, number, blocked))
            finally:
                # Buffers and exit handlers belong to the parent.
                os._exit(0)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        theirs.close()
        self._open.append(ours)
        tasks.running[ours] = _Child(number, process, ours)

    def _become(self, above: connection.Connection, parent: int) -> None:
        """Make this newly forked process a worker of its parent."""
        # Ctrl-C reaches the first process, which passes it on.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if AVAILABLE:
            ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        for pipe in self._open:
            pipe.close()
        for end in self._wake:
            os.close(end)
        # Objects of the parent stay: looking through them would copy their memory.
        gc.freeze()
        self._above, self._taken, self._open, self._wake = above, 0, [], os.pipe()

    def _remove(self, child: _Child, tasks: _Tasks) -> None:
        """Forget a child that has ended, and give back the tokens that the others do not need."""
        del tasks.running[child.pipe]
        self._open.remove(child.pipe)
        child.pipe.close()
        os.waitpid(child.process, 0)
        while self._taken > max(0, len(self._open) - 1):
            self._taken -= 1
            os.write(self._tokens[1], b".")

    def _take(self) -> bool:
        """Take a token if there is one."""
        try:
            os.read(self._tokens[0], 1)
        except BlockingIOError:
            return False
        self._taken += 1
        return True


def _message(function: Callable[[int], Any], number: int, blocked: set[int]) -> bytes:
    """Run a task with signals blocked as given, and return the message with its outcome."""
    interrupts: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        interrupts.append(number)
        raise KeyboardInterrupt

    def run() -> Any:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        return function(number)

    with warnings.catch_warnings(record=True) as caught:
        signal.signal(_INTERRUPT, interrupt)
        outcome = calls.outcome_of(run)
        signal.signal(_INTERRUPT, signal.SIG_IGN)
    warned = [(str(each.message), each.category, each.filename, each.lineno) for each in caught]
    kept = bool(interrupts) and outcome.error is None
    return pickle.dumps((calls.pickled(outcome), kept, warned), pickle.HIGHEST_PROTOCOL)
