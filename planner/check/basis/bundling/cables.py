"""The cables that bundling starts from, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from planner.check.basis.tray_distances import TrayDistances
from planner.check.ends import within
from planner.domain.model import MEDIUM_CLASSES, Plan, Room
from planner.domain.parts import BundlingParts

FIBER = MEDIUM_CLASSES.index("fiber")

REASONS = (
    "inside a cabinet",
    "both ends in one area",
    "no fiber between two transceivers",
    "shares its cable with other links",
    "no part for its glass or plugs",
    "no trunk or jumper of that length",
    "loss above the budget",
    "an endpoint's cable",
    "both ends in one group",
    "too few links for a trunk",
)
"""Why a row is not carried, in the order in which plans list it."""


class CableSet:
    """The cables of a plan as they would be bought one by one; arrays of W rows, names as in `planner.domain.model.CablePlan`."""

    def __init__(self, plan: Plan, run_mm: np.ndarray, tray_mm: np.ndarray, stock_mm: np.ndarray, price_cents: np.ndarray):
        cables = plan.cables
        self.plan, self.room, self.inventory = plan, plan.room, plan.inventory
        self.assemblies, self.assembly = cables.assemblies, cables.assembly
        self.cabinet, self.piece, self.device = cables.cabinet.astype(np.int64), cables.piece, cables.device
        self.slot = plan.placement.slot_of[cables.cabinet].astype(np.int64)
        self.rise, self.drop = cables.rise_mm.astype(np.int64), cables.drop_mm.astype(np.int64)
        self.run, self.tray, self.stock, self.price = (
            np.asarray(column, np.int64) for column in (run_mm, tray_mm, stock_mm, price_cents)
        )
        ends = np.array([[end.price_cents for end in made_of.ends] for made_of in self.assemblies], np.int64).reshape(-1, 2)
        self.module_cents = (ends[self.assembly] * cables.modules).sum(axis=1)
        self.between = self.cabinet[:, 0] != self.cabinet[:, 1]
        self.medium = (self.of("medium") == "optical").astype(np.int64)
        self.node = self.room.slot_node[self.slot, self.medium[:, None]].astype(np.int64)
        self.alone = np.bincount(self.piece)[self.piece] == 1
        self.slack = plan.study["cabling"]["slack"]

    @property
    def parts(self) -> BundlingParts:
        return self.plan.catalog.bundling_parts

    def of(self, name: str) -> np.ndarray:
        """Return a field of each row's assembly."""
        return np.array([getattr(made_of, name) for made_of in self.assemblies])[self.assembly]

    @cached_property
    def distances(self) -> TrayDistances:
        return TrayDistances(self.room, FIBER)

    def fiber_mm(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the shortest routes over fiber's trays between slots, int64 (n,)."""
        nodes = self.room.slot_node[:, FIBER]
        return self.distances.between(nodes[a], nodes[b]).astype(np.int64)

    def jumper_mm(self, route_mm: np.ndarray, between: bool) -> np.ndarray:
        """Return the run lengths of jumpers: the route, with the slack of any cable."""
        fixed = self.room.end_mm if between else self.room.in_cabinet_mm
        if fixed is not None:
            return route_mm
        loops = 2 * self.slack["loop_mm"] if between else 0
        return route_mm + 2 * self.slack["end_mm"] + loops + np.ceil(route_mm * self.slack["percent"] / 100).astype(np.int64)

    def area_um2(self, diameter_um: np.ndarray) -> np.ndarray:
        shape = 1.0 if self.room.fill_shape == "square" else np.pi / 4
        return np.round(np.asarray(diameter_um, np.float64) ** 2 * shape).astype(np.int64)

    @cached_property
    def strands(self) -> np.ndarray:
        """For each piece and pair of cabinets that it joins, its longest row, ascending; int64."""
        pair = np.sort(self.cabinet, axis=1)
        longest: dict[tuple[int, int, int], int] = {}
        run = self.run.tolist()
        rows = np.flatnonzero(self.between).tolist()
        for row, key in zip(rows, zip(self.piece[rows].tolist(), *pair[rows].T.tolist(), strict=True), strict=True):
            if run[row] > run[longest.setdefault(key, row)]:
                longest[key] = row
        return np.array(sorted(longest.values()), np.int64)


@dataclass
class Outcome:
    """What a kind of bundling comes to.

    Attributes
    ----------
    bundles
        Figures of each bundle: kind, part ("" for none), cabinets, tray nodes, capacity, links, diameter_um, bend_mm, run_mm,
        stock_mm, area_um2, cents.
    bundle
        Bundle of each row, int64 (W,), -1 inside a cabinet.
    leg_mm, leg_stock_mm, via_node
        Jumpers at both ends, and the tray nodes of their panels, int64 (W, 2).
    cents
        Price of each row without its bundle, int64 (W,).
    reason
        Why each row is not carried, "" where it is or none was wanted.
    jumpers
        Part and length of the jumpers bought, with their number and price.
    panels
        Part of the passive boxes bought, with their number and price; None where there is none.
    carriers
        Trunks and fibers in trays: tray nodes at both ends, medium class, cross-section, route length.
    tied
        Rows of the cables in looms, those of one call together.
    """

    cable_set: CableSet
    bundles: list[dict[str, Any]] = field(default_factory=list)
    bundle: np.ndarray = field(init=False)
    leg_mm: np.ndarray = field(init=False)
    leg_stock_mm: np.ndarray = field(init=False)
    via_node: np.ndarray = field(init=False)
    cents: np.ndarray = field(init=False)
    reason: list[str] = field(init=False)
    parts: list[str] = field(default_factory=list)
    jumpers: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    panels: dict[str, tuple[int, int | None]] = field(default_factory=dict)
    carriers: list[tuple[tuple[int, ...], int, int, int]] = field(default_factory=list)
    tied: list[np.ndarray] = field(default_factory=list)
    pulled: int = 0
    pieces: int = 0
    polarity: str = ""
    priced: bool = True

    def __post_init__(self) -> None:
        cable_set = self.cable_set
        rows = len(cable_set.run)
        self.bundle = np.full(rows, -1, np.int64)
        self.leg_mm, self.leg_stock_mm = np.zeros((2, rows, 2), np.int64)
        self.via_node = cable_set.node.copy()
        self.cents = cable_set.price.copy()
        self.reason = ["" if between else REASONS[0] for between in cable_set.between.tolist()]

    def refuse(self, rows: np.ndarray, wrong: np.ndarray, why: str) -> np.ndarray:
        """Record why some rows are not carried, and return the others."""
        assert why in REASONS
        for row in rows[wrong].tolist():
            self.reason[row] = why
        return rows[~wrong]

    def candidates(self) -> np.ndarray:
        """Return the rows between cabinets that are a fiber between two transceivers of its own, int64."""
        cable_set = self.cable_set
        rows = self.refuse(np.flatnonzero(cable_set.between), (cable_set.of("glass") == "")[cable_set.between], REASONS[2])
        return self.refuse(rows, ~cable_set.alone[rows], REASONS[3])

    def buy(self, part: str, count: int, cents: int | None) -> None:
        bought, paid = self.panels.get(part) or (0, 0)
        self.panels[part] = bought + count, paid + cents if cents is not None and paid is not None else None

    @property
    def cables(self) -> list[tuple[tuple[int, ...], int, int, int]]:
        """Return the cables in looms, as `carriers`."""
        rows, cable_set = np.concatenate([np.zeros(0, np.int64), *self.tied]), self.cable_set
        area = cable_set.area_um2(cable_set.of("diameter_um")[rows])
        columns = (cable_set.medium[rows], area, cable_set.tray[rows])
        return list(zip(map(tuple, cable_set.node[rows].tolist()), *(column.tolist() for column in columns), strict=True))

    @property
    def direct(self) -> dict[str, int]:
        """Rows between cabinets that could not take part, by reason."""
        counts = {why: self.reason.count(why) for why in REASONS[1:]}
        return {why: count for why, count in counts.items() if count}

    @property
    def total_cents(self) -> int | None:
        if not self.priced:
            return None
        boxes = sum(cents or 0 for _, cents in self.panels.values())
        return int(self.cents.sum()) + sum(one["cents"] for one in self.bundles) + boxes

    @property
    def types(self) -> int:
        """Bundles that differ in kind, part, capacity or length."""
        return len({(one["kind"], one["part"], one["capacity"], one["stock_mm"]) for one in self.bundles})


class Areas:
    """What shares a panel: the area of each slot, and the slot in the middle of each, int64 (S,), (A,)."""

    def __init__(self, room: Room, level: str):
        slots = np.arange(room.slot_count)
        if level == "cabinet":
            self.of_slot = self.center = slots
        elif level == "row":
            self.of_slot = room.slot_row.astype(np.int64)
            self.center = np.array(
                [self._middle(slots[self.of_slot == row]) for row in range(int(self.of_slot.max()) + 1)], np.int64
            )
        else:
            self.of_slot = _zones(room)
            self.center = np.array([self._nearest(room, zone) for zone in range(int(self.of_slot.max()) + 1)], np.int64)

    @staticmethod
    def _middle(own: np.ndarray) -> int:
        return int(own[len(own) // 2]) if len(own) else 0

    def _nearest(self, room: Room, zone: int) -> int:
        own = np.flatnonzero(self.of_slot == zone)
        away = room.slot_xy[own] - room.slot_xy[own].mean(axis=0)
        return int(own[np.abs(away).sum(axis=1).argmin()])


def _zones(room: Room) -> np.ndarray:
    """Return the zone or hall of each slot, numbered without gaps; slots in none are one more."""
    number = np.full(room.slot_count, -1)
    for zone, limit in enumerate(room.zones):
        number[list(limit.slots)] = zone
    for hall, outline in enumerate(room.halls if not room.zones else ()):
        inside = [within(x, y, outline.corners_mm) for x, y in room.slot_xy.tolist()]
        number[np.array(inside, bool)] = hall
    return np.unique(number, return_inverse=True)[1].ravel().astype(np.int64)


class Paneled:
    """Rows over panels: areas (n, 2), jumpers and their length in trays (n, 2), trunk and its tray length (n,)."""

    def __init__(self, cable_set: CableSet, rows: np.ndarray, areas: Areas, level: str):
        slot, slack = cable_set.slot[rows], cable_set.parts.trunk_rule.slack_max_mm
        self.rows, self.area = rows, areas.of_slot[slot]
        if level == "cabinet":
            self.leg, self.leg_tray = cable_set.jumper_mm(cable_set.rise[rows], False), np.zeros((len(rows), 2), np.int64)
            self.tray = cable_set.tray[rows]
            self.trunk = cable_set.drop[rows].sum(axis=1) + self.tray + slack
            return
        center = areas.center[self.area]
        self.leg_tray = np.column_stack([cable_set.fiber_mm(slot[:, end], center[:, end]) for end in (0, 1)])
        self.leg = cable_set.jumper_mm(cable_set.rise[rows] + cable_set.drop[rows] + self.leg_tray, True)
        self.tray = cable_set.fiber_mm(center[:, 0], center[:, 1])
        self.trunk = self.tray + slack

    def only(self, kept: np.ndarray) -> None:
        """Drop the rows that are not kept."""
        for name in ("rows", "area", "leg", "leg_tray", "tray", "trunk"):
            setattr(self, name, getattr(self, name)[kept])

    def drop(self, made: Outcome, wrong: np.ndarray, why: str) -> None:
        made.refuse(self.rows, wrong, why)
        self.only(~wrong)

    def lossy(self, cable_set: CableSet, pairs: Callable[[str], tuple[int, int]], more_db: float = 0.0) -> np.ndarray:
        """Return which rows lose more than their transceivers allow, bool (n,); `pairs` counts mated MPO and LC plugs by plug."""
        loss, fiber = cable_set.parts.loss, self.leg.sum(axis=1) + self.trunk
        found = np.zeros(len(self.rows), bool)
        for place, (row, length) in enumerate(zip(self.rows.tolist(), fiber.tolist(), strict=True)):
            made_of = cable_set.assemblies[cable_set.assembly[row]]
            mpo, lc = pairs(made_of.plug)
            per_km = {"om3": loss.om3_db_per_km, "om4": loss.om4_db_per_km, "os2": loss.os2_db_per_km}[made_of.glass]
            found[place] = mpo * loss.mpo_db + lc * loss.lc_db + per_km * length / 1e6 + more_db > made_of.budget_db + 1e-9
        return found
