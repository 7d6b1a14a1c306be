"""Rules of the jumpers at panels, and of the names of panels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from planner.check.basis.panels import BOX, ENCLOSURE, FAN_OUT, Held, named
from planner.check.basis.places import error, unequal, unlike
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation


@rule(286)
def jumpers_fit_their_panels(plan: Plan) -> Iterator[Violation]:
    """Jumpers have the plug of their socket, the length from box to panel, and the route of their own."""
    for held in Held.of(plan):
        panels, cables, rule = held.panels, held.cables, "jumpers_fit_their_panels"
        assemblies = cables.assembly[held.rows]
        part = np.array(panels.jumper_parts)[panels.jumper_part[panels.jumper]]
        row = held.rows[:, None]
        if held.kind != BOX:
            own = np.array([made_of.length_part for made_of in cables.assemblies])[assemblies]
            yield from unequal(rule, part == own[:, None], np.ones(part.shape, bool), named(held), "its jumper is another part")
            yield from unequal(rule, panels.jumper_run_mm[panels.jumper], cables.leg_mm[row, [0, 1]], named(held), "run", "mm")
        else:
            yield from _router_cables(held, part)
        stock = panels.jumper_stock_mm[panels.jumper]
        yield from unequal(rule, stock, cables.leg_stock_mm[row, [0, 1]], named(held), "stock length", "mm")
        if held.kind == ENCLOSURE:
            names = np.array(panels.parts)[panels.cassette_part[panels.jumper_cassette[panels.jumper]]]
            want = np.array([one.id for one in held.cassette_of_row])
            yield from unequal(rule, names == want[:, None], np.ones(names.shape, bool), named(held), "does not fit its cassette")
        yield from unequal(rule, panels.jumper_route[panels.jumper], _routes(held), named(held), "its jumper is on another route")


def _router_cables(held: Held, part: np.ndarray) -> Iterator[Violation]:
    """The cables of a router are as long as its longest leg, and the smallest trunk of that length."""
    panels, cables, rule = held.panels, held.cables, "jumpers_fit_their_panels"
    glass = [cables.assemblies[one].glass for one in cables.assembly[held.rows].tolist()]
    longest: dict[tuple[int, str], int] = {}
    keys = [[(device, name) for device in ends] for ends, name in zip(cables.device[held.rows].tolist(), glass, strict=True)]
    for ends, lengths in zip(keys, cables.leg_mm[held.rows].tolist(), strict=True):
        for key, length in zip(ends, lengths, strict=True):
            longest[key] = max(longest.get(key, 0), length)
    want = [[longest[key] for key in ends] for ends in keys]
    yield from unequal(rule, panels.jumper_run_mm[panels.jumper], want, named(held), "run", "mm")
    trunks = sorted(held.parts.trunks, key=lambda one: one.connectors)
    stocks = panels.jumper_stock_mm[panels.jumper].tolist()
    smallest = {
        (name, stock): next((one.id for one in trunks if one.glass == name and stock in one.stock_mm), "")
        for name, both in zip(glass, stocks, strict=True)
        for stock in both
    }
    fits = [
        [smallest[name, stock] == own for stock, own in zip(*both, strict=True)]
        for name, *both in zip(glass, stocks, part.tolist(), strict=True)
    ]
    yield from unequal(rule, fits, np.ones_like(fits), named(held), "its cable is another part")


def _routes(held: Held) -> np.ndarray:
    """Return the route of the jumper at both ends of each row: those of jumpers follow those of trunks."""
    cables, count = held.cables, len(held.rows)
    after = cables.carrier_route[len(held.trunks) :]
    if held.kind == BOX:
        glass = np.array([one.glass for one in cables.assemblies])[cables.assembly[held.rows]]
        ends = cables.device[held.rows]
        keys = [[(device, name) for device in both] for both, name in zip(ends.tolist(), glass.tolist(), strict=True)]
        number = {key: place for place, key in enumerate(sorted({key for both in keys for key in both}))}
        return np.array([[after[number[key]] for key in both] for both in keys])
    if held.level == "cabinet":
        return np.full((count, 2), -1)
    return after.reshape(2, count).T


@rule(287)
def panel_names_are_unique(plan: Plan) -> Iterator[Violation]:
    """Frames, panels and trunks are named by their slots and numbers, and no two of them or of the devices have one name."""
    for held in Held.of(plan):
        panels, rule, mark = held.panels, "panel_names_are_unique", ("PP", "SB", "FO")[held.kind]
        slots = [plan.room.slot_names[slot] for slot in panels.frame_slot.tolist()]
        yield from _same(rule, panels.frame_names, (f"PF-{slot}" for slot in slots))
        cabinet = {slot: number for number, slot in enumerate(plan.placement.slot_of.tolist())}
        want = [cabinet.get(slot, -1) if held.level == "cabinet" else -1 for slot in panels.frame_slot.tolist()]
        yield from unequal(rule, panels.frame_cabinet, want, panels.frame_names.tolist().__getitem__, "is on another cabinet")
        height = held.parts.panel.units if held.kind == ENCLOSURE else 1
        digits = 3 if held.kind == FAN_OUT else 2
        places = zip(panels.frame.tolist(), panels.unit.tolist(), strict=True)
        yield from _same(
            rule,
            panels.names,
            (f"{mark}-{slots[frame]}-{1 + unit // height if height > 1 else unit:0{digits}}" for frame, unit in places),
        )
        number: Counter[tuple[int, ...]] = Counter()
        wanted = []
        for ends in map(tuple, panels.trunk_frame.tolist()):
            number[ends] += 1
            wanted.append(f"TR-{slots[ends[0]]}-{slots[ends[1]]}-{number[ends]:02}")
        yield from _same(rule, panels.trunk_names, wanted)
        every = Counter([*panels.frame_names.tolist(), *panels.names.tolist(), *panels.trunk_names.tolist()])
        every.update(set(plan.inventory.names.tolist()))
        for name in (name for name, count in every.items() if count > 1):
            yield error(rule, name, every[name], 1, "", "is the name of several things")


def _same(rule: str, have: np.ndarray, want: Iterable[str]) -> Iterator[Violation]:
    for one, other in zip(have.tolist(), want, strict=True):
        yield from unlike(rule, f"panels {other}", one, other, "has another name")
