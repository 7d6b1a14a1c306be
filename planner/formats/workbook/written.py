"""Rows streamed into a workbook that XlsxWriter wrote without them.

XlsxWriter checks and formats every cell by itself, which takes several times as long. It writes all else: styles, headings, rules
for input, print settings, and one row of empty cells at the end of each sheet, from which the styles of the columns are read and
which the rows replace.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from io import BytesIO
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from xlsxwriter.utility import xl_col_to_name

from planner.view.tables import Column

_CHUNK = 4096
"""Rows that are in memory as XML at a time."""

_LONGEST = 32_767
"""Characters that a cell holds."""

_DAY_0 = date(1899, 12, 30)
"""From which spreadsheets count days, for dates from March 1900 on."""

_LAST_ROW = re.compile(r"<row [^>]*>((?:<c [^>]*/>)*)</row>(?=</sheetData>)")
_STYLE = re.compile(r'<c r="\w+"([^>]*)/>')

_SPECIAL = re.compile(r"[&<>\x00-\x08\x0b-\x1f\ufffe\uffff]|_x[0-9a-fA-F]{4}_|^\s|\s$")
"""Text that a cell holds in another form."""

_ESCAPED = re.compile(r"([\x00-\x08\x0b-\x1f\ufffe\uffff])|_(?=x[0-9a-fA-F]{4}_)")
"""Characters that XML cannot hold, and the beginning of what would be read as one of them."""


class Rows(NamedTuple):
    """Rows of a sheet and its columns; rows may end before the last column, and None and empty text leave cells empty."""

    columns: Sequence[Column]
    rows: Iterable[Sequence[Any]]


def write_rows(template: BytesIO, path: Path, content: Mapping[int, Rows], first: int) -> None:
    """Write a workbook with rows.

    Parameters
    ----------
    template
        Workbook by XlsxWriter, whose sheets of `content` end with a row of empty cells in the formats of the columns.
    content
        Rows by the number of their sheet, from 1.
    first
        Line of the first of them, from 1.
    """
    parts = {f"xl/worksheets/sheet{number}.xml": rows for number, rows in content.items()}
    with zipfile.ZipFile(template) as empty, zipfile.ZipFile(path, "w") as book:
        for member in empty.infolist():
            part = empty.read(member)
            with book.open(member, "w") as file:
                if member.filename not in parts:
                    file.write(part)
                    continue
                before, cells, after = _LAST_ROW.split(part.decode())
                file.write(before.encode())
                for chunk in _chunks(parts[member.filename], first, _STYLE.findall(cells)):
                    file.write(chunk.encode())
                file.write(after.encode())


def _chunks(content: Rows, first: int, styles: Sequence[str]) -> Iterator[str]:
    """Yield the XML of the rows, many at a time."""
    letters = [xl_col_to_name(place) for place in range(len(styles))]
    divisors = [column.divisor for column in content.columns]
    following, line = iter(content.rows), first - 1
    while chunk := list(islice(following, _CHUNK)):
        texts = []
        for row in chunk:
            line += 1
            cells = []
            for place, value in enumerate(row):
                if value is None or value == "":
                    continue
                start = f'<c r="{letters[place]}{line}"{styles[place]}'
                if value.__class__ is str:
                    cells.append(start + _text(value))
                    continue
                number = value if divisors[place] == 1 else value / divisors[place]
                if not isfinite(number):
                    raise TypeError(f"{content.columns[place].name}: {number} is no value of a cell")
                cells.append(f"{start}><v>{number:.16G}</v></c>")
            if cells:
                texts.append(f'<row r="{line}">{"".join(cells)}</row>')
        yield "".join(texts)


@lru_cache(maxsize=1 << 16)
def _text(text: str) -> str:
    """Return a cell with a text from behind its style; many texts occur several times."""
    if len(text) <= _LONGEST and not _SPECIAL.search(text):
        return f' t="inlineStr"><is><t>{text}</t></is></c>'
    text = _ESCAPED.sub(lambda found: f"_x{ord(found[0]):04X}_", text[:_LONGEST])
    kept = ' xml:space="preserve"' if text[:1].isspace() or text[-1:].isspace() else ""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f' t="inlineStr"><is><t{kept}>{text}</t></is></c>'


def day_of(value: date) -> int:
    """Return a date as the number that a cell holds."""
    return (value - _DAY_0).days
