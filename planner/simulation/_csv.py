"""Rows of CSV files with a fixed header, with line numbers for error messages."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from planner.errors import InputError, Problem
from planner.reading import text

MAX_BYTES = 2**28
"""Maximum file size."""

_MAX_PROBLEMS = 20


def lines(path: Path, header: Sequence[str]) -> list[tuple[int, list[str]]]:
    """Return the rows below the header with their line numbers; empty lines and those that begin with ``#`` are skipped.

    Raises
    ------
    InputError
        When the file cannot be read, or does not begin with the header.
    """
    whole = text(path, MAX_BYTES).splitlines()
    kept = [(number, line) for number, line in enumerate(whole, 1) if line.strip() and not line.startswith("#")]
    rows = []
    for number, line in kept:
        try:
            rows.append((number, [word.strip() for word in next(csv.reader([line]))]))
        except csv.Error as error:
            raise InputError(Problem("", f"is not a valid CSV row: {error}", "correct the line", str(path), number)) from None
    if not rows or rows[0][1] != list(header):
        line = rows[0][0] if rows else 0
        raise InputError(Problem("", "does not begin with its header", f"write {','.join(header)} first", str(path), line))
    return rows[1:]


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
