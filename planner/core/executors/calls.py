"""Execution of tasks in a worker: their outcomes, and what of them another process can be given."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable
from typing import Any

from planner.core.errors import CheckFailed, PlannerError
from planner.core.executors import Outcome
from planner.core.executors.shared import unpacked
from planner.core.registry import plugin_frame


def loaded(blob: bytes) -> Any:
    """Unpickle a function; if that fails, return one that raises the error at every call."""
    try:
        return unpacked(blob)
    except Exception as error:
        return _Broken(error)


def called(function: Any, blob: bytes) -> bytes:
    """Run a pickled task and return its pickled outcome."""
    return pickled(outcome_of(lambda: function(pickle.loads(blob))))


def outcome_of(run: Callable[[], Any]) -> Outcome:
    """Return the outcome of a task; its error is one that another process can show."""
    try:
        return Outcome(run())
    except BaseException as error:
        return Outcome(error=_portable(error))


def pickled(outcome: Outcome) -> bytes:
    """Return the pickle of an outcome, or of an error if it cannot be pickled."""
    try:
        return pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps(Outcome(error=PlannerError(f"a result cannot be pickled: {error}")))


def _portable(error: BaseException) -> BaseException:
    """Return an error that another process can show: with its traceback as text, or its place in a plug-in."""
    known = isinstance(error, PlannerError) and not isinstance(error, CheckFailed)
    if known or isinstance(error, KeyboardInterrupt | OSError | MemoryError | ModuleNotFoundError):
        return error
    if not isinstance(error, CheckFailed) and (place := plugin_frame(error)):
        return PlannerError(f"{place}: the plug-in failed: {type(error).__name__}: {error}; correct it")
    error.add_note("".join(traceback.format_exception(error)))
    return error


class _Broken:
    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self, task: Any) -> Any:
        raise self.error
