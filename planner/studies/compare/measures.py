"""Columns of a comparison: titles, units and meanings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from planner.studies.compare.comparison import Rates, Simulation
from planner.studies.compare.entries import BEST, Entry, saturation
from planner.studies.compare.pareto import objectives, ranking
from planner.studies.compare.running import Result


@dataclass(frozen=True)
class Measure:
    """A column.

    Attributes
    ----------
    name
        Name of the figure, as in `planner.studies.compare.entries.Figures`.
    factor
        Factor from the figure to the displayed unit.
    better
        ``"lower"``, ``"higher"``, or "" if neither is better.
    """

    name: str
    title: str
    unit: str
    meaning: str
    better: str = ""
    factor: float = 1.0
    decimals: int = 0

    def value(self, entry: Entry) -> float | None:
        """Return the figure of a network in the displayed unit; None if missing."""
        found = entry.figures.get(self.name)
        return None if found is None else found * self.factor

    def text(self, entry: Entry) -> str:
        """Return the figure as displayed."""
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
        Text columns after the figures: title and function that returns the text of a network.
    """

    title: str
    measures: tuple[Measure, ...]
    words: tuple[tuple[str, Callable[[Entry], str]], ...] = ()


def groups(result: Result) -> list[Group]:
    """Return all columns of a comparison by subject."""
    currency = result.catalog.currency
    found = [
        Group(
            "Network",
            (*_NETWORK, _ports(result.catalog.router_part.ports)),
            (("family", lambda entry: entry.case.family), ("parameters", lambda entry: entry.parameters)),
        ),
        Group("Room and cables", _CABLES),
        Group("Money, power, latency", (*_money(currency), *_LATENCY)),
        Group("Bisection", (*_BISECTION, *_per_bisection(currency))),
    ]
    if result.comparison.phases:
        found[3:3] = _growth(result)
    if simulations := result.comparison.simulations:
        per = [each for simulation in simulations for each in saturation_measures(simulation, currency)]
        found.append(Group("Saturation", tuple(per)))
    return found


def summary(result: Result) -> Group:
    """Return the key columns: size, cost, power, latency, bisection, saturation, and the verdict on the front."""
    costs = ["growth_cost_cents", "growth_moved_links"] if result.comparison.phases else []
    shown = ["routers", "endpoints", "links", "cabinets", "stock_mm", *costs, "cost_per_endpoint_cents", "power_per_endpoint_mw"]
    shown += ["endpoint_delay_mean_ps", "bisection_lower_gbps", "bisection_upper_gbps"]
    shown += [saturation(simulation.label) for simulation in result.comparison.simulations]
    known = {each.name: each for group in groups(result) for each in group.measures}
    found = ranking(result.done, objectives(result))
    return Group("Summary", tuple(known[name] for name in shown), (("Pareto front", lambda entry: found.verdict(entry.label)),))


def best(measure: Measure, entries: Sequence[Entry]) -> float | None:
    """Return the best figure of a column; None if neither direction is better, or all are equal.

    A plan that violates design rules is not the best, except in the column that counts violations.
    """
    sound = [entry for entry in entries if measure.name == "errors" or not entry.figures.get("errors")]
    found = [value for entry in sound if (value := measure.value(entry)) is not None]
    if not measure.better or len(set(found)) < 2:
        return None
    return min(found) if measure.better == "lower" else max(found)


_NETWORK = (
    Measure("routers", "routers", "", "routers"),
    Measure("endpoints", "endpoints", "", "endpoints"),
    Measure("endpoints_per_router", "at a router", "", "maximum number of endpoints at a router"),
    Measure("endpoints_carried", "carried", "", "limit of endpoints at a router by the rule of docs/compare.md", "", 1, 2),
    Measure("radix", "radix", "", "maximum number of links of a router"),
    Measure("links", "links", "", "links between routers"),
    Measure("diameter", "diameter", "hops", "maximum number of hops between two routers", "lower"),
    Measure(
        "mean_hops", "mean hops", "", "mean hops between different routers, including those without endpoints", "lower", 1, 3
    ),
)

