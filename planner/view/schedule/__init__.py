"""Cable schedules as records: those of a plan, of the folder of a plan, or of a file, and the difference of two.

What reads plans of others (changes since a revision, differences, verification) sees the rows of a schedule only: devices and
ports by name and number, where they are, and what was bought.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import chain

from planner.view.schedule._changes import KINDS as CHANGES
from planner.view.schedule._changes import Change, changes
from planner.view.schedule._difference import (
    ADDED,
    KINDS,
    MOVED,
    RELABELED,
    REMOVED,
    REPLUGGED,
    SAME,
    CableChange,
    Device,
    DeviceChange,
    Difference,
    difference,
)
from planner.view.schedule._file import of_rows, read
from planner.view.schedule._plan import devices_of_plan, of_folder, of_plan
from planner.view.schedule._record import Connection, End

__all__ = [
    "ADDED", "CHANGES", "KINDS", "MOVED", "RELABELED", "REMOVED", "REPLUGGED", "SAME", "CableChange", "Change", "Connection",
    "Device", "DeviceChange", "Difference", "End", "changes", "devices_of_plan", "difference", "nodes_of",
    "of_folder", "of_plan", "of_rows", "read",
]  # fmt: skip

_ENDPOINT = "endpoint"
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
    if _ENDPOINT in kinds:
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
        (nodes if row.kind == _ENDPOINT else routers).add(row.b.device)
    return frozenset(nodes - routers)


def _single(schedule: Iterable[Connection]) -> frozenset[str]:
    pairs = [(row.a.device, row.b.device) for row in schedule]
    links = Counter(chain.from_iterable(pairs))
    return frozenset(one for a, b in pairs for one, other in ((a, b), (b, a)) if links[one] == 1 < links[other])
