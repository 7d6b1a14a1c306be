"""Rules of the work order: every cable once, long before short, no crew in two places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from planner.check.basis.installed import CABLES, JUMPERS, TRUNK, installed, panels_of, routes_of_tasks
from planner.check.basis.places import cabinet_name, cable_name, error, segment_name
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation

_TASKS = 4096
"""Tasks whose tray segments are compared at a time: those of all tasks of a large plan do not fit into memory."""


@rule(410)
def work_covers_every_cable(plan: Plan) -> Iterator[Violation]:
    """Every cable is installed by one task, together with its bundle, and every task lists its cables."""
    if plan.work is None:
        return
    work, cables = plan.work, plan.cables
    rule = "work_covers_every_cable"
    if len(work.task) != cables.cable_count:
        yield error(rule, "the work order", len(work.task), cables.cable_count, "cables", "cables are missing or too many")
        return
    known = np.flatnonzero((work.task >= 0) & (work.task < work.task_count))
    first = _first_of(cables.piece, known)[cables.piece]
    lead = known[first[known] == known]
    lead = lead[cables.bundle[lead] >= 0]
    first_of_bundle = _first_of(cables.bundle, lead)
    apart = lead[work.task[first_of_bundle[cables.bundle[lead]]] != work.task[lead]]
    apart = apart[~(cables.carried[apart] & (cables.bundle_part[cables.bundle[apart]] < 0))]
    split = known[work.task[first[known]] != work.task[known]]
    nowhere = np.flatnonzero((work.task < 0) | (work.task >= work.task_count))
    for number in np.sort(np.concatenate([nowhere, split, apart])).tolist():
        where, task = cable_name(plan, number), int(work.task[number])
        if not 0 <= task < work.task_count:
            yield error(rule, where, task + 1, work.task_count, "", "no task installs it")
            continue
        inside = first[number] == number
        other = int(first_of_bundle[cables.bundle[number]] if inside else first[number])
        message = "is installed apart from its bundle" if inside else "one cable in two tasks"
        yield error(rule, where, task + 1, work.task[other] + 1, "", message)
    yield from _contents(plan)


def _first_of(group: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the first of some ascending rows in each group, int64; -1 in groups without any."""
    first = np.full(int(group.max(initial=-1)) + 1, -1)
    first[group[rows[::-1]]] = rows[::-1]
    return first


def _contents(plan: Plan) -> Iterator[Violation]:
    """Each task installs what it states, all of it between the same ends, and each jumper is installed."""
    work, rule = plan.work, "work_covers_every_cable"
    lengths = (len(work.jumper_task), len(panels_of(plan).jumper_port))
    if lengths[0] != lengths[1]:
        yield error(rule, "work.jumper_task", *lengths, "jumpers", "jumpers are missing or too many")
        return
    for jumper in np.flatnonzero((work.jumper_task < 0) | (work.jumper_task >= work.task_count)).tolist():
        yield error(rule, f"jumper {jumper + 1}", work.jumper_task[jumper] + 1, work.task_count, "", "no task installs it")
    over = panels_of(plan)
    for row, both, plug in zip(over.row.tolist(), over.jumper.tolist(), over.plug.tolist(), strict=True):
        if plug < 0 and work.task[row] != work.jumper_task[both[1]]:
            yield error(rule, cable_name(plan, row), work.task[row] + 1, 0, "", "is installed apart from its jumpers")
    made = installed(plan)
    things, own = made.things, made.things.task
    # A splitter is in the loom of its first tail; cables of one loom may be turned.
    loom = (work.kind[own] == CABLES) & (work.bundle[own] >= 0)
    same = (np.sort(things.cabinet, axis=1) == np.sort(work.cabinet[own], axis=1)).all(axis=1) | (loom & (things.kind == CABLES))
    others, elsewhere = np.zeros((2, work.task_count), bool)
    others[own[(things.kind != work.kind[own]) | (things.bundle != work.bundle[own]) | ~same]] = True
    elsewhere[own[(things.frame != work.frame[own]).any(axis=1)]] = True
    pieces = np.bincount(own, minlength=work.task_count)
    stage = np.where(work.kind == JUMPERS, len(plan.cables.stage_names), made.stage)
    for number in np.flatnonzero(others | elsewhere | (pieces != work.pieces) | (stage != work.stage)).tolist():
        where = f"task {number + 1}"
        if others[number]:
            yield error(rule, where, number + 1, 0, "", "its task installs other cables")
        if elsewhere[number]:
            yield error(rule, where, number + 1, 0, "", "is at other panel frames")
        if pieces[number] != work.pieces[number]:
            message = "installs fewer or more cables than stated"
            yield error(rule, where, work.pieces[number], pieces[number], "cables", message)
        if stage[number] != work.stage[number]:
            yield error(rule, where, work.stage[number], stage[number], "", "is not of the install stage of its cables")


