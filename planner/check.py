"""The independent verifier: records in, violations out.

It imports no stage and shares no kernel with one; it recomputes what it can from the records of
other stages and assumes only that catalog, room and topology say what is wanted. Each function
below is one rule; its name is the rule's name, its docstring the meaning.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np

from planner.model import UNIT_UM, Plan, Violation, Violations


def check(plan: Plan) -> Violations:
    """Return every broken design rule of a plan that has been cabled."""
    found = [violation for rule in RULES for violation in rule(plan)]
    return Violations(checked=tuple(rule.__name__ for rule in RULES), items=tuple(found))


def ports_used_once(plan: Plan) -> Iterator[Violation]:
    """Every port that the network needs has exactly one cable, and no cable uses a port that is not there."""
    cables, topology = plan.cables, plan.topology
    ends = np.column_stack([cables.device.ravel(), cables.port.ravel()])
    pairs, count = np.unique(ends, axis=0, return_counts=True)
    for (device, port), uses in zip(pairs[count > 1], count[count > 1], strict=True):
        yield _error("ports_used_once", f"{_device(plan, device)} port {port}", uses, 1, "cables", "two cables in one port")
    most = np.where(pairs[:, 0] < topology.router_count, plan.catalog.router.ports, plan.catalog.endpoint.endpoints)
    for device, port in pairs[(pairs[:, 1] < 1) | (pairs[:, 1] > most)]:
        yield _error(
            "ports_used_once", f"{_device(plan, device)} port {port}", port, plan.catalog.router.ports, "", "no such port"
        )
    needed = 2 * (topology.link_count + topology.endpoint_count)
    if ends.shape[0] != needed:
        yield _error("ports_used_once", "the whole plan", ends.shape[0], needed, "cable ends", "cables are missing or too many")


def ends_agree_with_the_network(plan: Plan) -> Iterator[Violation]:
    """The cable in port p of a router leads to the neighbour that the network has behind port p, and back."""
    cables, topology = plan.cables, plan.topology
    neighbour = {}
    for router in range(topology.router_count):
        for place in range(topology.indptr[router], topology.indptr[router + 1]):
            neighbour[router, place - topology.indptr[router] + 1] = int(topology.indices[place])
    for number in range(min(topology.link_count, cables.cable_count)):
        (a, b), (port_a, port_b) = cables.device[number].tolist(), cables.port[number].tolist()
        if neighbour.get((a, port_a)) != b or neighbour.get((b, port_b)) != a:
            yield _error(
                "ends_agree_with_the_network", _cable(plan, number), 0, 1, "", f"joins {_device(plan, a)} and {_device(plan, b)}"
            )
    for number in range(topology.link_count, cables.cable_count):
        endpoint = number - topology.link_count
        if cables.device[number].tolist() != [int(topology.endpoint_router[endpoint]), topology.router_count + endpoint]:
            yield _error(
                "ends_agree_with_the_network", _cable(plan, number), 0, 1, "", f"does not join endpoint {endpoint} to its router"
            )


def boxes_fit_their_cabinets(plan: Plan) -> Iterator[Violation]:
    """No two boxes of a cabinet overlap, none leaves it, and cable ends name the cabinet and unit of their box."""
    catalog, placement, cables = plan.catalog, plan.placement, plan.cables
    boxes = [(int(c), int(u), catalog.router.units) for c, u in zip(placement.cabinet_of, placement.unit_of, strict=True)]
    shared = np.column_stack([placement.endpoint_cabinet, placement.endpoint_unit])
    distinct, content = np.unique(shared, axis=0, return_counts=True) if len(shared) else (shared, [])
    boxes += [(int(c), int(u), catalog.endpoint.units) for c, u in distinct]
    for (cabinet, unit), count in zip(distinct, content, strict=True):
        if count > catalog.endpoint.endpoints:
            where = f"{_cabinet(plan, cabinet)} unit {unit}"
            yield _error(
                "boxes_fit_their_cabinets", where, count, catalog.endpoint.endpoints, "endpoints", "too many endpoints in a box"
            )
    taken = Counter((cabinet, place) for cabinet, unit, units in boxes for place in range(unit, unit + units))
    for (cabinet, place), count in sorted(taken.items()):
        where = f"{_cabinet(plan, cabinet)} unit {place}"
        if not 1 <= place <= catalog.cabinet.units:
            yield _error("boxes_fit_their_cabinets", where, place, catalog.cabinet.units, "unit", "outside the cabinet")
        if count > 1:
            yield _error("boxes_fit_their_cabinets", where, count, 1, "boxes", "several boxes in one unit")
    cabinet_of = np.concatenate([placement.cabinet_of, placement.endpoint_cabinet])[cables.device]
    unit_of = np.concatenate([placement.unit_of, placement.endpoint_unit])[cables.device]
    for number in np.flatnonzero(((cabinet_of != cables.cabinet) | (unit_of != cables.unit)).any(axis=1)):
        yield _error("boxes_fit_their_cabinets", _cable(plan, number), 0, 1, "", "its ends stand elsewhere")


def cabinets_within_limits(plan: Plan) -> Iterator[Violation]:
    """Every cabinet has a slot of its own, that fits its size and carries its greatest power and its mass."""
    catalog, placement, room = plan.catalog, plan.placement, plan.room
    slots, count = np.unique(placement.slot_of, return_counts=True)
    for slot in slots[count > 1]:
        yield _error("cabinets_within_limits", room.slot_names[slot], 2, 1, "cabinets", "two cabinets in one slot")
    cabinets = placement.cabinet_count
    routers = np.bincount(placement.cabinet_of, minlength=cabinets)
    boxes = np.unique(np.column_stack([placement.endpoint_cabinet, placement.endpoint_unit]), axis=0)
    boxes = np.bincount(boxes[:, 0], minlength=cabinets) if len(boxes) else np.zeros(cabinets, int)
    power = routers * catalog.router.power_max_mw + boxes * catalog.endpoint.power_max_mw
    mass = routers * catalog.router.mass_g + boxes * catalog.endpoint.mass_g
    limits = (
        ("power", power, room.slot_power_mw[placement.slot_of], "mW"),
        ("floor load", mass + catalog.cabinet.mass_g, room.slot_load_g[placement.slot_of], "g"),
        ("cabinet load", mass, np.full(cabinets, catalog.cabinet.load_g), "g"),
    )
    for what, value, limit, unit in limits:
        for cabinet in np.flatnonzero(value > limit):
            yield _error("cabinets_within_limits", _cabinet(plan, cabinet), value[cabinet], limit[cabinet], unit, what)
    if room.cabinet_routers is not None:
        for cabinet in np.flatnonzero(routers > room.cabinet_routers):
            yield _error("cabinets_within_limits", _cabinet(plan, cabinet), routers[cabinet], room.cabinet_routers, "routers", "")


def lengths_explained(plan: Plan) -> Iterator[Violation]:
    """A run length is the sum of its parts; without slack it is at least the straight way between the two boxes."""
    cables, room = plan.cables, plan.room
    total = cables.rise_mm.sum(axis=1) + cables.drop_mm.sum(axis=1) + cables.tray_mm + cables.slack_mm
    for number in np.flatnonzero(total != cables.run_mm):
        yield _error(
            "lengths_explained", _cable(plan, number), cables.run_mm[number], total[number], "mm", "is not the sum of its parts"
        )
    if room.end_mm is not None or not cables.cable_count:
        return
    slot = plan.placement.slot_of[cables.cabinet]
    units = np.where(cables.device < plan.topology.router_count, plan.catalog.router.units, plan.catalog.endpoint.units)
    height = (cables.unit - 1 + units / 2) * UNIT_UM / 1000
    level = np.abs(np.diff(room.slot_xy[slot].astype(float), axis=1)[:, 0]).max(axis=1)
    up = 2 * room.node_xyz[room.slot_node[slot[:, 0]], 2] - height.sum(axis=1)
    least = np.where(slot[:, 0] == slot[:, 1], np.abs(np.diff(height, axis=1)[:, 0]), np.hypot(level, up))
    way = cables.run_mm - cables.slack_mm
    for number in np.flatnonzero(way < np.floor(least)):
        yield _error(
            "lengths_explained", _cable(plan, number), way[number], math.ceil(least[number]), "mm", "shorter than straight"
        )


def routes_follow_trays(plan: Plan) -> Iterator[Violation]:
    """A cable's tray segments form a way from slot to slot whose length is the cable's way along trays."""
    cables, room = plan.cables, plan.room
    slot = plan.placement.slot_of[cables.cabinet]
    seen: dict[tuple, str] = {}
    for number in range(cables.cable_count):
        key = (int(cables.route[number]), *slot[number].tolist(), int(cables.tray_mm[number]))
        if key not in seen:
            seen[key] = _broken_route(room, cables.route_of(number), key)
        if seen[key]:
            yield _error("routes_follow_trays", _cable(plan, number), 0, 0, "", seen[key])


def _broken_route(room, segments: np.ndarray, key: tuple) -> str:
    route, start, end, tray_mm = key
    if start == end:
        return "" if route < 0 and tray_mm == 0 else "is on a tray although it stays in its cabinet"
    if route < 0:
        return "has no way over the trays"
    node = int(room.slot_node[start])
    for segment in segments:
        a, b = room.segments[segment].tolist()
        if node not in (a, b):
            return "leaves the trays on its way"
        node = a + b - node
    if node != room.slot_node[end]:
        return "does not reach the tray over its far end"
    length = int(room.segment_mm[segments].sum())
    return "" if length == tray_mm else f"is {length} mm long on the trays, planned {tray_mm} mm"


def parts_cover_their_cables(plan: Plan) -> Iterator[Violation]:
    """The stock length is on sale, covers the run, stays in reach, costs what is planned, and fits both sockets at the rate."""
    cables, catalog = plan.cables, plan.catalog
    for number in np.flatnonzero(cables.stock_mm < cables.run_mm):
        yield _error(
            "parts_cover_their_cables",
            _cable(plan, number),
            cables.stock_mm[number],
            cables.run_mm[number],
            "mm",
            "stock too short",
        )
    link = np.arange(cables.cable_count) < plan.topology.link_count
    far = {True: catalog.router.connector, False: catalog.endpoint.connector}
    rate = {True: catalog.router.rate_gbps, False: catalog.endpoint.rate_gbps}
    kinds = np.column_stack([cables.assembly, cables.stock_mm, cables.price_cents, link])
    for kind in np.unique(kinds, axis=0) if len(kinds) else ():
        made_of, stock, price, is_link = cables.assemblies[kind[0]], int(kind[1]), int(kind[2]), bool(kind[3])
        wrong = []
        if (stock, price) not in zip(made_of.stock_mm, made_of.price_cents, strict=True):
            wrong.append(f"{made_of.id} is not sold at {stock} mm for {price} cents")
        if stock > made_of.reach_mm:
            wrong.append(f"{made_of.id} reaches {made_of.reach_mm} mm")
        if sorted((made_of.connector_a, made_of.connector_b)) != sorted((catalog.router.connector, far[is_link])):
            wrong.append(f"{made_of.id} does not fit {catalog.router.connector} and {far[is_link]}")
        if made_of.rate_gbps != rate[is_link]:
            wrong.append(f"{made_of.id} runs at {made_of.rate_gbps} Gb/s, not {rate[is_link]}")
        for message in wrong:
            first = int(np.flatnonzero((kinds == kind).all(axis=1))[0])
            yield _error("parts_cover_their_cables", _cable(plan, first), stock, made_of.reach_mm, "mm", message)


def trays_within_fill(plan: Plan) -> Iterator[Violation]:
    """Cables take no more of a tray than the design fill (warning) and the greatest fill (error) allow."""
    cables, room = plan.cables, plan.room
    fill = np.zeros(len(room.segments), np.int64)
    area = [round(math.pi * (a.diameter_um / 2) ** 2) for a in cables.assemblies]
    for number in range(cables.cable_count):
        fill[cables.route_of(number)] += area[cables.assembly[number]]
    for segment in np.flatnonzero(fill != cables.fill_um2):
        yield _error(
            "trays_within_fill",
            _segment(room, segment),
            cables.fill_um2[segment],
            fill[segment],
            "µm²",
            "fill is not what the cables take",
        )
    for segment in np.flatnonzero((room.segment_mm2 > 0) & (fill > room.design_fill * room.segment_mm2 * 1e6)):
        share = fill[segment] / room.segment_mm2[segment] / 1e4
        over = share > 100 * room.max_fill
        limit = 100 * (room.max_fill if over else room.design_fill)
        yield Violation(
            "trays_within_fill", _segment(room, segment), round(share, 1), limit, "%", "error" if over else "warning", ""
        )


def labels_unique(plan: Plan) -> Iterator[Violation]:
    """No two cable ends bear the same label."""
    texts, count = np.unique(np.concatenate([plan.cables.label_a, plan.cables.label_b]), return_counts=True)
    for text, uses in zip(texts[count > 1].tolist(), count[count > 1], strict=True):
        yield _error("labels_unique", repr(text), uses, 1, "cable ends", "one label on several ends")


def bill_complete(plan: Plan) -> Iterator[Violation]:
    """The bill has every router and cabinet, its cables and transceivers cost and draw what the cables do."""
    bill, cables, catalog = plan.bill, plan.cables, plan.catalog
    if bill is None:
        return
    count = {
        category: sum(x.quantity for x in bill.lines if x.category == category) for category in ("routers", "cabinets", "cables")
    }
    wanted = {"routers": plan.topology.router_count, "cabinets": plan.placement.cabinet_count, "cables": cables.cable_count}
    for category, quantity in count.items():
        if quantity != wanted[category]:
            yield _error("bill_complete", category, quantity, wanted[category], "", "wrong quantity on the bill")
    price = int(cables.price_cents.sum())
    billed = bill.cents("cables") + bill.cents("transceivers")
    if billed != price:
        yield _error("bill_complete", "cables and transceivers", billed, price, "cents", "the bill differs from the cables")
    power = 2 * int(cables.of_assembly("power_mw").sum()) + plan.topology.router_count * catalog.router.power_typical_mw
    if bill.power_mw() != power:
        yield _error("bill_complete", "power", bill.power_mw(), power, "mW", "the bill differs from routers and cables")


def links_as_short_as_asked(plan: Plan) -> Iterator[Violation]:
    """No link runs farther than the study asks for."""
    limit, cables = plan.placement.longest_mm, plan.cables
    run = cables.run_mm[: plan.topology.link_count]
    if limit is None or not (over := np.flatnonzero(run > limit)).size:
        return
    worst = int(over[run[over].argmax()])
    message = f"{over.size} links are longer than asked, this one most"
    yield Violation("links_as_short_as_asked", _cable(plan, worst), float(run[worst]), float(limit), "mm", "warning", message)


RULES = (
    ports_used_once,
    ends_agree_with_the_network,
    boxes_fit_their_cabinets,
    cabinets_within_limits,
    lengths_explained,
    routes_follow_trays,
    parts_cover_their_cables,
    trays_within_fill,
    labels_unique,
    bill_complete,
    links_as_short_as_asked,
)


def _error(rule: str, where: str, value, limit, unit: str, message: str) -> Violation:
    return Violation(rule, where, float(value), float(limit), unit, "error", message)


def _device(plan: Plan, device: int) -> str:
    routers = plan.topology.router_count
    return f"router {device}" if device < routers else f"endpoint {device - routers}"


def _cabinet(plan: Plan, cabinet: int) -> str:
    return f"cabinet {plan.room.slot_names[plan.placement.slot_of[cabinet]]}"


def _cable(plan: Plan, number: int) -> str:
    return f"cable {number + 1} ({plan.cables.label_a[number]})"


def _segment(room, segment: int) -> str:
    a, b = room.node_xyz[room.segments[segment]][:, :2].tolist()
    return f"tray {room.tray_names[room.segment_tray[segment]]} between ({a[0]}, {a[1]}) and ({b[0]}, {b[1]}) mm"
