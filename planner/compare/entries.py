"""What became of each network of a comparison: its figures, and what money and power buy."""

from __future__ import annotations

from dataclasses import dataclass, field

from planner.compare.candidate import in_words
from planner.compare.cases import Case
from planner.model import Catalog, Plan

Figures = dict[str, float]
"""From the name of a figure, which ends with its unit, to its value; what a network lacks is missing."""

BEST = "best"
"""In place of a routing: the highest throughput over all of them."""


@dataclass(frozen=True)
class Entry:
    """One network of a comparison and what became of it.

    Attributes
    ----------
    status
        ``done``, ``infeasible``, ``failed`` or ``killed``, as the table of a sweep says it.
    message
        Why it is not done, or what its plan warns of.
    figures
        The quantities of its plan (see `planner.quantities`), and those of `planner.compare.entries.derived`.
    left_out
        From traffic and routing to the reason why it could not be simulated.
    floor
        What stands where: a plan without its cables. None where it is not done.
    """

    case: Case
    status: str
    message: str = ""
    figures: Figures = field(default_factory=dict)
    left_out: dict[tuple[str, str], str] = field(default_factory=dict)
    floor: Plan | None = None

    @property
    def label(self) -> str:
        return self.case.label

    @property
    def done(self) -> bool:
        return self.status == "done"

    @property
    def parameters(self) -> str:
        """The parameters of the family in words."""
        return in_words(self.case.parameters)


def saturation(traffic: str, routing: str = BEST) -> str:
    """Return the name of the figure of a traffic's throughput at saturation."""
    return f"saturation_{traffic}_{routing}"


def derived(figures: Figures, catalog: Catalog, traffics: dict[str, tuple[str, ...]]) -> Figures:
    """Return what follows from the figures of a plan and its throughputs.

    Parameters
    ----------
    traffics
        From each traffic to its routings.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> catalog = SimpleNamespace(router=SimpleNamespace(rate_gbps=100))
    >>> plan = {"endpoints": 10, "cost_cents": 6000, "power_mw": 300}
    >>> simulated = {"saturation_uniform_minimal": 0.5, "saturation_uniform_ugal": 0.6}
    >>> found = derived(plan | simulated, catalog, {"uniform": ("minimal", "ugal")})
    >>> found["saturation_uniform_best"], found["saturation_uniform_gbps"], found["cost_per_saturation_uniform_gbps_cents"]
    (0.6, 600.0, 10.0)
    """
    found: Figures = {}
    rate = catalog.router.rate_gbps
    for end in ("lower", "upper"):
        if (links := figures.get(f"bisection_{end}_links")) is not None:
            found[f"bisection_{end}_gbps"] = links * rate
    for traffic, routings in traffics.items():
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
