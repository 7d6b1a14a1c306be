"""What each task of a work order installs, thing by thing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from planner.check.basis.distinct import distinct
from planner.check.basis.routes import lengths_mm
from planner.domain.model import TASK_KINDS, PanelPlan, Plan

CABLES, TRUNK, JUMPERS = range(len(TASK_KINDS))


@dataclass(frozen=True, eq=False)
class Things:
    """Pieces, trunks and jumpers that tasks install, in this order; int64 (n,), cabinets and frames (n, 2)."""

    task: np.ndarray
    kind: np.ndarray
    bundle: np.ndarray
    cabinet: np.ndarray
    frame: np.ndarray
    run_mm: np.ndarray
    plug_s: np.ndarray
    labels: np.ndarray


@dataclass(frozen=True, eq=False)
class Installed:
    """All things of a plan that tasks install, and their sums.

    Attributes
    ----------
    tests, stage
        Tests, and farthest install stage of the cables, of each task, -1 without any; int64 (T,).
    route_task, route
        Routes over the trays of each task, each once, by task; int64 (r,).
    place_task, place
        Cabinets of each task, and panel frames after all cabinets, each once, by task; int64 (p,).
    """

    things: Things
    tests: np.ndarray
    stage: np.ndarray
    route_task: np.ndarray
    route: np.ndarray
    place_task: np.ndarray
    place: np.ndarray

    @property
    def alone(self) -> np.ndarray:
        """Return whether each task is work inside one cabinet, bool (T,)."""
        return np.bincount(self.place_task, minlength=len(self.tests)) == 1

    def sums(self, name: str) -> np.ndarray:
        """Return the sum of a figure of the things of each task, int64 (T,)."""
        total = np.zeros(len(self.tests), np.int64)
        np.add.at(total, self.things.task, getattr(self.things, name))
        return total


def panels_of(plan: Plan) -> PanelPlan:
    """Return the panels of a plan; none in one without such a record."""
    return plan.panels or PanelPlan.none()


def over_panels(plan: Plan) -> tuple[list[tuple[int, bool]], list[tuple[int, int]]]:
    """Return the jumpers, each with its run and whether its panel is on its cabinet, and the trunks with run and plugs."""
    panels, cables = panels_of(plan), plan.cables
    home: dict[int, int] = {}
    for row, both in zip(panels.row.tolist(), panels.jumper.tolist(), strict=True):
        for side, jumper in enumerate(both):
            home.setdefault(jumper, int(cables.cabinet[row, side]))
    jumpers = []
    for jumper, (panel, run) in enumerate(zip(panels.jumper_panel.tolist(), panels.jumper_run_mm.tolist(), strict=True)):
        # The last cable of a router may only hold the rest of a row, whose other pairs are in the one before.
        cabinet = home[jumper] if jumper in home else home[jumper - 1]
        jumpers.append((run, int(panels.frame_cabinet[panels.frame[panel]]) == cabinet))
    plugs = panels.plug_trunk.tolist()
    runs = cables.bundle_run_mm[panels.trunk_bundle].tolist()
    return jumpers, [(run, plugs.count(trunk)) for trunk, run in enumerate(runs)]


@lru_cache(maxsize=1)
def installed(plan: Plan) -> Installed:
    """Return what each task installs; things of tasks that are not there are left out."""
    tests, stage = np.zeros(plan.work.task_count, np.int64), np.full(plan.work.task_count, -1)
    made = [_cables(plan, tests, stage)]
    if len(panels_of(plan).row):
        made += [_trunks(plan), _jumpers(plan, tests)]
    things = [np.concatenate(columns) for columns in zip(*(each[0] for each in made), strict=True)]
    of_task, of_place = (np.concatenate([each[which] for each in made]) for which in (1, 2))
    known, placed = ((pairs[:, 0] >= 0) & (pairs[:, 0] < len(tests)) & (pairs[:, 1] >= 0) for pairs in (of_task, of_place))
    routes, places = _each_once(of_task[known]), _each_once(of_place[placed])
    own = (things[0] >= 0) & (things[0] < len(tests))
    return Installed(Things(*(column[own] for column in things)), tests, stage, *routes.T, *places.T)


_Made = tuple[tuple[np.ndarray, ...], np.ndarray, np.ndarray]
"""Columns of things, tasks with their routes, and tasks with their places, int64 (n, 2)."""


def _each_once(pairs: np.ndarray) -> np.ndarray:
    return pairs[distinct(*pairs.T)[0]]


def _cables(plan: Plan, tests: np.ndarray, stage: np.ndarray) -> _Made:
    """Return the pieces that run from port to port; a splitter goes where its first tail goes."""
    cables, rates = plan.cables, getattr(plan, "catalog", None) and plan.catalog.labor
    first, _, _ = distinct(np.repeat(cables.piece, 2), cables.device.ravel(), cables.cage.ravel())
    sockets = np.bincount(cables.piece[first // 2], minlength=1)
    of_row = plan.work.task[: cables.cable_count].astype(np.int64)
    rows = np.flatnonzero((of_row >= 0) & (of_row < len(tests)))
    np.maximum.at(stage, of_row[rows], cables.stage[rows])
    rows = rows[~cables.carried[rows]]
    task = of_row[rows]
    np.add.at(tests, task, 1)
    lead = rows[np.sort(distinct(cables.piece[rows])[0])]
    cabinet = cables.cabinet[lead].astype(np.int64)
    between = cabinet[:, 0] != cabinet[:, 1]
    seconds = (0, 0) if rates is None else (rates.in_cabinet_s, rates.between_cabinets_s)
    columns = (
        of_row[lead], np.full(len(lead), CABLES), cables.bundle[lead].astype(np.int64), cabinet,
        np.full((len(lead), 2), -1), cables.run_mm[lead].astype(np.int64), np.where(between, *seconds[::-1]),
        sockets[cables.piece[lead]],
    )  # fmt: skip
    routes = np.column_stack([task, cables.route[rows]])
    return columns, routes, np.column_stack([np.repeat(task, 2), cables.cabinet[rows].ravel()])


def _trunks(plan: Plan) -> _Made:
    panels, cables = panels_of(plan), plan.cables
    plugs = np.bincount(panels.plug_trunk, minlength=len(panels.trunk_frame))
    owner = {t: number for t, number in zip(panels.trunk.tolist(), plan.work.task[panels.row].tolist(), strict=True) if t >= 0}
    trunk, task = np.array(sorted(owner.items()), np.int64).reshape(-1, 2).T
    frame, bundle = panels.trunk_frame[trunk].astype(np.int64), panels.trunk_bundle[trunk].astype(np.int64)
    cabinet = panels.frame_cabinet[frame].astype(np.int64)
    columns = (
        task, np.full(len(trunk), TRUNK), bundle, cabinet, frame, cables.bundle_run_mm[bundle].astype(np.int64),
        plugs[trunk] * plan.catalog.labor.between_cabinets_s, np.full(len(trunk), 2),
    )  # fmt: skip
    routes = np.column_stack([task, panels.trunk_route[trunk]])
    return columns, routes, _places(plan, task, cabinet, frame)


def _jumpers(plan: Plan, tests: np.ndarray) -> _Made:
    """Return the jumpers, and add the tests of the rows that they complete."""
    panels, cables, rates = panels_of(plan), plan.cables, plan.catalog.labor
    task = plan.work.jumper_task.astype(np.int64)
    end: dict[int, tuple[int, int]] = {}
    for row, both in zip(panels.row.tolist(), panels.jumper.tolist(), strict=True):
        for side, jumper in enumerate(both):
            end.setdefault(jumper, (row, side))
        last = max(int(task[jumper]) for jumper in both)
        if 0 <= last < len(tests):
            tests[last] += 1
    # The last cable of a router may only hold the rest of a row, whose other pairs are in the one before.
    ends = np.array([end.get(jumper) or end[jumper - 1] for jumper in range(len(task))], np.int64).reshape(-1, 2)
    frame = panels.frame[panels.jumper_panel].astype(np.int64)
    cabinet = np.column_stack([cables.cabinet[ends[:, 0], ends[:, 1]], panels.frame_cabinet[frame]]).astype(np.int64)
    columns = (
        task, np.full(len(task), JUMPERS), np.full(len(task), -1), cabinet, np.column_stack([np.full(len(task), -1), frame]),
        panels.jumper_run_mm.astype(np.int64),
        np.where(cabinet[:, 0] == cabinet[:, 1], rates.in_cabinet_s, rates.between_cabinets_s), np.full(len(task), 2),
    )  # fmt: skip
    routes = np.column_stack([task, panels.jumper_route])
    return columns, routes, _places(plan, task, cabinet, frame[:, None])


def _places(plan: Plan, task: np.ndarray, cabinet: np.ndarray, frame: np.ndarray) -> np.ndarray:
    """Return tasks with their cabinets, and with their frames after all cabinets, (n, 2)."""
    after = plan.placement.cabinet_count
    both = np.column_stack([cabinet, after + frame])
    return np.column_stack([np.repeat(task, both.shape[1]), both.ravel()])


@lru_cache(maxsize=1)
def routes_of_tasks(plan: Plan) -> Routes:
    """Return the routes of all tasks of a plan."""
    return Routes(plan)


class Routes:
    """The tray segments of tasks, once for each of their routes, and the length of the longest of these, int64 (T,)."""

    def __init__(self, plan: Plan):
        work, made = plan.work, installed(plan)
        self._cables, self._route = plan.cables, made.route
        self._first = np.searchsorted(made.route_task, np.arange(work.task_count + 1)).tolist()
        self._indptr = plan.cables.route_indptr
        self.length_mm = np.zeros(work.task_count, np.int64)
        np.maximum.at(self.length_mm, made.route_task, lengths_mm(plan.cables, plan.room)[made.route])

    def of(self, task: int) -> np.ndarray:
        """Return the tray segments of a task."""
        first, last = self._first[task : task + 2]
        segments = self._cables.route_segments
        if last - first == 1:
            route = self._route[first]
            return segments[self._indptr[route] : self._indptr[route + 1]]
        own = [segments[self._indptr[route] : self._indptr[route + 1]] for route in self._route[first:last].tolist()]
        return np.concatenate([segments[:0], *own])
