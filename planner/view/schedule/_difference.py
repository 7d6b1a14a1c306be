"""The difference of two cable schedules, by the names and ports of devices."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from planner.core.names import natural
from planner.view.schedule._record import Connection, End

SAME, MOVED, REPLUGGED, REMOVED, ADDED, RELABELED = KINDS = ("kept", "moved", "replugged", "removed", "added", "relabeled")
"""What becomes of devices and cables.

A device is *moved* if its cabinet or unit differs, and *relabeled* if only its name does; one of another model is removed and
added. A cable is the same where part and length to buy are the same: it is *moved* if both plugs stay in their ports, but a
device moves or is exchanged, or the route differs; *replugged* if one plug goes to another port; *relabeled* if only the texts of
its labels change. All others are removed and added.
"""


class Device(NamedTuple):
    """Where a device is, and its catalog row; empty if unknown."""

    place: str
    model: str = ""


class DeviceChange(NamedTuple):
    """A device: its name in the old and in the new schedule, empty where it is not, and where it is."""

    kind: str
    old: str
    new: str
    old_place: str
    new_place: str


class CableChange(NamedTuple):
    """A cable: its row in the old and in the new schedule; `end` is the end, 0 or 1 of the old row, that is plugged elsewhere."""

    kind: str
    old: Connection | None
    new: Connection | None
    end: int | None = None


@dataclass(frozen=True)
class Difference:
    """All devices and all cables of two schedules, each with what becomes of it; those of the new schedule in its order."""

    devices: list[DeviceChange]
    cables: list[CableChange]
    renamed: Mapping[str, str] = field(default_factory=dict)

    def count(self, kind: str) -> tuple[int, int]:
        """Return the number of devices and of cables of a kind."""
        return sum(each.kind == kind for each in self.devices), sum(each.kind == kind for each in self.cables)

    @property
    def is_empty(self) -> bool:
        return all(each.kind == SAME for each in self.devices) and all(each.kind == SAME for each in self.cables)

    @property
    def changed_devices(self) -> list[DeviceChange]:
        """Devices that are not kept, by kind and name."""
        changed = (each for each in self.devices if each.kind != SAME)
        return sorted(changed, key=lambda each: (KINDS.index(each.kind), natural(each.new or each.old)))

    def is_crossed(self, change: CableChange) -> bool:
        """Return whether the first end of the old row is the second end of the new one."""
        if change.old is None or change.new is None:
            return False
        both = zip(change.old.ends, change.new.ends, strict=True)
        return not any(_port(one, self.renamed) == (other.device, other.port) for one, other in both)

    def plug(self, change: CableChange) -> tuple[End, End]:
        """Return the end of a re-plugged cable that goes to another port: as it is in the old and in the new schedule."""
        old, new = _both(change)
        end = change.end or 0
        return old.ends[end], new.ends[end ^ self.is_crossed(change)]

    def trays(self, change: CableChange) -> tuple[str, str]:
        """Return the trays of the old and of the new row, both from the first end of the new row."""
        old, new = _both(change)
        return _reversed(old.trays) if self.is_crossed(change) else old.trays, new.trays

    @property
    def lower_bound(self) -> int:
        """Minimum number of old cables to unplug at one end: links between two devices that the new schedule does not have."""

        def pairs(rows: Iterable[Connection | None], names: Mapping[str, str]) -> Counter[tuple[str, ...]]:
            return Counter(
                tuple(sorted(names.get(end.device, end.device) for end in each.ends)) for each in rows if each is not None
            )

        old = pairs((each.old for each in self.cables), self.renamed)
        return sum((old - pairs((each.new for each in self.cables), {})).values())


def _both(change: CableChange) -> tuple[Connection, Connection]:
    if change.old is None or change.new is None:
        raise ValueError("a cable that is removed or added is in one schedule alone")
    return change.old, change.new


_NONE: Mapping[str, Device] = {}


def difference(
    old: Sequence[Connection],
    new: Sequence[Connection],
    old_devices: Mapping[str, Device] = _NONE,
    new_devices: Mapping[str, Device] = _NONE,
) -> Difference:
    """Return what becomes of every device and of every cable.

    Parameters
    ----------
    old, new
        Rows of the schedules.
    old_devices, new_devices
        Devices by name, where more is known of them than the schedules state: those without cables, and their models.
    """
    before, after = {**_devices_of(old), **old_devices}, {**_devices_of(new), **new_devices}
    renamed = _renamed(old, new, before, after)
    devices = list(_devices(before, after, renamed))
    # A cable follows a device that moves, and one that another model takes the place of.
    come = {each.new for each in devices if each.kind in (ADDED, MOVED)}
    return Difference(devices, list(_cables(old, new, renamed, come)), renamed)


# -- devices --------------------------------------------------------------------------------------


def _devices_of(rows: Iterable[Connection]) -> dict[str, Device]:
    return {end.device: Device(end.place) for each in rows for end in each.ends}


def _devices(before: Mapping[str, Device], after: Mapping[str, Device], renamed: Mapping[str, str]) -> Iterator[DeviceChange]:
    old_name = {new: old for old, new in renamed.items()}
    gone = dict.fromkeys(before)
    for new, (place, _) in after.items():
        old = old_name.get(new, new)
        if old not in before or _is_other_model(before[old], after[new]):
            yield DeviceChange(ADDED, "", new, "", place)
            continue
        del gone[old]
        kind = MOVED if before[old].place != place else SAME if old == new else RELABELED
        yield DeviceChange(kind, old, new, before[old].place, place)
    for old in gone:
        yield DeviceChange(REMOVED, old, "", before[old].place, "")


def _is_other_model(one: Device, other: Device) -> bool:
    return bool(one.model and other.model and one.model != other.model)


def _renamed(
    old: Sequence[Connection], new: Sequence[Connection], before: Mapping[str, Device], after: Mapping[str, Device]
) -> dict[str, str]:
    """Return devices that have another name in the new schedule: at the same place, with the same ports to the same far ends."""
    gone, come = _alone(before, after), _alone(after, before)
    guess = {name: come[place] for place, name in gone.items() if place in come}
    guess = {name: other for name, other in guess.items() if not _is_other_model(before[name], after[other])}
    if not guess:
        return {}
    far_old, far_new = _far_ends(old), _far_ends(new)

    def alike(name: str) -> bool:
        mapped = {port: (guess.get(far, far), far_port) for port, (far, far_port) in far_old[name].items()}
        return mapped == far_new[guess[name]]

    return {name: guess[name] for name in sorted(guess) if alike(name)}


def _alone(devices: Mapping[str, Device], others: Mapping[str, Device]) -> dict[str, str]:
    """Return the devices that the other schedule does not name, by their places; none at a place with several of them."""
    own = [name for name in devices if name not in others]
    count = Counter(devices[name].place for name in own)
    return {devices[name].place: name for name in own if count[devices[name].place] == 1}


def _far_ends(rows: Iterable[Connection]) -> dict[str, dict[int, tuple[str, int]]]:
    found: dict[str, dict[int, tuple[str, int]]] = defaultdict(dict)
    for each in rows:
        found[each.a.device][each.a.port] = (each.b.device, each.b.port)
        found[each.b.device][each.b.port] = (each.a.device, each.a.port)
    return found


# -- cables ---------------------------------------------------------------------------------------

_Port = tuple[str, int]


def _port(end: End, renamed: Mapping[str, str]) -> _Port:
    return renamed.get(end.device, end.device), end.port


def _cables(
    old: Sequence[Connection], new: Sequence[Connection], renamed: Mapping[str, str], come: set[str]
) -> Iterator[CableChange]:
    at: dict[frozenset[_Port], Connection] = {frozenset(_port(end, renamed) for end in each.ends): each for each in old}
    pairs: dict[int, CableChange] = {}
    free: list[Connection] = []
    for each in new:
        same = at.get(frozenset((end.device, end.port) for end in each.ends))
        if same is not None and is_same_cable(same, each):
            pairs[each.number] = CableChange(_kind(same, each, renamed, come), same, each)
        else:
            free.append(each)
    used = {change.old.number for change in pairs.values() if change.old is not None}
    left = [each for each in old if each.number not in used]
    for one, other in _replugged(left, free, renamed):
        shared = {(end.device, end.port) for end in other.ends}
        stays = [_port(end, renamed) in shared for end in one.ends]
        pairs[other.number] = CableChange(REPLUGGED, one, other, 1 if stays[0] else 0)
        used.add(one.number)
    yield from (pairs.get(each.number) or CableChange(ADDED, None, each) for each in new)
    yield from (CableChange(REMOVED, each, None) for each in old if each.number not in used)


def is_same_cable(one: Connection, other: Connection) -> bool:
    """Return whether two rows may be one cable: part, modules at its ends in any order, and length to buy are the same."""
    return (one.part, one.stock_mm) == (other.part, other.stock_mm) and sorted(one.end_parts) == sorted(other.end_parts)


def _kind(old: Connection, new: Connection, renamed: Mapping[str, str], come: set[str]) -> str:
    crossed = _port(old.a, renamed) != (new.a.device, new.a.port)
    ends = (old.b, old.a) if crossed else old.ends
    trays = _reversed(old.trays) if crossed else old.trays
    if trays != new.trays or any(end.device in come for end in new.ends):
        return MOVED
    return SAME if [end.label for end in ends] == [end.label for end in new.ends] else RELABELED


def _reversed(trays: str) -> str:
    return " > ".join(reversed(trays.split(" > ")))


def _replugged(
    old: Sequence[Connection], new: Sequence[Connection], renamed: Mapping[str, str]
) -> Iterator[tuple[Connection, Connection]]:
    """Yield the maximum number of pairs of an old and a new row of the same cable that share one port.

    Rows that share a port are joined to chains and cycles, in which old and new ones alternate. A chain of an even number has
    one perfect pairing, a cycle two, and of an odd chain one row stays over: of these the pairing with the maximum number of
    pairs between the same two devices is taken, then the first by the names of ports, so that it does not depend on which
    schedule is the old one.
    """
    at_port: dict[_Port, list[_Row]] = defaultdict(list)
    for side, rows in enumerate((old, new)):
        for each in rows:
            for end in each.ends:
                at_port[_port(end, renamed if side == 0 else {})].append((side, each))
    joined: _Joined = defaultdict(list)
    for port, there in at_port.items():
        if len(there) == 2 and is_same_cable(there[0][1], there[1][1]):
            for mine, far in (there, there[::-1]):
                joined[mine[0], mine[1].number].append((port, far))
    for chain, cyclic in _chains(joined, at_port):
        yield from _pairing(chain, cyclic, renamed)


_Row = tuple[int, Connection]
"""A row, and whether it is of the old (0) or of the new schedule (1)."""

_Joined = dict[tuple[int, int], list[tuple[_Port, _Row]]]
"""For each row, by side and number, the ports that it shares with a row of the other schedule, and that row."""


def _chains(joined: _Joined, at_port: Mapping[_Port, list[_Row]]) -> Iterator[tuple[list[_Row], bool]]:
    """Yield the chains and cycles, each from its first port by name."""
    rows = {(side, each.number): (side, each) for found in at_port.values() for side, each in found}
    seen: set[tuple[int, int]] = set()

    def walk(start: tuple[int, int]) -> Iterator[_Row]:
        key: tuple[int, int] | None = start
        while key is not None and key not in seen:
            seen.add(key)
            yield rows[key]
            steps = sorted((port, (far[0], far[1].number)) for port, far in joined[key] if (far[0], far[1].number) not in seen)
            key = steps[0][1] if steps else None

    first = {key: min(port for port, _ in own) for key, own in joined.items()}
    for cyclic in (False, True):
        for key in sorted(joined, key=lambda key: (first[key], key)):
            if key not in seen and (cyclic or len({far[1].number for _, far in joined[key]}) == 1):
                yield list(walk(key)), cyclic


def _pairing(chain: list[_Row], cyclic: bool, renamed: Mapping[str, str]) -> list[tuple[Connection, Connection]]:
    count = len(chain)
    neighbors = [(chain[start], chain[(start + 1) % count]) for start in range(count)]
    pairs = [(one[1], other[1]) if one[0] == 0 else (other[1], one[1]) for one, other in neighbors]
    alike = [
        {renamed.get(end.device, end.device) for end in one.ends} == {end.device for end in other.ends} for one, other in pairs
    ]
    even, odd = pairs[: count - 1 : 2], pairs[1::2]
    if count % 2 == 0:
        return odd if cyclic and count > 2 and sum(alike[1::2]) > sum(alike[::2]) else even
    # The row at `over` stays over: pairs before it start at even places, those after it at odd ones.
    before, after = list(accumulate(alike[: count - 1 : 2], initial=0)), list(accumulate(alike[1:count:2], initial=0))
    over = max(range(len(before)), key=lambda place: before[place] + after[-1] - after[place])
    return even[:over] + odd[over:]
