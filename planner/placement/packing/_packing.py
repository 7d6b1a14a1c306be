"""The result of packing: which cabinet each router stands in, and where the cabinets may stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.model import Catalog, Topology
from planner.placement.packing._interior import PLAIN, Interior, Stack, rank, stacked


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
    interior
        How cabinets are arranged inside.
    """

    topology: Topology
    catalog: Catalog
    cabinet_of: np.ndarray
    slot_of: np.ndarray
    demand: np.ndarray
    allowed: np.ndarray
    method: str
    interior: Interior = PLAIN

    @property
    def cabinet_count(self) -> int:
        return len(self.slot_of)

    @cached_property
    def usable(self) -> np.ndarray:
        """Slots that carry cabinets of at least one class, ascending, int64 (E,)."""
        return np.flatnonzero(self.allowed.any(axis=0))

    def stack(self, cabinet_of: np.ndarray) -> tuple[Stack, np.ndarray, np.ndarray]:
        """Give every box its units; endpoints of one cabinet share boxes, by id.

        Returns
        -------
        stack, endpoint_cabinet, endpoint_unit
            The last two int64 (H,); units count from 1 at the bottom.
        """
        cabinet_of = np.asarray(cabinet_of)
        endpoint_cabinet = cabinet_of[self.topology.endpoint_router]
        place = rank(endpoint_cabinet)
        inside = np.column_stack([endpoint_cabinet, place // self.catalog.endpoint.endpoints])
        boxes, box = np.unique(inside, axis=0, return_inverse=True)
        stack = stacked(self.catalog, self.interior, int(cabinet_of.max()) + 1, cabinet_of, boxes[:, 0])
        return stack, endpoint_cabinet, stack.box_unit[box.ravel()]
