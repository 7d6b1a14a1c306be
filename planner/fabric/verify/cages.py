"""Cages of devices whose cables have several links in a plug."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from planner.fabric.verify.result import Plugged
from planner.view.schedule import Connection


def sockets_of(schedule: Sequence[Connection], ports: Collection[Plugged]) -> dict[Plugged, tuple[str, int]]:
    """Return cage and lane of ports on devices with several links in a plug.

    Ports that the plan leaves empty are unknown to it: they follow the numbering of the others of the device, if that is regular.
    """
    several = {row.piece for row in schedule if row.piece != row.number}
    if not several:
        return {}
    devices = {port.device for port in ports}
    cages: dict[str, dict[int, str]] = defaultdict(dict)
    shared: set[str] = set()
    for row in schedule:
        for end in row.ends:
            if end.device in devices:
                cages[end.device][end.port] = end.cage
                if row.piece in several and end.cage != end.printed:
                    shared.add(end.device)
    places: dict[Plugged, tuple[str, int]] = {}
    for device in shared:
        here = {port for port in ports if port.device == device} | {Plugged(device, port) for port in cages[device]}
        places |= _places(cages[device], sorted(here))
    return places


def _places(cage: Mapping[int, str], ports: Sequence[Plugged]) -> dict[Plugged, tuple[str, int]]:
    """Return cage and lane of ports of a device, given the cages of its planned ports."""
    ports_of: dict[str, list[int]] = defaultdict(list)
    for port in sorted(cage):
        ports_of[cage[port]].append(port)
    lanes = max(len(numbers) for numbers in ports_of.values())
    if all(name == str((port - 1) // lanes + 1) for port, name in cage.items()):
        return {port: (str((port.port - 1) // lanes + 1), (port.port - 1) % lanes) for port in ports}
    return {port: (cage[port.port], ports_of[cage[port.port]].index(port.port)) for port in ports if port.port in cage}
