"""The comparison of two plans, from files to findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.core.units import using
from planner.domain.model import Existing, Room
from planner.domain.model.project import units_of
from planner.fabric import baseline
from planner.fabric.baseline import Planned
from planner.studies.diff.bill import change_bill
from planner.studies.diff.result import Comparison, Pieces, is_over_panels
from planner.studies.diff.reuse import Order, reused
from planner.studies.diff.work import work_order
from planner.view.schedule import SAME, Difference, difference


def compared(old: Path | str, new: Path | str, *, progress: Progress = silent) -> Comparison:
    """Return the difference of two plans, and what follows from it.

    Parameters
    ----------
    old, new
        Folders of plans, or cable schedules as CSV or workbook.

    Raises
    ------
    InputError
        With the problems of both.
    """
    progress("read", 0, 2)
    given: list[Planned] = []
    problems: list[Problem] = []
    for path in (Path(old), Path(new)):
        try:
            given.append(baseline.read(path))
        except InputError as error:
            problems += error.problems
        progress("read", len(given), 2)
    if problems:
        raise InputError(problems)
    return comparison(*given)


def comparison(old: Planned, new: Planned, *, reuse: bool = True, order: Order | None = None) -> Comparison:
    """Return the difference of two plans that were read.

    Parameters
    ----------
    reuse
        Whether removed cables serve as added ones.
    order
        Windows of work, where cables are exchanged in several.
    """
    # Models are compared only where both are known.
    found = difference(old.rows, new.rows, old.devices, new.devices)
    pieces = Pieces(found)
    again = reused(pieces, order) if reuse else []
    with using(units_of(new.titled.study)):
        actions = work_order(found, pieces, again)
    bill = None
    if old.plan is not None and new.plan is not None:
        bill = change_bill(old.plan, new.plan, found, pieces, again, actions)
    return Comparison(old, new, found, again, actions, bill, list(_notes(old, new, found)))


def _notes(old: Planned, new: Planned, found: Difference) -> Iterator[str]:
    schedules = " and ".join(str(each.path) for each in (old, new) if each.plan is None)
    if schedules:
        yield f"no bill of the change: prices and floors are in folders of plans, and a schedule is given as {schedules}"
    elif new.plan is not None and new.plan.bill is None:
        yield "no bill of the change: the new plan has no bill"
    if old.plan is not None and new.plan is not None and _bare(old.plan.room) != _bare(new.plan.room):
        rooms = f"{old.plan.room.title!r} and {new.plan.room.title!r}"
        yield f"the rooms differ ({rooms}): cabinets are compared by their names"
    if any(is_over_panels(row) for each in found.cables if each.kind != SAME for row in (each.old, each.new) if row is not None):
        yield "trunks and panels are on the bill of the change, and their work is in the work order of the new plan"
    names = [{end.device for row in each.rows for end in row.ends} for each in (old, new)]
    if all(names) and not names[0] & names[1]:
        yield "the plans have no device name in common: nothing can be kept; check that they are plans of one machine"


def _bare(room: Room) -> str:
    """Return the fingerprint of a room without what is in it."""
    return replace(room, existing=Existing()).fingerprint
