"""Heat, air and floor load of the cabinets, and what cools them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.record import Record, array, value
from planner.domain.parts import Row


@dataclass(frozen=True)
class CoolingArea:
    """Cabinets of a row, a zone, a hall or the room: power, which becomes heat, its removal, and the load on the floor.

    Liquid removes `liquid_mw` of the heat, units in the cabinets take `in_rack_mw` of that, and rear doors remove `door_mw`; the
    air of the room takes the rest. `airflow_l_per_s`
    passes through the cabinets. `floor_mm2` is the floor of a hall or the room, otherwise that of the slots. Supplies are
    those of the units less the spare ones; None where no units are stated, or for rows and zones.
    """

    kind: str
    name: str
    cabinets: int
    heat_mw: int
    liquid_mw: int
    in_rack_mw: int
    door_mw: int
    airflow_l_per_s: int
    mass_g: int
    floor_mm2: int
    air_supply_mw: int | None = None
    liquid_supply_mw: int | None = None

    @property
    def air_mw(self) -> int:
        """Heat that the air of the room takes."""
        return self.heat_mw - self.liquid_mw - self.door_mw

    @property
    def loop_mw(self) -> int:
        """Heat that liquid brings to the units outside the cabinets."""
        return self.liquid_mw - self.in_rack_mw


@dataclass(frozen=True)
class AisleAir:
    """Air of an aisle: of the cabinets with their fronts at a cold aisle, backs at a hot one, either at a mixed one."""

    kind: str
    name: str
    cabinets: int
    airflow_l_per_s: int


@dataclass(frozen=True)
class CoolingSupply:
    """Cooling units of one kind in one place: capacity of all of them, and the mass that rear doors add to the cabinets."""

    part: str
    cools: str
    where: str
    count: int
    capacity_mw: int
    mass_g: int


@dataclass(frozen=True, eq=False)
class Cooling(Record, name="cooling", needs=("inventory", "catalog", "room", "placement", "cables")):
    """Heat of all devices, endpoint boxes included, against the units that remove it."""

    load: str = value("power that becomes heat: maximum or typical")
    supply_celsius: float = value("temperature of the air that enters the cabinets", "°C")
    rise_kelvin: float = value("rise of its temperature in the cabinets", "K")
    altitude_m: int = value("altitude of the site", "m")
    spare: int = value("number of largest units of each kind and hall that may fail")
    heat_mw: np.ndarray = array("int64", "C", "heat of each cabinet", "mW")
    liquid_mw: np.ndarray = array("int64", "C", "heat that direct liquid cooling removes from each cabinet", "mW")
    in_rack_mw: np.ndarray = array("int64", "C", "part of it that liquid cooling units in the cabinet take", "mW")
    door_mw: np.ndarray = array("int64", "C", "heat that the rear door of each cabinet removes", "mW")
    mass_g: np.ndarray = array("int64", "C", "mass of each cabinet with devices, PDUs, cable managers and rear door", "g")
    areas: tuple[CoolingArea, ...] = value("rows, zones, halls and the room")
    aisles: tuple[AisleAir, ...] = value("aisles with cabinets")
    units: tuple[CoolingSupply, ...] = value("cooling units", default=())
    parts: tuple[Row, ...] = value("sources of the cooling units", default=())

    @property
    def whole(self) -> CoolingArea:
        """The area that covers all cabinets."""
        return self.areas[-1]
