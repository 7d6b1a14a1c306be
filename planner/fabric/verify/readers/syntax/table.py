"""Text tables with a line of dashes under their header, as command lines print them."""

from __future__ import annotations

import re

from planner.core.errors import InputError, Problem
from planner.fabric.verify.readers.syntax.documents import clean

Row = dict[str, str]


def columns(text: str, start: int, file: str) -> list[Row]:
    """Return the rows of a table whose header begins at `start`, by the words of the header.

    The dashes under the header give the columns. The table ends with an empty line or a line of dashes.

    Raises
    ------
    InputError
        When no line of dashes follows the header.
    """
    lines = text[start:].splitlines()
    first = text.count("\n", 0, start) + 1
    if len(lines) < 2 or not re.fullmatch(r"\s*-{2,}(\s+-{2,})+\s*", lines[1]):
        remedy = "save the output of the command as it is"
        raise InputError(Problem("", "has no line of dashes under the header of its table", remedy, file, first))
    spans = [match.start() for match in re.finditer(r"-+", lines[1])]
    spans[0] = 0
    names = _cells(lines[0], spans)
    found = []
    for line in lines[2:]:
        if not line.strip() or re.fullmatch(r"\s*-{5,}\s*", line):
            break
        found.append(dict(zip(names, _cells(line, spans), strict=True)))
    return found


def _cells(line: str, starts: list[int]) -> list[str]:
    return [clean(line[start:end]) for start, end in zip(starts, [*starts[1:], len(line)], strict=True)]
