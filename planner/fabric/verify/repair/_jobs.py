"""Jobs: components as a crew works on them, with the lanes of one plug together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from planner.fabric.verify.compare import CYCLE, Component
from planner.fabric.verify.repair._readings import Judge, Reading, readings
from planner.fabric.verify.result import Joined


@dataclass(frozen=True)
class Job:
    """What mends a component, or several of them whose links run through the same plugs.

    Attributes
    ----------
    number
        That of the first component, from 1.
    components, lanes
        The components, and the reading of each that was chosen: their steps move the same plugs.
    choices
        Number of readings.
    holds
        Whether the first plug is held until the last step.
    """

    number: int
    components: tuple[Component, ...]
    lanes: tuple[Reading, ...]
    choices: int
    holds: bool = False

    @property
    def reading(self) -> Reading:
        return self.lanes[0]

    @property
    def up(self) -> list[Joined]:
        """Its found links."""
        return [link for component in self.components for link in component.wrong]


def jobs(components: Iterable[Component], judge: Judge, turned: Mapping[int, int]) -> list[Job]:
    """Return the jobs of components; `turned` chooses by component another reading than the best, counted from it."""
    made: dict[tuple[object, ...], Job] = {}
    for number, component in enumerate(components, 1):
        found = readings(component, judge)
        first = made.get(_key(found[0], judge, number))
        reading = found[turned.get(first.number if first else number, 0) % len(found)]
        if first is None:
            made[_key(found[0], judge, number)] = Job(number, (component,), (reading,), len(found), component.shape == CYCLE)
        else:
            both = replace(first, components=(*first.components, component), lanes=(*first.lanes, reading))
            made[_key(found[0], judge, number)] = both
    return list(made.values())


def _key(reading: Reading, judge: Judge, number: int) -> tuple[object, ...]:
    """Return what the components of one job have in common: the plugs that move, or those of a cable without a place."""
    ports = [port for step in reading.steps for port in step[:2]]
    ports += [*(reading.removed or ()), *(reading.missing or ())]
    row = judge.difference.row
    if any(port not in judge.difference.sockets for step in reading.steps for port in step[:2]) or not any(
        port in judge.difference.sockets for port in ports
    ):
        return (number,)
    pieces = tuple(row[step.target][0].piece for step in reading.steps)
    if reading.missing:
        pieces += (row[reading.missing[0]][0].piece,)
    loose = () if reading.missing else map(judge.plug, reading.removed or ())
    return (*pieces, *map(judge.plug, (port for step in reading.steps for port in step[:2])), *loose)
