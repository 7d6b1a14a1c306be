"""The kept plan as its folder, schedule or workbook states it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.domain.model import Inventory, Topology

if TYPE_CHECKING:
    from planner.design.keep import Replacement


@dataclass(frozen=True)
class Device:
    """A device of the kept plan; part and role are empty where a schedule does not state them."""

    name: str
    cabinet: str
    unit: int
    part: str = ""
    role: str = ""


@dataclass(frozen=True, eq=False)
class Old:
    """The kept plan: devices by name, rows of its schedule, and its records where its folder is at hand."""

    path: Path
    devices: dict[str, Device]
    rows: tuple[Any, ...]
    plan: Any = None
    continued: dict[str, Topology] = field(default_factory=dict)
    """Networks that continue those of the plan, once they are found."""

    @property
    def inventory(self) -> Inventory | None:
        """Devices and connections of the plan, where its folder is at hand."""
        return None if self.plan is None else self.plan.inventory

    def network(self, name: str) -> tuple[Topology, dict[str, Any]]:
        """Return a network of the plan by its name, "" for the only one, and its section of the study; needs the folder."""
        study = self.plan.study
        stated = next(each["topology"] for each in study["network"] if each["name"] == name) if name else study["topology"]
        return self.plan.of(name).topology, stated

    @property
    def cabinets(self) -> dict[str, str]:
        """Name of the cabinet of each device."""
        return {name: each.cabinet for name, each in self.devices.items()}

    def parts(self, replacements: Sequence[Replacement]) -> dict[str, tuple[str, str]]:
        """Return the part of each device, or of the one that replaces it, and the place of its key in the study."""
        built = {each.name: (each.part, "keep.plan") for each in self.devices.values() if each.part}
        return built | {
            name: (each.part, f"keep.replace.{number}.part") for number, each in enumerate(replacements) for name in each.devices
        }

    @property
    def far(self) -> dict[tuple[str, int], str]:
        """Name of the device at the other end of each port in use."""
        pairs = [(end, other) for row in self.rows for end, other in (row.ends, row.ends[::-1])]
        return {(end.device, end.port): other.device for end, other in pairs}


def old_plan(path: Path, rows: Sequence[Any], plan: Any = None) -> Old:
    """Return the plan of a folder, or of the rows of a schedule."""
    if plan is not None:
        return Old(path, _of_plan(plan), tuple(rows), plan)
    devices: dict[str, Device] = {}
    for row in rows:
        for end in row.ends:
            devices.setdefault(end.device, Device(end.device, end.cabinet, end.unit, "", end.role))
    return Old(path, devices, tuple(rows))


def _of_plan(plan: Any) -> dict[str, Device]:
    """Return all devices of a plan, also those without a cable."""
    inventory, placement = plan.inventory, plan.placement
    cabinets = np.array(plan.room.slot_names, object)[placement.slot]
    columns = (
        inventory.names.tolist(),
        cabinets.tolist(),
        placement.unit.tolist(),
        [inventory.parts[part].id for part in inventory.part.tolist()],
        [inventory.role_names[role] for role in inventory.role.tolist()],
    )
    return {row[0]: Device(*row) for row in zip(*columns, strict=True)}
