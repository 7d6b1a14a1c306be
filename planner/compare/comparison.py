"""What is compared: the records of a checked comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Lt, MinLen

from planner.compare.candidate import Demand
from planner.compare.candidates import all_families

SECTIONS = ("catalog", "room", "placement", "cabling", "work", "bill", "latency")
"""The sections that all networks share; they are those of a study."""

Objective = Literal["cost", "power", "latency", "saturation"]
Count = Annotated[int, Ge(1)]


@dataclass(frozen=True)
class Head:
    """The keys of a comparison outside its tables.

    Attributes
    ----------
    endpoints
        How many are wanted, or from how many to how many; needed to choose configurations of families.
    families
        Of these the best-fitting configuration is chosen; ``"all"``, or none where networks are written out.
    trimmed
        Whether endpoints above the number that is wanted are left out.
    oversubscription
        How many times as much as the links carry all endpoints may send.
    quick
        Less placement; of the simulations the first with its first routing, for fewer cycles.
    objectives
        What the Pareto front is about.
    formats
        What is written: files of `planner.compare.outputs`.
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
    """A network that is written out: its name in the comparison, and its sections in place of the common ones."""

    label: str
    sections: dict[str, Any]


@dataclass(frozen=True)
class Simulation:
    """One traffic, simulated under several routings; those that a network cannot have are left out with their reason."""

    label: str
    routings: tuple[str, ...]
    section: dict[str, Any]


@dataclass(frozen=True)
class Comparison:
    """A comparison.

    Attributes
    ----------
    base
        Folder that relative paths start from.
    sections
        Those that all networks share, as written.
    file
        Where it was read; empty where values alone describe it.
    """

    head: Head
    base: Path
    sections: dict[str, Any] = field(default_factory=dict)
    networks: tuple[Network, ...] = ()
    simulations: tuple[Simulation, ...] = ()
    file: str = ""

    @property
    def families(self) -> list[str]:
        """The families of which a configuration is chosen."""
        chosen = self.head.families
        if chosen is None:
            chosen = () if self.networks else "all"
        return all_families() if chosen == "all" else list(chosen)

    @property
    def demand(self) -> Demand:
        """How many endpoints are wanted."""
        head = self.head
        least, most = head.endpoints if isinstance(head.endpoints, tuple) else (head.endpoints or 1, None)
        return Demand(least, most, head.oversubscription, head.trimmed)
