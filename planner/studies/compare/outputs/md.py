"""Comparison as Markdown tables, with the best figure of each column in bold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from planner.studies.compare.measures import Group, best, groups, summary
from planner.studies.compare.running import Result
from planner.studies.compare.table import introduction, verdicts


def write(result: Result, path: Path) -> None:
    """Write the summary and all tables."""
    path.write_text("\n".join(_lines(result)) + "\n", encoding="utf-8")


def _lines(result: Result) -> Iterator[str]:
    yield f"# {result.comparison.head.title}\n"
    yield f"{introduction(result)}."
    for group in [summary(result), *groups(result)] if result.done else []:
        yield f"\n## {group.title}\n"
        yield from _table(result, group)
    yield "\n## Verdicts\n"
    yield from (f"{'  ' * line.startswith(' ')}- {line.strip()}" for line in verdicts(result))


def _table(result: Result, group: Group) -> Iterator[str]:
    yield _row(["network", *(measure.head for measure in group.measures), *(title for title, _ in group.words)])
    yield "|---|" + "---:|" * len(group.measures) + "---|" * len(group.words)
    for entry in result.done:
        cells = [entry.label]
        for measure in group.measures:
            value, text = measure.value(entry), measure.text(entry)
            cells.append(f"**{text}**" if value is not None and value == best(measure, result.done) else text)
        yield _row([*cells, *(of(entry) for _, of in group.words)])


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
