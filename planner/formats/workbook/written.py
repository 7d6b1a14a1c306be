"""Cells of a workbook written as whole rows of XML.

XlsxWriter checks and formats every cell by itself, which takes ten times as long. `write_rows` gives the same bytes. It uses
names that XlsxWriter does not document; `FAST` is False where they are missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from math import isfinite
from typing import Any

from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from planner.view.tables import Column

FAST = all(hasattr(Worksheet, name) for name in ("_write_single_row", "_check_dimensions")) and hasattr(Format, "_get_xf_index")

_CHUNK = 4096
"""Rows that are in memory as XML at a time."""

_LONG = 16_000
"""Characters of a text up to which it fits a cell in any encoding."""

_SPECIAL = re.compile(r'["&<>\n\x00-\x08\x0b-\x1f\ufffe\uffff]|_x[0-9a-fA-F]{4}_|^\s|\s$')
"""Text that a cell holds in another form."""


def write_cell(page: Any, line: int, place: int, value: Any, divisor: float) -> None:
    """Write one planned value; None and empty text leave the cell empty."""
    if isinstance(value, str):
        if value:
            page.write_string(line, place, value)
    elif value is not None:
        page.write_number(line, place, value if divisor == 1 else value / divisor)


def write_rows(page: Any, first: int, rows: Sequence[tuple[Any, ...]], columns: Sequence[Column], looks: Sequence[Any]) -> None:
    """Write rows of planned values, with empty cells of the crew behind them.

    Parameters
    ----------
    page
        Worksheet of a workbook with constant memory.
    first
        Line of the first row; all before it have been written.
    columns, looks
        Columns of the sheet and their formats; values of `rows` are those of the first ones.
    """
    if not rows:
        return
    styles = [""] * len(columns)

    def style_of(place: int) -> str:
        # Formats are numbered in the order of their use.
        styles[place] = f' s="{looks[place]._get_xf_index()}"'
        return styles[place]

    letters = [xl_col_to_name(place) for place in range(len(columns))]
    divisors = [column.divisor for column in columns]
    following, line = iter(rows), first
    # What is before these rows.
    page._write_single_row(first)
    while chunk := list(islice(following, _CHUNK)):
        texts = []
        for row in chunk:
            line += 1
            cells = []
            for place, value in enumerate(row):
                if value is None or value == "":
                    continue
                start = f'<c r="{letters[place]}{line}"{styles[place] or style_of(place)}'
                if value.__class__ is str:
                    if len(value) > _LONG or _SPECIAL.search(value):
                        cells.append(f'{start} t="inlineStr"><is>{_special(page, value)}</is></c>')
                    else:
                        cells.append(f'{start} t="inlineStr"><is><t>{value}</t></is></c>')
                    continue
                number = value if divisors[place] == 1 else value / divisors[place]
                if not isfinite(number):
                    raise TypeError(f"{columns[place].name}: {number} is no value of a cell")
                cells.append(f"{start}><v>{number:.16G}</v></c>")
            for place in range(len(row), len(columns)):
                cells.append(f'<c r="{letters[place]}{line}"{styles[place] or style_of(place)}/>')
            if cells:
                texts.append(f'<row r="{line}">{"".join(cells)}</row>')
        page.fh.write("".join(texts))
    page.previous_row = line - 1
    page._check_dimensions(line - 1, 0)


def _special(page: Any, text: str) -> str:
    """Return a text with characters that XML or the format reserve, or more than a cell takes."""
    text = page._escape_control_characters(text[: page.xls_strmax])
    kept = ' xml:space="preserve"' if text[:1].isspace() or text[-1:].isspace() else ""
    return f"<t{kept}>{page._escape_data(text)}</t>"
