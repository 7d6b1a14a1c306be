"""NetBox' table of interfaces, and their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from planner.domain.parts import EndpointPart, RouterPart
from planner.domain.parts.ports import MANAGEMENT
from planner.formats.dcim.export import Export
from planner.formats.dcim.types import families, interface_type
from planner.view.names import is_named

_COLUMNS = ("device", "name", "label", "type", "speed", "enabled", "description")


@dataclass(frozen=True)
class Interfaces:
    """Interfaces of all devices; where networks have names, those of all ports, with their purpose."""

    export: Export

    @property
    def columns(self) -> tuple[str, ...]:
        return (*_COLUMNS, "mgmt_only") if is_named(self.export.plan) else _COLUMNS

    def rows(self) -> Iterator[tuple]:
        yield from self._named() if is_named(self.export.plan) else self._numbered()

    def _numbered(self) -> Iterator[tuple]:
        inventory = self.export.plan.inventory
        for device in np.flatnonzero(inventory.is_router).tolist():
            part = inventory.part_of(device)
            assert isinstance(part, RouterPart)
            kind = interface_type(part, part.family)
            for port, label in self._labels(part):
                yield self.export.names[device], f"p{port}", label, kind, part.rate_gbps * 1_000_000, "true", ""
        yield from self._of_nodes()

    def _of_nodes(self) -> Iterator[tuple]:
        """Yield the interfaces of nodes, whose names are theirs."""
        inventory = self.export.plan.inventory
        for row in self._node_rows.tolist():
            router, node = inventory.ends[row].tolist()
            part, of_router = inventory.part_of(node), inventory.part_of(router)
            assert isinstance(of_router, RouterPart)
            name = self.name(node, int(self.export.plan.cables.port[row, 1]))
            yield (
                self.export.box_of[node],
                name,
                "",
                interface_type(part, of_router.family),
                part.rate_gbps * 1_000_000,
                "true",
                "",
            )

    @cached_property
    def _node_rows(self) -> np.ndarray:
        """Return the connections of nodes, by node and port."""
        inventory = self.export.plan.inventory
        rows = np.flatnonzero(~inventory.is_router[inventory.ends[:, 1]])
        return rows[np.lexsort((self.export.plan.cables.port[rows, 1], inventory.ends[rows, 1]))]

    @cached_property
    def _connected(self) -> np.ndarray:
        """Return the number of connections of each device."""
        return np.bincount(self.export.plan.inventory.ends.ravel(), minlength=self.export.plan.inventory.device_count)

    @cached_property
    def _port_names(self) -> list[tuple[str, ...]]:
        """Return the names of the ports of each part."""
        return [part.port_names for part in self.export.plan.inventory.parts]

    def _port_name(self, part: int, port: int) -> str:
        """Return the name of a port on the devices of a part."""
        name = self._port_names[part][port - 1]
        return f"p{name}" if name.isdecimal() else name

    def name(self, device: int, port: int) -> str:
        """Return the name of a port: of a node its own name, with the port where it has several.

        Where networks have names, it is that on the device; numbers have a p before them.
        """
        if is_named(self.export.plan):
            return self._port_name(int(self.export.plan.inventory.part[device]), port)
        if self.export.plan.inventory.is_router[device]:
            return f"p{port}"
        return self.export.names[device] + (f"-p{port}" if self._connected[device] > 1 else "")

    def templates(self, part: RouterPart | EndpointPart) -> list[dict[str, Any]]:
        """Return the interfaces that every device of a part has, as templates; those of nodes without networks have own names."""
        plan = self.export.plan
        number = next(place for place, own in enumerate(plan.inventory.parts) if own is part)
        if not is_named(plan):
            if not isinstance(part, RouterPart):
                return []
            kind = interface_type(part, part.family)
            return [{"name": f"p{port}", "label": label, "type": kind} for port, label in self._labels(part)]
        return [
            {"name": self._port_name(number, port), "label": label, "type": kind, "mgmt_only": management}
            for port, label, kind, _, management in self._ports_of(number)
        ]

    def without_templates(self) -> Iterator[tuple]:
        """Yield the rows that templates of device types do not make."""
        if not is_named(self.export.plan):
            yield from self._of_nodes()

    def _labels(self, part: RouterPart) -> Iterator[tuple[int, str]]:
        """Yield the ports of a router and their labels."""
        for port in range(1, part.ports + 1):
            cage, lane = divmod(port - 1, part.ports_per_cage)
            yield port, f"{cage + 1}/{lane + 1}" if part.ports_per_cage > 1 else str(port)

    def _ports_of(self, part: int) -> Iterator[tuple[int, str, str, int, bool]]:
        """Yield number, label, type, rate and whether it is for management of each port of a part."""
        port = 0
        for number, group in enumerate(self.export.plan.inventory.parts[part].groups):
            kind = interface_type(group, self._families.get((part, number), ""))
            for place in range(group.count):
                port += 1
                cage, lane = divmod(place, group.ports_per_cage)
                label = f"{cage + 1}/{lane + 1}" if group.ports_per_cage > 1 else str(place + 1)
                yield port, label, kind, group.rate_gbps, group.name == MANAGEMENT

    @cached_property
    def _families(self) -> dict[tuple[int, int], str]:
        return families(self.export.plan.inventory)

    def _named(self) -> Iterator[tuple]:
        for device, part in enumerate(self.export.plan.inventory.part.tolist()):
            for port, label, kind, rate_gbps, management in self._ports_of(part):
                place = self.export.box_of[device], self._port_name(part, port)
                yield *place, label, kind, rate_gbps * 1_000_000, "true", "", "true" if management else "false"
