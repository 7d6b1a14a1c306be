"""State of annealing: routers in slots, or whole cabinets in slots."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array, csr_array

from planner.design.placement.model.cost import SlotCost
from planner.design.placement.model.problem import PlacementProblem
from planner.domain.model import Topology
from planner.kernels.placement import anneal as kernel
from planner.kernels.placement.layout import State, fill_field

FIELD_BYTES = 1 << 29
"""Maximum size of the field; beyond, costs are computed by arithmetic."""

NEAR = 24
"""Number of neighbor slots of a slot."""


_NO_SAMPLE = np.empty(0, np.int64)


class Search:
    """One phase of a search and its best layout.

    Parameters
    ----------
    problem
        The problem with the initial layout.
    whole
        Whether items are cabinets, with edges weighted by links, instead of routers.
    near
        Whether to draw the partner of a move from slots near the neighbors of the moved item instead of all slots.
    cost
        Cost between slots; by default `problem.search_cost`.
    """

    def __init__(
        self, problem: PlacementProblem, state: np.ndarray, *, whole: bool, near: bool = False, cost: SlotCost | None = None
    ):
        self.problem, self.random, self.whole = problem, state, whole
        self.cost = cost = cost or problem.search_cost
        slots = problem.room.slot_count
        number, self.cabinet = np.unique(problem.start, return_inverse=True)
        slot = number if whole else problem.start
        graph = quotient(problem.topology, self.cabinet) if whole else _graph(problem)
        filled = np.bincount(slot, minlength=slots)
        content = np.zeros((slots, filled.max()), np.uint32)
        order = np.argsort(slot, kind="stable")
        place = np.empty(len(slot), np.uint32)
        place[order] = np.arange(len(slot)) - np.repeat(np.cumsum(filled) - filled, filled)
        content[slot, place] = np.arange(len(slot))
        degree = np.maximum(1, np.diff(np.concatenate([[0], np.cumsum(graph.data)])[graph.indptr])).max()
        self.kind = np.int32 if int(degree) * int(cost.table.max()) < 1 << 31 else np.int64
        groups = not whole and problem.apart_price > 0
        kin = problem.topology.group[:, 0] if groups else np.empty(0, np.int32)
        together = np.zeros((int(kin.max(initial=-1)) + 1, slots if groups else 0), np.int32)
        np.add.at(together, (kin, slot if groups else kin), 1)
        demand, allowed = _limits(problem)
        peers, peer_start, peer_class = _peers(problem, whole, len(slot))
        self.run = State(
            indptr=graph.indptr.astype(np.uint32),
            indices=graph.indices.astype(np.uint32),
            weight=graph.data.astype(self.kind),
            table=cost.table.astype(self.kind, copy=False),
            x=cost.x,
            y=cost.y,
            field=np.empty((0, 0), self.kind),
            field_y=np.empty((0, 0), self.kind),
            across=np.empty((0, 0), self.kind),
            along=np.empty((0, 0), self.kind),
            inside_gain=np.zeros(2, np.int64),
            slot=slot.astype(np.uint32),
            place=place,
            content=content,
            filled=filled,
            peers=peers,
            peer_start=peer_start,
            peer_class=peer_class,
            slots=np.setdiff1d(problem.slots, np.flatnonzero(problem.fixed_slots)).astype(np.uint32),
            near=_near(problem, cost) if near else np.empty((0, 0), np.uint32),
            demand=demand,
            allowed=allowed,
            kin=kin.astype(np.int32),
            together=together,
            apart_price=np.array([problem.apart_price]),
            threshold=kernel.THRESHOLD,
        )
        self.objective = self.best_objective = problem.objective(problem.start, cost)
        self._best = self.run.slot.copy()
        self.tried = 0

    @property
    def movable(self) -> bool:
        """Whether any move is possible."""
        return len(self.run.slots) > 1 if self.whole else len(self.run.peers) > 1 and len(self.run.slots) > 1

    @property
    def by_field(self) -> bool:
        """Whether cost changes are currently computed from the field."""
        return len(self.run.field) > 0

    @property
    def best(self) -> np.ndarray:
        """Best layout so far, int64 (R,)."""
        slot = self._best.astype(np.int64)
        return slot[self.cabinet] if self.whole else slot

    @property
    def layout(self) -> np.ndarray:
        """Current slot of each router, int64 (R,)."""
        slot = self.run.slot.astype(np.int64)
        return slot[self.cabinet] if self.whole else slot

    def compile(self, *, blocks: bool) -> None:
        """Compile the kernel of moves, and of moves of blocks if they are wanted, without moving anything."""
        kernel.anneal(0, 0.0, 0, self.random, self.run, _NO_SAMPLE)
        if blocks:
            kernel.anneal_blocks(0, 0.0, self.random, self.run, np.zeros((2, 2), np.uint32), False)

    def step(self, moves: int, temperature: float, swap_share: int) -> float:
        """Try a number of moves at one temperature; return the share of accepted moves."""
        change, accepted = kernel.anneal(moves, temperature, swap_share, self.random, self.run, _NO_SAMPLE)
        self._count(moves, change)
        self.choose(accepted / max(1, moves))
        return accepted / max(1, moves)

    def step_blocks(self, moves: int, temperature: float, blocks: np.ndarray, of_items: bool) -> None:
        """Try a number of exchanges of whole blocks of slots, or of the slots of blocks of items; see the kernel."""
        change, _ = kernel.anneal_blocks(moves, temperature, self.random, self.run, blocks, of_items)
        self._count(moves, change)

    def _count(self, moves: int, change: int) -> None:
        self.tried += moves
        self.objective += change
        if self.objective < self.best_objective:
            self.best_objective = self.objective
            self._best[:] = self.run.slot

    def sample(self, count: int, swap_share: int) -> np.ndarray:
        """Return the cost changes of `count` random moves, int64, without zeros."""
        changes = np.zeros(count, np.int64)
        kernel.anneal(count, 0.0, swap_share, self.random, self.run, changes)
        return changes[changes != 0]

    def choose(self, accepted: float) -> None:
        """Use the field while few moves are accepted: proposals are cheap, but an update touches a row for each neighbor.

        Both methods give the same cost changes, so the choice does not affect the result.
        """
        cost, items = self.cost, len(self.run.slot)
        width = sum(cost.table.shape) if cost.split else cost.slot_count
        fits = items * width * np.dtype(self.kind).itemsize <= FIELD_BYTES
        if not len(self.run.field) and fits and accepted * width < 8:
            self._take_field()
        elif len(self.run.field) and accepted * width > 24:
            self._take_arithmetic()

    def _take_field(self) -> None:
        cost, items = self.cost, len(self.run.slot)
        if cost.split:
            across, along, gain = cost.split
            self.run = self.run._replace(
                across=across.astype(self.kind, copy=False),
                along=along.astype(self.kind, copy=False),
                inside_gain=gain * np.array([1, int(self.run.weight.max(initial=1))]),
                field=np.zeros((items, len(across)), self.kind),
                field_y=np.zeros((items, len(along)), self.kind),
            )
        else:
            none = np.empty(0, np.int32)
            field = np.zeros((items, cost.slot_count), self.kind)
            self.run = self.run._replace(table=cost.full.astype(self.kind, copy=False), x=none, y=none, field=field)
        fill_field(self.run)

    def _take_arithmetic(self) -> None:
        none = np.empty((0, 0), self.kind)
        self.run = self.run._replace(field=none, field_y=none)


def _graph(problem: PlacementProblem) -> csr_array:
    """Return the links as a symmetric matrix of weights, int64 (R, R), rows sorted."""
    topology = problem.topology
    shape = (topology.router_count,) * 2
    graph = csr_array((np.ones(len(topology.indices), np.int64), topology.indices.copy(), topology.indptr.copy()), shape)
    graph.sum_duplicates()
    return graph


def quotient(topology: Topology, cabinet: np.ndarray) -> csr_array:
    """Return the numbers of links between cabinets, int64 (C, C), rows sorted."""
    a, b = cabinet[topology.links.T]
    a, b = a[a != b], b[a != b]
    count = cabinet.max() + 1
    graph = coo_array((np.ones(2 * len(a), np.int64), (np.r_[a, b], np.r_[b, a])), shape=(count, count)).tocsr()
    graph.sum_duplicates()
    return graph


def _limits(problem: PlacementProblem) -> tuple[np.ndarray, np.ndarray]:
    """Return the demand class of each slot's content, and the slots that carry each class; fixed slots carry none."""
    packing, slots = problem.packing, problem.room.slot_count
    classes = len(packing.allowed)
    allowed = np.zeros((classes + 2, slots), np.uint8)
    allowed[:classes] = packing.allowed
    allowed[classes, problem.slots] = 1
    allowed[:, problem.fixed_slots] = 0
    demand = problem.demand.copy()
    demand[np.bincount(problem.start, minlength=slots) == 0] = classes
    demand[problem.fixed_slots] = classes + 1
    return demand, allowed


def _peers(problem: PlacementProblem, whole: bool, items: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return movable items by swap class, the start of each class, and the class of each item."""
    if whole:
        return np.arange(items, dtype=np.uint32), np.array([0, items]), np.zeros(items, np.int64)
    last = int(problem.swap_class.max()) + 1
    swap_class = np.where(problem.fixed, last, problem.swap_class)
    peers = np.argsort(swap_class, kind="stable").astype(np.uint32)[: int((~problem.fixed).sum())]
    return peers, np.searchsorted(swap_class[peers], np.arange(last + 2)), swap_class


def _near(problem: PlacementProblem, cost: SlotCost) -> np.ndarray:
    """Return the K slots with the lowest link cost from each slot, uint32 (S, K)."""
    slots = problem.slots
    near = np.zeros((problem.room.slot_count, min(NEAR, len(slots))), np.uint32)
    for p in range(len(near)):
        reach = cost.between(np.full(len(slots), p), slots)
        near[p] = slots[np.argpartition(reach, near.shape[1] - 1)[: near.shape[1]]]
    return near
