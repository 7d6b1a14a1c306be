"""Rows carried over panels: their jumpers, trunks and fibers in the trays, and their routes from end to end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from planner.design.cabling.bundling import KINDS, REASONS, Bundles
from planner.design.cabling.trays.routes import Routes, shortest
from planner.domain.model import Passive, Room


@dataclass(frozen=True)
class Carriers:
    """Routed trunks, fibers and jumpers: segments of each in order, cross-section (V,), and their load of segments (K,)."""

    routes: list[np.ndarray]
    um2: np.ndarray
    taken_um2: np.ndarray

    @classmethod
    def of(cls, room: Room, bundles: Bundles) -> Carriers:
        """Route all carriers over the shortest trays; they are few and thin, and have priority over cables."""
        load = bundles.carriers
        routes = shortest(room, load.node, load.medium_class)
        taken = np.zeros(len(room.segments), np.int64)
        for route, area in zip(routes, load.area_um2.tolist(), strict=True):
            taken[route] += area
        return cls(routes, load.area_um2, taken)


def joined(room: Room, found: Routes, bundles: Bundles, node: np.ndarray, carriers: Carriers) -> tuple[Routes, np.ndarray]:
    """Add the routes of carried rows and of carriers to those of the other rows.

    Parameters
    ----------
    found
        Routes of the rows that are not carried; -1 for the others.
    node
        Tray nodes at both ends of every row, int (W, 2).

    Returns
    -------
    Routes
        Routes of all rows: a carried row runs to its first panel, to its second, and to its far end.
    route
        Route of each carrier, int64 (V,).
    """
    rows = np.flatnonzero(bundles.carried)
    stops = np.column_stack([node[rows, 0], bundles.via_node[rows], node[rows, 1]])
    kinds, kind = np.unique(stops, axis=0, return_inverse=True)
    fiber = np.ones(len(kinds), np.int64)
    legs = [shortest(room, kinds[:, step : step + 2], fiber) for step in range(3)] if len(kinds) else [[], [], []]
    whole = [np.concatenate(three) for three in zip(*legs, strict=True)]
    new = [*whole, *carriers.routes]
    indptr = np.concatenate([found.indptr, found.indptr[-1] + np.cumsum([len(one) for one in new], dtype=np.int64)])
    segments = np.concatenate([found.segments, *new]).astype(np.int64)
    route, tray = found.route.copy(), found.tray_mm.copy()
    first = len(found.indptr) - 1
    route[rows] = first + kind.ravel()
    tray[rows] = np.array([room.segment_mm[one].sum(dtype=np.int64) for one in whole], np.int64)[kind.ravel()]
    routes = replace(found, route=route, indptr=indptr, segments=segments, tray_mm=tray)
    return routes, first + len(whole) + np.arange(len(carriers.routes))


def passives(bundles: Bundles) -> tuple[Passive, ...]:
    """Return jumpers, trunks, panels and boxes to buy."""
    found = [Passive("jumpers", one.part, one.stock_mm, one.count, one.cents) for one in bundles.bought]
    own = np.flatnonzero(bundles.part >= 0)
    kinds = np.column_stack([bundles.part[own], bundles.stock_mm[own], bundles.price_cents[own], bundles.kind[own]])
    for (part, stock, cents, kind), count in sorted(Counter(map(tuple, kinds.tolist())).items()):
        priced = bundles.priced or KINDS[kind] != "multi-core fiber"
        found.append(Passive("trunks", bundles.parts[part], stock, count, count * cents if priced else None))
    counts: dict[str, list] = {}
    for panel in bundles.panels:
        entry = counts.setdefault(panel.part, [0, 0])
        entry[0] += panel.count
        entry[1] = None if entry[1] is None or panel.cents is None else entry[1] + panel.cents
    found += [Passive("panels", part, 0, count, cents) for part, (count, cents) in sorted(counts.items())]
    return tuple(found)


def reasons(bundles: Bundles) -> tuple[tuple[str, int], ...]:
    """Return the reasons why rows between cabinets are not carried, with the number of rows; empty without trunks or panels."""
    if not (bundles.kind > KINDS.index("row loom")).any() and not bundles.direct:
        return ()
    counts = np.bincount(bundles.reason, minlength=len(REASONS)).tolist()
    return tuple((text, count) for text, count in list(zip(REASONS, counts, strict=True))[2:] if count)
