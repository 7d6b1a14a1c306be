"""What a worker does with a function and a task that come as bytes."""

from __future__ import annotations

import pickle
from typing import Any

from planner.errors import PlannerError
from planner.executors import Outcome
from planner.registry import plugin_frame


def loaded(blob: bytes) -> Any:
    """Return a pickled function; where it cannot be loaded, one that says so at every call."""
    try:
        return pickle.loads(blob)
    except Exception as error:
        return _Broken(error)


def called(function: Any, blob: bytes) -> bytes:
    """Return the outcome of a pickled task, pickled."""
    try:
        outcome = Outcome(function(pickle.loads(blob)))
    except (Exception, SystemExit) as error:
        # A traceback does not survive the way back.
        place = plugin_frame(error)
        failed = PlannerError(f"{place}: the plug-in fails: {type(error).__name__}: {error}; correct it") if place else error
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
