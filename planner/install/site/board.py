"""The board: statuses of all cables of a plan, kept up to date with a journal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from typing import NamedTuple

from planner.install.site.cables import Site
from planner.install.site.carry import Carried, Carry
from planner.install.site.devices import DeviceStatus, of_device
from planner.install.site.journal import Journal, Register
from planner.install.site.status import Status, of_cable

_SWAPPED = {"a": "b", "b": "a"}


class Unmatched(NamedTuple):
    """Values recorded for a cable that were not carried over, its number at the time (0: unknown), and the reason."""

    target: str
    number: int
    reason: str
    registers: tuple[Register, ...]


class Relabeled(NamedTuple):
    """A cable with work done under other labels: labels as installed, and as planned now."""

    number: int
    installed: tuple[str, str]
    planned: tuple[str, str]


class Board:
    """Statuses of all cables of a plan.

    Values that were recorded under an older revision are carried over, see `planner.install.site.carry.Carry`.

    Parameters
    ----------
    site
        The plan; it is registered in the journal as soon as that can be written.

    Attributes
    ----------
    statuses
        By number of the cable.
    devices
        Statuses of devices by name, of those about which something was recorded.
    unmatched
        What was not carried over, by key.
    relabeled
        Cables that need other labels, by number.
    seq
        Sequence number of the last event that the board knows.
    mark
        Mark of the events up to `seq`, see `planner.install.site.journal.Journal.has`.
    seen
        Clock up to which the board is complete: events written with its knowledge have it as `seen`.
    """

    def __init__(self, journal: Journal, site: Site):
        self.journal, self.site = journal, site
        self._is_registered = False
        self.statuses = {number: of_cable(cable, ()) for number, cable in site.cables.items()}
        self.devices: dict[str, DeviceStatus] = {}
        self.unmatched: dict[str, Unmatched] = {}
        self.relabeled: dict[int, Relabeled] = {}
        self.seen = self.seq = 0
        self.mark = ""
        self._carry = Carry(journal, site)
        self._values: defaultdict[int, dict[str, list[tuple[Register, str, int]]]] = defaultdict(dict)
        self._cables_of: dict[str, set[int]] = {}
        self.refresh()

    def refresh(self) -> set[int]:
        """Take what was recorded since the last time; return the numbers of the cables that it is about."""
        if not self._is_registered:
            # On a disk that is full or write-protected, what was recorded can be read.
            with suppress(OSError):
                self.site.register(self.journal)
                self._is_registered = True
        changes = self.journal.changes(self.seq)
        self.seq, self.seen, self.mark = changes.seq, changes.seen, changes.mark
        touched: set[int] = set()
        for target, registers in groupby(changes.registers, key=lambda each: each.target):
            touched |= self._take(target, list(registers))
        for number in touched:
            values = (each for own in self._values[number].values() for each in own)
            self.statuses[number] = of_cable(self.site.cables[number], values)
            if number in self.relabeled and self._is_labeled(number):
                del self.relabeled[number]
        return touched

    def values_of(self, number: int) -> list[tuple[Register, str, int]]:
        """Return the values of a cable, each with the end and the row that it is about in this revision."""
        return [each for own in self._values.get(number, {}).values() for each in own]

    def changed(self, after: int) -> tuple[set[int], set[str]]:
        """Return the cables and devices that events after a sequence number are about, of those that the board knows."""
        rows = self.journal.query("SELECT DISTINCT target FROM event WHERE seq > ? AND seq <= ?", (after, self.seq))
        targets = [target for (target,) in rows]
        numbers = {number for target in targets for number in self._cables_of.get(target, ())}
        return numbers, {target for target in targets if target in self.devices}

    def _is_labeled(self, number: int) -> bool:
        """Whether both labels were confirmed under this revision."""
        found = [self.statuses[number].values.get(("label_ok", end)) for end in "ab"]
        return all(each is not None and (each.value, each.plan) == ("yes", self.site.revision) for each in found)

    def _take(self, target: str, registers: Sequence[Register]) -> set[int]:
        """Take all values of a key; return the cables that they are about, or were."""
        touched = self._cables_of.pop(target, set())
        for number in touched:
            self._values[number].pop(target, None)
        left: list[tuple[Register, Carried]] = []
        own = [each for each in registers if each.end == "device"]
        if own and target in self.site.devices:
            self.devices[target] = of_device(own)
        elif any(each.value for each in own):
            left += [(each, Carried(None, "the plan has no device of this name")) for each in own]
        for register in registers:
            if register.end == "device":
                continue
            carried = self._carry.over(register)
            if carried.place is None:
                left.append((register, carried))
                continue
            cable, row, turned = carried.place
            end = _SWAPPED.get(register.end, "") if turned else register.end
            self._values[cable.number].setdefault(target, []).append((register, end, row.number))
            self._cables_of.setdefault(target, set()).add(cable.number)
            if carried.installed_labels is not None and register.field in ("pulled", "plugged") and register.value:
                now = row.a.label, row.b.label
                self.relabeled[cable.number] = Relabeled(cable.number, carried.installed_labels, now)
        self.unmatched.pop(target, None)
        if left:
            why = left[0][1]
            self.unmatched[target] = Unmatched(target, why.number, why.reason, tuple(each for each, _ in left))
        return touched | self._cables_of.get(target, set())

    @property
    def remaining(self) -> list[Status]:
        """Cables on which something is left to do, in the order of the work order, or by number without one."""
        left = [status for status in self.statuses.values() if not status.is_done]
        return sorted(left, key=lambda status: (status.cable.task, status.cable.number))
