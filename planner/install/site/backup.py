"""Copies of the journal, made while it is in use."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from planner.core.errors import InputError, Problem
from planner.install.site.journal import Journal
from planner.install.site.source import FAULTS, damaged, is_damage

_NAME = re.compile(r".+-\d{8}T\d{6}\d{6}Z\.db")


def backup(journal: Journal, folder: Path, *, keep: int = 24) -> Path:
    """Copy the journal into a folder, remove the oldest of more than `keep` copies, and return the path of the copy.

    The copy is complete or not there: it gets its name when it is on the disk.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    path = folder / f"{journal.path.stem}-{stamp}.db"
    for leftover in folder.glob(f"{journal.path.stem}-2*.partial"):
        # Of a process that was killed.
        leftover.unlink(missing_ok=True)
    partial = path.with_suffix(".partial")
    try:
        journal.query("VACUUM INTO ?", (str(partial),))
        check(partial)
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(path)
    except FAULTS as error:
        # SQLite copies what it can read.
        problem = damaged(journal.path, error)
        raise OSError(errno.EIO, f"{problem.message}; {problem.remedy}", str(journal.path)) from None
    finally:
        partial.unlink(missing_ok=True)
    for old in copies(journal, folder)[: -max(keep, 1)]:
        old.unlink(missing_ok=True)
    return path


def copies(journal: Journal, folder: Path) -> list[Path]:
    """Return the copies of this journal in a folder, the oldest first."""
    found = folder.glob("*.db")
    return sorted(path for path in found if _NAME.fullmatch(path.name) and path.name.startswith(f"{journal.path.stem}-2"))


def is_due(journal: Journal, folder: Path, every_s: float) -> bool:
    """Return whether the newest copy is older than an interval, and something was recorded since."""
    there = copies(journal, folder)
    if not there:
        return True
    newest_s = there[-1].stat().st_mtime
    if time.time() - newest_s < every_s:
        return False
    return bool(journal.query("SELECT 1 FROM event WHERE received > ? LIMIT 1", (int(newest_s * 1e6),)))


def restore(copy: Path, path: Path) -> Path | None:
    """Put a copy in the place of a journal, and return where the journal before is now; None if there was none.

    Phones notice it at their next contact, and send again what the copy lacks; see `planner.install.site.journal.Journal.has`.

    Raises
    ------
    InputError
        When the copy is no journal, or is damaged, or the journal is in use; nothing is changed then.
    """
    if copy.resolve() == path.resolve():
        raise InputError(Problem("FILE", "is the journal itself", "name a copy", str(copy)))
    partial = path.with_name(f"{path.name}.partial")
    try:
        content = copy.read_bytes()
    except OSError as error:
        raise InputError(Problem("FILE", f"cannot be read: {error.strerror}", "name a copy of a journal", str(copy))) from None
    try:
        partial.write_bytes(content)
        _require_journal(partial)
    except (*FAULTS, InputError) as error:
        _remove(partial)
        why = error.problems[0].message if isinstance(error, InputError) else f"is damaged, or no journal: {error}"
        raise InputError(Problem("FILE", why, "name a copy of a journal", str(copy))) from None
    except OSError as error:
        _remove(partial)
        raise InputError(Problem("--db", f"cannot be written: {error.strerror}", "check its folder", str(path))) from None
    try:
        before = _set_aside(path)
    except (*FAULTS, OSError) as error:
        _remove(partial)
        raise InputError(Problem("--db", f"is in use: {error}", "end planner serve first", str(path))) from None
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    partial.replace(path)
    return before


def _require_journal(path: Path) -> None:
    if not path.stat().st_size:
        raise InputError(Problem("FILE", "is empty"))
    check(path)
    Journal(path, make=False).close()


def _set_aside(path: Path) -> Path | None:
    """Give a journal that nobody uses another name."""
    if not path.exists():
        return None
    try:
        # Who changes the mode is alone; what is in the files next to the journal is then in the journal.
        with closing(sqlite3.connect(path, timeout=0.2)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except FAULTS as error:
        if not is_damage(error):
            raise
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    aside = path.with_name(f"{path.stem}-replaced-{stamp}.db")
    for ending in ("-wal", "-shm"):
        # They are still there where the journal is damaged.
        if (log := path.with_name(f"{path.name}{ending}")).exists():
            log.rename(aside.with_name(f"{aside.name}{ending}"))
    return path.rename(aside)


def _remove(partial: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        partial.with_name(f"{partial.name}{ending}").unlink(missing_ok=True)


def check(path: Path) -> None:
    """Check a file of SQLite.

    Raises
    ------
    sqlite3.Error
        When it is damaged.
    """
    with sqlite3.connect(path) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchall()
    connection.close()
    if found != [("ok",)]:
        raise sqlite3.DatabaseError(" ".join(str(found[0][0]).split())[:200])
