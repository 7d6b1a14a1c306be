"""What each phase changes, and what it costs next to planning each phase alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from planner.domain.model import Plan
from planner.fabric.baseline import Planned
from planner.network.growth import Growth, Windows, windows
from planner.network.growth.step import Step
from planner.studies.diff import Comparison
from planner.studies.diff.reuse import Order
from planner.studies.diff.run import comparison
from planner.view import schedule

NOT_COUNTED = ("spares", "packs", "energy")
"""Categories of the bill that the cost of phases leaves out: the bill of a change has none of them."""


@dataclass(frozen=True, eq=False)
class PhaseStep:
    """One phase: the first one, or the change from the phase before.

    Attributes
    ----------
    name
        Name of the phase.
    plan
        Its plan.
    change
        What stays, is moved and is added in the network; None for the first phase.
    windows
        Windows of work of the change, with the ports of both plans; None for the first phase and without cables.
    difference
        The difference of the plan from that of the phase before; None for the first phase and without cables.
    alone
        The plan of the phase alone in the empty room; None where it was not planned.
    alone_difference
        Its difference from the plan of the phase before that was planned alone.
    """

    name: str
    plan: Plan
    change: Step | None = None
    windows: Windows | None = None
    difference: Comparison | None = None
    alone: Plan | None = None
    alone_difference: Comparison | None = None

    @property
    def cost_cents(self) -> int | None:
        """Price of the first phase, or of the change: devices, cabinets, cables, labels and labor; None without a bill."""
        return _cost(self.plan, self.difference)

    @property
    def alone_cents(self) -> int | None:
        """The same where each phase is planned alone."""
        return None if self.alone is None else _cost(self.alone, self.alone_difference)

    @cached_property
    def link_mm(self) -> int | None:
        """Run length of all links; None without cables."""
        return link_mm(self.plan)

    @property
    def loss_percent(self) -> float | None:
        """How much longer the links are than in the plan of the phase alone, in percent; None where it was not planned."""
        own, other = self.link_mm, None if self.alone is None else link_mm(self.alone)
        return None if own is None or not other else 100 * (own / other - 1)


def _cost(plan: Plan, difference: Comparison | None) -> int | None:
    if difference is not None:
        return None if difference.bill is None else difference.bill.cents
    if plan.bill is None:
        return None
    return sum(line.cents for line in plan.bill.lines if line.category not in NOT_COUNTED)


def link_mm(plan: Plan) -> int | None:
    """Return the run length of all links of a plan."""
    if plan.cables is None:
        return None
    return int(plan.cables.run_mm[plan.inventory.is_link].sum(dtype=np.int64))


def steps_of(growth: Growth, plans: Sequence[Plan], alone: Sequence[Plan], settings: Mapping[str, Any]) -> tuple[PhaseStep, ...]:
    """Return each phase with what it changes."""
    found = []
    for number, (name, plan) in enumerate(zip(growth.names, plans, strict=True)):
        own = alone[number] if alone else None
        if not number:
            found.append(PhaseStep(name, plan, alone=own))
            continue
        change, before = growth.steps[number - 1], plans[number - 1]
        difference = alone_difference = None
        work = growth.windows[number - 1]
        if plan.cables is not None:
            names = growth.names[number - 1 : number + 1]
            blocks = before_of(before, plan, change.moved, change.added)
            work = windows(change, ends_down=settings["ends_down"], cables_down=settings["cables_down"], before=blocks)
            difference = _difference(names, before, plan, settings["reuse"], _order(change, work))
            if own is not None:
                alone_difference = _difference(names, alone[number - 1], own, settings["reuse"])
        found.append(PhaseStep(name, plan, change, work, difference, own, alone_difference))
    return tuple(found)


def _order(change: Step, work: Windows) -> Order:
    """Return when the links of a step are taken out and put in, by the rows of the schedules."""
    leaves = zip((change.moved + 1).tolist(), work.moved.tolist(), strict=True)
    return Order(dict(leaves), dict(zip((change.added + 1).tolist(), work.added.tolist(), strict=True)))


def _difference(names: Sequence[str], old: Plan, new: Plan, reuse: bool, order: Order | None = None) -> Comparison:
    given = [Planned(schedule.of_plan(plan), Path(name), plan) for name, plan in zip(names, (old, new), strict=True)]
    return comparison(*given, reuse=reuse, order=order)


def before_of(old: Plan, new: Plan, moved: np.ndarray, added: np.ndarray) -> np.ndarray:
    """Return the moved link in the port of each added link at both ends, index into the moved ones, -1 for none, int64 (A, 2).

    Parameters
    ----------
    moved, added
        Cables of the old and of the new plan, int64 (M,) and (A,).
    """
    place = {end: number for number, ends in enumerate(_ends(old, moved)) for end in ends}
    return np.array([[place.get(end, -1) for end in ends] for ends in _ends(new, added)], np.int64).reshape(-1, 2)


def _ends(plan: Plan, cables: np.ndarray) -> Iterator[list[tuple[str, int]]]:
    """Yield device and port of both ends of each cable; both plans have the same names."""
    devices, ports = plan.inventory.names[plan.cables.device[cables]], plan.cables.port[cables]
    for names, numbers in zip(devices.tolist(), ports.tolist(), strict=True):
        yield list(zip(names, numbers, strict=True))
