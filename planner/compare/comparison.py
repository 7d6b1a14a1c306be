"""Records of a checked comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Lt, MinLen

from planner.compare.candidate import Demand
from planner.compare.candidates import all_families

SECTIONS = ("catalog", "room", "placement", "cabling", "work", "bill", "latency")
"""Sections of a study that all networks share."""

Objective = Literal["cost", "power", "latency", "saturation"]
Count = Annotated[int, Ge(1)]


@dataclass(frozen=True)
class Head:
    """Keys of a comparison outside its tables.

    Attributes
    ----------
    endpoints
        Required number, or a range; needed to choose configurations of families.
    families
        Families to choose configurations of, or ``"all"``; by default all, or none if there are explicit networks.
    trimmed
        Whether surplus endpoints are removed.
    oversubscription
        Allowed ratio of the injection rate of all endpoints to the link capacity.
    quick
        Whether to reduce placement effort and run only the first simulation with its first routing, for fewer cycles.
    objectives
        Objectives of the Pareto front.
    formats
        Output formats; see `planner.compare.outputs`.
    """

    name: Annotated[str, MinLen(1)] = ""
    title: str = ""
    seed: Annotated[int, Ge(0)] = 1
    endpoints: Count | tuple[Count, Count] | None = None
    families: Literal["all"] | tuple[str, ...] | None = None
    trimmed: bool = False
    oversubscription: Annotated[float, Ge(1), Lt(inf)] = 1.0
    quick: bool = False
    objectives: Annotated[tuple[Objective, ...], MinLen(1)] = ("cost", "power", "latency", "saturation")
    formats: tuple[str, ...] = ("csv", "json", "md", "svg", "pdf", "html")


@dataclass(frozen=True)
class Network:
    """An explicit network: its label, and its sections that override the common ones."""

    label: str
    sections: dict[str, Any]


@dataclass(frozen=True)
class Simulation:
    """One traffic pattern with several routings; routings that do not apply to a network are left out."""

    label: str
    routings: tuple[str, ...]
    section: dict[str, Any]


@dataclass(frozen=True)
class Comparison:
    """A comparison.

    Attributes
    ----------
    base
        Folder that relative paths refer to.
    sections
        Sections shared by all networks, as in the file.
    file
        Source file; empty for a comparison given by overrides alone.
    """

    head: Head
    base: Path
    sections: dict[str, Any] = field(default_factory=dict)
    networks: tuple[Network, ...] = ()
    simulations: tuple[Simulation, ...] = ()
    file: str = ""

    @property
    def families(self) -> list[str]:
        """Families to choose configurations of."""
        chosen = self.head.families
        if chosen is None:
            chosen = () if self.networks else "all"
        return all_families() if chosen == "all" else list(chosen)

    @property
    def demand(self) -> Demand:
        """Required number of endpoints."""
        head = self.head
        minimum, maximum = head.endpoints if isinstance(head.endpoints, tuple) else (head.endpoints or 1, None)
        return Demand(minimum, maximum, head.oversubscription, head.trimmed)
