"""Rule of ports that the study attaches near their devices: no other ports bring them nearer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check.attachments import left_free
from planner.check.basis.places import error
from planner.check.basis.rule import Source, rule
from planner.check.basis.tables import attached, has_tables
from planner.domain.model import Plan, Violation

_UNIT_APART, _CABINET_APART = 1_000, 1_000_000
"""Distances, in cabinets, that two scalable units and two cabinets add to that of the numbers of two cabinets."""

_LARGE = 1_500
"""Cabinets with leaves up to which a network is examined."""


@rule(47, source=True)
def near_ports_are_nearest(plan: Plan, source: Source) -> Iterator[Violation]:
    """No exchange of ports and no move to free ports shortens the sum of the distances of ports attached by the rule near.

    Ports and leaves are a transport of minimum cost if and only if no cycle of exchanges has a negative cost; free ports are
    those of one more device, which is equally near to all leaves.
    """
    for number, name in enumerate(plan.network_names if has_tables(plan) else ()):
        leaves, first = left_free(plan, source.bare(number), number), plan.inventory.routers(number).start
        for router_ports, rows in _near(plan, number).items():
            free = first + np.flatnonzero(np.array(leaves.free(router_ports)) > 0)
            if (gain := _gain(plan, rows, free)) < 0:
                message = "other leaves, by an exchange of ports or by free ports, are nearer to the devices"
                yield error("near_ports_are_nearest", name, gain, 0, "cabinets", message)


def _gain(plan: Plan, rows: np.ndarray, free: np.ndarray) -> int:
    """Return by how much ports can be nearer, at most 0: those of connections that may use each other's and free ports."""
    rack, unit = plan.inventory.rack, plan.inventory.rack_unit
    # Ports of one cabinet at leaves of one cabinet are alike.
    own, device = np.unique(rack[plan.inventory.ends[rows]], axis=0).T
    homes = np.unique(np.concatenate([own, rack[free]]))
    if len(homes) > _LARGE:
        return 0
    apart = (unit[device[:, None]] != unit[homes]) & (unit[device[:, None]] >= 0) & (unit[homes] >= 0)
    away = np.abs(device[:, None] - homes) + _UNIT_APART * apart + _CABINET_APART * (device[:, None] != homes)
    at = np.searchsorted(homes, own)
    return shortest_cycle(away - away[np.arange(len(at)), at][:, None], at, np.isin(homes, rack[free]))


def _near(plan: Plan, number: int) -> dict[str, np.ndarray]:
    """Return the connections of a network whose ports are attached by the rule near, by the port group of the routers."""
    inventory = plan.inventory
    rows = np.arange(inventory.connection_count)[inventory.endpoints(number)]
    chosen: dict[str, np.ndarray] = {}
    for each in attached(plan, number):
        if each.rule == "near":
            kind = inventory.kind_names.index(each.label)
            alike = (inventory.port_group[rows, 1] == each.group) & (inventory.kind[rows] == kind)
            own = chosen.setdefault(each.router_ports, np.zeros(len(rows), bool))
            own |= alike & np.isin(inventory.ends[rows, 1], each.devices)
    # Connections of a kept plan stay.
    kept = np.isin(rows, plan.kept.row) if plan.kept is not None else np.zeros(len(rows), bool)
    return {router_ports: rows[own & ~kept] for router_ports, own in chosen.items() if (own & ~kept).any()}


def shortest_cycle(change: np.ndarray, at: np.ndarray, free: np.ndarray) -> int:
    """Return the minimum length of the cycles over cabinets of leaves, negative if there is a negative one, by Floyd's algorithm.

    `change` holds what each port gains in each of these cabinets, (n, C), `at` the cabinet where it is now, `free` whether
    a cabinet has free ports, (C,).
    """
    count = change.shape[1] + 1
    length = np.full((count, count), np.inf)
    np.minimum.at(length[:, :-1], at, change)
    # What leaves a cabinet for a free port leaves one behind anywhere.
    length[-1], length[:-1, -1] = 0, np.where(free, 0, np.inf)
    for middle in range(count):
        length = np.minimum(length, length[:, middle, None] + length[middle])
        if (shortest := length.diagonal().min()) < 0:
            return int(shortest)
    return 0
