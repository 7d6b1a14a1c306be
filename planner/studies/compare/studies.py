"""Studies of a comparison: common sections overridden by those of a network or a simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from planner.core.errors import Infeasible, InputError, Problem
from planner.studies import pipeline, study
from planner.studies.compare.comparison import Comparison, Network
from planner.studies.study import Study

ANY = {"topology": {"family": "hypercube", "dimensions": 1}}
"""Placeholder network for checking the common sections."""

_UNREAD = {"name": "read", "catalog": dict.fromkeys(("router", "endpoint", "cabinet"), "-"), "room": {"plan": "-"}}
"""Placeholders for inputs of other stages than the one checked, and for missing parts."""

_READ = (("catalog", ("catalog", "bill")), ("room", ("room",)), ("topology", ("topology",)))
"""Stages that read files or build a network, and their sections."""


def merged(data: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return nested tables with single values replaced.

    Examples
    --------
    >>> merged({"room": {"plan": "lab", "design_fill": 0.4}}, {"room": {"plan": "hall-a"}})
    {'room': {'plan': 'hall-a', 'design_fill': 0.4}}
    """
    both = dict(data)
    for key, value in changes.items():
        old = both.get(key)
        both[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return both


def study_of(comparison: Comparison, own: dict[str, Any], label: str, seen: dict[str, Any]) -> Study:
    """Return a study from the common sections and its own, which override them; the topology is never common.

    Parameters
    ----------
    seen
        As for `planner.studies.study.check`.

    Raises
    ------
    InputError
        With all problems of its sections.
    """
    head = comparison.head
    data = {"name": head.name, "title": label or head.title, "seed": head.seed} | merged(comparison.sections, own)
    return study.check(data, base=comparison.base, seen=seen)


def phased_of(
    comparison: Comparison, own: dict[str, Any], changes: Sequence[dict[str, Any]], label: str, seen: dict[str, Any]
) -> Study:
    """Return the study of a network that is bought in phases, with the changes of each phase.

    Raises
    ------
    InputError
        With all problems of its sections and phases.
    """
    phases = [{"name": str(phase.year), "change": change} for phase, change in zip(comparison.phases, changes, strict=True)]
    return study_of(comparison, own | {"phase": phases, "growth": comparison.growth | {"alone": False}}, label, seen)


def problems(comparison: Comparison) -> list[Problem]:
    """Return all problems of the common sections, the networks and the simulations, each once.

    These include missing parts, rooms and files, and networks that cannot be built.
    """
    seen: dict[str, Any] = {}
    common = [*_wrong(comparison, ANY, seen), *_unavailable(comparison, ANY, seen)]
    found = list(common)
    for number, network in enumerate(comparison.networks):
        own = network.last
        for problem in (*_wrong(comparison, own, seen), *_unavailable(comparison, own, seen)):
            keys = problem.place.split(".")
            # Problems of own sections refer to the network.
            if keys[0] in own and not problem.file and (has(own, keys) or problem not in common):
                problem = replace(problem, place=f"network.{number}.{problem.place}")
            found.append(problem)
        if len(network.changes) == len(comparison.phases) > 0 and not found:
            found += _of_phases(comparison, network, number, seen)
    found += _simulated(comparison, seen)
    # Missing sections are reported by the check of the comparison.
    missing = {name for name in ("catalog", "room") if name not in comparison.sections}
    return [problem for problem in dict.fromkeys(found) if problem.place not in missing]


def _of_phases(comparison: Comparison, network: Network, number: int, seen: dict[str, Any]) -> Iterator[Problem]:
    """Yield problems of the phases of an explicit network, at its changes."""
    try:
        phased_of(comparison, network.sections, network.changes, "", seen)
    except InputError as error:
        for problem in error.problems:
            keys = problem.place.split(".")
            if keys[0] == "phase" and len(keys) > 1:
                problem = replace(problem, place=f"network.{number}.changes.{keys[1]}")
            yield problem


def _wrong(comparison: Comparison, own: dict[str, Any], seen: dict[str, Any]) -> tuple[Problem, ...]:
    try:
        study_of(comparison, own, "", seen)
    except InputError as error:
        return error.problems
    return ()


def _unavailable(comparison: Comparison, own: dict[str, Any], seen: dict[str, Any]) -> Iterator[Problem]:
    """Yield problems found by reading parts and room and building the network."""
    sections = merged(comparison.sections, own)
    for stage, names in _READ:
        written = {name: sections[name] for name in names if name in sections}
        if not (own is ANY or written.keys() & own.keys()):
            continue
        try:
            pipeline.make(_readable(comparison, written, seen), [stage])
        except InputError as error:
            # Problems of placeholders are not reported.
            yield from (problem for problem in error.problems if problem.file or has(written, problem.place.split(".")))
        except Infeasible:
            # Reported as a row of the comparison.
            continue


def _readable(comparison: Comparison, written: dict[str, Any], seen: dict[str, Any]) -> Study:
    """Return a study with some sections of a comparison, with placeholders for invalid catalog keys."""
    try:
        return study.check(ANY | merged(_UNREAD, written), base=comparison.base, seen=seen)
    except InputError as error:
        right = {section: dict(keys) for section, keys in written.items() if section == "catalog" and isinstance(keys, dict)}
        if not right:
            raise
        for problem in error.problems:
            section, _, key = problem.place.partition(".")
            right.get(section, {}).pop(key.partition(".")[0], None)
    return study.check(ANY | merged(_UNREAD, right), base=comparison.base, seen=seen)


def _simulated(comparison: Comparison, seen: dict[str, Any]) -> Iterator[Problem]:
    """Yield problems of the simulations."""
    for number, simulation in enumerate(comparison.simulations):
        for routing in simulation.routings or ("minimal",):
            own = ANY | {"simulation": simulation.section | {"routing": routing}}
            for problem in _wrong(comparison, own, seen):
                section, _, key = problem.place.partition(".")
                if section == "simulation":
                    key = "routings" if key == "routing" else key
                    yield replace(problem, place=f"simulation.{number}.{key}".rstrip("."))


def has(data: Any, keys: list[str]) -> bool:
    """Return whether nested tables contain a key path, or a value at a prefix of it."""
    for key in keys:
        if not isinstance(data, dict):
            return True
        if key not in data:
            return False
        data = data[key]
    return True
