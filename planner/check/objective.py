"""Rules of the objective: it equals the cost of the layout, and is consistent with lower bound and Pareto front."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from types import SimpleNamespace
from typing import Any

import numpy as np

from planner.check.basis.distinct import distinct
from planner.check.basis.places import error, unlike
from planner.check.basis.rule import rule
from planner.check.basis.tables import has_tables
from planner.check.basis.tray_distances import TrayDistances
from planner.check.lengths import ends_mm, slack_mm
from planner.check.near_misses import ranked
from planner.domain.model import Joint, Plan, Violation
from planner.domain.parts import Assembly

_NONE = np.zeros(0, np.int64)
_UNITS = {"price": "cents", "length": "mm", "power": "mW", "delay": "ps"}


@rule(70)
def objective_adds_up(plan: Plan) -> Iterator[Violation]:
    """The objective is the sum over links and endpoint cables of the cost between their slots, at the usual units of boxes.

    For cabinets that the study fills, the units of the cables of one joint are the mean ones at either end.
    """
    settings = plan.study.get("placement")
    if settings is None:
        return
    placement, rule = plan.placement, "objective_adds_up"
    layout = _Layout(plan)
    unit = _UNITS.get(settings["objective"], "cents") if isinstance(settings["objective"], str) else "cents"
    yield from unlike(rule, "placement.objective_unit", placement.objective_unit, unit, "is not that of the study's objective")
    if has_tables(plan):
        run, total = _NONE, layout.filled_cabinets()
    else:
        links, run = layout.links()
        total = int(links.sum()) + int(layout.endpoints().sum()) + layout.split_groups()
    if placement.objective != total:
        yield error(rule, "placement.objective", placement.objective, total, unit, "is not the cost of the layout")
    limit = settings.get("longest_mm")
    yield from unlike(rule, "placement.longest_mm", placement.longest_mm, limit, "does not match the study")
    beyond = 0 if limit is None else int((run > limit).sum())
    yield from unlike(rule, "placement.too_long", placement.too_long, beyond, "links are longer than the study allows")
    if placement.lower_bound > placement.objective:
        yield error(rule, "placement.lower_bound", placement.lower_bound, placement.objective, unit, "is above the objective")
    yield from _front(plan, int(run.max(initial=0)))
    chosen = [one for one in placement.alternatives if one.chosen]
    if placement.alternatives and [one.cabinets for one in chosen] != [placement.cabinet_count]:
        message = "one of the open rules is chosen, with the cabinets of the plan"
        yield error(rule, "placement.alternatives", len(chosen), 1, "", message)


def _front(plan: Plan, longest_mm: int) -> Iterator[Violation]:
    """No layout of the front is worse than another one, and the plan's own is on the front or behind it."""
    placement, points = plan.placement, plan.placement.front.tolist()
    if not points:
        return
    own = [placement.objective, longest_mm]
    better = [(a, b) for a in [own, *points] for b in points if a != b and a[0] <= b[0] and a[1] <= b[1]]
    if better or not any(point[0] <= own[0] and point[1] <= own[1] for point in points):
        message = f"has {better[0][1]} with {better[0][0]}" if better else "lacks the layout of the plan"
        yield error("objective_adds_up", "placement.front", len(points), len(points), "layouts", message)


