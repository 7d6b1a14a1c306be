"""CSV exports of NetBox: devices, with heights from them or from an export of device types; racks.

Columns are found by name in any order, as NetBox exports them (``Name``, ``Rack``, ``Position``, ``Type``, ``U Height``) or
imports them (``name``, ``rack``, ``position``, ``device_type``, ``u_height``). Other columns are ignored.

References
----------
.. [1] netbox-community/netbox, netbox/dcim/tables/devices.py, devicetypes.py and racks.py, netbox/dcim/forms/bulk_import.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from planner.core import delimited
from planner.core.errors import InputError, Problem, suggestion
from planner.core.names import fault
from planner.core.section import collected
from planner.domain.model import WHOLE, Equipment, FixedDevice, Room
from planner.hall.floor.existing.found import Found, listed

MAX_ROWS = 1_000_000
"""Maximum number of rows of a file."""

_HIGHEST = 200
"""Maximum height of a device and of a rack, in units."""

_ALIASES = {"type": "device_type", "model": "device_type", "height": "u_height"}
"""Headings in exports of NetBox that differ from the names in its import forms."""


@dataclass(frozen=True)
class Sheet:
    """A file: rows by column, with their lines."""

    path: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str]], ...]

    def problem(self, line: int, place: str, message: str, remedy: str) -> Problem:
        return Problem(place, message, remedy, self.path, line)


def read(files: Sequence[Path], room: Room) -> Found:
    """Return the equipment in the racks of some exports; racks have the names of slots.

    A list of devices takes the units of devices with a position; one without takes none. A list of racks takes whole cabinets.

    Raises
    ------
    InputError
        With all problems of all files: not such an export, racks that are not slots, positions and heights that are none.
    """
    problems: list[Problem] = []
    sheets: list[Sheet] = []
    for path in files:
        with collected(problems):
            sheets.append(_sheet(path))
    heights: dict[str, int] = {}
    for sheet in (sheet for sheet in sheets if "name" not in sheet.columns):
        heights |= dict(_heights(sheet, problems))
    equipment: list[Equipment] = []
    for sheet in sheets:
        if "rack" in sheet.columns:
            equipment += _devices(sheet, heights, room, problems)
        elif "name" in sheet.columns:
            equipment += _racks(sheet, room, problems)
    if problems:
        raise InputError(problems)
    devices = tuple(FixedDevice(each.name, each.slot, each.low_unit, each.source) for each in equipment if each.units)
    return Found(tuple(equipment), None, devices)


def _sheet(path: Path) -> Sheet:
    table = delimited.read(path, max_rows=MAX_ROWS)
    columns = table.header = tuple(map(_column, table.header))
    found = list(table.records())
    cables = {"side_a_device", "device_a"} & set(columns)
    if ("name" in columns and not cables) or {"device_type", "u_height"} <= set(columns):
        return Sheet(str(path), columns, tuple(found))
    message = "is not an export of devices, device types or racks: its first line names neither name and rack nor type and height"
    remedy = "export devices with the columns Name, Rack, Position, Type and U Height; cables of NetBox have no routes, use trays"
    raise InputError(Problem("header", message, remedy, str(path), 1))


def _column(cell: str) -> str:
    name = cell.lower().replace(" ", "_")
    return _ALIASES.get(name, name)


def _heights(sheet: Sheet, problems: list[Problem]) -> Iterator[tuple[str, int]]:
    """Yield the height of each device type."""
    for line, row in sheet.rows:
        with collected(problems):
            yield row.get("device_type", ""), _units(sheet, line, row.get("u_height", ""))


def _units(sheet: Sheet, line: int, text: str) -> int:
    """Return a height in whole units, half units rounded up."""
    return math.ceil(_number(sheet, line, "u_height", text, 0, "export the column U Height, or add an export of device types"))


def _number(sheet: Sheet, line: int, column: str, text: str, low: float, remedy: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not low <= number <= _HIGHEST:
        raise InputError(sheet.problem(line, column, f"{text!r} is not a number of rack units", remedy))
    return number


def _devices(sheet: Sheet, heights: dict[str, int], room: Room, problems: list[Problem]) -> Iterator[Equipment]:
    slots = {name: number for number, name in enumerate(room.slot_names)}
    elsewhere: list[Problem] = []
    for line, row in sheet.rows:
        name, rack, position = (row.get(column, "") for column in ("name", "rack", "position"))
        if not rack or not position:
            continue
        if rack not in slots:
            elsewhere.append(_no_slot(sheet, line, f"the rack {rack!r} of {name}", rack, room))
            continue
        with collected(problems):
            _check_name(sheet, line, name)
            low = math.floor(_number(sheet, line, "position", position, 1, "write its lowest rack unit"))
            known = row.get("u_height") or str(heights.get(row.get("device_type", ""), ""))
            units = _units(sheet, line, known)
            yield Equipment("units", name or row.get("device_type", ""), slots[rack], low, units, source=Path(sheet.path).name)
    problems += listed(elsewhere, "devices in racks that the room does not have")


def _check_name(sheet: Sheet, line: int, name: str) -> None:
    if wrong := fault(name):
        raise InputError(sheet.problem(line, "name", wrong, "remove it"))


def _racks(sheet: Sheet, room: Room, problems: list[Problem]) -> Iterator[Equipment]:
    slots = {name: number for number, name in enumerate(room.slot_names)}
    elsewhere: list[Problem] = []
    for line, row in sheet.rows:
        name = row.get("name", "")
        if name in slots:
            with collected(problems):
                _check_name(sheet, line, row.get("role", ""))
                yield Equipment(WHOLE, row.get("role") or "rack", slots[name], source=Path(sheet.path).name)
        else:
            elsewhere.append(_no_slot(sheet, line, f"the rack {name!r}", name, room))
    problems += listed(elsewhere, "racks that the room does not have")


def _no_slot(sheet: Sheet, line: int, what: str, rack: str, room: Room) -> Problem:
    return sheet.problem(line, "rack", f"{what} is not a slot of {room.name}", suggestion(rack, room.slot_names))
