"""Rows of CSV files with a fixed header, with line numbers for error messages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from planner.core import delimited
from planner.core.errors import InputError, Problem

MAX_BYTES = 2**28
"""Maximum file size."""

MAX_ROWS = 2**25
"""Maximum number of lines: each has 8 bytes or more."""

_MAX_PROBLEMS = 20


def lines(path: Path, header: Sequence[str]) -> list[tuple[int, list[str]]]:
    """Return the rows below the header with their line numbers; empty lines and those that begin with ``#`` are skipped.

    Raises
    ------
    InputError
        When the file cannot be read, or does not begin with the header.
    """
    table = delimited.read(path, comments=True, max_bytes=MAX_BYTES, max_rows=MAX_ROWS)
    if table.header != tuple(header):
        raise InputError(Problem("", "does not begin with its header", f"write {','.join(header)} first", str(path), table.line))
    return list(table.rows())


def refuse(problems: list[Problem]) -> None:
    """Raise InputError with the first problems and the number of the remaining ones, if any.

    Raises
    ------
    InputError
        When there are problems.
    """
    if problems:
        more = len(problems) - _MAX_PROBLEMS
        rest = [Problem("", f"and {more:,} more lines", "", problems[0].file)] if more > 0 else []
        raise InputError(problems[:_MAX_PROBLEMS] + rest)
