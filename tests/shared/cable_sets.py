"""Cables to bundle for tests: networks with cabinets in rooms made by formula, and parts from the shipped catalogs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from planner.design.cabling.bundling import CableSet
from planner.design.inventory import inventory
from planner.domain import catalog
from planner.domain.model import Room, Topology
from planner.domain.parts import Assembly, BundlingParts
from planner.hall import floor

FACTS = {"kind": "DR4", "rate_gbps": 400, "connector_a": "Q", "connector_b": "Q", "power_mw": 1500, "mass_g_per_m": 9}


def assembly(name: str, medium: str = "optical", diameter_um: int = 3000, **other) -> Assembly:
    """An assembly of 10 USD a meter; optical ones have two transceivers of 100 USD."""
    ends = {"end_part": "module", "end_price_cents": 10_000} if medium == "optical" else {}
    base = 2 * ends.get("end_price_cents", 0)
    stock = tuple(1000 * meters for meters in (1, 3, 5, 10, 15, 20, 30, 50, 70, 100, 150, 200))
    glass = {"glass": "os2", "plug": "mpo", "fibers": 8, "budget_db": 3.0} if medium == "optical" else {}
    facts = {"reach_mm": stock[-1], "bend_mm": 10 * diameter_um // 1000, "delay_ps_per_m": 5000, "delay_end_ps": 0}
    return Assembly(
        id=name, medium=medium, stock_mm=stock, price_cents=tuple(base + length for length in stock), diameter_um=diameter_um,
        length_part=name, **{**FACTS, **facts, **ends, **glass, **other},
    )  # fmt: skip


_PARTS = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")

FIBER = assembly("fiber")
DUPLEX = assembly("duplex", diameter_um=2000, plug="lc", fibers=2)
COPPER = assembly("dac", "copper", 9400)


@cache
def parts() -> BundlingParts:
    """The shipped rows."""
    shelf = {kind: {row.id: row for row in catalog.rows(kind)} for kind in BundlingParts.KINDS}
    return BundlingParts.of(shelf, catalog.rows("loss")[0])


@cache
def hall(cabinets: int) -> Room:
    """A room with at least this number of slots: a hall, or rows by formula."""
    return room_of("hall-a") if cabinets <= 153 else floor.room("mddp", routers=1, cabinets=cabinets)


@cache
def room_of(name: str) -> Room:
    return floor.room(name, routers=1)


@cache
def lengths_of(room: Room) -> floor.Lengths:
    return floor.Lengths(room, catalog.rows("cabinet")[0], floor.Slack())


def cable_set(
    network: Topology,
    cabinet_of: np.ndarray,
    assemblies: tuple[Assembly, ...] = (FIBER,),
    assembly_of: np.ndarray | None = None,
    room: Room | None = None,
    slot_of: np.ndarray | None = None,
    order: np.ndarray | None = None,
    **changed,
) -> CableSet:
    """Return the links of a network with its routers in these cabinets; endpoints are left out.

    By default cabinets take the slots in order; `order` lists the links in another order, every other
    one reversed.
    """
    network = replace(network, endpoint_router=network.endpoint_router[:0])
    if order is not None:
        turned = np.where(np.arange(len(order))[:, None] % 2, network.links[order], network.links[order][:, ::-1])
        network, assembly_of = replace(network, links=turned), assembly_of[order]
    cabinet = np.asarray(cabinet_of, np.int64)[network.links]
    room = room or hall(int(cabinet.max(initial=0)) + 1)
    lengths = lengths_of(room)
    count, slot = len(cabinet), cabinet if slot_of is None else np.asarray(slot_of, np.int64)[cabinet]
    own = np.zeros(count, np.int64) if assembly_of is None else np.asarray(assembly_of)
    fiber = np.array([made_of.medium == "optical" for made_of in assemblies])[own]
    between = cabinet[:, 0] != cabinet[:, 1]
    rules = lengths.by_medium_class
    tray, drop, rise = np.zeros(count, np.int64), np.zeros((count, 2), np.int64), np.zeros((count, 2), np.int64)
    for medium, rule in enumerate(rules):
        mine = fiber == medium
        tray[mine] = rule.distances.between_mm(slot[mine, 0], slot[mine, 1])
        drop[mine] = rule.drop_mm[slot[mine], 1]
        rise[mine] = rule.rise_mm(slot[mine], np.full((mine.sum(), 2), 20), np.full((mine.sum(), 2), 1))
    tray, drop = np.where(between, tray, 0), np.where(between[:, None], drop, 0)
    run = rise.sum(axis=1) + drop.sum(axis=1) + tray + 1600
    ladder = np.array(assemblies[0].stock_mm)
    step = np.searchsorted(ladder, run)
    price = np.array([made_of.price_cents for made_of in assemblies])[own, step]
    facts = dict(
        inventory=inventory(network, _PARTS), lengths=lengths, bundling=parts(), assemblies=assemblies, assembly=own,
        piece=np.arange(count),
        device=network.links.astype(np.int64), cabinet=cabinet, slot=slot, rise_mm=rise, drop_mm=drop, tray_mm=tray, run_mm=run,
        stock_mm=ladder[step], price_cents=price,
        modules=np.repeat(fiber[:, None].astype(np.int64), 2, axis=1),
    )  # fmt: skip
    return CableSet(**{**facts, **changed})
