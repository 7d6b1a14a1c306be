"""The devices of a plan as crews see them: where each one is, and what was recorded about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from planner.fabric.baseline import Planned
from planner.install.site.journal import Register
from planner.view.names import cabinet_names, device_names


class Device(NamedTuple):
    """Where a device is, its lowest rack unit (0: upright at the side of a cabinet), its role and its part; empty if unknown."""

    cabinet: str
    unit: int
    role: str = ""
    part: str = ""


def of_plan(planned: Planned) -> dict[str, Device]:
    """Return the devices of a plan by name: all of its folder, or those with cables of a schedule alone."""
    found = {end.device: Device(end.cabinet, end.unit, end.role) for row in planned.rows for end in row.ends}
    plan = planned.plan
    if plan is None or plan.inventory is None or plan.placement is None or plan.room is None:
        return found
    inventory, placement, cabinets = plan.inventory, plan.placement, cabinet_names(plan)
    columns = (placement.cabinet.tolist(), placement.unit.tolist(), inventory.role.tolist(), inventory.part.tolist())
    return found | {
        name: Device(cabinets[cabinet], unit, inventory.role_names[role], inventory.parts[part].id)
        for name, cabinet, unit, role, part in zip(device_names(plan), *columns, strict=True)
    }


@dataclass(frozen=True)
class DeviceStatus:
    """What is known of a device.

    Attributes
    ----------
    blocked
        Why work on it cannot go on; empty if it can.
    remarks
        All remarks, the first one first.
    """

    installed: bool = False
    serial: str = ""
    asset_tag: str = ""
    blocked: str = ""
    remarks: tuple[str, ...] = ()
    values: Mapping[str, Register] = field(default_factory=dict)


def of_device(registers: Iterable[Register]) -> DeviceStatus:
    """Return the status of a device from the values of its fields."""
    values = {each.item or each.field: each for each in registers}
    last = {name: each.value for name, each in values.items() if not each.item}
    remarks = sorted((each for each in values.values() if each.field == "remark"), key=lambda each: each.order)
    return DeviceStatus(
        last.get("installed") == "yes",
        last.get("serial", ""),
        last.get("asset_tag", ""),
        last.get("blocked", ""),
        tuple(each.value for each in remarks),
        values,
    )
