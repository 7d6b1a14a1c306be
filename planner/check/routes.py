"""Rules of all routes together: their shortest total length, and the proof that trays are too small."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check.basis.existing import tray_use_um2
from planner.check.basis.places import error, unlike
from planner.check.basis.routes import add_along_routes
from planner.check.basis.rule import rule
from planner.check.basis.tray_distances import TrayDistances
from planner.domain.model import MEDIUM_CLASSES, Plan, Violation


@rule(320)
def shortest_routes_add_up(plan: Plan) -> Iterator[Violation]:
    """The stated total length over the shortest tray routes is that of Dijkstra's algorithm, and no route is shorter."""
    cables, rule = plan.cables, "shortest_routes_add_up"
    rows, ends, medium = _pulled(plan)
    total, short = 0, np.zeros(len(rows), np.int64)
    for number in range(len(MEDIUM_CLASSES)):
        own = np.flatnonzero(medium == number)
        if len(own):
            found = TrayDistances(plan.room, number).between(*ends[own].T)
            short[own] = np.where(np.isfinite(found), found, 0).astype(np.int64)
    total = int(short.sum())
    yield from unlike(rule, "cables.shortest_tray_mm", cables.shortest_tray_mm, total, "is not the total of the shortest routes")
    for number in np.flatnonzero(cables.tray_mm[rows] < short).tolist():
        row = int(rows[number])
        yield error(rule, f"cable {row + 1}", cables.tray_mm[row], short[number], "mm", "is shorter than any tray route")


@rule(340)
def bottleneck_is_proven(plan: Plan) -> Iterator[Violation]:
    """A stated proof of infeasibility is valid: the cheapest routes at its prices cost more than the room of all segments.

    Cables of a kept plan whose routes are known stay on them: they take room, and the proof is about the others.
    """
    cables, room, why, rule = plan.cables, plan.room, plan.cables.bottleneck, "bottleneck_is_proven"
    if why is None:
        return
    price = np.zeros(len(room.segments), np.int64)
    price[list(why.segments)] = why.prices
    stays = _on_kept_routes(plan)
    taken = _carried_um2(plan) + tray_use_um2(room) + _fill_um2(plan, cables.first_of_piece[stays[cables.first_of_piece]])
    fill = room.design_fill * (1 - room.existing.keep_free.trays)
    areas = zip(price.tolist(), room.segment_mm2.tolist(), taken.tolist(), strict=True)
    space = sum(p * max(0, int(fill * area * 1_000_000) - used) for p, area, used in areas if p)
    rows, ends, medium = (each[~stays[_pulled(plan)[0]]] for each in _pulled(plan))
    needed = 0
    for number in range(len(MEDIUM_CLASSES)):
        own = np.flatnonzero(medium == number)
        if not len(own):
            continue
        cost = TrayDistances(room, number, price.astype(np.float64)).between(*ends[own].T)
        area = _area_um2(plan)[cables.assembly[rows[own]]]
        needed += sum(a * int(c) for a, c in zip(area.tolist(), cost.tolist(), strict=True) if np.isfinite(c))
    yield from unlike(
        rule, "cables.bottleneck", (why.room, why.needed), (space, needed), "space and need are not those of its prices"
    )
    yield from unlike(rule, "cables.bottleneck", why.is_cut and set(why.prices) != {1}, False, "a cut has prices of 1")
    if why.needed <= why.room:
        yield error(rule, "cables.bottleneck", why.needed, why.room, "", "proves nothing")


def _on_kept_routes(plan: Plan) -> np.ndarray:
    """Return which rows stay on the route of a kept plan, bool (W,)."""
    stays, kept = np.zeros(plan.cables.cable_count, bool), plan.kept
    if kept is not None:
        stays[kept.row[(kept.row >= 0) & (kept.choice >= 0) & (kept.route >= 0)]] = True
    return stays


def _fill_um2(plan: Plan, rows: np.ndarray) -> np.ndarray:
    """Return the cross-section of some pieces, by their first rows, in each segment, int64 (K,)."""
    cables, taken = plan.cables, np.zeros(len(plan.room.segments), np.int64)
    add_along_routes(taken, cables, cables.route[rows], _area_um2(plan)[cables.assembly[rows]])
    return taken


def _pulled(plan: Plan) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the first rows of single pieces, tray nodes at both ends, and medium class; int64 (n,), (n, 2), (n,)."""
    cables = plan.cables
    first = cables.first_of_piece
    slot = plan.placement.slot_of[cables.cabinet]
    rows = first[~cables.carried[first] & (slot[first, 0] != slot[first, 1])]
    medium = np.array([made_of.medium == "optical" for made_of in cables.assemblies], np.int64)[cables.assembly[rows]]
    return rows, plan.room.slot_node[slot[rows], medium[:, None]].astype(np.int64), medium


def _area_um2(plan: Plan) -> np.ndarray:
    """Return the cross-section of each assembly, int64."""
    shape = 1.0 if plan.room.fill_shape == "square" else np.pi / 4
    return np.array([round(shape * made_of.diameter_um**2) for made_of in plan.cables.assemblies], np.int64)


def _carried_um2(plan: Plan) -> np.ndarray:
    """Return the cross-section of trunks, fibers and jumpers in each segment, int64 (K,)."""
    taken = np.zeros(len(plan.room.segments), np.int64)
    add_along_routes(taken, plan.cables, plan.cables.carrier_route, plan.cables.carrier_um2)
    return taken
