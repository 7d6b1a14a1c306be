"""Rules of near misses: cables slightly too long for a cheaper part, and the savings of moves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from planner.check.basis.boxes import boxes, in_cabinets
from planner.check.basis.existing import fixed_devices, fixed_slots, in_use, taken_slots, units_in_use
from planner.check.basis.places import unlike
from planner.check.basis.rule import rule
from planner.check.basis.tray_distances import TrayDistances
from planner.check.lengths import ends_mm, slack_mm
from planner.domain.model import Plan, Violation
from planner.domain.parts import Assembly

_SLOTS = 12
"""Number of free slots tried for a cabinet, nearest first."""

_FIXED = -1
"""Owner of units that no box may take."""

_EXAMINED, _WORK = 5, 200_000
"""Minimum number of near misses whose moves are tried again, by saving; more in plans of fewer cables."""


_List = tuple[str, int, bool | None]
"""What a row may be made of: an assembly or those of a joint, by number, and whether optical; None for all."""


@rule(470)
def near_misses_add_up(plan: Plan) -> Iterator[Violation]:
    """The listed cables are those slightly too long for a cheaper part, with the savings of the price lists."""
    found, rule = plan.near_misses, "near_misses_add_up"
    if found is None or "near_misses" not in plan.study:
        return
    settings, missed = plan.study["near_misses"], _Prices(plan).missed()
    yield from unlike(rule, "near_misses.within_mm", found.within_mm, settings["within_mm"], "does not match the study")
    yield from unlike(rule, "near_misses.count", found.count, len(missed), "is not the number of cables that just miss")
    saving = sum(cents for cents, *_ in missed)
    yield from unlike(rule, "near_misses.saving_cents", found.saving_cents, saving, "is not their total saving")
    order = sorted(missed, key=lambda one: (-one[0], one[1], one[3]))[: settings["detailed"]]
    yield from unlike(rule, "near_misses.items", len(found.items), len(order), "have the wrong number")
    for have, (cents, over, stock, cable) in zip(found.items, order, strict=False):
        one = (have.cable, have.over_mm, have.stock_mm, have.saving_cents)
        yield from unlike(
            rule, f"near miss of cable {cable + 1}", one, (cable, over, stock, cents), "cable, excess, part and saving"
        )


@rule(480)
def moves_save_stated_amounts(plan: Plan) -> Iterator[Violation]:
    """No other unit saves more than the one named with a near miss, no nearer free slot more than the one named.

    Finished plans have no unit left that saves. Where cages hold several ports, moves are not examined: what is bought
    there depends on all cables of the cages.
    """
    found, rule = plan.near_misses, "moves_save_stated_amounts"
    if found is None or "near_misses" not in plan.study or any(max(one.ports_per_cage) > 1 for one in plan.inventory.joints):
        return
    moves = _Moves(plan)
    for have in found.items[: max(_EXAMINED, _WORK // max(plan.cables.cable_count, 1))]:
        where = f"near miss of cable {have.cable + 1}"
        devices, cabinets = plan.cables.device[have.cable].tolist(), plan.cables.cabinet[have.cable].tolist()
        best = max(moves.unit(device) for device in devices)
        stated = moves.saving_of_unit(devices[have.end], have.units) if have.end in (0, 1) else -1
        yield from unlike(
            rule, where, (have.unit_saving_cents, stated), (best, best), "saving by another unit, as stated and as is"
        )
        if not best:
            yield from unlike(rule, where, (have.end, have.units), (0, 0), "end and units of a move that saves nothing")
        slots = [moves.cabinet(cabinet) for cabinet in cabinets] if cabinets[0] != cabinets[1] else [(0, ""), (0, "")]
        end = int(slots[1][0] > slots[0][0])
        slot = have.slot_end, have.slot, have.slot_saving_cents
        yield from unlike(rule, where, slot, (end, slots[end][1], slots[end][0]), "end, slot and saving of the best other slot")


class _Prices:
    """The best buy for each run length, by what a cable joins and the trays that it takes."""

    def __init__(self, plan: Plan):
        self.plan, cables = plan, plan.cables
        room = plan.room
        shared = bool((room.segment_carries == 3).all() and (room.slot_node[:, 0] == room.slot_node[:, 1]).all())
        longest: dict[int, int] = {}
        for piece, run in zip(cables.piece.tolist(), cables.minimum_run_mm.tolist(), strict=True):
            longest[piece] = max(run, longest.get(piece, 0))
        self.run = [longest[piece] for piece in cables.piece.tolist()]
        self.carried, self.first = cables.carried.tolist(), set(cables.first_of_piece.tolist())
        joints = plan.inventory.joints
        optical = [one.medium == "optical" for one in cables.assemblies]
        # Rows that share cages keep the assembly that they have.
        self.list_of: list[_List] = [
            ("assembly", number, None)
            if max(joints[joint].ports_per_cage) > 1
            else ("joint", joint, None if shared else optical[number])
            for number, joint in zip(cables.assembly.tolist(), plan.inventory.joint.tolist(), strict=True)
        ]
        self.offers, self.find, self.longest = cache(self._offers), cache(self._find), cache(self._longest)

    def _offers(self, key: _List) -> list[tuple[Any, ...]]:
        what, number, optical = key
        prefer = self.plan.study["cabling"]["prefer"]
        if what == "assembly":
            return ranked((self.plan.cables.assemblies[number],), prefer)
        known = self.plan.inventory.joints[number].single
        return ranked(tuple(one for one in known if optical in (None, one.medium == "optical")), prefer)

    def _longest(self, key: _List) -> int:
        return max(stock for *_, stock in self.offers(key))

    def _find(self, key: _List, run_mm: int) -> tuple[int, int, int]:
        """Price and length of the best buy that covers a run, and the longest length that does not; 0 where all do."""
        offers, longest = self.offers(key), self.longest(key)
        covering = next(((price, stock) for _, price, stock in offers if stock >= min(run_mm, longest)))
        below = max((stock for *_, stock in offers if stock < min(run_mm, longest)), default=0)
        return *covering, below

    def of(self, row: int, run_mm: int) -> int:
        """Return the price of one cable at a run length; beyond every reach the last price per meter goes on.

        What a trunk carries has no price of its own.
        """
        if self.carried[row]:
            return 0
        price, _, _ = self.find(self.list_of[row], run_mm)
        longest = self.longest(self.list_of[row])
        if run_mm <= longest:
            return price
        return price + (run_mm - longest) * price // longest

    def missed(self) -> list[tuple[int, int, int, int]]:
        """Return saving, excess, shorter length and number of the cables that just miss a cheaper part."""
        within, found = self.plan.study["near_misses"]["within_mm"], []
        for row, run in enumerate(self.run):
            if self.carried[row] or row not in self.first:
                continue
            price, _, below = self.find(self.list_of[row], run)
            if below and 0 < run - below <= within:
                cheaper, stock, _ = self.find(self.list_of[row], below)
                if price > cheaper:
                    found.append((price - cheaper, run - below, stock, row))
        return found


@lru_cache(maxsize=16)
def ranked(assemblies: tuple[Assembly, ...], prefer: str) -> list[tuple[Any, ...]]:
    """Return rank, price and length of what is on sale, best first."""
    offers = []
    for number, made_of in enumerate(assemblies):
        for stock, price in zip(made_of.stock_mm, made_of.price_cents, strict=True):
            delay = stock * made_of.delay_ps_per_m + 2000 * made_of.delay_end_ps
            measure = {"price": price, "power": made_of.power_mw, "delay": delay}[prefer]
            if stock <= made_of.reach_mm:
                offers.append(((measure, price, stock, number), price, stock))
    return sorted(offers)


class _Moves:
    """Tries every other unit of a router and the nearest free slots of a cabinet."""

    def __init__(self, plan: Plan):
        self.plan, self.prices, self.boxes = plan, _Prices(plan), boxes(plan)
        self.height, self.power_mw, self.mass_g = (
            self.boxes.of_part("units"),
            in_cabinets(plan, "power_max_mw"),
            in_cabinets(plan, "mass_g"),
        )
        self.unit, self.cabinet, self.owners = cache(self._unit), cache(self._cabinet), cache(self._owners)
        self.medium = np.array([one.medium == "optical" for one in plan.cables.assemblies], np.int64)[plan.cables.assembly]
        self.trays = [TrayDistances(plan.room, medium) for medium in (0, 1)]
        self.prices_of_rows: dict[int, int] = {}
        self.box = self.boxes.of_device[plan.cables.device]
        self.rows_of = cache(lambda box: np.flatnonzero((self.box == box).any(axis=1)))

    def _unit(self, device: int) -> int:
        """Return the saving of the best other unit for the box of a device; 0 where none saves."""
        units = self.plan.catalog.cabinet.units
        here = int(self.boxes.unit[self.boxes.of_device[device]])
        return max(0, *(self.saving_of_unit(device, place - here) for place in range(1, units + 1)))

    def saving_of_unit(self, device: int, steps: int) -> int:
        """Return the saving of a box `units` farther up, swapped with the box there; 0 where it cannot move."""
        catalog, found, box = self.plan.catalog, self.boxes, int(self.boxes.of_device[device])
        here, height = int(found.unit[box]), int(self.height[box])
        place, owner = here + steps, self.owners(int(found.cabinet[box]))
        others = {owner.get(one) for one in range(place, place + height)} - {None, box}
        other = next(iter(others), _FIXED)
        swaps = len(others) == 1 and other != _FIXED and found.kind[other] == found.kind[box] and found.unit[other] == place
        if not steps or place < 1 or place + height - 1 > catalog.cabinet.units or (others and not swaps):
            return 0
        if owner.get(here) == _FIXED:
            return 0
        # Routers with cable managers keep to the units between these.
        if not others and found.is_router[box] and catalog.manager is not None:
            return 0
        return self._saving_of_units({box: place} | ({other: here} if other is not None and others else {}))

    def _owners(self, cabinet: int) -> dict[int, int]:
        """Return the box in each unit of a cabinet, `_FIXED` for what stays, without free units."""
        placement, catalog = self.plan.placement, self.plan.catalog
        low, high = placement.reserved_units
        fixed = [*range(1, low + 1), *range(catalog.cabinet.units - high + 1, catalog.cabinet.units + 1)]
        owner = dict.fromkeys(fixed, _FIXED)
        own = placement.fixture_cabinet == cabinet
        for unit, kind in zip(placement.fixture_unit[own].tolist(), placement.fixture_kind[own].tolist(), strict=True):
            part = (catalog.manager, catalog.pdu)[kind]
            owner |= dict.fromkeys(range(unit, unit + (part.units if part else 0)), _FIXED)
        stays = {int(self.boxes.of_device[device]) for _, device in fixed_devices(self.plan) if device is not None}
        for box in np.flatnonzero(self.boxes.cabinet == cabinet).tolist():
            unit = int(self.boxes.unit[box])
            owner |= dict.fromkeys(range(unit, unit + int(self.height[box])), _FIXED if box in stays else box)
        return owner | dict.fromkeys(units_in_use(self.plan.room).get(int(placement.slot_of[cabinet]), ()), _FIXED)

    def _saving_of_units(self, moved: dict[int, int]) -> int:
        """Return the saving of some boxes in other units."""
        cables = self.plan.cables
        rows = np.unique(np.concatenate([self.rows_of(box) for box in moved]))
        unit = cables.unit[rows]
        for one, place in moved.items():
            unit[self.box[rows] == one] = place
        return self._saving(rows, unit, self.plan.placement.slot_of, cables.tray_mm[rows].astype(np.int64))

    def _cabinet(self, cabinet: int) -> tuple[int, str]:
        """Return the saving of the best of the nearest free slots, and its name."""
        plan, room, placement, cables = self.plan, self.plan.room, self.plan.placement, self.plan.cables
        leaves = cables.cabinet[:, 0] != cables.cabinet[:, 1]
        rows = np.flatnonzero((cables.cabinet == cabinet).any(axis=1) & leaves)
        here = int(placement.slot_of[cabinet])
        taken = set(placement.slot_of.tolist())
        free = [slot for slot in np.flatnonzero(self._carries(cabinet)).tolist() if slot not in taken]
        away = np.abs(room.slot_xy.astype(np.int64) - room.slot_xy[here]).sum(axis=1).tolist()
        best = (0, "")
        for slot in sorted(free, key=lambda slot: (away[slot], slot))[:_SLOTS]:
            slot_of = placement.slot_of.copy()
            slot_of[cabinet] = slot
            node = room.slot_node[slot_of[cables.cabinet[rows]], self.medium[rows][:, None]]
            # From the moved end, so that few distances are needed.
            first = cables.cabinet[rows, 0] == cabinet
            near, far = np.where(first, node[:, 0], node[:, 1]), np.where(first, node[:, 1], node[:, 0])
            tray = np.zeros(len(rows), np.int64)
            for medium in (0, 1):
                own = np.flatnonzero(self.medium[rows] == medium)
                tray[own] = self.trays[medium].between(near[own], far[own]) if len(own) else 0
            saving = self._saving(rows, cables.unit[rows], slot_of, tray)
            if saving > best[0]:
                best = (saving, plan.room.slot_names[slot])
        return best

    def _carries(self, cabinet: int) -> np.ndarray:
        """Return which slots have the power, load and size for a cabinet, bool (S,)."""
        room, mass = self.plan.room, self.plan.catalog.cabinet.mass_g + self.mass_g[cabinet]
        here = int(self.plan.placement.slot_of[cabinet])
        size = (room.slot_size >= room.slot_size[here]).all(axis=1)
        power_mw, load_g = room.slot_power_mw - in_use(room, "power_mw"), room.slot_load_g - in_use(room, "mass_g")
        carries = (power_mw >= self.power_mw[cabinet]) & (load_g >= mass) & size
        # Cabinets with devices that must not move stay, and cabinets in use stay as they are.
        busy = {*units_in_use(room), *fixed_slots(self.plan)}
        carries[[*busy, *taken_slots(room)]] = False
        return carries & (here not in busy)

    def _saving(self, rows: np.ndarray, unit: np.ndarray, slot_of: np.ndarray, tray_mm: np.ndarray) -> int:
        """Return the saving of some cables with their ends elsewhere; overridden run lengths stay."""
        plan, cables = self.plan, self.plan.cables
        columns = {name: getattr(cables, name)[rows] for name in ("cabinet", "device", "assembly")}
        moved: Any = SimpleNamespace(
            room=plan.room, catalog=plan.catalog, inventory=plan.inventory, study=plan.study,
            placement=SimpleNamespace(slot_of=slot_of),
            cables=SimpleNamespace(unit=unit, assemblies=cables.assemblies, **columns),
        )  # fmt: skip
        rise, drop = ends_mm(moved)
        route = rise.sum(axis=1) + drop.sum(axis=1) + tray_mm
        run = np.where(cables.override_mm[rows] == 0, route + slack_mm(moved, route).sum(axis=1), cables.run_mm[rows])
        before = sum(self._price_now(row) for row in rows.tolist())
        return before - sum(map(self.prices.of, rows.tolist(), run.tolist()))

    def _price_now(self, row: int) -> int:
        if row not in self.prices_of_rows:
            self.prices_of_rows[row] = self.prices.of(row, self.prices.run[row])
        return self.prices_of_rows[row]
