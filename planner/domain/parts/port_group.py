"""Groups of ports of a device that have one connector, rate and purpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from planner.core.errors import Problem
from planner.domain.parts.row import Name, NonNegative, Positive

Optics = Literal["", "built-in", "linear"]


@dataclass(frozen=True, kw_only=True)
class PortGroup:
    """Ports of a device that have one connector, rate and purpose: compute, storage, uplink, mgmt …

    Parameters
    ----------
    name
        Name of the group, unique within the device.
    count
        Number of ports.
    ports_per_cage
        Number of ports of one physical socket.
    connector
        Socket, as cables and transceivers name it.
    rate_gbps
        Rate of one port.
    card
        Network card of each port, counted from 0 over the whole device; empty where every port has a card of its own, or the
        device has none.
    side
        Side of the cabinet; empty: the port side of the device.
    optics
        ``"built-in"``: the optics are part of the device and its socket takes a fiber; ``"linear"``: the device drives linear
        modules, which have no signal processor, as well as others; empty: neither.
    """

    __pydantic_config__ = {"extra": "forbid"}

    name: Name
    count: Positive
    ports_per_cage: Positive = 1
    connector: Name
    rate_gbps: Positive
    card: tuple[NonNegative, ...] = ()
    side: Literal["", "front", "rear"] = ""
    optics: Optics = ""

    @property
    def cages(self) -> int:
        """Number of physical sockets."""
        return self.count // self.ports_per_cage

    def problems(self) -> Iterator[Problem]:
        """Yield problems of the group; the place is the key."""
        if self.count % self.ports_per_cage:
            message = f"{self.count} ports of group {self.name} do not fill cages of {self.ports_per_cage}"
            yield Problem("ports_per_cage", message, "count must be a multiple of ports_per_cage")
        if self.card and len(self.card) != self.count:
            message = f"{len(self.card)} cards for {self.count} ports of group {self.name}"
            yield Problem("card", message, "give the card of each port, or none")
