"""Port r of every node of a block on rail r of that block: the same router for all."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.network.attachment._leaves import Leaves, Ports


def attach(ports: Ports, leaves: Leaves, *, block: Annotated[int, Ge(1)]) -> np.ndarray:
    """Attach port r of node b to leaf (b div block) · ports + r: traffic on one rail of a unit stays at one router.

    Parameters
    ----------
    block
        Nodes that share one leaf per rail: a scalable unit, or a part of it where each rail of a unit has several leaves.

    References
    ----------
    .. [1] NVIDIA, "DGX SuperPOD: Next Generation Scalable Infrastructure for AI Leadership", RA-11333-001, 2023.
    """
    blocks = -(-ports.devices // block)
    if blocks * ports.count > len(leaves.router):
        message = f"{blocks} blocks of {block} nodes with {ports.count} ports need {blocks * ports.count} leaves"
        raise InputError(Problem("block", f"{message}, the network has {len(leaves.router)}", "use larger blocks or more leaves"))
    return np.arange(ports.devices)[:, None] // block * ports.count + np.arange(ports.count)
