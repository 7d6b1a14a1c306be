"""The nearest leaf with free ports; decided once cabinets have their slots."""

from __future__ import annotations

import numpy as np

from planner.attachment._leaves import Leaves, Ports, filled


def attach(ports: Ports, leaves: Leaves) -> np.ndarray:
    """Attach node after node to the next leaf with free ports, evenly; placement exchanges these ports by distance.

    The leaf of a port is chosen after placement: one in the same cabinet, else in the same row, else the nearest one with free
    ports, so that the cables are as short as possible in total.
    """
    wanted = ports.devices * ports.count
    share = -(-wanted // len(leaves.router))
    per_leaf = share if np.minimum(leaves.free, share).sum() >= wanted else None
    return filled(wanted, leaves, per_leaf).reshape(ports.devices, ports.count)
