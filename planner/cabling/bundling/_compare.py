"""What each kind of bundling takes: cables, pulls, bundle types, fill and money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from planner.cabling.bundling._bundles import KINDS, Bundles, Laid
from planner.cabling.bundling._kind import bundle
from planner.cabling.bundling._lay import Lay, numbered
from planner.floor import Lengths
from planner.model import MEDIUM_CLASSES, BigBundle, Bundlings, CablePlan, Catalog, Placement, Room, Topology

_KEPT = 1 << 24
"""Entries of a table of ways from some nodes to all."""

DEFAULTS: Mapping[str, Mapping[str, Any]] = {"loom": {}, "row_loom": {}, "trunk": {}, "multicore": {}, "shuffle": {}}
"""The kinds of bundling that are compared, with the arguments of each."""


def compare(
    lay: Lay,
    kinds: Mapping[str, Mapping[str, Any]] = DEFAULTS,
    *,
    own: Bundles | None = None,
    largest: int = 40,
) -> Bundlings:
    """Compare single cables with kinds of bundling.

    Parameters
    ----------
    lay
        The cables to lay.
    kinds
        Arguments by kind of bundling.
    own
        The plan's own bundles, of which the largest are listed; by default looms.
    largest
        How many of them.
    """
    made = {kind: bundle(lay, kind, **arguments) for kind, arguments in kinds.items()}
    lies = [_singles(lay), *(bundles.laid for bundles in made.values())]
    strands = lay.strands
    pieces = len(np.unique(lay.piece[lay.between]))
    types = np.unique(np.column_stack([lay.assembly[strands], lay.stock_mm[strands]]), axis=0)
    several = list(made.values())
    return Bundlings(
        methods=("single", *made),
        arguments=("", *(", ".join(f"{key} = {value}" for key, value in kinds[kind].items()) for kind in made)),
        cables=[pieces, *(bundles.pieces for bundles in several)],
        pulls=[len(strands), *(bundles.pulled for bundles in several)],
        bundles=[len(strands), *(bundles.count for bundles in several)],
        types=[len(types), *(bundles.types for bundles in several)],
        panels=[0, *(sum(panels.count for panels in bundles.panels) for bundles in several)],
        direct=[0, *(bundles.direct for bundles in several)],
        fill_mm2_m=[round(float((lie.area_um2 * lie.tray_mm.astype(np.float64)).sum()) / 1e9) for lie in lies],
        fullest_percent=fullest_percent(lay.room, lies),
        cents=(int(np.sum(lay.price_cents, dtype=np.int64)), *(bundles.cents for bundles in several)),
        largest=_largest(lay, own or made.get("loom") or bundle(lay), largest),
    )


def bundlings(
    topology: Topology,
    catalog: Catalog,
    placement: Placement,
    cables: CablePlan,
    lengths: Lengths,
    kind: str,
    parameters: Mapping[str, Any],
) -> Bundlings:
    """Compare kinds of bundling for the cables of a plan; its own kind with its own parameters.

    What the plan leads over panels counts as single cables of the length that the plan gives the link.
    """
    lay = single(Lay.of(topology, lengths, catalog.bundling, placement.slot_of, cables), cables.carried)
    kinds = {name: dict(given) for name, given in DEFAULTS.items()} | {kind: dict(parameters)}
    if lay.parts is None:
        kinds = {name: given for name, given in kinds.items() if name in ("loom", "row_loom")}
    return compare(lay, kinds, own=bundle(lay, kind, **parameters))


def single(lay: Lay, carried: np.ndarray) -> Lay:
    """Return the lay with carried rows as single cables: each at the shortest length on sale that covers its run."""
    rows = np.flatnonzero(carried)
    if not len(rows):
        return lay
    stock, price = np.array(lay.stock_mm, np.int64), np.array(lay.price_cents, np.int64)
    for number in np.unique(lay.assembly[rows]).tolist():
        made_of, own = lay.assemblies[number], rows[lay.assembly[rows] == number]
        ladder, cents = np.array(made_of.stock_mm, np.int64), np.array(made_of.length_cents, np.int64)
        step = np.minimum(np.searchsorted(ladder, lay.run_mm[own]), len(ladder) - 1)
        stock[own] = ladder[step]
        price[own] += cents[step]
    return replace(lay, stock_mm=stock, price_cents=price)


def _singles(lay: Lay) -> Laid:
    """Every cable by itself."""
    own = lay.strands
    area = lay.area_um2(lay.of_assembly("diameter_um")[own])
    return Laid(lay.node[own], lay.medium_class[own], area, lay.tray_mm[own].astype(np.int64))


def fullest_percent(room: Room, lies: list[Laid]) -> list[float]:
    """Return what the fullest tray segment holds of its cross-section when everything takes its shortest way, per cent."""
    limited = room.segment_mm2 > 0
    shares = []
    for fill in _fills(room, lies):
        share = np.divide(fill / 1e4, room.segment_mm2, out=np.zeros(len(fill)), where=limited)
        shares.append(round(float(share.max(initial=0)), 3))
    return shares


def _fills(room: Room, lies: list[Laid]) -> np.ndarray:
    """Cross-section in each segment for each of the layings, int64 (n, K)."""
    fill = np.zeros((len(lies), len(room.segments)), np.int64)
    of = np.repeat(np.arange(len(lies)), [len(lie.medium_class) for lie in lies])
    everything = Laid.joined(lies)
    ends = np.sort(everything.node, axis=1)
    for medium in range(len(MEDIUM_CLASSES)):
        own = np.flatnonzero((everything.medium_class == medium) & (ends[:, 0] != ends[:, 1]))
        keys, number = numbered(np.column_stack([ends[own], of[own]]))
        area = np.zeros(len(keys), np.int64)
        np.add.at(area, number, everything.area_um2[own])
        if len(keys):
            _lay_out(room, medium, keys, area, fill)
    return fill


def _lay_out(room: Room, medium: int, keys: np.ndarray, area: np.ndarray, fill: np.ndarray) -> None:
    """Add things to `fill`, (n, K), along shortest ways; `keys` are two nodes and the laying, sorted."""
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
        # Everything walks home at once, a segment at a time.
        while len(own):
            previous = before[row, at].astype(np.int64)
            passed = segment[np.searchsorted(pairs, np.minimum(previous, at) * count + np.maximum(previous, at))]
            np.add.at(fill, (keys[own, 2], passed), area[own])
            going = previous != keys[own, 0]
            own, row, at = own[going], row[going], previous[going]


def _largest(lay: Lay, bundles: Bundles, most: int) -> tuple[BigBundle, ...]:
    """The bundles with most links, and of those the thickest, first."""
    order = np.lexsort((np.arange(bundles.count), -bundles.diameter_um, -bundles.links))[:most]
    slot = np.full(int(lay.cabinet.max(initial=-1)) + 1, -1, np.int64)
    slot[lay.cabinet] = lay.slot

    names = lay.room.slot_names
    near = {int(node): name for medium in (0, 1) for node, name in zip(lay.room.slot_node[:, medium], names, strict=True)}

    def place(cabinet: int, node: int) -> str:
        return names[slot[cabinet]] if cabinet >= 0 else f"tray at {near[node]}"

    return tuple(
        BigBundle(
            number=number,
            kind=KINDS[int(bundles.kind[number])],
            part=bundles.parts[int(bundles.part[number])] if bundles.part[number] >= 0 else "",
            ends=tuple(place(*end) for end in zip(bundles.cabinet[number].tolist(), bundles.node[number].tolist(), strict=True)),
            links=int(bundles.links[number]),
            capacity=int(bundles.capacity[number]),
            diameter_um=int(bundles.diameter_um[number]),
            bend_mm=int(bundles.bend_mm[number]),
            run_mm=int(bundles.run_mm[number]),
            polarity=bundles.polarity if KINDS[int(bundles.kind[number])] == "trunk" else "",
        )
        for number in order.tolist()
    )
