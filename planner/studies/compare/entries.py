"""Entries of a comparison: the figures of each network, and figures derived from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from planner.domain.model import Catalog
from planner.studies.compare.cases import Case
from planner.studies.compare.phase_costs import PhaseCost
from planner.studies.explore.candidate import parameter_text

Figures = dict[str, float]
"""Figures by name, which ends with the unit; figures that a network does not have are missing."""

BEST = "best"
"""Pseudo-routing for the maximum throughput over all routings."""


@dataclass(frozen=True)
class Entry:
    """Result of one network of a comparison.

    Attributes
    ----------
    status
        ``done``, ``infeasible``, ``failed`` or ``killed``, as in a sweep table.
    message
        Reason if it is not done, or warnings of its plan.
    figures
        The quantities of its plan (see `planner.domain.quantities`), and those of `planner.studies.compare.entries.derived`.
    left_out
        Reasons for missing simulations by traffic pattern and routing.
    phases
        What each phase changes and costs; () for a machine that is bought at once.
    no_growth
        Reason if its phases could not be planned.
    floor
        Plan without cables, for drawing the floor; None if it is not done.
    """

    case: Case
    status: str
    message: str = ""
    figures: Figures = field(default_factory=dict)
    left_out: dict[tuple[str, str], str] = field(default_factory=dict)
    floor: Any = None
    phases: tuple[PhaseCost, ...] = ()
    no_growth: str = ""

    @property
    def label(self) -> str:
        return self.case.label

    @property
    def done(self) -> bool:
        return self.status == "done"

    @property
    def parameters(self) -> str:
        """Parameters of the family as text."""
        return parameter_text(self.case.parameters)


def saturation(traffic: str, routing: str = BEST) -> str:
    """Return the name of the saturation throughput for a traffic pattern and routing."""
    return f"saturation_{traffic}_{routing}"


def derived(figures: Figures, catalog: Catalog, traffic_routings: dict[str, tuple[str, ...]]) -> Figures:
    """Return figures derived from those of a plan and its throughputs.

    Parameters
    ----------
    traffic_routings
        Routings of each traffic pattern.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> catalog = SimpleNamespace(router_part=SimpleNamespace(rate_gbps=100))
    >>> plan = {"endpoints": 10, "cost_cents": 6000, "power_mw": 300}
    >>> simulated = {"saturation_uniform_minimal": 0.5, "saturation_uniform_ugal": 0.6}
    >>> found = derived(plan | simulated, catalog, {"uniform": ("minimal", "ugal")})
    >>> found["saturation_uniform_best"], found["saturation_uniform_gbps"], found["cost_per_saturation_uniform_gbps_cents"]
    (0.6, 600.0, 10.0)
    """
    found: Figures = {}
    rate = catalog.router_part.rate_gbps
    for end in ("lower", "upper"):
        if (links := figures.get(f"bisection_{end}_links")) is not None:
            found[f"bisection_{end}_gbps"] = links * rate
    for traffic, routings in traffic_routings.items():
        reached = [figures[name] for routing in routings if (name := saturation(traffic, routing)) in figures]
        if not reached:
            continue
        gbps = max(reached) * figures["endpoints"] * rate
        found[saturation(traffic)] = max(reached)
        found[f"saturation_{traffic}_gbps"] = gbps
        if gbps:
            found[f"cost_per_saturation_{traffic}_gbps_cents"] = figures["cost_cents"] / gbps
            found[f"power_per_saturation_{traffic}_gbps_mw"] = figures["power_mw"] / gbps
    return found
