"""A plan that was computed again while, or before, it is edited: the desk of the new one, with what was kept so far.

Moves name slots and devices of the plan that they were made on; on another one the same moves would make another layout. What
goes on are layouts: those that were kept, and that of the desk as it was left.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from planner.core.errors import InputError
from planner.core.progress import Progress, silent
from planner.design.placement.given import read
from planner.install.editing.desk import Desk
from planner.install.editing.layouts import Layout
from planner.install.editing.log import LOG, Log, OfAnotherPlan
from planner.install.editing.replay import key_of
from planner.install.editing.session import Session
from planner.install.editing.variants import place


@dataclass(frozen=True)
class Renewal:
    """What became of the steps and variants on the plan before.

    Attributes
    ----------
    aside
        Folder in that of the plan with the log and the variants as they were; None where the new plan goes on with them.
    carried
        Names of the variants that the new plan has, too.
    left
        Names of the others, each with the reason.
    """

    aside: Path | None = None
    carried: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()


def renew(path: Path, before: Desk | None = None, *, progress: Progress = silent) -> tuple[Desk, Renewal]:
    """Return the desk of a plan as it is now in its folder, and what became of the steps on the one before.

    Where devices, room and places at the start are the same, all steps stay. Otherwise the log and the variants are moved to a
    folder of their own, and variants that fit the new plan are kept there again: layouts with the same devices and slots, and
    what-if plans, which have studies of their own.

    Parameters
    ----------
    before
        The desk of the plan before, if it is open: it is closed, and its layout is kept as a variant if it was changed.

    Raises
    ------
    InputError
        When the new plan cannot be opened; nothing changes then.
    Infeasible
        When nothing fits.
    """
    session = Session.open(path, progress=progress)
    log = Log(path / LOG)
    try:
        for _ in log.entries(key_of(session)):
            break
    except OfAnotherPlan:
        return _renewed(session, path, log, before)
    if before is not None:
        before.close()
    return Desk(session, path), Renewal()


def _renewed(session: Session, path: Path, log: Log, before: Desk | None) -> tuple[Desk, Renewal]:
    if before is not None:
        with before.lock:
            before.close()
            _keep_changes(before)
    kept = [(str(entry.get("name")), str(entry.get("kind"))) for entry in log.entries(None) if entry.get("do") == "variant"]
    aside = _set_aside(path, len(kept))
    desk, carried, left = Desk(session, path), [], []
    for number, (name, kind) in enumerate(kept, 1):
        own = place(aside, number)
        try:
            if kind == "what-if":
                desk.keep_plan(name, own)
            else:
                desk.keep(name, Layout(*read(own.with_suffix(".csv"), session.plan.inventory, session.plan.room)))
            carried.append(name)
        except InputError as error:
            left.append((name, str(error.problems[0])))
        except OSError as error:
            left.append((name, error.strerror or str(error)))
    return desk, Renewal(aside, tuple(carried), tuple(left))


def _keep_changes(desk: Desk) -> None:
    """Keep the layout of a desk as a variant, unless it is that of its plan or one that is kept already."""
    now = desk.session.layout
    known = [desk.variants.start, *(each.layout for each in desk.variants.items.values() if each.layout is not None)]
    if all(len(now.moved_since(each)) for each in known):
        desk.keep(desk.variants.free_name(f"as it was on {datetime.now():%Y-%m-%d %H:%M}"))


def _set_aside(path: Path, variants: int) -> Path:
    """Move the files of the variants of a plan and its log, which is the last, to a new folder, and return that."""
    number = 1
    while (aside := path / f"planning-before-{number}").exists():
        number += 1
    aside.mkdir()
    for own in (place(path, number) for number in range(1, variants + 1)):
        for file in (own, own.with_suffix(".csv")):
            if file.exists():
                file.rename(aside / file.name)
    (path / LOG).rename(aside / LOG)
    return aside
