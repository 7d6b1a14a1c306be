"""The rows of task sheets, read back from the text of the file."""

from __future__ import annotations

import re
from typing import NamedTuple

from shared.paper import Paper

_END = r"(?P<{0}_cabinet>\S+) (?:U(?P<{0}_unit>\d+)|upright), (?P<{0}_device>\S+) (?P<{0}_port>\S+)"
_ROW = re.compile(rf"(?P<number>\d+)(?:\.\d+)? {_END.format('a')} {_END.format('b')} ")
_TASK = re.compile(r"^Task ([\d,]+): ", re.MULTILINE)


class End(NamedTuple):
    """An end as printed; upright devices have unit 0."""

    cabinet: str
    unit: int
    device: str
    port: str


class Row(NamedTuple):
    """A row of a task: the number of the cable and its ends."""

    task: int
    number: int
    a: End
    b: End


def rows(paper: Paper) -> list[Row]:
    """Return the rows of all tasks, in their order on paper."""
    text = "\n".join(paper.pages)
    starts = list(_TASK.finditer(text))
    found = []
    for start, end in zip(starts, [*(each.start() for each in starts[1:]), len(text)], strict=True):
        content = re.sub(r"\s+", " ", text[start.end() : end])
        found += [Row(int(start[1].replace(",", "")), int(row["number"]), *_ends(row)) for row in _ROW.finditer(content)]
    return found


def _ends(row: re.Match[str]) -> tuple[End, End]:
    one, other = (
        End(row[f"{side}_cabinet"], int(row[f"{side}_unit"] or 0), row[f"{side}_device"], row[f"{side}_port"]) for side in "ab"
    )
    return one, other
