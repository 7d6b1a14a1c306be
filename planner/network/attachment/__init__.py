"""Attachment of nodes to a network: the router of each of their ports; one file per rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.network.attachment._leaves import Leaves, Ports

__all__ = ["Leaves", "Ports", "attach"]


def attach(rule: str, ports: Ports, leaves: Leaves, **parameters: Any) -> np.ndarray:
    """Return the router of each port, int64 (devices, ports).

    Parameters
    ----------
    rule
        Name of the rule, see ``planner list attachment``, or a dotted module name.
    ports
        The ports to attach.
    leaves
        The routers that take them, with their free ports.
    **parameters
        Parameters of the rule.

    Raises
    ------
    InputError
        When there is no such rule, it does not suit the ports and routers, or a router has too few free ports.

    Examples
    --------
    Two scalable units of four nodes with two ports each: rail r of unit u is router 2 u + r.

    >>> leaves = Leaves(router=np.arange(4), free=np.full(4, 8))
    >>> attach("rail", Ports("dgx", 8, 2), leaves, block=4).tolist()
    [[0, 1], [0, 1], [0, 1], [0, 1], [2, 3], [2, 3], [2, 3], [2, 3]]
    """
    if not ports.count or not ports.devices:
        return np.zeros((ports.devices, ports.count), np.int64)
    if not len(leaves.router):
        raise InputError(Problem("", f"the network has no router for ports of {ports.name}", "give leaves free ports"))
    chosen = registry.function("attachment", rule)(ports, leaves, **parameters)
    over = np.bincount(chosen.ravel(), minlength=len(leaves.router)) - leaves.free
    if (over > 0).any():
        worst = int(np.argmax(over))
        message = (
            f"rule {rule} attaches {int(over[worst] + leaves.free[worst])} ports of {ports.name} to router "
            f"{int(leaves.router[worst])}, which has {int(leaves.free[worst])} free"
        )
        raise InputError(Problem("rule", message, "use fewer nodes or ports, more leaves, or another rule"))
    return leaves.router[chosen]
