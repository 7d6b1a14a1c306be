"""Cooling: heat, airflow and floor load by cabinet, row, zone and hall, against the units that remove the heat."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Gt, Le

from planner.core.checking import checked
from planner.domain.model import FIXTURES, CablePlan, Catalog, Inventory, Placement, Room
from planner.domain.model.cooling import AisleAir, Cooling, CoolingArea
from planner.domain.parts import CabinetPart, CoolingUnit, EndpointPart, FacilityPart, RouterPart
from planner.hall.cooling.areas import Place, aisles_of, places_of
from planner.hall.cooling.units import Unit, Units, freestanding_units
from planner.hall.cooling.units import units_of as units_of

__all__ = ["Units", "cooling"]

_SEA_LEVEL_PA = 101_325

_GAS_CONSTANT = 287.042
"""Specific gas constant of dry air, in J/(kg K)."""

_SPECIFIC_HEAT = 1006
"""Specific heat of dry air at constant pressure, in J/(kg K)."""

_MANAGER = FIXTURES.index("cable manager")

_LIQUID_CABINET = "direct liquid"
"""What a cabinet states whose whole heat goes to liquid."""


@checked()
def cooling(
    inventory: Inventory,
    catalog: Catalog,
    room: Room,
    placement: Placement,
    cables: CablePlan,
    rows: Iterable[CoolingUnit] = (),
    *,
    load: Literal["maximum", "typical"] = "maximum",
    supply_celsius: Annotated[float, Ge(0), Le(50)] = 22.5,
    rise_kelvin: Annotated[float, Gt(0), Le(50)] = 11.1,
    altitude_m: Annotated[int, Ge(-500), Le(5000)] = 0,
    units: tuple[Units, ...] = (),
    spare: Annotated[int, Ge(0), Le(1000)] = 0,
) -> Cooling:
    """Compute heat, airflow and floor load of the whole room, and compare the heat with the cooling units.

    Parameters
    ----------
    inventory, catalog, room, placement, cables, rows
        Supplied by the flow.
    load
        Power of routers and endpoint boxes that becomes heat. ``"maximum"`` includes the plugs of all ports, ``"typical"``
        adds those of the planned cables.
    supply_celsius
        Temperature of the air that enters the cabinets, in °C; the default is the middle of the range that ASHRAE recommends.
    rise_kelvin
        Rise of its temperature in the cabinets, in K; the default is 20 °F.
    altitude_m
        Altitude of the site, in meters: thin air removes less heat.
    units
        Cooling units, in addition to those that are devices of the study. Without any, heat and airflow are reported without a
        verdict.
    spare
        Number of units that may fail in each hall: the largest of those for air, and of those for liquid, do not count.

    Raises
    ------
    InputError
        When there is no such unit or place.

    References
    ----------
    .. [1] ASHRAE TC 9.9, *Thermal Guidelines for Data Processing Environments*: 18 to 27 °C recommended.
    """
    of_room, own = units_of(units, rows, room), freestanding_units(inventory, placement, room)
    chosen = [*of_room, *own]
    cools_air = bool(of_room) or any(unit.part.cools == "room air" for unit in own)
    heat_mw, liquid_mw = _heat_of(inventory, catalog.cabinet, placement, cables, load)
    in_rack_mw = _in_rack_of(inventory, placement, liquid_mw)
    door_mw, door_g = _doors(chosen, heat_mw - liquid_mw, room.slot_row[placement.slot_of], placement)
    mass_g = _mass_of(inventory, catalog, placement) + door_g

    def air(own: np.ndarray) -> int:
        through_mw = int((heat_mw - liquid_mw)[own].sum())
        return airflow_l_per_s(through_mw, supply_celsius, rise_kelvin, altitude_m)

    def area(place: Place) -> CoolingArea:
        own = np.isin(placement.slot_of, place.slots)
        sums = {"heat_mw": heat_mw, "liquid_mw": liquid_mw, "in_rack_mw": in_rack_mw, "door_mw": door_mw, "mass_g": mass_g}
        return CoolingArea(
            place.kind,
            place.name,
            int(own.sum()),
            **{name: int(values[own].sum()) for name, values in sums.items()},
            airflow_l_per_s=air(own),
            floor_mm2=place.floor_mm2,
            **_supplies(chosen, place, room, spare, cools_air, bool(in_rack_mw.any())),
        )

    aisles = []
    for zone, in_aisle in aisles_of(room, placement.slot_of):
        if in_aisle.any():
            aisles.append(AisleAir(zone.kind, zone.name, int(in_aisle.sum()), air(in_aisle)))
    return Cooling(
        load=load,
        supply_celsius=supply_celsius,
        rise_kelvin=rise_kelvin,
        altitude_m=altitude_m,
        spare=spare,
        heat_mw=heat_mw,
        liquid_mw=liquid_mw,
        in_rack_mw=in_rack_mw,
        door_mw=door_mw,
        mass_g=mass_g,
        areas=tuple(area(place) for place in places_of(room)),
        aisles=tuple(aisles),
        units=tuple(unit.supply(placement) for unit in chosen),
        parts=tuple({unit.part.id: unit.part.origin for unit in chosen}.values()),
    )


def _doors(chosen: list[Unit], air_mw: np.ndarray, row: np.ndarray, placement: Placement) -> tuple[np.ndarray, np.ndarray]:
    """Return the heat that the rear door of each cabinet removes, and its mass."""
    door_mw, door_g = np.zeros_like(air_mw), np.zeros_like(air_mw)
    for unit in chosen:
        if unit.part.cools == "rear door":
            own = np.isin(placement.slot_of, unit.slots)
            door_mw[own] = np.minimum(air_mw[own], unit.part.capacity_mw)
            door_g[own] = unit.part.loaded_g or 0
    return door_mw, door_g


def _supplies(chosen: list[Unit], place: Place, room: Room, spare: int, cools_air: bool, in_racks: bool) -> dict[str, Any]:
    """Return the supplies of a hall or the room: the capacity of its units without the largest ones of each hall.

    The heat of equipment of others in the slots goes to the air, and leaves less of its supply. Where all units are devices
    of the study that cool liquid, nothing else takes its heat, and no verdict on air is possible.
    """
    if place.kind not in ("hall", "room") or not (chosen or in_racks):
        return {}
    halls = [hall.name for hall in room.halls] or [""]
    inside = halls if place.kind == "room" else [place.name]

    def supply_mw(cools: str) -> int:
        own = [[unit for unit in chosen if (unit.part.cools, unit.where) == (cools, hall)] for hall in inside]
        return sum(_capacity_mw(units, spare) for units in own)

    if not cools_air:
        return {"liquid_supply_mw": supply_mw("liquid")}
    in_use_mw = int(room.existing.in_slots("power_mw", room.slot_count)[place.slots].sum())
    return {"air_supply_mw": max(supply_mw("room air") - in_use_mw, 0), "liquid_supply_mw": supply_mw("liquid")}


def _capacity_mw(units: list[Unit], spare: int) -> int:
    left, capacity_mw = spare, 0
    for unit in sorted(units, key=lambda unit: -unit.part.capacity_mw):
        failed = min(left, unit.count)
        left -= failed
        capacity_mw += (unit.count - failed) * unit.part.capacity_mw
    return capacity_mw


def pressure_pa(altitude_m: float) -> float:
    """Return the pressure of the standard atmosphere.

    References
    ----------
    .. [1] ASHRAE Handbook, Fundamentals, chapter 1, equation 3.

    Examples
    --------
    >>> round(pressure_pa(1500))
    84556
    """
    return _SEA_LEVEL_PA * (1 - 2.25577e-5 * altitude_m) ** 5.2559


def airflow_l_per_s(heat_mw: int, supply_celsius: float, rise_kelvin: float, altitude_m: float) -> int:
    """Return the volume of air that carries heat away, as it enters: heat / (density · specific heat · rise).

    Examples
    --------
    10 kW at a rise of 11.1 K, about 154 cubic feet per minute and kilowatt:

    >>> airflow_l_per_s(10_000_000, 12.8, 11.1, 0)
    725
    """
    density = pressure_pa(altitude_m) / (_GAS_CONSTANT * (supply_celsius + 273.15))
    return round(heat_mw / (density * _SPECIFIC_HEAT * rise_kelvin))


def _heat_of(
    inventory: Inventory, cabinet: CabinetPart, placement: Placement, cables: CablePlan, load: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the heat of each cabinet, and the part of it that direct liquid cooling removes; int64 (C,)."""
    heat_mw, liquid_mw = np.zeros((2, placement.cabinet_count), np.int64)
    for number, part in enumerate(inventory.parts):
        here = inventory.part == number
        own_mw = placement.by_cabinet(here * (part.power_max_mw if load == "maximum" else part.power_typical_mw))
        if load == "typical":
            plugged = here[cables.device]
            np.add.at(own_mw, cables.cabinet[plugged], cables.power_mw[plugged])
        heat_mw += own_mw
        liquid_mw += np.rint(own_mw * _liquid_share(part, cabinet)).astype(np.int64)
    return heat_mw, liquid_mw


