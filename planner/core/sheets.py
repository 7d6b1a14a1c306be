"""Workbooks of strangers: their content within bounds, before the library that parses it.

A few hundred kilobytes may unpack to gigabytes, whatever the directory of the archive states. Two cells in opposite corners of a
sheet span seventeen billion, for each of which the library reserves memory.
"""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from posixpath import normpath
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np

from planner.core.archives import Damaged, require_small_directory

MAX_PARTS = 10_000
"""Maximum number of files in a workbook."""

_PARTS = re.compile(r"\[Content_Types\]\.xml|/?(_rels|xl)/(?!media/|drawings/).*\.(xml|rels)", re.IGNORECASE)
"""Parts with cells, and what leads to them: neither pictures nor macros, nor the parts of other kinds of workbooks."""

_AFTER_NAMES = (b" ", b">", b"/", b"\n", b"\r", b"\t")
_ROW = re.compile(rb"<(?:\w+:)?row[\s/>]")
_SPACES = b" \t\r\n"
_EMPTY_CELL = re.compile(rb"""<(?:\w+:)?c(?:\s+[\w:]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/>""")
_ERROR = re.compile(
    rb"""<(?:\w+:)?c\s[^<>]*?\br\s*=\s*["']([A-Za-z]{1,3})([0-9]{1,7})["'][^<>]*>"""
    rb"""(?:<(?:\w+:)?f[\s/>][^<]*(?:</(?:\w+:)?f>)?)?<(?:\w+:)?v>(#[^<]*)<"""
)
_RELATIONS = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"

Errors = dict[str, dict[tuple[int, int], str]]
"""Cells with errors such as ``#REF!`` by the name of their sheet: row and column from 0."""


class Extent(NamedTuple):
    """Rows and columns that a sheet spans."""

    rows: int
    columns: int

    @property
    def size(self) -> int:
        return self.rows * self.columns


def unpacked(content: bytes, max_bytes: int, max_cells: int) -> tuple[BytesIO, Errors]:
    """Return a workbook packed without compression, so that it is as large as it states, and its cells with errors.

    Raises
    ------
    Damaged
        When it is not a workbook, unpacks to more bytes, or a sheet spans more cells.
    """
    file, found = BytesIO(content), BytesIO()
    require_small_directory(file, MAX_PARTS)
    parts: dict[str, bytes] = {}
    left = max_bytes
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(found, "w", zipfile.ZIP_STORED) as made:
        members = archive.infolist()
        if (size := sum(member.file_size for member in members)) > max_bytes:
            raise Damaged(f"it unpacks to {size / 1e6:,.0f} MB, and the limit is {max_bytes / 1e6:,.0f} MB")
        for member in members:
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise Damaged("a part is packed by a method other than deflate")
            # Bounded: to read all of a member unpacks up to two gigabytes at once, whatever size it states.
            with archive.open(member) as packed:
                part = packed.read(member.file_size)
            left -= len(part)
            if member.filename in parts or left < 0:
                raise Damaged("it has a part twice, or is larger than it states")
            if not _PARTS.fullmatch(member.filename):
                continue
            _require_small(member.filename, part, max_cells)
            parts[member.filename] = part if len(part) < 2**20 or b"#" in part else b""
            made.writestr(member.filename, part)
    found.seek(0)
    return found, _errors(parts)


def _require_small(name: str, part: bytes, max_cells: int) -> None:
    if part[:2] in (b"\xff\xfe", b"\xfe\xff") or b"<!DOCTYPE" in part[:2000]:
        raise Damaged(f"{name} is in UTF-16, or declares a document type")
    if b"sheetData" not in part or extent(part).size <= max_cells:
        return
    # Cells may have a format and no content, down to the last row.
    if (found := extent(_EMPTY_CELL.sub(b"", part))).size > max_cells:
        raise Damaged(
            f"{name} spans {found.rows:,} rows and {found.columns:,} columns, the limit is {max_cells:,} cells: "
            "delete what is below the last row of the plan, and to the right of its last column"
        )


def extent(sheet: bytes) -> Extent:
    """Return the rows and columns that the cells of a sheet span at most, from its XML.

    Raises
    ------
    Damaged
        When places of cells are written as no spreadsheet program writes them.
    """
    columns, rows = _places(sheet)
    placed = columns > 0
    widest, lowest = int(columns.max(initial=0)), int(rows[placed].max(initial=0))
    if _tags(sheet, b"c") <= placed.sum():
        return Extent(lowest, widest)
    # Cells and rows need not state their places: then they follow those before them.
    longest = max(_tags(line, b"c") for line in _ROW.split(sheet))
    return Extent(int(rows.max(initial=0)) + _tags(sheet, b"row"), widest + longest)


def _tags(sheet: bytes, name: bytes) -> int:
    """Return how many tags of a name there are at most, with any prefix."""
    return sum(sheet.count(start + name + end) for start in (b"<", b":") for end in _AFTER_NAMES)


def _places(sheet: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Return columns and rows, counted from 1, of all attributes r, as of ``<c r="AB12">`` and ``<row r="12">``; 0 for none."""
    content = np.frombuffer(sheet + bytes(32), np.uint8)
    found = np.flatnonzero(content[1:-32] == ord("r")) + 1
    found = found[np.isin(content[found - 1], list(_SPACES + b":"))]
    after = content[found + 1]
    found, beyond = found[after == ord("=")] + 2, np.isin(after, list(_SPACES)).any()
    if beyond or np.isin(content[found], list(_SPACES)).any():
        raise Damaged("places of cells are written with spaces")
    found = found[np.isin(content[found], list(b"\"'"))] + 1
    columns, rows = np.zeros(len(found), np.int64), np.zeros(len(found), np.int64)
    for _ in range(6):
        letter = content[found] & 0xDF
        more = (letter >= ord("A")) & (letter <= ord("Z"))
        columns = np.where(more, columns * 26 + letter - 64, columns)
        found = found + more
    for _ in range(10):
        digit = content[found]
        more = (digit >= ord("0")) & (digit <= ord("9"))
        rows = np.where(more, rows * 10 + digit - 48, rows)
        found = found + more
    # Other names end with r, such as the prefix of ``xmlns:r="http…"``.
    return columns[rows > 0], rows[rows > 0]


def _column(letters: bytes) -> int:
    """Return the number of a column from 1; 0 for no letters.

    >>> _column(b"A"), _column(b"AB"), _column(b"XFD")
    (1, 28, 16384)
    """
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _errors(parts: dict[str, bytes]) -> Errors:
    """Return the cells with errors, which the library leaves empty."""
    found: Errors = {}
    for name, part in _sheets(parts).items():
        content = parts.get(part, b"")
        cells = _ERROR.findall(content) if b't="e"' in content or b"t='e'" in content else ()
        if cells:
            found[name] = {
                (int(row) - 1, _column(letters.upper()) - 1): text.decode("utf-8", "replace") for letters, row, text in cells
            }
    return found


def _sheets(parts: dict[str, bytes]) -> dict[str, str]:
    """Return the part of each sheet by its name; none where they are not where they usually are."""
    try:
        relations = ElementTree.fromstring(parts["xl/_rels/workbook.xml.rels"])
        target = {each.get("Id"): each.get("Target", "") for each in relations}
        book = ElementTree.fromstring(parts["xl/workbook.xml"])
        named = [
            (each.get("name", ""), target[each.get(f"{_RELATIONS}id")]) for each in book.iter() if each.tag.endswith("}sheet")
        ]
    except (KeyError, ElementTree.ParseError):
        return {}
    return {name: normpath(path[1:] if path.startswith("/") else f"xl/{path}") for name, path in named}
