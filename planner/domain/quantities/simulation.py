"""Results of the simulation."""

from __future__ import annotations

import math

import numpy as np

from planner.domain.model import SimulationResult
from planner.domain.quantities._quantity import Quantity

ORDER = 110

QUANTITIES = (
    Quantity(
        "throughput",
        "phits/cycle/endpoint",
        "higher",
        "highest accepted load in a steady state",
        "simulation",
        lambda p: float(p.simulation.accepted[p.simulation.settled].max()) if p.simulation.settled.any() else None,
    ),
    Quantity(
        "saturation_throughput",
        "phits/cycle/endpoint",
        "higher",
        "highest offered load with a bounded backlog",
        "simulation",
        lambda p: p.simulation.saturation_throughput,
    ),
    Quantity(
        "load_bound",
        "phits/cycle/endpoint",
        "higher",
        "upper bound of the accepted load of any routing: every link saturated, minimal paths",
        "simulation",
        lambda p: p.simulation.load_bound,
    ),
    Quantity(
        "packet_delay_ps",
        "ps",
        "lower",
        "mean packet delay at the lowest simulated load, from creation to arrival of the last phit",
        "simulation",
        lambda p: _delay_ps(p.simulation),
    ),
    Quantity(
        "workload_ns",
        "ns",
        "lower",
        "completion time of all jobs of the workload, one after the other",
        "workload",
        lambda p: round(p.workload.completion_cycles.sum() * p.workload.cycle_ps / 1000) if p.workload.finished.all() else None,
    ),
    Quantity(
        "workload_steps",
        "steps",
        "lower",
        "time steps of the schedules of all jobs",
        "workload",
        lambda p: int(p.workload.steps.sum()) if p.workload.steps.any() else None,
    ),
    Quantity(
        "workload_conflicts",
        "packets",
        "lower",
        "packets beyond the first on the same direction of a link in the same time step of a schedule",
        "workload",
        lambda p: int(np.maximum(p.workload.conflicts, 0).sum()) if p.workload.steps.any() else None,
    ),
)


def _delay_ps(result: SimulationResult) -> int | None:
    if not result.cycle_ps or not len(result.offered) or not result.settled[result.offered.argmin()]:
        return None
    delay = float(result.delay_mean[result.offered.argmin()])
    return None if math.isnan(delay) else round(delay * result.cycle_ps)
