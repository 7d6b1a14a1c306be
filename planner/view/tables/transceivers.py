"""The transceivers to buy, by the devices that they are for."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from planner.domain.model import Plan
from planner.view.names import network_of_rows
from planner.view.tables.table import Column, Table, each


class _Kind(NamedTuple):
    """Equal transceivers in devices of one role."""

    network: str
    role: str
    part: str
    quantity: int


def _kinds(plan: Plan) -> list[_Kind] | None:
    cables, inventory = plan.cables, plan.inventory
    if cables is None:
        return None
    counted: Counter[tuple[int, int, str]] = Counter()
    network, role = network_of_rows(plan), inventory.role[cables.device]
    for side in (0, 1):
        rows = np.flatnonzero(cables.modules[:, side])
        keys = np.column_stack([network[rows], role[rows, side], cables.assembly[rows]])
        kinds, kind = np.unique(keys, axis=0, return_inverse=True)
        quantities = np.bincount(kind.ravel(), cables.modules[rows, side], len(kinds)).astype(np.int64)
        for (number, own, assembly), quantity in zip(kinds.tolist(), quantities.tolist(), strict=True):
            counted[number, own, cables.assemblies[assembly].ends[side].part] += quantity
    return [
        _Kind(inventory.network_names[number], inventory.role_names[own], part, quantity)
        for (number, own, part), quantity in sorted(counted.items())
    ]


COLUMNS = (
    Column("network", "network", "name of the network", each(lambda k: k.network), width=16, named=True),
    Column("role", "role", "role of the devices that they are for: leaf, spine, node …", each(lambda k: k.role), width=16),
    Column("part", "part", "catalog row", each(lambda k: k.part), width=30),
    Column("quantity", "quantity", "number of transceivers, without spares", each(lambda k: k.quantity), "whole"),
)  # fmt: skip

TRANSCEIVERS = Table("transceivers", "One row per network, role and catalog row of transceivers.", _kinds, COLUMNS)
