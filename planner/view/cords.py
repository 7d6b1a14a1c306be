"""Power cords: the outlet of each power supply, and the breaker of each PDU."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from planner.domain.model import FEEDS, Plan, pdus
from planner.view.cabinets import devices_by_box


class Cord(NamedTuple):
    """The cord of one supply.

    Attributes
    ----------
    device
        First device of the box.
    supply
        The supply, from 1.
    cabinet, feed, pdu
        The PDU: its cabinet, its feed and its number on the feed, from 0.
    outlet
        The outlet, from 1; None where the PDU has too few.
    """

    device: int
    supply: int
    cabinet: int
    feed: int
    pdu: int
    outlet: int | None


def cords(plan: Plan) -> Iterator[Cord]:
    """Yield the cord of every supply, box by box: supplies use their PDUs in turn, and each takes the next outlet."""
    if plan.catalog.pdu is None or not plan.placement.feeds:
        return
    fed_by = pdus(plan.inventory, plan.placement).tolist()
    used: defaultdict[tuple[int, int, int], int] = defaultdict(int)
    for inside in sorted(devices_by_box(plan)):
        part = plan.inventory.part_of(inside[0])
        places = [(feed, number) for feed, number in enumerate(fed_by[inside[0]]) if number >= 0]
        cabinet = int(plan.placement.cabinet[inside[0]])
        for supply in range(part.psu_count if part.power_max_mw and places else 0):
            pdu = (cabinet, *places[supply % len(places)])
            used[pdu] += 1
            yield Cord(inside[0], supply + 1, *pdu, used[pdu] if used[pdu] <= plan.catalog.pdu.outlets else None)


def breakers(plan: Plan) -> dict[tuple[int, int, int], tuple[str, int]]:
    """Return the panel and the position of the breaker of each PDU, by its cabinet, feed and number.

    Each feed of a row has a panel of its own; breakers are in the order of the cabinets of the row, then by number, from 1.
    """
    room, placement = plan.room, plan.placement
    found, taken = {}, defaultdict[str, int](int)
    for cabinet in np.argsort(placement.slot_of, kind="stable").tolist():
        row = room.row_names[room.slot_row[placement.slot_of[cabinet]]]
        for feed in range(placement.feeds):
            for number in range(placement.pdus_per_feed):
                panel = f"{FEEDS[feed]} of row {row}"
                taken[panel] += 1
                found[cabinet, feed, number] = panel, taken[panel]
    return found
