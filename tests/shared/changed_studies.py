"""Studies with one option changed each: what the planner makes of them breaks no design rule."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.domain.model import Plan

Change = tuple[str, list[str]]
"""Its name, and values of the study as ``planner run --set`` takes them."""


def changes(plan: Plan) -> Iterator[Change]:
    """Yield changes of the study of a plan, which name cabinets and devices as the plan has them."""
    yield from _existing(plan)
    yield from _cabling(plan)
    yield "spares of another policy, energy, trays", ["bill.spares='cisco-cables'", "bill.years=3", "bill.trays='used'"]
    yield "everything weighs", ["placement.objective={ price = 1.0, meter_cents = 20.0, watt_cents = 100.0 }"]
    if "network" not in plan.study:
        yield from _of_one_network(plan)
    if "simulation" in plan.study and "outages" not in plan.study["simulation"]:
        yield from _outages(plan)


def _existing(plan: Plan) -> Iterator[Change]:
    placement, room = plan.placement, plan.room
    names = [room.slot_names[slot] for slot in placement.slot_of.tolist()]
    free = [name for slot, name in enumerate(room.slot_names) if slot not in placement.slot_of and room.free[slot]]
    if free:
        yield "a cabinet of others", [f"room.existing.taken=[{{ cabinet = '{free[0]}', name = 'theirs', power_w = 3000 }}]"]
    router = int(np.argmax(plan.inventory.is_router))
    name, home, unit = str(plan.inventory.names[router]), names[placement.cabinet[router]], int(placement.unit[router])
    yield "a device fixed where it is", [f"room.existing.fixed={{ {name} = {{ cabinet = '{home}', unit = {unit} }} }}"]
    gap = _free_unit(plan, int(placement.cabinet[router]))
    height = plan.inventory.part_of(router).units
    if gap is not None and height == 1:
        yield "a device fixed in another unit", [f"room.existing.fixed={{ {name} = {{ cabinet = '{home}', unit = {gap} }} }}"]
    if gap is not None:
        taken = f"{{ cabinet = '{home}', units = '{gap}', name = 'old switch', power_w = 50 }}"
        yield "a cabinet shared with others", [f"room.existing.taken=[{taken}]"]
    yield "trays in use", ["room.existing.trays={ default = 0.02 }"]
    yield "slots kept free", ["room.existing.keep_free={ slots = 0.01 }"]
    yield "trays kept free", ["room.existing.keep_free={ trays = 0.05 }"]


def _free_unit(plan: Plan, cabinet: int) -> int | None:
    """Return a rack unit of a cabinet that nothing uses, in the middle of those that there are."""
    placement, inventory = plan.placement, plan.inventory
    used = set()
    for device in np.flatnonzero(placement.cabinet == cabinet).tolist():
        unit = int(placement.unit[device])
        used |= set(range(unit, unit + inventory.part_of(device).units))
    fixtures = zip(placement.fixture_cabinet.tolist(), placement.fixture_unit.tolist(), strict=True)
    used |= {unit + step for home, unit in fixtures if home == cabinet for step in range(2)}
    used |= {unit for each in plan.room.existing.equipment if each.slot == placement.slot_of[cabinet]
             for unit in range(each.low_unit, each.low_unit + each.units)}  # fmt: skip
    low, high = placement.usable_units(plan.catalog.cabinet.units)
    open_units = [unit for unit in range(low, high + 1) if unit not in used]
    return open_units[len(open_units) // 2] if len(open_units) > 6 else None


def _cabling(plan: Plan) -> Iterator[Change]:
    yield "shortest slack", ["cabling.slack={ end_mm = 100, loop_mm = 100 }"]
    yield "less power instead of money", ["cabling.prefer='power'"]
    yield "made to length", ["cabling.custom_lengths=true"]
    yield "looms by row", ["cabling.bundling='row_loom'"]
    label = "{row}{slot}.{unit:02d}.{name}.{port_name}.{role} {far_name} {network}{link}{number} {cable} {end}"
    yield "labels of all fields", [f"cabling.label='{label}'"]
    if "network" not in plan.study:
        yield "trunks", ["cabling.bundling='trunk'"]


def _of_one_network(plan: Plan) -> Iterator[Change]:
    yield "endpoints apart", ["placement.endpoints='apart'"]
    yield "routers in the middle", ["placement.interior={ routers_at = 'middle' }"]
    yield "rack units kept free", ["room.existing.keep_free={ units = 0.02 }"]
    yield "two routers in cabinets of their own", ["placement.separate=[[0, 1]]"]


def _outages(plan: Plan) -> Iterator[Change]:
    label = str(plan.cables.label_a[0])
    cabinet = plan.room.slot_names[plan.placement.slot_of[0]]
    for name, outage in (
        ("a router fails", "cycle = 300, routers = [1]"),
        ("a router is missing", "routers = [1]"),
        ("a cable fails", f"cycle = 300, cables = ['{label}']"),
        ("links fail", "cycle = 300, link_share = 0.02"),
        ("routers fail", "cycle = 300, router_share = 0.02"),
        ("a cabinet fails", f"cycle = 300, domains = ['cabinet {cabinet}']"),
    ):
        yield name, [f"simulation.outages=[{{ {outage} }}]"]
    yield (
        "a router fails, deadlocks allowed",
        [
            "simulation.outages=[{ cycle = 300, routers = [1] }]",
            "simulation.allow_deadlock=true",
        ],
    )
