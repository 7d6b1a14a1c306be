"""Rule of ports that the study attaches near their devices: no exchange of ports brings them nearer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check.basis.places import error
from planner.check.basis.rule import rule
from planner.check.basis.tables import attached, has_tables
from planner.model import Plan, Violation

_UNIT_APART = 1_000
"""Distance, in cabinets, that two scalable units add to that of the numbers of two cabinets."""

_LARGE = 1_500
"""Cabinets with leaves up to which a network is examined."""


@rule(47)
def near_ports_are_nearest(plan: Plan) -> Iterator[Violation]:
    """No exchange of ports between leaves shortens the sum of the distances of ports that are attached by the rule near.

    Ports and leaves are a transport of minimum cost if and only if no cycle of exchanges has a negative cost.
    """
    for name, rows in _exchangeable(plan):
        rack, unit = plan.inventory.rack, plan.inventory.rack_unit
        # Ports of one cabinet at leaves of one cabinet are alike.
        own, device = np.unique(rack[plan.inventory.ends[rows]], axis=0).T
        homes, at = np.unique(own, return_inverse=True)
        if len(homes) > _LARGE:
            continue
        apart = (unit[device[:, None]] != unit[homes]) & (unit[device[:, None]] >= 0) & (unit[homes] >= 0)
        away = np.abs(device[:, None] - homes) + _UNIT_APART * apart
        gain = shortest_cycle(away - away[np.arange(len(at)), at][:, None], at)
        if gain < 0:
            message = "an exchange of ports between leaves brings devices nearer to them"
            yield error("near_ports_are_nearest", name, gain, 0, "cabinets", message)


def _exchangeable(plan: Plan) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the network and the connections by the rule near whose ports can be exchanged: those of one port group of routers."""
    for number, name in enumerate(plan.network_names if has_tables(plan) else ()):
        rows = _near(plan, number)
        group = plan.inventory.port_group[rows, 0]
        yield from ((name, rows[group == one]) for one in np.unique(group).tolist())


def _near(plan: Plan, number: int) -> np.ndarray:
    """Return the connections of a network whose ports are attached by the rule near."""
    inventory = plan.inventory
    rows = np.arange(inventory.connection_count)[inventory.endpoints(number)]
    chosen = np.zeros(len(rows), bool)
    for each in attached(plan, number):
        if each.rule == "near":
            kind = inventory.kind_names.index(each.label)
            alike = (inventory.port_group[rows, 1] == each.group) & (inventory.kind[rows] == kind)
            chosen |= alike & np.isin(inventory.ends[rows, 1], each.devices)
    if plan.kept is not None:
        # Connections of a kept plan stay.
        chosen &= ~np.isin(rows, plan.kept.row)
    return rows[chosen]


def shortest_cycle(change: np.ndarray, at: np.ndarray) -> int:
    """Return the minimum length of the cycles over cabinets of leaves, negative if there is a negative one, by Floyd's algorithm.

    `change` holds what each port gains in each of these cabinets, (n, C), `at` the cabinet where it is now.
    """
    count = change.shape[1]
    length = np.full((count, count), np.inf)
    np.minimum.at(length, at, change)
    for middle in range(count):
        length = np.minimum(length, length[:, middle, None] + length[middle])
        if (shortest := length.diagonal().min()) < 0:
            return int(shortest)
    return 0
