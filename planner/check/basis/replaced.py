"""Devices with another part than their role: those of a kept plan, and those that replace them."""

from __future__ import annotations

import numpy as np

from planner.check.basis.tables import has_tables, kinds, network_group, open_cards
from planner.domain.model import Plan


def replaced(plan: Plan) -> dict[int, str]:
    """Return the part of each device with another part than its role: that of the kept plan, or of ``[[keep.replace]]``.

    Devices are in the order of the kept plan.
    """
    if plan.kept is None:
        return {}
    number = {name: place for place, name in enumerate(plan.inventory.names.tolist())}
    columns = plan.kept.device.tolist(), plan.kept.part.tolist()
    found = {device: part for device, part in zip(*columns, strict=True) if device >= 0 and part}
    for each in plan.study.get("keep", {}).get("replace", ()):
        names = [each["device"]] if isinstance(each["device"], str) else each["device"]
        found |= {number[name]: each["part"] for name in names if name in number}
    return {device: part for device, part in found.items() if part != _part_of_role(plan, device)}


def parts_in_use(plan: Plan, by_role: list[str]) -> list[str]:
    """Return the parts of a plan: those of its roles, then those of replaced devices."""
    return list(dict.fromkeys([*by_role, *replaced(plan).values()]))


def with_replaced(plan: Plan, part: np.ndarray, ids: list[str]) -> np.ndarray:
    """Return the part of each device with those of replaced devices, as index into the parts in use, int64 (D,)."""
    found = np.array(part, np.int64)
    for device, own in replaced(plan).items():
        if device < len(found):
            found[device] = ids.index(own)
    return found


def at_replaced(plan: Plan) -> np.ndarray:
    """Return which connections have an end at a replaced device, bool (W,)."""
    return np.asarray(np.isin(plan.inventory.ends, list(replaced(plan))).any(axis=1))


def group_by_role(plan: Plan) -> np.ndarray:
    """Return the port group at both ends of each connection, at replaced devices that of the part of their role, (W, 2)."""
    inventory = plan.inventory
    found = inventory.port_group.astype(np.int64)
    known = {part.id: part for part in inventory.parts}
    for device, part in replaced(plan).items():
        old, new = known.get(_part_of_role(plan, device)), known.get(part)
        if old is None or new is None:
            continue
        names = [group.name for group in old.groups]
        for row, side in np.argwhere(inventory.ends == device).tolist():
            here = int(found[row, side])
            name = new.groups[here].name if here < len(new.groups) else ""
            back = names.index(name) if name in names else here
            found[row, side] = network_group(old) if here == network_group(new) else back
    return first_cards(plan, found)


def first_cards(plan: Plan, group: np.ndarray) -> np.ndarray:
    """Return port groups with the first line card in place of the others that links may use, (W, 2)."""
    inventory, found = plan.inventory, group.copy()
    for network in range(len(plan.network_names) if has_tables(plan) else 0):
        for number, part in enumerate(inventory.parts):
            if len(cards := open_cards(plan, network, part)) > 1:
                routers = np.arange(inventory.device_count)[inventory.routers(network)]
                own = np.isin(inventory.ends, routers[inventory.part[routers] == number])
                found[own & np.isin(found, cards)] = cards[0]
    return found


def _part_of_role(plan: Plan, device: int) -> str:
    """Return the part that the study gives the role of a device."""
    if not has_tables(plan):
        return (plan.catalog.router if device < plan.inventory.router_count else plan.catalog.endpoint).id
    return next((kind.part for kind in kinds(plan) if (kind.devices == device).any()), "")
