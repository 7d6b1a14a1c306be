"""Port r of every node in plane r; inside the planes by another rule."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.network.attachment import fill, free, rail
from planner.network.attachment._leaves import Leaves, Ports


def attach(
    ports: Ports, leaves: Leaves, *, within: Literal["fill", "free", "rail"] = "fill", block: Annotated[int, Ge(1)] | None = None
) -> np.ndarray:
    """Attach port r of every node to plane r mod the number of planes.

    Parameters
    ----------
    within
        Rule inside each plane.
    block
        Nodes of a scalable unit, for the rule ``rail``.
    """
    planes = np.unique(leaves.plane)
    if ports.count % len(planes):
        message = f"{ports.count} ports of {ports.name} do not divide among {len(planes)} planes"
        raise InputError(Problem("rule", message, "use a multiple of the planes"))
    if (within == "rail") != (block is not None):
        raise InputError(Problem("block", "belongs to the rule rail inside the planes", 'write within = "rail" and block = …'))
    chosen = np.empty((ports.devices, ports.count), np.int64)
    for number, plane in enumerate(planes.tolist()):
        inside, own = np.flatnonzero(leaves.plane == plane), np.arange(number, ports.count, len(planes))
        given = Ports(ports.name, ports.devices, len(own), ports.names), leaves.only(inside)
        found = rail.attach(*given, block=block) if block is not None else {"fill": fill, "free": free}[within].attach(*given)
        chosen[:, own] = inside[found]
    return chosen
