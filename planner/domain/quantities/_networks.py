"""Size, cables and cost of each of several networks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.domain.model import Plan
from planner.domain.parts import MANAGEMENT


@dataclass(frozen=True)
class Network:
    """Figures of one network.

    `endpoints` are the ports of nodes and of other devices that are attached to it, `devices` the devices that own them,
    `between` its cables between two cabinets. `routers_cents` and `cables_cents` are catalog prices; those of cables include
    transceivers. Figures of cables are None where the plan has none.
    """

    name: str
    family: str
    routers: int
    links: int
    endpoints: int
    devices: int
    routers_cents: int
    cables: int | None = None
    between: int | None = None
    run_mm: int | None = None
    stock_mm: int | None = None
    cables_cents: int | None = None

    @property
    def cents(self) -> int | None:
        """Catalog price of its routers and cables."""
        return None if self.cables_cents is None else self.routers_cents + self.cables_cents


def networks(plan: Plan) -> list[Network]:
    """Return the figures of all networks, in the order of the study; the plan has an inventory."""
    return [_network(plan.of(name) if name else plan, name) for name in plan.network_names]


def unattached(plan: Plan) -> list[tuple[str, int, str, int]]:
    """Return the port groups of nodes that no network attaches: part, number of nodes, group, and its ports on each.

    Management ports are left out: a design rule reports those that a network should connect.
    """
    inventory, nodes = plan.inventory, plan.inventory.part[plan.inventory.router_count :]
    used = set(zip(inventory.part[inventory.ends].ravel().tolist(), inventory.port_group.ravel().tolist(), strict=True))
    return [
        (part.id, count, group.name, group.count)
        for number, part in enumerate(inventory.parts)
        if (count := int((nodes == number).sum()))
        for place, group in enumerate(part.groups)
        if (number, place) not in used and group.name != MANAGEMENT
    ]


def _network(plan: Plan, name: str) -> Network:
    """Return the figures of the network whose records a plan has."""
    inventory, number = plan.inventory, plan.network
    size = {
        "name": name,
        "family": plan.topology.family,
        "routers": plan.topology.router_count,
        "links": plan.topology.link_count,
        "endpoints": plan.topology.endpoint_count,
        "devices": len(inventory.attached(number)),
        "routers_cents": int(inventory.of_routers("price_cents", number).sum(dtype=np.int64)),
    }
    if plan.cables is None:
        return Network(**size)
    rows = inventory.connections(number, direct=True)
    cables = plan.cables
    piece, first = np.unique(cables.piece[rows], return_index=True)
    between = cables.cabinet[rows, 0] != cables.cabinet[rows, 1]
    return Network(
        **size,
        run_mm=int(cables.longest_of_pieces(rows).sum()),
        stock_mm=int(cables.stock_mm[rows][first].sum(dtype=np.int64)),
        cables=len(piece),
        between=len(np.unique(cables.piece[rows][between])),
        cables_cents=int(cables.price_cents[rows].sum(dtype=np.int64)),
    )