_CABLES = (
    Measure("cabinets", "cabinets", "", "cabinets for routers and endpoints", "lower"),
    Measure("cables_copper", "copper", "", "passive copper cables"),
    Measure("cables_active_copper", "active copper", "", "active copper cables"),
    Measure("cables_optical", "optical", "", "active optical cables, and transceivers with fiber", "lower"),
    Measure("run_mm", "run", "km", "total run length of links and endpoint cables", "lower", 1e-6, 2),
    Measure("stock_mm", "bought", "km", "total stock length of all cables", "lower", 1e-6, 2),
    Measure("longest_run_mm", "longest", "m", "longest run length of a cable", "lower", 1e-3, 1),
    Measure("bundles", "bundles", "", "bundles between cabinets", "lower"),
    Measure("fullest_tray_percent", "fullest tray", "%", "share of the cross-section of the fullest tray segment", "lower", 1, 1),
    Measure("errors", "violations", "", "design rules violated according to the independent verifier", "lower"),
)

_LATENCY = (
    Measure("endpoint_delay_mean_ps", "latency", "ns", "mean zero-load delay between two endpoints", "lower", 1e-3),
    Measure("endpoint_delay_worst_ps", "worst", "ns", "maximum zero-load delay between two endpoints", "lower", 1e-3),
)

_BISECTION = (
    Measure(
        "bisection_lower_links",
        "bisection at least",
        "links",
        "proven lower bound of the links between two halves of the routers",
        "higher",
    ),
    Measure("bisection_upper_links", "bisection at most", "links", "links of the best cut into halves found", "higher"),
    Measure("bisection_lower_gbps", "bisection at least", "Tb/s", "rate of these links in one direction", "higher", 1e-3, 1),
    Measure("bisection_upper_gbps", "bisection at most", "Tb/s", "rate of these links in one direction", "higher", 1e-3, 1),
)


def _ports(of: int) -> Measure:
    """Return the column of used ports of the shared router part."""
    return Measure("ports_used", f"ports used of {of}", "", "maximum number of links and endpoints at a router")


def _money(currency: str) -> tuple[Measure, ...]:
    return (
        Measure("cost_cents", "cost", f"million {currency}", "total of the bill", "lower", 1e-8, 2),
        Measure("cost_per_endpoint_cents", "cost", f"{currency}/endpoint", "total of the bill per endpoint", "lower", 1e-2),
        Measure("power_mw", "power", "kW", "typical power of routers and both ends of all cables", "lower", 1e-6, 1),
        Measure("power_per_endpoint_mw", "power", "W/endpoint", "typical power per endpoint", "lower", 1e-3, 1),
    )


def _growth(result: Result) -> list[Group]:
    """Return the columns of a machine that is bought in phases: its cost over the years, what moves, and each phase."""
    currency, comparison = result.catalog.currency, result.comparison
    phases, rates = comparison.phases, comparison.rates
    first, last = phases[0].year, phases[-1].year
    million, thousand = f"million {currency}", f"thousand {currency}"
    of_change = "of all changes from phase to phase"
    at_rates = f"at prices of {first}" if rates == Rates() else f"as present value of {first} at the rates of [growth]"
    once = "parts and labor of the last phase, bought on day one"
    grown_hops = "mean hops of the network that has grown to the last phase"
    whole = (
        Measure("growth_cost_cents", f"cost {first}–{last}", million, f"parts and labor, {at_rates}", "lower", 1e-8, 3),
        Measure(_GROWTH_COST, "cost", f"{currency}/endpoint", "the same per endpoint of the last phase", "lower", 1e-2),
        Measure("growth_parts_cents", "parts", million, "new parts of all phases", "lower", 1e-8, 3),
        Measure("growth_labor_cents", "labor", thousand, "labor of all phases", "lower", 1e-5, 1),
        Measure("growth_change_labor_cents", "labor of changes", thousand, f"labor {of_change}", "lower", 1e-5, 1),
        Measure("growth_labor_s", "work of changes", "person-hours", f"time of the labor {of_change}", "lower", 1 / 3600, 1),
        Measure("day_one_cost_cents", f"all in {first}", million, once, "lower", 1e-8, 3),
        Measure("growth_saved_cents", "saved by phases", million, "what the phases save against that", "higher", 1e-8, 3),
    )
    bound = "proven minimum for networks of the same algebraic connectivity"
    moves = (
        Measure("growth_moved_links", "moved", "links", "links that are taken out in all changes", "lower"),
        Measure("growth_moved_at_least_links", "moved at least", "links", bound),
        Measure("growth_windows", "windows", "", "windows of work in which links are out", "lower"),
        Measure("growth_replugged_cables", "re-plugged", "cables", "cables of which one end goes to another port", "lower"),
        Measure("growth_reused_cables", "used again", "cables", "removed cables that serve as added ones"),
        Measure("growth_left_over_cables", "left over", "cables", "removed cables that nothing needs again", "lower"),
        Measure("growth_mean_hops", "mean hops, grown", "", grown_hops, "lower", 1, 3),
    )
    each = [measure for phase in phases for measure in _phase(phase.year, million, f"parts and labor, {at_rates}")]
    return [Group("Cost over the years", whole), Group("Moves over the years", moves), Group("Phases", tuple(each))]


