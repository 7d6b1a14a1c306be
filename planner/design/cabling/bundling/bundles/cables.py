"""The cables to bundle."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from planner.domain.model import MEDIUM_CLASSES, CablePlan, Inventory, Room
from planner.domain.parts import Assembly, BundlingParts
from planner.hall.floor import Lengths


@dataclass(frozen=True, eq=False)
class CableSet:
    """The cables to bundle, one row each as in `planner.domain.model.CablePlan`: links first, then endpoints.

    Attributes
    ----------
    inventory, lengths, bundling
        The network, the length rules of the room, and the parts for bundling; without parts only looms are possible.
    assemblies, assembly
        Assemblies in use; index of each row's, int (W,).
    piece
        Rows with the same number are one cable as bought and pulled, int (W,).
    device, cabinet, slot, rise_mm, drop_mm
        At both ends, int (W, 2); the slot is that of the cabinet.
    tray_mm, run_mm, stock_mm, price_cents
        Route length, run length, stock length, price with the transceivers bought with the row, int (W,).
    modules
        Transceivers bought with the row at both ends, int (W, 2).
    """

    inventory: Inventory
    lengths: Lengths
    bundling: BundlingParts | None
    assemblies: tuple[Assembly, ...]
    assembly: np.ndarray
    piece: np.ndarray
    device: np.ndarray
    cabinet: np.ndarray
    slot: np.ndarray
    rise_mm: np.ndarray
    drop_mm: np.ndarray
    tray_mm: np.ndarray
    run_mm: np.ndarray
    stock_mm: np.ndarray
    price_cents: np.ndarray
    modules: np.ndarray

    @property
    def parts(self) -> BundlingParts:
        """The parts for bundling, which kinds other than looms demand before they begin."""
        assert self.bundling is not None
        return self.bundling

    @classmethod
    def of(
        cls, inventory: Inventory, lengths: Lengths, bundling: BundlingParts | None, slot_of: np.ndarray, cables: CablePlan
    ) -> CableSet:
        """Return the cables of a plan; `slot_of` is the slot of each cabinet."""
        same = {field.name for field in fields(cls)} & {field.name for field in fields(cables)}
        return cls(
            inventory=inventory, lengths=lengths, bundling=bundling, slot=slot_of[cables.cabinet],
            **{name: getattr(cables, name) for name in same},
        )  # fmt: skip

    @property
    def room(self) -> Room:
        return self.lengths.room

    @property
    def cables_per_loom(self) -> int:
        """Maximum number of cables in a loom by the catalog's rule; no limit without a rule."""
        return self.bundling.cables_per_loom if self.bundling is not None else max(1, len(self.assembly))

    @property
    def length_cents(self) -> np.ndarray:
        """Price of each row without its transceivers, int64 (W,)."""
        ends = np.array([[end.price_cents for end in made_of.ends] for made_of in self.assemblies], np.int64).reshape(-1, 2)
        return np.asarray(self.price_cents, np.int64) - (ends[self.assembly] * self.modules).sum(axis=1)

    @cached_property
    def between(self) -> np.ndarray:
        """Rows that leave their cabinet, bool (W,)."""
        return self.cabinet[:, 0] != self.cabinet[:, 1]

    @cached_property
    def medium_class(self) -> np.ndarray:
        """Medium class of each row, index into `planner.domain.model.MEDIUM_CLASSES`, int64 (W,)."""
        return np.where(self.of_assembly("medium") == "optical", MEDIUM_CLASSES.index("fiber"), MEDIUM_CLASSES.index("copper"))

    @cached_property
    def node(self) -> np.ndarray:
        """Tray nodes at both ends, int64 (W, 2)."""
        return self.room.slot_node[self.slot, self.medium_class[:, None]].astype(np.int64)

    @cached_property
    def row(self) -> np.ndarray:
        """Rows of the room at both ends, int64 (W, 2)."""
        return self.room.slot_row[self.slot].astype(np.int64)

    @cached_property
    def alone(self) -> np.ndarray:
        """Rows that share their piece with no other, bool (W,)."""
        return np.bincount(self.piece, minlength=1)[self.piece] == 1

    @cached_property
    def glasses(self) -> list[str]:
        """The glasses of all assemblies, "" for none."""
        return sorted({made_of.glass for made_of in self.assemblies})

    @cached_property
    def plugs(self) -> list[str]:
        """The plugs of all fibers, "" for none."""
        return sorted({made_of.plug for made_of in self.assemblies})

    @cached_property
    def glass(self) -> np.ndarray:
        """Index into `glasses` of each row, int64 (W,)."""
        return np.searchsorted(self.glasses, self.of_assembly("glass")) if self.assemblies else np.zeros(0, np.int64)

    @cached_property
    def plug(self) -> np.ndarray:
        """Index into `plugs` of each row, int64 (W,)."""
        return np.searchsorted(self.plugs, self.of_assembly("plug")) if self.assemblies else np.zeros(0, np.int64)

    @cached_property
    def strands(self) -> np.ndarray:
        """Rows between cabinets, one for each piece in the trays, int64.

        A piece counts once for each pair of cabinets that it joins: the tails of a splitter may lead to different cabinets.
        """
        rows = np.flatnonzero(self.between)
        pair = np.sort(self.cabinet[rows], axis=1)
        order = np.lexsort((-self.run_mm[rows], pair[:, 1], pair[:, 0], self.piece[rows]))
        key = np.column_stack([self.piece[rows], pair])[order]
        return np.sort(rows[order[first_of_runs(key)]])

    def of_assembly(self, name: str) -> np.ndarray:
        """Return a field of each row's assembly, (W,)."""
        if not self.assemblies:
            return np.zeros(len(self.assembly), np.int64)
        return np.array([getattr(assembly, name) for assembly in self.assemblies])[self.assembly]

    def area_um2(self, diameter_um: np.ndarray) -> np.ndarray:
        """Return the cross-section of cables of these diameters in a tray by the room's rule, int64."""
        square = np.asarray(diameter_um, np.float64) ** 2
        return np.round(square * (1 if self.room.fill_shape == "square" else np.pi / 4)).astype(np.int64)

    def fiber_mm(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the lengths over fiber trays between the slots of `a` and those of `b`, int64."""
        return self.lengths.by_medium_class[1].distances.between_mm(a, b).astype(np.int64)

    def jumper_mm(self, length_mm: np.ndarray, between: bool) -> np.ndarray:
        """Return the run lengths of jumpers from box to panel: the length, and nominal slack, int64."""
        return length_mm + self.lengths.by_medium_class[1].slack_mm(length_mm, between, nominal=True)


def first_of_runs(key: np.ndarray) -> np.ndarray:
    """Return which rows of a sorted array (n, k) differ from the row before, bool (n,)."""
    first = np.ones(len(key), bool)
    first[1:] = (key[1:] != key[:-1]).any(axis=1)
    return first


def numbered(key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the different rows of an integer array (n, k) in order, and the number of each row, int64 (n,)."""
    order = np.lexsort(key.T[::-1])
    first = first_of_runs(key[order])
    number = np.empty(len(key), np.int64)
    number[order] = np.cumsum(first) - 1
    return key[order[first]], number


def max_by(values: np.ndarray, number: np.ndarray, count: int) -> np.ndarray:
    """Return the maximum of the values of each number from 0 to `count` - 1, at least 0, int64 (count,)."""
    highest = np.zeros(count, np.int64)
    np.maximum.at(highest, number, values)
    return highest


def rank_within(group: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return the position of each row within its group when rows are sorted by `order`, in which groups ascend, int64 (n,)."""
    ordered = group[order]
    rank = np.empty(len(group), np.int64)
    rank[order] = np.arange(len(group)) - np.searchsorted(ordered, ordered)
    return rank
