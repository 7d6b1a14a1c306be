"""From a comparison to plain studies: a network that is written out, or the configuration chosen for a family, is a case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from planner import flow, study
from planner.compare.choice import Choice, choose
from planner.compare.settings import Comparison, Simulation, merged
from planner.errors import Infeasible, InputError, Problem
from planner.model import Catalog
from planner.progress import Progress, silent
from planner.study import Study

_ANY = {"topology": {"family": "hypercube", "dimensions": 1}}
"""Stands for the network where the sections that all share are checked."""


@dataclass(frozen=True)
class Case:
    """One network of a comparison.

    Attributes
    ----------
    study
        None where the family has no configuration.
    choice
        How it was found; None for a network that is written out.
    reason
        Why there is no study.
    """

    label: str
    family: str
    study: Study | None = None
    choice: Choice | None = None
    reason: str = ""

    @property
    def parameters(self) -> dict[str, Any]:
        """What the family was built with; of a trimmed network its own parameters and the endpoints that are left."""
        given = dict(self.study.sections["topology"]) if self.study is not None else {}
        given |= given.pop("parameters", {}) if "network" in given else {}
        return {key: value for key, value in given.items() if key not in ("family", "network") and value is not None}


def cases(comparison: Comparison, *, progress: Progress = silent) -> list[Case]:
    """Return the networks to compare: those that are written out, then one for each family.

    Raises
    ------
    InputError
        With every problem of the sections, of the networks that are written out, and of the simulations.
    """
    seen: dict[str, Any] = {}
    _complain(comparison, seen)
    found = []
    for network in comparison.networks:
        made = _study(comparison, network.sections, network.label, seen)
        found.append(Case(network.label, made.sections["topology"]["family"], made))
    if families := comparison.families:
        ports = shared(comparison).router.ports
        for number, family in enumerate(families):
            progress("choice", number, len(families), family=family)
            try:
                choice = choose(family, ports, comparison.demand)
            except Infeasible as error:
                found.append(Case(family, family, reason=str(error)))
                continue
            made = _study(comparison, {"topology": choice.topology}, family, seen)
            found.append(Case(family, family, made, choice))
        progress("choice", len(families), len(families))
    return found


def shared(comparison: Comparison) -> Catalog:
    """Return the parts that all networks share."""
    return flow.make(_study(comparison, _ANY, "", {}), ["catalog"]).catalog


def simulated(comparison: Comparison, case: Case, simulation: Simulation, routing: str) -> Study:
    """Return the study of a case with one traffic under one routing."""
    own = {"simulation": simulation.section | {"routing": routing}}
    section = _study(comparison, _ANY | own, "", {}).sections["simulation"]
    return replace(case.study, sections=case.study.sections | {"simulation": section})


def _study(comparison: Comparison, own: dict[str, Any], label: str, seen: dict[str, Any]) -> Study:
    """A study: the common sections, with those of its own laid over them; of a topology nothing is common."""
    head = comparison.head
    data = {"name": head.name, "title": label or head.title, "seed": head.seed} | merged(comparison.sections, own)
    return study.check(data, base=comparison.base, seen=seen)


def _complain(comparison: Comparison, seen: dict[str, Any]) -> None:
    """Raise all that is wrong with sections, networks and simulations, each thing once."""
    parts: list[tuple[str, dict[str, Any], str]] = [("", _ANY, "")]
    parts += [(f"network.{number}.", network.sections, "") for number, network in enumerate(comparison.networks)]
    parts += [
        (f"simulation.{number}.", _ANY | {"simulation": simulation.section | {"routing": routing}}, "simulation.")
        for number, simulation in enumerate(comparison.simulations)
        for routing in simulation.routings
    ]
    problems: list[Problem] = []
    for place, own, inside in parts:
        try:
            _study(comparison, own, "", seen)
        except InputError as error:
            moved = (_moved(problem, place, own, inside) for problem in error.problems)
            problems += InputError(moved).located(comparison.file, lines=comparison.lines).problems
    if not any(problem.place.startswith("catalog") for problem in problems):
        problems += _unknown_parts(comparison, seen)
    if problems:
        raise InputError(dict.fromkeys(problems))


def _moved(problem: Problem, place: str, own: dict[str, Any], inside: str) -> Problem:
    """The same problem at its place in the comparison: what a network or simulation says stands there."""
    if problem.place.partition(".")[0] not in own:
        return problem
    return replace(problem, place=place + problem.place.removeprefix(inside))


def _unknown_parts(comparison: Comparison, seen: dict[str, Any]) -> Iterator[Problem]:
    """What the catalog and the room say when they are read, which the check of a study does not do."""
    try:
        flow.make(_study(comparison, _ANY, "", seen), ["catalog", "room"])
    except InputError as error:
        yield from error.located(comparison.file, lines=comparison.lines).problems
