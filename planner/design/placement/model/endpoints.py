"""Endpoints in separate cabinets: assignment of boxes to free slots by minimum cost flow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from planner.core.errors import CheckFailed, Infeasible
from planner.core.progress import Progress, silent
from planner.design.placement.model.cost import Objective
from planner.design.placement.model.endpoint_cost import EndpointCost
from planner.design.placement.model.offers import Offers, assign_boxes
from planner.design.placement.packing import PLAIN, Interior
from planner.design.placement.packing.cabinets.capacity import Capacity
from planner.design.placement.packing.cabinets.reserve import require_reserve
from planner.design.placement.packing.cabinets.slots import Slots
from planner.domain.model import Catalog, Placement, Room, Topology
from planner.hall.floor import Lengths

MAX_ARCS, NEAREST = 300_000, 32
"""Maximum number of pairs of router cabinets and slots; beyond, only the cheapest slots of each cabinet are used, at least
`NEAREST`, and more if these do not hold all boxes."""
BLOCK = 1 << 22
PRICES, SAMPLE = 24, 1 << 16
"""Number of prices tried for the bound, and sample size per block of slots for their quantiles."""


def place_endpoints_apart(
    topology: Topology,
    catalog: Catalog,
    lengths: Lengths,
    placed: Placement,
    *,
    objective: Objective = "price",
    interior: Interior = PLAIN,
    progress: Progress = silent,
) -> Placement:
    """Place the endpoints of a network with placed routers in separate cabinets.

    Each box holds endpoints of one router. Boxes are assigned to free slots by a minimum cost flow from router cabinets to
    slots. The cost of an arc is that of the endpoint cables of a box (see `planner.design.placement.model.endpoint_cost`). The
    capacity of a slot follows from units, power and load, and an opened slot costs the price of a cabinet; with an
    objective that is not in cents, the number of cabinets is minimized first. These fixed costs make the problem hard: they
    are distributed over the boxes of each slot in the previous flow, iteratively (`planner.design.placement.model.offers`);
    finally cabinets with few boxes are closed if that saves cost.

    Parameters
    ----------
    placed
        The placement of the routers, without endpoints; its objective counts links only.
    objective
        Objective, as for links.
    interior
        Arrangement inside cabinets.

    Returns
    -------
    The placement with all endpoints, including their cables in the objective and the bound; cabinets are numbered by slot.

    Raises
    ------
    Infeasible
        When the free slots cannot hold all boxes, or not without the reserve for growth.
    """
    if not topology.endpoint_count:
        return placed
    boxes = Boxes.of(topology, catalog.endpoint_part.endpoints)
    free = np.setdiff1d(np.flatnonzero(lengths.room.free), placed.slot_of)
    holds = _holds(catalog, lengths.room, boxes.count, interior)[free]
    free, holds = free[holds > 0], holds[holds > 0]
    _require(catalog, lengths.room, boxes.count, placed.cabinet_count, len(free), holds, interior)
    endpoint_cost = EndpointCost(catalog, lengths, objective, interior)
    offers = _offers(topology, endpoint_cost, placed, boxes, free, holds)
    cents = not isinstance(objective, str) or objective == "price"
    opening = catalog.cabinet.price_cents if cents else int(offers.cost.max()) * boxes.count + 1
    boxes_per_offer, complete = assign_boxes(offers, opening, progress)
    joined = _joined(topology, catalog, placed, boxes, free, offers, boxes_per_offer, complete)
    require_reserve(lengths.room, joined.cabinet_count)
    cables = _cost_of(topology, endpoint_cost, joined)
    cable_bound = cable_cost_bound(topology, endpoint_cost, placed.cabinet_count) if placed.lower_bound else 0
    return replace(
        joined,
        objective=placed.objective + cables,
        start_objective=placed.start_objective + cables,
        lower_bound=placed.lower_bound + cable_bound,
        bound_covers=placed.bound_covers and f"{placed.bound_covers}, endpoint boxes in any others",
    )


def _cost_of(topology: Topology, endpoint_cost: EndpointCost, placed: Placement) -> int:
    """Return the cost of all endpoint cables."""
    router = placed.slot[topology.endpoint_router]
    box = placed.slot[topology.router_count :]
    slots, row = np.unique(router, return_inverse=True)
    return sum(
        int(cost[row[(mine := np.flatnonzero((row >= first) & (row < first + len(cost))))] - first, box[mine]].sum())
        for first, cost in _blocks(endpoint_cost, slots)
    )


def cable_cost_bound(topology: Topology, endpoint_cost: EndpointCost, router_cabinets: int) -> int:
    """Return a lower bound of the cost of all endpoint cables for any location of router cabinets and boxes.

    The n endpoints of a router cabinet in slot p cost at least t n + sum of h(q) min(0, c(p, q) - t), for any price t of an
    endpoint, where slot q holds h(q) endpoints. The sum over all router cabinets, each in the slot with the minimum, is a
    bound for every t; the best of several prices is returned. All slots count as available.
    """
    slots = np.arange(endpoint_cost.lengths.room.slot_count)
    holds = _holds(endpoint_cost.catalog, endpoint_cost.lengths.room, topology.endpoint_count, endpoint_cost.interior)
    holds = holds * endpoint_cost.catalog.endpoint_part.endpoints
    sample = np.concatenate([cost.ravel()[:: max(1, cost.size // SAMPLE)] for _, cost in _blocks(endpoint_cost, slots)])
    prices = np.unique(np.quantile(sample, np.linspace(0, 1, PRICES), method="nearest"))
    gain = np.full(len(prices), np.iinfo(np.int64).max)
    for first, cost in _blocks(endpoint_cost, slots):
        own = np.arange(len(cost))
        for number, price in enumerate(prices.tolist()):
            less = np.minimum(cost - price, 0)
            less[own, first + own] = 0
            gain[number] = min(gain[number], int((less @ holds).min()))
    return max(0, int((prices * topology.endpoint_count + router_cabinets * gain).max()))


def _blocks(endpoint_cost: EndpointCost, slots: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the costs from blocks of slots to all slots, with the index of the first slot of the block."""
    for first in range(0, len(slots), rows := max(1, BLOCK // endpoint_cost.lengths.room.slot_count)):
        yield first, endpoint_cost.between(slots[first : first + rows])


def require_slots(topology: Topology, catalog: Catalog, room: Room, router_cabinets: int, interior: Interior) -> None:
    """Check before a long search that `place_endpoints_apart` can succeed if the routers take the weakest slots.

    Raises
    ------
    Infeasible
        When too few slots remain.
    """
    count = Boxes.of(topology, catalog.endpoint_part.endpoints).count
    holds = _holds(catalog, room, count, interior)
    strongest = np.sort(holds)[router_cabinets:]
    if count:
        _require(catalog, room, count, router_cabinets, int((strongest > 0).sum()), strongest, interior)


@dataclass(frozen=True)
class Boxes:
    """Endpoint boxes; each box belongs to one router.

    Attributes
    ----------
    per_router
        Number of boxes of each router, int64 (R,).
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
    """Return the number of boxes that a cabinet in each slot can hold, at most all of them, int64 (S,)."""
    slots = Slots.of(room, catalog, interior)
    kinds, kind = np.unique(np.column_stack([slots.power_mw, slots.load_g, slots.lost_units]), axis=0, return_inverse=True)
    box = np.array([0, catalog.endpoint_part.endpoints, 0])
    cabinets = (Capacity(catalog, power, load, interior=interior, lost_units=lost) for power, load, lost in kinds.tolist())
    capacity = np.array([min(boxes, cabinet.max_count(box)) for cabinet in cabinets], np.int64)
    return np.where(slots.large(catalog.cabinet), capacity[kind.ravel()], 0)


def _require(
    catalog: Catalog, room: Room, boxes: int, router_cabinets: int, slots: int, holds: np.ndarray, interior: Interior
) -> None:
    """Raise Infeasible unless slots with capacities `holds` can hold all boxes."""
    lacking = boxes - int(holds.sum())
    if lacking <= 0:
        return
    best = int(_holds(catalog, room, boxes, interior).max())
    box = catalog.endpoint_part.id
    what = f"endpoints apart from routers: {boxes:,} boxes {box}, but the {slots:,} slots of {room.name} besides"
    left = f"{router_cabinets:,} router cabinets hold {int(holds.sum()):,}"
    more = f"{-(-lacking // best):,} slots too few" if best else f"no slot carries {catalog.cabinet.id} with a box"
    raise Infeasible(f"{what} {left}; {more}")


def _offers(
    topology: Topology, endpoint_cost: EndpointCost, placed: Placement, boxes: Boxes, free: np.ndarray, holds: np.ndarray
) -> Offers:
    """Return offers for which a flow of all boxes exists."""
    count = placed.cabinet_count
    supply = np.bincount(placed.cabinet, boxes.per_router, minlength=count).astype(np.int64)
    ends = np.bincount(placed.cabinet, topology.endpoints_of, minlength=count).astype(np.int64)
    near = max(NEAREST, MAX_ARCS // count)
    while True:
        near = min(near, len(free))
        heads, costs = [], []
        for first, cost in _blocks(endpoint_cost, placed.slot_of.astype(np.int64)):
            block, cost = np.arange(first, first + len(cost)), cost[:, free]
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


def _joined(
    topology: Topology,
    catalog: Catalog,
    placed: Placement,
    boxes: Boxes,
    free: np.ndarray,
    offers: Offers,
    boxes_per_offer: np.ndarray,
    complete: bool,
) -> Placement:
    """Assign the boxes of every router cabinet to its slots, cheapest first, and stack them from the top."""
    router = np.repeat(np.arange(topology.router_count), boxes.per_router)
    box = np.argsort(placed.cabinet[router], kind="stable")
    order = np.lexsort((offers.head, offers.cost, offers.tail))
    slot = np.empty(boxes.count, np.int64)
    slot[box] = np.repeat(free[offers.head[order]], boxes_per_offer[order])
    order = np.argsort(slot, kind="stable")
    rank = np.empty(boxes.count, np.int64)
    rank[order] = np.arange(boxes.count) - np.searchsorted(slot[order], slot[order])
    unit = catalog.cabinet.units + 1 - (rank + 1) * catalog.endpoint_part.units
    slot_of = np.union1d(placed.slot_of, slot)
    words = f"{boxes.count:,} endpoint boxes apart in {len(np.unique(slot)):,} cabinets"
    return replace(
        placed,
        cabinet=np.searchsorted(slot_of, np.concatenate([placed.slot, slot[boxes.of_endpoint]])),
        unit=np.concatenate([placed.unit, unit[boxes.of_endpoint]]),
        slot_of=slot_of,
        method=f"{placed.method}; {words}" + ("" if complete else ", interrupted"),
        complete=placed.complete and complete,
    )
