"""Design space: all configurations of topology families for a range of radixes, without building networks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import exp, log
from typing import Any

from planner.core import registry
from planner.core.errors import InputError, Problem, suggestion
from planner.network.metrics.moore import moore_efficiency

MAX_RADIX = 512


@dataclass(frozen=True)
class Configuration:
    """One configuration of a family.

    Attributes
    ----------
    radix
        Maximum number of links per router.
    endpoints
        Number of endpoints with the default concentration of the family.
    diameter
        Maximum hops between routers with endpoints; None if it is not known.
    moore_efficiency
        Routers over the Moore bound for the radix and diameter; None where that bound is not about the same diameter: routers
        without endpoints are farther apart.
    parameters
        Parameters for `planner.network.topology.build`.
    """

    family: str
    radix: int
    routers: int
    endpoints: int
    diameter: int | None
    moore_efficiency: float | None
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Ratio:
    """Size ratio of the reference to a family of the same diameter: the geometric mean over common radixes."""

    family: str
    diameter: int
    radixes: int
    ratio: float


Series = dict[tuple[str, int | None], dict[int, Configuration]]
"""The largest configuration of each radix, by family and diameter."""


@cache
def families() -> tuple[str, ...]:
    """Return the families that can list their configurations.

    >>> "polarstar" in families(), "jellyfish" in families()
    (True, False)
    """
    return tuple(name for name in registry.names("topology") if hasattr(registry.load("topology", name), "configurations"))


def explore(
    radixes: Iterable[int],
    families: Iterable[str] | None = None,
    *,
    routers: tuple[int, int] | None = None,
    endpoints: tuple[int, int] | None = None,
) -> list[Configuration]:
    """Return all configurations within the given ranges, by radix, family and number of routers.

    Parameters
    ----------
    radixes
        Links per router, without endpoints.
    families
        Families; by default all that can list their configurations.
    routers, endpoints
        Minimum and maximum number, inclusive.

    Raises
    ------
    InputError
        When a radix is below 1 or above 512, or a family cannot list its configurations.

    Examples
    --------
    >>> [(c.family, c.routers) for c in explore([7], ["slimfly", "hyperx"], routers=(20, 100))]
    [('hyperx', 20), ('hyperx', 36), ('slimfly', 50)]
    """
    chosen = _chosen(families)
    found = []
    wanted = set()
    for radix in radixes:
        if not 1 <= radix <= MAX_RADIX:
            raise InputError(Problem("radix", f"{radix} is out of range", f"use 1 to {MAX_RADIX}"))
        wanted.add(radix)
    for radix in sorted(wanted):
        for family in chosen:
            for item in registry.load("topology", family).configurations(radix):
                if _within(item["routers"], routers) and _within(item["endpoints"], endpoints):
                    diameter, whole = item["diameter"], item.pop("direct", True)
                    known = diameter is not None and whole
                    efficiency = moore_efficiency(item["routers"], radix, diameter) if known else None
                    found.append(Configuration(family=family, radix=radix, moore_efficiency=efficiency, **item))
    return sorted(found, key=lambda c: (c.radix, c.family, c.routers))


def largest(configurations: Iterable[Configuration]) -> Series:
    """Return the largest configuration of each family, diameter and radix."""
    series: Series = {}
    for item in configurations:
        best = series.setdefault((item.family, item.diameter), {})
        if item.radix not in best or item.routers > best[item.radix].routers:
            best[item.radix] = item
    return dict(sorted(series.items(), key=lambda entry: (entry[0][1] or 0, entry[0][0])))


def ratios(configurations: Iterable[Configuration], reference: str) -> list[Ratio]:
    """Compare the largest networks of `reference` with those of each family, at equal diameter and radix.

    Raises
    ------
    InputError
        When `reference` cannot list its configurations.

    Examples
    --------
    >>> [r] = ratios(explore(range(8, 129), ["polarstar", "dragonfly"]), "polarstar")
    >>> f"{r.ratio:.3f} times {r.family} over {r.radixes} radixes"
    '1.905 times dragonfly over 121 radixes'
    """
    _chosen([reference], "reference")
    series = largest(configurations)
    found = []
    for (family, diameter), best in series.items():
        base = series.get((reference, diameter), {})
        common = base.keys() & best.keys()
        if common and family != reference and diameter is not None:
            logs = [log(base[radix].routers / best[radix].routers) for radix in sorted(common)]
            found.append(Ratio(family, diameter, len(common), exp(sum(logs) / len(logs))))
    return found


def _chosen(names: Iterable[str] | None, place: str = "family") -> list[str]:
    chosen = list(families() if names is None else names)
    problems = [
        Problem(place, f"{name!r} cannot list its configurations", suggestion(name, families()))
        for name in chosen
        if name not in families()
    ]
    if problems:
        raise InputError(problems)
    return chosen


def _within(number: int, bounds: tuple[int, int] | None) -> bool:
    return bounds is None or bounds[0] <= number <= bounds[1]
