"""Cooling units of a study: their catalog rows and places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le

from planner.core.errors import InputError, Problem, suggestion
from planner.domain.model import Inventory, Placement, Room
from planner.domain.model.cooling import CoolingSupply
from planner.domain.parts import CoolingUnit
from planner.hall.cooling.areas import Place, places_of


@dataclass(frozen=True)
class Units:
    """Cooling units of one kind in one place.

    Attributes
    ----------
    part
        Id of the catalog row.
    count
        Number of units; one by default. Rear doors have no number: every cabinet of the place has one.
    where
        Hall whose air or liquid they cool, needed where there are several; for rear doors a row, zone or hall. By default the
        whole room.
    """

    __pydantic_config__ = {"extra": "forbid"}

    part: str
    count: Annotated[int, Ge(1), Le(100_000)] | None = None
    where: str = ""


@dataclass(frozen=True)
class Unit:
    """Units with their catalog row and the slots of their place."""

    part: CoolingUnit
    count: int
    where: str
    slots: np.ndarray

    def supply(self, placement: Placement) -> CoolingSupply:
        """Return the units as stored; rear doors are counted."""
        is_door = self.part.cools == "rear door"
        count = int(np.isin(placement.slot_of, self.slots).sum()) if is_door else self.count
        mass_g = count * (self.part.loaded_g or 0) if is_door else 0
        return CoolingSupply(self.part.id, self.part.cools, self.where, count, count * self.part.capacity_mw, mass_g)


def freestanding_units(inventory: Inventory, placement: Placement, room: Room) -> list[Unit]:
    """Return the units that are devices in slots of their own, by part and hall."""
    found = []
    for number in np.unique(inventory.part[inventory.of_part("freestanding")]).tolist():
        slots = placement.slot[inventory.part == number]
        for where, place in _allowed(inventory.parts[number], places_of(room)).items():
            if count := int(np.isin(slots, place.slots).sum()):
                found.append(Unit(inventory.parts[number], count, where, place.slots))
    return found


def units_of(units: Iterable[Units], rows: Iterable[CoolingUnit], room: Room) -> list[Unit]:
    """Return the units of a study.

    Raises
    ------
    InputError
        With every unknown part and place, and with rear doors that are counted or given twice to a cabinet.
    """
    known, places = {row.id: row for row in rows}, places_of(room)
    found: list[Unit] = []
    problems: list[Problem] = []
    doors: set[int] = set()
    for number, given in enumerate(units):
        at, part = f"units.{number}", known.get(given.part)
        if part is None:
            problems.append(Problem(f"{at}.part", f"there is no cooling unit {given.part!r}", suggestion(given.part, known)))
            continue
        allowed = _allowed(part, places)
        if given.where not in allowed:
            message = f"there is no place {given.where!r} for units that cool {part.cools}"
            remedy = suggestion(given.where, [name for name in allowed if name])
            problems.append(Problem(f"{at}.where", message, remedy if any(allowed) else "leave it out"))
            continue
        slots = allowed[given.where].slots
        if part.cools == "rear door":
            if given.count is not None:
                problems.append(Problem(f"{at}.count", "every cabinet of the place has a rear door", "leave it out"))
            if doors & set(slots.tolist()):
                problems.append(
                    Problem(f"{at}.where", "some of the cabinets have another rear door", "name places that do not overlap")
                )
            doors |= set(slots.tolist())
        found.append(Unit(part, given.count or 1, given.where, slots))
    if problems:
        raise InputError(problems)
    return found


def _allowed(part: CoolingUnit, places: list[Place]) -> dict[str, Place]:
    """Return the places of a unit by name: halls, and for rear doors rows and zones; the room where it has no halls."""
    halls = {place.name: place for place in places if place.kind == "hall"}
    if part.cools == "rear door":
        return {place.name: place for place in places}
    return halls or {"": places[-1]}
