"""The tray graph, and the demands to route over it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.errors import InputError, Problem
from planner.core.record import Record, array, value
from planner.kernels.trays import negotiation, segment_search, trees

_LARGEST = 2**52
"""Whole numbers beyond it are not exact as float64, in which routes are compared."""


@dataclass(frozen=True, eq=False)
class TrayGraph(Record):
    """Tray segments with their room."""

    nodes: int = value("number of tray nodes")
    ends: np.ndarray = array("int32", "K,2", "nodes at both ends")
    length_mm: np.ndarray = array("int32", "K", "length", "mm")
    room_um2: np.ndarray = array("int64", "K", "cross-section that cables may take; -1 without limit", "µm²")
    carries: np.ndarray = array("uint8", "K", "bit 0: copper is allowed, bit 1: fiber")


@dataclass(frozen=True, eq=False)
class Demands(Record):
    """Demands: identical cables from one node to another; they are routed together where possible."""

    ends: np.ndarray = array("int32", "N,2", "tray nodes of both ends")
    medium_class: np.ndarray = array("uint8", "N", "0 copper, 1 fiber")
    cable_um2: np.ndarray = array("int64", "N", "cross-section of one cable", "µm²")
    cables: np.ndarray = array("int32", "N", "number of cables, at least 1")

    @property
    def area_um2(self) -> np.ndarray:
        """Cross-section of all cables of each demand, int64 (N,)."""
        return self.cable_um2 * self.cables


def check(graph: TrayGraph, demands: Demands) -> None:
    """Refuse demands whose totals exceed exact arithmetic.

    Raises
    ------
    InputError
        When the sum of cross-sections or of lengths is too large.
    """
    problems = []
    # The rounding of this sum is far below the distance of the limit from what float64 adds up exactly.
    total = float(demands.cable_um2.astype(np.float64) @ demands.cables.astype(np.float64))
    if total >= _LARGEST:
        problems.append(Problem("cables", f"their cross-sections add up to {total / 1e12:.0f} m²", "they are in µm²"))
    longest = int(graph.length_mm.sum(dtype=np.int64)) * int(demands.cables.sum(dtype=np.int64))
    if longest >= 2**62:
        problems.append(Problem("trays", f"all cables on all trays are {longest / 1e6:.0f} km", "lengths are in millimeters"))
    if problems:
        raise InputError(problems)


def same(demands: Demands, before: Demands) -> np.ndarray:
    """Return for each demand an equal one of `before`, each used once, int64 (N,); -1 without one."""
    both = [np.column_stack([p.ends, p.medium_class, p.cable_um2, p.cables]).astype(np.int64) for p in (before, demands)]
    rows = np.concatenate(both)
    count = len(both[0])
    # Equal rows are adjacent, those of `before` first: the first of these is matched with the first of the others.
    order = np.lexsort([*rows.T[::-1]])
    new = np.ones(len(order), bool)
    new[1:] = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    key = np.cumsum(new)
    late = order >= count
    place = np.arange(len(order))
    start = np.maximum.accumulate(np.where(new, place, 0))
    older = np.bincount(key[~late], minlength=len(order) + 1)[key]
    # Number of equal rows of `demands` before each row of `demands`.
    rank = place - start - older
    found = np.full(len(both[1]), -1)
    matched = late & (rank < older)
    found[order[matched] - count] = order[start[matched] + rank[matched]]
    return found


def kernel_trays(graph: TrayGraph, total_um2: int) -> segment_search.Trays:
    """Return the segments by node; room of at least `total_um2`, the load of all cables, is no limit."""
    count = len(graph.ends)
    node = np.concatenate([graph.ends[:, 0], graph.ends[:, 1]])
    other = np.concatenate([graph.ends[:, 1], graph.ends[:, 0]])
    order = np.argsort(node, kind="stable")
    unlimited = (graph.room_um2 < 0) | (graph.room_um2 >= total_um2)
    return segment_search.Trays(
        indptr=_starts(node, graph.nodes),
        neighbor=other[order],
        segment=np.tile(np.arange(count, dtype=np.int32), 2)[order],
        length_mm=graph.length_mm.astype(np.float64),
        room_um2=np.where(unlimited, negotiation.UNLIMITED_UM2, graph.room_um2),
        carries=graph.carries,
    )


def grouped(nodes: int, demands: Demands, which: np.ndarray) -> trees.Grouped:
    """Return the demands of the mask `which` between different nodes by first node; those of a pair are summed."""
    which = which & (demands.ends[:, 0] != demands.ends[:, 1])
    a, b = demands.ends[which].T.astype(np.int64)
    area = demands.area_um2[which]
    pair, inverse = np.unique(a * nodes + b, return_inverse=True)
    summed = np.zeros(len(pair), np.int64)
    np.add.at(summed, inverse.ravel(), area)
    return trees.Grouped(_starts(pair // max(nodes, 1), nodes), (pair % max(nodes, 1)).astype(np.int32), summed)


def _starts(node: np.ndarray, nodes: int) -> np.ndarray:
    indptr = np.zeros(nodes + 1, np.int64)
    np.cumsum(np.bincount(node, minlength=nodes), out=indptr[1:])
    return indptr
