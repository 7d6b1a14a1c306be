"""What can be read of another journal, damaged or not: its events and photos are taken over as data of strangers."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from planner.core import scratch
from planner.core.errors import InputError, Problem
from planner.install.site import files, photos
from planner.install.site.event import Event
from planner.install.site.journal import Journal, Receipt
from planner.install.site.source import FAULTS, is_damage

MAX_ROWS = 2**26
"""Maximum number of events that are searched for where their number cannot be read."""

_MAX_FAILURES = 20_000
"""Queries that may fail before the rest of a table is given up."""

_CABLE = ("plan", "target", "number", "label_a", "label_b", "part", "stock_mm")
_PHOTO = "INSERT OR IGNORE INTO photo(hash, content, crew) VALUES (?, ?, ?)"


class Rescued(NamedTuple):
    """What became of the events that could be read, the number of photos taken over, and of rows that are lost."""

    receipt: Receipt
    photos: int
    lost: int


def read_journal(journal: Journal, path: Path) -> Rescued:
    """Take over the events and photos of another journal, as far as they can be read and are sound.

    Raises
    ------
    InputError
        When it is the journal itself, or nothing of it can be read; nothing is recorded then.
    """
    if path.resolve() == journal.path.resolve():
        raise InputError(Problem("FILE", "is the journal itself", "name another one", str(path)))
    with scratch.folder() as folder, closing(_opened(path, folder)) as other:
        rows = _Rows(other)
        events = [row for row in rows.checked("event", ("seq", *Event._fields)) if isinstance(row, Event)]
        cables = list(rows.checked("cable", _CABLE, numbered=False))
        plans = list(rows.checked("plan", ("id", "received", "name")))
        kept = list(rows.photos())
    if not (events or plans or kept):
        raise InputError(Problem("FILE", "has nothing of a journal that can be read", "name a copy", str(path)))
    # An event without its plan would be refused: its cable is found by its key.
    stubs = {event.plan: event.received for event in events}
    plans += [(plan, received, "") for plan, received in stubs.items() if plan not in {row[0] for row in plans}]
    receipt = files.take_over(journal, path.name, plans, cables, events)
    if kept:
        journal.write(f"import {path.name[:100]}", f"{len(kept)} photos", _PHOTO, kept)
    return Rescued(receipt, len(kept), rows.lost)


def _opened(path: Path, folder: Path) -> sqlite3.Connection:
    """Return a connection to a copy: opening a file may change it, and this may be all that is left."""
    copy = folder / "journal.db"
    try:
        shutil.copyfile(path, copy)
        log = path.with_name(f"{path.name}-wal")
        if log.exists():
            shutil.copyfile(log, copy.with_name(f"{copy.name}-wal"))
    except OSError as error:
        raise InputError(Problem("FILE", f"cannot be read: {error.strerror}", "name a journal", str(path))) from None
    made = sqlite3.connect(copy, isolation_level=None)
    # A damaged definition of a table or index leaves the others readable.
    made.execute("PRAGMA writable_schema=ON")
    made.text_factory = lambda text: text.decode("utf-8", "replace")
    return made


class _Rows:
    """Rows of a file of which parts cannot be read.

    Attributes
    ----------
    lost
        Rows that cannot be read, as far as their numbers are known, or are not sound.
    """

    def __init__(self, connection: sqlite3.Connection):
        self._connection = connection
        self._failures = self.lost = 0

    def checked(self, table: str, columns: tuple[str, ...], *, numbered: bool = True) -> Iterator[Any]:
        """Yield the rows of a table that are sound, as `take_over` takes them; columns by their places."""
        for row in self._by_number(table) if numbered else self._from_both_ends(table):
            content = files.checked({"type": table, **dict(zip(columns, row, strict=False))})
            if isinstance(content, str):
                self.lost += 1
            else:
                yield content[1]

    def photos(self) -> Iterator[tuple[str, bytes, str]]:
        """Yield hash, content and crew of the pictures whose hash is right."""
        for key, content, *_ in self._by_number("photo"):
            if isinstance(content, bytes) and hashlib.sha256(content).hexdigest() == key and photos.kind(content):
                yield key, content, ""
            else:
                self.lost += 1

    def _by_number(self, table: str) -> Iterator[tuple]:
        """Yield all rows that can be read: ranges of numbers that cannot are halved."""
        try:
            last = self._connection.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0] or 0
        except FAULTS:
            last = MAX_ROWS
        waiting = [(1, min(int(last), MAX_ROWS))]
        statement = f"SELECT * FROM {table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
        while waiting and self._failures < _MAX_FAILURES:
            low, high = waiting.pop()
            try:
                found = self._connection.execute(statement, (low, high)).fetchall()
            except FAULTS as error:
                if "no such" in str(error):
                    return
                self._failures += 1
                if low < high:
                    middle = (low + high) // 2
                    waiting += [(middle + 1, high), (low, middle)]
                elif is_damage(error):
                    self.lost += 1
                continue
            yield from found
        self._failures = 0

    def _from_both_ends(self, table: str) -> Iterator[tuple]:
        """Yield the rows of a table without numbers that can be read from its beginning and from its end."""
        seen: set[tuple] = set()
        for order in ("", " ORDER BY 1 DESC, 2 DESC"):
            rows = None
            while True:
                try:
                    rows = rows or self._connection.execute(f"SELECT * FROM {table}{order}")
                    row = rows.fetchone()
                except FAULTS:
                    break
                if row is None:
                    return
                if row not in seen:
                    seen.add(row)
                    yield row
