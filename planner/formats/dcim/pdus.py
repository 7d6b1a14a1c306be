"""The PDUs of a plan as devices of NetBox."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from planner.domain.model import FEEDS, FIXTURES, Plan


class Pdu(NamedTuple):
    """A PDU of a cabinet: its feed and number from 0, and its rack unit; None where it is mounted vertically.

    `is_node` is whether it is a device of the plan.
    """

    name: str
    cabinet: int
    feed: int
    number: int
    unit: int | None
    is_node: bool = False


def pdus_of(plan: Plan, rack_names: Mapping[str, str], names: Sequence[str]) -> list[Pdu]:
    """Return all PDUs, named by slot, feed and number as in reports: A07-B1; none without feeds.

    PDUs that are nodes have the names of these devices, and are the first of their cabinet.
    """
    placement = plan.placement
    if not placement.feeds or plan.catalog.pdu is None:
        return []
    units = defaultdict(list)
    kind = FIXTURES.index("PDU")
    for of, cabinet, unit in zip(placement.fixture_kind, placement.fixture_cabinet, placement.fixture_unit, strict=True):
        if of == kind:
            units[int(cabinet)].append(int(unit))
    devices = defaultdict(list)
    for device in np.flatnonzero(plan.inventory.of_part("id") == plan.catalog.pdu.id).tolist():
        devices[int(placement.cabinet[device])].append(device)
    found = []
    for cabinet, slot in enumerate(placement.slot_of.tolist()):
        own = [(feed, number) for feed in range(placement.feeds) for number in range(placement.pdus_per_feed)]
        nodes = devices[cabinet][: len(own)]
        for (feed, number), device in zip(own, nodes, strict=False):
            found.append(Pdu(names[device], cabinet, feed, number, int(placement.unit[device]) or None, True))
        own = own[len(nodes) :]
        for (feed, number), unit in zip_longest(own, units[cabinet][: len(own)]):
            name = f"{rack_names[plan.room.slot_names[slot]]}-{FEEDS[feed]}{number + 1}"
            found.append(Pdu(name, cabinet, feed, number, unit))
    return found
