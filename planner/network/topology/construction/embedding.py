"""Routers of one network inside another one of the family, by their coordinates."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Topology


def same_coordinates(old: Topology, target: Topology) -> np.ndarray | None:
    """Return the router of the target with the coordinates of each old router, int64 (R,); None if one has none.

    Coordinates are compared by name; a coordinate that only the target has must be 0, such as a further dimension.

    >>> from planner.network.topology import build
    >>> same_coordinates(build("mesh", sizes=[2, 2]), build("mesh", sizes=[2, 3])).tolist()
    [0, 1, 3, 4]
    """
    if not set(old.coord_names) <= set(target.coord_names):
        return None
    column = [old.coord_names.index(name) if name in old.coord_names else -1 for name in target.coord_names]
    padded = np.column_stack([old.coords, np.zeros(old.router_count, old.coords.dtype)])
    number = {tuple(place): router for router, place in enumerate(target.coords.tolist())}
    found = [number.get(tuple(place), -1) for place in padded[:, column].tolist()]
    unique = len(set(found)) == len(found) and len(number) == target.router_count
    return np.array(found, np.int64) if unique and -1 not in found else None
