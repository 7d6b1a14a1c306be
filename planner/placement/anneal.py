"""Simulated annealing: routers and whole cabinets change places while the temperature falls."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Le

from planner import seeds
from planner.model import Placement
from planner.placement._problem import PlacementProblem
from planner.progress import Progress, silent


def place(
    problem: PlacementProblem,
    *,
    seed: int,
    progress: Progress = silent,
    moves: Annotated[int, Ge(0)] = 500_000,
    chunk: Annotated[int, Ge(1)] = 50_000,
    hot: Annotated[float, Gt(0)] = 0.3,
    cold: Annotated[float, Gt(0)] = 0.002,
    router_share: Annotated[float, Ge(0), Le(1)] | None = None,
) -> Placement:
    """Anneal from the placement in order.

    A move changes two routers of the same swap class, or moves a cabinet to another slot (changing
    with the cabinet that stands there). Both keep all limits, because only slots that carry every
    cabinet are used and only routers with equally many endpoints change places.

    Parameters
    ----------
    moves
        Moves tried.
    chunk
        Moves between two reports; the result does not depend on it.
    hot, cold
        First and last temperature, in units of the mean change of cost of a random move.
    router_share
        Share of router swaps among the moves; by default a half where routers may change cabinets.

    Notes
    -----
    Ctrl-C ends the search early and keeps what it found, marked incomplete.

    References
    ----------
    .. [1] S. Kirkpatrick, C. Gelatt, M. Vecchi, "Optimization by simulated annealing", Science 220, 1983.
    .. [2] D. Connolly, "An improved annealing scheme for the QAP", European J. Operational Research 46, 1990.
    """
    from planner.kernels import anneal as kernel

    run = _Run(problem, seed, router_share)
    scale = run.mean_change(kernel)
    done, accepted, complete = 0, 0, True
    if scale == 0:
        moves = 0
    objective = start = problem.objective(problem.packing.cabinet_of, problem.identity())
    try:
        while done < moves:
            count = min(chunk, moves - done)
            change, taken = kernel.anneal(done, count, moves, hot * scale, cold * scale, *run.arguments)
            done, accepted, objective = done + count, accepted + taken, objective + change
            progress("placement", done, moves, objective=objective)
    except KeyboardInterrupt:
        complete = False
    method = f"anneal: {done} moves, {accepted} accepted" + ("" if complete else ", interrupted")
    slot_of, cabinet_of = run.result()
    if objective > start:
        slot_of, cabinet_of = problem.identity(), problem.packing.cabinet_of
    return problem.placement(cabinet_of, slot_of, method, done, complete=complete)


class _Run:
    """The arrays that the kernel works on."""

    def __init__(self, problem: PlacementProblem, seed: int, router_share: float | None):
        packing, topology = problem.packing, problem.topology
        self.state = seeds.state(seed, "placement.anneal")
        self.cabinet_of = packing.cabinet_of
        slots, count = problem.room.slot_count, np.bincount(packing.cabinet_of)
        content = np.zeros((slots, count.max()), np.uint32)
        filled = np.zeros(slots, np.int64)
        place_in_slot = np.zeros(topology.router_count, np.int64)
        self.slot = problem.identity()[packing.cabinet_of]
        for router, slot in enumerate(self.slot):
            place_in_slot[router] = filled[slot]
            content[slot, filled[slot]] = router
            filled[slot] += 1
        self.content, self.filled = content, filled
        swap_class = problem.swap_class
        peers = np.argsort(swap_class, kind="stable").astype(np.uint32)
        peer_start = np.searchsorted(swap_class[peers], np.arange(swap_class.max() + 2))
        if router_share is None:
            low = np.full(swap_class.max() + 1, slots)
            np.minimum.at(low, swap_class, self.slot)
            router_share = 0.5 if (low[swap_class] != self.slot).any() else 0.0
        if len(problem.slots) == 1:
            router_share = 1.0
        self.arguments = (
            router_share, self.state, topology.indptr.astype(np.uint32), topology.indices.astype(np.uint32), problem.cost,
            problem.slots, peer_start, peers, swap_class, self.slot, place_in_slot, content, filled,
        )  # fmt: skip

    def mean_change(self, kernel, samples: int = 1000) -> float:
        """Mean absolute change of cost of random moves; the state of the run is left as it was."""
        (share, state, indptr, indices, cost, slots, peer_start, peers, swap_class, slot, _, content, filled) = self.arguments
        draw = np.random.default_rng(int(state[0]))
        changes = []
        for _ in range(samples):
            if draw.random() < share:
                r = peers[draw.integers(len(peers))]
                k = swap_class[r]
                s = peers[draw.integers(peer_start[k], peer_start[k + 1])]
                if slot[r] != slot[s]:
                    changes.append(kernel.router_swap_cost(r, s, indptr, indices, slot, cost))
            else:
                here, there = draw.choice(slots, 2)
                if here != there and filled[here] + filled[there]:
                    changes.append(kernel.cabinet_move_cost(here, there, content, filled, indptr, indices, slot, cost))
        return float(np.abs(changes).mean()) if changes else 0.0

    def result(self) -> tuple[np.ndarray, np.ndarray]:
        """Return slot_of (C,) and cabinet_of (R,), cabinets numbered in slot order."""
        used = np.flatnonzero(self.filled)
        number = np.full(len(self.filled), -1)
        number[used] = np.arange(len(used))
        return used, number[self.slot]
