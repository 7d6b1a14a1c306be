"""Tasks that another crew should take when one falls behind, and their handing over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from planner.core.errors import InputError, Problem
from planner.install.site.board import Board
from planner.install.site.journal import Receipt
from planner.install.site.progress import number_of, paces, work_left_s
from planner.install.site.writing import Value, record

_SAVES = 0.05
"""Smallest share of the time that moving tasks has to save."""


class Moved(NamedTuple):
    """A task that another crew should take: number of the task, its crews, cables that are left, and their work."""

    task: int
    stage: str
    from_crew: int
    to_crew: int
    cables: int
    work_s: float


class Replanned(NamedTuple):
    """The rest of the work, divided again.

    Attributes
    ----------
    before_s, after_s
        Working time until the last crew is finished: as planned, and with the tasks moved.
    finish_s
        Working time of each crew as planned.
    """

    before_s: float
    after_s: float
    finish_s: dict[int, float]
    moved: list[Moved]


def replanned(board: Board) -> Replanned | None:
    """Return tasks to move between crews, at the pace that each crew has shown; None without a work order or a pace.

    Tasks that were begun stay with their crew. The others are taken in the order of work by the crew that finishes them first;
    crews without a pace of their own count as the mean of the others. Nothing is moved where that saves less than a twentieth of
    the time.
    """
    left: defaultdict[int, float] = defaultdict(float)
    cables: defaultdict[int, int] = defaultdict(int)
    crew_of: dict[int, int] = {}
    stage: dict[int, str] = {}
    begun: set[int] = set()
    for status in board.statuses.values():
        cable = status.cable
        if not status.crew:
            continue
        crew_of[cable.task], stage[cable.task] = status.crew, cable.stage
        seconds = work_left_s(status)
        left[cable.task] += seconds
        cables[cable.task] += seconds > 0
        if status.is_pulled:
            begun.add(cable.task)
    known = {number: pace.speed for pace in paces(board) if (number := number_of(pace.crew)) and pace.speed > 0}
    crews = sorted(set(crew_of.values()))
    if not crews or not set(crews) & known.keys():
        return None
    mean = sum(known.values()) / len(known)
    speed = {crew: known.get(crew, mean) for crew in crews}
    before = dict.fromkeys(crews, 0.0)
    after = dict.fromkeys(crews, 0.0)
    for task, seconds in left.items():
        before[crew_of[task]] += seconds / speed[crew_of[task]]
        if task in begun:
            after[crew_of[task]] += seconds / speed[crew_of[task]]
    moved = []
    for task in sorted(set(left) - begun):
        # Of crews that finish at the same time the planned one keeps the task.
        ends = [(after[crew] + left[task] / speed[crew], crew != crew_of[task], crew) for crew in crews]
        end, _, crew = min(ends)
        after[crew] = end
        if crew != crew_of[task] and left[task]:
            moved.append(Moved(task, stage[task], crew_of[task], crew, cables[task], left[task]))
    old, new = max(before.values()), max(after.values())
    return Replanned(old, new, before, moved) if new < (1 - _SAVES) * old else Replanned(old, old, before, [])


def give(board: Board, crew_of: Mapping[int, int], *, crew: str, phone: str = "board") -> Receipt:
    """Record that other crews install what is left of tasks.

    Parameters
    ----------
    crew_of
        Number of the crew that takes each task, by the number of the task.
    crew
        Who gives them.

    Raises
    ------
    InputError
        When the work order has no such task or crew; nothing is recorded then.
    """
    tasks = {status.cable.task for status in board.statuses.values()} - {0}
    crews = {status.cable.crew for status in board.statuses.values()} - {0}
    problems = [
        Problem("tasks", f"the work order has no task {task}", "load the board again") for task in crew_of if task not in tasks
    ]
    for number in sorted(set(crew_of.values()) - crews):
        problems.append(
            Problem("tasks", f"the work order has no crew {number}", f"give one of {', '.join(map(str, sorted(crews)))}")
        )
    if problems:
        raise InputError(problems[:20])
    values = [
        Value(status.cable.target, "", "crew", str(crew_of[status.cable.task]))
        for status in board.statuses.values()
        if not status.is_done and crew_of.get(status.cable.task, status.crew) != status.crew
    ]
    return record(board, values, crew=crew, phone=phone)
