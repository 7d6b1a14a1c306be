"""Rules of the inside of cabinets: reserved units, cable managers and power feeds are as the study arranges them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check.basis.boxes import boxes, pdus_of_feeds
from planner.check.basis.existing import fixed_slots, units_in_use
from planner.check.basis.places import unlike
from planner.check.basis.rule import rule
from planner.domain.model import FIXTURES, Plan, Violation


@rule(130)
def cabinets_fitted_as_configured(plan: Plan) -> Iterator[Violation]:
    """Reserved units and feeds are those of the study; PDUs with units are lowest, cable managers next to their routers.

    In cabinets with equipment of others, or with devices that must not move, both are where these leave units.
    """
    settings = plan.study.get("placement", {}).get("interior")
    if settings is None:
        return
    placement, catalog, rule = plan.placement, plan.catalog, "cabinets_fitted_as_configured"
    reserved = settings["reserve_bottom_units"], settings["reserve_top_units"]
    feeds = 0 if catalog.pdu is None else {"A": 1, "A+B": 2}[settings["feeds"]]
    for field, want in (("reserved_units", reserved), ("feeds", feeds), ("pdus_per_feed", settings["pdus_per_feed"])):
        yield from unlike(rule, f"placement.{field}", getattr(placement, field), want, "does not match the study")
    managers, pdus, found, of_feeds = [], [], boxes(plan), pdus_of_feeds(plan)
    height, is_router = found.of_part("units"), found.is_router
    first = np.searchsorted(found.cabinet, np.arange(placement.cabinet_count + 1))
    for cabinet in range(placement.cabinet_count):
        # From the top down.
        own = slice(first[cabinet], first[cabinet + 1])
        routers, nodes = (height[own][is_router[own] == which].tolist()[::-1] for which in (True, False))
        managed = _managers(plan, settings, routers, nodes)
        managers += [(FIXTURES.index("cable manager"), cabinet, unit) for unit in managed]
        units = catalog.pdu.units if catalog.pdu else 0
        for number in range(int(of_feeds[cabinet]) if units else 0):
            pdus.append((FIXTURES.index("PDU"), cabinet, 1 + reserved[0] + number * units))
    columns = placement.fixture_kind, placement.fixture_cabinet, placement.fixture_unit
    have = list(zip(*(column.tolist() for column in columns), strict=True))
    slots = {*units_in_use(plan.room), *fixed_slots(plan)}
    for number, (one, two) in enumerate(zip(have, [*managers, *pdus], strict=False)):
        known = 2 if int(placement.slot_of[two[1]]) in slots else 3
        yield from unlike(
            rule, f"fixture {number + 1}", one[:known], two[:known], "kind, cabinet and unit are not those of the arrangement"
        )
    yield from unlike(rule, "fixtures", len(have), len(managers) + len(pdus), "in number")


def _managers(plan: Plan, settings: dict, routers: list[int], nodes: list[int]) -> list[int]:
    """Return units of the cable managers of a cabinet, from the top: one above each group of routers.

    `routers` and `nodes` are the heights of its boxes in units.
    """
    placement, catalog = plan.placement, plan.catalog
    per = settings["routers_per_manager"]
    if catalog.manager is None or not routers:
        return []
    pdu_units = catalog.pdu.units * placement.feeds * placement.pdus_per_feed if catalog.pdu else 0
    low = 1 + settings["reserve_bottom_units"] + pdu_units
    high = catalog.cabinet.units - settings["reserve_top_units"]
    count = -(-len(routers) // per)
    block = sum(routers) + count * catalog.manager.units
    if settings["routers_at"] == "top":
        top = high
    elif settings["routers_at"] == "bottom":
        top = low + block - 1
    else:
        half = -(-len(nodes) // 2)
        above, below = sum(nodes[:half]), sum(nodes[half:])
        foot = low + (high - low + 1 - block) // 2
        top = min(max(foot, low + below), high - above - block + 1) + block - 1
    return [top + 1 - sum(routers[: number * per]) - (number + 1) * catalog.manager.units for number in range(count)]
