"""Cable schedules by hand and of topologies, cables plugged wrongly, and crews that follow moves plug by plug."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from planner.fabric.verify.compare import sorted_pair
from planner.fabric.verify.result import Joined, Located, Move, Plugged, Removal
from planner.network import topology
from planner.view.schedule import Connection, End

FAMILIES = {
    "slimfly": {"q": 5},
    "dragonfly": {"a": 4, "h": 2},
    "fattree": {"k": 4},
    "polarstar": {"q": 3, "supernode_degree": 3},
    "hyperx": {"sizes": [4, 5]},
    "jellyfish": {"routers": 40, "degree": 6},
}


def connection(number: int, a: Plugged, b: Plugged, **given) -> Connection:
    """Return a row of a schedule. Devices named ``C2-R7`` are in cabinet C2, unit 7; others in C0, unit 1."""
    ends = []
    for end, label, printed in ((a, "a", given.pop("printed_a", "")), (b, "b", given.pop("printed_b", ""))):
        cabinet, _, name = end.device.rpartition("-")
        unit = int("".join(filter(str.isdigit, name)) or 1)
        ends.append(End(end.device, end.port, printed or str(end.port), cabinet or "C0", unit, f"{number}{label}"))
    row = Connection(
        number, number, "", "link", *ends, "cable", ("", ""), "copper", stock_mm=3_000, run_mm=2_500, trays="", trunk="", stage=""
    )
    return row._replace(**given)


def schedule(*links: tuple[tuple[str, int], tuple[str, int]], **given) -> list[Connection]:
    return [connection(number, Plugged(*a), Plugged(*b), **given) for number, (a, b) in enumerate(links, 1)]


def of_topology(family: str, *, hosts: int = 1, per_cabinet: int = 10, **parameters) -> list[Connection]:
    """Return the schedule of a topology; ports in the order of links, endpoints after them."""
    network = topology.build(family, **(parameters or FAMILIES[family]))
    ports: Counter[str] = Counter()

    def port(device: str) -> Plugged:
        ports[device] += 1
        return Plugged(device, ports[device])

    names = [f"C{router // per_cabinet:03}-R{router}" for router in range(network.router_count)]
    rows = [connection(number, port(names[a]), port(names[b])) for number, (a, b) in enumerate(network.links.tolist(), 1)]
    for router, name in enumerate(names):
        for host in range(hosts):
            node = Plugged(f"{name.partition('-')[0]}-E{router * hosts + host}", 1)
            rows.append(connection(len(rows) + 1, port(name), node, kind="endpoint"))
    return rows


def planned(rows: Iterable[Connection]) -> set[Joined]:
    return {sorted_pair(Plugged(row.a.device, row.a.port), Plugged(row.b.device, row.b.port)) for row in rows}


def found(links: Iterable[tuple[tuple[str, int], tuple[str, int]]], **given) -> Located:
    return Located(dict.fromkeys((sorted_pair(Plugged(*a), Plugged(*b)) for a, b in links), ""), **given)


@dataclass
class Miscabled:
    """Cables as plugged: both ports of each row, None for a cable that is missing; what was done to them."""

    cables: list[list[Plugged] | None]
    extra: list[Joined] = field(default_factory=list)
    moved: set[tuple[Plugged, Plugged]] = field(default_factory=set)

    @property
    def located(self) -> Located:
        links = [sorted_pair(*ports) for ports in self.cables if ports is not None]
        return Located(dict.fromkeys([*links, *self.extra], ""))

    @property
    def missing(self) -> int:
        return sum(ports is None for ports in self.cables)


def miscabled(rows: Sequence[Connection], share: float, seed: int) -> Miscabled:
    """Plug a share of the cables wrongly: swaps on a device and between devices, free ports, shifts, missing and extra cables.

    No cable takes part in two errors, so that the number of plugs in a wrong port is the minimum of moves.
    """
    chance = random.Random(seed)
    plugged = Miscabled([[Plugged(row.a.device, row.a.port), Plugged(row.b.device, row.b.port)] for row in rows])
    last = Counter[str]()
    ends: dict[str, list[tuple[int, int, int]]] = {}
    for number, row in enumerate(rows):
        for side, end in enumerate(row.ends):
            last[end.device] = max(last[end.device], end.port)
            ends.setdefault(end.device, []).append((end.port, number, side))
    untouched = set(range(len(rows)))

    def put(plugs: Sequence[tuple[int, int]], ports: Sequence[Plugged]) -> None:
        for (number, side), port in zip(plugs, ports, strict=True):
            plugged.moved.add((port, plugged.cables[number][side]))
        for (number, side), port in zip(plugs, ports, strict=True):
            plugged.cables[number][side] = port
            untouched.discard(number)

    def free(device: str) -> Plugged:
        last[device] += 1
        return Plugged(device, last[device])

    for _ in range(round(share * len(rows))):
        kind = chance.choice(["local", "far", "free", "shift", "missing", "extra"])
        device = chance.choice(sorted(ends))
        here = [(number, side) for _, number, side in sorted(ends[device]) if number in untouched]
        devices = [{end.device for end in rows[number].ends} for number, _ in here[:2]]
        if kind == "local" and len(here) > 1 and len(devices[0] | devices[1]) == 3:
            put(here[:2], [plugged.cables[number][side] for number, side in here[1::-1]])
        elif kind == "far" and len(untouched) > 1:
            plugs = [(number, chance.randrange(2)) for number in chance.sample(sorted(untouched), 2)]
            if len({end.device for number, _ in plugs for end in rows[number].ends}) == 4:
                put(plugs, [plugged.cables[number][side] for number, side in plugs[::-1]])
        elif kind == "free" and here:
            put(here[:1], [free(device)])
        elif kind == "shift" and here and last[device] == max(port for port, *_ in ends[device]):
            block = here[-3:] if here[-1][0] in untouched else []
            ports = [plugged.cables[number][side] for number, side in block]
            if ports and [port.port for port in ports] == list(range(last[device] - len(ports) + 1, last[device] + 1)):
                put(block, [*ports[1:], free(device)])
        elif kind == "missing" and here:
            plugged.cables[here[0][0]] = None
            untouched.discard(here[0][0])
        elif kind == "extra":
            other = chance.choice(sorted(ends.keys() - {device}))
            plugged.extra.append(sorted_pair(free(device), free(other)))
    return plugged


class Crew:
    """Follows moves plug by plug: one plug is in a hand at a time, and one more may be held.

    `down` is the maximum number of cables with a plug in a hand; `divided` is whether devices lost their connection in between.
    """

    def __init__(self, located: Located, *, watch: Iterable[str] = ()):
        self.cables: list[list[Plugged | None]] = [list(link) for link in located.links]
        self.cables += [[port, Plugged(other, 0)] for port, other in located.foreign if port is not None]
        self.at = {port: (number, side) for number, cable in enumerate(self.cables) for side, port in enumerate(cable)}
        self.watch = sorted(watch)
        self.down, self.divided, self.parts = 0, False, self._parts()

    def take_out(self, removals: Iterable[Removal]) -> None:
        for removal in removals:
            for a, b in (removal.ports, *removal.lanes):
                number, _ = self.at.pop(a)
                assert self.at.pop(b)[0] == number
                self.cables[number] = [None, None]
        self.parts = self._parts()

    def follow(self, moves: Sequence[Move]) -> set[Joined]:
        """Make the moves in order; return the links at the end."""
        held: list[tuple[Move, tuple[int, int]]] = []
        for place, move in enumerate(moves):
            plug = self.at.pop(Plugged(move.device, move.from_port))
            self.cables[plug[0]][plug[1]] = None
            self._watch({plug[0], *(number for _, (number, _) in held)})
            if move.hold:
                assert not held
                held.append((move, plug))
            else:
                self._insert(move, plug)
            if held and (place + 1 == len(moves) or moves[place + 1].component != move.component):
                self._insert(*held.pop())
            if not held:
                self.parts = min(self.parts, self._parts())
        assert not held
        return {sorted_pair(*cable) for cable in self.cables if None not in cable}

    def _insert(self, move: Move, plug: tuple[int, int]) -> None:
        target = Plugged(move.to_device, move.to_port)
        assert target not in self.at, f"{target} is occupied"
        self.at[target] = plug
        self.cables[plug[0]][plug[1]] = target

    def _watch(self, down: set[int]) -> None:
        self.down = max(self.down, len(down))
        self.divided |= self._parts() > self.parts

    def _parts(self) -> int:
        """Return the number of connected parts of the devices that are watched."""
        around: dict[str, set[str]] = {name: set() for name in self.watch}
        for a, b in self.cables:
            if a and b and a.device in around and b.device in around:
                around[a.device].add(b.device)
                around[b.device].add(a.device)
        left, parts = set(self.watch), 0
        while left:
            parts += 1
            todo = [left.pop()]
            while todo:
                reached = around[todo.pop()] & left
                left -= reached
                todo += reached
        return parts
