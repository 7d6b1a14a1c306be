"""Cabling: every cable with both ends, its way, its length and what it is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import shapely

from planner.cabling._cages import Cages, cages_of
from planner.cabling._install import STAGES, stages
from planner.cabling._media import Purchase, purchase
from planner.cabling._overrides import overrides as read_overrides
from planner.cabling._routes import Routes, cross_section_um2, fill_um2, routes
from planner.cabling._runs import Ends, Parts, Runs, sides
from planner.cabling._texts import Ends as Labelled
from planner.cabling._texts import texts
from planner.floor import Lengths
from planner.model import CablePlan, Catalog, Placement, Room, Topology
from planner.pricelist import Preference
from planner.progress import Progress, silent


def cable(
    topology: Topology,
    catalog: Catalog,
    placement: Placement,
    lengths: Lengths,
    *,
    progress: Progress = silent,
    prefer: Preference = "price",
    custom_lengths: bool = False,
    label: str = "tia606",
    overrides: Path | None = None,
) -> CablePlan:
    """Plan every cable of a placed network.

    Parameters
    ----------
    topology, catalog, placement, lengths, progress
        Supplied by the flow.
    prefer
        What is made least when a part is chosen: ``price``, ``power`` or ``delay``.
    custom_lengths
        Whether lengths may be made to order, by the catalog's rule.
    label
        Text at an end of a cable: ``tia606``, ``hpe``, ``serial``, or a template with fields in braces,
        see `planner.cabling._texts.FIELDS`.
    overrides
        CSV file of run lengths set by hand, see `planner.cabling._overrides.overrides`.

    Raises
    ------
    InputError
        When there is no such label scheme or field, or with every wrong line of the overrides.
    Infeasible
        When a cable is longer than any part reaches.
    """
    room = lengths.room
    cages = cages_of(topology, catalog, placement)
    stands = _Stands.of(topology, catalog, placement, cages)
    ends = Ends(stands.slot, stands.unit, stands.units)
    names = tuple(room.slot_names[slot] for slot in placement.slot_of.tolist())
    by_hand = read_overrides(overrides, topology, stands.cabinet, names)
    buyer = partial(purchase, catalog, cages, topology.link_count, prefer=prefer, custom_lengths=custom_lengths)
    bought, found, parts = _laid(Runs(lengths, ends, by_hand), room, ends, buyer, progress)
    bundle = _bundles(stands.cabinet)
    stage = stages(stands.cabinet, room.slot_row[ends.slot], _zones(room)[ends.slot])
    text = texts(
        label,
        Labelled(
            room, topology, bought.assemblies, bought.piece, cages.device, cages.port, cages.cage, ends.unit, ends.slot,
            bought.assembly, bought.stock_mm, bundle, stage, STAGES,
        ),
    )  # fmt: skip
    return CablePlan(
        device=cages.device,
        port=cages.port,
        cage=cages.cage,
        piece=bought.piece,
        cabinet=stands.cabinet,
        unit=ends.unit,
        egress=sides(room.slot_egress[ends.slot], ends.between, cages.cage, stands.cages),
        **vars(parts),
        run_mm=parts.run_mm,
        stock_mm=bought.stock_mm,
        assembly=bought.assembly,
        assemblies=bought.assemblies,
        price_cents=bought.price_cents,
        power_mw=bought.power_mw,
        modules=bought.modules,
        route=found.route,
        route_indptr=found.indptr,
        route_segments=found.segments,
        bundle=bundle,
        stage=stage,
        stage_names=STAGES,
        label_a=text[0],
        label_b=text[1],
        fill_um2=fill_um2(found, _area_um2(bought, room), len(room.segments)),
        shortest_tray_mm=found.shortest_mm,
        bottleneck=found.bottleneck,
    )


@dataclass(frozen=True)
class _Stands:
    """Where the boxes at both ends of every cable stand, int64 (W, 2): cabinet, slot, lowest unit, height, number of cages."""

    cabinet: np.ndarray
    slot: np.ndarray
    unit: np.ndarray
    units: np.ndarray
    cages: np.ndarray

    @classmethod
    def of(cls, topology: Topology, catalog: Catalog, placement: Placement, cages: Cages) -> _Stands:
        device = cages.device
        is_router = device < topology.router_count
        cabinet = np.concatenate([placement.cabinet_of, placement.endpoint_cabinet])[device].astype(np.int64)
        return cls(
            cabinet,
            placement.slot_of[cabinet].astype(np.int64),
            np.concatenate([placement.unit_of, placement.endpoint_unit])[device].astype(np.int64),
            np.where(is_router, catalog.router.units, catalog.endpoint.units),
            np.where(is_router, catalog.router.cages, catalog.endpoint.endpoints),
        )


def _laid(
    runs: Runs, room: Room, ends: Ends, buyer: Callable[[np.ndarray], Purchase], progress: Progress
) -> tuple[Purchase, Routes, Parts]:
    """Buy, lay, and buy again where a cable became longer than its part covers, until nothing changes.

    A part is bought for the shortest trays. Where these are full a cable lies longer, and may need
    another part with another cross-section or way. What a cable must cover never shrinks again, which ends the rounds.
    """
    cover = np.column_stack([runs.shortest(way).run_mm for way in (0, 1)])
    bought = buyer(cover)
    while True:
        area = _area_um2(bought, room)
        found = _routes(room, ends, bought, area, progress)
        parts = runs.along(bought.way, found.tray_mm)
        needed = parts.run_mm[:, None] * (np.ones((1, 2), np.int64) if runs.ways == 1 else np.eye(2, dtype=np.int64)[bought.way])
        cover = np.maximum(cover, needed)
        before, bought = bought, buyer(cover)
        if np.array_equal(bought.way, before.way) and np.array_equal(_area_um2(bought, room), area):
            return bought, found, parts


def _routes(room: Room, ends: Ends, bought: Purchase, area_um2: np.ndarray, progress: Progress) -> Routes:
    """Lay every piece once; what shares a piece shares its route."""
    first = np.unique(bought.piece, return_index=True)[1]
    found = routes(room, ends.slot[first], bought.way[first], area_um2[first], progress=progress)
    return Routes(
        found.route[bought.piece], found.indptr, found.segments, found.tray_mm[bought.piece], found.shortest_mm, found.bottleneck
    )


def _area_um2(bought: Purchase, room: Room) -> np.ndarray:
    """Cross-section that each row takes, int64 (W,): that of its piece on the first row, 0 on others of the piece."""
    diameter = np.array([made_of.diameter_um for made_of in bought.assemblies], np.int64)
    area = cross_section_um2(diameter, room.fill_shape)[bought.assembly] if len(diameter) else np.zeros(0, np.int64)
    first = np.zeros(len(area), bool)
    first[np.unique(bought.piece, return_index=True)[1]] = True
    return np.where(first, area, 0)


def _bundles(cabinet: np.ndarray) -> np.ndarray:
    """Number the pairs of different cabinets that share cables; -1 inside a cabinet. int64 (W,)."""
    pair = np.sort(cabinet, axis=1)
    between = pair[:, 0] != pair[:, 1]
    bundle = np.full(len(pair), -1)
    if between.any():
        bundle[between] = np.unique(pair[between], axis=0, return_inverse=True)[1].ravel()
    return bundle


def _zones(room: Room) -> np.ndarray:
    """The hall of each slot, or the first zone with limits that it lies in, int64 (S,); -1 where there is none."""
    zone = np.full(room.slot_count, -1)
    for number, hall in reversed([*enumerate(room.halls)]):
        zone[shapely.intersects_xy(shapely.Polygon(hall.corners_mm), room.slot_xy)] = number
    if not room.halls:
        for number, limit in reversed([*enumerate(room.zones)]):
            zone[list(limit.slots)] = number
    return zone
