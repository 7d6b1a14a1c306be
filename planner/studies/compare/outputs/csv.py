"""CSV with a row per network and a column per figure, named with its unit as in sweep tables."""

from __future__ import annotations

from pathlib import Path

from planner.core.spreadsheet import Writer
from planner.studies.compare.measures import groups
from planner.studies.compare.pareto import objectives, ranking
from planner.studies.compare.running import Result


def write(result: Result, path: Path) -> None:
    """Write the table; equal comparisons give equal bytes."""
    found = ranking(result.done, objectives(result))
    columns = [measure.name for group in groups(result) for measure in group.measures]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = Writer(file)
        writer.writerow(["network", "family", "parameters", "status", "message", *columns, "front", "dominated_by"])
        for entry in result.entries:
            figures = [_plain(entry.figures.get(name)) for name in columns]
            place = ["", ""]
            if entry.done and entry.label not in found.unranked:
                better = found.dominated.get(entry.label, [])
                place = ["no" if better else "yes", "; ".join(better)]
            writer.writerow([entry.label, entry.case.family, entry.parameters, entry.status, entry.message, *figures, *place])


def _plain(value: float | None) -> float | str:
    return "" if value is None else round(value, 6)
