"""Execution of comparisons: plans, then simulations, as two sweeps of one table; finished runs are reused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from planner.core import version
from planner.core.executors import Executor
from planner.core.progress import Progress, silent
from planner.domain.catalog import rows as parts_of
from planner.domain.model import Catalog, Plan
from planner.domain.parts import RouterPart
from planner.studies import pipeline, sweep
from planner.studies.compare.cases import Case, cases, shared, simulated
from planner.studies.compare.comparison import Comparison
from planner.studies.compare.entries import Entry, Figures, derived, saturation
from planner.studies.compare.packets import hopeless
from planner.studies.compare.phase_costs import Growing, grow, growth_figures
from planner.studies.explore.capacity import limit_of
from planner.studies.study import Study
from planner.studies.sweep.cache import Cache
from planner.studies.sweep.work import DONE, INFEASIBLE

PLAN_STAGES = ("bill", "latency", "bisection", "violations")
"""Stages of every network before its simulations."""

_FLOOR = ("catalog", "room", "topology", "inventory", "placement")

_UNSETTLED = "no steady state was reached; increase the warm-up or max_cycles"

Row = dict[str, Any]


@dataclass(frozen=True)
class Result:
    """Result of a comparison.

    Attributes
    ----------
    entries
        Networks in the order of the comparison.
    catalog
        Catalog shared by all networks.
    table
        The table with all runs, an SQLite file.
    reused
        Number of runs that were already in the table.
    routers
        All router parts of the catalog.
    """

    comparison: Comparison
    entries: tuple[Entry, ...]
    catalog: Catalog
    room: str
    table: Path
    reused: int = 0
    routers: tuple[RouterPart, ...] = ()

    @property
    def done(self) -> list[Entry]:
        """Networks with figures."""
        return [entry for entry in self.entries if entry.done]

    @property
    def succeeded(self) -> bool:
        """Whether every network is planned without violations or is infeasible."""
        bad = [entry for entry in self.entries if entry.status not in (DONE, INFEASIBLE) or entry.figures.get("errors")]
        return bool(self.done) and not bad


def run(comparison: Comparison, out: Path | str, *, executor: Executor, progress: Progress = silent) -> Result:
    """Plan and simulate every network of a comparison.

    Parameters
    ----------
    out
        Folder for the table ``compare.sqlite`` and the reusable stages.
    executor
        See `planner.core.executors`; the result does not depend on it.

    Raises
    ------
    InputError
        With all problems of the comparison; nothing is written.
    KeyboardInterrupt
        After finished runs have been stored.
    """
    out = Path(out)
    known = cases(comparison, progress=progress)
    table, stages = out / "compare.sqlite", out / "compare.stages"
    given: dict[str, Any] = {"table": table, "stages": stages, "executor": executor}
    studies = {case.label: case.study for case in known if case.study is not None}
    found = _sweep("plans", studies.values(), PLAN_STAGES, progress, **given)
    rows = _rows(table)
    of_plans = {label: _row(rows, study, PLAN_STAGES) for label, study in studies.items()}
    planned = [case for case in known if case.label in studies and of_plans[case.label]["status"] == DONE]
    ordered = sorted(planned, key=lambda case: -of_plans[case.label]["links"])
    skipped = {}
    if comparison.head.packets == "front":
        figures = {case.label: of_plans[case.label] for case in planned}
        skipped = hopeless(comparison, planned, figures, stages.resolve(), executor)
    # The largest first, so that no core waits for the last one.
    runs = {
        (case.label, simulation.label, routing): simulated(comparison, studies[case.label], simulation, routing)
        for case in ordered
        if case.label not in skipped
        for simulation in comparison.simulations
        for routing in simulation.routings
    }
    found += _sweep("simulations", runs.values(), ("simulation",), progress, **given)
    rows = _rows(table)
    grown = grow([case for case in planned if case.phased is not None], out, executor=executor, progress=progress)
    entries = []
    for number, case in enumerate(known):
        progress("floors", number, len(known))
        own = {key[1:]: _row(rows, study, ("simulation",)) for key, study in runs.items() if key[0] == case.label}
        entry = _entry(comparison, case, rows, own, Cache(stages.resolve()))
        if case.label in skipped:
            entry = replace(entry, left_out=_left_out(comparison, skipped[case.label]))
        entries.append(with_growth(comparison, entry, grown[case.label]) if case.label in grown else entry)
    progress("floors", len(known), len(known))
    rooms = [entry.floor.room.title for entry in entries if entry.floor is not None]
    files = [str(comparison.base / file) for file in comparison.sections["catalog"].get("files", ())]
    routers = parts_of("router", files)
    return Result(comparison, tuple(entries), shared(comparison), rooms[0] if rooms else "", table, found, routers)


def _left_out(comparison: Comparison, reason: str) -> dict[tuple[str, str], str]:
    """Return one reason for all simulations of a network."""
    return {(each.label, routing): reason for each in comparison.simulations for routing in each.routings}


def with_growth(comparison: Comparison, entry: Entry, found: Growing) -> Entry:
    """Return an entry with what its phases cost."""
    figures = entry.figures | growth_figures(found.phases, comparison.rates, entry.figures)
    return replace(entry, figures=figures, phases=found.phases, no_growth=found.reason)


def _sweep(
    name: str,
    studies: Iterable[Study],
    wanted: tuple[str, ...],
    progress: Progress,
    *,
    table: Path,
    stages: Path,
    executor: Executor,
) -> int:
    """Execute runs that are missing in the table; return the number of reused runs."""
    studies = tuple(studies)
    if not studies:
        return 0
    runs = sweep.Sweep("compare", Path(), studies, tuple({"network": study.title} for study in studies), wanted)

    def shown(stage: str, done: int, total: int, **facts: Any) -> None:
        progress(name, done, total, **facts)

    return sweep.run(runs, table, executor=executor, cache=stages, progress=shown).reused


def _rows(table: Path) -> dict[str, Row]:
    """Return the rows of a table by fingerprint; {} if nothing could be planned."""
    if not table.is_file():
        return {}
    with sweep.Store(table) as store:
        names, found = store.runs()
    rows = (dict(zip(names, row, strict=True)) for row in found)
    return {row["fingerprint"]: row for row in rows}


def _row(rows: dict[str, Row], study: Study, wanted: tuple[str, ...]) -> Row:
    return rows[sweep.run_fingerprint(study, wanted, version.source())]


def _entry(
    comparison: Comparison, case: Case, rows: dict[str, Row], simulations: dict[tuple[str, str], Row], cache: Cache
) -> Entry:
    if case.study is None:
        return Entry(case, INFEASIBLE, case.reason)
    row = _row(rows, case.study, PLAN_STAGES)
    if row["status"] != DONE:
        return Entry(case, row["status"], row["message"])
    # The table does not contain locations and the interval of the bisection.
    plan = pipeline.make(case.study, [*_FLOOR, "bisection"], store=cache)
    figures: Figures = {name: value for name, value in row.items() if isinstance(value, int | float) and name != "number"}
    figures |= {"bisection_lower_links": plan.bisection.lower, "bisection_upper_links": plan.bisection.upper}
    figures["ports_used"] = int((plan.topology.degree + plan.topology.endpoints_of).max(initial=0))
    figures["endpoints_per_router"] = int(plan.topology.endpoints_of.max(initial=0))
    carried = case.choice.limit if case.choice is not None else limit_of(plan.topology).endpoints
    figures |= {"endpoints_carried": carried} if isfinite(carried) else {}
    left_out = {}
    searched = {simulation.label: simulation.section["saturation"] for simulation in comparison.simulations}
    for (traffic, routing), run in simulations.items():
        reached = run.get("saturation_throughput" if searched[traffic] else "throughput")
        if run["status"] != DONE:
            left_out[traffic, routing] = run["message"]
        elif reached is None:
            left_out[traffic, routing] = _UNSETTLED
        else:
            figures[saturation(traffic, routing)] = reached
    routings = {simulation.label: simulation.routings for simulation in comparison.simulations}
    figures |= derived(figures, plan.catalog, routings)
    floor = Plan(plan.name, plan.title, {}, **{name: getattr(plan, name) for name in _FLOOR})
    return replace(Entry(case, DONE, row["message"], figures, left_out), floor=floor)
