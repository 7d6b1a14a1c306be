"""Settings of networks that are bought in stages: tables ``[[stage]]`` and the section ``[growth]``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from planner.core import reading, registry, section
from planner.core.errors import InputError, Problem, suggestion
from planner.core.section import collected
from planner.studies import growing
from planner.studies.compare.comparison import Comparison, Objective, Rates, Stage

OBJECTIVES: tuple[Objective, ...] = ("growth", "power", "latency", "saturation")
"""Usual objectives of networks that are bought in stages."""

_REMEDIES = {
    "year": "write year = 2026",
    "endpoints": "write endpoints = 1000",
    "discount": "write discount = 0.05 for 5 % a year",
    "price_change": "write price_change = -0.03 if prices fall by 3 % a year",
    "labor_change": "write labor_change = 0.02 if labor rises by 2 % a year",
}


def settings(
    tables: Sequence[dict[str, Any]], given: Any, problems: list[Problem]
) -> tuple[tuple[Stage, ...], dict[str, Any], Rates]:
    """Return the stages, the section ``[growth]`` of their studies and the yearly rates; problems are collected."""
    stages = tuple(_stage(number, table, problems) for number, table in enumerate(tables))
    if given is None:
        return stages, {}, Rates()
    if not isinstance(given, dict):
        problems.append(Problem("growth", f"must be a section, not {given!r:.80}", "write [growth]"))
        return stages, {}, Rates()
    if not stages:
        problems.append(Problem("growth", "is for networks that are bought in stages", "add [[stage]] with year and endpoints"))
    own = {key: value for key, value in given.items() if key in Rates.__dataclass_fields__}
    rest = {key: value for key, value in given.items() if key not in own}
    rates = Rates()
    try:
        rates = reading.construct(Rates, own)
    except InputError as error:
        problems += (_at("growth", each) for each in error.problems)
    if "alone" in rest:
        problems.append(Problem("growth.alone", "does not apply: the last stage is also planned on day one", "leave it out"))
        del rest["alone"]
    known = len(problems)
    keys = _keys(rest.get("method", "auto"))
    problems += (Problem(f"growth.{key}", "growth has no such key", suggestion(key, keys)) for key in sorted(rest.keys() - keys))
    with collected(problems, "growth"):
        section.read(growing.SECTIONS[1], {key: value for key, value in rest.items() if key in keys})
    weights = rest.get("weights")
    if isinstance(weights, list) and weights and len(weights) != len(stages):
        message = f"{len(weights)} weights for {len(stages)} stages"
        problems.append(Problem("growth.weights", message, "give one for each stage, or none"))
    return stages, rest if len(problems) == known else {}, rates


def _keys(method: Any) -> set[str]:
    """Return the keys of the section: the yearly rates, and those of a study's section with their method."""
    own = {*Rates.__dataclass_fields__, *growing.OWN} - {"alone"}
    with suppress(InputError):
        return own | reading.parameters(registry.function("growth", method)).keys() - {"old", "target", "progress"}
    return own


def _stage(number: int, table: dict[str, Any], problems: list[Problem]) -> Stage:
    try:
        return reading.construct(Stage, table)
    except InputError as error:
        problems += (_at(f"stage.{number}", each) for each in error.problems)
    return Stage(year=number + 1, endpoints=number + 1)


def _at(place: str, problem: Problem) -> Problem:
    key = problem.place.rpartition(".")[2]
    return Problem(f"{place}.{problem.place}".rstrip("."), problem.message, problem.remedy or _REMEDIES.get(key, ""))


def contradictions(made: Comparison, written: dict[str, Any]) -> Iterator[Problem]:
    """Yield problems that concern the stages and other keys."""
    stages = made.stages
    if not stages:
        if "growth" in made.head.objectives:
            yield Problem(
                "objectives", '"growth" is for networks that are bought in stages', "add [[stage]] with year and endpoints"
            )
        for number, network in enumerate(made.networks):
            if network.changes:
                yield Problem(
                    f"network.{number}.changes", "are for networks that are bought in stages", "add [[stage]] with a year"
                )
        return
    if len(stages) == 1:
        yield Problem("stage", "one stage is no growth", "add another [[stage]], or write endpoints and leave [[stage]] out")
    for number, (before, after) in enumerate(pairwise(stages), 1):
        if after.year <= before.year:
            yield Problem(
                f"stage.{number}.year", f"{after.year} follows {before.year}", "list the stages in the order of their years"
            )
        if before.endpoints and after.endpoints and after.endpoints <= before.endpoints:
            message = f"{after.endpoints:,} endpoints follow {before.endpoints:,}"
            yield Problem(f"stage.{number}.endpoints", message, "a stage has more endpoints than the one before it")
    if "endpoints" in written:
        yield Problem("endpoints", "each stage has its own number of endpoints", "leave it out")
    if made.head.trimmed:
        yield Problem("trimmed", "does not apply to stages: an installed router keeps its endpoints", "leave it out")
    for number, stage in enumerate(stages):
        if made.families and stage.endpoints is None:
            yield Problem(f"stage.{number}.endpoints", "families need a number of endpoints", "write endpoints = 1000")
    for number, network in enumerate(made.networks):
        if len(network.changes) != len(stages):
            message = f"{len(network.changes)} changes for {len(stages)} stages"
            remedy = 'write one for each stage: changes = [{ "topology.groups" = 5 }, { "topology.groups" = 9 }]'
            yield Problem(f"network.{number}.changes", message, remedy)
