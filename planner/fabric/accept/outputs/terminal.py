"""The acceptance report in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from planner.fabric.accept._record import Acceptance
from planner.fabric.accept.outputs.xlsx import result

_SHOWN = 20
"""Open points that are listed."""


def lines(acceptance: Acceptance, written: Sequence[Path] = ()) -> list[str]:
    """Return the result, the open points and the statistics as lines."""
    found = [f"{acceptance.title}: {result(acceptance)}"]
    found += [f"  {point.kind}: {point.text}" for point in acceptance.open[:_SHOWN]]
    if len(acceptance.open) > _SHOWN:
        found.append(f"  and {len(acceptance.open) - _SHOWN:,} more")
    width = max((len(name) for name, _ in acceptance.statistics), default=0)
    found += [f"{name:<{width}}  {value}" for name, value in acceptance.statistics]
    return [*found, *map(str, written)]