_GROWTH_COST = "growth_cost_per_endpoint_cents"


def _phase(year: int, million: str, cost: str) -> Iterator[Measure]:
    """Yield the columns of one phase."""
    yield Measure(f"phase_{year}_endpoints", f"{year}: endpoints", "", "endpoints of the phase")
    yield Measure(f"phase_{year}_moved_links", f"{year}: moved", "links", "links that are taken out", "lower")
    yield Measure(f"phase_{year}_cost_cents", f"{year}: cost", million, cost, "lower", 1e-8, 3)


def _per_bisection(currency: str) -> tuple[Measure, ...]:
    """Return cost and power per bisection rate, for the best cut found and for the proven bound."""
    low, high = "over the rate of the best cut found", "over the proven lower bound of the rate"
    return (
        Measure(
            "cost_per_bisection_gbps_min_cents", "cost at least", f"{currency} per Gb/s", f"the bill {low}", "lower", 1e-2, 2
        ),
        Measure(
            "cost_per_bisection_gbps_max_cents", "cost at most", f"{currency} per Gb/s", f"the bill {high}", "lower", 1e-2, 2
        ),
        Measure("power_per_bisection_gbps_min_mw", "power at least", "W per Gb/s", f"power {low}", "lower", 1e-3, 3),
        Measure("power_per_bisection_gbps_max_mw", "power at most", "W per Gb/s", f"power {high}", "lower", 1e-3, 3),
    )


def saturation_measures(simulation: Simulation, currency: str) -> list[Measure]:
    """Return one column per routing, and those derived from the best routing."""
    traffic, routings = simulation.label, simulation.routings
    share = "share of injection"
    meaning = f"load accepted {_when(simulation)}, {traffic} traffic, {{}}; 1 is the injection rate"
    found = []
    if len(routings) > 1:
        found = [
            Measure(saturation(traffic, each), f"{traffic}, {each}", share, meaning.format(f"{each} routing"), "higher", 1, 3)
            for each in routings
        ]
    name, how = (BEST, "best of these routings") if len(routings) > 1 else (routings[0], f"{routings[0]} routing")
    gbps, all_gbps = f"the total rate accepted by all endpoints then, {traffic} traffic", f"saturation_{traffic}_gbps"
    cost, power = f"cost_per_saturation_{traffic}_gbps_cents", f"power_per_saturation_{traffic}_gbps_mw"
    found += [
        Measure(saturation(traffic), f"{traffic}, {name}", share, meaning.format(how), "higher", 1, 3),
        Measure(all_gbps, traffic, "Tb/s", gbps, "higher", 1e-3, 1),
        Measure(cost, traffic, f"{currency} per Gb/s", f"the bill over {gbps}", "lower", 1e-2, 2),
        Measure(power, traffic, "W per Gb/s", f"power over {gbps}", "lower", 1e-3, 3),
    ]
    return found


def _when(simulation: Simulation) -> str:
    """Describe the load at which a simulation reads the accepted load."""
    if simulation.section["saturation"]:
        return "at saturation"
    loads = simulation.section.get("loads", ())
    return f"at offered load {loads[0]:g}" if len(loads) == 1 else "as maximum over all simulated loads"