class _Layout:
    """What cables cost by the slots of their ends, with boxes in the middle of where such boxes are located."""

    def __init__(self, plan: Plan):
        self.plan, self.settings, self.boxes = plan, plan.study["placement"], plan.inventory
        room = plan.room
        self.shared = bool((room.segment_carries == 3).all() and (room.slot_node[:, 0] == room.slot_node[:, 1]).all())
        self.trays = [TrayDistances(room, medium) for medium in ((0,) if self.shared else (0, 1))]
        if has_tables(plan):
            return
        catalog, interior = plan.catalog, self.settings["interior"]
        pdus = {"A": 1, "A+B": 2}[interior["feeds"]] * interior["pdus_per_feed"] if catalog.pdu else 0
        low = 1 + interior["reserve_bottom_units"] + (pdus * catalog.pdu.units if catalog.pdu else 0)
        high = catalog.cabinet.units - interior["reserve_top_units"]
        units = plan.inventory.of_part("units")
        managers = (1 // interior["routers_per_manager"] + 1) * catalog.manager.units if catalog.manager else 0
        middle = low + (high - low + 1 - units) // 2
        second = {"top": high + 1 - 2 * units - managers, "bottom": low + units}
        self.unit = np.where(plan.inventory.is_router, second.get(interior["routers_at"], middle), middle)
        # A device of each part stands for all of its part.
        _, first, part = np.unique(plan.inventory.part, return_index=True, return_inverse=True)
        self.device = first[part.ravel()]

    def links(self) -> tuple[np.ndarray, np.ndarray]:
        """Return cost and run length of each link, int64 (L,)."""
        slot = self.plan.placement.slot
        cost, run = [], []
        for joint, ends in self._rows(links=True):
            # Of two routers in one cabinet the second is one box higher.
            unit = self.unit[ends]
            height = self.plan.inventory.of_part("units")[ends[:, 0]]
            unit[:, 1] += np.where(slot[ends[:, 0]] == slot[ends[:, 1]], height, 0)
            one = self._costs(slot[ends], unit, self.device[ends], joint.single)
            cost.append(one[0])
            run.append(one[1])
        return np.concatenate([_NONE, *cost]), np.concatenate([_NONE, *run])

    def endpoints(self) -> np.ndarray:
        """Return the cost of each endpoint cable, int64 (H,); what nothing reaches costs as much as five of the longest."""
        slot, found = self.plan.placement.slot, [_NONE]
        for joint, ends in self._rows(links=False):
            cost, run = self._costs(slot[ends], self.unit[ends], self.device[ends], joint.single)
            _, own, reach = self._offers(joint.single)[-1]
            beyond = (run > reach) & (slot[ends[:, 0]] != slot[ends[:, 1]])
            found.append(cost + np.where(beyond, 4 * self._cost(own, reach, False), 0))
        return np.concatenate(found)

    def filled_cabinets(self) -> int:
        """Return the cost of all connections, each between the mean unit, height and port side of its joint at either end."""
        plan, total = self.plan, 0
        inventory, slot, unit = plan.inventory, plan.placement.slot, plan.placement.unit
        for number, joint in enumerate(inventory.joints):
            ends = inventory.ends[inventory.joint == number]
            if not len(ends):
                continue
            rear = inventory.of_part("port_side")[ends] == "rear"
            height, lowest, at_rear = (
                [round(float(mean)) for mean in column.mean(axis=0)]
                for column in (inventory.of_part("units")[ends], unit[ends], rear)
            )
            parts = [
                SimpleNamespace(units=units, port_side="rear" if side else "front")
                for units, side in zip(height, at_rear, strict=True)
            ]
            layout = copy(self)
            layout.boxes = SimpleNamespace(of_part=lambda name, parts=parts: np.array([getattr(part, name) for part in parts]))
            where = np.broadcast_to(lowest, ends.shape), np.broadcast_to([0, 1], ends.shape)
            total += int(layout._costs(slot[ends], *where, joint.single)[0].sum())
        return total

    def _rows(self, *, links: bool) -> Iterator[tuple[Joint, np.ndarray]]:
        """Yield the joint of links, or of endpoint cables, with the devices at both ends of these, (n, 2).

        Devices with another part than their role are placed as if they had that of their role.
        """
        inventory = self.plan.inventory
        own = inventory.is_link == links
        if own.any():
            yield inventory.joints[0 if links else 1], inventory.ends[own]

    def split_groups(self) -> int:
        """Return the cost of pairs of routers of one group in different cabinets, where the study prices them."""
        plan, price = self.plan, self.settings.get("group_price") or 0
        if not price or not plan.topology.group.shape[1]:
            return 0
        total, homes = 0, plan.placement.cabinet[plan.inventory.routers()].tolist()
        members: dict[int, list[int]] = {}
        for number, cabinet in zip(plan.topology.group[:, 0].tolist(), homes, strict=True):
            members.setdefault(number, []).append(cabinet)
        for cabinets in members.values():
            pairs = len(cabinets) * (len(cabinets) - 1) // 2
            total += pairs - sum(n * (n - 1) // 2 for n in map(cabinets.count, set(cabinets)))
        return price * total

    def _offers(self, assemblies: tuple[Assembly, ...]) -> list[tuple[int, tuple[Assembly, ...], int]]:
        """Return medium class, parts and reach of each offer: one offer where trays carry both classes."""
        if self.shared:
            by_medium = [(0, assemblies)]
        else:
            by_medium = [
                (medium, tuple(one for one in assemblies if (one.medium == "optical") == bool(medium))) for medium in (0, 1)
            ]
        reach = [max(stock for one in some for stock in one.stock_mm if stock <= one.reach_mm) for _, some in by_medium if some]
        return [(medium, some, longest) for (medium, some), longest in zip([p for p in by_medium if p[1]], reach, strict=True)]

    def _costs(
        self, slot: np.ndarray, unit: np.ndarray, device: np.ndarray, assemblies: tuple[Assembly, ...]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the cost and run length of cables between slots, each kind of pair once."""
        keys = np.column_stack([slot, unit, device])
        first, back, _ = distinct(*keys.T)
        keys = keys[first]
        inside = keys[:, 0] == keys[:, 1]
        offers = self._offers(assemblies)
        runs = [self._runs(keys[:, :2], keys[:, 2:4], keys[:, 4:], medium) for medium, _, _ in offers]
        # Pairs of one length cost the same.
        first, length, _ = distinct(inside, *runs)
        runs, found = [lengths[first].tolist() for lengths in runs], []
        for pair, within in enumerate(inside[first].tolist()):
            run = runs[-1][pair]
            cost = self._cost(offers[-1][1], run, within)
            for (_, some, reach), lengths in zip(offers[:-1], runs[:-1], strict=True):
                other = self._cost(some, lengths[pair], within)
                if lengths[pair] <= reach and (other < cost or run > offers[-1][2]):
                    cost, run = other, lengths[pair]
            found.append((cost, run))
        cost, run = np.array(found, np.int64).reshape(-1, 2)[length[back]].T
        return cost, run

    def _runs(self, slot: np.ndarray, unit: np.ndarray, device: np.ndarray, medium: int) -> np.ndarray:
        """Run lengths of cables of one medium class between boxes in some units."""
        plan, room = self.plan, self.plan.room
        kind = [SimpleNamespace(medium="optical" if medium else "copper")]
        cables = SimpleNamespace(cabinet=slot, unit=unit, device=device, assemblies=kind, assembly=np.zeros(len(slot), np.int64))
        placed = SimpleNamespace(slot_of=np.arange(room.slot_count))
        there: Any = SimpleNamespace(
            room=room, catalog=plan.catalog, inventory=self.boxes, study=plan.study, placement=placed, cables=cables
        )
        rise, drop = ends_mm(there)
        away, tray = slot[:, 0] != slot[:, 1], np.zeros(len(slot))
        tray[away] = self.trays[medium].between(*room.slot_node[slot[away], medium].T)
        route = rise.sum(axis=1) + drop.sum(axis=1) + tray.astype(np.int64)
        return route + slack_mm(there, route).sum(axis=1)

    def _cost(self, assemblies: tuple[Assembly, ...], run_mm: int, inside: bool) -> int:
        """Return the cost of the best part for a run by the study's objective."""
        objective = self.settings["objective"]
        if objective == "length":
            return run_mm
        prefer = objective if objective in ("power", "delay") else "price"
        offers = ranked(assemblies, prefer)
        longest = max(stock for *_, stock in offers)
        (_, _, _, number), price, stock = next(offer for offer in offers if offer[2] >= min(run_mm, longest))
        part: Any = assemblies[number]
        delay = -(-max(stock, run_mm) * part.delay_ps_per_m // 1000) + 2 * part.delay_end_ps
        if objective in ("power", "delay"):
            return 2 * part.power_mw if objective == "power" else delay
        rates = self.plan.catalog.labor
        price += max(run_mm - longest, 0) * price // longest
        price += (rates.in_cabinet_cents if inside else rates.between_cabinets_cents) + run_mm * rates.pull_cents_per_m // 1000
        if objective == "price":
            return price
        cost = objective["price"] * price + objective["meter_cents"] * run_mm / 1000
        cost += objective["watt_cents"] * 2 * part.power_mw / 1000 + objective["ns_cents"] * delay / 1000
        return round(cost + objective["optical_cents"] * (part.medium == "optical"))
