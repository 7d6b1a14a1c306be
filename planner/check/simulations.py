"""Rules of simulations: relations among the measured figures, without repeating any run."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.sparse.csgraph import dijkstra

from planner.check.basis.graph import components, network
from planner.check.basis.nodes import interfaces, link_rates, planes_of
from planner.check.basis.places import error, unequal, unlike
from planner.check.basis.rule import rule
from planner.domain.model import Plan, SimulationResult, Violation

_SIGMAS = 6
"""Allowed standard deviations: exceeded by chance in one of 500 million runs."""

_LARGE = 5000
"""Routers up to which the hops of uniform traffic are counted again."""


@rule(550, networks=True, each="simulation")
def simulation_as_configured(plan: Plan) -> Iterator[Violation]:
    """Routing, traffic, loads and times of the simulation are those of the study."""
    result, settings, rule = plan.simulation, plan.study.get("simulation"), "simulation_as_configured"
    if result is None or settings is None:
        return
    for field in ("routing", "traffic", "packet_phits"):
        yield from unlike(rule, f"simulation.{field}", getattr(result, field), settings[field], "does not match the study")
    loads, points = settings["loads"], len(result.offered)
    yield from unlike(rule, "simulation.offered", result.offered.tolist(), list(loads[:points]), "are not the study's loads")
    yield from unlike(rule, "simulation.complete", result.complete, points == len(loads), "states that all loads are complete")
    rate = settings.get("link_gbps") or (min(plan.inventory.of_routers("rate_gbps").tolist()) if plan.inventory else None)
    if rate:
        cycle_ps = round(settings["phit_bytes"] * 8000 / rate)
        yield from unlike(rule, "simulation.cycle_ps", result.cycle_ps, cycle_ps, "is not the time of a phit on a link")
    if settings.get("virtual_channels"):
        yield from unlike(rule, "simulation.virtual_channels", result.virtual_channels, settings["virtual_channels"], "in number")
    if result.channel_occupancy.size:
        yield from unlike(
            rule,
            "simulation.channel_occupancy",
            result.channel_occupancy.shape[1],
            result.virtual_channels,
            "one for each channel",
        )
    if settings.get("precision") is None:
        stuck = result.deadlock >= 0
        # By default all loads have the same number.
        cycles = np.where(stuck, result.cycles, settings.get("cycles") or result.cycles.max())
        yield from unequal(rule, result.cycles, cycles, _load(result), "cycles measured")
        if settings.get("warmup") is not None:
            warmup = np.where(stuck, result.warmup, settings["warmup"])
            yield from unequal(rule, result.warmup, warmup, _load(result), "cycles of warm-up")
    for low in ("saturation_low", "saturation_high", "saturation_throughput"):
        if not settings["saturation"]:
            yield from unlike(rule, f"simulation.{low}", getattr(result, low), None, "no search was requested")


@rule(560, networks=True, each="simulation")
def packets_are_counted_once(plan: Plan) -> Iterator[Violation]:
    """Delivered packets are those of the hop histogram and of the accepted load, and no more than were offered."""
    result, rule = plan.simulation, "packets_are_counted_once"
    if result is None:
        return
    where, delivered = _load(result), result.delivered
    yield from unequal(rule, result.hop_histogram.sum(axis=1), delivered, where, "packets in the histogram of hops", "packets")
    with np.errstate(invalid="ignore", divide="ignore"):
        hops = result.hop_histogram @ np.arange(result.hop_histogram.shape[1]) / delivered
    yield from unequal(rule, result.mean_hops, hops, where, "mean of the histogram of hops", "hops", 1e-9)
    senders = _senders(plan)
    phits = result.packet_phits / (result.cycles * senders)
    yield from unequal(
        rule, result.accepted, delivered * phits, where, "load of the delivered packets", "phits/cycle/endpoint", 1e-9
    )
    packets = result.generated / phits
    yield from unequal(rule, packets, np.rint(packets), where, "whole packets were generated", "packets", 1e-6)
    expected = result.offered / phits
    settings = plan.study.get("simulation", {})
    spread = settings.get("burst_packets", 1.0) * 2 if settings.get("process") == "burst" else 1.0
    slack = _SIGMAS * np.sqrt(spread * np.maximum(expected, 1))
    for point in np.flatnonzero(np.abs(packets - expected) > slack).tolist():
        message = "more or less than the offered load, by more than chance"
        yield error(rule, where(point), result.generated[point], result.offered[point], "phits/cycle/endpoint", message)
    for point in np.flatnonzero(delivered + result.dropped > packets + slack + _in_flight(result)).tolist():
        yield error(rule, where(point), delivered[point], packets[point], "packets", "more than were generated and in flight")
    if not settings.get("outages", ()) and result.dropped.any():
        yield error(rule, "simulation.dropped", result.dropped.max(), 0, "packets", "dropped although nothing fails")


@rule(570, networks=True, each="simulation")
def delays_in_order(plan: Plan) -> Iterator[Violation]:
    """Median, mean, 99th percentile and maximum of the delay are in order, and queues take what cables and routers do not."""
    result, rule = plan.simulation, "delays_in_order"
    if result is None:
        return
    where = _load(result)
    known = np.isfinite(result.delay_mean)
    for low, high in (("delay_p50", "delay_p99"), ("delay_p99", "delay_max"), ("delay_mean", "delay_max")):
        for point in np.flatnonzero(known & (getattr(result, low) > getattr(result, high))).tolist():
            message = f"{low} is above {high}"
            yield error(rule, where(point), getattr(result, low)[point], getattr(result, high)[point], "cycles", message)
    queue = np.maximum(result.delay_mean - result.delay_network, 0)
    yield from unequal(rule, result.delay_queue, queue, where, "delay in queues", "cycles", 1e-9)
    for field in ("accepted_error", "delay_error"):
        if (getattr(result, field) < 0).any():
            yield error(rule, f"simulation.{field}", getattr(result, field).min(), 0, "", "an error is not negative")
    fairness = result.fairness[np.isfinite(result.fairness)]
    if ((fairness <= 0) | (fairness > 1 + 1e-9)).any():
        yield error(rule, "simulation.fairness", fairness.max(), 1, "", "is between 0 and 1")
    for point in np.flatnonzero((result.deadlock >= 0) & ~result.saturated).tolist():
        yield error(rule, where(point), 0, 1, "", "packets are stuck, and the load counts as carried")
    settings = plan.study.get("simulation") or {"allow_deadlock": True}
    if not settings.get("allow_deadlock") and not settings.get("outages") and result.checked_pairs == result.router_pairs:
        for point in np.flatnonzero(result.deadlock >= 0).tolist():
            yield error(rule, where(point), result.deadlock[point], -1, "cycle", "packets are stuck without a cyclic dependency")
    yield from _without_load(plan)


@rule(580, networks=True, each="simulation")
def link_loads_carry_the_packets(plan: Plan) -> Iterator[Violation]:
    """No link carries more than its rate, each carries whole phits, and all together what packets times hops make."""
    result, rule = plan.simulation, "link_loads_carry_the_packets"
    if result is None:
        return
    where, links = _load(result), plan.topology.link_count
    load = result.link_load.astype(np.float64)
    # Windows may cut a packet at either edge.
    rate = np.repeat(link_rates(plan, "simulation"), 2)
    max_load = rate + 2 * result.packet_phits / np.maximum(result.cycles, 1)[:, None]
    for point, side in np.argwhere((load < 0) | (load > max_load))[:10].tolist():
        place = f"{where(point)}, link {side // 2} {('forward', 'backward')[side % 2]}"
        yield error(rule, place, load[point, side], rate[side], "phits/cycle", "more than the link carries")
    phits = load * result.cycles[:, None]
    off = np.abs(phits - np.rint(phits)) > 1e-3 + np.abs(phits) * 2e-6
    for point, side in np.argwhere(off)[:10].tolist():
        yield error(
            rule, f"{where(point)}, link {side // 2}", phits[point, side], round(phits[point, side]), "phits", "no whole phits"
        )
    sent = phits.sum(axis=1) / result.packet_phits
    wanted = result.mean_hops * result.delivered
    # Packets in flight at the edges of the window are sent and not delivered, or vice versa.
    slack = 2 * links + _in_flight(result) * np.maximum(result.mean_hops, 1) + 0.02 * wanted + result.dropped * result.mean_hops
    steady = np.isfinite(wanted) & ~result.saturated & (result.deadlock < 0)
    for point in np.flatnonzero(steady & (np.abs(sent - wanted) > slack)).tolist():
        yield error(rule, where(point), sent[point], wanted[point], "packets", "links carry more or less than packets times hops")
    if result.channel_occupancy.size:
        # Little's law: what waits in network ports is the rate times the time in them, less than the whole delay.
        held = result.channel_occupancy.astype(np.float64).sum(axis=1) * 2 * links
        limit = result.delivered / result.cycles * result.delay_mean * 1.1 + 2 * links * 0.05
        for point in np.flatnonzero(steady & (held > limit)).tolist():
            yield error(rule, where(point), held[point], limit[point], "packets", "more wait than Little's law allows")


@rule(590, networks=True, each="simulation")
def bounds_of_loads_hold(plan: Plan) -> Iterator[Violation]:
    """The bound on the load is that of full links on minimal paths, and the interval of saturation is one."""
    result, topology, rule = plan.simulation, plan.topology, "bounds_of_loads_hold"
    if result is None:
        return
    min_pairs, max_pairs = _router_pairs(plan)
    if not min_pairs <= result.router_pairs <= max_pairs or not 0 <= result.checked_pairs <= result.router_pairs:
        yield error(rule, "simulation.checked_pairs", result.checked_pairs, max_pairs, "pairs", "are not of this network")
    allowed = plan.study.get("simulation", {}).get("allow_deadlock")
    if allowed is not None:
        followed = 0 if allowed else result.router_pairs
        if allowed or result.checked_pairs == 0 < min_pairs:
            yield from unlike(rule, "simulation.checked_pairs", result.checked_pairs, followed, "pairs of the deadlock check")
    # Hashed pairs load planes unevenly, and silent endpoints carry no load.
    even = plan.study.get("simulation", {}).get("planes", "endpoint") != "hash" and _endpoints(plan) == topology.endpoint_count
    if result.load_bound is not None and result.traffic == "uniform" and even and topology.router_count <= _LARGE:
        bound = _uniform_bound(plan)
        if not np.isclose(result.load_bound, bound, rtol=1e-9):
            yield error(
                rule, "simulation.load_bound", result.load_bound, bound, "phits/cycle/endpoint", "is not that of full links"
            )
    low, high, carried = result.saturation_low, result.saturation_high, result.saturation_throughput
    if (low is None, high is None).count(True) == 1:
        yield error(rule, "simulation.saturation_low", 0, 0, "", "an interval has two ends")
    elif low is not None and not 0 <= low <= high <= 1:
        yield error(rule, "simulation.saturation_low", low, high, "phits/cycle/endpoint", "is no interval of loads")
    elif carried is not None and high is not None and not 0 <= carried <= high * 1.02:
        yield error(
            rule, "simulation.saturation_throughput", carried, high, "phits/cycle/endpoint", "more is carried than offered"
        )


def _router_pairs(plan: Plan) -> tuple[int, int]:
    """Return the minimum and maximum number of pairs of routers with endpoints, over all routings of a simulation.

    Each cycle at which something fails has a routing of its own, among the routers that still work. These are known where
    routers fail by number; of cables, failure domains and random routers they are bounded. Where deadlocks are allowed, no
    routing is followed, and the pairs are those of the whole network.
    """
    topology, settings = plan.topology, plan.study.get("simulation", {})
    outages = () if settings.get("allow_deadlock") else settings.get("outages") or ()
    # Packets stay in their plane where planes are not joined.
    plane = components(topology.links, topology.router_count)
    working, unknown, min_pairs, max_pairs = topology.endpoints_of > 0, False, 0, 0
    cycles = sorted({outage.get("cycle", 0) for outage in outages})
    for cycle in cycles if cycles[:1] == [0] else [None, *cycles]:
        for outage in (outage for outage in outages if outage.get("cycle", 0) == cycle):
            working = working & ~np.isin(np.arange(len(working)), outage.get("routers", ()))
            unknown |= bool(outage.get("domains") or outage.get("cables") or outage.get("router_share"))
        pairs = sum(used * (used - 1) for used in np.bincount(plane[working]).tolist())
        max_pairs, min_pairs = max_pairs + pairs, min_pairs + (0 if unknown else pairs)
    return min_pairs, max_pairs


def _load(result: SimulationResult) -> Callable[[int], str]:
    return lambda point: f"load {result.offered[point]:g}"


def _senders(plan: Plan) -> float:
    """Return the endpoints, weighted by offered load, from the packets delivered at the first load."""
    result = plan.simulation
    seen = np.flatnonzero((result.delivered > 0) & (result.accepted > 0))
    if not len(seen) or result.traffic == "uniform":
        return float(_endpoints(plan))
    point = seen[0]
    found = result.delivered[point] * result.packet_phits / (result.cycles[point] * result.accepted[point])
    return float(min(found, plan.topology.endpoint_count))


def _endpoints(plan: Plan) -> int:
    """Return the endpoints that send: where packets are distributed over planes, those with a counterpart in every plane."""
    if plan.study.get("simulation", {}).get("planes", "endpoint") == "endpoint":
        return plan.topology.endpoint_count
    return interfaces(plan)[0] * (int(planes_of(plan)[plan.topology.endpoint_router].max(initial=0)) + 1)


def _in_flight(result: SimulationResult) -> np.ndarray:
    """Return the packets that may be in flight at the edges of the window: the rate times the maximum delay."""
    return result.delivered / np.maximum(result.cycles, 1) * result.delay_max


def _uniform_bound(plan: Plan) -> float:
    """Return the load that saturates all links with uniform traffic on minimal paths."""
    topology = plan.topology
    graph = network(topology.links, np.ones(topology.link_count), topology.router_count)
    hops = dijkstra(graph, directed=False, unweighted=True)
    ends = topology.endpoints_of.astype(np.float64)
    plane, per_load = components(topology.links, topology.router_count), 0.0
    for number in np.unique(plane[ends > 0]):
        used = (plane == number) & (ends > 0)
        total = ends[used] @ hops[np.ix_(used, used)] @ ends[used]
        per_load += total / (ends[used].sum() - 1) if total else 0.0
    return min(1.0, 2 * float(link_rates(plan, "simulation").sum()) / per_load) if per_load else 1.0


def _without_load(plan: Plan) -> Iterator[Violation]:
    """The delay on cables and in routers is that of the planned cables, weighted by what each carried."""
    result, settings = plan.simulation, plan.study.get("simulation")
    embedded = ("link_cycles", "router_delay_cycles", "link_gbps")
    if plan.cables is None or not settings or settings["preset"] != "plan" or any(settings.get(key) for key in embedded):
        return
    rate_gbps, delay_ps = (plan.inventory.of_routers(name) for name in ("rate_gbps", "delay_ps"))
    cycle_ps = settings["phit_bytes"] * 8000 / rate_gbps.min()
    cycles = np.maximum(np.ceil(plan.cables.delay_ps / cycle_ps - 1e-9), 1)
    links = cycles[plan.inventory.links()]
    router = np.ceil(delay_ps.max() / cycle_ps - 1e-9)
    ends = cycles[plan.inventory.endpoints()]
    load = result.link_load.astype(np.float64)
    both = load[:, 0::2] + load[:, 1::2]
    for point in np.flatnonzero(np.isfinite(result.delay_network) & (both.sum(axis=1) > 0)).tolist():
        hops = result.mean_hops[point]
        middle = hops * (both[point] @ links) / both[point].sum() + (hops + 1) * router + result.packet_phits - 1
        low, high = 0.98 * middle + 2 * ends.min(), 1.02 * middle + 2 * ends.max()
        if not low <= result.delay_network[point] <= high:
            where = _load(result)(point)
            yield error("delays_in_order", where, result.delay_network[point], middle, "cycles", "is not the delay of the cables")
