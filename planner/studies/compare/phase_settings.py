"""Settings of networks that are bought in phases: tables ``[[phase]]`` and the section ``[growth]``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from planner.core import reading, registry, section
from planner.core.errors import InputError, Problem, suggestion
from planner.core.section import collected
from planner.studies import growing
from planner.studies.compare.comparison import Comparison, Objective, Phase, Rates

OBJECTIVES: tuple[Objective, ...] = ("growth", "power", "latency", "saturation")
"""Usual objectives of networks that are bought in phases."""

_REMEDIES = {
    "year": "write year = 2026",
    "endpoints": "write endpoints = 1000",
    "discount": "write discount = 0.05 for 5 % a year",
    "price_change": "write price_change = -0.03 if prices fall by 3 % a year",
    "labor_change": "write labor_change = 0.02 if labor rises by 2 % a year",
}


def settings(
    tables: Sequence[dict[str, Any]], given: Any, problems: list[Problem]
) -> tuple[tuple[Phase, ...], dict[str, Any], Rates]:
    """Return the phases, the section ``[growth]`` of their studies and the yearly rates; problems are collected."""
    phases = tuple(_phase(number, table, problems) for number, table in enumerate(tables))
    if given is None:
        return phases, {}, Rates()
    if not isinstance(given, dict):
        problems.append(Problem("growth", f"must be a section, not {given!r:.80}", "write [growth]"))
        return phases, {}, Rates()
    if not phases:
        problems.append(Problem("growth", "is for networks that are bought in phases", "add [[phase]] with year and endpoints"))
    own = {key: value for key, value in given.items() if key in Rates.__dataclass_fields__}
    rest = {key: value for key, value in given.items() if key not in own}
    rates = Rates()
    try:
        rates = reading.construct(Rates, own)
    except InputError as error:
        problems += (_at("growth", each) for each in error.problems)
    if "alone" in rest:
        problems.append(Problem("growth.alone", "does not apply: the last phase is also planned on day one", "leave it out"))
        del rest["alone"]
    known = len(problems)
    keys = _keys(rest.get("method", "auto"))
    problems += (Problem(f"growth.{key}", "growth has no such key", suggestion(key, keys)) for key in sorted(rest.keys() - keys))
    with collected(problems, "growth"):
        section.read(growing.SECTIONS[1], {key: value for key, value in rest.items() if key in keys})
    weights = rest.get("weights")
    if isinstance(weights, list) and weights and len(weights) != len(phases):
        message = f"{len(weights)} weights for {len(phases)} phases"
        problems.append(Problem("growth.weights", message, "give one for each phase, or none"))
    return phases, rest if len(problems) == known else {}, rates


def _keys(method: Any) -> set[str]:
    """Return the keys of the section: the yearly rates, and those of a study's section with their method."""
    own = {*Rates.__dataclass_fields__, *growing.OWN} - {"alone"}
    with suppress(InputError):
        return own | reading.parameters(registry.function("growth", method)).keys() - {"old", "target", "progress"}
    return own


def _phase(number: int, table: dict[str, Any], problems: list[Problem]) -> Phase:
    try:
        return reading.construct(Phase, table)
    except InputError as error:
        problems += (_at(f"phase.{number}", each) for each in error.problems)
    return Phase(year=number + 1, endpoints=number + 1)


def _at(place: str, problem: Problem) -> Problem:
    key = problem.place.rpartition(".")[2]
    return Problem(f"{place}.{problem.place}".rstrip("."), problem.message, problem.remedy or _REMEDIES.get(key, ""))


def contradictions(made: Comparison, written: dict[str, Any]) -> Iterator[Problem]:
    """Yield problems that concern the phases and other keys."""
    phases = made.phases
    if not phases:
        if "growth" in made.head.objectives:
            yield Problem(
                "objectives", '"growth" is for networks that are bought in phases', "add [[phase]] with year and endpoints"
            )
        for number, network in enumerate(made.networks):
            if network.changes:
                yield Problem(
                    f"network.{number}.changes", "are for networks that are bought in phases", "add [[phase]] with a year"
                )
        return
    if len(phases) == 1:
        yield Problem("phase", "one phase is no growth", "add another [[phase]], or write endpoints and leave [[phase]] out")
    for number, (before, after) in enumerate(pairwise(phases), 1):
        if after.year <= before.year:
            yield Problem(
                f"phase.{number}.year", f"{after.year} follows {before.year}", "list the phases in the order of their years"
            )
        if before.endpoints and after.endpoints and after.endpoints <= before.endpoints:
            message = f"{after.endpoints:,} endpoints follow {before.endpoints:,}"
            yield Problem(f"phase.{number}.endpoints", message, "a phase has more endpoints than the one before it")
    if "endpoints" in written:
        yield Problem("endpoints", "each phase has its own number of endpoints", "leave it out")
    if made.head.trimmed:
        yield Problem("trimmed", "does not apply to phases: an installed router keeps its endpoints", "leave it out")
    for number, phase in enumerate(phases):
        if made.families and phase.endpoints is None:
            yield Problem(f"phase.{number}.endpoints", "families need a number of endpoints", "write endpoints = 1000")
    for number, network in enumerate(made.networks):
        if len(network.changes) != len(phases):
            message = f"{len(network.changes)} changes for {len(phases)} phases"
            remedy = 'write one for each phase: changes = [{ "topology.groups" = 5 }, { "topology.groups" = 9 }]'
            yield Problem(f"network.{number}.changes", message, remedy)
