"""Rules of parts: purchased parts cover their cables, fit, and have the right price."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from planner.check.basis.boxes import sockets
from planner.check.basis.distinct import distinct
from planner.check.basis.places import cable_name, error
from planner.check.basis.port_groups import sockets_at_ends
from planner.check.basis.rule import rule
from planner.domain.model import Catalog, Plan, Violation
from planner.domain.parts import Assembly


@rule(190)
def parts_cover_their_cables(plan: Plan) -> Iterator[Violation]:
    """The stock length is on sale, covers the run and stays in reach; the part fits both sockets at the rate."""
    cables, catalog = plan.cables, plan.catalog
    rule = "parts_cover_their_cables"
    carried = cables.carried
    for number in np.flatnonzero((cables.stock_mm < cables.run_mm) & ~carried):
        where, stock, run = cable_name(plan, number), cables.stock_mm[number], cables.run_mm[number]
        yield error(rule, where, stock, run, "mm", "stock too short")
    sockets_of, kind = sockets_at_ends(plan)
    # Rows carried over panels have no length of their own; their jumpers and trunks are checked elsewhere.
    kinds = np.column_stack([cables.assembly, np.where(carried, -1, cables.stock_mm), kind])
    found, first = np.unique(kinds, axis=0, return_index=True) if len(kinds) else ((), ())
    for (number, stock, *ends), row in zip(found, first, strict=True):
        made_of = cables.assemblies[number]
        near, far = (sockets_of[end] for end in ends)
        wrong = []
        if stock >= 0 and _length_cents(catalog, made_of, int(stock)) is None:
            wrong.append(f"{made_of.id} is not sold at {stock} mm")
        if stock > made_of.reach_mm:
            wrong.append(f"{made_of.id} reaches {made_of.reach_mm} mm")
        if sorted((made_of.connector_a, made_of.connector_b)) != sorted((near.connector, far.connector)):
            wrong.append(f"{made_of.id} does not fit {near.connector} and {far.connector}")
        if made_of.rate_gbps != (rate_gbps := min(near.rate_gbps, far.rate_gbps)):
            wrong.append(f"{made_of.id} runs at {made_of.rate_gbps} Gb/s, not {rate_gbps}")
        for message in wrong:
            yield error(rule, cable_name(plan, int(row)), stock, made_of.reach_mm, "mm", message)


@rule(260)
def trunks_cover_their_links(plan: Plan) -> Iterator[Violation]:
    """Jumpers and bundles cover their runs, and no bundle exceeds its capacity."""
    cables, rule = plan.cables, "trunks_cover_their_links"
    for number, side in np.argwhere(cables.leg_stock_mm < cables.leg_mm):
        stock, leg = cables.leg_stock_mm[number, side], cables.leg_mm[number, side]
        yield error(rule, cable_name(plan, int(number)), stock, leg, "mm", "jumper too short")
    links = np.bincount(cables.bundle[cables.bundle >= 0], minlength=len(cables.bundle_kind))
    for number in np.flatnonzero(links > cables.bundle_capacity):
        yield error(rule, f"bundle {number + 1}", links[number], cables.bundle_capacity[number], "links", "too many links")
    over = cables.bundle_kind > 1
    for number in np.flatnonzero(over & (cables.bundle_stock_mm < cables.bundle_run_mm)):
        stock, run = cables.bundle_stock_mm[number], cables.bundle_run_mm[number]
        yield error(rule, f"bundle {number + 1}", stock, run, "mm", "too short")


@rule(230)
def pieces_are_consistent(plan: Plan) -> Iterator[Violation]:
    """The rows of one piece match the links of its part, have the same part and length, and share a cage."""
    cables = plan.cables
    first, piece, rows = distinct(cables.piece)
    carries = np.array([made_of.links * made_of.tails for made_of in cables.assemblies], np.int64)[cables.assembly[first]]
    wrong = (rows != 1) & (rows != carries)
    # A splitter's head is at the first end; a twin-port cable has one cage at either end.
    for column in (cables.assembly, cables.stock_mm, cables.route, cables.device[:, 0], cables.cage[:, 0]):
        wrong[piece[column != column[first][piece]]] = True
    for number in np.flatnonzero(wrong)[np.argsort(first[wrong])].tolist():
        row = int(first[number])
        message = f"its {rows[number]} rows do not match {cables.assemblies[cables.assembly[row]].id}"
        yield error("pieces_are_consistent", cable_name(plan, row), rows[number], carries[number], "rows", message)


@rule(310)
def prices_add_up(plan: Plan) -> Iterator[Violation]:
    """Every piece is charged once, and every transceiver once for its cage."""
    cables, catalog = plan.cables, plan.catalog
    expected = np.zeros(cables.cable_count, np.int64)
    bought = np.flatnonzero(~cables.carried)
    bought = bought[distinct(cables.piece[bought])[0]]
    first, kind, _ = distinct(cables.assembly[bought], cables.stock_mm[bought])
    goods = zip(cables.assembly[bought[first]].tolist(), cables.stock_mm[bought[first]].tolist(), strict=True)
    cents = [_length_cents(catalog, cables.assemblies[number], stock_mm) or 0 for number, stock_mm in goods]
    expected[bought] = np.array(cents, np.int64)[kind]
    ends = [[(end.part != "", end.price_cents) for end in made_of.ends] for made_of in cables.assemblies]
    has_module, module_cents = np.moveaxis(np.array(ends, np.int64).reshape(-1, 2, 2), 2, 0)
    plugged = np.flatnonzero(has_module[cables.assembly].ravel())
    charged = plugged[distinct(sockets(plan).ravel()[plugged])[0]]
    np.add.at(expected, charged // 2, module_cents[cables.assembly].ravel()[charged])
    for number in np.flatnonzero(expected != cables.price_cents):
        value, limit = cables.price_cents[number], expected[number]
        yield error("prices_add_up", cable_name(plan, number), value, limit, "cents", "is not the price of its parts")


def _length_cents(catalog: Catalog, made_of: Assembly, stock_mm: int) -> int | None:
    """Return the price of a length without transceivers; None where it is not available."""
    ladder = dict(zip(made_of.stock_mm, made_of.length_cents, strict=True))
    if stock_mm in ladder:
        return ladder[stock_mm]
    rule = catalog.custom_length
    kind = "fiber" if made_of.end_part else made_of.kind
    if rule is None or kind not in rule.kinds or stock_mm % rule.increment_mm:
        return None
    lengths = sorted(ladder)
    below = max((mm for mm in lengths if mm < stock_mm), default=None)
    above = min((mm for mm in lengths if mm > stock_mm), default=None)
    if below is None or (above is None and len(lengths) == 1):
        price = float(ladder[lengths[0]])
    else:
        low, high = (below, above) if above is not None else lengths[-2:]
        price = ladder[low] + (ladder[high] - ladder[low]) * (stock_mm - low) / (high - low)
    return math.ceil(price * (1 + rule.markup_percent / 100) - 1e-6)
