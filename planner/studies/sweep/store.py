"""The table of a sweep: an SQLite file that stays consistent if a process is killed.

::

    run       number, fingerprint, program, study, status, message; the parameters that vary; every quantity
    curve     number, point; the results of each simulated load
    expanded  number; the full study of the run, as JSON
    timing    number, seconds: the only part that differs between executions
    parameter name; which columns of `run` are parameters, in order
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem
from planner.domain.quantities import QUANTITIES
from planner.studies.sweep.work import DONE, KILLED, WAITING, Row, measures

FIXED = ("number", "fingerprint", "program", "study", "status", "message")
"""Columns of every table."""

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS run (
    number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, program TEXT NOT NULL, study TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT '{WAITING}', message TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS curve (number INTEGER, point INTEGER, PRIMARY KEY (number, point));
CREATE TABLE IF NOT EXISTS expanded (number INTEGER PRIMARY KEY, study TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS timing (number INTEGER PRIMARY KEY, seconds REAL NOT NULL);
CREATE TABLE IF NOT EXISTS parameter (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
"""


class Store:
    """Access to the table; use it in a ``with`` statement.

    Raises
    ------
    InputError
        When the file is not a sweep table.
    """

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path = path
        if not create and not path.is_file():
            raise InputError(Problem("", "does not exist", "planner sweep writes such a table", str(path)))
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            if create:
                self._db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            self._columns = {table: set(self._names(table)) for table in ("run", "curve")}
            self.parameters = [name for (name,) in self._db.execute("SELECT name FROM parameter ORDER BY place")]
        except sqlite3.DatabaseError as error:
            raise InputError(
                Problem("", f"is not a sweep table: {error}", "give a table written by planner sweep", str(path))
            ) from None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *failure: object) -> None:
        self._db.close()

    def register(self, runs: Iterable[tuple[str, dict[str, Any], dict[str, Any]]], program: str) -> None:
        """Add missing runs to the table in order, with status waiting.

        Parameters
        ----------
        runs
            Fingerprint, full study and changes of each run; the key paths of the changes become parameters.
        """
        runs = list(runs)
        with self._transaction():
            paths = dict.fromkeys(path for _, _, changes in runs for path in _paths(changes))
            self._add_parameters([path for path in paths if path not in self.parameters])
            for fingerprint, expanded, changes in runs:
                given = (fingerprint, program, expanded["name"])
                entered = self._db.execute("INSERT OR IGNORE INTO run (fingerprint, program, study) VALUES (?, ?, ?)", given)
                if entered.rowcount and entered.lastrowid is not None:
                    text = json.dumps(expanded, sort_keys=True, ensure_ascii=False)
                    self._db.execute("INSERT INTO expanded VALUES (?, ?)", (entered.lastrowid, text))
                    self._set(entered.lastrowid, {path: _at(expanded, path) for path in self.parameters})
                # A label is not part of the study.
                for path in changes.keys() & set(self.parameters):
                    if "." not in path and path not in expanded:
                        change = f"UPDATE run SET {_quoted(path)} = ? WHERE fingerprint = ? AND {_quoted(path)} IS NULL"
                        self._db.execute(change, (changes[path], fingerprint))

    def unfinished(self, fingerprints: Iterable[str]) -> dict[str, int]:
        """Return the numbers of the runs that are waiting or killed, in order."""
        wanted = set(fingerprints)
        rows = self._db.execute(f"SELECT fingerprint, number FROM run WHERE status IN ('{WAITING}', '{KILLED}') ORDER BY number")
        return {fingerprint: number for fingerprint, number in rows if fingerprint in wanted}

    def finish(self, rows: Sequence[Row]) -> None:
        """Store the results of runs in one transaction."""
        if not rows:
            return
        with self._transaction():
            for row in rows:
                self._add_columns("run", row.quantities)
                self._set(row.number, {"status": row.status, "message": row.message} | row.quantities)
                self._db.execute("INSERT OR REPLACE INTO timing VALUES (?, ?)", (row.number, row.seconds))
                for point, measured in enumerate(row.curve):
                    self._add_columns("curve", measured)
                    values = {"number": row.number, "point": point} | measured
                    names, marks = ", ".join(map(_quoted, values)), ", ".join("?" * len(values))
                    self._db.execute(f"INSERT OR REPLACE INTO curve ({names}) VALUES ({marks})", list(values.values()))

    def counts(self, fingerprints: Iterable[str] | None = None) -> dict[str, int]:
        """Return the number of runs by status, of all or of some runs."""
        wanted = None if fingerprints is None else set(fingerprints)
        found: dict[str, int] = {}
        for status, fingerprint in self._db.execute("SELECT status, fingerprint FROM run"):
            if wanted is None or fingerprint in wanted:
                found[status] = found.get(status, 0) + 1
        return found

    def programs(self) -> set[str]:
        """Return the fingerprints of the program versions of all rows."""
        return {program for (program,) in self._db.execute("SELECT DISTINCT program FROM run")}

    def seconds(self) -> float:
        """Return the total time of all runs in seconds."""
        return float(self._db.execute("SELECT total(seconds) FROM timing").fetchone()[0])

    def study(self, number: int) -> dict[str, Any]:
        """Return the full study of a run.

        Raises
        ------
        InputError
            When there is no such run.
        """
        found = self._db.execute("SELECT study FROM expanded WHERE number = ?", (number,)).fetchone()
        if found is None:
            raise InputError(Problem("", f"has no run {number}", "see the column number", str(self.path)))
        return json.loads(found[0])

    def runs(self) -> tuple[list[str], list[tuple]]:
        """Return column names in a fixed order, and the rows of all runs, sorted by number."""
        known = [quantity.name for quantity in QUANTITIES]
        others = self._columns["run"] - set(FIXED) - set(self.parameters)
        ordered = [name for name in known if name in others] + sorted(others - set(known))
        return self._read([*FIXED, *self.parameters, *ordered], "run", "number")

    def curves(self) -> tuple[list[str], list[tuple]]:
        """Return column names and rows of all simulated loads, with the parameters of their runs."""
        known = list(measures())
        others = self._columns["curve"] - {"number", "point"}
        ordered = [name for name in known if name in others] + sorted(others - set(known))
        table = f"curve JOIN run USING (number) WHERE run.status = '{DONE}'"
        return self._read(["number", "point", *self.parameters, *ordered], table, "number, point")

    def _read(self, names: list[str], table: str, order: str) -> tuple[list[str], list[tuple]]:
        columns = ", ".join(map(_quoted, names))
        return names, self._db.execute(f"SELECT {columns} FROM {table} ORDER BY {order}").fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Execute a block as one transaction, including new columns."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                remedy = "check the disk, and whether the file still exists"
                raise InputError(Problem("", f"cannot be written: {error}", remedy, str(self.path))) from None
            raise

    def _names(self, table: str) -> list[str]:
        return [row[1] for row in self._db.execute(f"PRAGMA table_info({table})")]

    def _set(self, number: int, values: dict[str, Any]) -> None:
        if values:
            names = ", ".join(f"{_quoted(name)} = ?" for name in values)
            self._db.execute(f"UPDATE run SET {names} WHERE number = ?", [*values.values(), number])

    def _add_parameters(self, paths: list[str]) -> None:
        """Add parameter columns, filled for existing runs from their studies."""
        self._add_columns("run", paths)
        for path in paths:
            self.parameters.append(path)
            self._db.execute("INSERT INTO parameter (name) VALUES (?)", (path,))
        if paths:
            for number, text in self._db.execute("SELECT number, study FROM expanded").fetchall():
                study = json.loads(text)
                self._set(number, {path: _at(study, path) for path in paths})

    def _add_columns(self, table: str, names: Iterable[str]) -> None:
        for name in names:
            if name not in self._columns[table]:
                self._db.execute(f"ALTER TABLE {table} ADD COLUMN {_quoted(name)}")
                self._columns[table].add(name)


def _paths(changes: dict[str, Any], prefix: str = "") -> Iterable[str]:
    """Yield the key paths set by changes, including those inside tables."""
    for key, value in changes.items():
        if isinstance(value, dict):
            yield from _paths(value, f"{prefix}{key}.")
        else:
            yield prefix + key


def _at(study: dict[str, Any], path: str) -> Any:
    """Return the value at a key path in the form stored in the table."""
    found: Any = study
    for part in path.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return json.dumps(found, ensure_ascii=False) if isinstance(found, list | dict) else found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
