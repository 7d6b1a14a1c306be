"""Files that state what is in a room: workbooks of other plans, and CSV exports of NetBox."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from planner.core.errors import InputError, Problem
from planner.core.section import collected
from planner.domain.model import Room
from planner.hall.floor.existing import netbox
from planner.hall.floor.existing.found import Found, joined

__all__ = ["Found", "found_in"]

ENDINGS = (".xlsx", ".csv")


def found_in(files: Sequence[Path], room: Room, *, taken: bool) -> Found:
    """Return what files state together.

    Parameters
    ----------
    taken
        Whether equipment takes space and cables fill trays; otherwise only the places of devices are read.

    Raises
    ------
    InputError
        With the problems of all files.
    """
    problems: list[Problem] = []
    found: list[Found] = []
    for number, file in enumerate(files):
        if file.suffix.lower() not in ENDINGS:
            message = f"{file.name} is neither a workbook (.xlsx) nor a CSV export of NetBox (.csv)"
            problems.append(Problem(str(number), message, "give one of them"))
    for file in (file for file in files if file.suffix.lower() == ".xlsx"):
        # Reading workbooks loads all tables of reports.
        from planner.hall.floor.existing import plans

        with collected(problems):
            found.append(plans.read(file, room, taken=taken))
    with collected(problems):
        found.append(netbox.read([file for file in files if file.suffix.lower() == ".csv"], room))
    if problems:
        raise InputError(problems)
    return joined(found)
