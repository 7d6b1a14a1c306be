"""Each port on the leaf with the maximum number of free ports."""

from __future__ import annotations

import numpy as np

from planner.network.attachment._leaves import Leaves, Ports


def attach(ports: Ports, leaves: Leaves) -> np.ndarray:
    """Attach port after port to the leaf that has the maximum number of free ports left; the first of several."""
    free = leaves.free.copy()
    chosen = np.empty((ports.devices, ports.count), np.int64)
    for place in np.ndindex(chosen.shape):
        chosen[place] = leaf = int(np.argmax(free))
        free[leaf] -= 1
    return chosen
