"""Devices with ports: of management, and of networks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

from planner.core.errors import Problem
from planner.domain.parts.faceplate import Face, SocketBlock, face, problems
from planner.domain.parts.port_group import PortGroup
from planner.domain.parts.row import Goods, Positive, Share

Side = Literal["front", "rear"]

UNDECLARED = "ports"
"""Name of the group of the ports of a box that declares no groups."""

MANAGEMENT = "mgmt"
"""Name of the group of management ports of every device."""


@dataclass(frozen=True, kw_only=True)
class Managed(Goods):
    """A device that may have one port for management, of its own or in a group.

    `mgmt_connector` is the socket of its management port, empty where it has none or its maker states none; `mgmt_rate_gbps`
    is the rate of the cable of that port.
    """

    freestanding: ClassVar[bool] = False
    """Whether it takes a slot of the floor by itself."""

    mgmt_connector: str = ""
    mgmt_rate_gbps: Positive = 1

    @property
    def groups(self) -> tuple[PortGroup, ...]:
        """Every port group of the device; the management port is the group ``"mgmt"``."""
        if not self.mgmt_connector:
            return ()
        return (PortGroup(name=MANAGEMENT, count=1, connector=self.mgmt_connector, rate_gbps=self.mgmt_rate_gbps),)

    @property
    def port_names(self) -> tuple[str, ...]:
        """Names of all ports as printed on the device.

        They are numbers where it declares no groups, otherwise the name of the group, with a number where it has several ports.
        """
        return tuple(
            str(n) if group.name == UNDECLARED else group.name if group.count == 1 else f"{group.name}/{n}"
            for group in self.groups
            for n in range(1, group.count + 1)
        )

    def face(self, side: Side) -> Face:
        """Return the sockets at one side of the device, as rows and columns."""
        return face(self.groups, self._blocks, side)

    @property
    def _blocks(self) -> tuple[SocketBlock, ...]:
        """Return the blocks of sockets that the row states."""
        return ()


@dataclass(frozen=True, kw_only=True)
class Ported(Managed):
    """A box with ports at one side of its cabinet.

    `port` lists its port groups; without any, its ports are one group ``"ports"``. `faceplate` lists blocks of sockets as the box
    has them; groups without a block are drawn in usual rows and columns. `liquid_share` is the share of its heat that
    direct liquid cooling removes. Where it is not stated, it is all of the heat of a box without airflow, and nothing for others.
    """

    port: tuple[PortGroup, ...] = ()
    faceplate: tuple[SocketBlock, ...] = ()
    port_side: Side = "rear"
    liquid_share: Share | None = None

    @property
    def rear(self) -> int:
        """1 where the ports are at the rear of the cabinet, 0 at the front."""
        return int(self.port_side == "rear")

    @cached_property
    def groups(self) -> tuple[PortGroup, ...]:
        """Every port group of the box with its side, the management port last."""
        groups = (*(self.port or self._undeclared()), *super().groups)
        return tuple(replace(group, side=group.side or self.port_side) for group in groups)

    @property
    def _blocks(self) -> tuple[SocketBlock, ...]:
        return self.faceplate

    def _undeclared(self) -> tuple[PortGroup, ...]:
        """Return the ports of a box that declares no groups."""
        return ()

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from problems(self.groups, self.faceplate)
        names = [group.name for group in self.port]
        for number, group in enumerate(self.port):
            place = f"port.{number}"
            if group.name in names[:number]:
                yield Problem(f"{place}.name", f"there are two port groups {group.name!r}", "give each group its own name")
            for problem in group.problems():
                yield Problem(f"{place}.{problem.place}", problem.message, problem.remedy)
        if self.mgmt_connector and MANAGEMENT in names:
            message = f"{self.mgmt_connector!r} and the port group {MANAGEMENT!r} both declare management ports"
            yield Problem("mgmt_connector", message, "keep one of the two")


def offers_problems(groups: tuple[PortGroup, ...], key: str, count: int, connector: str, rate_gbps: int) -> Iterator[Problem]:
    """Yield a problem when the declared groups have fewer ports with this connector and rate."""
    alike = sum(group.count for group in groups if (group.connector, group.rate_gbps) == (connector, rate_gbps))
    if groups and count > alike:
        listing = ", ".join(f"{group.count} {group.connector} at {group.rate_gbps} Gb/s ({group.name})" for group in groups)
        message = f"the port groups have {alike} ports {connector} at {rate_gbps} Gb/s, not {count}"
        yield Problem(key, message, f"there are {listing}: correct {key}, connector or rate_gbps")
