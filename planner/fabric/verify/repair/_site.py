"""Where devices are, and how far apart cabinets are, as a cable schedule states it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from planner.fabric.verify.result import Plugged
from planner.view.schedule import Connection, nodes_of


@dataclass(frozen=True)
class Site:
    """Places of devices.

    Attributes
    ----------
    place
        Cabinet and lowest unit of each device.
    rank
        Place of each cabinet in the order of work, from 0.
    run_mm
        Shortest planned run between two cabinets, sorted.
    nodes
        Nodes of the plan.
    links
        Number of links of each cable, by the first of its rows.
    rows
        Rows of the schedule by number.
    single
        Devices with one planned link: each loses it when one of its plugs moves.
    """

    place: Mapping[str, tuple[str, int]]
    rank: Mapping[str, int]
    run_mm: Mapping[tuple[str, str], int]
    nodes: frozenset[str]
    links: Mapping[int, int]
    rows: Mapping[int, Connection]
    single: frozenset[str]

    @classmethod
    def of(cls, schedule: Sequence[Connection], cabinets: Iterable[str] = ()) -> Site:
        place: dict[str, tuple[str, int]] = {}
        run_mm: dict[tuple[str, str], int] = {}
        for row in schedule:
            a, b = row.a, row.b
            place[a.device] = (a.cabinet, a.unit)
            place[b.device] = (b.cabinet, b.unit)
            pair = (a.cabinet, b.cabinet) if a.cabinet <= b.cabinet else (b.cabinet, a.cabinet)
            if row.run_mm < run_mm.get(pair, row.run_mm + 1):
                run_mm[pair] = row.run_mm
        # Cabinets that no order names follow by name.
        degree = Counter(end.device for row in schedule for end in row.ends)
        names = dict.fromkeys([*cabinets, *sorted({cabinet for cabinet, _ in place.values()})])
        return cls(
            place,
            {name: number for number, name in enumerate(names)},
            run_mm,
            nodes_of(schedule),
            Counter(row.piece for row in schedule),
            {row.number: row for row in schedule},
            frozenset(device for device, number in degree.items() if number == 1),
        )

    def cabinet(self, port: Plugged) -> str:
        return self.place.get(port.device, ("", 0))[0]

    def unit(self, port: Plugged) -> int:
        return self.place.get(port.device, ("", 0))[1]

    def shortest_mm(self, one: Plugged, other: Plugged) -> int | None:
        """Return the shortest planned run between the cabinets of two ports; None if no cable is planned between them."""
        a, b = sorted((self.cabinet(one), self.cabinet(other)))
        return self.run_mm.get((a, b))

    def written(self, port: Plugged) -> str:
        """Return a port in words, with its location."""
        if port.device not in self.place:
            return f"{port.device} port {port.port}"
        cabinet, unit = self.place[port.device]
        return (
            f"{port.device} port {port.port} ({cabinet}, unit {unit})" if unit else f"{port.device} port {port.port} ({cabinet})"
        )
