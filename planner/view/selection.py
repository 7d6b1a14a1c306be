"""Selection of a part of a plan: a network, a cabinet, a row, a router, an install stage, a crew, a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.core.reading import Options
from planner.domain.model import CablePlan, Plan
from planner.view.names import device_names, is_named, network_of_devices, network_of_rows


@dataclass(frozen=True)
class Selection(Options):
    """The part of a plan that a report covers; the fields are options of every format with a parameter `selection`.

    Attributes
    ----------
    cabinet
        Only this cabinet: cables with an end in it.
    row
        Only this row of cabinets.
    router
        Only this router: cables with an end at it.
    stage
        Only this install stage.
    crew
        Only the tasks of this crew, counted from 1.
    task
        Only this task of the work order, counted from 1.
    network
        Only this network, in a plan whose networks have names.
    """

    cabinet: str | None = None
    row: str | None = None
    router: str | None = None
    stage: str | None = None
    crew: Annotated[int, Ge(1)] | None = None
    task: Annotated[int, Ge(1)] | None = None
    network: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole plan."""
        return self == WHOLE

    @property
    def is_place(self) -> bool:
        """Whether it chooses by cabinet and row alone."""
        return replace(self, cabinet=None, row=None).is_whole

    def __str__(self) -> str:
        names = ("network", "stage", "crew", "task", "cabinet", "row", "router")
        chosen = ((name, getattr(self, name)) for name in names)
        return ", ".join(f"{name} {value}" for name, value in chosen if value is not None)

    def cabinets(self, plan: Plan) -> np.ndarray:
        """Return the cabinets of the name or row, or all, in the order of their slots, int64 (N,).

        Raises
        ------
        InputError
            When there is no such cabinet or row; names those with similar names.
        """
        placement, room = plan.placement, plan.room
        if placement is None or room is None:
            if self.cabinet is None and self.row is None:
                return np.zeros(0, np.int64)
            raise InputError(
                Problem("cabinet" if self.cabinet else "row", "the plan places no cabinets", "run the study to its end")
            )
        numbers = np.argsort(placement.slot_of, kind="stable")
        names = np.array(room.slot_names)[placement.slot_of[numbers]]
        rows = np.array(room.row_names)[room.slot_row[placement.slot_of[numbers]]]
        inside = np.ones(len(numbers), bool)
        if self.cabinet is not None:
            inside &= names == named("cabinet", self.cabinet, names.tolist())
        if self.row is not None:
            inside &= rows == named("row", self.row, list(dict.fromkeys(rows.tolist())))
        if not inside.any():
            raise InputError(Problem("cabinet", f"{self.cabinet} is not in row {self.row}", "leave out the row"))
        return numbers[inside]

    def ends(self, plan: Plan) -> np.ndarray:
        """Return which cable ends are in the cabinet or row and at the router, bool (W, 2).

        Raises
        ------
        InputError
            When the plan has no cables, or no such router; as `cabinets`.
        """
        cables = cables_of(plan)
        chosen = np.ones((cables.cable_count, 2), bool)
        if self.cabinet is not None or self.row is not None:
            chosen &= np.isin(cables.cabinet, self.cabinets(plan))
        if self.router is not None:
            chosen &= cables.device == self._router(plan)
        return chosen

    def _router(self, plan: Plan) -> int:
        names = device_names(plan)[: plan.inventory.router_count]
        return names.index(named("router", self.router or "", names))

    def installed(self, plan: Plan) -> np.ndarray:
        """Return which cables of the network the stage, the crew and the task install, or one of their jumpers, bool (W,).

        Raises
        ------
        InputError
            When the plan has no cables, or no such network, stage, crew or task.
        """
        cables = cables_of(plan)
        chosen = np.ones(cables.cable_count, bool)
        if self.stage is not None:
            names = cables.stage_names if plan.work is None else plan.work.stage_names
            stage = names.index(named("stage", self.stage, names))
            # Rows over panels are patched, too.
            chosen &= cables.stage == stage if stage < len(cables.stage_names) else cables.carried
        if self.crew is not None or self.task is not None:
            chosen &= replace(self, stage=None).tasks(plan)[_tasks(plan)].any(axis=1)
        if self.network is not None:
            chosen &= network_of_rows(plan) == one_network(plan, self.network).network
        return chosen

    def tasks(self, plan: Plan) -> np.ndarray:
        """Return which tasks are of the stage and the crew, or the one that is chosen, bool (N,).

        Raises
        ------
        InputError
            When the plan has no work order, or no such stage, crew or task.
        """
        work = plan.work
        if work is None:
            what = "crew" if self.crew is not None else "task"
            raise InputError(Problem(what, "the plan has no work order", "run the study to the end"))
        wanted = np.ones(work.task_count, bool)
        if self.stage is not None:
            wanted &= work.stage == work.stage_names.index(named("stage", self.stage, work.stage_names))
        if self.crew is not None:
            examine_number("crew", self.crew, work.crews)
            wanted &= work.crew == self.crew - 1
        if self.task is not None:
            examine_number("task", self.task, work.task_count)
            wanted &= np.arange(work.task_count) == self.task - 1
        return wanted

    def of_one_network(self, plan: Plan) -> Selection:
        """Return the selection with a network: that of the router, or the first; unchanged where networks have no names."""
        if self.network is not None or not is_named(plan):
            return self
        own = network_of_devices(plan)[self._router(plan)] if self.router is not None else 0
        return replace(self, network=plan.network_names[own])

    def cables(self, plan: Plan) -> np.ndarray:
        """Return the chosen cables: all that are installed with an end in the cabinet or row and at the router, int64 (N,).

        Raises
        ------
        InputError
            As `ends` and `installed`.
        """
        return np.flatnonzero(self.installed(plan) & self.ends(plan).any(axis=1))

    def links(self, plan: Plan) -> np.ndarray:
        """Return the chosen links of the network whose records the plan has, counted from its first, int64 (N,).

        Raises
        ------
        InputError
            As `cables`, unless it is a whole network.
        """
        if replace(self, network=None).is_whole:
            return np.arange(plan.topology.link_count)
        own = plan.inventory.links(plan.network)
        chosen = self.cables(plan)
        return chosen[(chosen >= own.start) & (chosen < own.stop)] - own.start


