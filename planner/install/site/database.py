"""The SQLite file of a journal: one writer at a time, a connection for each thread that reads."""

from __future__ import annotations

import errno
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from planner.core.errors import InputError, Problem
from planner.install.site.source import FAULTS, FOREIGN, FORMAT, WAIT_S, Source, damaged, is_damage, tables

_SCHEMA = """
CREATE TABLE event(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, plan TEXT NOT NULL, crew TEXT NOT NULL, phone TEXT NOT NULL,
  clock INTEGER NOT NULL, seen INTEGER NOT NULL, written TEXT NOT NULL, target TEXT NOT NULL, end TEXT NOT NULL,
  field TEXT NOT NULL, value TEXT NOT NULL, undoes TEXT NOT NULL, received INTEGER NOT NULL) STRICT;
CREATE INDEX of_register ON event(target, end, field);
CREATE INDEX of_receipt ON event(received);
CREATE TRIGGER no_change BEFORE UPDATE ON event BEGIN SELECT raise(ABORT, 'events are only appended'); END;
CREATE TRIGGER no_removal BEFORE DELETE ON event BEGIN SELECT raise(ABORT, 'events are only appended'); END;
CREATE TABLE state(
  target TEXT, end TEXT, field TEXT, item TEXT, value TEXT NOT NULL, clock INTEGER NOT NULL, phone TEXT NOT NULL,
  id TEXT NOT NULL, crew TEXT NOT NULL, plan TEXT NOT NULL, seen INTEGER NOT NULL, received INTEGER NOT NULL,
  PRIMARY KEY(target, end, field, item)) STRICT, WITHOUT ROWID;
CREATE TABLE plan(id TEXT PRIMARY KEY, received INTEGER NOT NULL, name TEXT NOT NULL) STRICT;
CREATE TABLE cable(
  plan TEXT, target TEXT, number INTEGER NOT NULL, label_a TEXT NOT NULL, label_b TEXT NOT NULL, part TEXT NOT NULL,
  stock_mm INTEGER NOT NULL, PRIMARY KEY(plan, target)) STRICT, WITHOUT ROWID;
CREATE TABLE photo(hash TEXT PRIMARY KEY, content BLOB NOT NULL, crew TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE access(
  hash TEXT PRIMARY KEY, parent TEXT NOT NULL, crew TEXT NOT NULL, role TEXT NOT NULL, made INTEGER NOT NULL,
  expires INTEGER NOT NULL, revoked INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE audit(seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL) STRICT;
CREATE TABLE checkpoint(seq INTEGER PRIMARY KEY, mark TEXT NOT NULL) STRICT;
CREATE TABLE scan(id TEXT PRIMARY KEY, clock INTEGER NOT NULL, cards TEXT NOT NULL) STRICT;
"""

_FROM_1 = """
ALTER TABLE photo ADD COLUMN crew TEXT NOT NULL DEFAULT '';
CREATE TABLE checkpoint(seq INTEGER PRIMARY KEY, mark TEXT NOT NULL) STRICT;
CREATE TABLE scan(id TEXT PRIMARY KEY, clock INTEGER NOT NULL, cards TEXT NOT NULL) STRICT;
INSERT INTO checkpoint SELECT max(seq), lower(hex(randomblob(16))) FROM event HAVING max(seq) IS NOT NULL;
"""


_ON_OLD = """
CREATE TEMP TABLE checkpoint(seq INTEGER PRIMARY KEY, mark TEXT NOT NULL);
CREATE TEMP TABLE scan(id TEXT PRIMARY KEY, clock INTEGER NOT NULL, cards TEXT NOT NULL);
"""
"""What a file of format 1 lacks, while it is only read."""


