"""What changed between two cable schedules, by the names and ports of the devices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from planner.report._figures import SPACE, trimmed
from planner.report._schedule_files import Connection, End

KINDS = ("added", "removed", "re-plugged", "re-routed", "other length", "other part")
"""Kinds of changes of a cable, in the order in which they are listed: of several of one cable the first that applies.

A cable is *re-plugged* if it has other ports between the same devices, or if one of its ends is in another device. It is
*re-routed* if its trays differ.
"""


class Move(NamedTuple):
    """A device that is in another cabinet or unit."""

    device: str
    old: str
    new: str


class Change(NamedTuple):
    """A changed cable: its row in the old schedule, in the new one, or in both, and the differences in words."""

    kind: str
    old: Connection | None
    new: Connection | None
    what: str


class Changes(NamedTuple):
    """All changes from one schedule to another; cables that are the same but for the places of their devices are not listed."""

    moves: list[Move]
    cables: list[Change]


def changes(old: Sequence[Connection], new: Sequence[Connection]) -> Changes:
    """Return the moved devices by name, and the changed cables by kind, then in the order of the new schedule.

    Connections with the same two ports are the same; of the others, those between the same two devices are paired in the order
    of their rows, then those that share one port.
    """
    moves = _moves(old, new)
    found: list[Change] = []
    for key in (_ports, _devices):
        pairs, old, new = _paired(old, new, key)
        found += [change for pair in pairs for change in _differences(*pair)]
    pairs, old, new = _sharing_an_end(old, new)
    found += [change for pair in pairs for change in _differences(*pair)]
    found += [Change("removed", each, None, _ends(each)) for each in old]
    found += [Change("added", None, each, _ends(each)) for each in new]
    found.sort(key=lambda change: (KINDS.index(change.kind), (change.new or change.old).number))
    return Changes(moves, found)


def _moves(old: Iterable[Connection], new: Iterable[Connection]) -> list[Move]:
    before, after = ({end.device: end.place for each in rows for end in (each.a, each.b)} for rows in (old, new))
    both = sorted(before.keys() & after.keys())
    return [Move(device, before[device], after[device]) for device in both if before[device] != after[device]]


def _ports(each: Connection) -> Any:
    return tuple(sorted(((each.a.device, each.a.port), (each.b.device, each.b.port))))


def _devices(each: Connection) -> Any:
    return tuple(sorted((each.a.device, each.b.device)))


Pairs = list[tuple[Connection, Connection]]


def _paired(
    old: Iterable[Connection], new: Iterable[Connection], key: Callable[[Connection], Any]
) -> tuple[Pairs, list[Connection], list[Connection]]:
    """Return the pairs with equal keys, and what is left of both."""
    waiting: dict[Any, list[Connection]] = defaultdict(list)
    for each in old:
        waiting[key(each)].append(each)
    for own in waiting.values():
        own.reverse()
    pairs: Pairs = []
    left: list[Connection] = []
    for each in new:
        own = waiting.get(key(each))
        if own:
            pairs.append((own.pop(), each))
        else:
            left.append(each)
    return pairs, sorted((each for own in waiting.values() for each in own), key=lambda each: each.number), left


def _sharing_an_end(old: Sequence[Connection], new: Sequence[Connection]) -> tuple[Pairs, list[Connection], list[Connection]]:
    """Return the pairs that have one port in common, and what is left of both."""
    at: dict[tuple[str, int], int] = {}
    for number, each in enumerate(old):
        for end in (each.a, each.b):
            at.setdefault((end.device, end.port), number)
    used: set[int] = set()
    pairs: Pairs = []
    left: list[Connection] = []
    for each in new:
        ends = ((end.device, end.port) for end in (each.a, each.b))
        number = next((at[end] for end in ends if end in at and at[end] not in used), None)
        if number is None:
            left.append(each)
        else:
            used.add(number)
            pairs.append((old[number], each))
    return pairs, [each for number, each in enumerate(old) if number not in used], left


def _differences(old: Connection, new: Connection) -> Iterator[Change]:
    """Yield the change of one cable, if there is any."""
    before = _facing(old, new)
    after = (new.a, new.b)
    found: list[tuple[str, str]] = []
    for one, other in zip(before, after, strict=True):
        if (one.device, one.port) != (other.device, other.port):
            found.append(("re-plugged", f"{one} → {other}"))
    if _trays(old, before) != _trays(new, after):
        found.append(("re-routed", f"{old.trays or 'no trays'} → {new.trays or 'no trays'}"))
    if old.stock_mm != new.stock_mm:
        found.append(("other length", f"stock {_m(old.stock_mm)} → {_m(new.stock_mm)}"))
    if old.part != new.part:
        found.append(("other part", f"{old.part} → {new.part}"))
    if found:
        yield Change(min((kind for kind, _ in found), key=KINDS.index), old, new, "; ".join(text for _, text in found))


def _facing(old: Connection, new: Connection) -> tuple[End, End]:
    """Return the ends of the old connection in the order of the new one."""

    def alike(ends: tuple[End, End]) -> int:
        both = zip(ends, (new.a, new.b), strict=True)
        return sum(
            2 * ((one.device, one.port) == (other.device, other.port)) + (one.device == other.device) for one, other in both
        )

    straight, crossed = (old.a, old.b), (old.b, old.a)
    return crossed if alike(crossed) > alike(straight) else straight


def _trays(each: Connection, ends: tuple[End, End]) -> list[str]:
    """Return the trays of a connection in the order of these ends."""
    trays = each.trays.split(" > ") if each.trays else []
    return trays if ends[0] == each.a else trays[::-1]


def _ends(each: Connection) -> str:
    return f"{each.a} to {each.b}, {each.part}, {_m(each.stock_mm)}"


def _m(length_mm: int) -> str:
    return f"{trimmed(length_mm / 1000)}{SPACE}m"
