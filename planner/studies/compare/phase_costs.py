"""Cost of networks that are bought in phases: the plans of all phases, and what each buys, moves and costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planner.core.errors import Infeasible, InputError
from planner.core.executors import Executor
from planner.core.progress import Progress
from planner.studies.compare.cases import Case
from planner.studies.compare.comparison import Rates
from planner.studies.phased import Phases, phased
from planner.studies.phased.steps import NOT_COUNTED, PhaseStep
from planner.studies.study import Study
from planner.view.schedule import REPLUGGED

FOLDER = "compare.growth"
"""Folder of the plans of all phases."""


@dataclass(frozen=True)
class PhaseCost:
    """What one phase changes and costs, at the prices of the first year.

    Attributes
    ----------
    parts_cents, labor_cents
        New parts, and labor; without spares and energy.
    labor_s
        Person-seconds of a change; None for the first phase, or where the rates have no times.
    moved, moved_at_least, windows
        Moved links, the proven minimum by the quality of the grown network, and windows of work.
    replugged, reused, left_over
        Cables of which one end goes to another port, removed ones that serve as added ones, and those that nothing needs again.
    """

    year: int
    endpoints: int
    routers: int
    links: int
    parts_cents: int
    labor_cents: int
    labor_s: int | None
    moved: int
    moved_at_least: int
    windows: int
    replugged: int
    reused: int
    left_over: int
    mean_hops: float
    mean_hops_ideal: float

    def present_cents(self, rates: Rates, first: int) -> float:
        """Return the present value in the first year."""
        years = self.year - first
        return rates.present(self.parts_cents, years) + rates.present(self.labor_cents, years, labor=True)


@dataclass(frozen=True)
class Growing:
    """The phases of one network, or the reason why there are none."""

    phases: tuple[PhaseCost, ...] = ()
    reason: str = ""


def grow(cases: Sequence[Case], out: Path, *, executor: Executor, progress: Progress) -> dict[str, Growing]:
    """Plan all phases of each network and return their costs by label."""
    tasks = [(case.phased, out / FOLDER / _folder(number, case.label)) for number, case in enumerate(cases, 1)]
    found: dict[str, Growing] = {}
    progress("phases", 0, len(tasks))
    with closing(executor.each(_task, tasks)) as outcomes:
        for number, outcome in outcomes:
            found[cases[number].label] = outcome.result()
            progress("phases", len(found), len(tasks), network=cases[number].label)
    return found


def _folder(number: int, label: str) -> str:
    return f"{number:02}-" + "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in label)[:40]


def _task(task: tuple[Study, Path]) -> Growing:
    study, folder = task
    try:
        return Growing(costs(phased(study, out=folder, until="bill")))
    except Infeasible as error:
        return Growing(reason=str(error))
    except InputError as error:
        return Growing(reason="; ".join(str(problem) for problem in error.problems))


def costs(found: Phases) -> tuple[PhaseCost, ...]:
    """Return what each phase changes and costs."""
    rows = list(found.growth.rows())
    return tuple(_cost(step, row) for step, row in zip(found.steps, rows, strict=True))


def _cost(step: PhaseStep, row: dict[str, Any]) -> PhaseCost:
    if step.difference is None:
        lines, labor_s, replugged, reused, left = step.plan.bill.lines, None, 0, 0, 0
    else:
        bill = step.difference.bill
        assert bill is not None  # every plan of a comparison has a bill
        lines, labor_s, reused = bill.lines, bill.labor_s, len(step.difference.reuse)
        replugged = sum(each.kind == REPLUGGED for each in step.difference.found.cables)
        left = sum(count for _, what, _, count in bill.removed if what == "cable")
    parts = sum(line.cents for line in lines if line.category not in (*NOT_COUNTED, "labor"))
    labor = sum(line.cents for line in lines if line.category == "labor")
    return PhaseCost(
        year=int(step.name),
        parts_cents=parts,
        labor_cents=labor,
        labor_s=labor_s,
        moved_at_least=row["bound_quality"],
        windows=0 if step.windows is None else step.windows.count,
        replugged=replugged,
        reused=reused,
        left_over=left,
        **{name: row[name] for name in ("endpoints", "routers", "links", "moved", "mean_hops", "mean_hops_ideal")},
    )


def growth_figures(phases: Sequence[PhaseCost], rates: Rates, plan: Mapping[str, float]) -> dict[str, float]:
    """Return the figures of a network over its phases.

    Parameters
    ----------
    plan
        Figures of the plan of the last phase, bought on day one.
    """
    if not phases:
        return {}
    first, last = phases[0].year, phases[-1]
    total = sum(phase.present_cents(rates, first) for phase in phases)
    at_once = plan["cost_cents"] - sum(plan.get(f"cost_{category}_cents", 0) for category in NOT_COUNTED)
    years = [phase.year - first for phase in phases]
    labor = [rates.present(phase.labor_cents, after, labor=True) for phase, after in zip(phases, years, strict=True)]
    found: dict[str, float] = {
        "growth_cost_cents": total,
        "growth_cost_per_endpoint_cents": total / last.endpoints,
        "growth_parts_cents": total - sum(labor),
        "growth_labor_cents": sum(labor),
        "growth_change_labor_cents": sum(labor[1:]),
        "day_one_cost_cents": at_once,
        "growth_saved_cents": at_once - total,
        "growth_moved_links": sum(phase.moved for phase in phases),
        "growth_moved_at_least_links": sum(phase.moved_at_least for phase in phases),
        "growth_windows": sum(phase.windows for phase in phases),
        "growth_replugged_cables": sum(phase.replugged for phase in phases),
        "growth_reused_cables": sum(phase.reused for phase in phases),
        "growth_left_over_cables": sum(phase.left_over for phase in phases),
        "growth_mean_hops": last.mean_hops,
    }
    times = [phase.labor_s for phase in phases[1:]]
    if None not in times:
        found["growth_labor_s"] = sum(each for each in times if each is not None)
    for phase in phases:
        found[f"phase_{phase.year}_cost_cents"] = phase.present_cents(rates, first)
        found[f"phase_{phase.year}_endpoints"] = phase.endpoints
        found[f"phase_{phase.year}_moved_links"] = phase.moved
    return found
