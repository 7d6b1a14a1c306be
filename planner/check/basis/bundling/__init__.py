"""Kinds of bundling, recomputed with tables of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from planner.check.basis.bundling.boxes import shuffled
from planner.check.basis.bundling.cables import CableSet, Outcome
from planner.check.basis.bundling.looms import loomed, row_loomed
from planner.check.basis.bundling.multicore import multicored
from planner.check.basis.bundling.trunks import trunked

KINDS: dict[str, Callable[..., Outcome]] = {
    "loom": loomed,
    "row_loom": row_loomed,
    "trunk": trunked,
    "multicore": multicored,
    "shuffle": shuffled,
}

NAMES = ("loom", "row loom", "trunk", "multi-core fiber", "shuffle")
"""What plans call the bundles of each kind, in the order of `KINDS`."""


def outcome(cable_set: CableSet, kind: str, parameters: dict[str, Any]) -> Outcome:
    """Return what a kind of bundling makes of the cables."""
    return KINDS[kind](cable_set, **parameters)


__all__ = ["KINDS", "NAMES", "CableSet", "Outcome", "outcome"]
