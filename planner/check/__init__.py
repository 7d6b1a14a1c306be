"""The independent verifier: records in, violations out.

It imports no stage and shares no kernel with one; it recomputes what it can from the records of
other stages and assumes only that catalog, room and topology say what is wanted. A file per
subject; each function named in `RULES` is one rule, its name the rule's name, its docstring the meaning.
"""

from __future__ import annotations

from planner.check.bill import bill_complete
from planner.check.cabinets import air_goes_one_way, boxes_fit_their_cabinets, cabinets_within_limits
from planner.check.labels import labels_legible, labels_unique
from planner.check.lengths import lengths_explained, links_as_short_as_asked
from planner.check.parts import parts_cover_their_cables, pieces_hold_together, prices_add_up, trunks_cover_their_links
from planner.check.ports import ends_agree_with_the_network, ports_in_their_cages, ports_used_once
from planner.check.power import pdus_within_limits
from planner.check.spread import no_cabinet_parts_the_rest, routers_spread_as_asked
from planner.check.trays import bends_within_radius, routes_follow_trays, trays_within_fill
from planner.check.work import crews_in_one_place, long_before_short, work_covers_every_cable
from planner.check.zones import zones_within_totals
from planner.model import Plan, Violations

RULES = (
    ports_used_once,
    ports_in_their_cages,
    ends_agree_with_the_network,
    boxes_fit_their_cabinets,
    cabinets_within_limits,
    zones_within_totals,
    routers_spread_as_asked,
    no_cabinet_parts_the_rest,
    pdus_within_limits,
    air_goes_one_way,
    lengths_explained,
    routes_follow_trays,
    parts_cover_their_cables,
    pieces_hold_together,
    trunks_cover_their_links,
    prices_add_up,
    trays_within_fill,
    bends_within_radius,
    labels_unique,
    labels_legible,
    bill_complete,
    links_as_short_as_asked,
    work_covers_every_cable,
    long_before_short,
    crews_in_one_place,
)


def check(plan: Plan) -> Violations:
    """Return every broken design rule of a plan that has been cabled."""
    found = [violation for rule in RULES for violation in rule(plan)]
    return Violations(checked=tuple(rule.__name__ for rule in RULES), items=tuple(found))
