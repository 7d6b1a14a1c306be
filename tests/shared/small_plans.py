"""Small plans, made through the public functions of every stage."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from planner.check import check
from planner.design.bill import bill
from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.design.latency import latency
from planner.design.placement import place
from planner.domain import quantities
from planner.domain.catalog import rows, select
from planner.domain.model import Catalog, Plan, SimulationResult, Topology
from planner.domain.parts import Assembly, CabinetPart, EndpointPart, LaborRates, RouterPart, Row
from planner.hall import floor
from planner.network import topology
from shared.plan_study import study_of

SOURCED = {"source": "data sheet, table 3", "confidence": "A", "date": "2026-05"}


def assembly(name: str, medium: str, stock_mm: tuple[int, ...], **other) -> Assembly:
    price = tuple(10_000 + length for length in stock_mm)
    facts = {
        "kind": "DAC", "rate_gbps": 400, "connector_a": "Q", "connector_b": "Q", "reach_mm": stock_mm[-1], "power_mw": 1500,
        "diameter_um": 6000, "bend_mm": 40, "mass_g_per_m": 50, "delay_ps_per_m": 4500, "delay_end_ps": 0, "length_part": name,
    }  # fmt: skip
    return Assembly(id=name, medium=medium, stock_mm=stock_mm, price_cents=price, **{**facts, **other})


SLACK = floor.Slack(end_mm=100, loop_mm=0)
"""Little, so that copper reaches from cabinet to cabinet."""


def catalog(**router) -> Catalog:
    box = {"ports": 16, "connector": "Q", "rate_gbps": 400, "units": 1, "power_typical_mw": 450_000, "power_max_mw": 900_000}
    switch = RouterPart(id="switch-16", mass_g=11_000, delay_ps=300_000, price_cents=2_000_000, **{**box, **router}, **SOURCED)
    server = EndpointPart(
        id="server", endpoints=4, connector="Q", rate_gbps=400, units=2, power_typical_mw=1_800_000, power_max_mw=2_400_000,
        mass_g=40_000, source="none", confidence="D",
    )  # fmt: skip
    cabinet = CabinetPart(
        id="cabinet-48", units=48, width_mm=600, depth_mm=1112, height_mm=2299, mass_g=141_500, load_g=1_360_000,
        price_cents=250_000, estimates=("price_cents",), **SOURCED,
    )  # fmt: skip
    labor = LaborRates(id="labor", in_cabinet_cents=250, between_cabinets_cents=625, **SOURCED)
    ladder = (
        assembly("dac", "copper", (500, 1000, 1500, 2000, 2500, 3000)),
        assembly("aec", "active copper", (3000, 4000, 5000), kind="AEC"),
        assembly("fiber", "optical", (5000, 10_000, 30_000, 100_000), kind="SR4", end_part="module", end_price_cents=4000),
    )
    rows = (switch, server, cabinet, labor, *(Row(id=name, **SOURCED) for name in ("dac", "aec", "fiber", "module")))
    return Catalog(switch, server, cabinet, labor, rows, ladder, ladder)


def simulated(links: int) -> SimulationResult:
    """Five loads; the last two are saturated, the very last stuck."""
    offered = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
    saturated = offered > 0.6
    points = len(offered)
    return SimulationResult(
        routing="minimal", traffic="uniform", cycle_ps=1280, packet_phits=16, virtual_channels=4,
        warmup=np.full(points, 1000), cycles=np.full(points, 5000),
        offered=offered, generated=offered, accepted=np.minimum(offered, 0.62), accepted_error=np.full(points, 0.004),
        delay_mean=np.where(saturated, 9000.0, 400.0), delay_error=np.where(saturated, 900.0, 12.0),
        delay_network=np.full(points, 300.0), delay_queue=np.where(saturated, 8700.0, 100.0),
        delay_p50=np.where(saturated, 8000.0, 380.0), delay_p99=np.where(saturated, 20_000.0, 700.0),
        delay_max=np.full(points, 30_000), mean_hops=np.full(points, 1.75), fairness=np.ones(points),
        hop_histogram=np.ones((points, 3)), delivered=np.full(points, 1234), dropped=np.zeros(points), saturated=saturated,
        settled=np.ones(points, bool),
        deadlock=np.where(offered > 0.8, 2312, -1), link_load=np.outer(offered, np.linspace(0, 1, 2 * links)).astype(np.float32),
        channel_occupancy=np.zeros((points, 0)), checked_pairs=2450, router_pairs=2450, load_bound=0.7, saturation_low=0.61,
        saturation_high=0.62, saturation_throughput=0.6,
    )  # fmt: skip


def make_plan(
    *,
    name: str = "small",
    title: str = "A small network",
    room: str = "lab",
    family: str = "slimfly",
    simulate: bool = True,
    change_room=lambda room: room,
    label: str | None = None,
    router: dict | None = None,
    network: Topology | None = None,
    **parameters,
) -> Plan:
    """Plan a network; the arguments of the family are `parameters`."""
    parts = catalog(**router or {})
    network = network or topology.build(family, **parameters)
    hall = change_room(floor.room(room, routers=network.router_count))
    lengths = floor.Lengths(hall, parts.cabinet, SLACK)
    devices = inventory(network, parts)
    placement = place(network, parts, lengths, seed=1, algorithm="identity")
    cables = cable(devices, parts, placement, lengths, **({"label": label} if label else {}))
    result = simulated(network.link_count) if simulate else None
    plan = Plan(
        name, title, study_of(SLACK), catalog=parts, room=hall, topology=network, inventory=devices, placement=placement,
        cables=cables, bill=bill(devices, parts, placement, cables, room=hall, rows=rows),
        latency=latency(network, devices, cables, seed=1), simulation=result,
        provenance={"plan": "0123456789abcdef", "planner": "9.9"},
    )  # fmt: skip
    # The simulation is invented to have every kind of point; the verifier would report it.
    return measured(replace(plan, violations=check(replace(plan, simulation=None))))


def lonely() -> Topology:
    """One router without links and endpoints."""
    return Topology(
        family="none", params={}, links=np.zeros((0, 2)), link_class=np.zeros(0), link_class_names=(), indptr=[0, 0],
        indices=np.zeros(0), link=np.zeros(0), endpoint_router=np.zeros(0), group=np.zeros((1, 0)), group_names=(),
        coords=np.zeros((1, 0)), coord_names=(), role=[0], role_names=("router",),
    )  # fmt: skip


def measured(plan: Plan) -> Plan:
    return replace(plan, quantities=quantities.measure(plan))


@cache
def ring() -> Plan:
    """Three routers with two endpoints each in a ring, in a row of cabinets; checked, measured and with a provenance."""
    network = topology.from_links("ring", {}, 3, np.array([(0, 1), (1, 2), (0, 2)]), endpoints=2)
    parts = select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
    hall = floor.room("lab", routers=3)
    lengths = floor.Lengths(hall, parts.cabinet, floor.Slack())
    placement = place(network, parts, lengths, seed=1, algorithm="identity")
    devices = inventory(network, parts)
    cables = cable(devices, parts, placement, lengths)
    costs = bill(devices, parts, placement, cables, room=hall, rows=rows)
    records = {"topology": network, "inventory": devices, "placement": placement, "cables": cables, "bill": costs}
    plan = Plan("tiny", "Tiny", study_of(), catalog=parts, room=hall, **records)
    plan = replace(plan, violations=check(plan), provenance={"plan": "0123456789abcdef", "planner": "9.9"})
    return replace(plan, quantities=quantities.measure(plan))
