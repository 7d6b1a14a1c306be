"""Estimated computing time of a simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from planner.core.errors import Problem
from planner.domain.model import Topology
from planner.simulation.case import MAX_DEFAULT_CYCLES

CUT_THROUGH, WORMHOLE = 1_000_000, 1_600_000
"""Approximate speed of one core: packets per second, and phits per second with wormhole switching. ``python -m
benchmarks.simulation`` prints 0.5 to 3 million packets, by network and load."""

MAX_HOURS = 1.0
"""Default limit of the computing time of all loads."""

WARN_HOURS = 5 / 60
"""Estimated time beyond which a warning reports it before a simulation starts."""

GIGABYTES = 8
"""Limit of the size of a result."""


def hours(
    topology: Topology,
    loads: Sequence[float],
    *,
    warmup: int | None,
    cycles: int | None,
    precision: float | None,
    max_cycles: int,
    packet_phits: int,
    flow_control: str | None,
) -> float:
    """Return the estimated time of all loads on one core, in hours, without a search for saturation.

    With `precision`, a run takes up to `max_cycles`, to warm up and to measure.
    """
    measured = max(MAX_DEFAULT_CYCLES if cycles is None else cycles, max_cycles if precision else 0)
    of_each = (warmup or 0) + measured
    phits = float(of_each) * topology.endpoint_count * sum(loads)
    return phits / (WORMHOLE if flow_control == "wormhole" else packet_phits * CUT_THROUGH) / 3600


def excess(topology: Topology, loads: Sequence[float], estimate: float, max_hours: float) -> Iterator[Problem]:
    """Yield what exceeds the limits of time or memory, with the estimate."""
    what = f"{len(loads):,} loads with {topology.endpoint_count:,} endpoints"
    if estimate > max_hours:
        message = f"{what} would take about {spoken(estimate)} of one core; the limit is {spoken(max_hours)}"
        yield Problem("cycles", message, f"use fewer cycles or loads, or max_hours = {_above(estimate)}")
    gigabytes = 4 * len(loads) * 2 * (topology.link_count + topology.endpoint_count) / 1e9
    if gigabytes > GIGABYTES:
        yield Problem(
            "loads", f"{what} would make {gigabytes:,.1f} GB of results; the limit is {GIGABYTES} GB", "use fewer loads"
        )


def spoken(hours: float) -> str:
    """Return a time in a unit that suits it.

    >>> spoken(0.2), spoken(1.5), spoken(60)
    ('12 min', '1.5 h', '2.5 days')
    """
    if hours < 1:
        return f"{max(1, round(hours * 60))} min"
    return f"{hours:.3g} h" if hours < 48 else f"{hours / 24:,.3g} days"


def _above(hours: float) -> int:
    """Return a limit above an estimate, in whole hours."""
    return int(1.1 * hours) + 1
