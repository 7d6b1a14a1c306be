"""What is in a room already: equipment of others, cables in trays, power in use, devices that must not move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.domain.parts.row import Share

WHOLE = "cabinet"
"""Kind of equipment that takes the whole cabinet; others take some units of it, or power alone."""

KINDS = (WHOLE, "units", "power")

RESERVED = "reserved for "
"""Beginning of the name of what a later phase of the machine needs; the name of the phase follows."""


@dataclass(frozen=True)
class Equipment:
    """Equipment in one slot: a whole cabinet, units of a cabinet that the plan may use otherwise, or power alone.

    `source` is the file that states it, empty for the study.
    """

    kind: str
    name: str
    slot: int
    low_unit: int = 0
    units: int = 0
    power_mw: int = 0
    mass_g: int = 0
    source: str = ""


@dataclass(frozen=True)
class FixedDevice:
    """A device of the plan that must not move: its name, its slot, and its lowest rack unit.

    A file, the `source`, may also name devices that the plan does not have. `number` is the device where it is known, else -1.
    """

    name: str
    slot: int
    unit: int
    source: str = ""
    number: int = -1


@dataclass(frozen=True)
class KeepFree:
    """Reserve for growth, as shares; all may be 0.

    Parameters
    ----------
    slots
        Share of the slots of the room that stay free.
    units
        Share of the rack units of each cabinet that stay free.
    ports
        Share of the ports of the routers of each role of each network that stay free; checked, since ports cannot be added.
    trays
        Share of the fill limits of trays that stays free.
    """

    __pydantic_config__ = {"extra": "forbid", "allow_inf_nan": False}

    slots: Share = 0.0
    units: Share = 0.0
    ports: Share = 0.0
    trays: Share = 0.0

    def of(self, what: str, total: int) -> int:
        """Return the number to keep free of a total, rounded up."""
        # Shares are decimal fractions: 0.2 of 15 is 3, although the product of the binary numbers is a little more.
        return int(-(-round(getattr(self, what) * total * 1_000_000) // 1_000_000))


@dataclass(frozen=True)
class Existing:
    """What is in a room already, and the reserve for growth.

    Attributes
    ----------
    equipment
        Equipment of others by slot.
    tray_um2
        Cross-section in use of each tray segment, µm²; empty for none.
    zone_mw
        Power in use in each zone of the room besides that of equipment, mW; empty for none.
    fixed
        Devices of the plan that must not move.
    keep_free
        Shares to keep free.
    """

    equipment: tuple[Equipment, ...] = ()
    tray_um2: tuple[int, ...] = ()
    zone_mw: tuple[int, ...] = ()
    fixed: tuple[FixedDevice, ...] = ()
    keep_free: KeepFree = KeepFree()

    @cached_property
    def taken(self) -> tuple[int, ...]:
        """Slots with cabinets of others, ascending."""
        return tuple(sorted({each.slot for each in self.equipment if each.kind == WHOLE}))

    @cached_property
    def shared(self) -> tuple[int, ...]:
        """Slots with cabinets of which equipment of others takes some units, ascending."""
        return tuple(sorted({each.slot for each in self.equipment if each.units} - set(self.taken)))

    def units_in(self, slot: int) -> frozenset[int]:
        """Return the rack units of a slot that equipment takes."""
        return self._units.get(slot, frozenset())

    def units_between(self, slots: np.ndarray, low: int, high: int) -> np.ndarray:
        """Return the number of rack units from `low` to `high` that equipment takes in each of some slots, int64."""
        return np.array([sum(low <= unit <= high for unit in self.units_in(slot)) for slot in slots.tolist()], np.int64)

    def fixed_among(self, names: Sequence[str]) -> dict[int, FixedDevice]:
        """Return the devices that must not move by their number in a list of names.

        Numbers of routers get more digits as a network grows: ``R012`` is ``R0012``.
        """
        if not self.fixed:
            return {}
        exact = {name: number for number, name in enumerate(names)}
        alike = {_plain(name): number for name, number in exact.items()}
        found = {
            each.number if each.number >= 0 else exact.get(each.name, alike.get(_plain(each.name))): each for each in self.fixed
        }
        return {number: each for number, each in found.items() if number is not None}

    def in_slots(self, name: str, slots: int) -> np.ndarray:
        """Return the sum of ``"power_mw"`` or ``"mass_g"`` of the equipment in each of a number of slots, int64 (S,)."""
        found = np.zeros(slots, np.int64)
        for each in self.equipment:
            found[each.slot] += getattr(each, name)
        return found

    def fill_um2(self, segments: int) -> np.ndarray:
        """Return the cross-section in use of each tray segment, int64 (K,)."""
        return np.array(self.tray_um2, np.int64) if self.tray_um2 else np.zeros(segments, np.int64)

    @cached_property
    def _units(self) -> dict[int, frozenset[int]]:
        found: dict[int, set[int]] = {}
        for each in self.equipment:
            if each.units:
                found.setdefault(each.slot, set()).update(range(each.low_unit, each.low_unit + each.units))
        return {slot: frozenset(units) for slot, units in found.items()}


def _plain(name: str) -> str:
    """Return a name without leading zeros of the number of a router."""
    digits = name[1:]
    return f"R{digits.lstrip('0') or '0'}" if name[:1] == "R" and digits.isascii() and digits.isdigit() else name
