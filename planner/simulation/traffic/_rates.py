"""Reading a traffic matrix: lines ``source,target,rate`` of endpoints, routers or groups."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np

from planner.errors import InputError, Problem

_MOST_PROBLEMS = 20


def read(path: Path, units: int, what: str, alone: np.ndarray) -> np.ndarray:
    """Return the rates of a file as rows (source, target, rate), sorted, those of 0 left out: float64 (N, 3).

    Parameters
    ----------
    path
        A CSV file with the header ``source,target,rate``. Lines that are empty or begin with ``#`` are skipped.
    units
        How many there are; their numbers are 0 to `units` - 1.
    what
        What they are called in messages.
    alone
        Whether each unit has fewer than two endpoints and so cannot send to itself: bool (units,).

    Raises
    ------
    InputError
        With the line of everything that is wrong.
    """
    problems: list[Problem] = []
    rows: dict[tuple[int, int], float] = {}

    def wrong(line: int, message: str, remedy: str) -> None:
        problems.append(Problem("", message, remedy, str(path), line))

    for line, words in _lines(path):
        if len(words) != 3:
            wrong(line, f"has {len(words)} columns", "write source,target,rate")
            continue
        source, target = (_number(word, units) for word in words[:2])
        rate = _rate(words[2])
        for word, number in zip(words, (source, target), strict=False):
            if number is None:
                wrong(line, f"there is no {what} {word!r}", f"use 0 to {units - 1}")
        if rate is None:
            wrong(line, f"{words[2]!r} is no rate", "write a number of 0 or more")
        if source is None or target is None or rate is None:
            continue
        if (source, target) in rows:
            wrong(line, f"{what} {source} to {target} stands twice", "add the rates up")
        if source == target and alone[source] and rate:
            wrong(line, f"{what} {source} would send to itself", "leave the line out")
        rows[source, target] = rate
    if not problems and not any(rows.values()):
        problems.append(Problem("", "holds no rate above 0", "write source,target,rate", str(path)))
    if problems:
        more = len(problems) - _MOST_PROBLEMS
        rest = [Problem("", f"and {more} more lines like these", "", str(path))] if more > 0 else []
        raise InputError(problems[:_MOST_PROBLEMS] + rest)
    return np.array(sorted((*pair, rate) for pair, rate in rows.items() if rate))


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    """Return the lines below the header, with their numbers."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(Problem("", f"cannot be read: {error.strerror}", "check the name", str(path))) from None
    except UnicodeDecodeError as error:
        raise InputError(Problem("", f"byte {error.start} is not UTF-8 text", "save the file as UTF-8", str(path))) from None
    numbered = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip() and not line.startswith("#")]
    rows = list(csv.reader(line for _, line in numbered))
    if not rows or [word.strip() for word in rows[0]] != ["source", "target", "rate"]:
        line = numbered[0][0] if numbered else 0
        raise InputError(Problem("", "does not begin with its header", "write source,target,rate first", str(path), line))
    return [(number, [word.strip() for word in row]) for (number, _), row in zip(numbered[1:], rows[1:], strict=True)]


def _number(word: str, units: int) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 12 and int(word) < units else None


def _rate(word: str) -> float | None:
    try:
        rate = float(word)
    except ValueError:
        return None
    return rate if math.isfinite(rate) and rate >= 0 else None
