"""Sweeps: one study file that stands for many, run anywhere into one table.

`load` expands a study into plain studies, `run` runs those that the table does not have yet. The table is whole at every
moment: a run is entered once it is finished, so that a sweep that was killed goes on where it was.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

from planner import provenance
from planner.errors import InputError, Problem
from planner.executors import Executor, Outcome, WorkerDied
from planner.progress import Progress, silent
from planner.study import Study
from planner.sweep.axes import Sweep, expand, load
from planner.sweep.cache import Cache
from planner.sweep.store import Store
from planner.sweep.work import DONE, KILLED, Job, Row, work

__all__ = ["Result", "Store", "Sweep", "expand", "load", "run", "run_fingerprint"]

COMMIT_S = 0.5
"""Finished rows wait so long at most for the next commit while others keep coming."""


@dataclass(frozen=True)
class Result:
    """What a call of `run` did.

    Attributes
    ----------
    path
        The table.
    runs
        Different runs of the sweep; those with equal studies are one.
    reused
        How many of them were finished before.
    counts
        How many there are of each status now.
    others
        Rows of the table that another version of the program made.
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
    """Run what the table does not have yet.

    Parameters
    ----------
    path
        The table, an SQLite file; made if it is not there. Several sweeps may share one.
    executor
        See `planner.executors`. The table does not depend on it, nor on the order in which runs end.
    cache
        Folder for stages that several runs share, kept for later sweeps; without it, one beside the table that is removed
        when the sweep is through.
    fresh
        Whether to empty the table first.
    progress
        Called after each run.

    Raises
    ------
    InputError
        When the file is no table of a sweep, cannot be written, or another sweep writes it now.
    PlannerError
        When workers cannot start or run another version of the program.
    KeyboardInterrupt
        After what is finished has been entered.
    """
    path = Path(path)
    program = provenance.source()
    stages = Path(cache) if cache is not None else path.with_name(f"{path.name}.stages")
    with _alone(path, fresh), Store(path, create=True) as store:
        fingerprints = [run_fingerprint(study, sweep.stages, program) for study in sweep.studies]
        expanded = (provenance.expanded(study) for study in sweep.studies)
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
    """Return the fingerprint under which the table knows a run of some stages of a study."""
    text = f"{provenance.identity(study)} {' '.join(sorted(stages))} {program}"
    return sha256(text.encode()).hexdigest()[:16]


def _enter(
    store: Store, outcomes: Iterator[tuple[int, Outcome]], tasks: list[tuple[int, Study]], total: int, progress: Progress
) -> None:
    """Enter rows as they come; several at once when they come fast."""
    done, wrong = total - len(tasks), 0
    rows: list[Row] = []
    entered = time.monotonic()
    progress("sweep", done, total)
    try:
        for task, outcome in outcomes:
            died = isinstance(outcome.error, WorkerDied)
            row = Row(tasks[task][0], KILLED, str(outcome.error)) if died else outcome.result()
            rows.append(row)
            done, wrong = done + 1, wrong + (row.status != DONE)
            if time.monotonic() - entered >= COMMIT_S:
                store.finish(rows)
                rows.clear()
                entered = time.monotonic()
            progress("sweep", done, total, **({"not done": wrong} if wrong else {}))
    finally:
        store.finish(rows)


@contextmanager
def _alone(path: Path, fresh: bool) -> Iterator[None]:
    """Keep a second sweep from writing the same table, or emptying it; the lock of a killed one is free at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    name = path.with_name(f"{path.name}.lock")
    lock = os.open(name, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise InputError(Problem("", "another sweep writes this table now", "wait for it, or stop it", str(path))) from None
    try:
        if fresh:
            path.unlink(missing_ok=True)
        yield
    finally:
        name.unlink(missing_ok=True)
        os.close(lock)
