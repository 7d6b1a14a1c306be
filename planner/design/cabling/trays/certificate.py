"""Certificates of infeasibility: proofs that cables do not fit into the trays, whatever their routes.

Let every segment have a price of at least 0 for each µm² of its load. Whatever its route, a cable pays
at least its cross-section times the cost of the cheapest route between its ends, and all segments
together take no more than their room times their prices. If the cables must pay more than that, they
do not fit, not even in the fractional relaxation. A cut is the special case of price 1 on the segments that cross it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from planner.design.cabling.trays import rooms
from planner.design.cabling.trays.chains import Sections, chains_of
from planner.design.cabling.trays.graph import Demands, TrayGraph, grouped, kernel_trays
from planner.kernels.trays import trees
from planner.kernels.trays.negotiation import UNLIMITED_UM2
from planner.kernels.trays.segment_search import Trays

_DIGITS = 2**20
"""Maximum price: prices are whole numbers."""

_BALLS = 256
"""Approximate number of nodes whose balls are examined."""

_TURNS = 200
_WORK = 4 * 10**8
"""Maximum iterations of the search for prices, and maximum steps of all iterations together."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """Prices at which the cost of all cables exceeds that of all room.

    Parameters
    ----------
    segments, prices
        Segments with a price, int32 (P,), and the prices, whole numbers, int64 (P,).
    room
        Sum of price times room.
    needed
        Sum over all demands of cross-section times the cost of the cheapest route; greater than `room`.
    is_cut
        Whether the segments are a cut, each at price 1. Then `room` and `needed` are µm²: the room of the cut, and the
        cross-section that must cross it.
    inside
        Nodes on the smaller side of a cut, int32; empty where the segments are no cut.
    """

    segments: np.ndarray
    prices: np.ndarray
    room: int
    needed: int
    is_cut: bool
    inside: np.ndarray


def verify_certificate(graph: TrayGraph, demands: Demands, segments: np.ndarray, prices: np.ndarray) -> tuple[int, int] | None:
    """Return `needed` and `room` as in `Certificate`, recomputed in whole numbers; None when they prove nothing.

    Demands without any route do not count.

    References
    ----------
    .. [1] M. Iri, "On an extension of the maximum-flow minimum-cut theorem to multicommodity flows", J. Operations Research
       Society of Japan 13, 1971.
    .. [2] F. Shahrokhi, D. Matula, "The maximum concurrent flow problem", J. ACM 37, 1990.
    """
    price = np.zeros(len(graph.ends), np.int64)
    price[segments] = prices
    if (price < 0).any() or price.max(initial=0) * graph.nodes >= 2**53 or (graph.room_um2[price > 0] < 0).any():
        return None
    room = _exact_product(price, graph.room_um2)
    needed = 0
    for medium in (0, 1):
        mine = np.flatnonzero(demands.medium_class == medium)
        if len(mine):
            paid = _paid(graph, price, medium, demands.ends[mine])
            joined = np.isfinite(paid)
            needed += _exact_product(demands.area_um2[mine[joined]], paid[joined].astype(np.int64))
    return (needed, room) if needed > room else None


def _exact_product(one: np.ndarray, other: np.ndarray) -> int:
    """Return the scalar product of whole numbers, whatever its size; those of `other` are below 2⁵³."""
    values, place = np.unique(one, return_inverse=True)
    total = 0
    # Sums of halves are exact as float64.
    for half in (0, 1):
        sums = np.bincount(place.ravel(), other >> 27 if half else other & (1 << 27) - 1, len(values))
        total += sum(v * int(s) for v, s in zip(values.tolist(), sums.tolist(), strict=True)) << 27 * half
    return total


def _paid(graph: TrayGraph, price: np.ndarray, medium: int, ends: np.ndarray) -> np.ndarray:
    """Return the price of the cheapest route of a medium class between nodes, float64 (N,), infinite where there is none."""
    trays, barred = kernel_trays(graph, UNLIMITED_UM2), (graph.carries >> medium & 1) == 0
    chains = chains_of(trays, np.empty((0, graph.nodes)), rooms.of(graph).contraction(trays))
    if not len(chains.node):
        sources, row = np.unique(ends[:, 0], return_inverse=True)
        among = _cheapest(graph.ends[~barred], price[~barred], graph.nodes)
        return dijkstra(among, directed=False, indices=sources)[row.ravel(), ends[:, 1]]
    sections = Sections(chains, price, barred)
    whole = sections.cost(chains.start[:-1], chains.start[1:])
    among = _cheapest(chains.ends[np.isfinite(whole)], whole[np.isfinite(whole)], len(chains.node))
    apart = dijkstra(among, directed=False)
    (near, out), (far, back) = sections.outward(ends[:, 0]), sections.outward(ends[:, 1])
    paid = sections.within(ends)
    for a, b in product((0, 1), repeat=2):
        paid = np.minimum(paid, out[:, a] + apart[near[:, a], far[:, b]] + back[:, b])
    return paid


def _cheapest(ends: np.ndarray, price: np.ndarray, nodes: int) -> csr_array:
    """Return prices between nodes; of parallel segments the cheapest counts."""
    ends = np.sort(ends, axis=1).astype(np.int64)
    order = np.lexsort((price, ends[:, 1], ends[:, 0]))
    _, first = np.unique(ends[order] @ [nodes, 1], return_index=True)
    kept = order[first]
    return csr_array((price[kept].astype(np.float64), ends[kept].T), shape=(nodes,) * 2)


def _some(demands: trees.Grouped) -> np.ndarray:
    """Return about `_BALLS` of the nodes with demands, int."""
    nodes = np.union1d(np.flatnonzero(np.diff(demands.indptr)), demands.other)
    return nodes[:: max(1, len(nodes) // _BALLS)]


class CertificateSearch:
    """Search for certificates; created once for all demands, used with different prices.

    Parameters
    ----------
    graph, demands
        The trays and the demands.
    trays
        The same trays as kernel arrays.
    joined
        Demands with a route, bool (N,).
    """

    def __init__(self, graph: TrayGraph, demands: Demands, trays: Trays, joined: np.ndarray):
        self._graph, self._demands, self._trays = graph, demands, trays
        self._limited = trays.room_um2 < UNLIMITED_UM2
        self._tree = trees.scratch(graph.nodes, len(graph.ends))
        self._flow = np.empty(graph.nodes)
        self._of_kinds = {
            kinds: grouped(graph.nodes, demands, joined & ((1 << demands.medium_class & kinds) > 0)) for kinds in (1, 2, 3)
        }
        self._sources = {kinds: _some(each) for kinds, each in self._of_kinds.items()}

    def cut(self, price: np.ndarray) -> Certificate | None:
        """Return the cut with the largest shortfall among the balls around nodes, with `price` as distance."""
        lengths = self._trays.length_mm
        scale = price.max(initial=0.0) or 1.0
        # Where all prices are 0 lengths decide.
        cost = price / scale + 1e-6 * (1.0 + lengths / max(lengths.max(initial=0.0), 1.0))
        best, found = 0.0, None
        of_both = self._widest(cost, 3)
        for kinds in (1, 2, 3):
            if kinds == 3:
                short, inside = of_both
            elif self._is_small(kinds) or (self._like_both(kinds) and of_both[0] <= 0.0):
                continue
            else:
                short, inside = self._widest(cost, kinds)
            if short > best:
                best, found = short, (kinds, inside)
        return self._cut_around(*found) if found else None

    def _widest(self, cost: np.ndarray, kinds: int) -> tuple[float, np.ndarray]:
        """Return the largest shortfall of the demands of these medium classes among the balls, and the nodes of its ball."""
        tree, mask, demands, sources = self._tree, np.uint8(kinds), self._of_kinds[kinds], self._sources[kinds]
        rank, crossing = np.empty(self._graph.nodes, np.int32), np.empty(self._graph.nodes)
        short, place, size = trees.widest_cut(self._trays, cost, mask, demands, sources, UNLIMITED_UM2, tree, rank, crossing)
        if short > 0.0:
            trees.grow(self._trays, cost, mask, sources[place], tree)
        return short, tree.order[:size].copy()

    def _is_small(self, kinds: int) -> bool:
        """Return whether all demands of these medium classes fit into any one segment."""
        room = self._trays.room_um2[(self._graph.carries & kinds) > 0]
        return int(self._of_kinds[kinds].area_um2.sum()) <= room.min(initial=UNLIMITED_UM2)

    def _like_both(self, kinds: int) -> bool:
        """Return whether the balls are those of both medium classes, whose demands include those of these."""
        return bool(((self._graph.carries & kinds) > 0).all()) and np.array_equal(self._sources[kinds], self._sources[3])

    def _cut_around(self, kinds: int, nodes: np.ndarray) -> Certificate | None:
        inside = np.zeros(self._graph.nodes, bool)
        inside[nodes] = True
        if 2 * len(nodes) > self._graph.nodes:
            inside = ~inside
        ends = inside[self._graph.ends]
        crossing = (ends[:, 0] != ends[:, 1]) & ((self._graph.carries & kinds) > 0)
        segments = np.flatnonzero(crossing).astype(np.int32)
        return self._proven(segments, np.ones(len(segments), np.int64), np.flatnonzero(inside).astype(np.int32))

    def priced(self, price: np.ndarray) -> Certificate | None:
        """Return a certificate of these prices, rounded to whole numbers."""
        if not (top := price.max(initial=0.0)) > 0:
            return None
        whole = np.where(self._limited, np.rint(price / top * _DIGITS), 0).astype(np.int64)
        segments = np.flatnonzero(whole).astype(np.int32)
        return self._proven(segments, whole[segments], None)

    def _proven(self, segments: np.ndarray, prices: np.ndarray, inside: np.ndarray | None) -> Certificate | None:
        sums = verify_certificate(self._graph, self._demands, segments, prices)
        if sums is None:
            return None
        none = np.zeros(0, np.int32)
        return Certificate(segments, prices, sums[1], sums[0], inside is not None, none if inside is None else inside)

    def search(self, price: np.ndarray, report: Callable[[], None]) -> Certificate | None:
        """Return a certificate of prices found by multiplicative weights: they rise with congestion.

        References
        ----------
        .. [1] N. Garg, J. Könemann, "Faster and simpler algorithms for multicommodity flow and other fractional packing
           problems", SIAM J. Computing 37, 2007.
        """
        limited = np.flatnonzero(self._limited)
        room = np.maximum(self._trays.room_um2[limited], 1.0)
        weight = np.zeros(len(price))
        weight[limited] = 1.0 / room
        if (paid := (price[limited] * room).sum()) > 0:
            weight += len(limited) * price / paid
        sources = sum(int(np.count_nonzero(np.diff(self._of_kinds[kind].indptr))) for kind in (1, 2))
        turns = max(10, min(_TURNS, _WORK // (1 + sources * 20 * len(price))))
        best, kept = 0.0, weight
        for turn in range(turns):
            use, total = np.zeros(len(price)), 0.0
            for kind in (1, 2):
                total += trees.loads(self._trays, weight, np.uint8(kind), self._of_kinds[kind], self._tree, self._flow, use)
            cost = (weight[limited] * room).sum()
            if total > cost * best:
                best, kept = total / cost, weight.copy()
                if best > 1.0 and (found := self.cut(weight) or self.priced(weight)):
                    return found
            rate = 0.5 / (1.0 + turn / 10)
            weight[limited] *= np.exp(rate * (np.minimum(use[limited] / room, 2.0) - 1.0))
            weight[limited] /= (weight[limited] * room).mean()
            report()
        return self.cut(kept) or self.priced(kept)