@rule(450)
def long_before_short(plan: Plan) -> Iterator[Violation]:
    """In every tray segment, cables of one install stage with longer routes are installed before shorter ones, one at a time."""
    if plan.work is None:
        return
    work, room = plan.work, plan.room
    length_mm = routes_of_tasks(plan).length_mm
    found = _neighbors_at_fault(plan)
    for segment, one, two in sorted(found, key=lambda at: (work.stage[at[2]], at[0], work.start_s[at[2]], at[2])):
        where = f"tasks {one + 1} and {two + 1}, {segment_name(room, segment)}"
        free_s = work.start_s[one] + work.pull_s[one]
        if length_mm[two] > length_mm[one]:
            yield error("long_before_short", where, length_mm[two], length_mm[one], "mm", "a longer route after a shorter one")
        if work.start_s[two] < free_s:
            yield error("long_before_short", where, work.start_s[two], free_s, "s", "two crews pull through one tray")


def _neighbors_at_fault(plan: Plan) -> Iterator[tuple[int, int, int]]:
    """Yield tray segments with a task and the next one of its stage there, if that is longer or begins before it is pulled."""
    work, routes = plan.work, routes_of_tasks(plan)
    order = np.lexsort((np.arange(work.task_count), work.start_s, work.stage))
    start_s, free_s = work.start_s.astype(np.int64), work.start_s.astype(np.int64) + work.pull_s
    ends_stage = np.flatnonzero(np.diff(work.stage[order])) + 1
    # The last task of the stage in each segment, -1 for none.
    last = np.full(len(plan.room.segments), -1)
    for low, high in pairwise(np.unique([*range(0, len(order), _TASKS), *ends_stage.tolist(), len(order)]).tolist()):
        if low in ends_stage:
            last[:] = -1
        tasks = order[low:high]
        own = [routes.of(task) for task in tasks.tolist()]
        at = np.repeat(np.arange(len(tasks)), [len(each) for each in own])
        # By segment, then by time; a task counts once in a segment.
        both = np.sort(np.concatenate(own).astype(np.int64) * len(tasks) + at)
        segment, at = np.divmod(both[np.diff(both, prepend=-1) != 0], len(tasks))
        first = np.diff(segment, prepend=-1) != 0
        two = tasks[at]
        one = np.where(first, last[segment], np.roll(two, 1))
        wrong = (one >= 0) & ((routes.length_mm[one] < routes.length_mm[two]) | (free_s[one] > start_s[two]))
        yield from zip(*(column[wrong].tolist() for column in (segment, one, two)), strict=True)
        final = np.append(first[1:], True)[: len(first)]
        last[segment[final]] = two[final]


@rule(460)
def crews_in_one_place(plan: Plan) -> Iterator[Violation]:
    """No crew does two tasks at a time, and nobody else works at a cabinet while its inside is cabled."""
    if plan.work is None:
        return
    work = plan.work
    by_crew: dict[int, list[int]] = {}
    by_cabinet: dict[int, list[int]] = {}
    for task in np.argsort(work.start_s, kind="stable").tolist():
        by_crew.setdefault(int(work.crew[task]), []).append(task)
        for cabinet in set(work.cabinet[task].tolist()) - {-1}:
            by_cabinet.setdefault(cabinet, []).append(task)
    begin, end = work.start_s.tolist(), work.end_s.tolist()
    for crew, tasks in sorted(by_crew.items()):
        if not 0 <= crew < work.crews:
            yield error("crews_in_one_place", f"crew {crew + 1}", crew + 1, work.crews, "crews", "there is no such crew")
        for one, two in pairwise(tasks):
            if begin[two] < end[one]:
                where = f"crew {crew + 1}, tasks {one + 1} and {two + 1}"
                yield error("crews_in_one_place", where, begin[two], end[one], "s", "starts before the other ends")
    inside = ((work.cabinet[:, 0] == work.cabinet[:, 1]) & (work.kind == CABLES)).tolist()
    for cabinet, tasks in sorted(by_cabinet.items()):
        for own in (task for task in tasks if inside[task]):
            for other in tasks:
                if other != own and begin[other] < end[own] and begin[own] < end[other]:
                    where = f"{cabinet_name(plan, cabinet)}, tasks {own + 1} and {other + 1}"
                    yield error("crews_in_one_place", where, begin[other], end[own], "s", "both work there at the same time")


@rule(465)
def trunks_before_jumpers(plan: Plan) -> Iterator[Violation]:
    """Jumpers are plugged in at a panel frame when all trunks there are installed."""
    if plan.work is None or not len(panels_of(plan).row):
        return
    work = plan.work
    done: dict[int, int] = {}
    for task in np.flatnonzero(work.kind == TRUNK).tolist():
        for frame in work.frame[task].tolist():
            done[frame] = max(done.get(frame, 0), int(work.end_s[task]))
    for task in np.flatnonzero(work.kind == JUMPERS).tolist():
        last = done.get(int(work.frame[task, 1]), 0)
        if work.start_s[task] < last:
            where = f"task {task + 1}, frame {panels_of(plan).frame_names[work.frame[task, 1]]}"
            yield error("trunks_before_jumpers", where, work.start_s[task], last, "s", "starts before its trunks are installed")
