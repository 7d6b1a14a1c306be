"""Networks whose packets are simulated: those that may be on the Pareto front, by the flow-level model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from planner.core.errors import InputError
from planner.core.executors import Executor
from planner.simulation.fluid import estimate
from planner.studies import pipeline
from planner.studies.compare.cases import Case
from planner.studies.compare.comparison import Comparison, Simulation
from planner.studies.study import Study
from planner.studies.sweep.cache import Cache

_FIGURES = {"cost": "cost_per_endpoint_cents", "power": "power_per_endpoint_mw", "latency": "endpoint_delay_mean_ps"}
"""Figures of a plan by objective; the lower the better."""


class Range(NamedTuple):
    """Lowest and highest saturation that a network is expected to have, by the errors measured for the model."""

    low: float
    high: float


UNKNOWN = Range(0.0, 1.0)
"""The model cannot predict it."""


class Task(NamedTuple):
    study: Study
    section: dict[str, Any]
    routing: str
    stages: Path


def hopeless(
    comparison: Comparison, planned: Sequence[Case], rows: Mapping[str, Mapping[str, Any]], stages: Path, executor: Executor
) -> dict[str, str]:
    """Return the networks that are not simulated, with the reason.

    Another network without violations costs no more, needs no more power and has no longer delays, and the lowest saturation
    that is expected of it is at least the highest one expected here, under every traffic pattern. A network whose saturation the
    model cannot predict is always simulated.

    Parameters
    ----------
    rows
        Figures of the plans by label.
    stages
        Folder with the stages of the plans.
    """
    if any(name not in (*_FIGURES, "saturation") for name in comparison.head.objectives):
        return {}
    wanted = [
        (case.label, simulation, routing)
        for case in planned
        for simulation in comparison.simulations
        for routing in simulation.routings
    ]
    studies = {case.label: case.study for case in planned if case.study is not None}
    tasks = [Task(studies[label], simulation.section, routing, stages) for label, simulation, routing in wanted]
    known = dict(
        zip(((label, each.label, routing) for label, each, routing in wanted), executor.map(range_of, tasks), strict=True)
    )
    ranges = {case.label: [_best(known, case.label, each) for each in comparison.simulations] for case in planned}
    figures = {
        case.label: [rows[case.label][_FIGURES[name]] for name in comparison.head.objectives if name in _FIGURES]
        for case in planned
    }
    legal = [case.label for case in planned if not rows[case.label].get("errors")]
    return {label: reason for label in ranges if (reason := _reason(label, legal, figures, ranges))}


def range_of(task: Task) -> Range:
    """Return the range of a network under one traffic pattern and routing."""
    if not task.section["saturation"]:
        # Without a search the figure is what arrives at one load.
        return UNKNOWN
    plan = pipeline.make(task.study, ["cables"], store=Cache(task.stages))
    try:
        found = estimate(plan, seed=task.study.seed, routing=task.routing, settings=task.section | {"loads": ()})
    except InputError:
        return UNKNOWN
    return UNKNOWN if found.advice else Range(*found.saturation_range)


def _best(known: Mapping[tuple[str, str, str], Range], label: str, simulation: Simulation) -> Range:
    """Return the range of the maximum over all routings."""
    own = [known[label, simulation.label, routing] for routing in simulation.routings]
    return Range(max((each.low for each in own), default=0.0), max((each.high for each in own), default=1.0))


def _reason(
    label: str, others: Iterable[str], figures: Mapping[str, Sequence[float]], ranges: Mapping[str, Sequence[Range]]
) -> str:
    """Return why a network is not on the front whatever packets would show; "" if it may be."""
    for other in others:
        no_worse = all(a <= b for a, b in zip(figures[other], figures[label], strict=True))
        if other != label and no_worse and all(a.low >= b.high for a, b in zip(ranges[other], ranges[label], strict=True)):
            expected = ", ".join(f"{each.low:.2f} to {each.high:.2f}" for each in ranges[label])
            return f"not simulated: the flow-level model expects a saturation of {expected}, and {other} is better in everything"
    return ""
