"""CSV files that are safe to open in a spreadsheet.

Spreadsheets evaluate a cell that starts with one of `FORMULA`, and names in a plan are untrusted. Such cells are written with a
leading apostrophe, which the readers of this program remove.

References
----------
.. [1] OWASP, "CSV Injection", https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import Any, TextIO

FORMULA = frozenset("=+-@\t\r\n＝＋－＠")
"""First characters that start a formula in some spreadsheet, including full-width forms."""


class Writer:
    """Writes rows in which no text is a formula.

    Parameters
    ----------
    file
        Output file, opened with ``newline=""``.
    end
        Line terminator.
    """

    def __init__(self, file: TextIO, end: str = "\n") -> None:
        self._writer = csv.writer(file, lineterminator=end)

    def writerow(self, row: Iterable[Any]) -> None:
        """Write one row."""
        self._writer.writerow([inert(cell) for cell in row])

    def writerows(self, rows: Iterable[Iterable[Any]]) -> None:
        """Write several rows."""
        self._writer.writerows([inert(cell) for cell in row] for row in rows)


def inert(cell: Any) -> Any:
    """Return a cell that no spreadsheet evaluates; numbers are unchanged.

    Examples
    --------
    >>> inert("=1+1"), inert(-5), inert("-5.0"), inert("A-1")
    ("'=1+1", -5, '-5.0', 'A-1')
    """
    if not isinstance(cell, str) or cell.lstrip("'")[:1] not in FORMULA or not cell:
        return cell
    return cell if _is_number(cell) else f"'{cell}"


def original(text: str) -> str:
    """Return the original text of an escaped cell.

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
