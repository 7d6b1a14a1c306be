"""Checks of what is in the room against the devices and cabinets of a study, made before any computation starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.core.errors import InputError, Problem, suggestion
from planner.domain.model import Catalog, FixedDevice, Inventory, Room
from planner.hall.floor.existing.found import listed


def examine(room: Room, catalog: Catalog, inventory: Inventory) -> None:
    """Check rack units in use, and devices that must not move, against cabinets and devices.

    Raises
    ------
    InputError
        With all problems: units outside a cabinet; devices that the plan does not have, in taken cabinets, outside their cabinet
        or on top of others; devices of one cabinet that would have to be in two slots. Places are keys of the section ``room``.
    """
    if not room.existing.equipment and not room.existing.fixed:
        return
    units = catalog.cabinet.units
    too_high = [
        Problem(
            "existing.taken_from" if each.source else "existing.taken",
            f"{each.name} in {room.slot_names[each.slot]}: units {each.low_unit} to {each.low_unit + each.units - 1} are not "
            f"in a cabinet of {units} units",
            f"write units from 1 to {units}, or choose a higher cabinet",
            each.source,
        )
        for each in room.existing.equipment
        if each.units and each.low_unit + each.units - 1 > units
    ]
    problems = [*listed(too_high, "devices above the highest unit"), *_fixed(room, units, inventory)]
    if problems:
        raise InputError(problems)


def _fixed(room: Room, units: int, inventory: Inventory) -> Iterator[Problem]:
    """Yield the problems of devices that must not move."""
    names, heights = inventory.names.tolist(), inventory.of_part("units").tolist()
    numbers = {each.name: number for number, each in room.existing.fixed_among(names).items()}
    own: list[tuple[FixedDevice, int]] = []
    for each in room.existing.fixed:
        number = numbers.get(each.name)
        if number is None:
            if not each.source:
                yield Problem(f"existing.fixed.{each.name}", "the plan has no device of this name", suggestion(each.name, names))
        elif inventory.rack[number] < 0 and number >= inventory.router_count:
            if not each.source:
                message = "is a node, which stays with its router"
                yield Problem(f"existing.fixed.{each.name}", message, "name its router, or use tables [[network]]")
        else:
            own.append((each, heights[number]))
    yield from _places(room, units, own)
    if (inventory.rack >= 0).all():
        yield from _together(room, {each.name: int(inventory.rack[numbers[each.name]]) for each, _ in own}, own)


def _places(room: Room, units: int, own: Iterable[tuple[FixedDevice, int]]) -> Iterator[Problem]:
    """Yield devices in taken cabinets, outside their cabinet, or in units that are taken twice."""
    held: dict[tuple[int, int], str] = {}
    for slot in room.existing.shared:
        held |= dict.fromkeys(((slot, unit) for unit in room.existing.units_in(slot)), "equipment that is there already")
    for each, height in own:
        place, cabinet = _place(each), room.slot_names[each.slot]
        wanted = range(each.unit, each.unit + height)
        if each.slot in room.existing.taken:
            message = f"must stay in {cabinet}, which a cabinet of others takes"
            yield Problem(f"{place}.cabinet", message, "remove the cabinet from taken, or the device from fixed", each.source)
            continue
        if each.unit + height - 1 > units:
            message = f"{height} units from unit {each.unit} up are not in a cabinet of {units} units"
            yield Problem(f"{place}.unit", message, f"use 1 to {units - height + 1}", each.source)
        elif busy := next(((unit, held[each.slot, unit]) for unit in wanted if (each.slot, unit) in held), None):
            message = f"unit {busy[0]} of {cabinet} is taken by {busy[1]}"
            yield Problem(
                f"{place}.unit", message, "correct one of the two; list each device under taken or under fixed", each.source
            )
        held |= dict.fromkeys(((each.slot, unit) for unit in wanted), each.name)


def _together(room: Room, rack: dict[str, int], own: Iterable[tuple[FixedDevice, int]]) -> Iterator[Problem]:
    """Yield devices of one cabinet that must stay in two slots, and slots with devices of two cabinets."""
    first_of_rack: dict[int, FixedDevice] = {}
    first_in_slot: dict[int, FixedDevice] = {}
    for each, _ in own:
        first = first_of_rack.setdefault(rack[each.name], each)
        if first.slot != each.slot:
            message = f"shares a cabinet with {first.name}, which must stay in {room.slot_names[first.slot]}"
            remedy = "place them in different sets of cabinets, or name one slot for both"
            yield Problem(f"{_place(each)}.cabinet", message, remedy, each.source)
            continue
        other = first_in_slot.setdefault(each.slot, each)
        if rack[other.name] != rack[each.name]:
            message = f"{room.slot_names[each.slot]} also has to hold the cabinet of {other.name}"
            remedy = "place both devices in one set of cabinets with a count, or name another slot"
            yield Problem(f"{_place(each)}.cabinet", message, remedy, each.source)


def _place(device: FixedDevice) -> str:
    return "existing.fixed_from" if device.source else f"existing.fixed.{device.name}"
