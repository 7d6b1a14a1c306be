"""Rules of near misses: what cheaper parts just do not cover, and what moving a router or a cabinet would save."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from planner.check._graph import TrayDistances
from planner.check._places import unlike
from planner.check.lengths import ends_mm, slack_mm
from planner.model import NearMiss, Plan, Violation
from planner.parts import Assembly

_SLOTS = 12
"""Free slots that are tried for a cabinet, nearest first."""

_EXAMINED, _WORK = 5, 200_000
"""Near misses whose moves are tried again, those first that save most: at least so many, and more in plans of fewer cables."""


def near_misses_add_up(plan: Plan) -> Iterator[Violation]:
    """The listed cables are those just too long for a cheaper part, and what is saved by it is what the price lists say."""
    found, rule = plan.near_misses, "near_misses_add_up"
    if found is None or "near_misses" not in plan.study:
        return
    asked, missed = plan.study["near_misses"], _Prices(plan).missed()
    yield from unlike(rule, "near_misses.within_mm", found.within_mm, asked["within_mm"], "is not what the study asks for")
    yield from unlike(rule, "near_misses.count", found.count, len(missed), "is not the number of cables that just miss")
    saving = sum(cents for cents, *_ in missed)
    yield from unlike(rule, "near_misses.saving_cents", found.saving_cents, saving, "is not what they would save")
    order = sorted(missed, key=lambda one: (-one[0], one[1], one[3]))[: asked["most"]]
    yield from unlike(rule, "near_misses.items", len(found.items), len(order), "are not as many as there are")
    for have, (cents, over, stock, cable) in zip(found.items, order, strict=False):
        one = (have.cable, have.over_mm, have.stock_mm, have.saving_cents)
        yield from unlike(
            rule, f"near miss of cable {cable + 1}", one, (cable, over, stock, cents), "cable, excess, part and saving"
        )


def moves_save_what_they_say(plan: Plan) -> Iterator[Violation]:
    """The other unit and the other slot named with a near miss are the best there are, and save what all moved cables do."""
    found, rule = plan.near_misses, "moves_save_what_they_say"
    if found is None or "near_misses" not in plan.study:
        return
    moves = _Moves(plan)
    for have in found.items[: max(_EXAMINED, _WORK // max(plan.cables.cable_count, 1))]:
        want = moves.best(have)
        for (key, value), right in zip(asdict(have).items(), asdict(want).values(), strict=True):
            yield from unlike(rule, f"near miss of cable {have.cable + 1}: {key}", value, right, "is not the best move")


class _Prices:
    """The best buy for each run length, by what a cable joins and the trays that it takes."""

    def __init__(self, plan: Plan):
        self.plan, cables = plan, plan.cables
        room, self.run = plan.room, cables.run_mm.tolist()
        shared = bool((room.segment_carries == 3).all() and (room.slot_node[:, 0] == room.slot_node[:, 1]).all())
        optical = np.array([made_of.medium == "optical" for made_of in cables.assemblies])[cables.assembly].tolist()
        links = plan.topology.link_count
        self.list_of = [(row >= links, None if shared else optical[row]) for row in range(cables.cable_count)]
        self.find = cache(self._find)

    def _offers(self, to_endpoint: bool, optical: bool | None) -> list[tuple[Any, ...]]:
        catalog = self.plan.catalog
        known = catalog.endpoint_assemblies if to_endpoint else catalog.link_assemblies
        return _ranked(
            tuple(one for one in known if optical in (None, one.medium == "optical")), self.plan.study["cabling"]["prefer"]
        )

    def _find(self, key: tuple[bool, bool | None], run_mm: int) -> tuple[int, int, int]:
        """Price and length of the best buy that covers a run, and the longest length that does not; 0 where all do."""
        offers = self._offers(*key)
        longest = max(stock for *_, stock in offers)
        covering = next(((price, stock) for _, price, stock in offers if stock >= min(run_mm, longest)))
        below = max((stock for *_, stock in offers if stock < min(run_mm, longest)), default=0)
        return *covering, below

    def of(self, row: int, run_mm: int) -> int:
        """Return the price of one cable at a run length; beyond every reach the last price per meter goes on."""
        price, _, _ = self.find(self.list_of[row], run_mm)
        longest = max(stock for *_, stock in self._offers(*self.list_of[row]))
        if run_mm <= longest:
            return price
        return price + (run_mm - longest) * price // longest

    def missed(self) -> list[tuple[int, int, int, int]]:
        """Return saving, excess, shorter length and number of the cables that just miss a cheaper part."""
        within, found = self.plan.study["near_misses"]["within_mm"], []
        for row, run in enumerate(self.run):
            price, _, below = self.find(self.list_of[row], run)
            if below and 0 < run - below <= within:
                cheaper, stock, _ = self.find(self.list_of[row], below)
                if price > cheaper:
                    found.append((price - cheaper, run - below, stock, row))
        return found


@lru_cache(maxsize=16)
def _ranked(assemblies: tuple[Assembly, ...], prefer: str) -> list[tuple[Any, ...]]:
    """Rank, price and length of what is on sale, best first."""
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
        self.plan, self.prices = plan, _Prices(plan)
        self.router, self.cabinet = cache(self._router), cache(self._cabinet)
        self.medium = np.array([one.medium == "optical" for one in plan.cables.assemblies], np.int64)[plan.cables.assembly]
        self.trays = [TrayDistances(plan.room, medium) for medium in (0, 1)]
        self.prices_of_rows: dict[int, int] = {}

    def best(self, miss: NearMiss) -> NearMiss:
        """Return the near miss with the better end for either move; the first end where both save the same."""
        cables, routers = self.plan.cables, self.plan.topology.router_count
        units = [self.router(device) if device < routers else (0, 0) for device in cables.device[miss.cable].tolist()]
        end = int(units[1][0] > units[0][0])
        facts: dict[str, Any] = {"end": end, "units": units[end][1], "unit_saving_cents": units[end][0]}
        facts |= {"slot_end": 0, "slot": "", "slot_saving_cents": 0}
        cabinets = cables.cabinet[miss.cable].tolist()
        if cabinets[0] != cabinets[1]:
            slots = [self.cabinet(cabinet) for cabinet in cabinets]
            end = int(slots[1][0] > slots[0][0])
            facts |= {"slot_end": end, "slot": slots[end][1], "slot_saving_cents": slots[end][0]}
        return NearMiss(miss.cable, miss.over_mm, miss.stock_mm, miss.saving_cents, **facts)

    def _router(self, router: int) -> tuple[int, int]:
        """What the best other unit saves, and how far up it is."""
        plan = self.plan
        placement, height = plan.placement, plan.catalog.router.units
        unit = int(placement.unit_of[router])
        owner = self._owners(int(placement.cabinet_of[router]))
        best = (0, 0)
        for place in range(1, plan.catalog.cabinet.units - height + 2):
            others = {owner.get(one) for one in range(place, place + height)} - {None, router}
            other = next(iter(others), None)
            exchange = len(others) == 1 and isinstance(other, int) and int(placement.unit_of[other]) == place
            if place == unit or not (not others or exchange):
                continue
            saving = self._saving_of_units({router: place} | ({other: unit} if others else {}))
            if (saving, -abs(place - unit)) > (best[0], -abs(best[1])):
                best = (saving, place - unit)
        return best

    def _owners(self, cabinet: int) -> dict[int, int | str]:
        """The router in each unit of a cabinet, or what else takes the unit; free units are left out."""
        placement, catalog = self.plan.placement, self.plan.catalog
        low, high = placement.reserved_units
        owner: dict[int, int | str] = dict.fromkeys(
            [*range(1, low + 1), *range(catalog.cabinet.units - high + 1, catalog.cabinet.units + 1)], ""
        )
        for unit in set(placement.endpoint_unit[placement.endpoint_cabinet == cabinet].tolist()):
            owner |= dict.fromkeys(range(unit, unit + catalog.endpoint.units), "")
        fixtures = np.flatnonzero(placement.fixture_cabinet == cabinet).tolist()
        for fixture in fixtures:
            part = (catalog.manager, catalog.pdu)[placement.fixture_kind[fixture]]
            unit = int(placement.fixture_unit[fixture])
            owner |= dict.fromkeys(range(unit, unit + part.units), "")
        for router in np.flatnonzero(placement.cabinet_of == cabinet).tolist():
            unit = int(placement.unit_of[router])
            owner |= dict.fromkeys(range(unit, unit + catalog.router.units), router)
        return owner

    def _saving_of_units(self, moved: dict[int, int]) -> int:
        cables = self.plan.cables
        rows = np.flatnonzero(np.isin(cables.device, list(moved)).any(axis=1))
        unit = cables.unit[rows].copy()
        for router, place in moved.items():
            unit[cables.device[rows] == router] = place
        return self._saving(rows, unit, self.plan.placement.slot_of, cables.tray_mm[rows].astype(np.int64))

    def _cabinet(self, cabinet: int) -> tuple[int, str]:
        """What the best of the nearest free slots saves, and its name."""
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
        """Which slots have the power, the floor and the size for a cabinet, bool (S,)."""
        room, placement, catalog = self.plan.room, self.plan.placement, self.plan.catalog
        routers = int((placement.cabinet_of == cabinet).sum())
        boxes = len(set(placement.endpoint_unit[placement.endpoint_cabinet == cabinet].tolist()))
        power = routers * catalog.router.power_max_mw + boxes * catalog.endpoint.power_max_mw
        mass = catalog.cabinet.mass_g + routers * catalog.router.mass_g + boxes * catalog.endpoint.mass_g
        size = (room.slot_size >= room.slot_size[placement.slot_of[cabinet]]).all(axis=1)
        return (room.slot_power_mw >= power) & (room.slot_load_g >= mass) & size

    def _saving(self, rows: np.ndarray, unit: np.ndarray, slot_of: np.ndarray, tray_mm: np.ndarray) -> int:
        """What some cables cost less with their ends elsewhere; run lengths that are set by hand stay."""
        plan, cables = self.plan, self.plan.cables
        columns = {name: getattr(cables, name)[rows] for name in ("cabinet", "device", "assembly")}
        moved = SimpleNamespace(
            room=plan.room, catalog=plan.catalog, topology=plan.topology, study=plan.study,
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
