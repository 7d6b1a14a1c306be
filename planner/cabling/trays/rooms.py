"""What all negotiations over one tray graph have in common: its chains, and distances between its nodes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from planner.cabling.trays.chains import Contraction, contraction
from planner.cabling.trays.graph import TrayGraph
from planner.kernels.trays import trees
from planner.kernels.trays.segment_search import Trays

STORED = 2**23
"""Maximum stored distances of one graph, 64 MB."""

_GRAPHS = 2
"""Number of graphs of which chains and distances are kept: edits route a few cables over the same one again and again."""


class Graph:
    """A tray graph without loads: chains, and distances from nodes as far as they were needed."""

    def __init__(self) -> None:
        self._contraction: Contraction | None = None
        self._rows: dict[tuple[int, int], np.ndarray] = {}

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
        nodes, known = len(trays.indptr) - 1, self._rows
        found = np.empty((len(sources), nodes))
        numbers = sources.tolist()
        new = np.array([number for number in dict.fromkeys(numbers) if (kinds, number) not in known], np.int64)
        rows = np.empty((len(new), nodes))
        trees.distances(trays, trays.length_mm, np.uint8(kinds), new, trees.scratch(nodes, len(trays.length_mm)), rows)
        fresh = {(kinds, number): row for number, row in zip(new.tolist(), rows, strict=True)}
        for place, number in enumerate(numbers):
            row = known.get((kinds, number))
            found[place] = fresh[kinds, number] if row is None else row
        if (len(known) + len(fresh)) * nodes <= STORED:
            known.update(fresh)
        return found


def of(graph: TrayGraph) -> Graph:
    """Return what is known of a tray graph, whatever the room of its segments is."""
    return _known(graph.nodes, graph.ends.tobytes(), graph.length_mm.tobytes(), graph.carries.tobytes())


@lru_cache(maxsize=_GRAPHS)
def _known(nodes: int, ends: bytes, length_mm: bytes, carries: bytes) -> Graph:
    return Graph()
