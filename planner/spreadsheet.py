"""Comma-separated text as spreadsheets open it: text stays text, whatever it begins with.

A cell that begins with one of `FORMULA` is a formula to a spreadsheet, and names come from strangers. So such a cell gets an
apostrophe in front, as a person would type it. Readers of this program take it away again.

References
----------
.. [1] OWASP, "CSV Injection", https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import Any, TextIO

FORMULA = frozenset("=+-@\t\r\n＝＋－＠")
"""First characters that some spreadsheet takes for the beginning of a formula, the full-width forms among them."""


class Writer:
    """Writes rows whose text is inert.

    Parameters
    ----------
    file
        Where to; opened with ``newline=""``.
    end
        What ends a line.
    """

    def __init__(self, file: TextIO, end: str = "\n") -> None:
        self._writer = csv.writer(file, lineterminator=end)

    def writerow(self, row: Iterable[Any]) -> None:
        """Write one row."""
        self._writer.writerow([inert(cell) for cell in row])

    def writerows(self, rows: Iterable[Iterable[Any]]) -> None:
        """Write some rows."""
        self._writer.writerows([inert(cell) for cell in row] for row in rows)


def inert(cell: Any) -> Any:
    """Return a cell as no spreadsheet calculates it; numbers stay as they are.

    Examples
    --------
    >>> inert("=1+1"), inert(-5), inert("-5.0"), inert("A-1")
    ("'=1+1", -5, '-5.0', 'A-1')
    """
    if not isinstance(cell, str) or cell.lstrip("'")[:1] not in FORMULA or not cell:
        return cell
    return cell if _is_number(cell) else f"'{cell}"


def original(text: str) -> str:
    """Return the text that became inert.

    Examples
    --------
    >>> original("'=1+1"), original("'quoted'")
    ('=1+1', "'quoted'")
    """
    return text[1:] if text.startswith("'") and text.lstrip("'")[:1] in FORMULA and text.lstrip("'") else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii()
