"""Rule of connections between two nodes, which the tables of networks state under `direct`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check.basis.places import connection_name, unequal
from planner.check.basis.rule import rule
from planner.check.basis.tables import direct, has_tables
from planner.domain.model import Plan, Violation


@rule(13)
def nodes_are_joined_as_stated(plan: Plan) -> Iterator[Violation]:
    """Nodes that the study joins without a router are connected in pairs, each port with that of the same number."""
    if not has_tables(plan):
        return
    inventory = plan.inventory
    for number in range(len(plan.network_names)):
        rows = inventory.direct(number)
        wanted = np.array(
            [
                (*ends, *groups, port, port, inventory.kind_names.index(label), 0, 0)
                for ends, groups, port, label in direct(plan, number)
            ],
            np.int64,
        ).reshape(-1, 9)
        columns = (inventory.ends, inventory.port_group, inventory.port, inventory.kind[:, None], inventory.rank)
        have = np.column_stack([column[rows] for column in columns])

        def where(row: int, start: int = rows.start) -> str:
            return connection_name(plan, start + row)

        message = "devices, port groups, ports and kind are not those of the tables"
        yield from unequal("nodes_are_joined_as_stated", have, wanted, where, message)
