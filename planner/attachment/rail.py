"""Port r of every node of a scalable unit on rail r of that unit: the same router for all."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.attachment._leaves import Leaves, Ports
from planner.errors import InputError, Problem


def attach(
    ports: Ports, leaves: Leaves, *, block: Annotated[int, Ge(1)], leaves_per_rail: Annotated[int, Ge(1)] = 1
) -> np.ndarray:
    """Attach port r of node b to leaf (b div block) · ports + r: traffic on one rail of a unit stays at one router.

    Parameters
    ----------
    block
        Nodes of a scalable unit.
    leaves_per_rail
        Leaves of each rail of a unit; they share the nodes of the unit, in order.

    References
    ----------
    .. [1] NVIDIA, "DGX SuperPOD: Next Generation Scalable Infrastructure for AI Leadership", RA-11333-001, 2023.
    """
    if block % leaves_per_rail:
        message = f"a unit of {block} nodes cannot be divided among {leaves_per_rail} leaves of each rail"
        raise InputError(Problem("leaves_per_rail", message, "use a divisor of block"))
    units, per_unit = -(-ports.devices // block), ports.count * leaves_per_rail
    if units * per_unit > len(leaves.router):
        message = f"{units} units of {block} nodes with {ports.count} ports need {units * per_unit} leaves"
        raise InputError(Problem("block", f"{message}, the network has {len(leaves.router)}", "use larger units or more leaves"))
    unit, place = np.divmod(np.arange(ports.devices), block)
    share = place // (block // leaves_per_rail)
    return unit[:, None] * per_unit + np.arange(ports.count) * leaves_per_rail + share[:, None]
