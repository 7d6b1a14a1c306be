"""Rules of power: load of each PDU, with both feeds and with one of them down."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from planner.check.basis.boxes import boxes
from planner.check.basis.places import cabinet_name, error
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation
from planner.domain.parts import PowerShelf

_FEEDS = "AB"


@rule(110)
def pdus_within_limits(plan: Plan) -> Iterator[Violation]:
    """No PDU carries more than it may all the time, in normal operation or when the other feed fails, nor has too few outlets."""
    pdu, placement = plan.catalog.pdu, plan.placement
    if pdu is None:
        return
    if placement.feeds not in (1, 2):
        yield error(
            "pdus_within_limits", "all cabinets", placement.feeds, 2, "feeds", "a PDU is chosen, but no box is connected to it"
        )
        return
    normal: dict[tuple, float] = defaultdict(int)
    failed, outlets = Counter[tuple](), Counter[tuple]()
    found = boxes(plan)
    for (cabinet, _, part), place in zip(found, found.above, strict=True):
        for feed, number, supplies, alone in _plugs(part.psu_count, place, placement.feeds, placement.pdus_per_feed):
            key = cabinet, feed, number
            outlets[key] += supplies
            normal[key] += part.power_max_mw if alone else part.power_max_mw / 2
            failed[key] += part.power_max_mw
    limit = int(pdu.rating_mw * pdu.derating)
    for key, drawn in sorted(failed.items()):
        cabinet, feed, number = key
        where = f"{cabinet_name(plan, cabinet)} PDU {_FEEDS[feed]}{number + 1}"
        if normal[key] > limit:
            yield error("pdus_within_limits", where, normal[key], limit, "mW", "power")
        elif drawn > limit:
            yield error("pdus_within_limits", where, drawn, limit, "mW", f"power when feed {_FEEDS[1 - feed]} fails")
        if outlets[key] > pdu.outlets:
            yield error("pdus_within_limits", where, outlets[key], pdu.outlets, "outlets", "more supplies than outlets")


@rule(112)
def power_shelves_suffice(plan: Plan) -> Iterator[Violation]:
    """The power shelves of a cabinet, where it has any, are rated for the maximum power of its devices."""
    rated, drawn = Counter[int](), Counter[int]()
    for cabinet, number in zip(plan.placement.cabinet.tolist(), plan.inventory.part.tolist(), strict=True):
        part = plan.inventory.parts[number]
        drawn[cabinet] += part.power_max_mw
        rated[cabinet] += part.rating_mw if isinstance(part, PowerShelf) else 0
    for cabinet, limit in sorted(rated.items()):
        if 0 < limit < drawn[cabinet]:
            where, message = cabinet_name(plan, cabinet), "devices draw more than its power shelves supply"
            yield error("power_shelves_suffice", where, drawn[cabinet], limit, "mW", message)


def _plugs(supplies: int, place: int, feeds: int, pdus: int) -> list[tuple[int, int, int, bool]]:
    """Yield feed, PDU, number of supplies there, and whether the box has no other feed."""
    if feeds == 1:
        return [(0, place % pdus, supplies, True)]
    if supplies == 1:
        return [(place % 2, place // 2 % pdus, 1, True)]
    return [(0, place % pdus, supplies - supplies // 2, False), (1, place % pdus, supplies // 2, False)]
