"""The SQLite file of a journal as it can be read: in use, on a disk that is full or write-protected, or damaged."""

from __future__ import annotations

import glob
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from planner.core.errors import Problem
from planner.core.scratch import Scratch

FORMAT = 2
"""Number of the schema; a file with format 1 is brought to it when something is recorded, one with any other is refused."""

FOREIGN = "it is not a journal of this version"

FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""What a damaged file raises: text that is no text, too."""

_USUAL = "mode=rw"

WAIT_S = 30
"""How long a writer waits for another process."""


def damaged(path: Path, error: object) -> Problem:
    """Return the problem of a journal that is damaged, with the command that restores a copy of it."""
    copies = sorted((path.parent / "backups").glob(f"{glob.escape(path.stem)}-2*.db"))
    what = "it is no journal, or damaged" if "not a database" in str(error) else "the journal is damaged"
    message = f"{what} ({' '.join(str(error).split())[:100]})"
    restore = f"restore a copy: planner site restore PLAN {copies[-1] if copies else 'COPY'} --db {path}"
    aside = path.with_name(f"{path.stem}-damaged.db")
    after = "planner site import PLAN FILE then takes over what can be read of the file that this sets aside"
    without = (
        f"without a copy, move it to {aside}: planner site import PLAN {aside} --db {path} takes over what can be read of it"
    )
    remedy = f"{restore}; {after if copies else without}"
    return Problem("--db", message, remedy, str(path))


def is_damage(error: Exception) -> bool:
    """Return whether an error shows that the file is damaged."""
    words = ("malformed", "not a database", "decode", "corrupt", "file is encrypted")
    return isinstance(error, UnicodeDecodeError) or any(word in str(error) for word in words)


class Source:
    """The file as it can be read: as usual, or as it is where nothing can be written next to it.

    SQLite keeps an index of the write-ahead log in a file next to a journal. Where it cannot make one, the journal is read as it
    is if there is no such log, and from a copy in memory or on another disk if there is one.
    """

    def __init__(self, path: Path):
        self._path, self._read_from, self._options = path, path, _USUAL
        self._scratch: Scratch | None = None
        self.is_damaged = False

    def connected(self) -> sqlite3.Connection:
        """Return a connection for reading."""
        name = f"file:{quote(str(self._read_from))}?{self._options}"
        return sqlite3.connect(name, uri=True, timeout=WAIT_S, isolation_level=None, check_same_thread=False)

    def examine(self) -> int:
        """Return the format of the file, 0 where there is none yet; the file of another program is left as it is."""
        if not self._path.exists() or not self._path.stat().st_size:
            return 0
        if _is_cut_off(self._path):
            self.is_damaged = True
            raise sqlite3.DatabaseError("malformed: its end is missing")
        companions = [self._path.with_name(f"{self._path.name}{ending}") for ending in ("-wal", "-shm")]
        new = [path for path in companions if not path.exists()]
        try:
            return self._format()
        except sqlite3.OperationalError as error:
            if is_damage(error):
                self.is_damaged = True
                raise
            for path in new:
                # What SQLite began, and had no room for.
                with suppress(OSError):
                    path.unlink()
            self._read_as_it_is()
            return self._format()
        except FAULTS as error:
            self.is_damaged = is_damage(error)
            raise

    def _format(self) -> int:
        with closing(self.connected()) as connection:
            found = int(connection.execute("PRAGMA user_version").fetchone()[0])
            if found not in (1, FORMAT) and (found or tables(connection)):
                raise sqlite3.DataError(FOREIGN)
            if found:
                connection.execute("SELECT count(*) FROM plan").fetchone()
            return found

    def _read_as_it_is(self) -> None:
        log = self._path.with_name(f"{self._path.name}-wal")
        if log.exists() and log.stat().st_size:
            self._scratch = Scratch(in_memory=True)
            self._read_from = self._scratch.path / self._path.name
            shutil.copyfile(self._path, self._read_from)
            shutil.copyfile(log, self._read_from.with_name(log.name))
        else:
            self._options = "mode=ro&immutable=1"

    def follows(self) -> bool:
        """Read the file as usual again, since it can be written; return whether it was not."""
        before, self._read_from, self._options = (self._read_from, self._options), self._path, _USUAL
        return before != (self._path, _USUAL)

    def close(self) -> None:
        """Remove a copy."""
        if self._scratch is not None:
            self._scratch.close()


def _is_cut_off(path: Path) -> bool:
    """Return whether a file has fewer pages than its first one states."""
    with path.open("rb") as file:
        head = file.read(100)
        size = file.seek(0, 2)
    if not head.startswith(b"SQLite format 3\0") or len(head) < 100 or head[24:28] != head[92:96]:
        return False
    page = int.from_bytes(head[16:18], "big")
    return size < (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big")


def tables(connection: sqlite3.Connection) -> int:
    """Return the number of tables and indexes of a file."""
    return int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