WHOLE = Selection()
"""The whole plan."""


def _tasks(plan: Plan) -> np.ndarray:
    """Return the tasks that install each cable, int64 (W, 3): of rows over panels that of the trunk, and those of the jumpers."""
    assert plan.work is not None
    tasks = np.repeat(plan.work.task[:, None].astype(np.int64), 3, axis=1)
    if plan.panels is not None and len(plan.panels.row):
        tasks[plan.panels.row, 1:] = plan.work.jumper_task[plan.panels.jumper]
    return tasks


def one_network(plan: Plan, network: str | None) -> Plan:
    """Return the plan with the records of a network, by default the first.

    Raises
    ------
    InputError
        When there is no such network.
    """
    if network is None:
        return plan
    if not is_named(plan):
        raise InputError(Problem("network", f"there is no network {network!r}", "leave it out: the plan has one, without a name"))
    return plan.of(named("network", network, plan.network_names))


def cables_of(plan: Plan) -> CablePlan:
    """Return the cables of a plan.

    Raises
    ------
    InputError
        When the plan has none.
    """
    if plan.cables is None:
        raise InputError(Problem("", "the plan has no cables", "run the study to its end"))
    return plan.cables


def examine_number(what: str, number: int, count: int) -> None:
    """Raise InputError when there is no such crew or task, counted from 1."""
    if number > count:
        raise InputError(Problem(what, f"there is no {what} {number}", f"there are {count:,}, counted from 1"))


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
