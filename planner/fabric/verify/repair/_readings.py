"""Readings of a component: which cable each wrong link is, and hence which of its plugs moves.

A discovery states which ports are joined, not by which cable. A cycle has two readings, an open or surplus chain of k links k, a
shifted chain one. All readings of a component have the same number of moves, which is the minimum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from planner.fabric.verify.compare import CYCLE, OPEN, SHIFTED, Component, Difference
from planner.fabric.verify.repair._site import Site
from planner.fabric.verify.result import Evidence, Joined, Plugged

Cost = tuple[int, ...]
CRITERIA = ("selection", "serial or label", "length", "one plug", "cabinet", "device", "distance", "distance")
"""By what one reading is preferred to another, in lexicographic order."""
_GUESSES = frozenset({"distance"})
_LANES = 840
"""A number that 1 to 8 lanes divide."""
_ROUNDING_MM = 1_000
"""Plugs state lengths in whole meters."""
_FORBIDDEN = 1_000_000
"""More than all evidence for a reading."""


class Step(NamedTuple):
    """A plug that moves from a port to another; the other plug of its cable keeps its port."""

    source: Plugged
    target: Plugged
    kept: Plugged


class Reading(NamedTuple):
    """A choice of the plugs that mend a component.

    `steps` are in an order in which every target is free when its turn comes; in a cycle that needs the first plug to be held
    until the end. `removed` is the found link whose cable is one too many, `missing` the planned link without a cable.
    """

    steps: tuple[Step, ...]
    removed: Joined | None
    missing: Joined | None
    cost: Cost
    certainty: str = ""


def readings(component: Component, judge: Judge) -> list[Reading]:
    """Return the readings of a component, best first, with what makes the first better than the second."""
    found = sorted(_readings(component, judge), key=lambda one: one.cost)
    if len(found) == 1:
        certainty = "certain" if found[0].cost[1] <= 0 else "contradicted by a serial or label"
        return [found[0]._replace(certainty=certainty)]
    by = next((name for name, one, other in zip(CRITERIA, found[0].cost, found[1].cost, strict=True) if one != other), "distance")
    return [one._replace(certainty="a guess" if by in _GUESSES else by) for one in found]


def _readings(component: Component, judge: Judge) -> Iterator[Reading]:
    wrong, planned = component.wrong, component.planned
    if component.shape == SHIFTED:
        yield judge.reading([Step(w[1], p[0], w[0]) for w, p in zip(wrong, planned, strict=True)])
    elif component.shape == CYCLE:
        forth = [Step(w[0], p[1], w[1]) for w, p in zip(wrong, planned, strict=True)]
        back = [Step(w[1], p[0], w[0]) for w, p in zip(wrong, (planned[-1], *planned[:-1]), strict=True)]
        # The target of each step is the source of the next one (forth) or of the one before (back).
        yield judge.reading([forth[0], *forth[:0:-1]])
        yield judge.reading([back[0], *back[1:]])
    elif component.shape == OPEN:
        back = [Step(w[1], p[0], w[0]) for w, p in zip(wrong, planned[:-1], strict=True)]
        forth = [Step(w[0], p[1], w[1]) for w, p in zip(wrong, planned[1:], strict=True)]
        costs = judge.sums(back, forth)
        for at, missing in enumerate(planned):
            yield Reading((*back[:at], *reversed(forth[at:])), None, missing, judge.without(missing, costs[at]))
    else:
        forth = [Step(w[0], p[1], w[1]) for w, p in zip(wrong[:-1], planned, strict=True)]
        back = [Step(w[1], p[0], w[0]) for w, p in zip(wrong[1:], planned, strict=True)]
        costs = judge.sums(forth, back)
        for at, removed in enumerate(wrong):
            steps = (*reversed(forth[:at]), *back[at:])
            yield Reading(steps, removed, None, judge.spare(removed, costs[at]))


class Judge:
    """Costs of steps, by `CRITERIA`."""

    def __init__(self, difference: Difference, site: Site, evidence: Evidence):
        self.difference, self.site, self.evidence = difference, site, evidence
        self.lit = {port for link in difference.wrong for port in link}
        self.lanes = Counter(self.plug(port) for port in self.lit)
        self.stay = {self.plug(port) for link in difference.right for port in link if port in difference.sockets}

    def plug(self, port: Plugged) -> tuple[str, str]:
        """Return device and cage of a plug; a port that shares no cage is a cage by itself."""
        cage = self.difference.sockets.get(port)
        return port.device, cage[0] if cage else f":{port.port}"

    def reading(self, steps: list[Step]) -> Reading:
        devices = len({port.device for step in steps for port in step[:2]})
        return Reading(tuple(steps), None, None, _add(*map(self.cost, steps), (0, 0, 0, 0, 0, devices, 0, 0)))

    def sums(self, first: list[Step], rest: list[Step]) -> list[Cost]:
        """Return for each n the costs of the first n steps of one list and of those after the first n of another."""
        zero = (0,) * len(CRITERIA)
        before = list(accumulate(map(self.cost, first), _add, initial=zero))
        after = list(accumulate(map(self.cost, reversed(rest)), _add, initial=zero))[::-1]
        return [_add(one, other) for one, other in zip(before, after, strict=True)]

    def cost(self, step: Step) -> Cost:
        site, source, target = self.site, step.source, step.target
        return (
            0,
            self._against(step),
            int(not self._reaches(step)),
            self._plugs(step),
            int(site.cabinet(source) != site.cabinet(target)),
            int(source.device != target.device),
            abs(site.unit(source) - site.unit(target)),
            abs(source.port - target.port),
        )

    def without(self, missing: Joined, cost: Cost) -> Cost:
        """Cables that are not selected may be missing."""
        return (int(self.difference.is_chosen(missing[0])), *cost[1:])

    def spare(self, removed: Joined, cost: Cost) -> Cost:
        """A cable that is known to be a planned one is not too many."""
        known = sum(port in self.evidence.cable for port in removed)
        return (cost[0], cost[1] + known, *cost[2:])

    def _against(self, step: Step) -> int:
        """Return evidence against a step minus evidence for it."""
        evidence, row = self.evidence, self.difference.row
        against = 0
        for port, place in ((step.source, step.target), (step.kept, step.kept)):
            if port in evidence.cable:
                planned, side = row[place]
                against += -1 if evidence.cable[port] == (planned.number, side) else 1
        # A dark port with a plug is no free one: its own cable hangs at the other end.
        against += step.target in evidence.plugs and step.target not in self.lit
        read, planned = self.read_mm(step.source, step.kept), row[step.target][0]
        if read is not None:
            against += abs(read - planned.stock_mm) > _ROUNDING_MM
        return against + (0 if self.fits((step.source, step.kept), step.target) else _FORBIDDEN)

    def read_mm(self, *plugs: Plugged) -> int | None:
        """Return the length of a cable as its plugs state it."""
        return next((self.evidence.reach_mm[port] for port in plugs if port in self.evidence.reach_mm), None)

    def is_known(self, cable: Joined) -> bool:
        """Return whether the length of a found cable is known."""
        return self.read_mm(*cable) is not None or any(port in self.evidence.cable for port in cable)

    def fits(self, cable: Joined, target: Plugged) -> bool:
        """Return whether a found cable may be the planned one at a port; not if it is known to be too short or another part."""
        planned, read = self.difference.row[target][0], self.read_mm(*cable)
        numbers = [self.evidence.cable[port][0] for port in cable if port in self.evidence.cable]
        known = next((self.site.rows[number] for number in numbers if number in self.site.rows), None)
        if read is None and known is not None:
            read = known.stock_mm
        long_enough = read is None or bool(planned.trunk) or read >= planned.run_mm
        return long_enough and (known is None or known.part == planned.part)

    def _plugs(self, step: Step) -> int:
        """Return the share of a plug that a step moves: nothing moves inside a plug, or away from links that are right."""
        source = self.plug(step.source)
        if source == self.plug(step.target):
            return 2 * _LANES
        return _LANES if source in self.stay else _LANES // self.lanes[source]

    def _reaches(self, step: Step) -> bool:
        """Return whether the cable that belongs to a target is long enough for the ports where it is believed to be now."""
        planned = self.difference.row[step.target][0]
        shortest = self.site.shortest_mm(step.source, step.kept)
        return shortest is None or bool(planned.trunk) or shortest <= planned.stock_mm


def _add(*costs: Cost) -> Cost:
    return tuple(map(sum, zip(*costs, strict=True)))
