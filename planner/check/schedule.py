"""Rules of the work order's figures: totals of the tasks, and their schedule."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check.basis.installed import JUMPERS, TRUNK, installed, panels_of, routes_of_tasks
from planner.check.basis.places import error, unequal, unlike
from planner.check.basis.rule import rule
from planner.domain.model import PATCHING, Plan, Violation


@rule(420)
def tasks_add_up(plan: Plan) -> Iterator[Violation]:
    """Length, tray route, stage and working time of every task are those of its cables at the labor rates."""
    if plan.work is None:
        return
    work, cables, rates, rule = plan.work, plan.cables, plan.catalog.labor, "tasks_add_up"
    names = (*cables.stage_names, PATCHING) if len(panels_of(plan).row) else cables.stage_names
    yield from unlike(rule, "install stages", work.stage_names, names, "are not those of the cables")
    made = installed(plan)
    run_mm, route_mm = made.sums("run_mm"), routes_of_tasks(plan).length_mm
    person_s = np.column_stack(
        [
            -(-route_mm * rates.pull_s_per_m // 1000),
            made.sums("plug_s"),
            np.full(work.task_count, rates.dress_s),
            rates.label_s * made.sums("labels"),
            rates.test_s * made.tests,
        ]
    )
    task, first = np.unique(made.things.task, return_index=True)
    want = np.full((work.task_count, 2), -1)
    want[task] = made.things.cabinet[first]
    yield from unequal(rule, work.cabinet, want, lambda n: f"task {n + 1}", "connects other cabinets")
    for field, have, want, unit in (
        ("run length", work.run_mm, run_mm, "mm"),
        ("longest tray route", work.tray_mm, route_mm, "mm"),
        ("working time", work.person_s, person_s, "s"),
        ("pulling time", work.pull_s, -(-person_s[:, 0] // work.workers), "s"),
        ("duration", work.end_s - work.start_s, -(-person_s.sum(axis=1) // work.workers), "s"),
    ):
        yield from unequal(rule, have, want, lambda n: f"task {n + 1}", f"{field} is not that of its cables", unit)


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
    outward = list(range(len(plan.cables.stage_names)))
    last = len(outward)
    orders = {
        "inside out": [*outward, last],
        "outside in": [*outward[:0:-1], last, *outward[:1]],
        "cabinets first": [*outward[:1], *outward[:0:-1], last],
    }
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
    """Return start and crew of every task by simulating the list, with tables of when trays, cabinets and frames are free."""
    work, made, routes = plan.work, installed(plan), routes_of_tasks(plan)
    first = np.searchsorted(made.place_task, np.arange(work.task_count + 1)).tolist()
    all_places, alone = made.place.tolist(), made.alone.tolist()
    closed, occupied, pulled = ([0] * (max(all_places, default=0) + 1) for _ in range(3))
    tray = np.zeros(len(plan.room.segments), np.int64)
    free = [0] * work.crews
    lasts, pulls, kinds = (work.end_s - work.start_s).tolist(), work.pull_s.tolist(), work.kind.tolist()
    start, crew = [], []
    for task in range(work.task_count):
        places, segments = all_places[first[task] : first[task + 1]], routes.of(task)
        until = occupied if alone[task] else closed
        at, number = min(zip(free, range(work.crews), strict=True))
        at = max([at, *(until[place] for place in places), int(tray[segments].max(initial=0))])
        if kinds[task] == JUMPERS:
            at = max([at, *(pulled[place] for place in places)])
        start.append(at)
        crew.append(number)
        end = free[number] = at + lasts[task]
        tray[segments] = at + pulls[task]
        for place in places:
            occupied[place] = max(occupied[place], end)
            if alone[task]:
                closed[place] = end
            if kinds[task] == TRUNK:
                pulled[place] = max(pulled[place], end)
    return start, crew
