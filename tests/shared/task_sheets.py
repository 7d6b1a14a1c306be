"""The rows of task sheets, read back from the text of the file."""

from __future__ import annotations

import re
from typing import NamedTuple

from shared.paper import Paper

_END = r"(?P<{0}_cabinet>\S+) (?:U(?P<{0}_unit>\d+)|upright), (?P<{0}_device>\S+) (?P<{0}_port>\S+)"
_ROW = re.compile(rf"(?<![\w:.-])(?P<number>\d+)(?:\.\d+)? {_END.format('a')} {_END.format('b')} ")
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
        content = re.sub(r"\s+", " ", text[start.end() : end].replace("\ufffe", "-"))
        found += [Row(int(start[1].replace(",", "")), int(row["number"]), *_ends(row)) for row in _ROW.finditer(content)]
    return found


def _ends(row: re.Match[str]) -> tuple[End, End]:
    one, other = (
        End(row[f"{side}_cabinet"], int(row[f"{side}_unit"] or 0), row[f"{side}_device"], row[f"{side}_port"]) for side in "ab"
    )
    return one, other


class Jumper(NamedTuple):
    """A row of a jumper: its device end, its position, and the position that it leads through to."""

    device: End
    position: str
    far: str


_JUMPER = re.compile(rf"(?P<number>J\d+) {_END.format('a')} (?P<frame>\S+) (?:U|#)\d+, (?P<at>\S+) through to (?P<far>\S+) ")
_PLUG = re.compile(r"(?P<plug>TR-\S+:\d+) \S+ (?:U|#)\d+, (?P<a>\S+) \S+ (?:U|#)\d+, (?P<b>\S+)")


def _content(paper: Paper) -> str:
    """Return the text of all pages; names that were broken after a hyphen are joined."""
    text = re.sub(r"\s+", " ", "\n".join(paper.pages).replace("\ufffe", "-"))
    return re.sub(r"(?<=[A-Za-z0-9]-) (?=\S)", "", text)


def jumpers(paper: Paper) -> list[Jumper]:
    """Return the rows of all jumpers."""
    found = []
    for row in _JUMPER.finditer(_content(paper)):
        end = End(row["a_cabinet"], int(row["a_unit"] or 0), row["a_device"], row["a_port"])
        found.append(Jumper(end, row["at"], row["far"]))
    return found


def plugs(paper: Paper) -> list[tuple[str, str, str]]:
    """Return the plugs of all trunks: name, and socket at both ends."""
    return [(row["plug"], row["a"], row["b"]) for row in _PLUG.finditer(_content(paper))]
