"""The PDUs of a plan as devices of NetBox."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import zip_longest
from typing import NamedTuple

from planner.model import FEEDS, FIXTURES, Plan


class Pdu(NamedTuple):
    """A PDU of a cabinet: its feed and number from 0, and its rack unit; None where it is mounted vertically."""

    name: str
    cabinet: int
    feed: int
    number: int
    unit: int | None


def pdus_of(plan: Plan, rack_names: Mapping[str, str]) -> list[Pdu]:
    """Return all PDUs, named by slot, feed and number as in reports: A07-B1; none without feeds."""
    placement = plan.placement
    if not placement.feeds or plan.catalog.pdu is None:
        return []
    units = defaultdict(list)
    kind = FIXTURES.index("PDU")
    for of, cabinet, unit in zip(placement.fixture_kind, placement.fixture_cabinet, placement.fixture_unit, strict=True):
        if of == kind:
            units[int(cabinet)].append(int(unit))
    found = []
    for cabinet, slot in enumerate(placement.slot_of.tolist()):
        own = [(feed, number) for feed in range(placement.feeds) for number in range(placement.pdus_per_feed)]
        for (feed, number), unit in zip_longest(own, units[cabinet][: len(own)]):
            name = f"{rack_names[plan.room.slot_names[slot]]}-{FEEDS[feed]}{number + 1}"
            found.append(Pdu(name, cabinet, feed, number, unit))
    return found
