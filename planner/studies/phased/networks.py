"""The networks of all phases, checked before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from planner.core.errors import Infeasible, InputError, Problem
from planner.core.progress import Progress, silent
from planner.domain.model import Topology
from planner.network.growth import Growth, plan
from planner.network.topology import from_links
from planner.studies import growing
from planner.studies.pipeline import accept
from planner.studies.stage import Run, Study
from planner.studies.stages import stages


@dataclass(frozen=True)
class Networks:
    """The networks of the phases, and what was read to check their studies.

    Attributes
    ----------
    growth
        The networks with what each step moves.
    run
        Records of the last phase that only read input: catalog, room, and the network as it would be built alone.
    """

    growth: Growth
    run: Run


def networks(study: Study, *, progress: Progress = silent, executor: Any = None) -> Networks:
    """Return the networks of all phases of a study.

    Raises
    ------
    InputError
        With the problems of all phases: keys, parts, rooms, phases that shrink, methods that cannot grow the network, routers
        whose endpoints change, and windows that do not exist.
    """
    if not study.phases:
        raise InputError(Problem("phase", "the study has no phases", "add [[phase]] with name and change")).located(study.file)
    problems: list[Problem] = []
    runs: list[Run] = []
    for number, (name, one) in enumerate(study.phases.items()):
        progress("phases", number, len(study.phases), now=name)
        state = Run(one, silent, executor)
        try:
            accept(state, stages(one), None)
        except InputError as error:
            problems += error.problems
        runs.append(state)
    if all("topology" in state.records for state in runs):
        problems += growing.smaller(tuple(study.phases), [state.topology.router_count for state in runs])
    problems += _rooms(study, runs)
    if problems:
        # Phases share sections, and their problems.
        raise InputError(dict.fromkeys(InputError(problems).located(study.file, lines=study.lines).problems))
    growth = _grown(study, [state.topology for state in runs], progress)
    problems = [*_endpoints(growth), *_windows(growth, study.growth)]
    if problems:
        raise InputError(problems).located(study.file, lines=study.lines)
    progress("phases", len(study.phases), len(study.phases))
    return Networks(growth, runs[-1])


def _rooms(study: Study, runs: list[Run]) -> list[Problem]:
    """Return the problem of a room that is drawn for the routers of each phase."""
    rooms = [state.room for state in runs if "room" in state.records]
    if len({room.fingerprint for room in rooms}) < 2:
        return []
    message = f"has {rooms[0].slot_count:,} slots in {next(iter(study.phases))} and {rooms[-1].slot_count:,} in the last phase"
    return [Problem("room.cabinets", message, f"write cabinets = {max(room.slot_count for room in rooms)}")]


def _grown(study: Study, ideals: list[Topology], progress: Progress) -> Growth:
    given = study.growth
    options = {key: value for key, value in given.items() if key not in growing.OWN and value is not None}
    try:
        return plan(
            ideals,
            method=given["method"],
            names=tuple(study.phases),
            ports=given["ports"],
            ends_down=given["ends_down"],
            cables_down=given["cables_down"],
            throughput=given["throughput"],
            progress=progress,
            **options,
        )
    except Infeasible as error:
        remedy = _other_methods(given["method"])
        raise InputError(Problem("growth.method", f"{given['method']}: {error}", remedy)).located(
            study.file, lines=study.lines
        ) from None


def _other_methods(method: str) -> str:
    others = [name for name in ("auto", "block", "match") if name != method]
    return f"use {', '.join(others[:-1])} or {others[-1]}"


def _endpoints(growth: Growth) -> list[Problem]:
    """Return the problem of each phase in which a router that is installed has other endpoints than before."""
    problems = []
    for number, (old, new) in enumerate(pairwise(growth.networks), 1):
        before, after = old.endpoints_of, new.endpoints_of[: old.router_count]
        changed = np.flatnonzero(before != after)
        if len(changed):
            router = int(changed[0])
            message = (
                f"{len(changed):,} installed routers have other endpoints in {growth.names[number]} than in "
                f"{growth.names[number - 1]}, such as router {router} with {before[router]} and {after[router]}"
            )
            remedy = "set endpoints_per_router to the same number in all phases, or use the method block"
            problems.append(Problem(f"phase.{number}.change", message, remedy))
    return problems


def _windows(growth: Growth, given: Mapping[str, Any]) -> list[Problem]:
    """Return the problem of each step whose windows of work do not exist."""
    problems = []
    for name, found in zip(growth.names[1:], growth.windows, strict=True):
        if not found.connected:
            message = f"to {name}: in some window installed routers do not reach one another, even if one cable is out"
            remedy = 'reserve ports with ports = "reserve", or use another method'
            problems.append(Problem("growth.cables_down", message, remedy))
        elif waiting := int((found.added < 0).sum()):
            message = f"to {name}: {waiting:,} links never get a free port"
            problems.append(Problem("growth.method", message, _other_methods(given["method"])))
    return problems


def union(growth: Growth, weights: tuple[int, ...], objective: object) -> Topology:
    """Return the network whose links are those of all phases, each as often as it counts in the objective.

    Prices count a link in the phase in which it is put in, since it is bought once; lengths and all others count it in each
    phase.
    """
    weights = weights or (1,) * len(growth.networks)
    divisor = int(np.gcd.reduce(weights))
    found = []
    for number, (network, weight) in enumerate(zip(growth.networks, weights, strict=True)):
        own = network.links
        if objective == "price" and number:
            own = own[growth.steps[number - 1].added]
        found.append(np.repeat(own, weight // divisor, axis=0))
    return flow_of(growth.networks[-1], found)


def flow_of(last: Topology, links: Sequence[np.ndarray]) -> Topology:
    """Return the network of the routers of the last phase with some links, int64 (L, 2) each, which may repeat."""
    return from_links(
        last.family,
        last.params,
        last.router_count,
        np.concatenate(links),
        endpoints=last.endpoints_of,
        group=last.group,
        group_names=last.group_names,
        coords=last.coords,
        coord_names=last.coord_names,
        role=last.role,
        role_names=last.role_names,
    )
