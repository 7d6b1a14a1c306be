"""Spread rules: limits on the number of routers of a set per cabinet, for fault tolerance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem, suggestion
from planner.domain.model import Topology

Number = Annotated[int, Ge(0)]


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Limit of the number of routers of a set in one cabinet; the set is given in one of three forms.

    Parameters
    ----------
    at_most
        Maximum number of routers of the set in one cabinet.
    routers
        Routers of the set.
    groups
        Name of a group level; each of its groups is a set.
    where
        Coordinates and values, such as ``{level = 1}``: the routers with these coordinates are the set, here the spines of
        a tree of two levels.
    """

    __pydantic_config__ = {"extra": "forbid"}

    at_most: Annotated[int, Ge(1)]
    routers: tuple[Number, ...] = ()
    groups: str = ""
    where: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Limit:
    """A set of routers, ascending, and the maximum number of them in one cabinet."""

    at_most: int
    routers: tuple[int, ...]

    def subsets(self) -> Iterator[tuple[int, ...]]:
        """Yield `at_most` subsets; if no two routers of a subset share a cabinet, the limit is kept.

        The size of the largest subset is the minimum number of cabinets for the whole set.
        """
        for first in range(min(self.at_most, len(self.routers))):
            yield self.routers[first :: self.at_most]


def limits(topology: Topology, spread: Iterable[Spread]) -> tuple[Limit, ...]:
    """Return the sets of all rules, without sets that are smaller than their limit.

    Raises
    ------
    InputError
        When a rule gives its set in no form or in several, or refers to unknown routers, levels or coordinates.
    """
    problems: list[Problem] = []
    found = [Limit(rule.at_most, tuple(routers.tolist())) for number, rule in enumerate(spread)
             for routers in _sets(topology, rule, f"spread.{number}", problems)]  # fmt: skip
    if problems:
        raise InputError(problems)
    return tuple(limit for limit in found if len(limit.routers) > limit.at_most)


def _sets(topology: Topology, rule: Spread, place: str, problems: list[Problem]) -> list[np.ndarray]:
    given = [bool(rule.routers), bool(rule.groups), bool(rule.where)]
    if sum(given) != 1:
        message = "gives no set of routers" if not any(given) else "gives its set in several forms"
        problems.append(Problem(place, message, "write one of routers, groups and where"))
        return []
    if rule.groups:
        known = topology.group_names
        if rule.groups not in known:
            problems.append(
                Problem(f"{place}.groups", f"there is no group level {rule.groups!r}", suggestion(rule.groups, known))
            )
            return []
        group = topology.group[:, known.index(rule.groups)]
        return [np.flatnonzero(group == number) for number in np.unique(group)]
    if rule.where:
        return _at(topology, rule.where, f"{place}.where", problems)
    routers = np.unique(np.array(rule.routers, np.int64))
    if routers[-1] >= topology.router_count:
        message = f"there is no router {routers[-1]} in a network of {topology.router_count}"
        problems.append(Problem(f"{place}.routers", message, f"use 0 to {topology.router_count - 1}"))
        return []
    return [routers]


def _at(topology: Topology, where: Mapping[str, int], place: str, problems: list[Problem]) -> list[np.ndarray]:
    chosen = np.ones(topology.router_count, bool)
    for name, wanted in where.items():
        if name not in topology.coord_names:
            remedy = suggestion(name, topology.coord_names) if topology.coord_names else "name routers or groups"
            problems.append(Problem(f"{place}.{name}", f"routers have no coordinate {name!r}", remedy))
            return []
        chosen &= topology.coords[:, topology.coord_names.index(name)] == wanted
    if not chosen.any():
        problems.append(Problem(place, "no router has these coordinates", f"coordinates are {', '.join(topology.coord_names)}"))
    return [np.flatnonzero(chosen)]
