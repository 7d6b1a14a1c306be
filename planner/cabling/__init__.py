"""Cabling: every cable with both ends, its way, its length and what it is made of."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from planner.cabling._labels import TIA_606, labels
from planner.cabling._overrides import overrides as read_overrides
from planner.cabling._ports import ports_of
from planner.cabling._routes import Routes, cross_section_um2, fill_um2, routes
from planner.cabling._runs import Ends, Parts, Runs, sides
from planner.floor import Lengths
from planner.model import CablePlan, Catalog, Placement, Room, Topology
from planner.parts import Assembly
from planner.pricelist import Preference, price_list
from planner.progress import Progress, silent

STAGES = ("in cabinet", "in row", "between rows")


def cable(
    topology: Topology,
    catalog: Catalog,
    placement: Placement,
    lengths: Lengths,
    *,
    progress: Progress = silent,
    prefer: Preference = "price",
    label: str = TIA_606,
    overrides: Path | None = None,
) -> CablePlan:
    """Plan every cable of a placed network.

    Parameters
    ----------
    topology, catalog, placement, lengths, progress
        Supplied by the flow.
    prefer
        What is made least when a part is chosen: ``price``, ``power`` or ``delay``.
    label
        Text at an end of a cable; `planner.cabling._labels.FIELDS` may stand in braces.
    overrides
        CSV file of run lengths set by hand, see `planner.cabling._overrides.overrides`.

    Raises
    ------
    InputError
        When the label has an unknown field, or with every wrong line of the overrides.
    Infeasible
        When a cable is longer than any part reaches.
    """
    room = lengths.room
    device, port = ports_of(topology, placement)
    cabinet = np.concatenate([placement.cabinet_of, placement.endpoint_cabinet])[device].astype(np.int64)
    unit = np.concatenate([placement.unit_of, placement.endpoint_unit])[device].astype(np.int64)
    is_router = device < topology.router_count
    slot = placement.slot_of[cabinet].astype(np.int64)
    ends = Ends(slot, unit, np.where(is_router, catalog.router.units, catalog.endpoint.units))
    names = np.array(room.slot_names)
    by_hand = read_overrides(overrides, topology, cabinet, tuple(names[placement.slot_of].tolist()))
    text = labels(label, names[slot], unit, port)
    buyer = partial(_purchase, topology, catalog, prefer)
    bought, found, parts = _laid(Runs(lengths, ends, by_hand), room, ends, buyer, progress)
    rows = room.slot_row[slot]
    stage = np.where(cabinet[:, 0] == cabinet[:, 1], 0, np.where(rows[:, 0] == rows[:, 1], 1, 2))
    cage = np.where(is_router, (port - 1) // catalog.router.ports_per_cage + 1, port)
    cages = np.where(is_router, catalog.router.cages, catalog.endpoint.endpoints)
    area = _area_um2(bought, room)
    return CablePlan(
        device=device,
        port=port,
        cage=cage,
        cabinet=cabinet,
        unit=unit,
        egress=sides(room.slot_egress[slot], ends.between, cage, cages),
        **vars(parts),
        run_mm=parts.run_mm,
        **bought,
        route=found.route,
        route_indptr=found.indptr,
        route_segments=found.segments,
        bundle=_bundles(cabinet),
        stage=stage,
        stage_names=STAGES,
        label_a=text[0],
        label_b=text[1],
        fill_um2=fill_um2(found, area, len(room.segments)),
        shortest_tray_mm=found.shortest_mm,
        bottleneck=found.bottleneck,
    )


def _laid(runs: Runs, room: Room, ends: Ends, buyer: Callable, progress: Progress) -> tuple[dict, Routes, Parts]:
    """Buy, lay, and buy again where a cable became longer than its part covers, until nothing changes.

    A part is bought for the shortest trays. Where these are full a cable lies longer, and may need
    another part with another cross-section or way. What a cable must cover never shrinks again, which ends the rounds.
    """
    cover = np.column_stack([runs.shortest(way).run_mm for way in (0, 1)])
    bought = buyer(cover)
    while True:
        way, area = _way(bought), _area_um2(bought, room)
        found = routes(room, ends.slot, way, area, progress=progress)
        parts = runs.along(way, found.tray_mm)
        needed = parts.run_mm[:, None] * (np.ones((1, 2), np.int64) if runs.ways == 1 else np.eye(2, dtype=np.int64)[way])
        cover = np.maximum(cover, needed)
        bought = buyer(cover)
        if np.array_equal(_way(bought), way) and np.array_equal(_area_um2(bought, room), area):
            return bought, found, parts


def _way(bought: dict) -> np.ndarray:
    """Which trays each cable takes, 0 copper or 1 fibre, int64 (W,)."""
    optical = np.array([made_of.medium == "optical" for made_of in bought["assemblies"]], np.int64)
    return optical[bought["assembly"]] if len(optical) else np.zeros(0, np.int64)


def _area_um2(bought: dict, room: Room) -> np.ndarray:
    """Cross-section that each cable takes, int64 (W,)."""
    diameter = np.array([made_of.diameter_um for made_of in bought["assemblies"]], np.int64)
    return cross_section_um2(diameter, room.fill_shape)[bought["assembly"]] if len(diameter) else np.zeros(0, np.int64)


def _purchase(topology: Topology, catalog: Catalog, prefer: Preference, cover: np.ndarray) -> dict:
    """Assembly, stock length and price of every cable; the assemblies are those in use, in catalog order."""
    halves = []
    offset = 0
    run = cover.max(axis=1)
    for what, assemblies, part in (
        ("links", catalog.link_assemblies, run[: topology.link_count]),
        ("endpoint cables", catalog.endpoint_assemblies, run[topology.link_count :]),
    ):
        if not part.size:
            continue
        prices = price_list(assemblies, prefer)
        row = prices.rows(part, what)
        halves.append((prices.assembly[row] + offset, prices.stock_mm[row], prices.price_cents[row]))
        offset += len(assemblies)
    choices = (catalog.link_assemblies if topology.link_count else ()) + catalog.endpoint_assemblies
    if not halves:
        return {"assembly": [], "stock_mm": [], "price_cents": [], "assemblies": ()}
    number, stock, price = (np.concatenate(column) for column in zip(*halves, strict=True))
    used: list[Assembly] = []
    place: dict[Assembly, int] = {}
    for choice in np.unique(number):
        if choices[choice] not in place:
            place[choices[choice]] = len(used)
            used.append(choices[choice])
    renumber = np.zeros(len(choices), np.int64)
    for choice in np.unique(number):
        renumber[choice] = place[choices[choice]]
    return {"assembly": renumber[number], "stock_mm": stock, "price_cents": price, "assemblies": tuple(used)}


def _bundles(cabinet: np.ndarray) -> np.ndarray:
    """Number the pairs of different cabinets that share cables; -1 inside a cabinet. int64 (W,)."""
    pair = np.sort(cabinet, axis=1)
    between = pair[:, 0] != pair[:, 1]
    bundle = np.full(len(pair), -1)
    if between.any():
        bundle[between] = np.unique(pair[between], axis=0, return_inverse=True)[1].ravel()
    return bundle
