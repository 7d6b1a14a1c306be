"""What is in a room already: read from the study, from workbooks of other plans and from exports of NetBox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le, Predicate

from planner.core.errors import InputError, Problem, suggestion
from planner.core.names import is_name
from planner.core.section import collected
from planner.domain.model import WHOLE, Equipment, Existing, FixedDevice, KeepFree, Room
from planner.domain.parts import Name, Positive
from planner.domain.parts.row import Share
from planner.hall.floor.existing import netbox
from planner.hall.floor.existing.found import Found, joined

Watts = Annotated[float, Ge(0), Le(1e9)]
Kilograms = Annotated[float, Ge(0), Le(1e6)]

MAX_UNIT = 1000
"""Maximum number of a rack unit."""

_DEFAULT, _SEGMENT = "default", "segment "

_ENDINGS = (".xlsx", ".csv")


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A cabinet of others, or equipment of others in a cabinet that the plan may use otherwise.

    Parameters
    ----------
    cabinet
        Name of its slot, as on the floor sheet, or a list of names.
    units
        Rack units that it takes, such as ``"1-8"`` or ``"40"``; by default the whole cabinet.
    name
        Name in drawings and tables.
    power_w
        Its maximum power in watts, part of that of slot and zones.
    mass_kg
        Its mass in kilograms, part of the load on the floor; of a whole cabinet with the cabinet.
    """

    __pydantic_config__ = {"extra": "forbid", "allow_inf_nan": False}

    cabinet: Name | tuple[Name, ...]
    units: str = ""
    name: Annotated[str, Predicate(is_name)] = ""
    power_w: Watts = 0.0
    mass_kg: Kilograms = 0.0

    @property
    def cabinets(self) -> tuple[str, ...]:
        return (self.cabinet,) if isinstance(self.cabinet, str) else self.cabinet


