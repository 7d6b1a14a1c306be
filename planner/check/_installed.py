"""What each task of a work order installs, thing by thing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from planner.model import TASK_KINDS, PanelPlan, Plan

CABLES, TRUNK, JUMPERS = range(len(TASK_KINDS))


@dataclass
class Task:
    """Sums over the things that one task installs.

    Attributes
    ----------
    kinds
        Kind, bundle, cabinets and frames of its things, each once in the order of the things; those of one task agree.
    routes, places
        Routes over the trays; cabinets, and panel frames by name.
    stage
        Farthest install stage of its cables, -1 without any.
    """

    kinds: dict[tuple, None] = field(default_factory=dict)
    pieces: int = 0
    run_mm: int = 0
    plug_s: int = 0
    labels: int = 0
    tests: int = 0
    stage: int = -1
    routes: set[int] = field(default_factory=set)
    places: set[int | str] = field(default_factory=set)

    def add(self, kind: tuple, run_mm: int, plug_s: int, labels: int) -> None:
        self.kinds.setdefault(kind)
        self.pieces, self.run_mm = self.pieces + 1, self.run_mm + run_mm
        self.plug_s, self.labels = self.plug_s + plug_s, self.labels + labels

    @property
    def alone(self) -> bool:
        """Whether it is work inside one cabinet."""
        return len(self.places) == 1


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
def installed(plan: Plan) -> list[Task]:
    """Return what each task installs; things of tasks that are not there are left out."""
    tasks = [Task() for _ in range(plan.work.task_count)]
    _cables(plan, tasks)
    if len(panels_of(plan).row):
        _trunks(plan, tasks)
        _jumpers(plan, tasks)
    return tasks


def _cables(plan: Plan, tasks: list[Task]) -> None:
    """Add the pieces that run from port to port; a splitter goes where its first tail goes."""
    cables, rates = plan.cables, getattr(plan, "catalog", None) and plan.catalog.labor
    ends = np.column_stack([np.repeat(cables.piece, 2), cables.device.ravel(), cables.cage.ravel()])
    ends = ends[np.lexsort(ends.T[::-1])]
    new = np.append(True, (ends[1:] != ends[:-1]).any(axis=1)) if len(ends) else np.zeros(0, bool)
    sockets = np.bincount(ends[new, 0]).tolist()
    seen: set[int] = set()
    columns = (
        plan.work.task,
        cables.piece,
        cables.bundle,
        cables.run_mm,
        cables.route,
        cables.stage,
        cables.cabinet,
        cables.carried,
    )
    for number, piece, bundle, run, route, stage, cabinets, over in zip(*(one.tolist() for one in columns), strict=False):
        if not 0 <= number < len(tasks):
            continue
        task = tasks[number]
        task.stage = max(task.stage, stage)
        if over:
            continue
        task.tests += 1
        task.places.update(cabinets)
        task.routes.update([route] if route >= 0 else ())
        if piece not in seen:
            between = cabinets[0] != cabinets[1]
            plug_s = 0 if rates is None else rates.between_cabinets_s if between else rates.in_cabinet_s
            task.add((CABLES, bundle, tuple(cabinets), (-1, -1)), run, plug_s, sockets[piece])
        seen.add(piece)


def _trunks(plan: Plan, tasks: list[Task]) -> None:
    panels, cables = panels_of(plan), plan.cables
    plugs: dict[int, int] = {}
    for trunk in panels.plug_trunk.tolist():
        plugs[trunk] = plugs.get(trunk, 0) + 1
    owner = {t: number for t, number in zip(panels.trunk.tolist(), plan.work.task[panels.row].tolist(), strict=True) if t >= 0}
    for trunk, number in sorted(owner.items()):
        if not 0 <= number < len(tasks):
            continue
        frames, bundle = panels.trunk_frame[trunk].tolist(), int(panels.trunk_bundle[trunk])
        cabinets = tuple(int(panels.frame_cabinet[frame]) for frame in frames)
        seconds = plugs.get(trunk, 0) * plan.catalog.labor.between_cabinets_s
        tasks[number].add((TRUNK, bundle, cabinets, tuple(frames)), int(cables.bundle_run_mm[bundle]), seconds, 2)
        _at(plan, tasks[number], int(panels.trunk_route[trunk]), frames, cabinets)


def _jumpers(plan: Plan, tasks: list[Task]) -> None:
    """Add jumpers, and the tests of the rows that they complete."""
    panels, cables, rates = panels_of(plan), plan.cables, plan.catalog.labor
    end: dict[int, tuple[int, int]] = {}
    numbers = plan.work.jumper_task.tolist()
    for row, both in zip(panels.row.tolist(), panels.jumper.tolist(), strict=True):
        for side, jumper in enumerate(both):
            end.setdefault(jumper, (row, side))
        last = max(numbers[jumper] for jumper in both)
        if 0 <= last < len(tasks):
            tasks[last].tests += 1
    for jumper, number in enumerate(numbers):
        if not 0 <= number < len(tasks):
            continue
        # The last cable of a router may only hold the rest of a row, whose other pairs are in the one before.
        row, side = end.get(jumper) or end[jumper - 1]
        frame, cabinet = int(panels.frame[panels.jumper_panel[jumper]]), int(cables.cabinet[row, side])
        at = int(panels.frame_cabinet[frame])
        seconds = rates.in_cabinet_s if at == cabinet else rates.between_cabinets_s
        tasks[number].add((JUMPERS, -1, (cabinet, at), (-1, frame)), int(panels.jumper_run_mm[jumper]), seconds, 2)
        _at(plan, tasks[number], int(panels.jumper_route[jumper]), [frame], (cabinet, at))


def _at(plan: Plan, task: Task, route: int, frames: list[int], cabinets: tuple[int, ...]) -> None:
    task.routes.update([route] if route >= 0 else ())
    task.places.update(cabinet for cabinet in cabinets if cabinet >= 0)
    task.places.update(f"frame {frame}" for frame in frames)


def segments_of(plan: Plan, routes: set[int]) -> Iterator[int]:
    """Yield the tray segments of some routes."""
    cables = plan.cables
    for route in routes:
        yield from cables.route_segments[cables.route_indptr[route] : cables.route_indptr[route + 1]].tolist()
