"""The routers, with their location, ports and position in the network."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from planner.domain.model import Plan
from planner.view.cabinets import plugs
from planner.view.names import cabinet_names, device_names, is_named, network_of_devices
from planner.view.tables.devices import KEPT_DEVICES, kept_devices
from planner.view.tables.table import REMARK, Column, Table, installed, kept_or_new


class Routers:
    """The routers of all networks of a placed plan."""

    def __init__(self, plan: Plan):
        self.plan, self.inventory = plan, plan.inventory
        self.count = plan.inventory.router_count

    def of_part(self, name: str) -> list[Any]:
        """Return an attribute of the part of each router."""
        return [getattr(self.inventory.parts[part], name) for part in self.inventory.part[: self.count].tolist()]

    @property
    def names(self) -> list[str]:
        return device_names(self.plan)[: self.count]

    @property
    def cabinets(self) -> np.ndarray:
        return np.array(cabinet_names(self.plan))[self.plan.placement.cabinet[: self.count]]

    @cached_property
    def links(self) -> np.ndarray:
        return np.bincount(self.inventory.ends[self.inventory.is_link].ravel(), minlength=self.count)

    @cached_property
    def endpoints(self) -> np.ndarray:
        return np.bincount(self.inventory.ends[self.inventory.is_endpoint, 0], minlength=self.count)

    @cached_property
    def ports(self) -> np.ndarray:
        """Ports of each router: those of all groups where networks have names."""
        ports = [len(part.port_names) if is_named(self.plan) else part.ports for part in self.inventory.parts]
        return np.array(ports)[self.inventory.part[: self.count]]

    @cached_property
    def used_ports(self) -> np.ndarray:
        """Ports of each router in use, in all networks."""
        return np.bincount(self.inventory.ends.ravel(), minlength=self.count)[: self.count]

    def groups(self) -> list[str]:
        """Return the groups of each router, innermost first."""
        names = self.inventory.group_names
        return [
            ", ".join(f"{name} {number}" for name, number in zip(names, own, strict=True) if number >= 0)
            for own in self.inventory.group[: self.count].tolist()
        ]

    def addresses(self) -> list[str]:
        """Return the coordinates of each router in its topology."""
        return [" ".join(str(at) for at in own if at >= 0) for own in self.inventory.coords[: self.count].tolist()]

    def networks(self) -> np.ndarray:
        return np.array(self.inventory.network_names)[network_of_devices(self.plan)[: self.count]]

    def roles(self) -> np.ndarray:
        return np.array(self.inventory.role_names)[self.inventory.role[: self.count]]

    def kept(self) -> list[str]:
        """Return whether each router is of the kept plan, replaces one there, or is new."""
        return kept_devices(self.plan)[: self.count]

    def plugs(self) -> list[str]:
        """Return the PDUs that feed each router."""
        return plugs(self.plan)[: self.count]


COLUMNS = (
    Column("router", "router", "name of the router", lambda t: t.names, shown=("file", "page"), link="router"),
    Column("network", "network", "its network", Routers.networks, shown=("file", "page"), named=True),
    Column("role_name", "role", "its role: leaf, spine …", Routers.roles, shown=("file", "page"), named=True),
    Column("cabinet", "cabinet", "name of its cabinet", lambda t: t.cabinets, shown=("file", "page"), link="cabinet",
           array="cabinet"),
    Column("rack_unit", "rack unit", "lowest rack unit", lambda t: t.plan.placement.unit[: t.count], "whole",
           shown=("file", "page"), short="unit", array="unit"),
    Column("units", "rack units", "height in rack units", lambda t: t.of_part("units"), "whole"),
    Column("part", "part", "catalog row", lambda t: t.of_part("id"), width=26),
    kept_or_new(Routers.kept, KEPT_DEVICES),
    Column("ports", "ports", "number of ports", lambda t: t.ports, "whole"),
    Column("links", "links", "number of links to other routers", lambda t: t.links, "whole"),
    Column("endpoints", "endpoints", "number of endpoints", lambda t: t.endpoints, "whole", shown=("file", "page")),
    Column("used_ports", "ports in use", "number of ports in use", lambda t: t.used_ports, "whole", shown=("page",)),
    Column("free_ports", "free ports", "number of free ports", lambda t: t.ports - t.used_ports, "whole"),
    Column("group", "group", "groups of the router, innermost first", Routers.groups, width=24),
    Column("address", "address", "coordinates in the topology", Routers.addresses),
    Column("plugs", "PDUs", "PDUs that feed the router", Routers.plugs),
    Column("power_typical_mw", "power typical", "typical power", lambda t: t.of_part("power_typical_mw"), "whole", "mW"),
    Column("power_max_mw", "power max", "maximum power", lambda t: t.of_part("power_max_mw"), "whole", "mW"),
    Column("mass_g", "mass", "mass", lambda t: t.of_part("mass_g"), "whole", "g"),
    installed(),
    Column("serial_number", "serial number", "filled in by the crew: any text", content="note", width=20),
    Column("asset_tag", "asset tag", "filled in by the crew: any text", content="note", width=16, later=True),
    REMARK,
)  # fmt: skip

ROUTERS = Table(
    "routers", "One row per router.", lambda plan: Routers(plan) if plan.placement is not None else None, COLUMNS, keys=1
)
