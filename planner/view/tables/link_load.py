"""The load of every link at the highest steady load of the simulation."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Plan, SimulationResult
from planner.view.tables.table import Column, Table


class LinkLoad:
    """The loads at one simulated point."""

    def __init__(self, plan: Plan, result: SimulationResult, point: int):
        self.plan, self.result, self.point = plan, result, point
        self.load = result.link_load[point].reshape(-1, 2)
        count = len(self.load)
        self.links = plan.inventory.links() if plan.inventory is not None else slice(0, count)

    @property
    def numbers(self) -> range:
        return range(1, len(self.load) + 1)

    def network(self) -> list[str]:
        """Return the name of the simulated network."""
        return [self.plan.network_names[self.plan.network]] * len(self.load)

    def offered(self) -> list[float]:
        return [self.result.offered[self.point]] * len(self.load)

    def toward(self, direction: int) -> list[float]:
        """Return the load in one direction; single precision has seven digits."""
        return [float(f"{load:.7g}") for load in self.load[:, direction].tolist()]

    def of_cables(self, name: str) -> np.ndarray | list[str]:
        """Return a text of each link's cable; empty without cables."""
        cables, count = self.plan.cables, len(self.load)
        if cables is None:
            return [""] * count
        return (cables.of_assembly(name) if name == "length_part" else getattr(cables, name))[self.links]


def _data(plan: Plan) -> LinkLoad | None:
    plan = plan.of_section("simulation")
    result = plan.simulation
    if result is None:
        return None
    steady = np.flatnonzero(~result.saturated & (result.deadlock < 0))
    return LinkLoad(plan, result, int(steady[np.argmax(result.offered[steady])])) if len(steady) else None


COLUMNS = (
    Column("cable", "cable", "number of the cable; of several networks that of the link in its network", lambda t: t.numbers,
           "whole"),
    Column("network", "network", "simulated network", LinkLoad.network, named=True),
    Column("label_a", "label, first end", "text of the label", lambda t: t.of_cables("label_a"), width=24),
    Column("label_b", "label, second end", "text of the label", lambda t: t.of_cables("label_b"), width=24),
    Column("part", "part", "catalog row of the part with the length", lambda t: t.of_cables("length_part"), width=26),
    Column("offered_load", "offered load", "offered load", LinkLoad.offered, "number", "phits/cycle/endpoint"),
    Column("forward_load", "load from first to second end", "load of the link in this direction", lambda t: t.toward(0),
           "number", "phits/cycle"),
    Column("backward_load", "load from second to first end", "load of the link in this direction", lambda t: t.toward(1),
           "number", "phits/cycle"),
)  # fmt: skip

LINK_LOAD = Table("link load", "One row per link, at the highest steady load.", _data, COLUMNS, keys=1)
