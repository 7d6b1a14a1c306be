"""What the simulation measured."""

from __future__ import annotations

import math

from planner.model import SimulationResult
from planner.quantities._quantity import Quantity

QUANTITIES = (
    Quantity(
        "throughput",
        "phits/cycle/endpoint",
        "higher",
        "largest load that the simulation saw accepted in a steady state",
        "simulation",
        lambda p: float(p.simulation.accepted[p.simulation.settled].max()) if p.simulation.settled.any() else None,
    ),
    Quantity(
        "saturation_throughput",
        "phits/cycle/endpoint",
        "higher",
        "highest load that the network carries with a bounded backlog",
        "simulation",
        lambda p: p.simulation.saturation_throughput,
    ),
    Quantity(
        "load_bound",
        "phits/cycle/endpoint",
        "higher",
        "load that no routing can exceed: all links full, minimal ways",
        "simulation",
        lambda p: p.simulation.load_bound,
    ),
    Quantity(
        "packet_delay_ps",
        "ps",
        "lower",
        "mean delay of packets at the lowest simulated load, from creation to the last phit",
        "simulation",
        lambda p: _delay_ps(p.simulation),
    ),
    Quantity(
        "workload_ns",
        "ns",
        "lower",
        "time that the jobs of the workload take, one after the other",
        "workload",
        lambda p: round(p.workload.completion_cycles.sum() * p.workload.cycle_ps / 1000) if p.workload.finished.all() else None,
    ),
)


def _delay_ps(result: SimulationResult) -> int | None:
    if not result.cycle_ps or not len(result.offered) or not result.settled[result.offered.argmin()]:
        return None
    delay = float(result.delay_mean[result.offered.argmin()])
    return None if math.isnan(delay) else round(delay * result.cycle_ps)
