"""Comparison of the kinds of bundling: cables, pulls, bundle types, fill and cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from planner.design.cabling.bundling.bundles.bundles import KINDS, Bundles, TrayLoad
from planner.design.cabling.bundling.bundles.cables import CableSet, numbered
from planner.design.cabling.bundling.bundles.kind import bundle
from planner.domain.model import MEDIUM_CLASSES, BigBundle, Bundlings, CablePlan, Catalog, Inventory, Placement, Room
from planner.hall.floor import Lengths

_KEPT = 1 << 24
"""Maximum entries of a table of routes from some nodes to all."""

DEFAULTS: Mapping[str, Mapping[str, Any]] = {"loom": {}, "row_loom": {}, "trunk": {}, "multicore": {}, "shuffle": {}}
"""The kinds of bundling that are compared, with the arguments of each."""


def compare(
    cables: CableSet,
    kinds: Mapping[str, Mapping[str, Any]] = DEFAULTS,
    *,
    own: Bundles | None = None,
    largest: int = 40,
) -> Bundlings:
    """Compare single cables with kinds of bundling.

    Parameters
    ----------
    cables
        The cables to bundle.
    kinds
        Arguments by kind of bundling.
    own
        The bundles of the plan, of which the largest are listed; by default looms.
    largest
        Number of bundles listed.
    """
    made = {kind: bundle(cables, kind, **arguments) for kind, arguments in kinds.items()}
    loads = [_singles(cables), *(bundles.load for bundles in made.values())]
    strands = cables.strands
    pieces = len(np.unique(cables.piece[cables.between]))
    types = np.unique(np.column_stack([cables.assembly[strands], cables.stock_mm[strands]]), axis=0)
    several = list(made.values())
    return Bundlings(
        methods=("single", *made),
        arguments=("", *(", ".join(f"{key} = {value}" for key, value in kinds[kind].items()) for kind in made)),
        cables=np.array([pieces, *(bundles.pieces for bundles in several)]),
        pulls=np.array([len(strands), *(bundles.pulled for bundles in several)]),
        bundles=np.array([len(strands), *(bundles.count for bundles in several)]),
        types=np.array([len(types), *(bundles.types for bundles in several)]),
        panels=np.array([0, *(sum(panels.count for panels in bundles.panels) for bundles in several)]),
        direct=np.array([0, *(bundles.direct for bundles in several)]),
        fill_mm2_m=np.array(
            [round(float((load.area_um2 * load.tray_mm.astype(np.float64)).sum()) / 1e9) for load in loads], np.int64
        ),
        fullest_percent=np.array(fullest_percent(cables.room, loads)),
        cents=(int(np.sum(cables.price_cents, dtype=np.int64)), *(bundles.cents for bundles in several)),
        largest=_largest(cables, own or made.get("loom") or bundle(cables), largest),
    )


def bundlings(
    inventory: Inventory,
    catalog: Catalog,
    placement: Placement,
    plan: CablePlan,
    lengths: Lengths,
    kind: str,
    parameters: Mapping[str, Any],
) -> Bundlings:
    """Compare kinds of bundling for the cables of a plan; the plan's kind is compared with the plan's parameters.

    Links that the plan carries over panels count as single cables of the link's length in the plan.
    """
    cables = single(CableSet.of(inventory, lengths, catalog.bundling, placement.slot_of, plan), plan.carried)
    kinds = {name: dict(given) for name, given in DEFAULTS.items()} | {kind: dict(parameters)}
    if cables.bundling is None:
        kinds = {name: given for name, given in kinds.items() if name in ("loom", "row_loom")}
    return compare(cables, kinds, own=bundle(cables, kind, **parameters))


def single(cables: CableSet, carried: np.ndarray) -> CableSet:
    """Return the cables with carried rows as single cables: each at the shortest stock length that covers its run."""
    rows = np.flatnonzero(carried)
    if not len(rows):
        return cables
    stock, price = np.array(cables.stock_mm, np.int64), np.array(cables.price_cents, np.int64)
    for number in np.unique(cables.assembly[rows]).tolist():
        made_of, own = cables.assemblies[number], rows[cables.assembly[rows] == number]
        ladder, cents = np.array(made_of.stock_mm, np.int64), np.array(made_of.length_cents, np.int64)
        step = np.minimum(np.searchsorted(ladder, cables.run_mm[own]), len(ladder) - 1)
        stock[own] = ladder[step]
        price[own] += cents[step]
    return replace(cables, stock_mm=stock, price_cents=price)


def _singles(cables: CableSet) -> TrayLoad:
    """Return the tray load of single cables."""
    own = cables.strands
    area = cables.area_um2(cables.of_assembly("diameter_um")[own])
    return TrayLoad(cables.node[own], cables.medium_class[own], area, cables.tray_mm[own].astype(np.int64))


def fullest_percent(room: Room, loads: list[TrayLoad]) -> list[float]:
    """Return the fill of the fullest tray segment when everything takes its shortest route, per cent."""
    limited = room.segment_mm2 > 0
    shares = []
    for fill in fills(room, loads):
        share = np.divide(fill / 1e4, room.segment_mm2, out=np.zeros(len(fill)), where=limited)
        shares.append(round(float(share.max(initial=0)), 3))
    return shares


def fills(room: Room, loads: list[TrayLoad]) -> np.ndarray:
    """Return the cross-section in each segment for each of the loads, int64 (n, K)."""
    fill = np.zeros((len(loads), len(room.segments)), np.int64)
    of = np.repeat(np.arange(len(loads)), [len(load.medium_class) for load in loads])
    everything = TrayLoad.joined(loads)
    ends = np.sort(everything.node, axis=1)
    for medium in range(len(MEDIUM_CLASSES)):
        own = np.flatnonzero((everything.medium_class == medium) & (ends[:, 0] != ends[:, 1]))
        keys, number = numbered(np.column_stack([ends[own], of[own]]))
        area = np.zeros(len(keys), np.int64)
        np.add.at(area, number, everything.area_um2[own])
        if len(keys):
            _add_routes(room, medium, keys, area, fill)
    return fill


def _add_routes(room: Room, medium: int, keys: np.ndarray, area: np.ndarray, fill: np.ndarray) -> None:
    """Add cross-sections to `fill`, (n, K), along shortest routes; `keys` are two nodes and the number of the load, sorted."""
    count = len(room.node_xyz)
    allowed = np.flatnonzero(room.segment_carries & (1 << medium))
    # Of parallel segments the shortest, which is then the first of its pair.
    order = allowed[np.argsort(room.segment_mm[allowed], kind="stable")]
    pairs, first = np.unique(np.sort(room.segments[order], axis=1).astype(np.int64) @ [count, 1], return_index=True)
    segment = order[first]
    graph = coo_array((room.segment_mm[segment].astype(float), tuple(room.segments[segment].T)), shape=(count, count)).tocsr()
    homes = np.unique(keys[:, 0])
    for start in range(0, len(homes), step := max(1, _KEPT // count)):
        chunk = homes[start : start + step]
        before = dijkstra(graph, directed=False, indices=chunk, return_predecessors=True)[1]
        own = np.flatnonzero((keys[:, 0] >= chunk[0]) & (keys[:, 0] <= chunk[-1]))
        row, at = np.searchsorted(chunk, keys[own, 0]), keys[own, 1]
        # All routes are traced back in parallel, one segment at a time.
        while len(own):
            previous = before[row, at].astype(np.int64)
            passed = segment[np.searchsorted(pairs, np.minimum(previous, at) * count + np.maximum(previous, at))]
            np.add.at(fill, (keys[own, 2], passed), area[own])
            going = previous != keys[own, 0]
            own, row, at = own[going], row[going], previous[going]


def _largest(cables: CableSet, bundles: Bundles, count: int) -> tuple[BigBundle, ...]:
    """Return the largest bundles by number of links, then by diameter."""
    order = np.lexsort((np.arange(bundles.count), -bundles.diameter_um, -bundles.links))[:count]
    slot = np.full(int(cables.cabinet.max(initial=-1)) + 1, -1, np.int64)
    slot[cables.cabinet] = cables.slot

    names = cables.room.slot_names
    near = {int(node): name for medium in (0, 1) for node, name in zip(cables.room.slot_node[:, medium], names, strict=True)}

    def place(number: int, end: int) -> str:
        cabinet, node = int(bundles.cabinet[number, end]), int(bundles.node[number, end])
        return names[slot[cabinet]] if cabinet >= 0 else f"tray at {near[node]}"

    return tuple(
        BigBundle(
            number=number,
            kind=KINDS[int(bundles.kind[number])],
            part=bundles.parts[int(bundles.part[number])] if bundles.part[number] >= 0 else "",
            ends=(place(number, 0), place(number, 1)),
            links=int(bundles.links[number]),
            capacity=int(bundles.capacity[number]),
            diameter_um=int(bundles.diameter_um[number]),
            bend_mm=int(bundles.bend_mm[number]),
            run_mm=int(bundles.run_mm[number]),
            polarity=bundles.polarity if KINDS[int(bundles.kind[number])] == "trunk" else "",
        )
        for number in order.tolist()
    )
