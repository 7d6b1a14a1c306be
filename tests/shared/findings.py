"""Tables of the studies under reports/ that repeat papers' findings, and how their pages show them."""

from functools import cache
from pathlib import Path

from planner.studies.sweep import tables

REPORTS = Path(__file__).parents[2] / "reports"


@cache
def table(name):
    """The rows of an exported table."""
    found = tables.read(REPORTS / f"{name}.csv")[0]
    return [dict(zip(found.names, row, strict=True)) for row in found.rows]


def curve(name):
    """The simulated loads of a sweep; none of one without ``[simulation]``."""
    return table(f"{name}.curve") if (REPORTS / f"{name}.curve.csv").exists() else []


def markdown(rows, down, across, value):
    """A table of a page: a line for each value of one column, a column for each value of another."""
    heads = list(dict.fromkeys(row[across] for row in rows))
    cells = {(row[down], row[across]): value(row) for row in rows}
    lines = [["", *map(str, heads)], ["---"] * (len(heads) + 1)]
    lines += [[str(name), *(cells.get((name, head), "") for head in heads)] for name in dict.fromkeys(row[down] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def assert_on_page(folder, text):
    """The page of a study has this table."""
    page = (REPORTS / folder / "README.md").read_text(encoding="utf-8")
    assert text in page, f"put this table into reports/{folder}/README.md:\n{text}"


def throughput(row):
    return f"{row['throughput']:.3f}"


def delay(row):
    return f"({row['delay_mean']:.0f})" if row["saturated"] else f"{row['delay_mean']:.0f}"


def at(name, load, **where):
    """The one row of a sweep at a load with these values in other columns."""
    rows = [row for row in curve(name) if row["offered"] == load and all(row[key] == value for key, value in where.items())]
    [row] = rows
    return row


def clearly(more, less):
    """Whether one accepts more than the other, by more than both intervals of 95 %."""
    return more["accepted"] - more["accepted_error"] > less["accepted"] + less["accepted_error"]
