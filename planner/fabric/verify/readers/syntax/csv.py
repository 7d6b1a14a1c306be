"""CSV tables of strangers: rows by the names of their columns, in any case and order."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator

from planner.core.delimited import separator
from planner.core.spreadsheet import MAX_ROWS, original
from planner.fabric.verify.readers.syntax.lines import Problems


def header_of(text: str) -> list[str]:
    """Return the names of the columns, in lower case: those of the first line that is no comment."""
    _, _, mark, first = _beginning(text.splitlines())
    return [_name(cell) for cell in first.split(mark)]


def rows(text: str, needed: Collection[str], problems: Problems) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line and cells of each row.

    Missing columns, rows without the needed cells and files that are no CSV are problems.
    """
    lines = text.splitlines()
    skipped, lines, mark, _ = _beginning(lines)
    reader = csv.reader(lines, delimiter=mark)
    try:
        header = [_name(cell) for cell in next(reader, [])]
        if missing := [name for name in needed if name not in header]:
            problems.add(skipped + 1, f"has no column {', '.join(missing)}", "restore the first line")
            return
        last = max(map(header.index, needed), default=0)
        for cells in reader:
            line = reader.line_num + skipped
            if not any(cell.strip() for cell in cells) or cells[0].startswith("#"):
                continue
            if line > MAX_ROWS:
                problems.add(line, f"has more than {MAX_ROWS:,} rows", "give the cables of one fabric")
                return
            if len(cells) <= last:
                problems.add(line, f"has {len(cells)} cells for {len(header)} columns", "restore the row")
                continue
            # People leave empty cells at the end of a row out.
            cells += [""] * (len(header) - len(cells))
            yield line, dict(zip(header, (original(cell.strip())[:1000] for cell in cells), strict=False))
    except csv.Error as error:
        problems.add(reader.line_num + skipped, f"is not CSV: {error}", "give the file as it was written")


def _beginning(lines: list[str]) -> tuple[int, list[str], str, str]:
    """Return the number of lines before the header, the lines from it on, the separator, and the header."""
    for skipped, row in enumerate(lines):
        if row.strip() and (not row.startswith("#") or re.search("[,;\t]", row)) and not row.lower().startswith("sep="):
            return skipped, lines[skipped:], separator(row), row
    return 0, [], ",", ""


def _name(cell: str) -> str:
    return cell.strip().strip('"').lstrip("\ufeff#").removeprefix("Fields:").strip().lower()
