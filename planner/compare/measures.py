"""The columns of a comparison: what each is called, in which unit it is shown, and what it means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from planner.compare.comparison import Simulation
from planner.compare.entries import BEST, Entry, saturation
from planner.compare.pareto import objectives, ranking
from planner.compare.running import Result


@dataclass(frozen=True)
class Measure:
    """A column.

    Attributes
    ----------
    name
        Of the figure, as in `planner.compare.entries.Figures`.
    factor
        What the figure is multiplied by to be shown.
    better
        ``"lower"``, ``"higher"``, or "" for a plain fact.
    """

    name: str
    title: str
    unit: str
    meaning: str
    better: str = ""
    factor: float = 1.0
    decimals: int = 0

    def value(self, entry: Entry) -> float | None:
        """Return the figure of a network in the unit that is shown; None where it has none."""
        found = entry.figures.get(self.name)
        return None if found is None else found * self.factor

    def text(self, entry: Entry) -> str:
        """Return the figure as it is shown."""
        found = self.value(entry)
        return "–" if found is None else f"{found:,.{self.decimals}f}"

    @property
    def head(self) -> str:
        """Title and unit."""
        return f"{self.title} ({self.unit})" if self.unit else self.title


@dataclass(frozen=True)
class Group:
    """Columns of one subject.

    Attributes
    ----------
    words
        Columns of text after the figures: their titles, and what stands there for a network.
    """

    title: str
    measures: tuple[Measure, ...]
    words: tuple[tuple[str, Callable[[Entry], str]], ...] = ()


def groups(result: Result) -> list[Group]:
    """Return all columns of a comparison by subject; traffics that were not simulated have none."""
    currency = result.catalog.currency
    found = [
        Group(
            "Network",
            (*_NETWORK, _ports(result.catalog.router.ports)),
            (("family", lambda entry: entry.case.family), ("parameters", lambda entry: entry.parameters)),
        ),
        Group("Room and cables", _CABLES),
        Group("Money, power, latency", (*_money(currency), *_LATENCY)),
        Group("Bisection", (*_BISECTION, *_per_bisection(currency))),
    ]
    if simulations := result.comparison.simulations:
        per = [each for simulation in simulations for each in _saturation(simulation, currency)]
        found.append(Group("Saturation", tuple(per)))
    return found


def summary(result: Result) -> Group:
    """Return the few columns that say most: size, cost, power, latency, bisection, saturation, and the place on the front."""
    shown = ["routers", "endpoints", "links", "cabinets", "stock_mm", "cost_per_endpoint_cents", "power_per_endpoint_mw"]
    shown += ["endpoint_delay_mean_ps", "bisection_lower_gbps", "bisection_upper_gbps"]
    shown += [saturation(simulation.label) for simulation in result.comparison.simulations]
    known = {each.name: each for group in groups(result) for each in group.measures}
    found = ranking(result.done, objectives(result))
    return Group("Summary", tuple(known[name] for name in shown), (("Pareto front", lambda entry: found.verdict(entry.label)),))


def best(measure: Measure, entries: Sequence[Entry]) -> float | None:
    """Return the best figure of a column; None where there is no better or worse, or all are alike.

    A plan that breaks design rules is not the best of any, but in the column that counts them.
    """
    sound = [entry for entry in entries if measure.name == "errors" or not entry.figures.get("errors")]
    found = [value for entry in sound if (value := measure.value(entry)) is not None]
    if not measure.better or len(set(found)) < 2:
        return None
    return min(found) if measure.better == "lower" else max(found)


_NETWORK = (
    Measure("routers", "routers", "", "routers"),
    Measure("endpoints", "endpoints", "", "endpoints"),
    Measure("endpoints_per_router", "at a router", "", "most endpoints at one router"),
    Measure(
        "endpoints_carried", "carried", "", "endpoints at a router that links carry by the rule of docs/compare.md", "", 1, 2
    ),
    Measure("radix", "radix", "", "most links of one router"),
    Measure("links", "links", "", "links between routers"),
    Measure("diameter", "diameter", "hops", "most hops between two routers", "lower"),
    Measure("mean_hops", "mean hops", "", "mean hops between different routers, those without endpoints too", "lower", 1, 3),
)

_CABLES = (
    Measure("cabinets", "cabinets", "", "cabinets for routers and endpoints", "lower"),
    Measure("cables_copper", "copper", "", "passive copper cables"),
    Measure("cables_active_copper", "active copper", "", "active copper cables"),
    Measure("cables_optical", "optical", "", "active optical cables, and transceivers with fiber", "lower"),
    Measure("run_mm", "run", "km", "way of all cables, links and endpoint cables", "lower", 1e-6, 2),
    Measure("stock_mm", "bought", "km", "length of all cables as bought", "lower", 1e-6, 2),
    Measure("longest_run_mm", "longest", "m", "longest way of a cable", "lower", 1e-3, 1),
    Measure("bundles", "bundles", "", "bundles between cabinets", "lower"),
    Measure("fullest_tray_percent", "fullest tray", "%", "share of the cross-section of the fullest tray segment", "lower", 1, 1),
    Measure("errors", "rules broken", "", "design rules that the independent verifier found broken", "lower"),
)

_LATENCY = (
    Measure("endpoint_delay_mean_ps", "latency", "ns", "mean delay between two endpoints without load", "lower", 1e-3),
    Measure("endpoint_delay_worst_ps", "worst", "ns", "largest such delay", "lower", 1e-3),
)

_BISECTION = (
    Measure(
        "bisection_lower_links", "bisection at least", "links", "no cut of the routers into halves has fewer links", "higher"
    ),
    Measure("bisection_upper_links", "bisection at most", "links", "links of the best cut into halves that was found", "higher"),
    Measure("bisection_lower_gbps", "bisection at least", "Tb/s", "rate of so many links in one direction", "higher", 1e-3, 1),
    Measure("bisection_upper_gbps", "bisection at most", "Tb/s", "rate of so many links in one direction", "higher", 1e-3, 1),
)


def _ports(of: int) -> Measure:
    """All networks share the router part, and so its ports."""
    return Measure("ports_used", f"ports used of {of}", "", "links and endpoints at the router that has most of them")


def _money(currency: str) -> tuple[Measure, ...]:
    return (
        Measure("cost_cents", "cost", f"million {currency}", "the whole bill", "lower", 1e-8, 2),
        Measure("cost_per_endpoint_cents", "cost", f"{currency}/endpoint", "the bill over the endpoints", "lower", 1e-2),
        Measure("power_mw", "power", "kW", "typical power of routers and both ends of all cables", "lower", 1e-6, 1),
        Measure("power_per_endpoint_mw", "power", "W/endpoint", "that over the endpoints", "lower", 1e-3, 1),
    )


def _per_bisection(currency: str) -> tuple[Measure, ...]:
    """The true bisection lies between the proven bound and the cut that was found, and so does what it costs."""
    least, most = "over the rate of the best cut that was found", "over the rate that every cut has at least"
    return (
        Measure(
            "cost_per_bisection_gbps_min_cents", "cost at least", f"{currency} per Gb/s", f"the bill {least}", "lower", 1e-2, 2
        ),
        Measure(
            "cost_per_bisection_gbps_max_cents", "cost at most", f"{currency} per Gb/s", f"the bill {most}", "lower", 1e-2, 2
        ),
        Measure("power_per_bisection_gbps_min_mw", "power at least", "W per Gb/s", f"power {least}", "lower", 1e-3, 3),
        Measure("power_per_bisection_gbps_max_mw", "power at most", "W per Gb/s", f"power {most}", "lower", 1e-3, 3),
    )


def _saturation(simulation: Simulation, currency: str) -> list[Measure]:
    """One column for each routing, and what the best of them is derived."""
    traffic, routings = simulation.label, simulation.routings
    share = "share of injection"
    meaning = f"load accepted {_when(simulation)}, {traffic} traffic, {{}}: 1 is all that endpoints can send"
    found = []
    if len(routings) > 1:
        found = [
            Measure(saturation(traffic, each), f"{traffic}, {each}", share, meaning.format(f"{each} routing"), "higher", 1, 3)
            for each in routings
        ]
    name, how = (BEST, "best of these routings") if len(routings) > 1 else (routings[0], f"{routings[0]} routing")
    gbps, all_gbps = f"what all endpoints together receive then, {traffic} traffic", f"saturation_{traffic}_gbps"
    cost, power = f"cost_per_saturation_{traffic}_gbps_cents", f"power_per_saturation_{traffic}_gbps_mw"
    found += [
        Measure(saturation(traffic), f"{traffic}, {name}", share, meaning.format(how), "higher", 1, 3),
        Measure(all_gbps, traffic, "Tb/s", gbps, "higher", 1e-3, 1),
        Measure(cost, traffic, f"{currency} per Gb/s", f"the bill over {gbps}", "lower", 1e-2, 2),
        Measure(power, traffic, "W per Gb/s", f"power over {gbps}", "lower", 1e-3, 3),
    ]
    return found


def _when(simulation: Simulation) -> str:
    """At which load a simulation reads what is accepted."""
    if simulation.section["saturation"]:
        return "at saturation"
    loads = simulation.section.get("loads", ())
    return f"when load {loads[0]:g} is offered" if len(loads) == 1 else "at most, of all loads that are simulated"
