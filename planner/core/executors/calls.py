"""Execution of pickled functions and tasks in a worker."""

from __future__ import annotations

import pickle
from typing import Any

from planner.core.errors import PlannerError
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
    try:
        outcome = Outcome(function(pickle.loads(blob)))
    except (Exception, SystemExit) as error:
        # Tracebacks cannot be pickled.
        place = plugin_frame(error)
        failed = PlannerError(f"{place}: the plug-in failed: {type(error).__name__}: {error}; correct it") if place else error
        outcome = Outcome(error=failed)
    try:
        return pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps(Outcome(error=PlannerError(f"a result cannot be pickled: {error}")))


class _Broken:
    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self, task: Any) -> Any:
        raise self.error
