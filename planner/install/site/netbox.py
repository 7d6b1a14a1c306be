"""Changes for NetBox: cables that the crews have connected, and devices that they have installed, since the plan was imported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from planner.core import delimited
from planner.core.errors import InputError, Problem
from planner.core.spreadsheet import Writer
from planner.core.storage import replacing
from planner.domain.model import Plan
from planner.formats.netbox import built_devices, connected_cables
from planner.install.site.board import Board
from planner.install.site.devices import DeviceStatus
from planner.install.site.fields import AS_PLANNED
from planner.install.site.status import Status

_UPDATE = ("status", "length", "length_unit", "comments")
"""Columns of an update; others stay as they are in NetBox."""

_SERIAL = 50
"""Maximum number of characters of a serial number in NetBox."""

_UPDATE_DEVICE = ("status", "serial", "asset_tag", "comments")

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
    known = _ids(ids, "label", "--netbox-ids") if ids is not None else None
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
    _write(path, columns if known is None else ("id", *_UPDATE), written)
    return len(written), sorted(set(left_out))


def write_device_changes(
    board: Board, plan: Plan, path: Path, *, ids: Path | None = None, site: str | None = None
) -> tuple[int, list[str]]:
    """Write the devices about which something was recorded as CSV for NetBox' bulk import.

    Devices of the plan that share a box are one device in NetBox: it has the first serial number and asset tag of them.

    Parameters
    ----------
    ids
        NetBox' own export of its devices as CSV, with the columns ``id`` and ``name``: the file then updates these devices.
        Without it, the rows make new devices.

    Returns
    -------
    tuple
        Number of rows, and names of devices that are left out, since they have no id.
    """
    (columns, rows), inside = built_devices(plan, site=site)
    known = _ids(ids, "name", "--netbox-device-ids") if ids is not None else None
    written: list[Sequence[Any]] = []
    left_out: list[str] = []
    for cells in rows:
        name = cells[0]
        own = [found for device in inside[name] if (found := board.devices.get(device)) is not None]
        if not any(each.installed or each.serial or each.asset_tag for each in own):
            continue
        row = dict(zip(columns, cells, strict=True)) | _as_built(own)
        if known is None:
            written.append([row[column] for column in (*columns, *_UPDATE_DEVICE[1:])])
        elif name in known:
            written.append([known[name], *(row[column] for column in _UPDATE_DEVICE)])
        else:
            left_out.append(name)
    _write(path, (*columns, *_UPDATE_DEVICE[1:]) if known is None else ("id", *_UPDATE_DEVICE), written)
    return len(written), left_out


def _as_built(own: Sequence[DeviceStatus]) -> dict[str, str]:
    """Return the fields of a device in NetBox from what was recorded about the devices in its box."""
    return {
        "status": "active" if own and all(each.installed for each in own) else "planned",
        "serial": next((each.serial[:_SERIAL] for each in own if each.serial), ""),
        "asset_tag": next((each.asset_tag for each in own if each.asset_tag), ""),
        "comments": "; ".join(text for each in own for text in each.remarks),
    }


def _write(path: Path, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        out = Writer(file)
        out.writerow(columns)
        out.writerows(rows)


def _changed(columns: Sequence[str], rows: Any, status_of: Mapping[int, Status], left_out: list[int]) -> Iterator[dict[str, Any]]:
    for cells in rows:
        row = dict(zip(columns, cells, strict=True))
        number = int(re.match(r"cable (\d+)", row["comments"])[1])  # type: ignore[index]  # every cable has it
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


def _ids(path: Path, column: str, option: str) -> dict[str, str]:
    """Return the ids in an export of NetBox by the values of a column."""
    table = delimited.read(path, max_rows=MAX_ENTRIES, key=option)
    table.header = tuple(map(str.lower, table.header))
    table.require(("id", column), "export all data from NetBox as CSV")
    found: dict[str, str] = {}
    for line, row in table.records():
        number = row["id"]
        if not (number.isascii() and number.isdigit() and len(number) < 19):
            raise InputError(Problem("id", f"{number[:40]!r} is not a number", "export it again", str(path), line))
        found[row[column]] = number
    return found
