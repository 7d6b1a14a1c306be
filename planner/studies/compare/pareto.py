"""Pareto fronts and dominance between networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from planner.studies.compare.entries import Entry, saturation
from planner.studies.compare.running import Result

_MAX_NAMED = 3
"""Maximum number of dominating networks in a verdict; files contain all."""


@dataclass(frozen=True)
class Objective:
    """An objective of the ranking.

    Attributes
    ----------
    figure
        Name of the figure.
    words
        Title of the objective.
    sign
        1 if lower is better, -1 if higher is better.
    """

    figure: str
    words: str
    sign: int = 1


@dataclass(frozen=True)
class Ranking:
    """Ranking by all objectives.

    Attributes
    ----------
    objectives
        Objectives of the ranking.
    dominated
        Dominating networks by label of each dominated network, those on the front first.
    unranked
        Reasons by label of networks that violate design rules or lack a figure.
    """

    objectives: tuple[Objective, ...]
    dominated: dict[str, list[str]]
    unranked: dict[str, str]

    def verdict(self, label: str) -> str:
        """Return the verdict on a network."""
        if label in self.unranked:
            return f"not ranked: {self.unranked[label]}"
        if label not in self.dominated:
            return "on the front"
        better = self.dominated[label]
        others = f" and {len(better) - _MAX_NAMED} more" if len(better) > _MAX_NAMED else ""
        return f"dominated by {', '.join(better[:_MAX_NAMED])}{others}"


_FIXED = {
    "cost": Objective("cost_per_endpoint_cents", "cost per endpoint"),
    "growth": Objective("growth_cost_per_endpoint_cents", "cost per endpoint over the years"),
    "power": Objective("power_per_endpoint_mw", "power per endpoint"),
    "latency": Objective("endpoint_delay_mean_ps", "mean latency"),
}


def objectives(result: Result) -> tuple[Objective, ...]:
    """Return the objectives of a comparison; saturation is one objective per simulated traffic pattern."""
    found = []
    for name in result.comparison.head.objectives:
        if name in _FIXED:
            found.append(_FIXED[name])
        else:
            labels = [simulation.label for simulation in result.comparison.simulations]
            found += [Objective(saturation(traffic), f"saturation, {traffic}", -1) for traffic in labels]
    return tuple(found)


def ranking(entries: Sequence[Entry], chosen: Sequence[Objective]) -> Ranking:
    """Rank networks by some objectives.

    A network dominates another if it is at least as good in every objective and better in one.

    Examples
    --------
    >>> from types import SimpleNamespace as Network
    >>> cost, speed = Objective("cost", "cost"), Objective("speed", "speed", -1)
    >>> known = [("A", 1, 5), ("B", 2, 5), ("C", 3, 9), ("D", 1, 5), ("E", 4, None)]
    >>> entries = [Network(label=n, figures={"cost": c} | ({"speed": s} if s else {})) for n, c, s in known]
    >>> found = ranking(entries, [cost, speed])
    >>> found.dominated, found.verdict("E")
    ({'B': ['A', 'D']}, 'not ranked: no speed')
    """
    unranked = {entry.label: what for entry in entries if (what := lacking(entry, chosen))}
    values = {
        entry.label: tuple(each.sign * entry.figures[each.figure] for each in chosen)
        for entry in entries
        if entry.label not in unranked
    }
    dominated = {label: better for label in values if (better := [other for other in values if _dominates(values, other, label)])}
    named = {label: sorted(better, key=lambda other: other in dominated) for label, better in dominated.items()}
    return Ranking(tuple(chosen), named, unranked)


def lacking(entry: Entry, chosen: Sequence[Objective]) -> str:
    """Return the reason why a network cannot be ranked, or ""."""
    if broken := entry.figures.get("errors"):
        return f"{broken:,.0f} design rule{'s' * (broken > 1)} violated"
    return next((f"no {each.words}" for each in chosen if each.figure not in entry.figures), "")


def pairs(result: Result) -> list[tuple[Objective, Objective]]:
    """Return the pairs of objectives to draw: cost or power against performance."""
    chosen = objectives(result)
    price = [each for each in chosen if each in (_FIXED["cost"], _FIXED["growth"], _FIXED["power"])]
    return [(one, other) for one in price for other in chosen if other not in price]


def front(entries: Sequence[Entry], chosen: Sequence[Objective]) -> list[Entry]:
    """Return the networks on a front, sorted by the first objective."""
    found = ranking(entries, chosen)
    kept = [entry for entry in entries if entry.label not in found.dominated and entry.label not in found.unranked]
    return sorted(kept, key=lambda entry: tuple(each.sign * entry.figures[each.figure] for each in chosen))


def _dominates(values: Mapping[str, tuple[float, ...]], one: str, other: str) -> bool:
    return values[one] != values[other] and all(a <= b for a, b in zip(values[one], values[other], strict=True))
