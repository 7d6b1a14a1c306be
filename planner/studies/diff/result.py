"""Records of a difference of two plans."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from planner.domain.model import BillLine
from planner.fabric.baseline import Planned
from planner.view.schedule import ADDED, REMOVED, Connection, Difference, End

STEPS = {
    "unplug": "Plugs to pull out",
    "take out": "Cables to take out",
    "devices": "Devices to take out, to move, to rename and to put in",
    "re-plug": "Plugs that go to another port",
    "lay": "Cables to pull in",
    "plug": "Plugs to put in",
    "label": "Labels to exchange",
}
"""Steps of the work order, in the order of work, with their titles."""


class Reuse(NamedTuple):
    """A removed cable that serves as an added one: the first rows of both, and the maximum run length of the added one."""

    old: Connection
    new: Connection
    need_mm: int


class Action(NamedTuple):
    """One thing to do.

    Attributes
    ----------
    step
        Key of `STEPS`.
    cabinet, unit, device, port
        Where; `unit` 0 is upright or no unit.
    text
        What to do, in addition to the step and the place.
    label
        Text of the label on the plug, or of the new one.
    row
        Row of the cable: of the old plan where it is unplugged or taken out, else of the new one. None for devices.
    plugs
        Number of plugs that are taken out, and put in.
    """

    step: str
    cabinet: str
    unit: int
    device: str
    port: str = ""
    text: str = ""
    label: str = ""
    row: Connection | None = None
    plugs: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class ChangeBill:
    """What the change costs at the prices of the new plan.

    Attributes
    ----------
    lines
        What is bought, and labor; as on the bill.
    removed
        What is left over: catalog row, description, stock length in mm, and quantity.
    labor_s
        Person-seconds of the change; None where the labor rates have no times.
    unpriced
        Catalog rows that the bill of the new plan does not price, with their quantities.
    """

    currency: str
    lines: Sequence[BillLine]
    removed: Sequence[tuple[str, str, int, int]]
    labor_s: int | None
    unpriced: Sequence[tuple[str, int]] = ()

    @property
    def cents(self) -> int:
        return sum(line.cents for line in self.lines)


@dataclass(frozen=True)
class Comparison:
    """The difference of two plans, and what follows from it.

    Attributes
    ----------
    old, new
        The plans.
    found
        What becomes of every device and every cable.
    reuse
        Removed cables that serve as added ones.
    actions
        Work order of the change.
    bill
        Price of the change; None where one of the plans is a schedule, or has no bill.
    notes
        What to know about the comparison.
    """

    old: Planned
    new: Planned
    found: Difference
    reuse: Sequence[Reuse] = ()
    actions: Sequence[Action] = ()
    bill: ChangeBill | None = None
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Pieces:
    """Cables as bought: rows by the piece that they belong to, of both plans."""

    found: Difference

    @cached_property
    def removed(self) -> list[list[Connection]]:
        """Rows of each old cable of which no row stays."""
        rows = [(each.old, each.kind == REMOVED) for each in self.found.cables if each.old is not None]
        return _whole(rows)

    @cached_property
    def added(self) -> list[list[Connection]]:
        """Rows of each new cable of which no row was there before."""
        rows = [(each.new, each.kind == ADDED) for each in self.found.cables if each.new is not None]
        return _whole(rows)

    @cached_property
    def staying(self) -> set[tuple[int, str, str]]:
        """Plugs of old cables that other rows of the same cable keep in place: piece, device, cage."""
        kept = (each.old for each in self.found.cables if each.kind != REMOVED and each.old is not None)
        return {plug_of(row, end) for row in kept for end in row.ends}

    @cached_property
    def present(self) -> set[tuple[int, str, str]]:
        """Plugs of new cables that are there before: piece, device, cage."""
        kept = (each.new for each in self.found.cables if each.kind != ADDED and each.new is not None)
        return {plug_of(row, end) for row in kept for end in row.ends}


def is_over_panels(row: Connection) -> bool:
    """Return whether a connection runs over patch panels: it has jumpers, and its trunk serves others too."""
    return bool(row.trunk or row.a.panel or row.b.panel)


def plug_of(row: Connection, end: End) -> tuple[int, str, str]:
    """Return what identifies a plug: rows of a splitter or twin-port cable share plugs."""
    return row.piece, end.device, end.cage


def _whole(rows: Iterable[tuple[Connection, bool]]) -> list[list[Connection]]:
    """Return the rows of each piece all of whose rows are marked, in the order of their first rows."""
    own: dict[int, list[tuple[Connection, bool]]] = defaultdict(list)
    for row, marked in rows:
        own[row.piece].append((row, marked))
    found = [sorted(row for row, _ in group) for group in own.values() if all(marked for _, marked in group)]
    return sorted(found, key=lambda group: group[0].number)
