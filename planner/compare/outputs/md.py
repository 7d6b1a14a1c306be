"""Markdown: the tables of the terminal for pages of text, the best of each column in bold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from planner.compare.measures import Measure, best, groups, key_measures
from planner.compare.pareto import objectives, ranking
from planner.compare.running import Result
from planner.compare.table import introduction, verdicts


def write(result: Result, path: Path) -> None:
    """Write the tables: the summary first."""
    path.write_text("\n".join(_lines(result)) + "\n", encoding="utf-8")


def _lines(result: Result) -> Iterator[str]:
    yield f"# {result.comparison.head.title}\n"
    yield f"{introduction(result)}.\n"
    if result.done:
        found = ranking(result.done, objectives(result))
        yield from _table(result, key_measures(result), ("Pareto", found.verdict))
        for group in groups(result):
            yield f"\n## {group.title}\n"
            yield from _table(result, group.measures)
    yield "\n## Verdicts\n"
    yield from (f"- {line.strip()}" for line in verdicts(result))


def _table(result: Result, measures: Sequence[Measure], last: tuple | None = None) -> Iterator[str]:
    yield "| network | " + " | ".join([measure.head for measure in measures] + ([last[0]] if last else [])) + " |"
    yield "|---|" + "---:|" * len(measures) + ("---|" if last else "")
    for entry in result.done:
        cells = []
        for measure in measures:
            value = measure.value(entry)
            text = measure.text(entry)
            cells.append(f"**{text}**" if value is not None and value == best(measure, result.done) else text)
        yield f"| {entry.label} | " + " | ".join(cells + ([last[1](entry.label)] if last else [])) + " |"
