"""Outages by name: which cables and routers of a plan fail, and when."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le, Lt

from planner.core import seeds
from planner.core.errors import InputError, Problem, suggestion
from planner.domain.model import Domain, Topology
from planner.simulation.faults import NEVER


@dataclass(frozen=True)
class Outage:
    """Parts of a plan that fail at a cycle.

    Attributes
    ----------
    cycle
        Cycle of the failure, including warm-up; default 0, failed from the start.
    cables
        Labels of cables; the label of either end.
    routers
        Numbers of routers.
    domains
        Failure domains with their kind: ``"cabinet A07"``, ``"row B"``, ``"hall 1"``, ``"tray north"``.
    link_share
        Fraction of links that fail in addition, drawn with the seed of the study; default 0.
    router_share
        Fraction of routers that fail in addition, drawn with the seed of the study; default 0.
    """

    cycle: Annotated[int, Ge(0), Lt(NEVER)] = 0
    cables: tuple[str, ...] = ()
    routers: tuple[Annotated[int, Ge(0)], ...] = ()
    domains: tuple[str, ...] = ()
    link_share: Annotated[float, Ge(0), Le(1)] = 0.0
    router_share: Annotated[float, Ge(0), Le(1)] = 0.0


def failure_cycles(
    topology: Topology,
    labels: np.ndarray,
    domains: Iterable[Domain],
    *,
    seed: int,
    outages: Sequence[Outage] = (),
) -> tuple[np.ndarray, np.ndarray]:
    """Return the cycle at which each cable and each router fails.

    Parameters
    ----------
    topology
        The network.
    labels
        Labels of both ends of each cable, links first, then endpoints: str (L+H, 2).
    domains
        Failure domains of the plan; evaluated only if an outage names one.
    seed
        Seed of the random failures.
    outages
        Outages.

    Returns
    -------
    tuple of ndarray
        Cycles, int64 (L+H,) and int64 (R,), as `planner.simulation.embed` takes them; `NEVER` if it does not fail.

    Raises
    ------
    InputError
        With every unknown name.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> ring = build("torus", sizes=(4,))
    >>> labels = np.array([[f"{n}:a", f"{n}:b"] for n in range(ring.link_count + ring.endpoint_count)])
    >>> cables, routers = failure_cycles(ring, labels, (), seed=1, outages=[Outage(cycle=500, cables=("2:b",), routers=(3,))])
    >>> np.flatnonzero(cables < NEVER).tolist(), routers.tolist()[3]
    ([2], 500)
    """
    cables = np.full(topology.link_count + topology.endpoint_count, NEVER, np.int64)
    routers = np.full(topology.router_count, NEVER, np.int64)
    if not outages:
        return cables, routers
    named = {f"{domain.kind} {domain.name}": domain for domain in domains} if any(o.domains for o in outages) else {}
    cable_of = {str(label): row for row, pair in enumerate(labels) for label in pair if label}
    problems: list[Problem] = []
    random = seeds.stream(seed, "outages")
    for number, outage in enumerate(outages):
        problems += [
            *_unknown(f"outages.{number}.cables", "no cable has the label", outage.cables, cable_of),
            *_unknown(f"outages.{number}.domains", "the plan has no", outage.domains, named),
            *_unknown(f"outages.{number}.routers", "there is no router", outage.routers, range(topology.router_count)),
        ]
        if problems:
            continue
        affected = [named[name] for name in outage.domains]
        failed_cables = [
            [cable_of[label] for label in outage.cables],
            *(domain.links for domain in affected),
            *(topology.link_count + domain.endpoints for domain in affected),
            _drawn(random, topology.link_count, outage.link_share),
        ]
        failed_routers = [
            outage.routers,
            *(domain.routers for domain in affected),
            _drawn(random, topology.router_count, outage.router_share),
        ]
        for cycles, failed in ((cables, failed_cables), (routers, failed_routers)):
            rows = np.concatenate([np.asarray(part, np.int64) for part in failed])
            cycles[rows] = np.minimum(cycles[rows], outage.cycle)
    if problems:
        raise InputError(problems)
    return cables, routers


def _unknown(place: str, complaint: str, names: Sequence, known: Collection) -> Iterator[Problem]:
    for name in names:
        if name not in known:
            remedy = f"use 0 to {len(known) - 1}" if isinstance(known, range) else suggestion(name, known)
            yield Problem(place, f"{complaint} {name!r}", remedy)


def _drawn(random: np.random.Generator, count: int, share: float) -> np.ndarray:
    return random.permutation(count)[: round(share * count)]
