"""Endpoints apart from their routers: cabinets of their own on the slots that are left, boxes to cabinets by flow."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from planner.errors import CheckFailed, Infeasible
from planner.floor import Lengths
from planner.model import Catalog, Placement, Room, Topology
from planner.placement._cost import Objective, least, ways_of
from planner.placement._offers import Offers, housed
from planner.placement.packing import PLAIN, Interior
from planner.placement.packing._capacity import Capacity
from planner.placement.packing._slots import Slots
from planner.progress import Progress, silent

MOST_ARCS, NEAREST = 300_000, 32
"""Where more pairs of router cabinets and slots exist, every router cabinet is offered its cheapest slots only, not fewer than
so many; more of them where these do not hold all boxes."""
BLOCK = 1 << 22


def stand_apart(
    topology: Topology,
    catalog: Catalog,
    lengths: Lengths,
    placed: Placement,
    *,
    objective: Objective = "price",
    interior: Interior = PLAIN,
    progress: Progress = silent,
) -> Placement:
    """Give the endpoints of a network whose routers are placed cabinets of their own.

    The endpoints of every router fill boxes of their own. Boxes go to slots that the routers leave
    free, by a minimum cost flow from router cabinets to slots. An arc costs what the endpoint cables
    of a box cost, for boxes in the middle of a cabinet. A slot takes as many boxes as units, power and load allow,
    and a cabinet in it its price; with an objective that is not in cents, fewest cabinets come first. These
    fixed prices make the problem hard: they are spread over the boxes that each slot got in the
    flow before, again and again (`planner.placement._offers`); at last cabinets with few boxes are closed where that saves.

    Parameters
    ----------
    placed
        The placement of the routers, without endpoints; its objective counts links only and stays.
    objective
        What an endpoint cable costs, as for links.
    interior
        How cabinets are arranged inside.

    Returns
    -------
    The placement with all endpoints; cabinets are numbered in the order of their slots.

    Raises
    ------
    Infeasible
        When the free slots do not hold all boxes.
    """
    if not topology.endpoint_count:
        return placed
    boxes = Boxes.of(topology, catalog.endpoint.endpoints)
    free = np.setdiff1d(np.arange(lengths.room.slot_count), placed.slot_of)
    holds = _holds(catalog, lengths.room, boxes.count, interior)[free]
    free, holds = free[holds > 0], holds[holds > 0]
    _require(catalog, lengths.room, boxes.count, placed.cabinet_count, len(free), holds, interior)
    offers = _offers(topology, catalog, lengths, placed, boxes, free, holds, objective)
    cents = not isinstance(objective, str) or objective == "price"
    opening = catalog.cabinet.price_cents if cents else int(offers.cost.max()) * boxes.count + 1
    goes, complete = housed(offers, opening, progress)
    return _joined(topology, catalog, placed, boxes, free, offers, goes, complete)


def require_slots(topology: Topology, catalog: Catalog, room: Room, router_cabinets: int, interior: Interior) -> None:
    """Refuse before a long search what `stand_apart` cannot house even if the routers take the weakest slots.

    Raises
    ------
    Infeasible
        When too few slots are left.
    """
    count = Boxes.of(topology, catalog.endpoint.endpoints).count
    holds = _holds(catalog, room, count, interior)
    strongest = np.sort(holds)[router_cabinets:]
    if count:
        _require(catalog, room, count, router_cabinets, int((strongest > 0).sum()), strongest, interior)


@dataclass(frozen=True)
class Boxes:
    """Endpoint boxes: those of one router hold no endpoints of another.

    Attributes
    ----------
    per_router
        Boxes of each router, int64 (R,).
    of_endpoint
        Box of each endpoint, boxes in the order of their routers, int64 (H,).
    """

    per_router: np.ndarray
    of_endpoint: np.ndarray

    @classmethod
    def of(cls, topology: Topology, endpoints: int) -> Boxes:
        per_router = -(-topology.endpoints_of.astype(np.int64) // endpoints)
        first = np.cumsum(per_router) - per_router
        router = topology.endpoint_router
        rank = np.arange(len(router)) - np.searchsorted(router, router)
        return cls(per_router, first[router] + rank // endpoints)

    @property
    def count(self) -> int:
        return int(self.per_router.sum())


def _holds(catalog: Catalog, room: Room, boxes: int, interior: Interior) -> np.ndarray:
    """Return how many boxes a cabinet in each slot takes, at most all of them, int64 (S,)."""
    limits = np.column_stack([room.slot_power_mw, room.slot_load_g]).astype(np.int64)
    kinds, kind = np.unique(limits, axis=0, return_inverse=True)
    box = np.array([0, catalog.endpoint.endpoints, 0])
    cabinets = (Capacity(catalog, power, load, interior=interior) for power, load in kinds.tolist())
    most = np.array([min(boxes, cabinet.most(box)) for cabinet in cabinets], np.int64)
    return np.where(Slots.of(room).large(catalog.cabinet), most[kind.ravel()], 0)


def _require(
    catalog: Catalog, room: Room, boxes: int, router_cabinets: int, slots: int, holds: np.ndarray, interior: Interior
) -> None:
    """Raise Infeasible unless slots with room for `holds` boxes take them all."""
    lacking = boxes - int(holds.sum())
    if lacking <= 0:
        return
    best = int(_holds(catalog, room, boxes, interior).max())
    what = f"endpoints apart from routers: {boxes:,} boxes {catalog.endpoint.id}, and the {slots:,} slots of {room.name} that"
    left = f"{router_cabinets:,} cabinets of routers leave take {int(holds.sum()):,}"
    more = f"{-(-lacking // best):,} slots too few" if best else f"no slot carries {catalog.cabinet.id} with a box"
    raise Infeasible(f"{what} {left}; {more}")


def _offers(
    topology: Topology,
    catalog: Catalog,
    lengths: Lengths,
    placed: Placement,
    boxes: Boxes,
    free: np.ndarray,
    holds: np.ndarray,
    objective: Objective,
) -> Offers:
    """Return offers that a flow of all boxes exists for."""
    count = placed.cabinet_count
    supply = np.bincount(placed.cabinet_of, boxes.per_router, minlength=count).astype(np.int64)
    ends = np.bincount(placed.cabinet_of, topology.endpoints_of, minlength=count).astype(np.int64)
    near = max(NEAREST, MOST_ARCS // count)
    while True:
        near = min(near, len(free))
        heads, costs = [], []
        for first in range(0, count, rows := max(1, BLOCK // len(free))):
            block = np.arange(first, min(first + rows, count))
            cost = _cable_cost(catalog, lengths, placed, block, free, int(holds.max()), objective)
            head = np.argpartition(cost, near - 1, axis=1)[:, :near]
            heads.append(head.ravel())
            costs.append((np.take_along_axis(cost, head, 1) * ends[block, None] // np.maximum(supply[block, None], 1)).ravel())
        tail = np.repeat(np.arange(count), near)
        offers = Offers(supply, holds, tail, np.concatenate(heads), np.concatenate(costs))
        if offers.flow(offers.cost, np.ones(len(free), bool)) is not None:
            return offers
        if near == len(free):
            raise CheckFailed("there is no flow of endpoint boxes into slots that hold them all")
        near *= 4


def _cable_cost(
    catalog: Catalog,
    lengths: Lengths,
    placed: Placement,
    cabinets: np.ndarray,
    free: np.ndarray,
    boxes: int,
    objective: Objective,
) -> np.ndarray:
    """Return what an endpoint cable from some router cabinets to each free slot costs, int64 (c, E)."""
    router, box, units = catalog.router.units, catalog.endpoint.units, catalog.cabinet.units
    count = np.bincount(placed.cabinet_of, minlength=placed.cabinet_count)
    slot, stands = placed.slot_of[cabinets], placed.slot_of[placed.cabinet_of]
    # The rule for links serves endpoint cables with other parts.
    offers = ways_of(replace(catalog, link_assemblies=catalog.endpoint_assemblies), lengths, objective)
    runs = []
    for offer in offers:
        own = offer.lengths
        rise = own.rise_mm(stands, placed.unit_of, np.array(router))
        from_mm = np.bincount(placed.cabinet_of, rise, minlength=placed.cabinet_count).astype(np.int64) // count
        to_mm = own.rise_mm(free, np.array(units + 1 - (boxes // 2 + 1) * box), np.array(box))
        way = own.ways.rows_mm(slot)[:, free].astype(np.int64)
        way += (from_mm[cabinets] + own.drop_mm[slot, catalog.router.rear])[:, None]
        way += to_mm + own.drop_mm[free, catalog.endpoint.rear]
        runs.append(way + own.slack_mm(way, True))
    reach = np.full(1, offers[-1].reach_mm)
    too_dear = 4 * offers[-1].cost_of(reach, np.zeros(1, bool))
    cost, run = least(offers, runs, np.zeros(runs[0].shape, bool))
    return cost + np.where(run > reach, too_dear, 0)


def _joined(
    topology: Topology,
    catalog: Catalog,
    placed: Placement,
    boxes: Boxes,
    free: np.ndarray,
    offers: Offers,
    goes: np.ndarray,
    complete: bool,
) -> Placement:
    """Hand the boxes of every router cabinet to its slots, the cheapest first, and stack them there from the top."""
    router = np.repeat(np.arange(topology.router_count), boxes.per_router)
    box = np.argsort(placed.cabinet_of[router], kind="stable")
    order = np.lexsort((offers.head, offers.cost, offers.tail))
    slot = np.empty(boxes.count, np.int64)
    slot[box] = np.repeat(free[offers.head[order]], goes[order])
    order = np.argsort(slot, kind="stable")
    rank = np.empty(boxes.count, np.int64)
    rank[order] = np.arange(boxes.count) - np.searchsorted(slot[order], slot[order])
    unit = catalog.cabinet.units + 1 - (rank + 1) * catalog.endpoint.units
    slot_of = np.union1d(placed.slot_of, slot)
    words = f"{boxes.count:,} endpoint boxes apart in {len(np.unique(slot)):,} cabinets"
    return replace(
        placed,
        cabinet_of=np.searchsorted(slot_of, placed.slot_of)[placed.cabinet_of],
        endpoint_cabinet=np.searchsorted(slot_of, slot)[boxes.of_endpoint],
        endpoint_unit=unit[boxes.of_endpoint],
        slot_of=slot_of,
        method=f"{placed.method}; {words}" + ("" if complete else ", interrupted"),
        complete=placed.complete and complete,
    )
