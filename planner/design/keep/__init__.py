"""What is built stays: devices of an older plan keep their places, and their cables ports, parts, lengths, routes and labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from planner.design.keep.match import kept as kept
from planner.design.keep.network import MEMBER
from planner.design.keep.network import continued as continued
from planner.design.keep.old import Old as Old
from planner.design.keep.old import old_plan as old_plan
from planner.domain.model.project import Line
from planner.domain.parts import Name, Positive


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """Devices by cabinet, network and role: those of any of them; see [plans that are built](method/keep.md).

    Parameters
    ----------
    cabinets
        Names of cabinets in the kept plan.
    networks
        Names of networks: their routers.
    roles
        Names of roles, such as ``leaf``.
    """

    __pydantic_config__ = {"extra": "forbid"}

    cabinets: tuple[Name, ...] = ()
    networks: tuple[Name, ...] = ()
    roles: tuple[Name, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.cabinets or self.networks or self.roles)


NOTHING = Chosen()


@dataclass(frozen=True, kw_only=True)
class Replacement:
    """Devices of the kept plan that others of another part replace, in the same place and with the same name.

    Parameters
    ----------
    device
        Name of the device, or a list of names.
    part
        Its part in this study; other devices of its role may have others.
    ports
        Its port for each port of the kept plan, as printed: ``{ 1 = 33, 2 = 34 }``; other ports keep their number in the group of
        their name.
    serial
        Serial number of the device that is taken out, for the replacement sheet.
    reason
        Why it is replaced, for the replacement sheet.
    """

    __pydantic_config__ = {"extra": "forbid"}

    device: Name | tuple[Name, ...]
    part: Name
    ports: dict[str, Positive] = field(default_factory=dict)
    serial: Line = ""
    reason: Line = ""

    @property
    def devices(self) -> tuple[str, ...]:
        return (self.device,) if isinstance(self.device, str) else self.device


def keep(
    plan: Path,
    frozen: Chosen = NOTHING,
    movable: Chosen = NOTHING,
    overflow: tuple[Name, ...] = (),
    shrink: bool = False,
    growth: Name = MEMBER,
    replace: tuple[Replacement, ...] = (),
) -> None:
    """Declare the keys of the section [keep].

    Parameters
    ----------
    plan
        Plan that is built: its folder, or its cable schedule in CSV, such as the verified as-built one, or as workbook.
    frozen
        Devices that must not move: ``{ cabinets, networks, roles }``; by default all devices of the kept plan.
    movable
        Devices among these that may move, by the same keys. Their cables keep their ports.
    overflow
        Cabinets of the kept plan that new devices may use where they do not fit into the cabinets of their own set.
    shrink
        Whether devices of the kept plan may be missing in this one.
    growth
        How the network continues the kept one: ``member``, with the minimum of links that are taken out; a method of growth, see
        ``planner list growth``; ``none``, as the topology has it.
    replace
        Devices that are replaced by others of another part: ``{ device, part, ports }``.
    """
