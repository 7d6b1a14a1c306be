"""The workbook of another plan in the same room: its cabinets are taken, its cables fill trays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from planner.errors import InputError, Problem, suggestion
from planner.floor.existing.found import Found, listed
from planner.model import WHOLE, Equipment, FixedDevice, Room
from planner.workbook import Table
from planner.workbook import read as read_workbook

_ROOM = ("a_x_mm", "a_y_mm", "a_z_mm", "b_x_mm", "b_y_mm", "b_z_mm")


def read(path: Path, room: Room, *, taken: bool) -> Found:
    """Return cabinets, tray fill and devices of the plan whose workbook this is.

    Parameters
    ----------
    taken
        Whether cabinets and tray fill are read; otherwise only the places of devices.

    Raises
    ------
    InputError
        When it is not a workbook, is damaged, or belongs to a plan of another room.
    """
    book = read_workbook(path)
    cabinets, trays, name = book.tables["cabinets"], book.tables["trays"], str(book.about.get("title") or path.stem)
    slots = {slot: number for number, slot in enumerate(room.slot_names)}
    problems = [*_elsewhere(cabinets, slots, room, path), *_other_trays(trays, room, path)]
    if problems:
        raise InputError(problems)
    devices = tuple(_devices(book.tables, slots, path.name))
    if not taken:
        return Found(devices=devices)
    equipment = tuple(
        Equipment(WHOLE, name, slots[cabinet], power_mw=power or 0, mass_g=mass or 0, source=path.name)
        for cabinet, power, mass in cabinets.rows("cabinet", "power_max_mw", "floor_g")
    )
    return Found(equipment, np.array([fill or 0 for fill in trays.columns["fill_um2"]], np.int64), devices)


def _devices(tables: dict[str, Table], slots: dict[str, int], source: str) -> Iterator[FixedDevice]:
    """Yield the places of devices: of all where networks have names, otherwise of the routers."""
    sheet, name = (tables["devices"], "device") if "devices" in tables else (tables["routers"], "router")
    for device, cabinet, unit in sheet.rows(name, "cabinet", "rack_unit"):
        if cabinet in slots and unit is not None and unit >= 1:
            yield FixedDevice(device, slots[cabinet], unit, source)


def _elsewhere(cabinets: Table, slots: dict[str, int], room: Room, path: Path) -> Iterator[Problem]:
    """Yield the cabinets that are not in the room."""
    problems = [
        Problem(f"sheet cabinets, row {line}", f"{name!r} is not a slot of {room.name}", suggestion(name, slots), str(path))
        for line, (name,) in zip(cabinets.lines, cabinets.rows("cabinet"), strict=True)
        if name not in slots
    ]
    yield from listed(problems, "cabinets that the room does not have")


def _other_trays(trays: Table, room: Room, path: Path) -> Iterator[Problem]:
    """Yield the problem of tray segments that are not those of the room."""
    own = room.node_xyz[room.segments].reshape(-1, len(_ROOM)).tolist()
    stated = [list(corners) for corners in trays.rows(*_ROOM)]
    remedy = "give the workbook of a plan in the same room"
    if len(stated) != len(own):
        yield Problem("sheet trays", f"has {len(stated)} tray segments, {room.name} has {len(own)}", remedy, str(path))
    elif stated != own:
        first = next(number for number, (one, two) in enumerate(zip(stated, own, strict=True), 1) if one != two)
        yield Problem("sheet trays", f"segment {first} is not where it is in {room.name}", remedy, str(path))
