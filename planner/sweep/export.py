"""The table of a sweep as CSV or Parquet; the simulated loads go to a second file beside it."""

from __future__ import annotations

import csv
from pathlib import Path

from planner.errors import InputError, Problem
from planner.storage import replacing
from planner.sweep.store import Store

SUFFIXES = (".csv", ".parquet")


def checked(path: Path | str) -> Path:
    """Return a path to export to.

    Raises
    ------
    InputError
        When its suffix is no format.
    """
    path = Path(path)
    if path.suffix not in SUFFIXES:
        raise InputError(Problem("--table", f"{path} is neither CSV nor Parquet", "end the name with .csv or .parquet"))
    return path


def export(store: Store, path: Path | str) -> list[Path]:
    """Write all runs to `path`, and the simulated loads, if there are any, to ``<name>.curve.<suffix>``; return the paths.

    Equal tables give equal files: rows are sorted by number, and no time stands in them.

    Raises
    ------
    InputError
        When the suffix is no format, or its package is not installed.
    """
    path = checked(path)
    written = []
    for target, (names, rows) in ((path, store.runs()), (path.with_suffix(f".curve{path.suffix}"), store.curves())):
        if not rows and target != path:
            continue
        with replacing(target) as temporary:
            (_csv if path.suffix == ".csv" else _parquet)(names, rows, temporary)
        written.append(target)
    return written


def _csv(names: list[str], rows: list[tuple], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)


def _parquet(names: list[str], rows: list[tuple], path: Path) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise InputError(Problem("--table", "Parquet needs pyarrow", "pip install 'planner[parquet]'")) from None
    columns = {name: _of_one_type([row[place] for row in rows]) for place, name in enumerate(names)}
    parquet.write_table(pyarrow.table(columns), path)


def _of_one_type(values: list) -> list:
    """A column of Parquet has one type: text among numbers makes all text."""
    kinds = {type(value) for value in values if value is not None}
    if str in kinds and len(kinds) > 1:
        return [None if value is None else str(value) for value in values]
    return [float(value) for value in values] if None not in values and kinds == {int, float} else values
