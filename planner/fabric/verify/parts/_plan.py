"""Catalog rows of a plan, and its ports."""

from __future__ import annotations

from collections.abc import Sequence

from planner.domain import catalog
from planner.domain.model import Plan
from planner.domain.parts import Goods, Row
from planner.fabric.verify.found import HOST, Fabric, Place
from planner.fabric.verify.result import Identity, Plugged
from planner.view.schedule import Connection


def rows_of(plan: Plan | None = None) -> dict[str, Row]:
    """Return the catalog rows of cables, splitters, modules and fibers by id.

    Parameters
    ----------
    plan
        Plan whose own rows take precedence; for a cable schedule in a file the shipped rows are all that is known.
    """
    kinds = ("cable", "breakout", "transceiver", "fiber")
    found = {row.id: row for kind in kinds for row in catalog.rows(kind)}
    if plan is not None:
        records = [record for record in (plan.catalog, plan.inventory) if record is not None]
        own = [row for record in records for row in record.rows]
        found |= {row.id: row for row in own if isinstance(row, Goods)}
    return found


class Ports:
    """Ports of a plan, and the plugs that serve them.

    A plug serves all connections of a cage: ``cage`` is the same for them.
    """

    def __init__(self, schedule: Sequence[Connection]):
        self.of_device: dict[str, list[int]] = {}
        self._cage: dict[Plugged, str] = {}
        for row in schedule:
            for end in row.ends:
                self.of_device.setdefault(end.device, []).append(end.port)
                if end.cage != end.printed:
                    self._cage[Plugged(end.device, end.port)] = end.cage

    def cage(self, port: Plugged) -> tuple[str, str]:
        """Return the cage of a port: its device, and the cage as printed or the port itself."""
        return port.device, self._cage.get(port, f"port {port.port}")

    def planned(self, fabric: Fabric, identity: Identity, place: Place) -> Plugged | None:
        """Return the port of the plan at a place of the fabric, None if the plan does not know the device.

        The only port of a node is that of its adapter, whatever both call it.
        """
        known = identity.of.get(place.device)
        if known is None:
            return None
        ports = self.of_device.get(known.device, [])
        device = fabric.devices.get(place.device)
        node = device is not None and device.kind == HOST
        if len(ports) == 1 and (node or not place.port):
            return Plugged(known.device, ports[0])
        if node and place.port not in ports:
            return None
        return Plugged(known.device, place.port) if place.port else None
