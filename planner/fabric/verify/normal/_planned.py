"""What normalizing uses of the plan: its names, the ports in use, and how they are printed. It assigns no identity."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from planner.fabric.verify.normal._affix import Affix
from planner.fabric.verify.normal._cages import Cages, cages_of
from planner.fabric.verify.normal._modules import Modules, modules_of
from planner.view.schedule import Connection, nodes_of

NO_CAGES = cages_of({})


@dataclass
class Planned:
    """A device of the plan: ports in use, port by printed name (case-blind), and cages."""

    name: str
    used: set[int] = field(default_factory=set)
    printed: dict[str, int] = field(default_factory=dict)
    cages: Cages = NO_CAGES
    modules: Modules | None = None
    host: bool = False

    @property
    def per_cage(self) -> int:
        return self.cages.per_cage

    def stated(self, text: str) -> int:
        """Return the port of a text such as the plan prints those of this device, used or not; 0 for other texts."""
        return (self.modules.stated(text) if self.modules is not None else 0) or self.cages.stated(text)


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
    affix
        What the names of the files have in addition to planned ones.
    """

    devices: dict[str, Planned]
    used: set[int]
    printed: dict[str, int]
    per_cage: list[int]
    affix: Affix = Affix()


def names_of(schedule: Sequence[Connection]) -> Names:
    """Return the names and ports of the plan."""
    spelled: dict[str, Planned] = {}
    devices: dict[str, Planned] = {}
    for row in schedule:
        for end in (row.a, row.b):
            device = spelled.get(end.device)
            if device is None:
                device = spelled[end.device] = devices.setdefault(end.device.casefold(), Planned(end.device))
            device.used.add(end.port)
            device.printed[end.printed] = end.port
    nodes = {name.casefold() for name in nodes_of(schedule)}
    for key, device in devices.items():
        device.printed = {printed.casefold(): port for printed, port in device.printed.items()}
        device.host = key in nodes
        device.cages = cages_of(device.printed)
        device.modules = None if device.host else modules_of(device.printed)
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