def _in_rack_of(inventory: Inventory, placement: Placement, liquid_mw: np.ndarray) -> np.ndarray:
    """Return the liquid-cooled heat of each cabinet that units in it take, up to their capacity; int64 (C,)."""
    able = np.array([part.capacity_mw if isinstance(part, CoolingUnit) else 0 for part in inventory.parts])
    return np.minimum(liquid_mw, placement.by_cabinet(able[inventory.part]))


def _liquid_share(part: RouterPart | EndpointPart | FacilityPart, cabinet: CabinetPart) -> float:
    """Return the share of the heat of a box that direct liquid cooling removes."""
    if cabinet.cooling == _LIQUID_CABINET or (part.liquid_share is None and part.airflow == ("none",)):
        return 1.0
    return part.liquid_share or 0.0


def _mass_of(inventory: Inventory, catalog: Catalog, placement: Placement) -> np.ndarray:
    """Return the mass of each cabinet with its devices, PDUs and cable managers, without cables; int64 (C,)."""
    count = placement.cabinet_count
    framed = placement.framed(inventory)
    mass_g = catalog.cabinet.mass_g * framed + placement.by_cabinet(inventory.of_part("mass_g"))
    if catalog.manager is not None:
        managers = placement.fixture_cabinet[placement.fixture_kind == _MANAGER]
        mass_g += np.bincount(managers, minlength=count) * catalog.manager.mass_g
    if catalog.pdu is not None:
        mass_g += placement.fitted_pdus(inventory, catalog) * catalog.pdu.mass_g
    return mass_g
