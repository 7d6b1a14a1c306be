"""What the terminal shows of all phases."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from planner.core.names import shown
from planner.studies.phased.outputs._tables import Text, tables
from planner.studies.phased.plans import Phases


def lines(found: Phases, folder: Path | None = None) -> list[str]:
    """Return the tables line by line, safe to print."""
    listed = [found.title]
    for table in tables(found):
        listed += ["", table.title, *_aligned(table)]
    broken = {step.name: len(step.plan.violations.errors) for step in found.steps if step.plan.violations is not None}
    listed += [
        "",
        *(f"{name}: {count:,} violations of design rules; planner check prints them" for name, count in broken.items() if count),
    ]
    if folder is not None:
        listed += [f"plans       {folder / name}" for name in found.names]
    return [shown(line).rstrip() for line in listed]


def _aligned(table: Text) -> list[str]:
    rows: Sequence[Sequence[str]] = [table.columns, *table.rows]
    widths = [max(len(row[place]) for row in rows) for place in range(len(table.columns))]
    return [
        "  ".join(
            (cell.ljust if not place else cell.rjust)(width) for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
