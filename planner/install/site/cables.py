"""The cables of a plan as crews see them: keyed by devices and ports, with the work that each one takes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from planner.core.errors import InputError, Problem
from planner.fabric.baseline import Planned, row_of
from planner.install.site.devices import Device, of_plan
from planner.install.site.journal import Journal
from planner.view.schedule import Connection

_PULL, _PLUG = 60.0, 60.0
"""Work of a cable without a work order: equal shares for pulling and for its plugs. Only ratios matter."""


class Plug(NamedTuple):
    """One plug of a cable: its end, a or b, and the rows of the schedule that it carries."""

    end: str
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Cable:
    """One cable as it is pulled: a row of the schedule, or the rows of a twin-port or splitter cable.

    Attributes
    ----------
    rows
        Its rows of the schedule; the number of the first is that of the cable.
    plugs
        Its plugs: two, or more on a splitter.
    crew, task
        Crew that should install it and its task, from 1; 0 without a work order.
    pull_s, plug_s
        Work to pull it and to plug it in, in seconds of a crew.
    """

    rows: tuple[Connection, ...]
    plugs: tuple[Plug, ...]
    crew: int = 0
    task: int = 0
    pull_s: float = _PULL
    plug_s: float = _PLUG

    @property
    def number(self) -> int:
        return self.rows[0].number

    @property
    def target(self) -> str:
        return key(self.rows[0])

    @property
    def stage(self) -> str:
        return self.rows[0].stage

    @property
    def cabinets(self) -> list[str]:
        """Cabinets at its ends, each once."""
        return list(dict.fromkeys(end.cabinet for row in self.rows for end in row.ends))

    @property
    def floor_rows(self) -> list[str]:
        """Rows of cabinets at its ends, each once."""
        return list(dict.fromkeys(row_of(name) for name in self.cabinets))


def key(row: Connection, *, turned: bool = False) -> str:
    """Return the key of a row: both devices with their ports; never taken apart, only compared."""
    a, b = (row.b, row.a) if turned else row.ends
    return f"{a.device} {a.port} - {b.device} {b.port}"


class Place(NamedTuple):
    """What a key means in a plan: a cable, a row of its schedule, and whether the key names its ends in the other order."""

    cable: Cable
    row: Connection
    turned: bool


@dataclass(frozen=True)
class Site:
    """What is installed by a plan.

    Attributes
    ----------
    revision
        Fingerprint of its rows: equal schedules have equal ones, wherever they were read.
    cables
        Its cables by number.
    work_order
        Whether the plan has one.
    devices
        Its devices by name, those without cables too.
    names
        Names under which codes on labels may have the plan.
    """

    name: str
    revision: str
    cables: Mapping[int, Cable]
    rows: Sequence[Connection]
    work_order: bool = False
    devices: Mapping[str, Device] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, planned: Planned) -> Site:
        """Return the cables of a plan.

        Raises
        ------
        InputError
            When two rows have one key.
        """
        rows = planned.rows
        keys = {key(row): row.number for row in rows}
        if len(keys) < len(rows):
            doubled = [row.number for row in rows if keys[key(row)] != row.number]
            message = f"cables {doubled[0]} and {keys[key(rows[doubled[0] - 1])]} have the same devices and ports in their names"
            raise InputError(Problem("", message, "rename a device", str(planned.path)))
        text = "\n".join(repr(tuple(row)) for row in rows)
        revision = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        pieces: dict[int, list[Connection]] = {}
        for row in rows:
            pieces.setdefault(row.piece, []).append(row)
        work = _Work.of(planned)
        cables = {own[0].number: _cable(own, work) for own in pieces.values()}
        names = (planned.path.stem, *(() if planned.plan is None else (planned.plan.name,)))
        return cls(planned.path.name, revision, cables, rows, work.known, of_plan(planned), names)

    @cached_property
    def _places(self) -> dict[str, Place]:
        found = {}
        for cable in self.cables.values():
            for row in cable.rows:
                found[key(row, turned=True)] = Place(cable, row, True)
        # A row between two ports of one device may be the turned key of another.
        for cable in self.cables.values():
            for row in cable.rows:
                found[key(row)] = Place(cable, row, False)
        return found

    def place(self, target: str) -> Place | None:
        """Return what a key means; None if the plan has no such cable."""
        return self._places.get(target)

    @cached_property
    def by_number(self) -> dict[int, Connection]:
        """Rows by their numbers."""
        return {row.number: row for row in self.rows}

    @cached_property
    def by_labels(self) -> dict[tuple[str, str], Connection | None]:
        """Row of each pair of labels; None where several have it."""
        found: dict[tuple[str, str], Connection | None] = {}
        for row in self.rows:
            pair = row.a.label, row.b.label
            found[pair] = None if pair in found else row
        found.pop(("", ""), None)
        return found

    def register(self, journal: Journal, *, by: str = "terminal") -> bool:
        """Note this revision and its cables in the journal; return whether it is a new one."""
        if journal.query("SELECT 1 FROM plan WHERE id = ?", (self.revision,)):
            return False
        rows = ((self.revision, key(row), row.number, row.a.label, row.b.label, row.part, row.stock_mm) for row in self.rows)
        journal.write(by, f"cables of plan {self.revision}", "INSERT OR IGNORE INTO cable VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        plan = (self.revision, journal.clock, self.name[:200])
        journal.write(by, f"plan {self.revision}, {self.name[:200]}", "INSERT OR IGNORE INTO plan VALUES (?, ?, ?)", [plan])
        return True


class _Work(NamedTuple):
    """Crew, task, and seconds to pull and to plug in, by row; empty without a work order."""

    of_row: dict[int, tuple[int, int, float, float]]

    @property
    def known(self) -> bool:
        return bool(self.of_row)

    @classmethod
    def of(cls, planned: Planned) -> _Work:
        order = planned.plan.work if planned.plan is not None else None
        if order is None:
            return cls({})
        pieces: dict[int, set[int]] = {}
        for row, task in zip(planned.rows, order.task.tolist(), strict=True):
            pieces.setdefault(task, set()).add(row.piece)
        found = {}
        for row, task in zip(planned.rows, order.task.tolist(), strict=True):
            pull_s, *others = (order.person_s[task] / order.workers / len(pieces[task])).tolist()
            found[row.number] = (int(order.crew[task]) + 1, task + 1, pull_s, sum(others))
        return cls(found)


def _cable(rows: Sequence[Connection], work: _Work) -> Cable:
    plugs = tuple(_plugs(rows))
    return Cable(tuple(rows), plugs, *work.of_row.get(rows[0].number, ()))


def _plugs(rows: Sequence[Connection]) -> Iterator[Plug]:
    """Yield the plugs of a cable: rows in one cage share a plug."""
    for side, end in enumerate("ab"):
        cages: dict[tuple[str, str], list[int]] = {}
        for row in rows:
            own = row.ends[side]
            cages.setdefault((own.device, own.cage if len(rows) > 1 else own.printed), []).append(row.number)
        yield from (Plug(end, tuple(numbers)) for numbers in cages.values())
