"""Execution of one run of a sweep in a worker: study in, row out."""

from __future__ import annotations

import math
import threading
import time
import warnings
from dataclasses import dataclass, field, fields
from typing import Any

from planner.core import version
from planner.core.errors import Infeasible, InputError, PlannerError, PlannerWarning
from planner.domain.model import SimulationResult
from planner.studies import pipeline
from planner.studies.study import Study
from planner.studies.sweep.cache import Cache

DONE, INFEASIBLE, FAILED, KILLED, WAITING = "done", "infeasible", "failed", "killed", "waiting"
"""Status of a run: finished; nothing fits; error; worker killed; not run yet."""

_one = threading.Lock()
"""Serializes runs in the threads of a cluster worker, since warnings are captured per process."""


@dataclass(frozen=True)
class Job:
    """Settings shared by all runs of a sweep."""

    stages: tuple[str, ...]
    cache: Cache | None
    program: str


@dataclass(frozen=True)
class Row:
    """Result of a run.

    Attributes
    ----------
    quantities
        Quantities by name.
    curve
        Results of each simulated load by name.
    """

    number: int
    status: str
    message: str = ""
    quantities: dict[str, Any] = field(default_factory=dict)
    curve: tuple[dict[str, Any], ...] = ()
    seconds: float = 0.0


def work(job: Job, task: tuple[int, Study]) -> Row:
    """Run one study.

    Raises
    ------
    PlannerError
        When this worker has another version of the program than the sweep.
    """
    number, study = task
    if version.source() != job.program:
        raise PlannerError("a worker runs another version of the program; install the same version everywhere")
    with _one, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PlannerWarning)
        started = time.perf_counter()
        row = _run(number, study, job)
        seconds = time.perf_counter() - started
    notes = [str(one.message) for one in caught if issubclass(one.category, PlannerWarning)]
    message = "; ".join([row.message] * bool(row.message) + list(dict.fromkeys(notes)))
    return Row(number, row.status, message, row.quantities, row.curve, seconds)


def _run(number: int, study: Study, job: Job) -> Row:
    try:
        plan = pipeline.make(study, job.stages, store=job.cache)
    except Infeasible as error:
        return Row(number, INFEASIBLE, str(error))
    except InputError as error:
        return Row(number, FAILED, "; ".join(str(problem) for problem in error.problems))
    except MemoryError:
        return Row(number, KILLED, "out of memory")
    except Exception as error:
        return Row(number, FAILED, f"{type(error).__name__}: {error}")
    quantities = {name: entry["value"] for name, entry in plan.quantities.items()}
    return Row(number, DONE, "", quantities, curve(plan.simulation))


def curve(result: SimulationResult | None) -> tuple[dict[str, Any], ...]:
    """Return all numeric results of each simulated load."""
    if result is None:
        return ()
    columns = {name: getattr(result, name).tolist() for name in measures()}
    return tuple({name: _number(column[n]) for name, column in columns.items()} for n in range(len(result.offered)))


def measures() -> dict[str, str]:
    """Return the unit of every result of a simulated load, in order."""
    found = {spec.name: spec.metadata["unit"] for spec in fields(SimulationResult) if spec.metadata.get("shape") == "P"}
    return {"offered": found["offered"]} | found


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value
