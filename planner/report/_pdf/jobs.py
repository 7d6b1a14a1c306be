"""Sheets for the installers: the tasks of a stage or a crew, each with its cables to tick off."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.errors import InputError, Problem
from planner.model import Plan
from planner.report._cabinets import Cabinet
from planner.report._figures import grouped, trimmed
from planner.report._pdf.blocks import Block, heading, paragraph, sheets
from planner.report._pdf.schedule import Schedule, stage_counts
from planner.report._pdf.sheet import Mark, Sheet
from planner.report._pdf.work import clock
from planner.report._task_ends import task_ends


def job_sheets(plan: Plan, cables: np.ndarray, title: str) -> list[Sheet]:
    """Return the tasks that install these cables, in the order of work.

    Raises
    ------
    InputError
        When there is no work order.
    """
    work = plan.work
    if work is None:
        raise InputError(Problem("stage", "the plan has no work order", "run the study to the end"))
    tasks = np.unique(work.task[cables])
    schedule = Schedule.of(plan, cables, ("bundle", "stage_number", "task"))
    minutes = int((work.end_s - work.start_s)[tasks].sum()) / 60
    text = (
        f"{grouped(len(tasks))} tasks, {grouped(len(cables))} cables ({stage_counts(plan, cables) or 'none'}), "
        f"{grouped(minutes / 60, 1)} hours. Tasks are in the order of work, cables in the order of pulling. A task "
        "that is printed in part lists only the chosen cables; its time is that of the whole task."
    )
    if plan.cables.carried[cables].any():
        text += " Three stock lengths are those of jumper, trunk and jumper of a cable over panels."
    blocks: list[Block] = [heading(title, Mark("jobs", title)), paragraph(text), schedule.header]
    by_task = np.argsort(work.task[cables], kind="stable")
    starts = np.searchsorted(work.task[cables[by_task]], tasks)
    ends = [*starts[1:].tolist(), len(cables)]
    ends_of = task_ends(plan)
    for task, start, end in zip(tasks.tolist(), starts.tolist(), ends, strict=True):
        own = cables[by_task[start:end]]
        blocks += schedule.part(_title(plan, ends_of[task], task, own), own, _counts(plan, task, len(own)))
    return sheets(title, blocks)


def _title(plan: Plan, ends: tuple[str, str], task: int, own: np.ndarray) -> str:
    where = f"inside {ends[0]}" if ends[1] == "inside" else f"{ends[0]} to {ends[1]}"
    if not plan.work.kind[task] and len(np.unique(plan.cables.cabinet[own])) > 2:
        where += " and others"
    return f"Task {grouped(task + 1)}: {where}"


def _counts(plan: Plan, task: int, cables: int) -> str:
    work = plan.work
    bundle = f"bundle {grouped(int(work.bundle[task]) + 1)}, " if work.bundle[task] >= 0 else ""
    minutes = trimmed(int(work.end_s[task] - work.start_s[task]) / 60, 0)
    begins = clock(int(work.start_s[task]), work.shift_s)
    stage = work.stage_names[work.stage[task]]
    pieces = f"{grouped(cables)} cable{'s' if cables != 1 else ''}"
    return f"{stage}, {bundle}{pieces}, crew {work.crew[task] + 1}, {begins}, {minutes} min"


def touched(plan: Plan, cabinets: Sequence[Cabinet], cables: np.ndarray) -> list[Cabinet]:
    """Return the cabinets in which these cables have an end."""
    ends = set(np.unique(plan.cables.cabinet[cables]).tolist())
    return [cabinet for cabinet in cabinets if cabinet.number in ends]
