"""What normalizing uses of the plan: its names, the ports in use, and how they are printed. It assigns no identity."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from planner.report.schedule import Connection

_CAGE = re.compile(r"^(?:.*/)?(\d+)/(\d+)$")


@dataclass
class Planned:
    """A device of the plan: ports in use, port by printed name (case-blind), and ports per cage."""

    name: str
    used: set[int] = field(default_factory=set)
    printed: dict[str, int] = field(default_factory=dict)
    per_cage: int = 1
    host: bool = False


@dataclass
class Names:
    """Devices of the plan by case-blind name, and the same for all of its switches together.

    Attributes
    ----------
    used
        Ports that any switch uses.
    printed
        Port by printed name where all switches agree.
    per_cage
        Ports per cage of the switches, the most frequent first.
    """

    devices: dict[str, Planned]
    used: set[int]
    printed: dict[str, int]
    per_cage: list[int]


def names_of(schedule: Sequence[Connection]) -> Names:
    """Return the names and ports of the plan."""
    spelled: dict[str, Planned] = {}
    devices: dict[str, Planned] = {}
    endpoint: set[str] = set()
    for row in schedule:
        for end in (row.a, row.b):
            device = spelled.get(end.device)
            if device is None:
                device = spelled[end.device] = devices.setdefault(end.device.casefold(), Planned(end.device))
            device.used.add(end.port)
            device.printed[end.printed] = end.port
        if row.kind == "endpoint":
            endpoint.add(row.b.device.casefold())
    for key, device in devices.items():
        device.printed = {printed.casefold(): port for printed, port in device.printed.items()}
        device.host = key in endpoint or all(not printed[:1].isdigit() for printed in device.printed)
        device.per_cage = _per_cage(device.printed)
    switches = [device for device in devices.values() if not device.host]
    ports = defaultdict(set)
    for device in switches:
        for printed, port in device.printed.items():
            ports[printed].add(port)
    return Names(
        devices,
        {port for device in switches for port in device.used},
        {printed: min(found) for printed, found in ports.items() if len(found) == 1},
        [number for number, _ in sorted(Counter(device.per_cage for device in switches).items(), key=lambda kv: (-kv[1], kv[0]))],
    )


def _per_cage(printed: dict[str, int]) -> int:
    """Return the ports per cage of a device, from its printed ports.

    >>> _per_cage({"1/1": 1, "6/2": 12}), _per_cage({"12": 12}), _per_cage({"3/4": 12})
    (2, 1, 4)
    """
    counted: Counter[int] = Counter()
    lanes = 1
    for text, port in printed.items():
        if match := _CAGE.match(text):
            cage, lane = int(match[1]), int(match[2])
            lanes = max(lanes, lane)
            if cage > 1 and port > lane and (port - lane) % (cage - 1) == 0:
                counted[(port - lane) // (cage - 1)] += 1
    return max(counted, key=lambda number: (counted[number], -number)) if counted else lanes
