"""What a graph file lists: routers, mentions of links, endpoints, and what is wrong with them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from planner.core.errors import InputError, Problem

WHOLE = re.compile(r"0|-?[1-9][0-9]{0,8}")
"""A name that is a whole number."""

_MAX_PROBLEMS = 20


@dataclass
class Listing:
    """Content of a graph file, and its problems.

    Attributes
    ----------
    routers
        Number of each router's name, in order of first appearance.
    mentions
        Router, router, line; the line is 0 for formats without lines.
    from_both_ends
        Whether the mention u, v and the mention v, u mean the same link.
    endpoints
        Number of endpoints by router, where the file attaches any.
    home
        Router of each endpoint that the file names, in order of first appearance.
    """

    file: str
    routers: dict[str, int] = field(default_factory=dict)
    mentions: list[tuple[int, int, int]] = field(default_factory=list)
    from_both_ends: bool = False
    endpoints: Counter = field(default_factory=Counter)
    home: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def router(self, name: str) -> int:
        """Return a router's number, a new one for a new name."""
        return self.routers.setdefault(name, len(self.routers))

    def attach(self, endpoint: str, router: int, line: int) -> None:
        """Attach an endpoint to a router."""
        if endpoint not in self.home:
            self.home[endpoint] = router
            self.endpoints[router] += 1
        elif self.home[endpoint] != router:
            self.wrong(line, f"attaches node {endpoint} to a second router", "attach it to one")

    def router_names(self) -> tuple[str, ...]:
        """Return the names of the routers by id; () if all are whole numbers."""
        return () if self.order()[1] else tuple(self.routers)

    def endpoint_names(self) -> list[str]:
        """Return the names of the endpoints router by router, where their own order is another; [] where it is that.

        Their own order is that of their numbers where all names are whole numbers, otherwise that of first appearance; the
        endpoints of one router keep it.
        """
        ids, _ = self.order()
        names = list(self.home)
        if all(WHOLE.fullmatch(name) for name in names):
            names.sort(key=int)
        by_router = sorted(names, key=lambda name: ids[self.home[name]])
        return by_router if by_router != names else []

    def wrong(self, line: int, message: str, remedy: str) -> None:
        """Record a problem; raise when there are too many."""
        self.problems.append(Problem("", message, remedy, self.file, line))
        if len(self.problems) >= _MAX_PROBLEMS:
            self.check()

    def check(self) -> None:
        """Raise InputError if there are problems."""
        if self.problems:
            raise InputError(self.problems)

    def links(self, parallel: bool) -> list[tuple[int, int, int]]:
        """Return the links as router, router, line; loops and forbidden repetitions become problems."""
        names = list(self.routers)
        times: Counter = Counter()
        found: dict[tuple[int, int, int], int] = {}
        for u, v, line in self.mentions:
            if u == v:
                self.wrong(line, f"links {names[u]} to itself", "remove the loop")
                continue
            pair = (min(u, v), max(u, v))
            # The n-th mention from one end is the n-th from the other.
            mention = (u, v) if self.from_both_ends else pair
            times[mention] += 1
            if times[mention] > 1 and not parallel:
                self.wrong(line, f"repeats the link {names[u]} – {names[v]}", "remove it, or set parallel = true")
            found.setdefault((*pair, times[mention]), line)
        return [(u, v, line) for (u, v, _), line in found.items()]

    def order(self) -> tuple[list[int], list[int] | None]:
        """Return each router's id by number, and the names as integers by id where all are."""
        names = list(self.routers)
        if not all(WHOLE.fullmatch(name) for name in names):
            return list(range(len(names))), None
        ascending = sorted(range(len(names)), key=lambda number: int(names[number]))
        ids = [0] * len(names)
        for router, number in enumerate(ascending):
            ids[number] = router
        return ids, [int(names[number]) for number in ascending]
