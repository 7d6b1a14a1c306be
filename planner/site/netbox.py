"""Changes for NetBox: cables that the crews have connected since they were imported as planned."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from planner import reading
from planner.errors import InputError, Problem
from planner.model import Plan
from planner.report.netbox import connected_cables
from planner.site.board import Board
from planner.site.fields import AS_PLANNED
from planner.site.status import Status
from planner.spreadsheet import Writer, original
from planner.storage import replacing

_UPDATE = ("status", "length", "length_unit", "comments")
"""Columns of an update; others stay as they are in NetBox."""

MAX_ENTRIES = 1_000_000


def write_changes(
    board: Board, plan: Plan, path: Path, *, ids: Path | None = None, site: str | None = None
) -> tuple[int, list[int]]:
    """Write the changed cables as CSV for NetBox' bulk import.

    Parameters
    ----------
    ids
        NetBox' own export of its cables as CSV, with the columns ``id`` and ``label``: the file then updates these cables.
        Without it, the rows make new cables, for a NetBox in which only what is built is imported.
    site
        Name of the site, as in the format ``netbox``.

    Returns
    -------
    tuple
        Number of rows, and numbers of connected cables that are left out: in other ports than planned, or without an id.
    """
    columns, rows = connected_cables(plan, site=site)
    known = _ids(ids) if ids is not None else None
    status_of = {row.number: status for status in board.statuses.values() for row in status.cable.rows}
    written: list[Sequence[Any]] = []
    left_out: list[int] = []
    for row in _changed(columns, rows, status_of, left_out):
        if known is None:
            written.append([row[name] for name in columns])
        elif row["label"] in known:
            written.append([known[row["label"]], *(row[name] for name in _UPDATE)])
        else:
            left_out.append(row["number"])
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        out = Writer(file)
        out.writerow(columns if known is None else ("id", *_UPDATE))
        out.writerows(written)
    return len(written), sorted(set(left_out))


def _changed(columns: Sequence[str], rows: Any, status_of: Mapping[int, Status], left_out: list[int]) -> Iterator[dict[str, Any]]:
    for cells in rows:
        row = dict(zip(columns, cells, strict=True))
        number = int(re.match(r"cable (\d+)", row["comments"])[1])  # type: ignore[index]
        status = status_of[number]
        if not status.is_plugged:
            continue
        if any(end is not None and end.value != AS_PLANNED for end in status.ends):
            left_out.append(number)
            continue
        if length := status.value("length_mm"):
            row["length"] = f"{-(-int(length) // 10) / 100:g}"
        serials = {f"serial {end.upper()}".strip(): status.value("serial", end) for end in ("", "a", "b")}
        found = "; ".join(f"{name}: {serial}" for name, serial in serials.items() if serial)
        yield row | {"number": number, "comments": f"{row['comments']}; {found}" if found else row["comments"]}


def _ids(path: Path) -> dict[str, str]:
    """Return the id of each label in an export of NetBox."""
    rows = csv.DictReader(reading.text(path).splitlines(), strict=True)
    try:
        names = {name.strip().lower(): name for name in rows.fieldnames or () if name}
        if missing := [name for name in ("id", "label") if name not in names]:
            message = f"has no column {', '.join(missing)}"
            raise InputError(Problem("--netbox-ids", message, "export all data of the cables from NetBox as CSV", str(path)))
        found: dict[str, str] = {}
        for row in rows:
            number, label = (row[names["id"]] or "").strip(), original((row[names["label"]] or "").strip())
            if not (number.isascii() and number.isdigit() and len(number) < 19):
                remedy = "export the cables again"
                raise InputError(Problem("id", f"{number[:40]!r} is not a number", remedy, str(path), rows.line_num))
            if len(found) >= MAX_ENTRIES:
                raise InputError(Problem("", f"has more than {MAX_ENTRIES:,} rows", "export the cables of the site", str(path)))
            found[label] = number
        return found
    except csv.Error as error:
        raise InputError(Problem("", f"is not CSV: {error}", "export it again", str(path), rows.line_num)) from None
