"""The leaf in the same cabinet, else of the same scalable unit, else the nearest; decided once cabinets are filled."""

from __future__ import annotations

import numpy as np

from planner.attachment._leaves import Leaves, Ports, filled


def attach(ports: Ports, leaves: Leaves) -> np.ndarray:
    """Attach ports evenly to all leaves; devices are exchanged afterwards, so that each is at a leaf near it.

    See `planner.inventory.near`.
    """
    wanted = ports.devices * ports.count
    share = -(-wanted // len(leaves.router))
    per_leaf = share if np.minimum(leaves.free, share).sum() >= wanted else None
    return filled(wanted, leaves, per_leaf).reshape(ports.devices, ports.count)
