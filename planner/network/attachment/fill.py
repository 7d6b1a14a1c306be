"""Leaf after leaf, each until its ports are used."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.network.attachment._leaves import Leaves, Ports, filled


def attach(ports: Ports, leaves: Leaves, *, per_leaf: Annotated[int, Ge(1)] | None = None) -> np.ndarray:
    """Attach node after node, port after port, to the next leaf with free ports.

    Parameters
    ----------
    per_leaf
        Maximum number of these ports on one leaf; by default all its free ports.
    """
    return filled(ports.devices * ports.count, leaves, per_leaf).reshape(ports.devices, ports.count)
