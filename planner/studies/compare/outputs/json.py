"""Comparison as JSON: settings, networks with figures and units, and the front."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from planner.core.record import plain
from planner.studies.compare.comparison import Comparison
from planner.studies.compare.entries import Entry
from planner.studies.compare.measures import groups
from planner.studies.compare.pareto import Ranking, objectives, ranking
from planner.studies.compare.running import Result


def write(result: Result, path: Path) -> None:
    """Write the data; equal comparisons give equal bytes."""
    path.write_text(json.dumps(content(result), indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def content(result: Result) -> dict[str, Any]:
    """Return a comparison as plain data."""
    comparison, found = result.comparison, ranking(result.done, objectives(result))
    measures = [measure for group in groups(result) for measure in group.measures]
    return {
        "name": comparison.head.name,
        "title": comparison.head.title,
        "seed": comparison.head.seed,
        "quick": comparison.head.quick,
        "sections": plain(comparison.sections),
        "simulations": [
            {"label": each.label, "routings": list(each.routings)} | plain(each.section) for each in comparison.simulations
        ],
        **_growth(comparison),
        "meanings": {measure.name: measure.meaning for measure in measures},
        "objectives": [each.figure for each in found.objectives],
        "networks": [_entry(entry, [measure.name for measure in measures], found) for entry in result.entries],
    }


def _growth(comparison: Comparison) -> dict[str, Any]:
    """Return the settings of networks that are bought in phases."""
    if not comparison.phases:
        return {}
    return {
        "phases": [plain(phase) for phase in comparison.phases],
        "growth": plain(comparison.growth | vars(comparison.rates)),
    }


def _entry(entry: Entry, names: list[str], found: Ranking) -> dict[str, Any]:
    known: dict[str, Any] = {
        "label": entry.label, "family": entry.case.family, "parameters": plain(entry.case.parameters),
        "status": entry.status, "message": entry.message,
    }  # fmt: skip
    if entry.done:
        known["figures"] = {name: round(entry.figures[name], 6) for name in names if name in entry.figures}
        if entry.phases or entry.no_growth:
            known |= {"phases": [plain(phase) for phase in entry.phases], "no_growth": entry.no_growth}
        known["dominated_by"] = found.dominated.get(entry.label, []) if entry.label not in found.unranked else None
        known["left_out"] = [{"traffic": t, "routing": r, "reason": why} for (t, r), why in entry.left_out.items()]
    return known
