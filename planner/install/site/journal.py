"""The journal: an append-only table of events, and their fold, which can be rebuilt from them at any time.

A batch is in the file, flushed to the disk, before its receipt is returned.
"""

from __future__ import annotations

import errno
import sqlite3
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from planner.install.site import checkpoint
from planner.install.site.database import Database
from planner.install.site.event import Event, Refused, of_stranger
from planner.install.site.fields import FIELDS, is_sound
from planner.install.site.quota import Quota

MAX_BATCH = 2000
"""Maximum number of events in a batch."""

MAX_AHEAD_US = 600 * 10**6
"""How far the clock of a phone may be ahead of the server's: a larger one would win over all events of others for that time."""

_PAGE = 10_000
"""Events read at once."""

_EVENT = ", ".join(Event._fields)
_INSERT = f"INSERT OR IGNORE INTO event({_EVENT}) VALUES ({', '.join('?' * len(Event._fields))})"
_STATE = "target, end, field, item, value, clock, phone, id, crew, plan, seen, received"
_LAST_WINS = """
ON CONFLICT(target, end, field, item) DO UPDATE SET
  value = excluded.value, clock = excluded.clock, phone = excluded.phone, id = excluded.id, crew = excluded.crew,
  plan = excluded.plan, seen = excluded.seen, received = excluded.received
WHERE (excluded.clock, excluded.phone, excluded.id) > (state.clock, state.phone, state.id)
"""
_FOLD = f"INSERT INTO state({_STATE}) VALUES ({', '.join('?' * 12)}) {_LAST_WINS}"
_GROWING = ", ".join(f"'{name}'" for name, each in FIELDS.items() if each.grows)
_GROWS = f"CASE WHEN field IN ({_GROWING}) THEN id ELSE '' END"
_REBUILD = f"INSERT INTO state({_STATE}) SELECT {_STATE.replace('item', _GROWS)} FROM event WHERE true {_LAST_WINS}"
_CONFLICTS = """
SELECT e.target, e.end, e.field, e.value, e.crew, e.id, e.clock, s.value, s.crew, s.id, s.clock
FROM event e JOIN state s ON s.target = e.target AND s.end = e.end AND s.field = e.field AND s.item = ''
WHERE e.phone <> s.phone AND e.value <> s.value AND s.seen < e.received
  AND (e.clock, e.phone, e.id) < (s.clock, s.phone, s.id)
  AND NOT EXISTS (SELECT 1 FROM event n WHERE n.target = e.target AND n.end = e.end AND n.field = e.field
    AND n.phone = e.phone AND (n.clock, n.id) > (e.clock, e.id))
ORDER BY e.target, e.end, e.field, e.clock
"""


class Register(NamedTuple):
    """The last value of a field, or one entry of a field that only grows (`item` is then its event)."""

    target: str
    end: str
    field: str
    item: str
    value: str
    clock: int
    phone: str
    id: str
    crew: str
    plan: str
    seen: int
    received: int

    @property
    def order(self) -> tuple[int, str, str]:
        return self.clock, self.phone, self.id

    @property
    def is_sound(self) -> bool:
        """Whether an event can have written it: bytes of a file may be others without that SQLite sees it."""
        kinds = [*map(type, self)]
        return kinds == _KINDS and is_sound(self.field, self.end, self.value)


_KINDS = [int if name in ("clock", "seen", "received") else str for name in Register._fields]


class Changes(NamedTuple):
    """Values of fields, complete up to a sequence number; what is written with their knowledge has this clock as `seen`.

    `mark` identifies the events up to that number, see `Journal.has`.
    """

    seq: int
    seen: int
    registers: list[Register]
    mark: str = ""


class Receipt(NamedTuple):
    """What became of a batch: the server's clock, which the phone adopts when it is ahead; new and known events; those refused.

    New and known events are on the disk: the phone may forget them.
    """

    clock: int
    new: int
    known: int
    refused: tuple[Refused, ...]


class Conflict(NamedTuple):
    """Two phones that recorded different values without knowing of each other; the last one won, both are kept."""

    target: str
    end: str
    field: str
    lost_value: str
    lost_crew: str
    lost_id: str
    lost_clock: int
    value: str
    crew: str
    id: str
    clock: int


