"""Which devices of a cable schedule are nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import chain

from planner.view.schedule._record import Connection

ENDPOINT = "endpoint"
"""Kind of the connections between a router and a node, in a plan of one network."""


def nodes_of(schedule: Collection[Connection]) -> frozenset[str]:
    """Return the nodes of a schedule; its other devices are routers.

    Schedules of plans state it. In those of others, nodes are the second ends of endpoint connections that have no other
    connections. In those with roles, where no connection is called so, they are the devices that are never first ends and whose
    ports are printed with the name of a group, such as ``data/1``; where no kinds are stated at all, the devices with one
    connection to a device with several.
    """
    ends = list(chain.from_iterable(row.ends for row in schedule))
    if any(end.kind for end in ends):
        return frozenset(end.device for end in ends if end.kind == "node")
    kinds = {row.kind for row in schedule}
    if ENDPOINT in kinds:
        return _second_ends(schedule)
    if any(end.role for end in ends):
        routers = {row.a.device for row in schedule} | {end.device for end in ends if not end.printed[:1].isalpha()}
        return frozenset(end.device for end in ends) - routers
    return frozenset() if kinds - {""} else _single(schedule)


def _second_ends(schedule: Iterable[Connection]) -> frozenset[str]:
    nodes: set[str] = set()
    routers: set[str] = set()
    for row in schedule:
        routers.add(row.a.device)
        (nodes if row.kind == ENDPOINT else routers).add(row.b.device)
    return frozenset(nodes - routers)


def _single(schedule: Iterable[Connection]) -> frozenset[str]:
    pairs = [(row.a.device, row.b.device) for row in schedule]
    links = Counter(chain.from_iterable(pairs))
    return frozenset(one for a, b in pairs for one, other in ((a, b), (b, a)) if links[one] == 1 < links[other])
