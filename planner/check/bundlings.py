"""Rules of the comparison of bundlings: the figures of each kind, recomputed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from planner.check.basis.bundling import KINDS, CableSet, Outcome, outcome
from planner.check.basis.places import unequal, unlike
from planner.check.basis.rule import rule
from planner.check.bundles import bundled
from planner.domain.model import MEDIUM_CLASSES, BigBundle, Plan, Room, Violation

_LARGE = 25_000
"""Cables up to which all kinds of bundling are recomputed; in larger plans that of the plan alone."""

_LISTED = 40
"""Bundles of the plan that the comparison lists."""

TrayLoad = list[tuple[tuple[int, ...], int, int, int]]


@rule(290)
def bundlings_add_up(plan: Plan) -> Iterator[Violation]:
    """The comparison's cables, pulls, bundles, types, panels, fill and prices are those of each kind of bundling.

    In plans of more than 25,000 cables only the kinds and their arguments are compared.
    """
    found, rule = plan.bundlings, "bundlings_add_up"
    if found is None or "bundling" not in plan.study.get("cabling", {}):
        return
    arguments = _arguments(plan)
    yield from unlike(rule, "bundlings.methods", found.methods, ("single", *arguments), "are not the kinds that are compared")
    texts = (", ".join(f"{key} = {value}" for key, value in given.items()) for given in arguments.values())
    yield from unlike(rule, "bundlings.arguments", found.arguments, ("", *texts), "are not those of the kinds")
    if plan.cables.cable_count > _LARGE or len(found.methods) != 1 + len(arguments):
        return
    cable_set = _single(plan)
    made = [outcome(cable_set, kind, given) for kind, given in arguments.items()]
    strands = cable_set.strands
    types = set(zip(cable_set.assembly[strands].tolist(), cable_set.stock[strands].tolist(), strict=True))
    columns: dict[str, list[Any]] = {
        "cables": [len(np.unique(cable_set.piece[cable_set.between])), *(one.pieces for one in made)],
        "pulls": [len(strands), *(one.pulled for one in made)],
        "bundles": [len(strands), *(len(one.bundles) for one in made)],
        "types": [len(types), *(one.types for one in made)],
        "panels": [0, *(sum(count for count, _ in one.panels.values()) for one in made)],
        "direct": [0, *(sum(one.direct.values()) for one in made)],
        "fill_mm2_m": [round(sum(area * tray for _, _, area, tray in load) / 1e9) for load in _tray_loads(cable_set, made)],
    }
    for field, want in columns.items():
        where = [f"{field} of {method}" for method in found.methods]
        yield from unequal(rule, getattr(found, field), want, where.__getitem__, "differs")
    cents = (int(cable_set.price.sum()), *(one.total_cents for one in made))
    yield from unlike(rule, "bundlings.cents", found.cents, cents, "are not the prices of the kinds")
    fullest = [_fullest_percent(plan.room, load) for load in _tray_loads(cable_set, made)]
    yield from unequal(rule, found.fullest_percent, fullest, lambda n: found.methods[n], "fullest tray segment", "%", 1e-6)


@rule(300)
def largest_bundles_listed(plan: Plan) -> Iterator[Violation]:
    """The comparison lists the largest bundles of the plan by number of links, then by diameter."""
    found = plan.bundlings
    if found is None or "bundling" not in plan.study.get("cabling", {}):
        return
    settings = plan.study["cabling"]
    if plan.cables.carried.any():
        own = outcome(_single(plan), settings["bundling"], settings.get("bundling_parameters") or {})
    else:
        own = bundled(plan)
    order = sorted(range(len(own.bundles)), key=lambda n: (-own.bundles[n]["links"], -own.bundles[n]["diameter_um"], n))
    wanted = [_listed(plan, own, number) for number in order[:_LISTED]]
    yield from unlike("largest_bundles_listed", "bundlings.largest", len(found.largest), len(wanted), "have the wrong number")
    for have, want in zip(found.largest, wanted, strict=False):
        yield from unlike("largest_bundles_listed", f"bundle {want.number + 1}", have, want, "is listed differently")


def _single(plan: Plan) -> CableSet:
    """Return the cables of the plan as single cables: carried rows at the shortest stock length that covers their run."""
    cables = plan.cables
    stock, price = cables.stock_mm.astype(np.int64), cables.price_cents.copy()
    for row in np.flatnonzero(cables.carried).tolist():
        made_of = cables.assemblies[cables.assembly[row]]
        longer = [step for step, length in enumerate(made_of.stock_mm) if length >= cables.run_mm[row]]
        step = longer[0] if longer else len(made_of.stock_mm) - 1
        stock[row] = made_of.stock_mm[step]
        price[row] += made_of.length_cents[step]
    return CableSet(plan, cables.run_mm, cables.tray_mm, stock, price)


def _arguments(plan: Plan) -> dict[str, dict[str, Any]]:
    """Return the compared kinds with their arguments; the study's kind has the study's arguments."""
    settings = plan.study["cabling"]
    kinds = {kind: {} for kind in KINDS} | {settings["bundling"]: dict(settings.get("bundling_parameters") or {})}
    if plan.catalog.bundling is None:
        kinds = {kind: given for kind, given in kinds.items() if kind in ("loom", "row_loom")}
    return kinds


def _tray_loads(cable_set: CableSet, made: list[Outcome]) -> Iterator[TrayLoad]:
    """Yield the tray loads: single cables, then each kind."""
    rows = cable_set.strands.tolist()
    areas = cable_set.area_um2(cable_set.of("diameter_um")[cable_set.strands]).tolist() if rows else []
    yield [
        (tuple(cable_set.node[row].tolist()), int(cable_set.medium[row]), area, int(cable_set.tray[row]))
        for row, area in zip(rows, areas, strict=True)
    ]
    for one in made:
        yield one.carriers + one.cables


def _fullest_percent(room: Room, load: TrayLoad) -> float:
    """Return the fill of the fullest tray segment when everything takes a shortest route."""
    fill = np.zeros(len(room.segments), np.int64)
    for medium in range(len(MEDIUM_CLASSES)):
        wanted: dict[tuple[int, int], int] = {}
        for (a, b), own, area, _ in load:
            if own == medium and a != b:
                wanted[min(a, b), max(a, b)] = wanted.get((min(a, b), max(a, b)), 0) + area
        if wanted:
            _spread(room, medium, wanted, fill)
    limited = room.segment_mm2 > 0
    share = fill[limited] / room.segment_mm2[limited] / 1e4
    return round(float(share.max(initial=0)), 3)


def _spread(room: Room, medium: int, wanted: dict[tuple[int, int], int], fill: np.ndarray) -> None:
    """Add cross-sections between pairs of nodes to the segments of the shortest routes from the first."""
    allowed = np.flatnonzero(room.segment_carries >> medium & 1)
    by_length = allowed[np.argsort(room.segment_mm[allowed], kind="stable")]
    of_pair: dict[tuple[int, int], int] = {}
    for segment in by_length.tolist():
        a, b = sorted(room.segments[segment].tolist())
        of_pair.setdefault((a, b), segment)
    segments = [of_pair[pair] for pair in sorted(of_pair)]
    nodes = len(room.node_xyz)
    graph = coo_array((room.segment_mm[segments].astype(float), tuple(room.segments[segments].T)), shape=(nodes, nodes)).tocsr()
    homes = sorted({a for a, _ in wanted})
    before = dijkstra(graph, directed=False, indices=homes, return_predecessors=True)[1]
    row = {home: number for number, home in enumerate(homes)}
    for (a, b), area in wanted.items():
        at = b
        while at != a:
            previous = int(before[row[a], at])
            fill[of_pair[min(at, previous), max(at, previous)]] += area
            at = previous


def _listed(plan: Plan, own: Outcome, number: int) -> BigBundle:
    one, room = own.bundles[number], plan.room
    above: dict[int, str] = {}
    for medium in range(len(MEDIUM_CLASSES)):
        above |= dict(zip(room.slot_node[:, medium].tolist(), room.slot_names, strict=True))

    def end(side: int) -> str:
        cabinet, node = one["cabinet"][side], one["node"][side]
        return room.slot_names[plan.placement.slot_of[cabinet]] if cabinet >= 0 else f"tray at {above[node]}"

    return BigBundle(
        number=number, kind=one["kind"], part=one["part"], ends=(end(0), end(1)),
        links=one["links"], capacity=one["capacity"], diameter_um=one["diameter_um"], bend_mm=one["bend_mm"],
        run_mm=one["run_mm"], polarity=own.polarity if one["kind"] == "trunk" else "",
    )  # fmt: skip
