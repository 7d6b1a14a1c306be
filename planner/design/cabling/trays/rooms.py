"""What all negotiations over one tray graph have in common: its chains, and distances between its nodes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from planner.design.cabling.trays.chains import Contraction, contraction
from planner.design.cabling.trays.graph import TrayGraph
from planner.kernels.trays import trees
from planner.kernels.trays.segment_search import Trays

STORED = 2**23
"""Maximum stored distances of one graph and set of medium classes, 64 MB."""

_GRAPHS = 2
"""Number of graphs of which chains and distances are kept: edits route a few cables over the same one again and again."""


class Graph:
    """A tray graph without loads: chains, and distances from nodes as far as they were needed."""

    def __init__(self) -> None:
        self._contraction: Contraction | None = None
        self._stored: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def contraction(self, trays: Trays) -> Contraction:
        """Return the chains of the graph."""
        if self._contraction is None:
            self._contraction = contraction(trays)
        return self._contraction

    def distances(self, trays: Trays, kinds: int, sources: np.ndarray) -> np.ndarray:
        """Return the lengths of the shortest routes from some nodes to all, float64 (sources, V).

        Parameters
        ----------
        kinds
            Bits of the medium classes, of which segments must carry one.
        """
        nodes = len(trays.indptr) - 1
        row_of, rows = self._stored.get(kinds, (np.full(nodes, -1), np.empty((0, nodes))))
        new = np.unique(sources[row_of[sources] < 0])
        if len(new):
            found = np.empty((len(new), nodes))
            trees.distances(trays, trays.length_mm, np.uint8(kinds), new, trees.scratch(nodes, len(trays.length_mm)), found)
            row_of, rows = row_of.copy(), np.concatenate([rows, found])
            row_of[new] = np.arange(len(rows) - len(new), len(rows))
            if rows.size <= STORED:
                self._stored[kinds] = row_of, rows
        return rows[row_of[sources]]


def of(graph: TrayGraph) -> Graph:
    """Return what is known of a tray graph, whatever the room of its segments is."""
    return _known(graph.nodes, graph.ends.tobytes(), graph.length_mm.tobytes(), graph.carries.tobytes())


@lru_cache(maxsize=_GRAPHS)
def _known(nodes: int, ends: bytes, length_mm: bytes, carries: bytes) -> Graph:
    return Graph()