class Database:
    """A file with the tables of a journal.

    It is opened for reading, and nothing is written until something is recorded: a journal on a disk that is full or
    write-protected can be read, and one of an older format is brought to the present one by the first write.

    Parameters
    ----------
    path
        The SQLite file.
    make
        Whether to make it where there is none.

    Raises
    ------
    InputError
        When the file cannot be opened, is damaged, or has other content.
    """

    def __init__(self, path: Path | str, *, make: bool = True):
        self.path = Path(path)
        self._lock = threading.RLock()
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        self._writer: sqlite3.Connection | None = None
        self._round = 0
        self._source = Source(self.path)
        if not make and not self.path.is_file():
            raise InputError(Problem("--db", "there is no journal", "import events or a workbook first", str(self.path)))
        if not self.path.parent.is_dir():
            raise InputError(Problem("--db", "its folder does not exist", "make it, or give another path", str(self.path)))
        try:
            self._format = self._source.examine()
            if self._format == 0:
                with self.writing():
                    pass
        except (*FAULTS, OSError) as error:
            self.close()
            if self._source.is_damaged:
                raise InputError(damaged(self.path, error)) from None
            reason, remedy = getattr(error, "strerror", None) or error, "give the file of a journal, or a copy from a backup"
            raise InputError(Problem("--db", f"cannot be opened: {reason}", remedy, str(self.path))) from None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection that writes; all of the block is written and flushed to the disk, or nothing.

        Raises
        ------
        OSError
            When the file cannot be written.
        """
        with self._lock:
            try:
                writer = self._connected_for_writing()
                writer.execute("BEGIN IMMEDIATE")
                if self._format != FORMAT:
                    self._migrate(writer)
                yield writer
                writer.execute("COMMIT")
                self._format = FORMAT
            except FAULTS as error:
                self._roll_back()
                self._failed(error)
            except BaseException:
                self._roll_back()
                raise

    def _connected_for_writing(self) -> sqlite3.Connection:
        if self._writer is None:
            made = sqlite3.connect(self.path, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
            self._open.append(made)
            # An answer must mean that the events are on the disk, whatever happens to the machine.
            made.execute("PRAGMA journal_mode=WAL")
            made.execute("PRAGMA synchronous=FULL")
            self._writer = made
            if self._source.follows():
                # Other threads read what is written from now on.
                self._round += 1
        return self._writer

    def _migrate(self, writer: sqlite3.Connection) -> None:
        """Bring the file to the present format; another process may have done so meanwhile."""
        found = writer.execute("PRAGMA user_version").fetchone()[0]
        if found == 0 and not tables(writer):
            _run(writer, _SCHEMA)
        elif found == 1:
            _run(writer, _FROM_1)
        elif found != FORMAT:
            raise sqlite3.DatabaseError(FOREIGN)
        writer.execute(f"PRAGMA user_version={FORMAT}")

    def _roll_back(self) -> None:
        # There is no transaction where it could not begin, or was rolled back already.
        if self._writer is not None:
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")

    def _failed(self, error: Exception) -> NoReturn:
        if is_damage(error) or self._is_damaged:
            problem = damaged(self.path, error)
            raise OSError(errno.EIO, f"{problem.message}; {problem.remedy}", str(self.path)) from None
        raise OSError(errno.EIO, f"the journal cannot be read or written: {error}", str(self.path)) from None

    @cached_property
    def _is_damaged(self) -> bool:
        """Whether the file is damaged; examined once, after an error that may have other reasons, such as a full disk."""
        try:
            with closing(self._source.connected()) as connection:
                return connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]
        except FAULTS as error:
            return is_damage(error)

    def require(self, sound: bool, what: str) -> None:
        """Require that what was read is what can have been written.

        Raises
        ------
        OSError
            When it is not: the file is damaged.
        """
        if not sound:
            self._failed(sqlite3.DatabaseError(f"malformed {what}"))

    @property
    def reader(self) -> sqlite3.Connection:
        """Connection of this thread."""
        if getattr(self._local, "round", -1) != self._round:
            made = self._source.connected()
            with self._lock:
                self._open.append(made)
            self._local.connection, self._local.is_old, self._local.round = made, False, self._round
            if self._format == 1:
                made.execute("PRAGMA temp_store=MEMORY")
                _run(made, _ON_OLD)
                self._local.is_old = True
        if self._local.is_old and self._format != 1:
            # The first write has brought the file to the present format.
            for name in ("checkpoint", "scan"):
                self._local.connection.execute(f"DROP TABLE temp.{name}")
            self._local.is_old = False
        return self._local.connection

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection of this thread; everything that it reads in the block is of one moment.

        Raises
        ------
        OSError
            When the file cannot be read.
        """
        try:
            reader = self.reader
            reader.execute("BEGIN")
            try:
                yield reader
            finally:
                reader.execute("COMMIT")
        except FAULTS as error:
            self._failed(error)

    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple]:
        """Return the rows of a statement that reads.

        Raises
        ------
        OSError
            When the file cannot be read.
        """
        try:
            return self.reader.execute(statement, values).fetchall()
        except FAULTS as error:
            self._failed(error)

    def close(self) -> None:
        """Close the connections of all threads."""
        for connection in self._open:
            connection.close()
        self._source.close()


def _run(writer: sqlite3.Connection, script: str) -> None:
    """Run the statements of a script in the transaction that is open: each ends with a semicolon at the end of a line."""
    for statement in script.strip().removesuffix(";").split(";\n"):
        writer.execute(statement)
