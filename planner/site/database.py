"""The SQLite file of a journal: one writer at a time, a connection for each thread that reads."""

from __future__ import annotations

import errno
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

from planner.errors import InputError, Problem

_FORMAT = 2
"""Number of the schema; a file with format 1 is brought to it, one with any other is refused."""

_WAIT_S = 30
"""How long a writer waits for another process."""

_FOREIGN = "it is not a journal of this version"

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


class Database:
    """A file with the tables of a journal.

    Parameters
    ----------
    path
        The SQLite file.
    make
        Whether to make it where there is none.

    Raises
    ------
    InputError
        When the file cannot be opened, or has other content.
    """

    def __init__(self, path: Path | str, *, make: bool = True):
        self.path = Path(path)
        self._lock = threading.RLock()
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        if not make and not self.path.is_file():
            raise InputError(Problem("--db", "there is no journal", "import events or a workbook first", str(self.path)))
        if not self.path.parent.is_dir():
            raise InputError(Problem("--db", "its folder does not exist", "make it, or give another path", str(self.path)))
        try:
            self._examine()
            self._writer = self._connect()
            self._set_up()
        except (sqlite3.Error, OSError) as error:
            self.close()
            remedy = "give the file of a journal, or a copy from a backup"
            raise InputError(Problem("--db", f"cannot be opened: {error}", remedy, str(self.path))) from None

    def _examine(self) -> None:
        """Leave the file of another program as it is: a connection of ours would change its mode."""
        if self.path.exists() and self.path.stat().st_size:
            other = sqlite3.connect(self.path, timeout=_WAIT_S)
            try:
                if other.execute("PRAGMA user_version").fetchone()[0] not in (1, _FORMAT) and _tables(other):
                    raise sqlite3.DatabaseError(_FOREIGN)
            finally:
                other.close()

    def _connect(self) -> sqlite3.Connection:
        made = sqlite3.connect(self.path, timeout=_WAIT_S, isolation_level=None, check_same_thread=False)
        with self._lock:
            self._open.append(made)
        # An answer must mean that the events are on the disk, whatever happens to the machine.
        made.execute("PRAGMA journal_mode=WAL")
        made.execute("PRAGMA synchronous=FULL")
        return made

    def _set_up(self) -> None:
        with self.writing() as writer:
            found = writer.execute("PRAGMA user_version").fetchone()[0]
            if found == 0 and not _tables(writer):
                _run(writer, _SCHEMA)
            elif found == 1:
                _run(writer, _FROM_1)
            elif found != _FORMAT:
                raise sqlite3.DatabaseError(_FOREIGN)
            writer.execute(f"PRAGMA user_version={_FORMAT}")

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
                self._writer.execute("BEGIN IMMEDIATE")
                yield self._writer
                self._writer.execute("COMMIT")
            except sqlite3.Error as error:
                self._roll_back()
                self._failed(error)
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        # There is no transaction where it could not begin, or was rolled back already.
        with suppress(sqlite3.Error):
            self._writer.execute("ROLLBACK")

    def _failed(self, error: sqlite3.Error) -> NoReturn:
        raise OSError(errno.EIO, f"the journal cannot be read or written: {error}", str(self.path)) from None

    @property
    def reader(self) -> sqlite3.Connection:
        """Connection of this thread."""
        if not hasattr(self._local, "connection"):
            self._local.connection = self._connect()
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
        except sqlite3.Error as error:
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
        except sqlite3.Error as error:
            self._failed(error)

    def close(self) -> None:
        """Close the connections of all threads."""
        for connection in self._open:
            connection.close()


def _run(writer: sqlite3.Connection, script: str) -> None:
    """Run the statements of a script in the transaction that is open: each ends with a semicolon at the end of a line."""
    for statement in script.strip().removesuffix(";").split(";\n"):
        writer.execute(statement)


def _tables(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
