"""What the simulation measured."""

from __future__ import annotations

from planner.quantities._quantity import Quantity

QUANTITIES = (
    Quantity(
        "throughput",
        "phits/cycle/endpoint",
        "higher",
        "largest load that the simulation saw accepted",
        "simulation",
        lambda p: float(p.simulation.accepted.max(initial=0)),
    ),
)
