"""All records of one study."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from planner.model.bill import Bill
from planner.model.bisection import Bisection
from planner.model.bundlings import Bundlings
from planner.model.cables import CablePlan
from planner.model.catalog import Catalog
from planner.model.failures import Failures
from planner.model.latency import Latency
from planner.model.near_misses import NearMisses
from planner.model.placement import Placement
from planner.model.room import Room
from planner.model.simulation import SimulationResult
from planner.model.topology import Topology
from planner.model.violations import Violations
from planner.model.work import WorkOrder
from planner.model.workload import Workload


@dataclass(frozen=True, eq=False)
class Plan:
    """All records of one study: those of the stages that ran, the quantities and the provenance."""

    name: str
    title: str
    study: dict[str, Any]
    catalog: Catalog | None = None
    room: Room | None = None
    topology: Topology | None = None
    placement: Placement | None = None
    cables: CablePlan | None = None
    bill: Bill | None = None
    latency: Latency | None = None
    simulation: SimulationResult | None = None
    workload: Workload | None = None
    bisection: Bisection | None = None
    near_misses: NearMisses | None = None
    bundlings: Bundlings | None = None
    work: WorkOrder | None = None
    violations: Violations | None = None
    failures: Failures | None = None
    quantities: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
