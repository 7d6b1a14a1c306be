"""Parameter sweeps: many studies defined by one file, with results in one table.

`load` expands a study file into studies; `run` executes those that are missing in the table. Rows are written in transactions
when runs finish, so that a killed sweep can be resumed.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

from planner.core import version
from planner.core.errors import InputError, Problem
from planner.core.executors import Executor, Outcome, WorkerDied
from planner.core.locks import lock
from planner.core.progress import Progress, silent
from planner.studies.identity import identity
from planner.studies.study import Study
from planner.studies.sweep.axes import Sweep, expand, load
from planner.studies.sweep.cache import Cache
from planner.studies.sweep.store import Store
from planner.studies.sweep.work import DONE, KILLED, Job, Row, work

__all__ = ["Result", "Store", "Sweep", "expand", "load", "run", "run_fingerprint"]

COMMIT_S = 0.5
"""Maximum time between commits while rows keep arriving."""


@dataclass(frozen=True)
class Result:
    """Result of a call of `run`.

    Attributes
    ----------
    path
        The table.
    runs
        Number of distinct runs; runs with equal studies count once.
    reused
        Number of runs that were already in the table.
    counts
        Number of runs by status.
    others
        Whether the table contains runs of other versions of the program.
    """

    path: Path
    runs: int
    reused: int
    counts: dict[str, int]
    others: bool


def run(
    sweep: Sweep,
    path: Path | str,
    *,
    executor: Executor,
    cache: Path | str | None = None,
    fresh: bool = False,
    progress: Progress = silent,
) -> Result:
    """Execute the runs that are missing in the table.

    Parameters
    ----------
    path
        The table, an SQLite file, created if necessary. Several sweeps may share one.
    executor
        See `planner.core.executors`. The table does not depend on it, nor on the order in which runs end.
    cache
        Folder for stages shared between runs, kept for later sweeps; by default a folder next to the table that is removed at
        the end of the sweep.
    fresh
        Whether to discard the table first.
    progress
        Called after each run.

    Raises
    ------
    InputError
        When the file is not a sweep table, cannot be written, or is in use by another sweep.
    PlannerError
        When workers cannot start or run another version of the program.
    KeyboardInterrupt
        After finished runs have been stored.
    """
    path = Path(path)
    program = version.source()
    stages = Path(cache) if cache is not None else path.with_name(f"{path.name}.stages")
    with _alone(path, fresh), Store(path, create=True) as store:
        fingerprints = [run_fingerprint(study, sweep.stages, program) for study in sweep.studies]
        expanded = (study.expanded() for study in sweep.studies)
        store.register(zip(fingerprints, expanded, sweep.changes, strict=True), program)
        studies = dict(zip(fingerprints, sweep.studies, strict=True))
        numbers = store.unfinished(studies)
        tasks = [(number, studies[fingerprint]) for fingerprint, number in numbers.items()]
        if tasks:
            stages.mkdir(parents=True, exist_ok=True)
            job = Job(sweep.stages, Cache(stages.resolve()), program)
            with closing(executor.each(partial(work, job), tasks)) as outcomes:
                _enter(store, outcomes, tasks, len(studies), progress)
        if cache is None:
            shutil.rmtree(stages, ignore_errors=True)
        return Result(path, len(studies), len(studies) - len(tasks), store.counts(studies), store.programs() != {program})


def run_fingerprint(study: Study, stages: tuple[str, ...], program: str) -> str:
    """Return the fingerprint that identifies a run of some stages of a study in the table."""
    text = f"{identity(study)} {' '.join(sorted(stages))} {program}"
    return sha256(text.encode()).hexdigest()[:16]


def _enter(
    store: Store, outcomes: Iterator[tuple[int, Outcome]], tasks: list[tuple[int, Study]], total: int, progress: Progress
) -> None:
    """Store rows as they arrive, several per transaction if they arrive quickly."""
    done, failed = total - len(tasks), 0
    rows: list[Row] = []
    entered = time.monotonic()
    progress("sweep", done, total)
    try:
        for task, outcome in outcomes:
            died = isinstance(outcome.error, WorkerDied)
            row = Row(tasks[task][0], KILLED, str(outcome.error)) if died else outcome.result()
            rows.append(row)
            done, failed = done + 1, failed + (row.status != DONE)
            if time.monotonic() - entered >= COMMIT_S:
                store.finish(rows)
                rows.clear()
                entered = time.monotonic()
            progress("sweep", done, total, **({"not done": failed} if failed else {}))
    finally:
        store.finish(rows)


@contextmanager
def _alone(path: Path, fresh: bool) -> Iterator[None]:
    """Lock the table against other sweeps; the lock is released even if the process is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    name = path.with_name(f"{path.name}.lock")
    handle = os.open(name, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        lock(handle, wait=False)
    except OSError:
        os.close(handle)
        raise InputError(Problem("", "is in use by another sweep", "wait for it, or stop it", str(path))) from None
    try:
        if fresh:
            path.unlink(missing_ok=True)
        yield
    finally:
        name.unlink(missing_ok=True)
        os.close(handle)
