"""Given layouts of routers, read from a table."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from planner.core import delimited
from planner.core.errors import InputError, Problem, suggestion
from planner.domain.model import FixedDevice, Room, Topology

_YES = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False, "": False}


@dataclass(frozen=True, eq=False)
class Layout:
    """Slots of some or all routers.

    Attributes
    ----------
    slot
        Slot of each router, int64 (R,); -1 if unknown.
    fixed
        Routers that must stay in their slot, bool (R,).
    """

    slot: np.ndarray
    fixed: np.ndarray


def read(path: str | Path, topology: Topology, room: Room) -> Layout:
    """Read a layout from a table of comma- or semicolon-separated text with a header.

    Columns `router` (its number, or its name as in reports, such as ``R0012``), `slot` (a slot's name) and
    optionally `fixed` (yes, no, true, false, 1 or 0). Other columns are ignored. A column `device` in place of `router` may
    also have other devices, which are ignored, as in the table of `planner.design.placement.given`. A cable schedule
    written by `planner.formats.csv` is also accepted; it contains the locations of the routers of a finished plan.

    Raises
    ------
    InputError
        With all problems and their lines: unknown routers and slots, routers that occur twice, missing
        columns and cells.
    """
    table = lines(Path(path))
    problems: list[Problem] = []
    slot = np.full(topology.router_count, -1)
    fixed = np.zeros(topology.router_count, bool)
    seen: dict[int, int] = {}
    numbers = {name: number for number, name in enumerate(room.slot_names)}
    schedule = {"a_device", "a_cabinet", "b_device", "b_cabinet"} <= set(table[0][1]) and "router" not in table[0][1]
    routers = _Routers(topology)
    entries = _schedule(table, routers) if schedule else _table(table, str(path), routers)
    for line, name, place, word in entries:
        wrong = [
            *routers.problems(name),
            *([] if place in numbers else [Problem(f"slot {place}" if place else "slot", *_no_slot(place, room))]),
            *([] if word in _YES else [Problem("fixed", f"{word!r} is neither yes nor no", "write yes or no")]),
        ]
        router = routers.find(name)
        if not wrong and router is not None:
            if router in seen and not (schedule and slot[router] == numbers[place]):
                wrong = [Problem(f"router {name}", f"is also in line {seen[router]}", "remove one of the two lines")]
            else:
                seen.setdefault(router, line)
                slot[router], fixed[router] = numbers[place], _YES[word]
        problems += [Problem(p.place, p.message, p.remedy, str(path), line) for p in wrong]
    if problems:
        raise InputError(problems)
    return Layout(slot, fixed)


def lines(path: Path) -> list[tuple[int, list[str]]]:
    """Return nonempty lines with their numbers; cells are stripped, the header is in lower case."""
    table = delimited.read(path)
    if not table.header:
        raise InputError(Problem("", "is empty", "add a header and a line for each router", str(path)))
    return [(table.line, [name.lower() for name in table.header]), *table.rows()]


def _table(lines: list[tuple[int, list[str]]], path: str, routers: _Routers) -> Iterator[tuple[int, str, str, str]]:
    """Yield line, router, slot and the value of fixed."""
    number, header = lines[0]
    if "device" in header and "router" not in header:
        # A table of the places of all devices: those of routers.
        header = ["router" if name == "device" else name for name in header]
        lines = [
            lines[0],
            *(line for line in lines[1:] if routers.find(dict(zip(header, line[1], strict=False))["router"]) is not None),
        ]
    missing = [name for name in ("router", "slot") if name not in header]
    if missing:
        message = f"there is no column {' and no column '.join(missing)}"
        raise InputError(Problem("header", message, "the first line names the columns: router, slot, fixed", path, number))
    for line, cells in lines[1:]:
        row = dict(zip(header, cells, strict=False))
        yield line, row.get("router", ""), row.get("slot", ""), row.get("fixed", "").lower()


def _schedule(lines: list[tuple[int, list[str]]], routers: _Routers) -> Iterator[tuple[int, str, str, str]]:
    """Yield the routers at the ends of cables, once per cable."""
    header = lines[0][1]
    for line, cells in lines[1:]:
        row = dict(zip(header, cells, strict=False))
        for end in "ab":
            name = row.get(f"{end}_device", "")
            if name in routers.named or not (routers.named or name.upper().startswith("E")):
                yield line, name, row.get(f"{end}_cabinet", ""), ""


def with_fixed(layout: Layout | None, topology: Topology, room: Room) -> Layout | None:
    """Return a layout with the routers that must not move according to the room; None for neither."""
    places = [(router_of(each), each.slot) for each in room.existing.fixed]
    known = [(router, slot) for router, slot in places if router is not None and router < topology.router_count]
    if not known:
        return layout
    count = topology.router_count
    slot, fixed = (np.full(count, -1), np.zeros(count, bool)) if layout is None else (layout.slot.copy(), layout.fixed.copy())
    routers, slots = np.array(known, np.int64).T
    slot[routers], fixed[routers] = slots, True
    return Layout(slot, fixed)


def router_number(name: str) -> int | None:
    """Return the number of a router of a plan of one network by its number or its name, such as ``R0012``."""
    digits = name[1:] if name[:1] in ("R", "r") else name
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 18 else None


def router_of(device: FixedDevice) -> int | None:
    """Return the number of a router of a plan of one network; None for other devices."""
    number = router_number(device.name)
    return number if number is None or device.number < 0 else device.number


class _Routers:
    """Routers of a plan of one network by their numbers and names."""

    def __init__(self, topology: Topology):
        self.named = {name: number for number, name in enumerate(topology.router_names)}
        self.count = topology.router_count

    def find(self, name: str) -> int | None:
        """Return the number of a router; None for other words."""
        return self.named.get(name, router_number(name))

    def problems(self, name: str) -> Iterator[Problem]:
        """Yield why a name is not that of a router."""
        number = self.find(name)
        if number is None:
            remedy = suggestion(name, self.named) if self.named else "write its number, or a name such as R0012"
            yield Problem(f"router {name}" if name else "router", "is not a router", remedy)
        elif number >= self.count:
            yield Problem(f"router {name}", f"there is no such router in a network of {self.count}", f"use 0 to {self.count - 1}")


def _no_slot(name: str, room: Room) -> tuple[str, str]:
    near = difflib.get_close_matches(name, room.slot_names, n=1) or difflib.get_close_matches(name.upper(), room.slot_names, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return f"is not a slot of {room.name}", f"{hint}(there are {room.slot_names[0]} to {room.slot_names[-1]})"
