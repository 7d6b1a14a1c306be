"""The stage `inventory`."""

from __future__ import annotations

from planner.inventory import inventory
from planner.model import Inventory
from planner.stage import Stage

STAGES = (
    Stage(
        record=Inventory,
        run=lambda run: inventory(run.topology, run.catalog),
        rank=35,
        needs=("topology", "catalog"),
        is_input=True,
        seeded=False,
    ),
)
