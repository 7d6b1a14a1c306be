"""Near misses: cables slightly too long for a cheaper part, and the moves that would help."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.core.checking import checked
from planner.core.progress import Progress, silent
from planner.design.near_misses import single
from planner.design.near_misses._boxes import Boxes
from planner.design.near_misses._cables import Cables
from planner.design.near_misses._prices import Prices
from planner.design.near_misses._units import Cabinets, Move
from planner.domain.model import CablePlan, Catalog, Inventory, NearMiss, NearMisses, Placement, Room
from planner.domain.pricelist import Preference
from planner.hall.floor import Lengths

_SLOTS = 12
"""Free slots that are tried for a cabinet, nearest first."""

MIN_SAVING = 1e-4
"""Minimum saving for another cable plan where trays are full, as a share of the price of all cables."""


@checked()
def near_misses(
    inventory: Inventory,
    catalog: Catalog,
    placement: Placement,
    cables: CablePlan,
    lengths: Lengths,
    *,
    within_mm: Annotated[int, Ge(0)] = 300,
    detailed: Annotated[int, Ge(0)] = 50,
    prefer: Preference = "price",
) -> NearMisses:
    """Return the cables that are slightly too long for a cheaper part.

    The saving of a move counts all cables that it changes: those of the box and of the one it is swapped
    with, or all that leave the cabinet. Tray routes stay as planned when a box moves, and are the shortest ones
    when a cabinet moves. In a finished plan no move of a box saves anything
    (see `settled`), or little where trays are full (see `justifies_plan`).

    Parameters
    ----------
    inventory, catalog, placement, cables, lengths, prefer
        Supplied by the flow.
    within_mm
        Maximum excess length of a near miss.
    detailed
        Number of near misses to examine in detail, largest savings first.
    """
    moves = _Moves(inventory, catalog, placement, cables, lengths, prefer)
    over, saving, stock = moves.prices.misses(within_mm)
    near = np.flatnonzero(saving)
    order = near[np.lexsort((near, over[near], -saving[near]))][:detailed]
    items = tuple(
        moves.best(NearMiss(int(cable), int(over[cable]), int(stock[cable]), int(saving[cable]))) for cable in order.tolist()
    )
    return NearMisses(within_mm, len(near), int(saving[near].sum()), items)


def misses(
    inventory: Inventory,
    cables: CablePlan,
    room: Room,
    *,
    within_mm: int = 300,
    prefer: Preference = "price",
) -> tuple[np.ndarray, np.ndarray]:
    """Return by how much each cable is too long for a cheaper part, and what that part would save, int64 (W,); 0 for others.

    All rows that share cages with one another have to be given together.
    """
    over, saving, _ = Prices(inventory, cables, room.shared_trays, prefer).misses(within_mm)
    return np.where(saving > 0, over, 0), saving


def settled(
    inventory: Inventory,
    catalog: Catalog,
    placement: Placement,
    cables: CablePlan,
    lengths: Lengths,
    *,
    prefer: Preference = "price",
    progress: Progress = silent,
) -> tuple[Placement, int]:
    """Move boxes to other units of their cabinets as long as that lowers the price of the cables.

    Each step is the best move within a cabinet: a box to free units, or a swap of two routers or two endpoint boxes.
    Every move lowers the price of all cables, so the iteration ends; then no single move saves anything.

    Parameters
    ----------
    cables
        The cable plan of `placement`: route lengths along trays do not depend on units.

    Returns
    -------
    tuple
        The placement with other units, or `placement` itself where no move saves anything; and what the moves save, in cents.
    """
    moves = _Moves(inventory, catalog, placement, cables, lengths, prefer)
    if single.applies(moves.boxes, moves.cables):
        saved = single.settle_all(moves.boxes, moves.cables, catalog, lengths, progress)
        return moves.boxes.placement() if saved else placement, saved
    saved, waiting = 0, set(range(placement.cabinet_count))
    while waiting:
        cabinet = min(waiting)
        waiting.discard(cabinet)
        changed = set()
        while (move := moves.cabinets.best(cabinet)) is not None:
            saved += move.saving_cents
            changed |= moves.cabinets.apply(move)
        # The price of a cable for another cabinet depends on its end here.
        waiting |= changed - {cabinet}
        progress("units", placement.cabinet_count - len(waiting), placement.cabinet_count, saved=saved)
    return moves.boxes.placement() if saved else placement, saved


def justifies_plan(saved_cents: int, cables: CablePlan) -> bool:
    """Return whether a saving by other units justifies another plan of the cables.

    Where all cables have their shortest routes, every saving does. Over full trays routes change with any cable, and the price
    with them, so that a saving below `MIN_SAVING` of the price of all cables is not expected to remain.
    """
    routed = cables.first_of_piece
    tray_mm = int(cables.tray_mm[routed[~cables.carried[routed]]].sum(dtype=np.int64))
    return tray_mm <= cables.shortest_tray_mm or saved_cents >= MIN_SAVING * int(cables.price_cents.sum())


class _Moves:
    """Other units for boxes and other slots for cabinets; each is examined once."""

    def __init__(
        self,
        inventory: Inventory,
        catalog: Catalog,
        placement: Placement,
        cables: CablePlan,
        lengths: Lengths,
        prefer: Preference,
    ):
        self._catalog, self._placement, self._room = catalog, placement, lengths.room
        self._parts = inventory.parts
        self.prices = Prices(inventory, cables, lengths.room.shared_trays, prefer)
        self.boxes = Boxes(inventory, catalog, placement, lengths.room)
        self.cables = Cables(cables, placement, lengths, self.boxes, self.prices)
        self._of_box: dict[int, Move | None] = {}
        self._of_cabinet: dict[int, tuple[int, str]] = {}

    @cached_property
    def cabinets(self) -> Cabinets:
        return Cabinets(self.boxes, self.cables)

    def best(self, miss: NearMiss) -> NearMiss:
        """Return the near miss with the best move of a box and of a cabinet at either end."""
        boxes, cabinets = self.cables.box[miss.cable].tolist(), self.cables.cabinet[miss.cable].tolist()
        by_unit = [self._box(box) for box in boxes]
        savings = [move.saving_cents if move else 0 for move in by_unit]
        end = int(savings[1] > savings[0])
        found = replace(miss, end=end)
        if move := by_unit[end]:
            steps = move.unit - int(self.boxes.unit[boxes[end]])
            found = replace(found, units=steps, unit_saving_cents=move.saving_cents)
        if cabinets[0] == cabinets[1]:
            return found
        by_slot = [self._cabinet(cabinet) for cabinet in cabinets]
        end = int(by_slot[1][0] > by_slot[0][0])
        return replace(found, slot_end=end, slot=by_slot[end][1], slot_saving_cents=by_slot[end][0])

    def _box(self, box: int) -> Move | None:
        if box not in self._of_box:
            self._of_box[box] = self.cabinets.best_of(box)
        return self._of_box[box]

    def _cabinet(self, cabinet: int) -> tuple[int, str]:
        """Return saving and name of the best of the nearest free slots that suit the cabinet; 0 and "" where none saves."""
        if cabinet not in self._of_cabinet:
            room = self._room
            here = int(self._placement.slot_of[cabinet])
            free = np.setdiff1d(np.flatnonzero(self._carries(cabinet)), self._placement.slot_of)
            away = np.abs(room.slot_xy[free].astype(np.int64) - room.slot_xy[here]).sum(axis=1)
            nearest = free[np.argsort(away, kind="stable")[:_SLOTS]].tolist()
            options = [(self.cables.saving_of_slot(cabinet, slot), slot) for slot in nearest]
            saving, slot = max(options, key=lambda option: option[0], default=(0, -1))
            self._of_cabinet[cabinet] = (saving, room.slot_names[slot]) if saving > 0 else (0, "")
        return self._of_cabinet[cabinet]

    def _carries(self, cabinet: int) -> np.ndarray:
        """Return which slots have the power, load and size for a cabinet, bool (S,)."""
        room, placement, catalog = self._room, self._placement, self._catalog
        parts = [self._parts[part] for part in self.boxes.part[self.boxes.of(cabinet)].tolist()]
        power = sum(part.power_max_mw for part in parts)
        mass = catalog.cabinet.mass_g + sum(part.mass_g for part in parts)
        here = room.slot_size[placement.slot_of[cabinet]]
        carries = (room.power_left_mw >= power) & (room.load_left_g >= mass) & (room.slot_size >= here).all(axis=1)
        # Cabinets with devices that must not move, and slots with units in use, are not examined.
        busy = [*room.existing.shared, *(each.slot for each in room.existing.fixed)]
        carries[busy] = False
        return carries & (placement.slot_of[cabinet] not in busy)
