"""Shuffle boxes: cables from each router to the boxes of its area, and trunks between the boxes of areas."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.design.cabling.bundling.bundles.cables import numbered
from planner.design.cabling.panels._carried import Carried, Fitted
from planner.design.cabling.panels._jumpers import rank_within
from planner.domain.model import CablePlan
from planner.domain.parts import BundlingParts


def in_boxes(parts: BundlingParts, cables: CablePlan, carried: Carried, parameters: dict[str, Any]) -> Fitted:
    """Plug the cables of routers into the boxes of their area in turn, and share the plugs of trunks equally among these."""
    box = parts.shuffle_box
    rows, count = carried.rows, len(carried.rows)
    glasses, glass = np.unique([made_of.glass for made_of in cables.assemblies], return_inverse=True)
    keys, group = numbered(np.column_stack([cables.device[rows].ravel(), np.repeat(glass[cables.assembly[rows]], 2)]))
    area = np.empty(len(keys), np.int64)
    area[group] = carried.area.ravel()
    # Pairs of a router are numbered by its ports, in whole links.
    pairs = np.repeat(-(-cables.of_assembly("fibers")[rows] // 2), 2)
    order = np.lexsort((np.arange(2 * count), cables.port[rows].ravel(), group))
    before = np.empty(2 * count, np.int64)
    before[order] = np.cumsum(pairs[order]) - pairs[order]
    total = np.bincount(group, weights=pairs, minlength=len(keys)).astype(np.int64)
    before -= (np.cumsum(total) - total)[group]
    cables_of = -(-total // box.pairs_per_router_port)
    # Cables of an area by router, and the boxes that they fill.
    by_area = np.argsort(area, kind="stable")
    first = np.empty(len(keys), np.int64)
    first[by_area] = np.cumsum(cables_of[by_area]) - cables_of[by_area]
    owner = np.repeat(by_area, cables_of[by_area])
    place = rank_within(area[owner])
    boxes, panel = numbered(np.column_stack([area[owner], place // box.router_ports]))
    jumper = first[group] + before // box.pairs_per_router_port
    ends = carried.trunk_area[carried.plug_trunk]
    rear, socket = _shared(boxes[:, 0], ends)
    run, stock = np.zeros((2, len(keys)), np.int64)
    np.maximum.at(run, group, cables.leg_mm[rows].ravel())
    np.maximum.at(stock, group, cables.leg_stock_mm[rows].ravel())
    part, names = _router_cables(parts, glasses[keys[:, 1]].tolist(), stock)
    route = cables.carrier_route[len(carried.trunk_bundle) :]
    fibers = cables.of_assembly("fibers")[rows]
    return Fitted(
        kind=1,
        units=1,
        area=boxes[:, 0],
        place=boxes[:, 1],
        part=np.zeros(len(boxes), np.int64),
        parts=(box.id,),
        cassette_panel=owner[:0],
        cassette_bay=owner[:0],
        cassette_part=owner[:0],
        plug_panel=rear,
        plug_cassette=np.full_like(rear, -1),
        plug_socket=socket,
        jumper_panel=panel,
        jumper_cassette=np.full(len(owner), -1),
        jumper_port=place % box.router_ports + 1,
        jumper_part=part[owner],
        jumper_parts=names,
        jumper_run_mm=run[owner],
        jumper_stock_mm=stock[owner],
        jumper_route=route[owner],
        jumper=jumper.reshape(-1, 2),
        pair=(before % box.pairs_per_router_port + 1).reshape(-1, 2),
        fiber=np.repeat((carried.rank_in_plug * fibers * (carried.plug >= 0) + 1)[:, None], 2, axis=1),
    )


def _shared(boxes: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return box and rear socket of both ends of each plug, int64 (Q, 2), from the areas of boxes, (P,), and of the ends."""
    area = ends.T.ravel()
    rank, size = rank_within(area), np.bincount(area, minlength=int(boxes.max(initial=0)) + 1)
    first, here = np.searchsorted(boxes, area), np.bincount(boxes, minlength=len(size))
    box = rank * here[area] // np.maximum(size[area], 1)
    panel = first + box
    return panel.reshape(2, -1).T, (rank_within(panel) + 1).reshape(2, -1).T


def _router_cables(parts: BundlingParts, glass: list[str], stock_mm: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the part of each router's cables, the smallest trunk of its glass that is stocked in this length, and their ids."""
    on_offer = sorted(parts.trunks, key=lambda trunk: trunk.connectors)
    kinds = list(zip(glass, stock_mm.tolist(), strict=True))
    part = {kind: next(t.id for t in on_offer if t.glass == kind[0] and kind[1] in t.stock_mm) for kind in set(kinds)}
    names = tuple(sorted(set(part.values())))
    return np.array([names.index(part[kind]) for kind in kinds], np.int64), names
