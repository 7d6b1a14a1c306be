"""A leaf with a free port in the same cabinet, else of the same scalable unit, else the nearest."""

from __future__ import annotations

import numpy as np

from planner.network.attachment._leaves import Leaves, Ports, filled


def attach(ports: Ports, leaves: Leaves) -> np.ndarray:
    """Reserve ports evenly on all leaves; each port takes the nearest leaf once cabinets are filled.

    See `planner.design.inventory.near`.
    """
    wanted, leaf_count = ports.devices * ports.count, len(leaves.router)
    even = np.arange(wanted) * leaf_count // wanted
    if (np.bincount(even, minlength=leaf_count) > leaves.free).any():
        share = -(-wanted // leaf_count)
        even = filled(wanted, leaves, share if np.minimum(leaves.free, share).sum() >= wanted else None)
    return even.reshape(ports.devices, ports.count)
