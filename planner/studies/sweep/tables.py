"""Export and import of sweep tables as CSV or Parquet; simulated loads are exported to a second file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planner.core import delimited
from planner.core.errors import InputError, Problem
from planner.core.spreadsheet import Writer
from planner.core.storage import replacing
from planner.studies.sweep.store import Store

SUFFIXES = (".csv", ".parquet")

MAX_BYTES = 2**30
"""Maximum size of a CSV file."""

MAX_ROWS = 2**25
"""Maximum number of its lines."""


@dataclass(frozen=True)
class Table:
    """Column names, and rows of numbers, text and None."""

    names: list[str]
    rows: list[tuple[Any, ...]]

    def column(self, name: str) -> list[Any]:
        """Return the values of a column."""
        place = self.names.index(name)
        return [row[place] for row in self.rows]


def checked(path: Path | str) -> Path:
    """Check the path of an export.

    Raises
    ------
    InputError
        When its suffix is not a known format.
    """
    path = Path(path)
    if path.suffix not in SUFFIXES:
        raise InputError(Problem("--table", f"{path} is neither CSV nor Parquet", "use the suffix .csv or .parquet"))
    return path


def export(store: Store, path: Path | str) -> list[Path]:
    """Write all runs to `path`, and simulated loads, if any, to ``<name>.curve.<suffix>``; return the paths.

    Rows are sorted by number and contain no times, so equal tables give equal files.

    Raises
    ------
    InputError
        When the suffix is not a known format, or its package is not installed.
    """
    path = checked(path)
    written = []
    for target, table in zip((path, path.with_suffix(f".curve{path.suffix}")), of(store), strict=True):
        if not table.rows and target != path:
            continue
        with replacing(target) as temporary:
            (_csv if path.suffix == ".csv" else _parquet)(table, temporary)
        written.append(target)
    return written


def of(store: Store) -> tuple[Table, Table]:
    """Return the runs, and the simulated loads."""
    return Table(*store.runs()), Table(*store.curves())


def read(path: Path | str) -> tuple[Table, ...]:
    """Read the tables of a file: runs and simulated loads of a sweep table, or the single table of an exported file.

    Raises
    ------
    InputError
        When the file cannot be read.
    """
    path = Path(path)
    if path.suffix == ".csv":
        return (_from_csv(path),)
    if path.suffix == ".parquet":
        return (_from_parquet(path),)
    with Store(path) as store:
        return of(store)


def _csv(table: Table, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = Writer(file)
        writer.writerow(table.names)
        writer.writerows(table.rows)


def _from_csv(path: Path) -> Table:
    table = delimited.read(path, max_bytes=MAX_BYTES, max_rows=MAX_ROWS)
    names = list(table.header)
    return Table(names, [tuple(map(_value, row)) for _, row in table.rows() if len(row) == len(names)])


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None


def _parquet(table: Table, path: Path) -> None:
    pyarrow, parquet = _pyarrow()
    columns = {name: _of_one_type(table.column(name)) for name in table.names}
    parquet.write_table(pyarrow.table(columns), path)


def _from_parquet(path: Path) -> Table:
    pyarrow, parquet = _pyarrow()
    try:
        columns = parquet.read_table(path).to_pydict()
    except (OSError, pyarrow.ArrowException) as error:
        raise InputError(Problem("", f"cannot be read as Parquet: {error}", "check the file", str(path))) from None
    return Table(list(columns), list(zip(*columns.values(), strict=True)))


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise InputError(Problem("", "Parquet needs the package pyarrow", "pip install 'planner[parquet]'")) from None
    return pyarrow, parquet


def _of_one_type(values: list[Any]) -> list[Any]:
    """Convert a column to one type, as Parquet requires; mixed text and numbers become text."""
    kinds = {type(value) for value in values if value is not None}
    if str in kinds and len(kinds) > 1:
        return [None if value is None else str(value) for value in values]
    return [None if value is None else float(value) for value in values] if float in kinds else values
