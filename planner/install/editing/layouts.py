"""Layouts: the places of all devices of a plan, and what moves need to know of its floor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.design.placement.given import Places
from planner.domain.model import Catalog, FixedDevice, Inventory, Room


@dataclass(frozen=True, eq=False)
class Layout:
    """Places of all devices, and which are pinned: these do not move, by hand or by the optimizer; bool (D,)."""

    places: Places
    pinned: np.ndarray

    def moved_since(self, before: Layout) -> np.ndarray:
        """Return the devices in other places than before, ascending, int64."""
        now, then = self.places, before.places
        return np.flatnonzero((now.slot != then.slot) | (now.unit != then.unit))


@dataclass(frozen=True)
class Floor:
    """What moves need to know of a plan; the room has the devices that must not move, those of a kept plan too."""

    room: Room
    inventory: Inventory
    catalog: Catalog

    @cached_property
    def slots(self) -> dict[str, int]:
        """Slots by name."""
        return {name: number for number, name in enumerate(self.room.slot_names)}

    @cached_property
    def devices(self) -> dict[str, int]:
        """Devices by name."""
        return {name: number for number, name in enumerate(self.inventory.names.tolist())}

    @cached_property
    def heights(self) -> np.ndarray:
        """Height of each device in rack units, int64 (D,)."""
        return self.inventory.of_part("units").astype(np.int64)

    @cached_property
    def fixed(self) -> dict[int, FixedDevice]:
        """Devices that must not move, by number, with their places."""
        return self.room.existing.fixed_among(self.inventory.names.tolist())

    def stays(self, places: Places) -> np.ndarray:
        """Return which devices must not move and are where they must stay, bool (D,)."""
        devices, slot, unit = self._fixed_places
        found = np.zeros(self.inventory.device_count, bool)
        found[devices] = (places.slot[devices] == slot) & (places.unit[devices] == unit)
        return found

    @property
    def fixed_devices(self) -> np.ndarray:
        """Numbers of the devices that must not move, int64 (F,)."""
        return self._fixed_places[0]

    @cached_property
    def _fixed_places(self) -> np.ndarray:
        """Device, slot and unit of those that must not move, int64 (3, F)."""
        rows = [(device, each.slot, each.unit) for device, each in self.fixed.items()]
        return np.array(rows, np.int64).reshape(-1, 3).T

    def slot(self, name: str, key: str) -> int:
        """Return the slot of a name; `key` is its place in messages.

        Raises
        ------
        InputError
            When there is none.
        """
        if name not in self.slots:
            raise InputError(Problem(key, f"{name!r} is not a slot of {self.room.name}", suggestion(name, self.slots)))
        return self.slots[name]

    def row(self, name: str, key: str) -> np.ndarray:
        """Return the slots of a row in order, int64.

        Raises
        ------
        InputError
            When there is no such row.
        """
        if name not in self.room.row_names:
            raise InputError(Problem(key, f"{name!r} is not a row of {self.room.name}", suggestion(name, self.room.row_names)))
        return np.flatnonzero(self.room.slot_row == self.room.row_names.index(name))

    def names(self, devices: np.ndarray) -> str:
        """Return the names of some devices for messages."""
        shown = ", ".join(self.inventory.names[devices[:4]].tolist())
        return shown + (f" and {len(devices) - 4:,} more" if len(devices) > 4 else "")
