"""Cages of a device, as its printed ports state them: boxes may have single ports next to cages with several."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

_LANES = re.compile(r"^(?:(.*)/)?(\d{1,6})/(\d{1,6})$")
_SINGLE = re.compile(r"^(?:(.*)/)?(\d{1,6})$")


class _Group(NamedTuple):
    """Ports of one kind: name, the first of them, ports of a cage, and the number of its first cage."""

    name: str
    first: int
    lanes: int
    cage: int


@dataclass(frozen=True)
class Cages:
    """Cages of a device, counted over all of its groups of ports.

    Attributes
    ----------
    per_cage
        Ports of a cage; of several kinds that of the largest number of ports in use.
    mixed
        Whether a number alone does not lead from cage and lane to a port: cages differ.
    """

    groups: tuple[_Group, ...]
    per_cage: int
    mixed: bool

    def port(self, cage: int, lane: int, of: int = 0) -> int:
        """Return the port of a lane of a cage, both from 1; 0 without. With `of`, lanes count in steps of 1/`of` cage."""
        group = next((group for group in reversed(self.groups) if group.cage <= cage), None)
        if group is None:
            return 0
        if of:
            lane, rest = divmod((lane - 1) * group.lanes, of)
            lane = 0 if rest else lane + 1
        return group.first + (cage - group.cage) * group.lanes + lane - 1 if 0 < lane <= group.lanes else 0

    def stated(self, text: str) -> int:
        """Return the port of a text with the name of a group that the plan prints; 0 for other texts.

        Its number is that of the port in its group, or of its cage and lane: ``down/9`` or ``down/5/1``.
        """
        for group in self.groups:
            if not group.name:
                continue
            if (match := _LANES.match(text)) and match[1] == group.name:
                lane = int(match[3])
                return group.first + (int(match[2]) - 1) * group.lanes + lane - 1 if 0 < lane <= group.lanes else 0
            if (match := _SINGLE.match(text)) and match[1] == group.name:
                return group.first + int(match[2]) - 1
        return 0


def cages_of(printed: Mapping[str, int]) -> Cages:
    """Return the cages of a device from its printed ports.

    >>> cages_of({"1/1": 1, "6/2": 12}).per_cage, cages_of({"12": 12}).per_cage, cages_of({"3/4": 12}).per_cage
    (2, 1, 4)
    >>> own = cages_of({"1": 1, "28": 28, "split/1/1": 29, "split/2/2": 32})
    >>> own.mixed, own.port(28, 1), own.port(29, 2), own.port(30, 1)
    (True, 28, 30, 31)
    """
    grouped: dict[tuple[str, bool], list[tuple[int, int, int]]] = defaultdict(list)
    for text, port in printed.items():
        if match := _LANES.match(text):
            grouped[match[1] or "", True].append((int(match[2]), int(match[3]), port))
        elif match := _SINGLE.match(text):
            grouped[match[1] or "", False].append((int(match[2]), 1, port))
        else:
            grouped[text, False].append((1, 1, port))
    ports: Counter[int] = Counter()
    first: dict[int, tuple[str, int]] = {}
    for (name, several), entries in grouped.items():
        lanes = _lanes(entries) if several else 1
        ports[lanes] += len(entries)
        starts = Counter(port - (cage - 1) * lanes - lane + 1 for cage, lane, port in entries)
        first[max(starts, key=lambda start: (starts[start], -start))] = name, lanes
    groups: list[_Group] = []
    for start in sorted(first):
        cage = 1
        if groups:
            cage = groups[-1].cage - (groups[-1].first - start) // groups[-1].lanes
        name, lanes = first[start]
        groups.append(_Group(name, start, lanes, cage))
    sizes = {group.lanes for group in groups}
    regular = all(group.first == (group.cage - 1) * group.lanes + 1 for group in groups)
    usual = max(ports, key=lambda lanes: (ports[lanes], -lanes), default=1)
    return Cages(tuple(groups), usual, bool(groups) and max(sizes) > 1 and not (len(sizes) == 1 and regular))


def _lanes(entries: list[tuple[int, int, int]]) -> int:
    """Return the ports of a cage, from cages, lanes and ports."""
    lanes = max(lane for _, lane, _ in entries)
    known = sorted(entries)
    counted: Counter[int] = Counter()
    for (cage, lane, port), (next_cage, next_lane, next_port) in pairwise(known):
        apart, cages = next_port - next_lane - port + lane, next_cage - cage
        if cages and apart % cages == 0 and apart // cages >= lanes:
            counted[apart // cages] += 1
    if not counted:
        # One cage alone: ports are counted from its number, if they are counted so at all.
        cage, lane, port = known[0]
        apart, cages = port - lane, cage - 1
        return apart // cages if cages and apart % cages == 0 and apart // cages >= lanes else lanes
    return max(counted, key=lambda number: (counted[number], -number))
