"""Selection of a part of a plan by name: a cabinet, a row, an install stage."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import numpy as np

from planner.errors import InputError, Problem
from planner.model import Plan


def cabinet_numbers(plan: Plan, *, cabinet: str | None = None, row: str | None = None) -> np.ndarray:
    """Return the cabinets of a name, or of a row, or all of them, in the order of their slots, int64 (N,).

    Raises
    ------
    InputError
        When there is no such cabinet or row; names those with similar names.
    """
    placement, room = plan.placement, plan.room
    if placement is None or room is None:
        if cabinet is None and row is None:
            return np.zeros(0, np.int64)
        raise InputError(Problem("cabinet" if cabinet else "row", "the plan places no cabinets", "run the study to its end"))
    chosen = np.argsort(placement.slot_of, kind="stable")
    names = np.array(room.slot_names)[placement.slot_of[chosen]]
    rows = np.array(room.row_names)[room.slot_row[placement.slot_of[chosen]]]
    inside = np.ones(len(chosen), bool)
    if cabinet is not None:
        inside &= names == named("cabinet", cabinet, names.tolist())
    if row is not None:
        inside &= rows == named("row", row, list(dict.fromkeys(rows.tolist())))
    if not inside.any():
        raise InputError(Problem("cabinet", f"{cabinet} is not in row {row}", "leave out the row"))
    return chosen[inside]


def stage_number(plan: Plan, stage: str) -> int:
    """Return the number of an install stage.

    Raises
    ------
    InputError
        When there is no such stage; names those with similar names.
    """
    if plan.cables is None:
        raise InputError(Problem("stage", "the plan has no cables", "run the study to its end"))
    return plan.cables.stage_names.index(named("stage", stage, plan.cables.stage_names))


def cable_numbers(plan: Plan, *, cabinet: str | None = None, row: str | None = None, stage: str | None = None) -> np.ndarray:
    """Return the cables with an end in a cabinet or row, and of a stage; all cables by default, int64 (N,).

    Raises
    ------
    InputError
        As `cabinet_numbers` and `stage_number`.
    """
    if plan.cables is None:
        raise InputError(Problem("", "the plan has no cables", "run the study to its end"))
    chosen = np.ones(plan.cables.cable_count, bool)
    if cabinet is not None or row is not None:
        chosen &= np.isin(plan.cables.cabinet, cabinet_numbers(plan, cabinet=cabinet, row=row)).any(axis=1)
    if stage is not None:
        chosen &= plan.cables.stage == stage_number(plan, stage)
    return np.flatnonzero(chosen)


def named(what: str, name: str, known: Sequence[str]) -> str:
    """Return `name` if it is known.

    Raises
    ------
    InputError
        When it is not, with similar names.
    """
    if name in known:
        return name
    folded = {each.casefold(): each for each in reversed(known)}
    alike = [name.casefold()] if name.casefold() in folded else get_close_matches(name.casefold(), folded, n=3)
    near = [folded[each] for each in alike]
    there = f"there are {len(known)}, {known[0]} to {known[-1]}" if len(known) > 8 else f"there are {', '.join(known)}"
    there = there if known else "there are none"
    raise InputError(
        Problem(what, f"there is no {what} {name!r}", f"did you mean {' or '.join(near)}? ({there})" if near else there)
    )
