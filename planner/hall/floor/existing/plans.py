"""The workbook of another plan in the same room: its cabinets are taken, its cables fill trays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.core.names import fault
from planner.core.section import collected
from planner.core.spreadsheet import in_cells, lines_of, opened
from planner.core.units import known, using
from planner.domain.model import WHOLE, Equipment, FixedDevice, Room
from planner.hall.floor.existing.found import Found, listed

_CORNERS = ("a_x_mm", "a_y_mm", "a_z_mm", "b_x_mm", "b_y_mm", "b_z_mm")
_REMEDY = "give the workbook that the report xlsx wrote, with all its rows and columns"


@dataclass(frozen=True)
class Sheet:
    """Some columns of a sheet: text and whole numbers by name, and the line of each row."""

    rows: tuple[tuple[Any, ...], ...] = ()
    lines: tuple[int, ...] = ()

    def by_number(self) -> Sheet:
        """Return the rows in the order of their first column, a number that is left out: users may sort rows."""
        order = sorted(range(len(self.rows)), key=lambda row: self.rows[row][0])
        return Sheet(tuple(self.rows[row][1:] for row in order), tuple(self.lines[row] for row in order))


def read(path: Path, room: Room, *, taken: bool) -> Found:
    """Return cabinets, tray fill and devices of the plan whose workbook this is.

    Parameters
    ----------
    taken
        Whether cabinets and tray fill are read; otherwise only the places of devices.

    Raises
    ------
    InputError
        When it is not a workbook of a plan, is damaged, or belongs to a plan of another room.
    """
    problems: list[Problem] = []
    with closing(opened(path)) as book:
        about = _Book(book, str(path), problems)
        cabinets = about.sheet("cabinets", ("cabinet",), ("power_max_mw", "floor_g"))
        trays = about.sheet("trays", (), ("segment", *_CORNERS, "fill_um2")).by_number()
        name = ("devices", "device") if "devices" in book.sheetnames else ("routers", "router")
        devices = about.sheet(name[0], (name[1], "cabinet"), ("rack_unit",))
    slots = {slot: number for number, slot in enumerate(room.slot_names)}
    if not problems:
        problems += [*_elsewhere(cabinets, slots, room, path), *_other_trays(trays, room, path)]
    if problems:
        raise InputError(problems)
    places = tuple(
        FixedDevice(device, slots[cabinet], unit, path.name)
        for device, cabinet, unit in devices.rows
        if cabinet in slots and unit >= 1
    )
    if not taken:
        return Found(devices=places)
    equipment = tuple(
        Equipment(WHOLE, about.title or path.stem, slots[cabinet], power_mw=power, mass_g=mass, source=path.name)
        for cabinet, power, mass in cabinets.rows
    )
    return Found(equipment, np.array([row[-1] for row in trays.rows], np.int64), places)


class _Book:
    """The sheets of a workbook; their problems are collected."""

    def __init__(self, book: Any, path: str, problems: list[Problem]):
        self._book, self._path, self._problems = book, path, problems
        self._about: dict[Any, Any] = {}
        with collected(problems):
            self._about = {row[0]: row[1] for row in self._lines("plan") if len(row) > 1}
            if wrong := fault(self.title):
                raise InputError(self._problem("plan", 0, f"the title {wrong}"))

    @property
    def title(self) -> str:
        """Title of the plan."""
        return str(self._about.get("title") or "")

    def sheet(self, name: str, texts: tuple[str, ...], numbers: tuple[str, ...]) -> Sheet:
        """Return some columns of a sheet: those with text first."""
        with collected(self._problems):
            return self._sheet(name, texts, numbers)
        return Sheet()

    def _sheet(self, name: str, texts: tuple[str, ...], numbers: tuple[str, ...]) -> Sheet:
        lines = self._lines(name)
        header = next(lines, ())
        # Workbooks of earlier versions have the units of plans.
        with using(known(self._about.get("units"))):
            named = {column: (column, 1) if column in header else in_cells(column) for column in numbers}
        wanted = (*texts, *(column for column, _ in named.values()))
        if lacking := [column for column in wanted if column not in header]:
            raise InputError(self._problem(name, 1, f"the column {lacking[0]} is missing"))
        places = [header.index(column) for column in wanted]
        factors = [factor for _, factor in named.values()]
        # The second line holds the headings.
        next(lines, ())
        rows, numbered = [], []
        for line, cells in enumerate(lines, 3):
            if any(cell not in (None, "") for cell in cells):
                own = [cells[place] if place < len(cells) else None for place in places]
                figures = zip(own[len(texts) :], factors, strict=True)
                rows.append((*map(str, own[: len(texts)]), *(self._number(name, line, *figure) for figure in figures)))
                numbered.append(line)
        written = self._about.get(f"rows: {name}")
        if written != len(rows):
            raise InputError(self._problem(name, 0, f"has {len(rows):,} rows, not {written} as the sheet plan states"))
        return Sheet(tuple(rows), tuple(numbered))

    def _lines(self, name: str) -> Iterator[tuple]:
        if name not in self._book.sheetnames:
            raise InputError(self._problem(name, 0, "is missing"))
        yield from lines_of(self._book[name])

    def _number(self, name: str, line: int, cell: Any, factor: float) -> int:
        if cell in (None, ""):
            return 0
        if isinstance(cell, bool) or not isinstance(cell, int | float) or not abs(cell) * factor <= 1 << 62:
            raise InputError(self._problem(name, line, f"{cell!r} is not a number"))
        if not isclose(cell * factor, round(cell * factor), rel_tol=1e-9, abs_tol=1e-6 if factor > 1 else 0):
            raise InputError(self._problem(name, line, f"{cell!r} has too many decimals"))
        return round(cell * factor)

    def _problem(self, name: str, line: int, message: str) -> Problem:
        return Problem(f"sheet {name}, row {line}" if line else f"sheet {name}", message, _REMEDY, self._path)


def _elsewhere(cabinets: Sheet, slots: dict[str, int], room: Room, path: Path) -> Iterator[Problem]:
    """Yield the cabinets that are not in the room."""
    problems = [
        Problem(f"sheet cabinets, row {line}", f"{row[0]!r} is not a slot of {room.name}", suggestion(row[0], slots), str(path))
        for line, row in zip(cabinets.lines, cabinets.rows, strict=True)
        if row[0] not in slots
    ]
    yield from listed(problems, "cabinets that the room does not have")


def _other_trays(trays: Sheet, room: Room, path: Path) -> Iterator[Problem]:
    """Yield the problem of tray segments that are not those of the room."""
    own = room.node_xyz[room.segments].reshape(-1, len(_CORNERS)).tolist()
    stated = [list(row[: len(_CORNERS)]) for row in trays.rows]
    remedy = "give the workbook of a plan in the same room"
    if len(stated) != len(own):
        yield Problem("sheet trays", f"has {len(stated)} tray segments, {room.name} has {len(own)}", remedy, str(path))
    elif stated != own:
        first = next(number for number, (one, two) in enumerate(zip(stated, own, strict=True), 1) if one != two)
        yield Problem("sheet trays", f"segment {first} is not where it is in {room.name}", remedy, str(path))
