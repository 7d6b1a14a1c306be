"""Design space in a room: all configurations of all families with estimated cost, power, latency and throughput.

`networks` lists the networks, `rows` estimates all configurations of one of them, `run` does so for all and stores what is
done, and `tables` writes them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from planner.core.progress import Progress, silent
from planner.studies.explore.hall.figures import rows
from planner.studies.explore.hall.networks import Network, Space, networks
from planner.studies.explore.hall.store import Store

__all__ = ["Result", "Space", "networks", "rows", "run"]

COMMIT_S = 0.5
"""Maximum time between commits while networks are finished."""


class Workers(Protocol):
    """What estimates the networks, see `planner.core.executors`."""

    def each(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Generator[tuple[int, Any], None, None]: ...


@dataclass(frozen=True)
class Result:
    """What has been explored.

    Attributes
    ----------
    path
        The SQLite file with the rows of all finished networks.
    networks, reused
        Number of networks, and of those that were stored already.
    complete
        Whether all are finished; False after Ctrl-C.
    """

    path: Path
    networks: int
    reused: int
    complete: bool

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of all finished networks, in the order of `networks`."""
        with Store(self.path) as store:
            return list(store.rows())


def run(
    space: Space, path: Path | str, *, program: str, executor: Workers, fresh: bool = False, progress: Progress = silent
) -> Result:
    """Estimate all configurations that are not stored yet.

    Parameters
    ----------
    space
        What to explore.
    path
        An SQLite file, created if necessary. After Ctrl-C, kill or a crash the same call continues.
    program
        Fingerprint of the program: rows of another version are not continued.
    executor
        See `planner.core.executors`; the rows do not depend on it.
    fresh
        Whether to discard the file first.

    Raises
    ------
    InputError
        When the file is no such table or that of another exploration.
    """
    path = Path(path)
    if fresh:
        path.unlink(missing_ok=True)
    known = networks(space)
    with Store(path, f"{space.fingerprint} {program}") as store:
        stored = store.numbers()
        # Those that take longest first, so that no core waits for the last one.
        todo = sorted(set(range(len(known))) - stored, key=lambda number: (-known[number].work, number))
        complete = True
        try:
            _enter(store, executor, space, [(number, known[number]) for number in todo], len(known), progress)
        except KeyboardInterrupt:
            complete = False
    return Result(path, len(known), len(stored), complete)


def _enter(
    store: Store, executor: Workers, space: Space, tasks: list[tuple[int, Network]], total: int, progress: Progress
) -> None:
    """Store the rows of networks as they arrive, several per transaction if they arrive quickly."""
    done = total - len(tasks)
    finished: list[tuple[int, list[dict[str, Any]]]] = []
    entered = time.monotonic()
    progress("networks", done, total)
    try:
        with closing(executor.each(partial(_task, space), tasks)) as outcomes:
            for number, outcome in outcomes:
                finished.append((tasks[number][0], outcome.result()))
                done += 1
                if time.monotonic() - entered >= COMMIT_S:
                    store.finish(finished)
                    finished.clear()
                    entered = time.monotonic()
                progress("networks", done, total, family=tasks[number][1].family)
    finally:
        store.finish(finished)


def _task(space: Space, task: tuple[int, Network]) -> list[dict[str, Any]]:
    return rows(space, task[1])
