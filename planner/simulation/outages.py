"""Faults by name: which cables and routers of a plan die, and when."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le, Lt

from planner import seeds
from planner.errors import InputError, Problem, suggestion
from planner.model import Domain, Topology
from planner.simulation.faults import NEVER


@dataclass(frozen=True)
class Outage:
    """What dies at a cycle; 0: it is dead from the start.

    Attributes
    ----------
    cycle
        Cycle from which it is dead, warm-up included.
    cables
        Labels of cables, those of either end.
    routers
        Numbers of routers.
    domains
        Parts of the plan with their kind: ``"cabinet A07"``, ``"row B"``, ``"hall 1"``, ``"tray north"``.
    link_share, router_share
        Share of the links, and of the routers, that dies besides, drawn by the seed of the study.
    """

    cycle: Annotated[int, Ge(0), Lt(NEVER)] = 0
    cables: tuple[str, ...] = ()
    routers: tuple[Annotated[int, Ge(0)], ...] = ()
    domains: tuple[str, ...] = ()
    link_share: Annotated[float, Ge(0), Le(1)] = 0.0
    router_share: Annotated[float, Ge(0), Le(1)] = 0.0


def deaths(
    topology: Topology,
    labels: np.ndarray,
    domains: Iterable[Domain],
    *,
    seed: int,
    outages: Sequence[Outage] = (),
) -> tuple[np.ndarray, np.ndarray]:
    """Return from which cycle each cable and each router is dead.

    Parameters
    ----------
    topology
        The network.
    labels
        Labels of both ends of each cable, links first, then endpoints: str (L+H, 2).
    domains
        Failure domains of the plan; gone through only where an outage names one.
    seed
        Draws the shares.
    outages
        What dies.

    Returns
    -------
    tuple of ndarray
        Cycles, int64 (L+H,) and int64 (R,), as `planner.simulation.embed` takes them; `NEVER` for what lives on.

    Raises
    ------
    InputError
        With every name that the plan does not have.

    Examples
    --------
    >>> from planner.topology import build
    >>> ring = build("torus", sizes=(4,))
    >>> labels = np.array([[f"{n}:a", f"{n}:b"] for n in range(ring.link_count + ring.endpoint_count)])
    >>> cables, routers = deaths(ring, labels, (), seed=1, outages=[Outage(cycle=500, cables=("2:b",), routers=(3,))])
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
            *_unknown(f"outages.{number}.cables", "no cable bears the label", outage.cables, cable_of),
            *_unknown(f"outages.{number}.domains", "the plan has no", outage.domains, named),
            *_unknown(f"outages.{number}.routers", "there is no router", outage.routers, range(topology.router_count)),
        ]
        if problems:
            continue
        lost = [named[name] for name in outage.domains]
        dead_cables = [
            [cable_of[label] for label in outage.cables],
            *(domain.links for domain in lost),
            *(topology.link_count + domain.endpoints for domain in lost),
            _drawn(random, topology.link_count, outage.link_share),
        ]
        dead_routers = [
            outage.routers,
            *(domain.routers for domain in lost),
            _drawn(random, topology.router_count, outage.router_share),
        ]
        for at, dead in ((cables, dead_cables), (routers, dead_routers)):
            rows = np.concatenate([np.asarray(part, np.int64) for part in dead])
            at[rows] = np.minimum(at[rows], outage.cycle)
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
