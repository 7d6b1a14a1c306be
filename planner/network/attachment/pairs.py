"""The ports of a node on neighboring routers: dual-homed nodes on pairs of leaves, in turn."""

from __future__ import annotations

import numpy as np

from planner.core.errors import InputError, Problem
from planner.network.attachment._leaves import Leaves, Ports


def attach(ports: Ports, leaves: Leaves) -> np.ndarray:
    """Attach port r of node i to leaf p (i mod L/p) + r, for p ports and L leaves."""
    sets, rest = divmod(len(leaves.router), ports.count)
    if rest or ports.count < 2:
        message = f"{len(leaves.router)} leaves do not form sets of {ports.count}, the ports of {ports.name}"
        raise InputError(Problem("rule", message, "use a multiple of the ports, at least two, or the rule fill"))
    return ports.count * (np.arange(ports.devices)[:, None] % sets) + np.arange(ports.count)
