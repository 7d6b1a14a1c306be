"""The devices of all networks: routers and nodes, with their location."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.domain.model import Plan
from planner.view.cabinets import plugs
from planner.view.names import cabinet_names, device_names, network_of_devices
from planner.view.tables.table import FILE_AND_PAGE, KEPT, NEW, REMARK, REPLACED, Column, Table, installed, kept_or_new

KEPT_DEVICES = "kept: of the kept plan; replaced: another part in the place of one there; new: to be installed"


def kept_devices(plan: Plan) -> list[str]:
    """Return for each device whether it is of the kept plan, replaces one there, or is new."""
    inventory, kept = plan.inventory, plan.kept
    found = [NEW] * inventory.device_count
    columns = ([], []) if kept is None else (kept.device.tolist(), kept.part.tolist())
    for device, part in zip(*columns, strict=True):
        if device >= 0:
            found[device] = KEPT if part in ("", inventory.part_of(device).id) else REPLACED
    return found


class Devices:
    """The devices of a placed plan."""

    def __init__(self, plan: Plan):
        self.plan, self.inventory = plan, plan.inventory

    def of_part(self, name: str) -> list[Any]:
        """Return an attribute of the part of each device."""
        return [getattr(self.inventory.parts[part], name) for part in self.inventory.part.tolist()]

    def networks(self) -> list[str]:
        """Return the networks of each device: that of a router, and those that the ports of a device are attached to."""
        found: list[dict[int, None]] = [{} if own < 0 else {own: None} for own in network_of_devices(self.plan).tolist()]
        for network in range(len(self.inventory.network_names)):
            for device in self.inventory.attached(network).tolist():
                found[device][network] = None
        return [", ".join(self.inventory.network_names[number] for number in own) for own in found]

    def kept(self) -> list[str]:
        """Return whether each device is of the kept plan, replaces one there, or is new."""
        return kept_devices(self.plan)

    def used_ports(self) -> np.ndarray:
        """Return the number of ports in use of each device, int64 (D,)."""
        return np.bincount(self.inventory.ends.ravel(), minlength=self.inventory.device_count)


COLUMNS = (
    Column("device", "device", "name of the device", lambda t: device_names(t.plan), shown=FILE_AND_PAGE, width=20),
    Column("role", "role", "its role: leaf, spine, node …",
           lambda t: np.array(t.inventory.role_names)[t.inventory.role], shown=FILE_AND_PAGE),
    Column("part", "part", "catalog row", lambda t: t.of_part("id"), shown=FILE_AND_PAGE, width=26),
    kept_or_new(Devices.kept, KEPT_DEVICES),
    Column("networks", "networks", "its networks; of a router its own first", Devices.networks,
           shown=FILE_AND_PAGE, width=30),
    Column("cabinet", "cabinet", "name of its cabinet",
           lambda t: np.array(cabinet_names(t.plan))[t.plan.placement.cabinet],
           shown=FILE_AND_PAGE, link="cabinet", array="cabinet"),
    Column("rack_unit", "rack unit", "lowest rack unit", lambda t: t.plan.placement.unit, "whole",
           shown=FILE_AND_PAGE, short="unit"),
    Column("units", "rack units", "height in rack units", lambda t: t.of_part("units"), "whole"),
    Column("used_ports", "ports in use", "number of ports in use, in all networks", Devices.used_ports, "whole",
           shown=FILE_AND_PAGE),
    Column("plugs", "PDUs", "PDUs that feed the device", lambda t: plugs(t.plan)),
    Column("power_max_mw", "power max", "maximum power", lambda t: t.of_part("power_max_mw"), "whole", "mW"),
    Column("mass_g", "mass", "mass", lambda t: t.of_part("mass_g"), "whole", "g"),
    installed(),
    Column("serial_number", "serial number", "filled in by the crew: any text", content="note", width=20),
    Column("asset_tag", "asset tag", "filled in by the crew: any text", content="note", width=16, later=True),
    REMARK,
)  # fmt: skip

DEVICES = Table(
    "devices", "One row per device: the routers of each network, then the nodes.",
    lambda plan: Devices(plan) if plan.placement is not None else None, COLUMNS, keys=1, named=True,
)  # fmt: skip
