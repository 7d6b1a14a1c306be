"""Stages of a run: their records, dependencies and library calls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from planner.bill import Rows, bill, terms
from planner.cabling import cable
from planner.cabling.bundling import bundlings
from planner.catalog import rows, select
from planner.check import Source, check
from planner.errors import Infeasible, InputError, Problem, suggestion
from planner.failures import domains_of, failures
from planner.floor import Lengths, room
from planner.latency import latency
from planner.metrics.bisection import bisection
from planner.model import (
    Bill,
    Bisection,
    Bundlings,
    CablePlan,
    Catalog,
    Failures,
    Latency,
    NearMisses,
    Placement,
    Plan,
    Room,
    SimulationResult,
    Topology,
    Violations,
    Workload,
    WorkOrder,
    power_domains,
)
from planner.near_misses import near_misses, settled
from planner.placement import place
from planner.progress import Progress
from planner.provenance import expanded
from planner.record import Record
from planner.simulation import simulate
from planner.simulation.outages import Outage, failure_cycles
from planner.simulation.workload import workload
from planner.study import SIMULATIONS, Study
from planner.topology import build
from planner.work import work


@dataclass(frozen=True)
class Stage:
    """A stage: its record type, required records, study sections, function, and whether it is stored and uses the seed."""

    record: type[Record]
    needs: tuple[str, ...]
    sections: tuple[str, ...]
    run: Callable[[Run], Record]
    stored: bool = True
    seeded: bool = True


@dataclass
class Run:
    """State of a run: the study and the records computed so far."""

    study: Study
    progress: Progress
    executor: Any
    records: dict[str, Record] = field(default_factory=dict)
    stages: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.records[name]
        except KeyError:
            raise AttributeError(name) from None

    def arguments(self, section: str) -> dict[str, Any]:
        return self.study.sections.get(section, {})

    @property
    def lengths(self) -> Lengths:
        return Lengths(self.room, self.catalog.cabinet, self.study.slack)


def catalog_files(run: Run) -> tuple[str, ...]:
    """Return the paths of additional catalog files of the study."""
    return tuple(str(run.study.base / file) for file in run.arguments("catalog")["files"])


def _catalog_rows(run: Run) -> Rows:
    """Return a function that reads the catalog rows of a kind."""
    return partial(rows, files=catalog_files(run))


def _select(run: Run) -> Catalog:
    # The bill is computed last; its catalog references are checked before any expensive stage.
    problems: list[Problem] = []
    try:
        terms(_catalog_rows(run), **run.arguments("bill"))
    except InputError as error:
        problems += error.located(run.study.file, "bill", run.study.lines).problems
    try:
        selected = select(**run.arguments("catalog") | {"files": catalog_files(run)})
    except InputError as error:
        # Both calls report problems of catalog files.
        problems = [*error.problems, *(problem for problem in problems if problem not in error.problems)]
    if problems:
        raise InputError(problems)
    return selected


_DRAFTS = 4
"""Maximum number of cable plans for choosing rack units; where trays are full, other units may change routes."""


def _place(run: Run) -> Placement:
    placed = place(
        run.topology, run.catalog, run.lengths, seed=run.study.seed, progress=run.progress, **run.arguments("placement")
    )
    try:
        return _settled(run, placed)
    except (InputError, Infeasible):
        # The cabling stage reports the error.
        return placed
    except KeyboardInterrupt:
        return replace(placed, complete=False)


def _settled(run: Run, placed: Placement) -> Placement:
    """Return the placement with boxes moved to the rack units that minimize the cost of the routed cables."""
    prefer = run.arguments("cabling")["prefer"]
    known = (run.topology, run.catalog)
    cables = _cabled(run, placed)
    for _ in range(_DRAFTS):
        if not cables.complete:
            return replace(placed, complete=False)
        better = settled(*known, placed, cables, run.lengths, prefer=prefer, progress=run.progress)
        if better is placed:
            break
        again = _cabled(run, better)
        if again.price_cents.sum() >= cables.price_cents.sum():
            break
        placed, cables = better, again
    return placed


def _cabled(run: Run, placed: Placement) -> CablePlan:
    return cable(run.topology, run.catalog, placed, run.lengths, progress=run.progress, **run.arguments("cabling"))


def _cable(run: Run) -> CablePlan:
    return _cabled(run, run.placement)


def _near_misses(run: Run) -> NearMisses:
    prefer = run.arguments("cabling")["prefer"]
    chosen = run.arguments("near_misses")
    return near_misses(run.topology, run.catalog, run.placement, run.cables, run.lengths, prefer=prefer, **chosen)


def _bundlings(run: Run) -> Bundlings:
    cabling = run.arguments("cabling")
    own = cabling["bundling"], cabling["bundling_parameters"] or {}
    return bundlings(run.topology, run.catalog, run.placement, run.cables, run.lengths, *own)


def _latency(run: Run) -> Latency:
    models = rows("delay_model", catalog_files(run))
    chosen = run.arguments("latency")
    return latency(run.topology, run.catalog, run.cables, models, seed=run.study.seed, progress=run.progress, **chosen)


def _bill(run: Run) -> Bill:
    hours_s = run.work.total_s()
    given = {"room": run.room, "rows": _catalog_rows(run), "hours_s": hours_s}
    return bill(run.topology, run.catalog, run.placement, run.cables, **given, **run.arguments("bill"))


def _failures(run: Run) -> Failures:
    chosen = run.arguments("failures")
    powered = power_domains(run.placement, run.catalog, run.room)
    return failures(
        run.topology, run.room, run.placement, run.cables, powered, seed=run.study.seed, progress=run.progress, **chosen
    )


def _check(run: Run) -> Violations:
    """Check the plan for consistency and against the study."""
    plan = Plan(run.study.name, run.study.title, expanded(run.study), **run.records)
    return check(plan, Source(run.topology, run.catalog, run.room, _catalog_rows(run)))


def network_arguments(run: Run) -> dict[str, Any]:
    """Return the network arguments of a simulation; zero cable delays for a network-only study."""
    cables = run.records.get("cables")
    no_delay = np.zeros(run.topology.link_count + run.topology.endpoint_count, np.int64)
    given = {"topology": run.topology, "delay_ps": no_delay if cables is None else cables.delay_ps}
    if run.study.physical:
        router = run.catalog.router
        return given | {"router_delay_ps": router.delay_ps, "rate_gbps": router.rate_gbps}
    # All delays are given in cycles, and the cycle time is undefined.
    return given | {"router_delay_ps": 0, "rate_gbps": math.inf}


def _embedded(run: Run) -> dict[str, Any]:
    return network_arguments(run) | {"seed": run.study.seed, "progress": run.progress, "executor": run.executor}


def _outage_cycles(run: Run, outages: tuple[Outage, ...]) -> dict[str, np.ndarray]:
    if not outages:
        return {}
    labels, domains = np.zeros((0, 2), str), ()
    if run.study.physical:
        labels = np.column_stack([run.cables.label_a, run.cables.label_b])
        domains = domains_of(run.topology, run.room, run.placement, run.cables, segments=False)
    cables, routers = failure_cycles(run.topology, labels, domains, seed=run.study.seed, outages=outages)
    return {"cable_fails_at": cables, "router_fails_at": routers}


def _simulate(run: Run) -> SimulationResult:
    chosen = dict(run.arguments("simulation"))
    failed = _outage_cycles(run, chosen.pop("outages"))
    return simulate(**_embedded(run), **failed, **chosen)


def _workload(run: Run) -> Workload:
    return workload(**_embedded(run), **run.arguments("workload"))


STAGES = {
    # Catalogs and rooms may change and are quick to read, so they are read on every run; the plan is also verified every time.
    "catalog": Stage(Catalog, (), ("catalog",), _select, stored=False),
    "topology": Stage(Topology, (), ("topology",), lambda r: build(**r.arguments("topology")), seeded=False),
    "room": Stage(
        Room,
        ("topology",),
        ("room",),
        lambda r: room(base=r.study.base, routers=r.topology.router_count, **r.arguments("room")),
        stored=False,
    ),
    "placement": Stage(Placement, ("topology", "catalog", "room"), ("placement", "cabling", "slack"), _place),
    "cables": Stage(CablePlan, ("topology", "catalog", "room", "placement"), ("cabling", "slack"), _cable),
    "latency": Stage(Latency, ("topology", "catalog", "cables"), ("latency", "catalog"), _latency),
    "near_misses": Stage(
        NearMisses, ("topology", "catalog", "room", "placement", "cables"), ("cabling", "near_misses", "slack"), _near_misses
    ),
    "bundlings": Stage(Bundlings, ("topology", "catalog", "room", "placement", "cables"), ("cabling", "slack"), _bundlings),
    "work": Stage(WorkOrder, ("catalog", "cables"), ("work",), lambda r: work(r.catalog, r.cables, **r.arguments("work"))),
    "bill": Stage(Bill, ("topology", "catalog", "room", "placement", "cables", "work"), ("bill", "catalog"), _bill, stored=False),
    "bisection": Stage(Bisection, ("topology",), (), lambda r: bisection(r.topology, seed=r.study.seed, progress=r.progress)),
    "failures": Stage(Failures, ("topology", "catalog", "room", "placement", "cables"), ("failures",), _failures),
    "simulation": Stage(SimulationResult, ("topology", "catalog", "room", "placement", "cables"), ("simulation",), _simulate),
    "workload": Stage(Workload, ("topology", "catalog", "cables"), ("workload",), _workload),
    "violations": Stage(
        Violations,
        ("topology", "catalog", "room", "placement", "cables", "work", "bill"),
        (),
        _check,
        stored=False,
    ),
}
"""All stages in order; a stage is skipped when the key of all its inputs equals the stored key."""

NETWORK_STAGES = {
    "topology": STAGES["topology"],
    "bisection": STAGES["bisection"],
    "simulation": Stage(SimulationResult, ("topology",), ("simulation",), _simulate),
    "workload": Stage(Workload, ("topology",), ("workload",), _workload),
}
"""Stages of a network study."""


def stages(study: Study, wanted: Iterable[str] = ()) -> dict[str, Stage]:
    """Return the stages of a study in order: all, or the wanted ones with their dependencies.

    Raises
    ------
    InputError
        When the study has no such stage.
    """
    known = STAGES if study.physical else NETWORK_STAGES
    known = {name: stage for name, stage in known.items() if name not in SIMULATIONS or name in study.sections}
    wanted = tuple(wanted)
    if unknown := [name for name in wanted if name not in known]:
        raise InputError(Problem("", f"there is no stage {name!r}", suggestion(name, known)) for name in unknown)
    chosen = set(wanted or known)
    for name in reversed(known):
        if name in chosen:
            chosen |= set(known[name].needs)
    return {name: stage for name, stage in known.items() if name in chosen}
