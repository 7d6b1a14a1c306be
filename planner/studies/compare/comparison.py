"""Records of a checked comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Lt, MinLen

from planner.studies.explore.candidate import Demand
from planner.studies.explore.candidates import all_families

SECTIONS = ("catalog", "room", "placement", "cabling", "work", "bill", "latency")
"""Sections of a study that all networks share."""

Objective = Literal["cost", "growth", "power", "latency", "saturation"]
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
    packets
        Networks to simulate: ``"all"``, or ``"front"`` for those that the flow-level model leaves a chance on the Pareto front.
    objectives
        Objectives of the Pareto front.
    formats
        Output formats; see `planner.studies.compare.outputs`.
    """

    name: Annotated[str, MinLen(1)] = ""
    title: str = ""
    seed: Annotated[int, Ge(0)] = 1
    endpoints: Count | tuple[Count, Count] | None = None
    families: Literal["all"] | tuple[str, ...] | None = None
    trimmed: bool = False
    oversubscription: Annotated[float, Ge(1), Lt(inf)] = 1.0
    quick: bool = False
    packets: Literal["all", "front"] = "all"
    objectives: Annotated[tuple[Objective, ...], MinLen(1)] = ("cost", "power", "latency", "saturation")
    formats: tuple[str, ...] = ("csv", "json", "md", "svg", "pdf", "html")


@dataclass(frozen=True)
class Network:
    """An explicit network: its label, and its sections that override the common ones.

    Attributes
    ----------
    changes
        Keys of the study that have another value in each phase, where the machine is bought in phases.
    """

    label: str
    sections: dict[str, Any]
    changes: tuple[dict[str, Any], ...] = ()

    @property
    def last(self) -> dict[str, Any]:
        """The sections of the last phase."""
        return changed(self.sections, self.changes[-1]) if self.changes else self.sections


def changed(sections: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Return sections with changes of one phase, whose keys are dotted or tables.

    >>> changed({"topology": {"a": 4, "groups": 5}}, {"topology.groups": 9})
    {'topology': {'a': 4, 'groups': 9}}
    """
    found = dict(sections)
    for key, value in change.items():
        first, _, rest = key.partition(".")
        own = found.get(first)
        if rest:
            found[first] = changed(own if isinstance(own, dict) else {}, {rest: value})
        else:
            found[first] = own | value if isinstance(own, dict) and isinstance(value, dict) else value
    return found


@dataclass(frozen=True, kw_only=True)
class Phase:
    """A phase in which a part of the machine is bought.

    Attributes
    ----------
    year
        Year in which it is bought; the first one is the base of prices.
    endpoints
        Required number of endpoints from then on; needed to choose configurations of families.
    """

    year: Annotated[int, Ge(1), Lt(10_000)]
    endpoints: Count | None = None


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Yearly rates of the cost over the years.

    Attributes
    ----------
    discount
        Discount rate of later payments: 0.05 is 5 % a year.
    price_change
        Change of the prices of parts a year: -0.03 if they fall by 3 %.
    labor_change
        Change of the price of labor a year.
    """

    discount: Annotated[float, Gt(-1), Lt(inf)] = 0.0
    price_change: Annotated[float, Gt(-1), Lt(inf)] = 0.0
    labor_change: Annotated[float, Gt(-1), Lt(inf)] = 0.0

    def present(self, cents: int, years: int, *, labor: bool = False) -> float:
        """Return the present value of a price of the first year that is paid some years later.

        >>> round(Rates(discount=0.05).present(100_00, 2))
        9070
        """
        change = self.labor_change if labor else self.price_change
        return cents * ((1 + change) / (1 + self.discount)) ** years


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
    phases
        Phases in which the machine is bought; () if it is bought at once.
    growth
        Keys of the section ``[growth]`` of the studies with phases.
    rates
        Yearly rates of the cost over the years.
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
    phases: tuple[Phase, ...] = ()
    growth: dict[str, Any] = field(default_factory=dict)
    rates: Rates = Rates()
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
        """Required number of endpoints, in the last phase if there are several."""
        head = self.head
        if self.phases:
            return Demand(self.phases[-1].endpoints or 1, None, head.oversubscription)
        minimum, maximum = head.endpoints if isinstance(head.endpoints, tuple) else (head.endpoints or 1, None)
        return Demand(minimum, maximum, head.oversubscription, head.trimmed)
