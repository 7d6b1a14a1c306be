"""Events that are not made on a phone: by scans, workbooks, and the foreman at a terminal."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID, uuid4, uuid5

from planner.core.errors import InputError, Problem
from planner.core.names import fault
from planner.install.site.board import Board
from planner.install.site.event import Event
from planner.install.site.fields import wrong
from planner.install.site.journal import Journal, Receipt

_IMPORTED = UUID("5b2f8c8e-6d0b-4c39-9a53-0d1f7e2a6c11")
"""Name space of the ids of imported values: a file that is imported again has the same ones."""


class Value(NamedTuple):
    """A value to record; where no crew is named, that of the whole file."""

    target: str
    end: str
    field: str
    value: str
    crew: str = ""


def record(board: Board, values: Iterable[Value], *, crew: str, phone: str, source: str = "") -> Receipt:
    """Record values with a clock later than all that is in the journal.

    Parameters
    ----------
    source
        Hash of the file that they come from: values of the same file are recorded once. Empty for new values.

    Raises
    ------
    InputError
        With the values that are out of bounds; nothing is recorded then.
    """
    values = list(values)
    problems = [
        Problem(each.target, reason)
        for each in values
        if (reason := wrong(each.field, each.end, each.value) or (each.crew and fault(each.crew)))
    ]
    if problems:
        raise InputError(problems[:20])
    journal = board.journal
    clock, seen = later(journal), board.seen
    written = time.strftime("%Y-%m-%d %H:%M:%S")
    events = [
        Event(_id(source, each), board.site.revision, each.crew or crew, phone, clock + n, seen, written, *each[:4])
        for n, each in enumerate(values)
    ]
    if source:
        known = {row[0] for row in journal.query("SELECT id FROM event WHERE phone = ?", (phone,))}
        events = [each for each in events if each.id not in known]
    receipt = journal.record(events)
    board.refresh()
    return receipt._replace(known=len(values) - receipt.new)


def later(journal: Journal) -> int:
    """Return a clock that is later than that of every value of the journal."""
    last = journal.query("SELECT coalesce(max(clock), 0) FROM state")[0][0]
    return max(journal.clock, last + 1)


def undo(board: Board, event: str, *, crew: str, phone: str) -> Receipt:
    """Take an event back: record the value that its field had before.

    Raises
    ------
    InputError
        When there is no such event, it only adds an entry, or somebody has recorded another value since.
    """
    found = board.journal.value_before(event)
    if found is None or found[0].item:
        what = "adds an entry, and entries stay" if found else "is not in the journal"
        raise InputError(Problem("undo", f"event {event[:40]} {what}", "record a remark"))
    own, value = found
    last = [each for each in board.journal.history(own.target) if (each.end, each.field) == (own.end, own.field)][-1]
    if last.id != own.id:
        raise InputError(Problem("undo", f"{last.crew} has recorded {last.value!r} since", "record the right value"))
    clock = later(board.journal)
    made = own._replace(
        id=str(uuid4()), plan=board.site.revision, crew=crew, phone=phone, clock=clock, seen=board.seen, value=value,
        undoes=own.id, received=0, written=time.strftime("%Y-%m-%d %H:%M:%S"),
    )  # fmt: skip
    receipt = board.journal.record([made])
    board.refresh()
    return receipt


def _id(source: str, value: Value) -> str:
    return str(uuid5(_IMPORTED, "\x00".join((source, *value[:4])))) if source else str(uuid4())