@dataclass
class _Batch:
    """Events that wait to be recorded, those refused already, and what became of them."""

    events: Sequence[Event]
    refused: list[Refused]
    keeps_time: bool = False
    receipt: Receipt | None = None
    error: BaseException | None = None


class Journal(Database):
    """The journal in a file, which is made where there is none; see `Database`."""

    def __init__(self, path: Path | str, *, make: bool = True):
        self._clock = 0
        self._waiting: deque[_Batch] = deque()
        self._quota = Quota(self)
        super().__init__(path, make=make)
        # A clock that was set back since must not give numbers before those of the events.
        try:
            last = self.query("SELECT max(received) FROM event")[0][0] or 0
            self.require(isinstance(last, int), "clock")
        except OSError:
            self.close()
            raise
        self._clock = last + 1 if last else 0

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, who: str, what: str, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for every row, with a line of the audit trail, in one transaction."""
        with self.writing() as writer:
            writer.executemany(statement, rows)
            self._note(writer, who, what)

    def _note(self, writer: sqlite3.Connection, who: str, what: str) -> None:
        writer.execute("INSERT INTO audit(at, who, what) VALUES (?, ?, ?)", (time.time_ns() // 1000, who, what))

    def audit(self) -> list[tuple[int, str, str]]:
        """Return the audit trail: time in µs, who, what. Events are their own."""
        return self.query("SELECT at, who, what FROM audit ORDER BY seq")

    @property
    def clock(self) -> int:
        """The server's clock, in µs: its time of day, but never earlier than before; phones do not advance it."""
        with self._lock:
            return max(time.time_ns() // 1000, self._clock)

    @property
    def last(self) -> int:
        """Sequence number of the last event; 0 without."""
        return int(self.query("SELECT coalesce(max(seq), 0) FROM event")[0][0])

    def note(self, who: str, what: str) -> None:
        """Add a line to the audit trail, for what is written elsewhere."""
        with self.writing() as writer:
            self._note(writer, who, what)

    def append(self, batch: Any, *, crew: str, role: str) -> Receipt:
        """Record a batch of events as decoded from JSON; every event is recorded or refused by itself.

        Parameters
        ----------
        batch
            List of mappings, see `planner.install.site.event.of_stranger`.
        crew, role
            Of the access link with which it was sent.
        """
        if not isinstance(batch, list) or len(batch) > MAX_BATCH:
            return Receipt(self.clock, 0, 0, (Refused("", f"is not a list of up to {MAX_BATCH:,} events"),))
        read = [of_stranger(each, crew, role) for each in batch]
        good, beyond = self._quota.within([each for each in read if isinstance(each, Event)], crew)
        try:
            receipt = self._received(_Batch(good, [*(each for each in read if isinstance(each, Refused)), *beyond]))
        except BaseException:
            self._quota.forget(crew)
            raise
        if receipt.refused:
            self._quota.forget(crew)
        return receipt

    def record(self, events: Sequence[Event]) -> Receipt:
        """Record events of our own making or of another journal; those with a time of receipt keep it."""
        return self._received(_Batch(events, [], keeps_time=True))

    def _received(self, batch: _Batch) -> Receipt:
        """Record a batch with all others that wait: they share the flush to the disk, which takes most of the time."""
        self._waiting.append(batch)
        with self._lock:
            if batch.receipt is None and batch.error is None:
                together = [self._waiting.popleft() for _ in range(len(self._waiting))]
                try:
                    with self.writing() as writer:
                        receipts = self._record(writer, together)
                except BaseException as error:
                    for each in together:
                        each.error = error
                    raise
                for each, receipt in zip(together, receipts, strict=True):
                    each.receipt = receipt
        if batch.receipt is None:
            raise OSError(errno.EIO, f"the journal cannot be written: {batch.error}", str(self.path))
        return batch.receipt

    def _record(self, writer: sqlite3.Connection, batches: Sequence[_Batch]) -> list[Receipt]:
        # Another process may have written in between.
        last = writer.execute("SELECT coalesce(max(received), 0) FROM event").fetchone()[0]
        now = self._clock = max(time.time_ns() // 1000, self._clock + 1, last + 1)
        plans = {row[0] for row in writer.execute("SELECT id FROM plan")}
        receipts = []
        for batch in batches:
            new = 0
            refused = list(batch.refused)
            for event in batch.events:
                if event.plan not in plans:
                    refused.append(Refused(event.id, "its plan is not known here: load the plan again"))
                elif event.clock > max(now, event.received) + MAX_AHEAD_US:
                    reason = "its clock is ahead: adopt the server's clock and send it again"
                    refused.append(Refused(event.id, reason, retry=True))
                elif self._add(writer, event._replace(received=(batch.keeps_time and event.received) or now)):
                    new += 1
                elif not self._is_same(writer, event):
                    refused.append(Refused(event.id, "another event has this id"))
            known = len(batch.events) + len(batch.refused) - len(refused) - new
            receipts.append(Receipt(now, new, known, tuple(refused)))
        checkpoint.chain(writer)
        return receipts

    def has(self, seq: int, mark: str) -> bool:
        """Return whether this journal went through a state with this mark; see `planner.install.site.checkpoint`."""
        with self.snapshot() as reader:
            return bool(mark) and checkpoint.mark(reader, seq) == mark

    def _add(self, writer: sqlite3.Connection, event: Event) -> bool:
        if not writer.execute(_INSERT, event).rowcount:
            return False
        e = event
        row = (e.target, e.end, e.field, e.item, e.value, e.clock, e.phone, e.id, e.crew, e.plan, e.seen, e.received)
        writer.execute(_FOLD, row)
        return True

    def _is_same(self, writer: sqlite3.Connection, event: Event) -> bool:
        # A phone that was given another link may send an event of the old one again: it stays that of its first crew.
        found = Event(*writer.execute(f"SELECT {_EVENT} FROM event WHERE id = ?", (event.id,)).fetchone())
        return found == event._replace(received=found.received, crew=found.crew)

    def events(self, after: int = 0) -> Iterator[tuple[int, Event]]:
        """Yield sequence numbers and events in the order of arrival, those after a sequence number."""
        while rows := self.query(f"SELECT seq, {_EVENT} FROM event WHERE seq > ? ORDER BY seq LIMIT ?", (after, _PAGE)):
            for after, *values in rows:
                yield after, self._sound(values)

    def _sound(self, row: Sequence[Any]) -> Event:
        event = Event(*row)
        self.require(event.is_sound, "event")
        return event

    def history(self, target: str) -> list[Event]:
        """Return all events of a cable or device, by their clocks."""
        rows = self.query(f"SELECT {_EVENT} FROM event WHERE target = ? ORDER BY clock, phone, id", (target,))
        return [self._sound(row) for row in rows]

    def registers(self) -> list[Register]:
        """Return the values of all fields."""
        return self.changes().registers

    def changes(self, after: int = 0) -> Changes:
        """Return the values of all fields of the cables and devices that events after a sequence number are about."""
        with self.snapshot() as reader:
            seq, seen = reader.execute("SELECT coalesce(max(seq), 0), coalesce(max(received), 0) FROM event").fetchone()
            where = "WHERE target IN (SELECT target FROM event WHERE seq > ?)" if after else "WHERE ? = 0"
            rows = reader.execute(f"SELECT {_STATE} FROM state {where} ORDER BY target, end, field, item", (after,))
            registers = [Register(*row) for row in rows]
            for each in registers:
                self.require(each.is_sound, "state")
            return Changes(seq, seen, registers, checkpoint.mark(reader, seq))

    def rebuild(self) -> None:
        """Fold all events again, in place of the state."""
        with self.writing() as writer:
            writer.execute("DELETE FROM state")
            writer.execute(_REBUILD)

    def conflicts(self) -> list[Conflict]:
        """Return where two phones recorded different values without knowing of each other, and nobody has decided since."""
        found = [Conflict(*row) for row in self.query(_CONFLICTS)]
        for each in found:
            self.require(None not in each and is_sound(each.field, each.end, each.value), "event")
        return found

    def value_before(self, event: str) -> tuple[Event, str] | None:
        """Return an event, and the value of its field before it: what an undo records. None if there is no such event."""
        found = self.query(f"SELECT {_EVENT} FROM event WHERE id = ?", (event,))
        if not found:
            return None
        own = self._sound(found[0])
        earlier = [
            each for each in self.history(own.target) if (each.end, each.field) == (own.end, own.field) and each.order < own.order
        ]
        return own, earlier[-1].value if earlier else ""
