"""Rules of cooling: heat, airflow and mass add up, and the units remove the heat of every hall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from planner.check.basis.boxes import boxes, fitted, framed, in_cabinets
from planner.check.basis.places import cabinet_name, error, unequal, unlike
from planner.check.basis.rule import Number, Source, figures, rule
from planner.check.ends import within
from planner.core.record import plain
from planner.domain.model import Plan, Violation
from planner.domain.model.cooling import Cooling, CoolingArea
from planner.domain.parts import CoolingUnit

_AIR_J_PER_KG_K, _AIR_GAS_J_PER_KG_K = 1006, 287.042
_SEA_PA, _LAPSE_PER_M, _EXPONENT = 101_325, 2.25577e-5, 5.2559
"""Dry air and the standard atmosphere: ASHRAE Handbook, Fundamentals, chapter 1."""
_PROBE_MM = 100
Corners = Sequence[Sequence[int]]
_STATED = ("load", "supply_celsius", "rise_kelvin", "altitude_m", "spare")


@rule(532)
def cooling_adds_up(plan: Plan) -> Iterator[Violation]:
    """Heat, mass and airflow of each cabinet, area and aisle are those of the boxes, by the settings of the study."""
    found, name = plan.cooling, "cooling_adds_up"
    if found is None or "cooling" not in plan.study:
        return
    for key in _STATED:
        yield from unlike(name, f"cooling.{key}", getattr(found, key), plan.study["cooling"][key], "does not match the study")
    heat, liquid, mass = _cabinets(plan)
    taken = [min(wet, able) for wet, able in zip(liquid, _in_racks(plan), strict=True)]
    door, door_g = _doors(plan, [hot - wet for hot, wet in zip(heat, liquid, strict=True)])
    mass = [own + door for own, door in zip(mass, door_g, strict=True)]
    sums = (heat, liquid, taken, door, mass)
    for field, wanted in zip(("heat_mw", "liquid_mw", "in_rack_mw", "door_mw", "mass_g"), sums, strict=True):
        yield from unequal(
            name, getattr(found, field), wanted, lambda n: cabinet_name(plan, n), f"is not the {field} of its boxes"
        )
    yield from _same(name, "areas", found.areas, list(_areas(plan, sums)))
    yield from _same(name, "aisles", found.aisles, list(_aisles(plan, sums)))


@rule(534)
def cooling_removes_the_heat(plan: Plan) -> Iterator[Violation]:
    """The units of every hall, without the spare ones, remove the heat that air and liquid bring there."""
    areas = plan.cooling.areas if plan.cooling is not None else ()
    halls = [area for area in areas if area.kind == "hall"]
    for area in halls or areas:
        for what, demand, supply in (
            ("air of the room", area.heat_mw - area.liquid_mw - area.door_mw, area.air_supply_mw),
            ("direct liquid cooling", area.liquid_mw - area.in_rack_mw, area.liquid_supply_mw),
        ):
            if supply is not None and demand > supply:
                where = f"{area.kind} {area.name}".strip()
                yield error("cooling_removes_the_heat", where, demand, supply, "mW", f"heat for the {what} exceeds its units")


@rule(50, source=True)
def cooling_units_from_the_catalog(plan: Plan, source: Source) -> Iterator[Violation]:
    """The cooling units are those of the study; supplies are their capacities less the heat of equipment of others."""
    found, name = plan.cooling, "cooling_units_from_the_catalog"
    if found is None or "cooling" not in plan.study:
        return
    rows = {row.id: row for row in source.rows("cooling_unit")}
    wanted = []
    for given in plan.study["cooling"]["units"]:
        row, where = rows[given["part"]], given.get("where") or ""
        is_door = row.cools == "rear door"
        count = sum(_inside(plan, where)) if is_door else given.get("count") or 1
        wanted.append((row.id, row.cools, where, count, count * row.capacity_mw, count * (row.loaded_g or 0) * is_door))
    alone = _alone(plan)
    cools_air = bool(wanted) or "room air" in {one[1] for one in alone}
    wanted += alone
    have = [tuple(plain(one).values()) for one in found.units]
    yield from unlike(name, "cooling.units", have, wanted, "do not match study and catalog")
    rows |= {part.id: part for part in plan.inventory.parts}
    stated = [rows[part].origin for part in dict.fromkeys(one[0] for one in wanted)]
    yield from unlike(name, "cooling.parts", plain(found.parts), plain(stated), "are not the rows")
    halls = [hall.name for hall in plan.room.halls] or [""]
    for area in found.areas:
        supplies = (area.air_supply_mw, area.liquid_supply_mw)
        if not wanted or area.kind not in ("hall", "room"):
            none = (None, 0 if area.kind in ("hall", "room") and found.in_rack_mw.any() else None)
            yield from unlike(name, f"{area.kind} {area.name}", supplies, none, "has a supply")
            continue
        inside = halls if area.kind == "room" else [area.name]
        air, liquid = (sum(_left(wanted, cools, hall, found.spare) for hall in inside) for cools in ("room air", "liquid"))
        left = (max(air - _in_use_mw(plan, area.kind, area.name), 0) if cools_air else None, liquid)
        yield from unlike(name, f"{area.kind} {area.name}".strip(), supplies, left, "has other supplies")


def _alone(plan: Plan) -> list[tuple]:
    """Return the units that take slots by themselves, as they are stored: by part, then by hall."""
    slots = plan.placement.slot_of[plan.placement.cabinet].tolist()
    halls = [(name, own) for kind, name, own, _ in _places(plan) if kind == "hall"] or [("", set(slots))]
    found = []
    for number, part in enumerate(plan.inventory.parts):
        for name, own in halls if part.freestanding else ():
            here = zip(slots, plan.inventory.part.tolist(), strict=True)
            if count := sum(slot in own and kind == number for slot, kind in here):
                found.append((part.id, part.cools, name, count, count * part.capacity_mw, 0))
    return found


def _in_use_mw(plan: Plan, kind: str, name: str) -> int:
    """Return the power of equipment of others in the slots of a hall or of the room."""
    slots = next(own for one, known, own, _ in _places(plan) if (one, known) == (kind, name))
    return sum(each.power_mw for each in plan.room.existing.equipment if each.slot in slots)


def _left(units: list[tuple], cools: str, hall: str, spare: int) -> int:
    """Return the capacity of units in a hall after the largest have failed."""
    own = [(count, capacity // count) for _, kind, where, count, capacity, _ in units if (kind, where) == (cools, hall)]
    each = [capacity for count, capacity in own for _ in range(count)]
    return sum(sorted(each)[: max(len(each) - spare, 0)])


def _cabinets(plan: Plan) -> tuple[list[int], list[int], list[int]]:
    """Return heat, liquid-cooled heat and mass of each cabinet, box by box."""
    inventory, cables, cabinet = plan.inventory, plan.cables, plan.catalog.cabinet
    typical = plan.study["cooling"]["load"] == "typical"
    own, found = [[0] * plan.placement.cabinet_count for _ in inventory.parts], boxes(plan)
    drawn = found.of_part("power_typical_mw" if typical else "power_max_mw").tolist()
    for home, part, power in zip(found.cabinet.tolist(), found.kind.tolist(), drawn, strict=True):
        own[part][home] += power
    if typical:
        parts = inventory.part[cables.device]
        ends = zip(*(column.ravel().tolist() for column in (parts, cables.cabinet, cables.power_mw)), strict=True)
        for part, home, power in ends:
            own[part][home] += power
    shares = [_liquid(part, cabinet) for part in inventory.parts]
    heats = list(zip(*own, strict=True))
    liquid = [sum(round(one * share) for one, share in zip(heat, shares, strict=True)) for heat in heats]
    mass = cabinet.mass_g * framed(plan) + in_cabinets(plan, "mass_g") + fitted(plan, "mass_g")
    return [sum(heat) for heat in heats], liquid, mass.tolist()


def _in_racks(plan: Plan) -> list[int]:
    """Return the capacity of the cooling units that are devices in each cabinet."""
    able = [0] * plan.placement.cabinet_count
    for cabinet, part in zip(plan.placement.cabinet.tolist(), plan.inventory.part.tolist(), strict=True):
        if isinstance(one := plan.inventory.parts[part], CoolingUnit):
            able[cabinet] += one.capacity_mw
    return able


def _liquid(part: Any, cabinet: Any) -> float:
    if cabinet.cooling == "direct liquid":
        return 1.0
    if part.liquid_share is not None:
        return part.liquid_share
    return float(part.airflow == ("none",))


def _doors(plan: Plan, air: list[int]) -> tuple[list[int], list[int]]:
    """Return the heat that the rear door of each cabinet removes, and the mass that it adds."""
    door, mass = [0] * len(air), [0] * len(air)
    for unit in plan.cooling.units:
        if unit.cools == "rear door" and unit.count:
            for cabinet, inside in enumerate(_inside(plan, unit.where)):
                if inside:
                    door[cabinet] = min(air[cabinet], unit.capacity_mw // unit.count)
                    mass[cabinet] = unit.mass_g // unit.count
    return door, mass


def _inside(plan: Plan, where: str) -> list[bool]:
    """Return which cabinets are in a row, zone or hall of that name; all without a name."""
    slots = plan.placement.slot_of.tolist()
    named = [own for _, name, own, _ in _places(plan) if name == where]
    return [bool(named) and slot in named[-1] for slot in slots]


def _places(plan: Plan) -> Iterator[tuple[str, str, set[int], int]]:
    """Yield kind, name, slots and floor of every row, zone and hall, and of the room."""
    room = plan.room
    size = [width * depth for width, depth in room.slot_size.tolist()]
    for number, name in enumerate(room.row_names):
        own = {slot for slot, row in enumerate(room.slot_row.tolist()) if row == number}
        yield "row", name, own, sum(size[slot] for slot in own)
    for zone in room.zones:
        yield "zone", zone.name, set(zone.slots), sum(size[slot] for slot in zone.slots)
    halls = [(hall.name, hall.corners_mm) for hall in room.halls]
    for name, corners in halls:
        yield "hall", name, {slot for slot, xy in enumerate(room.slot_xy.tolist()) if _within(corners, xy)}, _floor(corners)
    yield "room", "", set(range(len(size))), sum(_floor(corners) for _, corners in halls or [("", room.outline.tolist())])


def _floor(corners: Corners) -> int:
    """Return the area of a polygon by the shoelace formula."""
    x, y = np.asarray(corners, np.int64).T
    return round(abs(int((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2)


def _within(corners: Corners, point: tuple[float, float]) -> bool:
    """Return whether a ray from a point leaves the polygon an odd number of times."""
    inside, (x, y) = False, point
    for (x1, y1), (x2, y2) in zip(corners, (corners[-1], *corners[:-1]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def _areas(plan: Plan, sums: tuple[list[int], ...]) -> Iterator[tuple]:
    for kind, name, slots, floor in _places(plan):
        own = [cabinet for cabinet, slot in enumerate(plan.placement.slot_of.tolist()) if slot in slots]
        heat, liquid, taken, door, mass = (sum(values[cabinet] for cabinet in own) for values in sums)
        yield kind, name, len(own), heat, liquid, taken, door, _airflow(plan.cooling, heat - liquid), mass, floor


def _aisles(plan: Plan, sums: tuple[list[int], ...]) -> Iterator[tuple]:
    room, toward = plan.room, {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}
    for aisle in room.aisles:
        signs = {"cold aisle": (1,), "hot aisle": (-1,)}.get(aisle.kind, (1, -1))
        own = []
        for cabinet, slot in enumerate(plan.placement.slot_of.tolist()):
            dx, dy = toward[int(room.slot_facing[slot]) % 360]
            (x, y), (width, depth) = room.slot_xy[slot].tolist(), room.slot_size[slot].tolist()
            reach = (width if dx else depth) / 2 + _PROBE_MM
            # A point on the border of an aisle is in it.
            if any(within(x + sign * dx * reach, y + sign * dy * reach, aisle.corners_mm) for sign in signs):
                own.append(cabinet)
        if own:
            yield aisle.kind, aisle.name, len(own), _airflow(plan.cooling, sum(sums[0][n] - sums[1][n] for n in own))


def _airflow(cooling: Cooling, heat_mw: int) -> int:
    """Return the air that carries heat away, in liters per second: mass flow by the volume of a kilogram."""
    pressure = _SEA_PA * (1 - _LAPSE_PER_M * cooling.altitude_m) ** _EXPONENT
    m3_per_kg = _AIR_GAS_J_PER_KG_K * (cooling.supply_celsius + 273.15) / pressure
    return round(heat_mw / 1000 / (_AIR_J_PER_KG_K * cooling.rise_kelvin) * m3_per_kg * 1000)


def _same(name: str, field: str, have: tuple, want: list[tuple]) -> Iterator[Violation]:
    """Yield a violation where areas or aisles differ; supplies are the subject of another rule."""
    yield from unlike(name, f"cooling.{field}", len(have), len(want), "have the wrong number")
    for one, wanted in zip(have, want, strict=False):
        stated = tuple(plain(one).values())[: len(wanted)]
        yield from unlike(name, f"{one.kind} {one.name}".strip(), stated, wanted, "does not add up")


@figures
def cooling_figures(plan: Plan) -> Iterator[Number]:
    """Yield heat, airflow and floor load, and the highest share of a supply or limit in use."""
    found = plan.cooling
    if found is None:
        return
    heat, liquid, door = (sum(values.tolist()) for values in (found.heat_mw, found.liquid_mw, found.door_mw))
    yield from (("heat_mw", heat), ("heat_liquid_mw", liquid), ("heat_door_mw", door), ("heat_air_mw", heat - liquid - door))
    yield "airflow_l_per_s", _airflow(found, heat - liquid)
    yield "hottest_cabinet_mw", max(found.heat_mw.tolist(), default=0)
    yield "floor_mass_g", sum(found.mass_g.tolist())
    alone = {cabinet: part for cabinet, _, part in boxes(plan) if part.freestanding}
    below = [alone.get(cabinet, plan.catalog.cabinet) for cabinet in range(plan.placement.cabinet_count)]
    loads = [mass / 1000 / (one.width_mm * one.depth_mm / 1e6) for mass, one in zip(found.mass_g.tolist(), below, strict=True)]
    yield "floor_load_kg_per_m2", max(loads, default=0)
    yield "cooling_used_percent", max((100 * used for area in found.areas for used in _used(area)), default=None)


def _used(area: CoolingArea) -> Iterator[float]:
    air = area.heat_mw - area.liquid_mw - area.door_mw
    for demand, supply in ((air, area.air_supply_mw), (area.liquid_mw - area.in_rack_mw, area.liquid_supply_mw)):
        if supply:
            yield demand / supply
