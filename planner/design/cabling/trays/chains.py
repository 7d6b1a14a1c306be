"""Trays contracted to their junctions, so that routes are searched from junction to junction."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from planner.kernels.trays import junction_search as kernel
from planner.kernels.trays.segment_search import Trays

MIN_CONTRACTION = 2
"""Minimum ratio of nodes to junctions for contraction."""

Chain = tuple[list[int], list[int]]
"""Nodes from junction to junction, and the segments between them."""


@dataclass(frozen=True, eq=False)
class Contraction:
    """Junctions, ascending, int64, and the chains between them; none where contraction saves no time."""

    junctions: np.ndarray
    chains: list[Chain]


def contraction(trays: Trays) -> Contraction:
    """Return junctions and chains of a room; they depend neither on its free room nor on demands."""
    arcs = _arcs(trays)
    stops = [len(around) != 2 for around in arcs]
    taken: set[int] = set()
    found = [chain for node in np.flatnonzero(stops).tolist() for chain in _walks(arcs, stops, node, taken)]
    for node, around in enumerate(arcs):
        if not stops[node] and around[0][1] not in taken:
            # A ring without a junction: its lowest node becomes one.
            stops[node] = True
            found += _walks(arcs, stops, node, taken)
    if len(arcs) < MIN_CONTRACTION * sum(stops):
        stops, found = [False] * len(arcs), []
    return Contraction(np.flatnonzero(stops), found)


def chains_of(trays: Trays, ahead_mm: np.ndarray, known: Contraction | None = None) -> kernel.Chains:
    """Return the chains of a room for the kernels; `known` is its contraction, by default made here."""
    known = contraction(trays) if known is None else known
    return _contracted(trays, ahead_mm, known.junctions, known.chains)


class Sections:
    """Costs of sections of chains, whole numbers as float64, infinite over barred segments.

    Parameters
    ----------
    chains
        The chains.
    cost, barred
        Cost of each segment, int64 (K,), and whether it is impassable, bool (K,).
    """

    def __init__(self, chains: kernel.Chains, cost: np.ndarray, barred: np.ndarray):
        self._chains = chains
        self._cost, self._barred = (
            np.append(0, np.cumsum(each[chains.segment], dtype=np.int64)) for each in (np.where(barred, 0, cost), barred)
        )

    def cost(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Return the cost from one place of `segment` up to another one of the same chain, float64."""
        return np.where(self._barred[low] < self._barred[high], np.inf, self._cost[high] - self._cost[low])

    def outward(self, node: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the junctions at the ends of the chain of each node, int (N, 2), and the costs to them; its own number twice
        for a junction."""
        chains = self._chains
        inside, chain = chains.within[node] >= 0, chains.within[node]
        low, high = chains.start[chain], chains.start[chain + 1]
        at = low + chains.place[node]
        cost = np.column_stack([self.cost(low, at), self.cost(at, high)])
        own = chains.junction[node][:, None]
        return np.where(inside[:, None], chains.ends[chain], own), np.where(inside[:, None], cost, [0.0, np.inf])

    def within(self, ends: np.ndarray) -> np.ndarray:
        """Return the cost between two nodes of one chain along it, float64 (N,); infinite for others."""
        chains = self._chains
        chain, place = chains.within[ends], np.sort(chains.place[ends], axis=1)
        start = chains.start[chain[:, 0]]
        same = (chain[:, 0] == chain[:, 1]) & (chain[:, 0] >= 0)
        return np.where(same, self.cost(start + np.where(same, place[:, 0], 0), start + np.where(same, place[:, 1], 0)), np.inf)


def _arcs(trays: Trays) -> list[list[tuple[int, int]]]:
    """Return the neighbors of each node and the segments to them, without loops."""
    starts, near, segment = trays.indptr.tolist(), trays.neighbor.tolist(), trays.segment.tolist()
    arcs = [[*zip(near[a:b], segment[a:b], strict=True)] for a, b in pairwise(starts)]
    return [[arc for arc in around if arc[0] != node] for node, around in enumerate(arcs)]


def _walks(arcs: list[list[tuple[int, int]]], stops: list[bool], start: int, taken: set[int]) -> list[Chain]:
    """Walk every chain that leaves a junction and was not walked from its other end; `taken` are segments walked."""
    found = []
    for node, segment in arcs[start]:
        if segment in taken:
            continue
        nodes, segments = [start, node], [segment]
        while not stops[node]:
            node, segment = next(arc for arc in arcs[node] if arc[1] != segment)
            nodes.append(node)
            segments.append(segment)
        taken.update(segments)
        found.append((nodes, segments))
    return found


def _contracted(trays: Trays, ahead_mm: np.ndarray, node: np.ndarray, found: list[Chain]) -> kernel.Chains:
    """Return junctions and chains as kernel arrays."""
    nodes = len(trays.indptr) - 1
    junction = np.full(nodes, -1, np.int32)
    junction[node] = np.arange(len(node))
    ends = np.array([(junction[nodes[0]], junction[nodes[-1]]) for nodes, _ in found], np.int32).reshape(-1, 2)
    within, place = np.full(nodes, -1, np.int32), np.zeros(nodes, np.int32)
    for number, (members, _) in enumerate(found):
        within[members[1:-1]] = number
        place[members[1:-1]] = np.arange(1, len(members) - 1)
    start = np.cumsum([0, *(len(segments) for _, segments in found)])
    segment = np.array([each for _, segments in found for each in segments], np.int32)
    # A chain that ends where it starts is on no route between junctions.
    between = np.flatnonzero(ends[:, 0] != ends[:, 1])
    leaves = np.concatenate([ends[between, 0], ends[between, 1]])
    order = np.argsort(leaves, kind="stable")
    indptr = np.concatenate([[0], np.cumsum(np.bincount(leaves, minlength=len(node)))])
    other = np.concatenate([ends[between, 1], ends[between, 0]])[order]
    chain = np.tile(between, 2)[order].astype(np.int32)
    node = node.astype(np.int32)
    return kernel.scratch(junction, node, indptr, other, chain, within, place, ends, start, segment, trays, ahead_mm)
