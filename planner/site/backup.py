"""Copies of the journal, made while it is in use."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import time
from datetime import UTC, datetime
from pathlib import Path

from planner.site.journal import Journal

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
    except sqlite3.Error as error:
        raise OSError(errno.EIO, f"the copy is damaged: {error}", str(path)) from None
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
        raise sqlite3.DatabaseError(str(found[0][0])[:200])
