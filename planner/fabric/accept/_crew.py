"""What the crew wrote into the workbook."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

from planner.fabric.accept._record import CrewNote
from planner.formats.workbook import Workbook, deviations


def crew_notes(book: Workbook) -> dict[int, CrewNote]:
    """Return the notes of the crew by number of the cable: ticks and initials of the work list, columns of the schedule."""
    found: dict[int, CrewNote] = {}
    for cable, installed, by, date, remark in book.tables["cables"].rows(
        "cable", "installed", "installer", "installed_on", "remark"
    ):
        if installed or by or date or remark:
            found[cable] = CrewNote(bool(installed), by=by or "", date=str(date or ""), remark=remark or "")
    work = book.tables.get("work")
    if work is not None:
        for row in work.rows("cable", "plugged_a", "plugged_b", "tested", "initials"):
            _add(found, *row)
    return found


def _add(found: dict[int, CrewNote], cable: Any, a: bool, b: bool, tested: bool, initials: str) -> None:
    if not cable or not (a or b or tested or initials):
        return
    note = found.get(cable, CrewNote())
    found[cable] = replace(note, ends=(bool(a), bool(b)), tested=bool(tested), by=note.by or initials or "")


def built_otherwise(book: Workbook) -> dict[int, list[str]]:
    """Return what the crew built otherwise than planned, in words, by number of the cable."""
    found: dict[int, list[str]] = defaultdict(list)
    for each in deviations(book):
        if each.what == "length":
            text = f"length {int(each.built) / 1000:g} m instead of {int(each.planned) / 1000:g} m"
        else:
            text = f"{each.what} {each.end.upper()} {each.built} instead of {each.planned}"
        found[each.cable].append(text)
    return found
