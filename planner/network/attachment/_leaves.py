"""What an attachment rule is given: ports to attach, and the routers that take them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.errors import InputError, Problem


@dataclass(frozen=True)
class Ports:
    """Ports to attach: those of one group of `devices` equal devices, `count` of each.

    Attributes
    ----------
    name
        Name of the devices in messages.
    names
        Name of each device, for rules that refer to single devices.
    """

    name: str
    devices: int
    count: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Leaves:
    """Routers that take ports.

    Attributes
    ----------
    router, free
        Routers and their free ports, int64 (L,).
    plane
        Plane of each router, int64 (L,); by default all are in one.
    names
        Names of the routers in the file of their network; () where they are their numbers.
    """

    router: np.ndarray
    free: np.ndarray
    plane: np.ndarray = None  # type: ignore[assignment]  # all in one plane, see __post_init__
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.plane is None:
            object.__setattr__(self, "plane", np.zeros(len(self.router), np.int64))

    def only(self, chosen: np.ndarray) -> Leaves:
        """Return some of the routers, by their positions."""
        names = tuple(self.names[place] for place in np.arange(len(self.router))[chosen].tolist()) if self.names else ()
        return Leaves(self.router[chosen], self.free[chosen], self.plane[chosen], names)


def filled(ports: int, leaves: Leaves, per_leaf: int | None = None) -> np.ndarray:
    """Return the positions of leaves for some ports, in order, each leaf up to its free ports; int64 (ports,).

    Raises
    ------
    InputError
        When there are too few free ports.
    """
    free = leaves.free if per_leaf is None else np.minimum(leaves.free, per_leaf)
    if ports > free.sum():
        message = f"{ports:,} ports, but the routers have {int(free.sum()):,} free"
        raise InputError(Problem("rule", message, "use fewer nodes or ports, or more leaves"))
    return np.repeat(np.arange(len(free)), free)[:ports]
