"""Small rooms: the least that must be over-full, and the shortest ways then, by integer programming."""

from __future__ import annotations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import block_diag, coo_array, csr_array, hstack

from planner.cabling._trays import Pulls, TrayGraph

LARGEST = 2000
"""Most variables, two for each pull and segment."""

_NODES = 1000
"""Most nodes of the search: a limit that gives the same result on every machine."""

Strands = list[tuple[int, list[int]]]
"""Of one pull: cables of each strand and its segments in order."""


class Program:
    """Cables of every pull on every segment, in both directions, as an integer program.

    Parameters
    ----------
    graph, pulls
        What is laid over what.
    lays
        Pulls that must be laid; a way joins each.
    """

    def __init__(self, graph: TrayGraph, pulls: Pulls, lays: np.ndarray):
        self._graph, self._pulls, self._lays = graph, pulls, lays
        self._arcs = [self._arcs_of(pull) for pull in lays]
        self._count = sum(len(arc) for arc in self._arcs)
        self._segment = np.concatenate([arc % len(graph.ends) for arc in self._arcs])
        self._cable_um2 = np.repeat(pulls.cable_um2[lays], [len(arc) for arc in self._arcs])
        most = np.repeat(pulls.cables[lays], [len(arc) for arc in self._arcs])
        self._limited = np.flatnonzero(graph.room_um2 >= 0)
        # A cross-section of 1 is the thickest cable, so that the solver's tolerances mean the same in every room.
        self._scale = max(float(pulls.cable_um2[lays].max()), 1.0)
        self._bounds = Bounds(0, np.concatenate([most, np.full(len(self._limited), np.inf)]))
        self._whole = np.repeat([1, 0], [self._count, len(self._limited)])
        self._rules = [self._ways(), self._rooms()]

    @staticmethod
    def fits(pulls: int, segments: int) -> bool:
        """Whether the program is small enough."""
        return 0 < 2 * pulls * segments <= LARGEST

    def _arcs_of(self, pull: int) -> np.ndarray:
        """Segments that the pull may take, and their numbers plus K for the way back."""
        ends = self._graph.ends
        allowed = np.flatnonzero((self._graph.carries >> self._pulls.way[pull] & 1) & (ends[:, 0] != ends[:, 1]))
        return np.concatenate([allowed, allowed + len(ends)])

    def _ways(self) -> LinearConstraint:
        """As many cables leave a node as enter it, but for the ends."""
        both = np.concatenate([self._graph.ends, self._graph.ends[:, ::-1]])
        blocks, leaving = [], []
        for pull, arcs in zip(self._lays, self._arcs, strict=True):
            place = np.arange(len(arcs))
            shape = (self._graph.nodes, len(arcs))
            blocks.append(coo_array((np.ones(len(arcs)), (both[arcs, 0], place)), shape=shape))
            blocks[-1] = blocks[-1] - coo_array((np.ones(len(arcs)), (both[arcs, 1], place)), shape=shape)
            supply = np.zeros(self._graph.nodes)
            supply[self._pulls.ends[pull]] = np.array([1, -1]) * self._pulls.cables[pull]
            leaving.append(supply)
        over = csr_array((self._graph.nodes * len(blocks), len(self._limited)))
        supplies = np.concatenate(leaving)
        return LinearConstraint(hstack([block_diag(blocks), over], format="csr"), supplies, supplies)

    def _rooms(self) -> LinearConstraint:
        """What a segment holds less what is over-full fits into its room."""
        row = np.full(len(self._graph.ends), -1)
        row[self._limited] = np.arange(len(self._limited))
        place = np.flatnonzero(row[self._segment] >= 0)
        shape = (len(self._limited), self._count)
        use = coo_array((self._cable_um2[place] / self._scale, (row[self._segment[place]], place)), shape=shape)
        over = coo_array((np.full(shape[0], -1.0), (np.arange(shape[0]),) * 2), shape=(shape[0],) * 2)
        room = self._graph.room_um2[self._limited] / self._scale
        return LinearConstraint(hstack([use, over], format="csr"), -np.inf, room)

    def solve(self, over_um2: int) -> tuple[list[Strands] | None, bool]:
        """Return strands of each pull of `lays`, the shortest with least over-full, and whether that is proven.

        Parameters
        ----------
        over_um2
            A fill over the limits that is known to be enough; 0 asks for the shortest ways alone.
        """
        proven = True
        if over_um2:
            least, proven = self._minimise(np.repeat([0.0, 1.0], [self._count, len(self._limited)]), np.inf)
            if least is None:
                return None, False
            over_um2 = self._scale * least[self._count :].sum()
        length = np.concatenate([self._graph.length_mm[self._segment].astype(np.float64), np.zeros(len(self._limited))])
        shortest, shortest_proven = self._minimise(length, over_um2 / self._scale)
        if shortest is None:
            return None, False
        return self._strands(np.rint(shortest[: self._count]).astype(np.int64)), proven and shortest_proven

    def _minimise(self, cost: np.ndarray, over: float) -> tuple[np.ndarray | None, bool]:
        total = LinearConstraint(np.repeat([0.0, 1.0], [self._count, len(self._limited)])[None], -np.inf, over)
        found = milp(
            cost,
            integrality=self._whole,
            bounds=self._bounds,
            constraints=[*self._rules, total],
            options={"node_limit": _NODES, "mip_rel_gap": 0.0},
        )
        return found.x, found.status == 0

    def _strands(self, flow: np.ndarray) -> list[Strands]:
        """Take the flow of each pull apart into ways."""
        starts = np.cumsum([0, *(len(arcs) for arcs in self._arcs)])
        return [
            self._ways_of(pull, arcs, flow[start:stop])
            for pull, arcs, start, stop in zip(self._lays, self._arcs, starts[:-1], starts[1:], strict=True)
        ]

    def _ways_of(self, pull: int, arcs: np.ndarray, flow: np.ndarray) -> Strands:
        count = len(self._graph.ends)
        ends = self._graph.ends.tolist()
        left = {int(arc): int(n) for arc, n in zip(arcs, flow, strict=True) if n > 0}
        start, goal = self._pulls.ends[pull].tolist()
        strands, missing = [], int(self._pulls.cables[pull])
        while missing > 0:
            before, waiting = {start: -1}, [start]
            for node in waiting:
                for arc in left:
                    tail, head = ends[arc % count] if arc < count else ends[arc % count][::-1]
                    if tail == node and head not in before:
                        before[head] = arc
                        waiting.append(head)
            way, node = [], goal
            while node != start:
                arc = before[node]
                way.append(arc)
                node = ends[arc % count][0 if arc < count else 1]
            taken = min(missing, *(left[arc] for arc in way))
            for arc in way:
                left[arc] -= taken
                if not left[arc]:
                    del left[arc]
            strands.append((taken, [arc % count for arc in reversed(way)]))
            missing -= taken
        return strands
