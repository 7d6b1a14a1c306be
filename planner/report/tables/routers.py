"""The routers, with their location, ports and position in the network."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from planner.model import Plan
from planner.report._cabinets import cabinets
from planner.report._names import cabinet_names, device_names
from planner.report.tables.table import REMARK, Column, Table, installed


class Routers:
    """The routers of a placed plan."""

    def __init__(self, plan: Plan):
        self.plan, self.part = plan, plan.catalog.router

    def all(self, value: object) -> list[object]:
        """Return a value that all routers have in common, for each."""
        return [value] * self.plan.topology.router_count

    @property
    def names(self) -> list[str]:
        return device_names(self.plan)[: self.plan.topology.router_count]

    @property
    def cabinets(self) -> np.ndarray:
        return np.array(cabinet_names(self.plan))[self.plan.placement.cabinet_of]

    @cached_property
    def links(self) -> np.ndarray:
        return np.diff(self.plan.topology.indptr)

    @cached_property
    def endpoints(self) -> np.ndarray:
        return np.bincount(self.plan.topology.endpoint_router, minlength=self.plan.topology.router_count)

    def groups(self) -> list[str]:
        """Return the groups of each router, innermost first."""
        names = self.plan.topology.group_names
        return [
            ", ".join(f"{name} {number}" for name, number in zip(names, own, strict=True))
            for own in self.plan.topology.group.tolist()
        ]

    def addresses(self) -> list[str]:
        """Return the coordinates of each router in its topology."""
        return [" ".join(map(str, own)) for own in self.plan.topology.coords.tolist()]

    def plugs(self) -> list[str]:
        """Return the PDUs that feed each router."""
        boxes = (box for cabinet in cabinets(self.plan) for box in cabinet.boxes if box.kind == "router")
        found = {box.number: box.plugs for box in boxes}
        return [found[router] for router in range(self.plan.topology.router_count)]


COLUMNS = (
    Column("router", "router", "name of the router", lambda t: t.names, shown=("file", "page"), link="router"),
    Column("cabinet", "cabinet", "name of its cabinet", lambda t: t.cabinets, shown=("file", "page"), link="cabinet",
           array="cabinet"),
    Column("rack_unit", "rack unit", "lowest rack unit", lambda t: t.plan.placement.unit_of, "whole", shown=("file", "page"),
           short="unit", array="unit"),
    Column("units", "rack units", "height in rack units", lambda t: t.all(t.part.units), "whole"),
    Column("part", "part", "catalog row", lambda t: t.all(t.part.id), width=26),
    Column("ports", "ports", "number of ports", lambda t: t.all(t.part.ports), "whole"),
    Column("links", "links", "number of links to other routers", lambda t: t.links, "whole"),
    Column("endpoints", "endpoints", "number of endpoints", lambda t: t.endpoints, "whole", shown=("file", "page")),
    Column("used_ports", "ports in use", "number of ports in use", lambda t: t.links + t.endpoints, "whole", shown=("page",)),
    Column("free_ports", "free ports", "number of free ports", lambda t: t.part.ports - t.links - t.endpoints, "whole"),
    Column("group", "group", "groups of the router, innermost first", Routers.groups, width=24),
    Column("address", "address", "coordinates in the topology", Routers.addresses),
    Column("plugs", "PDUs", "PDUs that feed the router", Routers.plugs),
    Column("power_typical_mw", "power typical", "typical power", lambda t: t.all(t.part.power_typical_mw), "whole", "mW"),
    Column("power_max_mw", "power max", "maximum power", lambda t: t.all(t.part.power_max_mw), "whole", "mW"),
    Column("mass_g", "mass", "mass", lambda t: t.all(t.part.mass_g), "whole", "g"),
    installed(),
    Column("serial_number", "serial number", "filled in by the crew: any text", content="note", width=20),
    REMARK,
)  # fmt: skip

ROUTERS = Table(
    "routers", "One row per router.", lambda plan: Routers(plan) if plan.placement is not None else None, COLUMNS, keys=1
)
