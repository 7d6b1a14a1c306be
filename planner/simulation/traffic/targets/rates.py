"""Reading a traffic matrix: lines ``source,target,rate`` of endpoints, routers or groups."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from planner.core.errors import Problem
from planner.simulation import _csv


def read(path: Path, units: int, what: str, alone: np.ndarray) -> np.ndarray:
    """Return the rates of a file as rows (source, target, rate), sorted, without zeros: float64 (N, 3).

    Parameters
    ----------
    path
        A CSV file with the header ``source,target,rate``. Lines that are empty or begin with ``#`` are skipped.
    units
        Number of units, numbered 0 to `units` - 1.
    what
        Name of a unit in messages.
    alone
        Whether each unit has fewer than two endpoints and so cannot send to itself: bool (units,).

    Raises
    ------
    InputError
        With the line of every error.
    """
    problems: list[Problem] = []
    rows: dict[tuple[int, int], float] = {}

    def wrong(line: int, message: str, remedy: str) -> None:
        problems.append(Problem("", message, remedy, str(path), line))

    for line, words in _csv.lines(path, ("source", "target", "rate")):
        if len(words) != 3:
            wrong(line, f"has {len(words)} columns", "write source,target,rate")
            continue
        source, target = (_number(word, units) for word in words[:2])
        rate = _rate(words[2])
        for word, number in zip(words, (source, target), strict=False):
            if number is None:
                wrong(line, f"unknown {what} {word!r}", f"use 0 to {units - 1}")
        if rate is None:
            wrong(line, f"{words[2]!r} is not a rate", "write a number of 0 or more")
        if source is None or target is None or rate is None:
            continue
        if (source, target) in rows:
            wrong(line, f"{what} {source} to {target} is listed twice", "add the rates up")
        if source == target and alone[source] and rate:
            wrong(line, f"{what} {source} would send to itself", "remove the line")
        rows[source, target] = rate
    if not problems and not any(rows.values()):
        problems.append(Problem("", "contains no rate above 0", "write source,target,rate", str(path)))
    _csv.refuse(problems)
    return np.array(sorted((*pair, rate) for pair, rate in rows.items() if rate))


def _number(word: str, units: int) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 12 and int(word) < units else None


def _rate(word: str) -> float | None:
    try:
        rate = float(word)
    except ValueError:
        return None
    return rate if math.isfinite(rate) and rate >= 0 else None
