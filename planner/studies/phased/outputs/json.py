"""Figures of all phases as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from planner.core.record import plain
from planner.studies.phased.outputs._tables import changed
from planner.studies.phased.plans import SUMMARY, Phases

FILE = SUMMARY


def write(found: Phases, path: Path) -> None:
    """Write the figures with sorted keys."""
    path.write_text(json.dumps(plain(content(found)), indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def content(found: Phases) -> dict[str, Any]:
    """Return the figures of all phases."""
    placed = found.placed
    return {
        "study": found.name,
        "growth": {key: value for key, value in found.study.growth.items() if value is not None},
        "phases": [_phase(row, step) for row, step in zip(found.growth.rows(), found.steps, strict=True)],
        "cost_cents": found.cost_cents,
        "alone_cents": found.alone_cents,
        "currency": found.plans[-1].bill.currency if found.plans[-1].bill is not None else "",
        "placement": None
        if placed is None
        else {
            "method": placed.method,
            "objective": placed.objective,
            "unit": placed.objective_unit,
            "lower_bound": placed.lower_bound,
            "complete": placed.complete,
        },
    }


def _phase(row: dict[str, Any], step: Any) -> dict[str, Any]:
    own = {"name": row.pop("phase"), **row}
    own["fingerprint"] = step.plan.provenance.get("plan", "")
    if step.windows is not None:
        own |= {"windows": step.windows.count, "links_up_minimum": int(step.windows.up.min())}
    if step.link_mm is not None:
        own |= {"link_mm": step.link_mm, "cost_cents": step.cost_cents}
    if step.alone is not None:
        own |= {
            "alone_cents": step.alone_cents,
            "loss_percent": None if step.loss_percent is None else round(step.loss_percent, 3),
        }
    if step.difference is not None:
        own["change"] = changed(step.difference)
    if step.alone_difference is not None:
        own["alone_change"] = changed(step.alone_difference)
    return own
