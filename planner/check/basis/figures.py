"""The numbers that a plan reports, one subject after the other; None where a plan has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from planner.check.basis.boxes import boxes, fitted, framed, in_cabinets
from planner.check.basis.domains import supplies
from planner.check.basis.existing import in_use, tray_use_um2, units_in_use
from planner.check.basis.rule import Number
from planner.domain.model import DELAY_PARTS, MEDIA, PATCHING, BillLine, CablePlan, Plan

_STAGES = ("in cabinet", "in row", "in zone", "across the room")

_DOMAINS = ("cabinet", "row", "zone", "hall", "PDU", "feed", "tray", "tray segment")


def network(plan: Plan) -> Iterator[Number]:
    """Yield the quantities of network and simulation, which plans without cables have, too."""
    yield from _size(plan)
    if plan.simulation is not None:
        result = plan.simulation
        yield "throughput", _throughput(plan)
        yield "saturation_throughput", result.saturation_throughput
        yield "load_bound", result.load_bound
        points = zip(result.offered.tolist(), result.delay_mean.tolist(), result.settled.tolist(), strict=True)
        _, delay, settled = min(points, key=lambda point: point[0], default=(0, np.nan, False))
        lowest = delay if settled else np.nan
        yield "packet_delay_ps", None if not result.cycle_ps or np.isnan(lowest) else round(lowest * result.cycle_ps)
    if plan.workload is not None:
        jobs = plan.workload
        yield (
            "workload_ns",
            round(sum(jobs.completion_cycles.tolist()) * jobs.cycle_ps / 1000) if all(jobs.finished.tolist()) else None,
        )


def _size(plan: Plan) -> Iterator[Number]:
    topology = plan.topology
    ends = np.bincount(topology.links.ravel(), minlength=topology.router_count)
    yield from (("routers", topology.router_count), ("endpoints", topology.endpoint_count), ("links", topology.link_count))
    yield "radix", max(ends.tolist(), default=0)


def each_network(plan: Plan) -> Iterator[Number]:
    """Yield the quantities of each of several networks, with its name after theirs."""
    for number, name in enumerate(plan.network_names if plan.others else ()):
        one = plan.of(name)
        for quantity, value in (*_size(one), *_delays(one), *_failures(one), *_cables_of(plan, number)):
            yield f"{quantity}@{name}", value


def _cables_of(plan: Plan, number: int) -> Iterator[Number]:
    """Yield cables, lengths and catalog price of one network; the price is that of its cables and of its routers."""
    cables, inventory = plan.cables, plan.inventory
    rows, routers = inventory.connections(number, direct=True), inventory.routers(number)
    yield from _lengths(cables, rows)
    prices = [inventory.parts[part].price_cents for part in inventory.part[routers].tolist()]
    yield "cost_cents", sum(cables.price_cents[rows].tolist()) + sum(prices)


def _lengths(cables: CablePlan, rows: slice) -> Iterator[Number]:
    """Yield the number of pieces, and the sums of their longest run and of their stock length."""
    runs, stock = Counter[int](), dict[int, int]()
    for piece, run, bought in zip(
        *(column[rows].tolist() for column in (cables.piece, cables.run_mm, cables.stock_mm)), strict=True
    ):
        runs[piece], stock[piece] = max(runs[piece], run), stock.get(piece, bought)
    yield from (("cables", len(runs)), ("run_mm", runs.total()), ("stock_mm", sum(stock.values())))


def _throughput(plan: Plan) -> float | None:
    """Return the largest load accepted in a steady state."""
    result = plan.simulation
    points = zip(result.accepted.tolist(), result.settled.tolist(), strict=True)
    return max((accepted for accepted, settled in points if settled), default=None)


def physical(plan: Plan) -> Iterator[Number]:
    """Yield the quantities of cables, bundles, work, delays and failures."""
    cables, room = plan.cables, plan.room
    yield from (("cabinets", len(plan.placement.slot_of)), ("slots", len(room.slot_names)))
    medium = [cables.assemblies[number].medium for number in cables.assembly.tolist()]
    first = cables.first_of_piece.tolist()
    yield "cables_less_slack", sum(cables.slack_below_mm[row] > 0 for row in first) or None
    piece = cables.piece.tolist()
    yield "cables_between_cabinets", len({own for own, (a, b) in zip(piece, cables.cabinet.tolist(), strict=True) if a != b})
    yield "bundles", len(cables.bundle_kind)
    yield from _lengths(cables, slice(None))
    tray = cables.tray_mm.tolist()
    yield "tray_mm", sum(tray[row] for row in first)
    alone = sum(tray[row] for row, over in zip(first, cables.carried[first].tolist(), strict=True) if not over)
    yield "tray_detour_percent", 100 * (alone / cables.shortest_tray_mm - 1) if cables.shortest_tray_mm else 0.0
    yield "longest_run_mm", max(cables.run_mm.tolist(), default=0)
    links = cables.run_mm[plan.inventory.is_link].tolist()
    yield "mean_link_mm", sum(links) / len(links) if links else None
    fills = zip((cables.fill_um2 + tray_use_um2(room)).tolist(), room.segment_mm2.tolist(), strict=True)
    yield "fullest_tray_percent", max((fill / area / 1e4 for fill, area in fills if area), default=0.0)
    for name, label in zip(MEDIA, ("passive_copper", "active_copper", "optical"), strict=True):
        rows = [row for row, own in enumerate(medium) if own == name]
        own = set(rows)
        heads = [row for row in first if row in own]
        yield f"cables_{name.replace(' ', '_')}", len({piece[row] for row in rows})
        yield f"{label}_cables_bought", len(heads)
        yield f"{label}_stock_mm", sum(cables.stock_mm[heads].tolist())
        yield f"{label}_power_mw", int(cables.power_mw[rows].sum())
        yield f"{label}_cents", sum(cables.price_cents[rows].tolist())
    yield "transceivers", sum(map(sum, cables.modules.tolist()))
    yield "optical_for_lack_of_copper", _without_copper(plan)
    if plan.near_misses is not None:
        yield from (("near_misses", plan.near_misses.count), ("near_misses_cents", plan.near_misses.saving_cents))
    yield from _bundlings(plan)
    yield from _work(plan)
    yield from _delays(plan)
    yield from _failures(plan)


def _without_copper(plan: Plan) -> int:
    """Return the number of optical cables inside cabinets whose ports and run no available copper part fits."""
    cables, inventory = plan.cables, plan.inventory
    is_link = inventory.is_link.tolist()
    ends = [tuple(map(tuple, pair)) for pair in np.stack([cables.device, cables.cage], axis=2).tolist()]
    pairs, heads = Counter(ends), Counter(head for head, _ in ends)
    lacking = set()
    for row, (a, b) in enumerate(cables.cabinet.tolist()):
        if a != b or cables.assemblies[cables.assembly[row]].medium != "optical":
            continue
        joint = inventory.joints[inventory.joint[row]]
        together = pairs[ends[row]] if is_link[row] else heads[ends[row][0]]
        offered = [*joint.single, *(one for one in joint.shared if one.carries <= together)]
        if not any(one.medium != "optical" and one.stock_mm[-1] >= cables.run_mm[row] for one in offered):
            lacking.add(int(cables.piece[row]))
    return len(lacking)


def _bundlings(plan: Plan) -> Iterator[Number]:
    found = plan.bundlings
    for number, method in enumerate(found.methods if found is not None else ()):
        yield f"pulls_{method}", int(found.pulls[number])
        yield f"bundle_types_{method}", int(found.types[number])
        yield f"bundled_fill_{method}", int(found.fill_mm2_m[number])
        yield f"bundled_cents_{method}", found.cents[number]


def _work(plan: Plan) -> Iterator[Number]:
    work = plan.work
    if work is None:
        return
    times = [sum(parts) for parts in work.person_s.tolist()]
    stages = [work.stage_names[stage] for stage in work.stage.tolist()]
    last = max(work.end_s.tolist(), default=0)
    yield from (
        ("work_tasks", len(times)),
        ("work_s", sum(times)),
        ("makespan_s", last),
        ("work_shifts", -(-last // work.shift_s)),
    )
    for name in (*_STAGES, PATCHING):
        own = [time for time, stage in zip(times, stages, strict=True) if stage == name]
        yield f"work_{name.replace(' ', '_')}_s", sum(own) if name in work.stage_names else None


def _delays(plan: Plan) -> Iterator[Number]:
    found = plan.latency
    if found is None:
        return
    yield from (("diameter", len(found.hop_histogram) - 1), ("mean_hops", found.mean_hops))
    yield from (("delay_mean_ps", found.mean_ps), ("delay_worst_ps", found.worst_ps))
    yield from (("endpoint_delay_mean_ps", found.endpoint_mean_ps), ("endpoint_delay_worst_ps", found.endpoint_worst_ps))
    pairs = found.class_pairs.tolist()
    for part, name in enumerate(DELAY_PARTS):
        total = sum(mean * count for mean, count in zip(found.class_parts_ps[:, part].tolist(), pairs, strict=True))
        yield f"delay_{name.replace(' ', '_').lower()}_mean_ps", total / sum(pairs) if total else None
    sampled = found.sources < found.routers
    yield "mean_hops_error", found.mean_hops_error if sampled else None
    yield "delay_mean_error_ps", found.mean_error_ps if sampled else None
    yield "endpoint_delay_mean_error_ps", found.endpoint_mean_error_ps if sampled else None


def _failures(plan: Plan) -> Iterator[Number]:
    found = plan.failures
    if found is None:
        return
    ends = len(np.unique(found.node)) or found.routers
    pairs = max(ends * (ends - 1), 1)
    for kind in _DOMAINS:
        own = [n for n, number in enumerate(found.kind.tolist()) if found.kinds[number] == kind]
        lost = [100 * int(found.pairs_failed[n] + found.pairs_disconnected[n]) / pairs for n in own]
        disconnected = [100 * int(found.pairs_disconnected[n]) / pairs for n in own]
        label = kind.replace(" ", "_").lower()
        yield f"worst_{label}_unreachable_pairs_percent", max(lost, default=None)
        yield f"worst_{label}_disconnected_pairs_percent", max(disconnected, default=None)


def cabinets(plan: Plan) -> Iterator[Number]:
    """Yield the fill of the cabinets."""
    placement, catalog, room = plan.placement, plan.catalog, plan.room
    count = len(placement.slot_of)
    units, mass = ((in_cabinets(plan, name) + fitted(plan, name)).tolist() for name in ("units", "mass_g"))
    power = (in_cabinets(plan, "power_max_mw") + in_use(room, "power_mw")[placement.slot_of]).tolist()
    mass = [own + more for own, more in zip(mass, in_use(room, "mass_g")[placement.slot_of].tolist(), strict=True)]
    others = [unit for slot in placement.slot_of.tolist() for unit in units_in_use(room).get(slot, ())]
    free = count * catalog.cabinet.units - sum(units) - len(others)
    yield from (("used_units", sum(units)), ("free_units", free))
    low, high = placement.reserved_units
    reserved = [unit for unit in others if unit <= low or unit > catalog.cabinet.units - high]
    yield "blanking_units", free - count * (low + high) + len(reserved)
    yield "cable_managers", int((placement.fixture_kind == 0).sum()) if catalog.manager else None
    yield "pdus", int(framed(plan).sum()) * placement.feeds * placement.pdus_per_feed if catalog.pdu else None
    yield "fullest_pdu_percent", _fullest_pdu(plan)
    slots = placement.slot_of.tolist()
    yield (
        "fullest_cabinet_power_percent",
        100 * max(one / int(room.slot_power_mw[slot]) for one, slot in zip(power, slots, strict=True)),
    )
    frames = framed(plan).tolist()
    floor = [
        (one + catalog.cabinet.mass_g * frame) / int(room.slot_load_g[slot])
        for one, slot, frame in zip(mass, slots, frames, strict=True)
    ]
    inside = [one * frame / catalog.cabinet.load_g for one, frame in zip(mass, frames, strict=True)]
    yield "heaviest_cabinet_percent", 100 * max(*floor, *inside)
    yield "placement_objective", placement.objective
    yield "placement_start_objective", placement.start_objective
    yield "placement_lower_bound", placement.lower_bound or None
    for name, chosen in (("placement_total", True), ("placement_total_runner_up", False)):
        yield name, min((one.total for one in placement.alternatives if one.chosen == chosen), default=None)
    known = placement.lower_bound and placement.objective
    yield "placement_gap_percent", 100 * (1 - placement.lower_bound / placement.objective) if known else None


def _fullest_pdu(plan: Plan) -> float | None:
    """Return the highest relative load of a PDU when the other feed fails."""
    pdu = plan.catalog.pdu
    if pdu is None:
        return None
    load: Counter[tuple[int, int, int]] = Counter()
    for (home, _, part), plugs in zip(boxes(plan), supplies(plan).tolist(), strict=True):
        for feed, number in enumerate(plugs):
            if number >= 0:
                load[home, feed, number] += part.power_max_mw
    return 100 * max(load.values(), default=0) / int(pdu.rating_mw * pdu.derating)


def money(plan: Plan) -> Iterator[Number]:
    """Yield the bill by category, and per endpoint and Gb/s."""
    if plan.bill is None:
        return

    def total(category: str | None) -> int:
        return sum(_cents(line) for line in plan.bill.lines if category in (None, line.category))

    seen = {line.category for line in plan.bill.lines}
    yield "cost_cents", total(None)
    for category in ("routers", "cabinets", "cables", "transceivers", "labor"):
        yield f"cost_{category}_cents", total(category)
    for category in ("fittings", "trunks", "panels", "trays", "spares", "packs", "energy"):
        yield f"cost_{category}_cents", total(category) if category in seen else None
    power = sum(line.quantity * line.unit_power_mw for line in plan.bill.lines)
    energy = sum(line.quantity for line in plan.bill.lines if line.category == "energy") or None
    yield from (("power_mw", power), ("energy_kwh", energy))
    yield "mass_g", sum(line.quantity * line.unit_mass_g for line in plan.bill.lines)
    for name, unit, amount in (("cost", "cents", total(None)), ("power", "mw", power), ("energy", "kwh", energy)):
        for suffix, share in _shares(plan):
            yield f"{name}_{suffix}_{unit}", amount / share if share and amount is not None else None


def _cents(line: BillLine) -> int:
    return line.quantity * line.unit_cents + line.over_cents


def _shares(plan: Plan) -> Iterator[Number]:
    inventory, endpoints = plan.inventory, plan.topology.endpoint_count
    rate = min(inventory.of_routers("rate_gbps").tolist())
    nodes = inventory.ends[inventory.endpoints(), 1].tolist()
    yield "per_endpoint", endpoints
    yield "per_injection_gbps", sum(inventory.parts[inventory.part[node]].rate_gbps for node in nodes)
    if plan.bisection is not None:
        yield "per_bisection_gbps_min", plan.bisection.upper * rate
        yield "per_bisection_gbps_max", plan.bisection.lower * rate
    if plan.simulation is not None:
        one = plan.of_section("simulation")
        rate = min(one.inventory.of_routers("rate_gbps").tolist())
        yield "per_throughput_gbps", (_throughput(plan) or 0) * one.topology.endpoint_count * rate
