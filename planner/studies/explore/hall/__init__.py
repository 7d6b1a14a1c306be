"""Design space in a room: all configurations of all families with estimated cost, power, latency and throughput.

`networks` lists the networks, `rows` estimates all configurations of one of them, `run` does so for all and stores what is
done, and `tables` writes them.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.studies.explore.hall.figures import rows
from planner.studies.explore.hall.networks import Network, Space, networks

__all__ = ["Result", "Space", "networks", "rows", "run"]

COMMIT_S = 0.5
"""Maximum time between commits while networks are finished."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS exploration (fingerprint TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS network (number INTEGER PRIMARY KEY, rows TEXT NOT NULL);
"""


class Store:
    """Access to the file; use it in a ``with`` statement.

    Parameters
    ----------
    fingerprint
        That of the exploration, whose file is created if necessary; None to read any.

    Raises
    ------
    InputError
        When the file is no such table or that of another exploration.
    """

    def __init__(self, path: Path, fingerprint: str | None = None) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            known = [text for (text,) in self._db.execute("SELECT fingerprint FROM exploration")]
            if not known and fingerprint is not None:
                self._db.execute("INSERT INTO exploration VALUES (?)", (fingerprint,))
        except (OSError, sqlite3.Error) as error:
            remedy = "name another file with --out"
            raise InputError(Problem("", f"is no table of planner explore: {error}", remedy, str(path))) from None
        if known and fingerprint not in (None, known[0]):
            self._db.close()
            message = "has rows of another exploration, or of another version of the program or its catalogs"
            raise InputError(Problem("", message, "name another file with --out, or discard it with --fresh", str(path)))

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *failure: object) -> None:
        self._db.close()

    def numbers(self) -> set[int]:
        """Return the numbers of the finished networks."""
        return {number for (number,) in self._db.execute("SELECT number FROM network")}

    def finish(self, networks: Sequence[tuple[int, list[dict[str, Any]]]]) -> None:
        """Store the rows of networks in one transaction."""
        self._db.execute("BEGIN IMMEDIATE")
        texts = ((number, json.dumps(rows, ensure_ascii=False)) for number, rows in networks)
        self._db.executemany("INSERT OR REPLACE INTO network VALUES (?, ?)", texts)
        self._db.execute("COMMIT")

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield all rows, in the order of the networks."""
        for (text,) in self._db.execute("SELECT rows FROM network ORDER BY number"):
            yield from json.loads(text)


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
