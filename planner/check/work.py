"""Rules of the work order: every cable once, long before short, no crew in two places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

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
    installed: list[set[int]] = [set() for _ in range(work.task_count)]
    farthest = [0] * work.task_count
    for number, task in enumerate(work.task.tolist()):
        where = cable_name(plan, number)
        if not 0 <= task < work.task_count:
            yield error(rule, where, task + 1, work.task_count, "", "no task installs it")
            continue
        piece, bundle = int(cables.piece[number]), int(cables.bundle[number])
        installed[task].add(piece)
        farthest[task] = max(farthest[task], int(cables.stage[number]))
        first = first_of_piece.setdefault(piece, number)
        if work.task[first] != task:
            yield error(rule, where, task + 1, work.task[first] + 1, "", "one cable in two tasks")
        if first != number:
            # Tails of a splitter may lead to other cabinets: the cable goes where its first tail goes.
            continue
        if bundle != work.bundle[task] or (bundle < 0 and sorted(work.cabinet[task]) != sorted(cables.cabinet[number])):
            yield error(rule, where, task + 1, 0, "", "its task installs other cables")
        if bundle >= 0 and work.task[first_of_bundle.setdefault(bundle, number)] != task:
            yield error(rule, where, task + 1, work.task[first_of_bundle[bundle]] + 1, "", "is installed apart from its bundle")
    for task, (pieces, stage) in enumerate(zip(installed, farthest, strict=True)):
        if len(pieces) != work.pieces[task]:
            yield error(
                rule, f"task {task + 1}", work.pieces[task], len(pieces), "cables", "installs fewer or more cables than stated"
            )
        if stage != work.stage[task]:
            yield error(rule, f"task {task + 1}", work.stage[task], stage, "", "is not of the install stage of its cables")


@rule(450)
def long_before_short(plan: Plan) -> Iterator[Violation]:
    """In every tray segment, cables of one install stage with longer routes are installed before shorter ones, one at a time."""
    if plan.work is None:
        return
    work, cables, room = plan.work, plan.cables, plan.room
    routed = [
        (task, route)
        for task, route in sorted(set(zip(work.task.tolist(), cables.route.tolist(), strict=False)))
        if route >= 0 and 0 <= task < work.task_count
    ]
    routes = [cables.route_segments[cables.route_indptr[route] : cables.route_indptr[route + 1]] for _, route in routed]
    length_mm = np.zeros(work.task_count, np.int64)
    for (task, _), segments in zip(routed, routes, strict=True):
        length_mm[task] = max(length_mm[task], room.segment_mm[segments].sum())
    task = np.repeat(np.array([task for task, _ in routed], np.int64), [len(segments) for segments in routes])
    segment = np.concatenate([np.zeros(0, np.int64), *routes])
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
        for cabinet in set(work.cabinet[task].tolist()):
            by_cabinet.setdefault(cabinet, []).append(task)
    begin, end = work.start_s.tolist(), work.end_s.tolist()
    for crew, tasks in sorted(by_crew.items()):
        if not 0 <= crew < work.crews:
            yield error("crews_in_one_place", f"crew {crew + 1}", crew + 1, work.crews, "crews", "there is no such crew")
        for one, two in pairwise(tasks):
            if begin[two] < end[one]:
                where = f"crew {crew + 1}, tasks {one + 1} and {two + 1}"
                yield error("crews_in_one_place", where, begin[two], end[one], "s", "starts before the other ends")
    inside = (work.cabinet[:, 0] == work.cabinet[:, 1]).tolist()
    for cabinet, tasks in sorted(by_cabinet.items()):
        for own in (task for task in tasks if inside[task]):
            for other in tasks:
                if other != own and begin[other] < end[own] and begin[own] < end[other]:
                    where = f"{cabinet_name(plan, cabinet)}, tasks {own + 1} and {other + 1}"
                    yield error("crews_in_one_place", where, begin[other], end[own], "s", "both work there at the same time")
