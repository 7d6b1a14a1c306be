"""The stages of a run: what each makes, what it needs, and the library call behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from planner.bill import bill
from planner.cabling import cable
from planner.catalog import select
from planner.check import check
from planner.floor import Lengths, room
from planner.latency import latency
from planner.model import (
    Bill,
    CablePlan,
    Catalog,
    Latency,
    Placement,
    Plan,
    Room,
    SimulationResult,
    Topology,
    Violations,
)
from planner.placement import place
from planner.progress import Progress
from planner.record import Record
from planner.simulation import simulate
from planner.study import Study
from planner.topology import build


@dataclass(frozen=True)
class Stage:
    """One stage: the record it makes, the records it needs, the study sections it reads."""

    record: type[Record]
    needs: tuple[str, ...]
    sections: tuple[str, ...]
    run: Callable[[Run], Record]
    stored: bool = True


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


def _select(run: Run) -> Catalog:
    arguments = run.arguments("catalog")
    return select(**arguments | {"files": tuple(str(run.study.base / file) for file in arguments["files"])})


def _place(run: Run) -> Placement:
    return place(run.topology, run.catalog, run.lengths, seed=run.study.seed, progress=run.progress, **run.arguments("placement"))


def _cable(run: Run) -> CablePlan:
    return cable(run.topology, run.catalog, run.placement, run.lengths, progress=run.progress, **run.arguments("cabling"))


def _simulate(run: Run) -> SimulationResult:
    return simulate(
        run.topology,
        run.cables.delay_ps,
        router_delay_ps=run.catalog.router.delay_ps,
        rate_gbps=run.catalog.router.rate_gbps,
        seed=run.study.seed,
        progress=run.progress,
        executor=run.executor,
        **run.arguments("simulation"),
    )


STAGES = {
    # Catalogs and rooms are files that may change, and quick to read: they are read on every run.
    "catalog": Stage(Catalog, (), ("catalog",), _select, stored=False),
    "topology": Stage(Topology, (), ("topology",), lambda r: build(**r.arguments("topology"))),
    "room": Stage(
        Room,
        ("topology",),
        ("room",),
        lambda r: room(base=r.study.base, routers=r.topology.router_count, **r.arguments("room")),
        stored=False,
    ),
    "placement": Stage(Placement, ("topology", "catalog", "room"), ("placement", "slack"), _place),
    "cables": Stage(CablePlan, ("topology", "catalog", "room", "placement"), ("cabling", "slack"), _cable),
    "bill": Stage(
        Bill, ("topology", "catalog", "placement", "cables"), (), lambda r: bill(r.topology, r.catalog, r.placement, r.cables)
    ),
    "latency": Stage(
        Latency,
        ("topology", "catalog", "cables"),
        (),
        lambda r: latency(r.topology, r.catalog, r.cables, seed=r.study.seed, progress=r.progress),
    ),
    "simulation": Stage(SimulationResult, ("topology", "catalog", "cables"), ("simulation",), _simulate),
    "violations": Stage(
        Violations,
        ("topology", "catalog", "room", "placement", "cables", "bill"),
        (),
        lambda r: check(Plan(r.study.name, r.study.title, {}, **r.records)),
    ),
}
"""In order. A stage is skipped when the key made of all its inputs equals the stored one."""
