"""Routings, traffic patterns and motifs by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.core.reading import arguments


def element(kind: str, name: str, parameters: dict[str, Any] | None) -> Callable:
    """Return the function of an element with validated parameters bound."""
    compiled = {"routing": "candidates", "traffic": "target"}.get(kind)
    if compiled and not hasattr(registry.load(kind, name), compiled):
        raise InputError(Problem(kind, f"{name} defines no function {compiled}()", "see docs/method/simulation.md"))
    function = registry.function(kind, name)
    checked = arguments(
        function, data=parameters or {}, owner=name, given=registry.KINDS[kind].given, section=f"{kind}_parameters"
    )
    return partial(function, **checked)
