"""Port groups at both ends of connections: what a socket is, and which ports of its device are its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.check.basis.distinct import distinct
from planner.check.basis.tables import has_tables
from planner.domain.model import Plan


@dataclass(frozen=True)
class Sockets:
    """Ports of one group of a device: ports and cages of the device before them, their number, and what plugs in."""

    first_port: int
    first_cage: int
    ports: int
    connector: str
    rate_gbps: int
    per_cage: int = 1
    optics: str = ""

    @property
    def plug(self) -> tuple[str, int, int, str]:
        """What decides which cables fit."""
        return self.connector, self.rate_gbps, self.per_cage, self.optics


def sockets_at_ends(plan: Plan) -> tuple[list[Sockets], np.ndarray]:
    """Return the kinds of ports in use, and the kind at both ends of each connection, int64 (W, 2).

    In a study with one network they are those that the part states for it.
    """
    inventory = plan.inventory
    part, group = inventory.part[inventory.ends].ravel(), inventory.port_group.ravel()
    first, kind, _ = distinct(part, group)
    used = np.column_stack([part, group])[first]
    found = []
    for part, number in used.tolist():
        row = inventory.parts[part]
        if not has_tables(plan):
            found.append(Sockets(0, 0, row.ports, row.connector, row.rate_gbps))
            continue
        group, before = row.groups[number], row.groups[:number]
        cages = sum(one.count // one.ports_per_cage for one in before)
        plug = group.connector, group.rate_gbps, group.ports_per_cage, group.optics
        found.append(Sockets(sum(one.count for one in before), cages, group.count, *plug))
    return found, kind.reshape(-1, 2)
