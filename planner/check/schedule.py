"""Rules of the work order's figures: totals of the tasks, and their schedule."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check._places import error, unequal, unlike
from planner.check._rule import rule
from planner.model import Plan, Violation


@rule(420)
def tasks_add_up(plan: Plan) -> Iterator[Violation]:
    """Length, tray route, stage and working time of every task are those of its cables at the labor rates."""
    if plan.work is None:
        return
    work, cables, rates = plan.work, plan.cables, plan.catalog.labor
    rule, tasks = "tasks_add_up", work.task_count
    yield from unlike(rule, "install stages", work.stage_names, cables.stage_names, "are not those of the cables")
    first = cables.first_of_piece
    owner = work.task[first]
    pieces = np.bincount(owner, minlength=tasks)
    run_mm, route_mm = np.zeros(tasks, np.int64), np.zeros(tasks, np.int64)
    np.add.at(run_mm, owner, cables.run_mm[first])
    np.maximum.at(route_mm, work.task, cables.tray_mm)
    outside = work.cabinet[:, 0] != work.cabinet[:, 1]
    person_s = np.column_stack(
        [
            -(-route_mm * rates.pull_s_per_m // 1000),
            pieces * np.where(outside, rates.between_cabinets_s, rates.in_cabinet_s),
            np.full(tasks, rates.dress_s),
            rates.label_s * _labels_of_tasks(plan),
            rates.test_s * np.bincount(work.task, minlength=tasks),
        ]
    )
    example = first[np.unique(owner, return_index=True)[1]]
    yield from unequal(rule, work.cabinet, cables.cabinet[example], lambda n: f"task {n + 1}", "connects other cabinets")
    for field, have, want, unit in (
        ("run length", work.run_mm, run_mm, "mm"),
        ("longest tray route", work.tray_mm, route_mm, "mm"),
        ("working time", work.person_s, person_s, "s"),
        ("pulling time", work.pull_s, -(-person_s[:, 0] // work.workers), "s"),
        ("duration", work.end_s - work.start_s, -(-person_s.sum(axis=1) // work.workers), "s"),
    ):
        yield from unequal(rule, have, want, lambda n: f"task {n + 1}", f"{field} is not that of its cables", unit)


def _labels_of_tasks(plan: Plan) -> np.ndarray:
    """Return the labeled ends of the pieces of each task, int64 (N,)."""
    cables, ends = plan.cables, set()
    for side in (0, 1):
        columns = cables.piece, cables.device[:, side], cables.cage[:, side], plan.work.task[cables.first_of_piece][cables.piece]
        ends.update(zip(*(column.tolist() for column in columns), strict=True))
    return np.bincount([task for *_, task in ends], minlength=plan.work.task_count).astype(np.int64)


@rule(430)
def work_follows_the_study(plan: Plan) -> Iterator[Violation]:
    """Crews, workers, shifts and the order of stages are those of the study, and tasks are in that order."""
    if plan.work is None or "work" not in plan.study:
        return
    work, settings, rule = plan.work, plan.study["work"], "work_follows_the_study"
    for key in ("order", "crews", "workers"):
        yield from unlike(rule, f"work.{key}", getattr(work, key), settings[key], "does not match the study")
    yield from unlike(
        rule, "work.shift_s", work.shift_s, max(round(3600 * settings["shift_hours"]), 1), "is not the study's shift"
    )
    outward = list(range(len(work.stage_names)))
    orders = {"inside out": outward, "outside in": outward[::-1], "cabinets first": [0, *outward[:0:-1]]}
    place = np.argsort(orders[settings["order"]])[work.stage]
    for task in np.flatnonzero(np.diff(place) < 0).tolist():
        yield error(rule, f"task {task + 2}", place[task + 1], place[task], "", "its install stage is over")


@rule(440)
def crews_take_the_next_task(plan: Plan) -> Iterator[Violation]:
    """The crew that is free first takes the next task and starts as soon as trays and cabinets are free."""
    if plan.work is None:
        return
    work, rule = plan.work, "crews_take_the_next_task"
    start, crew = _schedule(plan)
    yield from unequal(rule, work.start_s, start, lambda n: f"task {n + 1}", "starts at another time", "s")
    yield from unequal(rule, work.crew, crew, lambda n: f"task {n + 1}", "another crew is free first")


def _schedule(plan: Plan) -> tuple[list[int], list[int]]:
    """Return start and crew of every task by simulating the list, with tables of when trays and cabinets are free."""
    work, cables = plan.work, plan.cables
    segments: list[set[int]] = [set() for _ in range(work.task_count)]
    places: list[set[int]] = [set() for _ in range(work.task_count)]
    routes = set(zip(work.task.tolist(), cables.route.tolist(), strict=True))
    flat, starts = cables.route_segments.tolist(), cables.route_indptr.tolist()
    for task, route in routes:
        segments[task].update(flat[starts[route] : starts[route + 1]] if route >= 0 else ())
    for task, *both in set(zip(work.task.tolist(), *cables.cabinet.T.tolist(), strict=True)):
        places[task].update(both)
    tray: dict[int, int] = {}
    closed: dict[int, int] = {}
    occupied: dict[int, int] = {}
    free = [0] * work.crews
    lasts, pulls = (work.end_s - work.start_s).tolist(), work.pull_s.tolist()
    start, crew = [], []
    for task in range(work.task_count):
        alone = len(places[task]) == 1
        until = occupied if alone else closed
        at, number = min(zip(free, range(work.crews), strict=True))
        at = max([at, *(until.get(place, 0) for place in places[task]), *(tray.get(one, 0) for one in segments[task])])
        start.append(at)
        crew.append(number)
        free[number] = at + lasts[task]
        tray.update(dict.fromkeys(segments[task], at + pulls[task]))
        for place in places[task]:
            occupied[place] = max(occupied.get(place, 0), at + lasts[task])
            if alone:
                closed[place] = at + lasts[task]
    return start, crew
