"""The result of packing: which cabinet each router stands in, and where the cabinets may stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.model import Catalog, Topology


@dataclass(frozen=True)
class Packing:
    """Which cabinet each router stands in, a first slot of every cabinet, and which slots carry which cabinet.

    Attributes
    ----------
    cabinet_of
        Cabinet of each router, counted from 0, int64 (R,).
    slot_of
        A slot of each cabinet that carries it, all different, int64 (C,).
    demand
        Demand class of each cabinet: those of one class may stand in the same slots, int64 (C,).
    allowed
        Slots that carry each demand class, bool (D, S).
    method
        How the packing came about, in words.
    """

    topology: Topology
    catalog: Catalog
    cabinet_of: np.ndarray
    slot_of: np.ndarray
    demand: np.ndarray
    allowed: np.ndarray
    method: str

    @property
    def cabinet_count(self) -> int:
        return len(self.slot_of)

    @cached_property
    def usable(self) -> np.ndarray:
        """Slots that carry cabinets of at least one class, ascending, int64 (E,)."""
        return np.flatnonzero(self.allowed.any(axis=0))

    def stack(self, cabinet_of: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Give every box its units: routers from the top down, endpoint boxes right below them, by id.

        Trays hang overhead, so routers stand at the top; endpoints stand close to them, for short cables.

        Returns
        -------
        unit_of, endpoint_cabinet, endpoint_unit
            int64 (R,), (H,), (H,); units count from 1 at the bottom.
        """
        catalog, topology = self.catalog, self.topology
        unit_of = catalog.cabinet.units + 1 - (_rank(cabinet_of) + 1) * catalog.router.units
        endpoint_cabinet = np.asarray(cabinet_of)[topology.endpoint_router]
        box = _rank(endpoint_cabinet) // catalog.endpoint.endpoints
        below = catalog.cabinet.units + 1 - np.bincount(cabinet_of)[endpoint_cabinet] * catalog.router.units
        return unit_of, endpoint_cabinet, below - (box + 1) * catalog.endpoint.units


def _rank(label: np.ndarray) -> np.ndarray:
    """Position of each entry among those with the same label, in order, int64."""
    label = np.asarray(label)
    order = np.argsort(label, kind="stable")
    start = np.searchsorted(label[order], label[order])
    rank = np.empty(len(label), np.int64)
    rank[order] = np.arange(len(label)) - start
    return rank
