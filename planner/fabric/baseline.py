"""A plan as others have it: the folder of a plan, or its cable schedule as CSV or workbook."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from planner.core.errors import InputError, Problem, suggestion
from planner.domain import stored
from planner.domain.model import Plan
from planner.formats import Selection, workbook
from planner.view import schedule
from planner.view.schedule import Connection, Device


@dataclass(frozen=True)
class Planned:
    """Rows of a cable schedule, the plan they are from where its folder is at hand, and the path."""

    rows: list[Connection]
    path: Path
    plan: Plan | None = None

    @cached_property
    def devices(self) -> dict[str, Device]:
        """Devices of the plan by name; empty where its folder is not at hand."""
        return {} if self.plan is None else schedule.devices_of_plan(self.plan)

    @cached_property
    def titled(self) -> Plan:
        """The plan, for title blocks; that of its rows where its folder is not at hand."""
        return self.plan or plan_of_rows(self.rows, self.path.stem)

    def chosen(self, selection: Selection) -> set[int] | None:
        """Return the numbers of the chosen rows; None for all.

        Raises
        ------
        InputError
            When there is no such network, stage, cabinet, row or device, or the schedule does not state them.
        """
        if selection.is_whole:
            return None
        if self.plan is not None:
            return set((selection.cables(self.plan) + 1).tolist())
        return self._of_schedule(selection)

    def _of_schedule(self, selection: Selection) -> set[int]:
        for name in ("crew", "task"):
            if getattr(selection, name) is not None:
                message = "the work order is in the folder of the plan, not in its schedule"
                raise InputError(Problem(name, message, "give the folder of the plan", str(self.path)))
        values: dict[str, Callable[[Connection], set[str]]] = {
            "network": lambda each: {each.network},
            "stage": lambda each: {each.stage},
            "cabinet": lambda each: {end.cabinet for end in each.ends},
            "row": lambda each: {row_of(end.cabinet) for end in each.ends},
            "router": lambda each: {end.device for end in each.ends},
        }
        chosen = {each.number for each in self.rows}
        problems = []
        for name, of in values.items():
            wanted = getattr(selection, name)
            if wanted is None:
                continue
            known = set().union(*map(of, self.rows)) - {""}
            if wanted not in known:
                remedy = suggestion(wanted, known) or f"there are {', '.join(sorted(known)[:20]) or 'none'}"
                problems.append(Problem(name, f"{wanted!r} is not in the schedule", remedy, str(self.path)))
            chosen &= {each.number for each in self.rows if wanted in of(each)}
        if problems:
            raise InputError(problems)
        return chosen


def journal_of(path: Path) -> Path:
    """Return where the journal of a plan is unless it is named: in its folder, or next to its schedule."""
    return path / "site.db" if path.is_dir() else path.with_suffix(".site.db")


def mark(path: Path) -> tuple[int, int, int] | None:
    """Return what changes when a plan is written again: number, time and size of the file that is written last; None without it.

    It is `provenance.json` in a folder, or the schedule itself.
    """
    try:
        found = (path / "provenance.json" if path.is_dir() else path).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def plan_of_rows(rows: Sequence[Connection], name: str) -> Plan:
    """Return a plan without records for a cable schedule: a name for title blocks, and the fingerprint of its rows."""
    return Plan(name, name, {"name": name, "title": name}, provenance={"plan": fingerprint(rows)})


def fingerprint(rows: Sequence[Connection]) -> str:
    """Return a hash of the rows of a cable schedule; the same for schedules of versions that state no kinds of devices."""
    text = "\n".join(repr(row).replace(", kind='')", ")") for row in rows)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def row_of(cabinet: str) -> str:
    """Return the row of a cabinet by its name: what is before its number.

    >>> row_of("A01"), row_of("hall 2/B12"), row_of("x")
    ('A', 'hall 2/B', 'x')
    """
    return re.sub(r"[-_ ]?\d+$", "", cabinet)


def read(path: Path) -> Planned:
    """Return the plan in a folder, or the schedule in a CSV file or workbook as the reports ``csv`` and ``xlsx`` write them.

    Raises
    ------
    InputError
        When it is neither, with all problems of its records or rows; when two rows use one port.
    """
    if path.is_dir():
        found = _of_folder(path)
    elif path.suffix.lower() == ".xlsx":
        return of_workbook(workbook.read(path), path)
    else:
        found = Planned(schedule.read(path), path)
    return _sound(found)


def of_workbook(book: workbook.Workbook, path: Path) -> Planned:
    """Return the schedule in a workbook that was read from a path.

    Raises
    ------
    InputError
        With all problems of its rows; when two rows use one port.
    """
    table = book.tables["cables"]
    names = tuple(table.columns)
    lines = (dict(zip(names, row, strict=True)) for row in table.rows(*names))
    return _sound(Planned(schedule.of_rows(zip(table.lines, lines, strict=True), str(path)), path))


def _sound(planned: Planned) -> Planned:
    """Return a schedule in which no two rows use one port."""
    if problems := _doubled(planned):
        raise InputError(problems)
    return planned


def _of_folder(path: Path) -> Planned:
    plan = stored.restore(path)
    if plan.cables is None:
        raise InputError(Problem("", "the plan has no cables yet", "run it without --until", str(path)))
    return Planned(schedule.of_plan(plan), path, plan)


_SHOWN = 20


def _doubled(planned: Planned) -> list[Problem]:
    """Return the problem of every port that two rows use, and of rows with one number."""
    used: dict[tuple[str, int], int] = {}
    problems = []
    numbers: set[int] = set()
    for each in planned.rows:
        for end in each.ends:
            other = used.setdefault((end.device, end.port), each.number)
            if other != each.number:
                message = f"{end.device} port {end.port} is used by cable {other} and cable {each.number}"
                problems.append(
                    Problem("", message, "a port takes one cable: give the schedule of a valid plan", str(planned.path))
                )
        if each.number in numbers:
            problems.append(Problem("", f"cable {each.number} occurs twice", "number the rows from 1", str(planned.path)))
        numbers.add(each.number)
    if len(problems) > _SHOWN:
        problems[_SHOWN:] = [Problem("", f"{len(problems) - _SHOWN} more like these", "", str(planned.path))]
    return problems