@dataclass(frozen=True, kw_only=True)
class Spot:
    """Place of a device: its cabinet and its lowest rack unit."""

    __pydantic_config__ = {"extra": "forbid"}

    cabinet: Name
    unit: Annotated[int, Ge(1), Le(MAX_UNIT)]


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What is in the room already, and the reserve for growth, see [existing equipment](method/existing.md).

    Parameters
    ----------
    taken
        Cabinets and rack units that equipment of others takes: ``{ cabinet, units, name, power_w, mass_kg }``.
    taken_from
        Files that state more of it: workbooks of other plans in this room, and CSV exports of NetBox.
    fixed
        Devices of the plan that must not move: name of the device and ``{ cabinet, unit }``.
    fixed_from
        Files with places of devices, as for `taken_from`: devices with the names of those of the plan must not move.
    trays
        Share of the design fill in use, by name of the tray, ``"segment 12"`` for one segment, ``default`` for all others.
    trays_mm2
        Cross-section of cables in trays in mm², by the same names.
    power_w
        Power in use in watts, by name of a slot or of a zone with a limit, such as ``"whole room"``.
    keep_free
        Share of slots, ports and trays to keep free for growth, or a table with a share for each.
    """

    __pydantic_config__ = {"extra": "forbid", "allow_inf_nan": False}

    taken: tuple[Taken, ...] = ()
    taken_from: tuple[Path, ...] = ()
    fixed: dict[str, Spot] = field(default_factory=dict)
    fixed_from: tuple[Path, ...] = ()
    trays: dict[str, Share] = field(default_factory=dict)
    trays_mm2: dict[str, Positive] = field(default_factory=dict)
    power_w: dict[str, Watts] = field(default_factory=dict)
    keep_free: Share | KeepFree = 0.0


def with_existing(room: Room, given: Contents) -> Room:
    """Return a room with what is in it already.

    Raises
    ------
    InputError
        With all problems: cabinets, trays and zones that the room does not have, units that are none, equipment outside the
        room, files that cannot be read or belong to another room. Places are keys of the table ``existing``.
    """
    problems: list[Problem] = []
    slots = {name: number for number, name in enumerate(room.slot_names)}
    equipment = [*_equipment(given, room, slots, problems), *_power(given, room, slots, problems)]
    zone_mw = [round(1000 * given.power_w.get(zone.name, 0)) for zone in room.zones]
    found = [_read(given, key, room, problems) for key in ("taken_from", "fixed_from")]
    tray_um2 = _cross_sections(given.trays, given.trays_mm2, found[0].tray_um2, room, problems)
    fixed = _fixed(given, found[1], slots, room, problems)
    if problems:
        raise InputError(problems).located(section="existing")
    keep = given.keep_free
    return replace(
        room,
        existing=Existing(
            equipment=tuple(sorted((*equipment, *found[0].equipment), key=lambda each: (each.slot, each.low_unit, each.name))),
            tray_um2=tray_um2,
            zone_mw=tuple(zone_mw) if any(zone_mw) else (),
            fixed=fixed,
            keep_free=keep if isinstance(keep, KeepFree) else KeepFree(slots=keep, ports=keep, trays=keep),
        ),
    )


def _equipment(given: Contents, room: Room, slots: dict[str, int], problems: list[Problem]) -> Iterator[Equipment]:
    for number, entry in enumerate(given.taken):
        place = f"taken.{number}"
        low, units = 0, 0
        if entry.units:
            with collected(problems, place):
                low, units = _span(entry.units)
        for name in entry.cabinets:
            if name not in slots:
                problems.append(_no_slot(f"{place}.cabinet", name, room))
                continue
            kind = "units" if entry.units else WHOLE
            figures = round(1000 * entry.power_w), round(1000 * entry.mass_kg)
            yield Equipment(kind, entry.name or "in use", slots[name], low, units, *figures)


def _span(text: str) -> tuple[int, int]:
    """Return the lowest unit and the number of units of a text such as ``1-8``."""
    first, dash, last = (part.strip() for part in text.partition("-"))
    last = last if dash else first
    whole = all(part.isascii() and part.isdigit() and len(part) <= 4 for part in (first, last))
    if not whole or not 1 <= int(first) <= int(last) <= MAX_UNIT:
        remedy = 'write the lowest and the highest unit, such as "1-8", or one unit'
        raise InputError(Problem("units", f"{text!r} does not name rack units", remedy))
    return int(first), int(last) - int(first) + 1


def _power(given: Contents, room: Room, slots: dict[str, int], problems: list[Problem]) -> Iterator[Equipment]:
    """Yield the power in use of single slots, and check the names of zones."""
    zones = [zone.name for zone in room.zones]
    for name, watts in given.power_w.items():
        if name in slots:
            yield Equipment("power", "power in use", slots[name], power_mw=round(1000 * watts))
        elif name not in zones:
            remedy = f"name a slot, or a zone with a limit: {', '.join(zones) or 'the room has none'}"
            problems.append(Problem(f"power_w.{name}", f"{name!r} is neither a slot nor a zone of {room.name}", remedy))


def _read(given: Contents, key: str, room: Room, problems: list[Problem]) -> Found:
    """Return what the files of a key state."""
    with collected(problems, key):
        return _found_in(getattr(given, key), room, taken=key == "taken_from")
    return Found()


def _fixed(given: Contents, found: Found, slots: dict[str, int], room: Room, problems: list[Problem]) -> tuple[FixedDevice, ...]:
    """Return the devices that must not move; those of the study have priority over those of files."""
    places = {each.name: each for each in found.devices}
    for name, spot in given.fixed.items():
        if spot.cabinet not in slots:
            problems.append(_no_slot(f"fixed.{name}.cabinet", spot.cabinet, room))
            continue
        places[name] = FixedDevice(name, slots[spot.cabinet], spot.unit)
    return tuple(places[name] for name in sorted(places))


def _no_slot(place: str, name: str, room: Room) -> Problem:
    return Problem(place, f"{name!r} is not a slot of {room.name}", suggestion(name, room.slot_names))


def _cross_sections(
    shares: Mapping[str, float], mm2: Mapping[str, int], cables_um2: np.ndarray | None, room: Room, problems: list[Problem]
) -> tuple[int, ...]:
    """Return the cross-section in use of each tray segment in µm²; empty if no segment is in use.

    Parameters
    ----------
    shares, mm2
        Shares of the design fill, and cross-sections in mm², by name of the tray, ``segment 12`` or ``default``. In each
        table the entry of a segment has priority over that of its tray, and a cross-section over a share.
    cables_um2
        Cross-section of the cables of other plans in each segment, in addition, int64 (K,).
    problems
        Receives names that the room does not have.
    """
    tables = ((shares, "trays"), (mm2, "trays_mm2"))
    problems += [problem for table, key in tables for name in table if (problem := _unknown(name, key, room)) is not None]
    used = np.zeros(len(room.segments), np.int64) if cables_um2 is None else cables_um2.copy()
    trays = np.array(room.tray_names)[room.segment_tray] if len(room.segments) else np.zeros(0, str)
    for number, (tray, area_mm2) in enumerate(zip(trays.tolist(), room.segment_mm2.tolist(), strict=True), 1):
        names = (f"{_SEGMENT}{number}", tray, _DEFAULT)
        stated = next((mm2[name] * 1_000_000 for name in names if name in mm2), None)
        share = next((shares[name] for name in names if name in shares), 0.0)
        used[number - 1] += round(share * room.design_fill * area_mm2 * 1_000_000) if stated is None else stated
    return tuple(used.tolist()) if used.any() else ()


def _unknown(name: str, key: str, room: Room) -> Problem | None:
    """Return the problem of a name that is no tray of the room."""
    number = name.removeprefix(_SEGMENT)
    if name == _DEFAULT or name in room.tray_names:
        return None
    if name.startswith(_SEGMENT) and number.isascii() and number.isdigit() and len(number) < 9:
        if 1 <= int(number) <= len(room.segments):
            return None
        return Problem(f"{key}.{name}", f"{room.name} has no tray segment {number}", f"use 1 to {len(room.segments)}")
    return Problem(f"{key}.{name}", f"{name!r} is not a tray of {room.name}", suggestion(name, (_DEFAULT, *room.tray_names)))


def _found_in(files: Sequence[Path], room: Room, *, taken: bool) -> Found:
    """Return what files state together.

    Parameters
    ----------
    taken
        Whether equipment takes space and cables fill trays; otherwise only the places of devices are read.

    Raises
    ------
    InputError
        With the problems of all files.
    """
    problems: list[Problem] = []
    found: list[Found] = []
    for number, file in enumerate(files):
        if file.suffix.lower() not in _ENDINGS:
            message = f"{file.name} is neither a workbook (.xlsx) nor a CSV export of NetBox (.csv)"
            problems.append(Problem(str(number), message, "give one of them"))
    for file in (file for file in files if file.suffix.lower() == ".xlsx"):
        # Reading workbooks loads all tables of reports.
        from planner.hall.floor.existing import plans

        with collected(problems):
            found.append(plans.read(file, room, taken=taken))
    with collected(problems):
        found.append(netbox.read([file for file in files if file.suffix.lower() == ".csv"], room))
    if problems:
        raise InputError(problems)
    return joined(found)
