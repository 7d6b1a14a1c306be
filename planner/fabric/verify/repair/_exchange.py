"""Cables that cannot return to the links of their component, because they are known to be too short or of another part.

An assignment of cables to planned links, with the minimum of plugs out of place, replaces the readings of such components: of
each by itself if that is possible, else of several together, with those whose cables are known and may be exchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from planner.fabric.verify.compare import Component
from planner.fabric.verify.repair._jobs import Job
from planner.fabric.verify.repair._readings import CRITERIA, Judge, Reading, Step
from planner.fabric.verify.result import Joined, Plugged

_NEVER = 1_000_000
_LENGTH = "length"


def exchanged(jobs: Sequence[Job], judge: Judge) -> list[Job]:
    """Return the jobs, those with a cable that does not fit replaced."""
    kept: list[tuple[Job, list[Job]]] = []
    left: list[Job] = []
    numbers = count(max((job.number for job in jobs), default=0) + 1)
    for job in jobs:
        if len(job.lanes) > 1 or all(judge.fits((step.source, step.kept), step.target) for step in job.reading.steps):
            kept.append((job, [job]))
        elif (found := _assigned(job.components, judge)).complete:
            kept.append((job, _jobs([job], found, numbers)))
        else:
            left.append(job)
    together: list[Job] = []
    if left:
        others = [job for job, _ in kept if _may_exchange(job, judge)]
        found = _assigned([one for job in left + others for one in job.components], judge)
        # Components that keep their cables keep their readings.
        changed = {port for ports in found.crossing for port in ports}
        joined = [job for job in others if not changed.isdisjoint(job.components[0].ports)]
        kept = [(job, made) for job, made in kept if job not in joined]
        every = left + joined
        together = _jobs(every, _assigned([one for job in every for one in job.components], judge), numbers)
    return [one for _, made in kept for one in made] + together


def _may_exchange(job: Job, judge: Judge) -> bool:
    """Return whether a job has no cable too many or too few, and the length of all is known."""
    if len(job.components) != 1 or job.reading.removed or job.reading.missing:
        return False
    return all(judge.is_known(link) for link in job.up)


class _Assigned(NamedTuple):
    """An assignment of found cables to planned links.

    `moves` are plugs by source, target, and where the other plug of the cable is at the end; `removed` cables to take out;
    `missing` links without a cable; `crossing` cables and the links that they serve in another component.
    """

    moves: list[Step]
    removed: list[Joined]
    missing: list[Joined]
    crossing: list[tuple[Plugged, ...]]
    complete: bool


def _assigned(components: Iterable[Component], judge: Judge) -> _Assigned:
    """Return the assignment that leaves the minimum of links without a cable, and then the minimum of plugs out of place."""
    parts = list(components)
    cables = [(number, link) for number, one in enumerate(parts) for link in one.wrong]
    links = [(number, link) for number, one in enumerate(parts) for link in one.planned]
    cost = np.array([[_apart(cable, link) if judge.fits(cable, link[0]) else _NEVER for _, link in links] for _, cable in cables])
    pairs = [(cable, link) for cable, link in zip(*linear_sum_assignment(cost), strict=True) if cost[cable, link] < _NEVER]
    moves: list[Step] = []
    for cable, link in pairs:
        ends, places = cables[cable][1], links[link][1]
        if ends[0] == places[1] or ends[1] == places[0]:
            places = places[::-1]
        moves += [Step(source, places[side], places[1 - side]) for side, source in enumerate(ends) if source != places[side]]
    used, served = {cable for cable, _ in pairs}, {link for _, link in pairs}
    return _Assigned(
        moves,
        [cable for number, (_, cable) in enumerate(cables) if number not in used],
        [link for number, (_, link) in enumerate(links) if number not in served],
        [(*cables[cable][1], *links[link][1]) for cable, link in pairs if cables[cable][0] != links[link][0]],
        len(pairs) == min(len(cables), len(links)),
    )


def _apart(cable: Joined, link: Joined) -> int:
    """Return how many plugs of a cable are not in the ports of a link."""
    return 2 - len(set(cable) & set(link))


def _jobs(jobs: Sequence[Job], found: _Assigned, numbers: Iterator[int]) -> list[Job]:
    """Return chains and cycles of plugs; the first one has the components of all."""
    following = {step.target: step for step in found.moves}
    sources = {step.source for step in found.moves}
    made: list[tuple[list[Step], bool]] = []
    while following:
        # A chain begins at a target that no plug leaves; then the port that the first plug left is filled, and so on.
        start = next((target for target in following if target not in sources), None)
        steps, target = [], start if start is not None else next(iter(following))
        while target in following:
            steps.append(following.pop(target))
            target = steps[-1].source
            sources.discard(target)
        # In a cycle the plug in the first target is held: it is that of the last step.
        made.append((steps if start is not None else [steps[-1], *steps[:-1]], start is None))
    zero = (0,) * len(CRITERIA)
    readings = [(Reading(tuple(steps), None, None, zero, _LENGTH), holds) for steps, holds in made]
    readings += [(Reading((), cable, None, zero, _LENGTH), False) for cable in found.removed]
    readings += [(Reading((), None, link, zero, _LENGTH), False) for link in found.missing]
    components = tuple(one for job in jobs for one in job.components)
    every = [Job(number, (), (reading,), 1, holds) for number, (reading, holds) in zip(numbers, readings, strict=False)]
    return [replace(every[0], number=jobs[0].number, components=components), *every[1:]]
