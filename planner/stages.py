"""The stages of a run: what each makes, what it needs, and the library call behind it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from planner.bill import Rows, bill, terms
from planner.cabling import cable
from planner.cabling.bundling import bundlings
from planner.catalog import rows, select
from planner.check import Source, check
from planner.errors import InputError, Problem, suggestion
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
from planner.near_misses import near_misses
from planner.placement import place
from planner.progress import Progress
from planner.provenance import expanded
from planner.record import Record
from planner.simulation import simulate
from planner.simulation.outages import Outage, deaths
from planner.simulation.workload import workload
from planner.study import SIMULATIONS, Study
from planner.topology import build
from planner.work import work


@dataclass(frozen=True)
class Stage:
    """One stage: the record it makes, the records it needs, the study sections it reads, whether the seed matters."""

    record: type[Record]
    needs: tuple[str, ...]
    sections: tuple[str, ...]
    run: Callable[[Run], Record]
    stored: bool = True
    seeded: bool = True


@dataclass
class Run:
    """What a run knows so far."""

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


def _files(run: Run) -> tuple[str, ...]:
    """Catalog files of the study's own."""
    return tuple(str(run.study.base / file) for file in run.arguments("catalog")["files"])


def _shelf(run: Run) -> Rows:
    """Gives the catalog rows of a kind."""
    return partial(rows, files=_files(run))


def _select(run: Run) -> Catalog:
    # The bill comes late: what its section names is looked up before anything long begins.
    try:
        terms(_shelf(run), **run.arguments("bill"))
    except InputError as error:
        raise error.located(run.study.file, "bill", run.study.lines) from None
    return select(**run.arguments("catalog") | {"files": _files(run)})


def _place(run: Run) -> Placement:
    return place(run.topology, run.catalog, run.lengths, seed=run.study.seed, progress=run.progress, **run.arguments("placement"))


def _cable(run: Run) -> CablePlan:
    return cable(run.topology, run.catalog, run.placement, run.lengths, progress=run.progress, **run.arguments("cabling"))


def _near_misses(run: Run) -> NearMisses:
    prefer = run.arguments("cabling")["prefer"]
    chosen = run.arguments("near_misses")
    return near_misses(run.topology, run.catalog, run.placement, run.cables, run.lengths, prefer=prefer, **chosen)


def _bundlings(run: Run) -> Bundlings:
    cabling = run.arguments("cabling")
    own = cabling["bundling"], cabling["bundling_parameters"] or {}
    return bundlings(run.topology, run.catalog, run.placement, run.cables, run.lengths, *own)


def _latency(run: Run) -> Latency:
    models = rows("delay_model", _files(run))
    chosen = run.arguments("latency")
    return latency(run.topology, run.catalog, run.cables, models, seed=run.study.seed, progress=run.progress, **chosen)


def _bill(run: Run) -> Bill:
    hours_s = run.work.total_s()
    given = {"room": run.room, "rows": _shelf(run), "hours_s": hours_s}
    return bill(run.topology, run.catalog, run.placement, run.cables, **given, **run.arguments("bill"))


def _failures(run: Run) -> Failures:
    chosen = run.arguments("failures")
    powered = power_domains(run.placement, run.catalog, run.room)
    return failures(
        run.topology, run.room, run.placement, run.cables, powered, seed=run.study.seed, progress=run.progress, **chosen
    )


def _check(run: Run) -> Violations:
    """Hold whatever has been planned against itself and against the study."""
    plan = Plan(run.study.name, run.study.title, expanded(run.study), **run.records)
    return check(plan, Source(run.topology, run.catalog, run.room, _shelf(run)))


def _embedded(run: Run) -> dict[str, Any]:
    """What every simulation is given: the cables as planned; nothing but the network where no cable is planned."""
    given = {"topology": run.topology, "seed": run.study.seed, "progress": run.progress, "executor": run.executor}
    if run.study.physical:
        router = run.catalog.router
        return given | {
            "delay_ps": run.cables.delay_ps,
            "router_delay_ps": router.delay_ps,
            "rate_gbps": router.rate_gbps,
        }
    # The study gives all delays in cycles: no cable is needed, and no rate says how long a cycle is.
    cables = run.topology.link_count + run.topology.endpoint_count
    return given | {"delay_ps": np.zeros(cables, np.int64), "router_delay_ps": 0, "rate_gbps": math.inf}


def _dead(run: Run, outages: tuple[Outage, ...]) -> dict[str, np.ndarray]:
    if not outages:
        return {}
    labels, domains = np.zeros((0, 2), str), ()
    if run.study.physical:
        labels = np.column_stack([run.cables.label_a, run.cables.label_b])
        domains = domains_of(run.topology, run.room, run.placement, run.cables, segments=False)
    cables, routers = deaths(run.topology, labels, domains, seed=run.study.seed, outages=outages)
    return {"cable_dead_at": cables, "router_dead_at": routers}


def _simulate(run: Run) -> SimulationResult:
    chosen = dict(run.arguments("simulation"))
    dead = _dead(run, chosen.pop("outages"))
    return simulate(**_embedded(run), **dead, **chosen)


def _workload(run: Run) -> Workload:
    return workload(**_embedded(run), **run.arguments("workload"))


STAGES = {
    # Catalogs and rooms are files that may change, and quick to read: they are read on every run. So is the plan verified.
    "catalog": Stage(Catalog, (), ("catalog",), _select, stored=False),
    "topology": Stage(Topology, (), ("topology",), lambda r: build(**r.arguments("topology")), seeded=False),
    "room": Stage(
        Room,
        ("topology",),
        ("room",),
        lambda r: room(base=r.study.base, routers=r.topology.router_count, **r.arguments("room")),
        stored=False,
    ),
    "placement": Stage(Placement, ("topology", "catalog", "room"), ("placement", "slack"), _place),
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
"""In order. A stage is skipped when the key made of all its inputs equals the stored one."""

NETWORK_STAGES = {
    "topology": STAGES["topology"],
    "bisection": STAGES["bisection"],
    "simulation": Stage(SimulationResult, ("topology",), ("simulation",), _simulate),
    "workload": Stage(Workload, ("topology",), ("workload",), _workload),
}
"""Those of a network study."""


def stages(study: Study, wanted: Iterable[str] = ()) -> dict[str, Stage]:
    """Return the stages of a study in order: all, or those that are wanted with those that they need.

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
