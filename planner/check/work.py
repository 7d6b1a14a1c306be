"""Rules of the work order: every cable once, long before short, no crew in two places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from planner.check._installed import CABLES, JUMPERS, TRUNK, installed, panels_of, segments_of
from planner.check._places import cabinet_name, cable_name, error, segment_name
from planner.check._rule import rule
from planner.model import Plan, Violation


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
    first_of_piece: dict[int, int] = {}
    first_of_bundle: dict[int, int] = {}
    for number, task in enumerate(work.task.tolist()):
        where = cable_name(plan, number)
        if not 0 <= task < work.task_count:
            yield error(rule, where, task + 1, work.task_count, "", "no task installs it")
            continue
        bundle = int(cables.bundle[number])
        first = first_of_piece.setdefault(int(cables.piece[number]), number)
        if work.task[first] != task:
            yield error(rule, where, task + 1, work.task[first] + 1, "", "one cable in two tasks")
        if first == number and bundle >= 0 and work.task[first_of_bundle.setdefault(bundle, number)] != task:
            inside = cables.carried[number] and cables.bundle_part[bundle] < 0
            if not inside:
                first = first_of_bundle[bundle]
                yield error(rule, where, task + 1, work.task[first] + 1, "", "is installed apart from its bundle")
    yield from _contents(plan)


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
    for number, task in enumerate(installed(plan)):
        where = f"task {number + 1}"
        stated = (int(work.kind[number]), int(work.bundle[number]), sorted(work.cabinet[number].tolist()))
        found = {(kind, bundle, tuple(sorted(cabinets))) for kind, bundle, cabinets, _ in task.kinds}
        if stated[0] == CABLES and stated[1] >= 0:
            # A splitter is in the loom of its first tail; cables of one loom may be turned.
            found = {(kind, bundle, tuple(stated[2])) for kind, bundle, _ in found}
        if found - {(*stated[:2], tuple(stated[2]))}:
            yield error(rule, where, number + 1, 0, "", "its task installs other cables")
        if {frames for *_, frames in task.kinds} - {tuple(work.frame[number].tolist())}:
            yield error(rule, where, number + 1, 0, "", "is at other panel frames")
        if task.pieces != work.pieces[number]:
            yield error(rule, where, work.pieces[number], task.pieces, "cables", "installs fewer or more cables than stated")
        stage = len(plan.cables.stage_names) if stated[0] == JUMPERS else task.stage
        if stage != work.stage[number]:
            yield error(rule, where, work.stage[number], stage, "", "is not of the install stage of its cables")


@rule(450)
def long_before_short(plan: Plan) -> Iterator[Violation]:
    """In every tray segment, cables of one install stage with longer routes are installed before shorter ones, one at a time."""
    if plan.work is None:
        return
    work, room = plan.work, plan.room
    things = installed(plan)
    routes = [[[*segments_of(plan, {route})] for route in sorted(one.routes)] for one in things]
    length_mm = np.array([max((room.segment_mm[route].sum() for route in own), default=0) for own in routes], np.int64)
    flat = [sorted({segment for route in own for segment in route}) for own in routes]
    task = np.repeat(np.arange(len(flat)), [len(segments) for segments in flat])
    segment = np.concatenate([np.zeros(0, np.int64), *map(np.array, flat)]).astype(np.int64)
    # In the order of installation; neighbors of one tray segment and stage are compared.
    order = np.lexsort((task, work.start_s[task], segment, work.stage[task]))
    task, segment = task[order], segment[order]
    below, above = task[:-1], task[1:]
    touching = (segment[:-1] == segment[1:]) & (work.stage[below] == work.stage[above]) & (below != above)
    over = touching & (length_mm[above] > length_mm[below])
    free_s = work.start_s + work.pull_s
    crossing = touching & (work.start_s[above] < free_s[below])
    for place in np.flatnonzero(over | crossing).tolist():
        one, two = below[place], above[place]
        where = f"tasks {one + 1} and {two + 1}, {segment_name(room, segment[place])}"
        if over[place]:
            yield error("long_before_short", where, length_mm[two], length_mm[one], "mm", "a longer route after a shorter one")
        if crossing[place]:
            message = "two crews pull through one tray"
            yield error("long_before_short", where, work.start_s[two], free_s[one], "s", message)


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
