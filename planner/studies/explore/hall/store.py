"""Rows of finished networks in an SQLite file that stays consistent if a process is killed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem

_SCHEMA = """
CREATE TABLE IF NOT EXISTS exploration (fingerprint TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS network (number INTEGER PRIMARY KEY, rows TEXT NOT NULL);
"""


class Store:
    """Access to the file; use it in a ``with`` statement.

    Parameters
    ----------
    fingerprint
        That of the exploration, whose file is created if necessary; None to read any.

    Raises
    ------
    InputError
        When the file is no such table or that of another exploration.
    """

    def __init__(self, path: Path, fingerprint: str | None = None) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            known = [text for (text,) in self._db.execute("SELECT fingerprint FROM exploration")]
            if not known and fingerprint is not None:
                self._db.execute("INSERT INTO exploration VALUES (?)", (fingerprint,))
        except (OSError, sqlite3.Error) as error:
            remedy = "name another file with --out"
            raise InputError(Problem("", f"is no table of planner explore: {error}", remedy, str(path))) from None
        if known and fingerprint not in (None, known[0]):
            self._db.close()
            message = "has rows of another exploration, or of another version of the program or its catalogs"
            raise InputError(Problem("", message, "name another file with --out, or discard it with --fresh", str(path)))

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *failure: object) -> None:
        self._db.close()

    def numbers(self) -> set[int]:
        """Return the numbers of the finished networks."""
        return {number for (number,) in self._db.execute("SELECT number FROM network")}

    def finish(self, networks: Sequence[tuple[int, list[dict[str, Any]]]]) -> None:
        """Store the rows of networks in one transaction."""
        self._db.execute("BEGIN IMMEDIATE")
        texts = ((number, json.dumps(rows, ensure_ascii=False)) for number, rows in networks)
        self._db.executemany("INSERT OR REPLACE INTO network VALUES (?, ?)", texts)
        self._db.execute("COMMIT")

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield all rows, in the order of the networks."""
        for (text,) in self._db.execute("SELECT rows FROM network ORDER BY number"):
            yield from json.loads(text)
