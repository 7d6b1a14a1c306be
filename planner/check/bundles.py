"""Rules of bundles: those of the plan are what its kind of bundling makes of its cables, with jumpers, panels and trunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from planner.check.basis.bundling import NAMES, CableSet, Outcome, outcome
from planner.check.basis.places import cable_name, unequal, unlike
from planner.check.basis.rule import rule
from planner.domain.model import Passive, Plan, Violation


@rule(270)
def bundles_follow_their_kind(plan: Plan) -> Iterator[Violation]:
    """Each bundle carries the cables, and has the ends, size, part and length, that the study's kind of bundling gives it."""
    if "bundling" not in plan.study.get("cabling", {}):
        return
    made, cables, rule = bundled(plan), plan.cables, "bundles_follow_their_kind"
    yield from unlike(rule, "cables.bundle_kinds", cables.bundle_kinds, NAMES, "are named")
    yield from unlike(rule, "cables.bundle_parts", cables.bundle_parts, tuple(_parts(plan)), "are not those that can be bought")
    yield from unequal(rule, cables.bundle, made.bundle, lambda n: cable_name(plan, n), "is in another bundle")
    kinds = [NAMES.index(one["kind"]) for one in made.bundles]
    parts = [_parts(plan).index(one["part"]) if one["part"] else -1 for one in made.bundles]
    for field, want, unit in (
        ("kind", kinds, ""),
        ("part", parts, ""),
        *((name, [one[name] for one in made.bundles], unit) for name, unit in _FIGURES),
    ):
        column = np.array(want, np.int64).reshape(-1, 2) if field == "cabinet" else np.array(want, np.int64)
        yield from unequal(rule, getattr(cables, f"bundle_{field}"), column, lambda n: f"bundle {n + 1}", field, unit)
    for field in ("leg_mm", "leg_stock_mm"):
        yield from unequal(rule, getattr(cables, field), getattr(made, field), lambda n: cable_name(plan, n), "its jumpers", "mm")


@rule(280)
def panels_and_trunks_are_bought(plan: Plan) -> Iterator[Violation]:
    """Jumpers, trunks, panels and boxes match the bundles, and carriers count in the tray fill."""
    if "bundling" not in plan.study.get("cabling", {}):
        return
    made, cables, rule = bundled(plan), plan.cables, "panels_and_trunks_are_bought"
    yield from unlike(rule, "cables.passives", cables.passives, _passives(made, _parts(plan)), "do not match the bundles")
    yield from unlike(rule, "cables.polarity", cables.polarity, made.polarity, "is not that of the jumpers")
    carried = bool({one["kind"] for one in made.bundles} - {"loom", "row loom"})
    direct = tuple(made.direct.items()) if carried or made.direct else ()
    yield from unlike(rule, "cables.direct", cables.direct, direct, "are not the rows that the kind cannot carry")
    areas = [area for _, _, area, _ in made.carriers]
    yield from unequal(rule, cables.carrier_um2, areas, lambda n: f"carrier {n + 1}", "cross-section", "µm²")
    if len(areas) == len(cables.carrier_route):
        yield from _carriers(plan, made)


@lru_cache(maxsize=1)
def bundled(plan: Plan) -> Outcome:
    """Return the outcome of the plan's kind of bundling; rows over panels are assigned by their shortest routes."""
    cables, settings = plan.cables, plan.study["cabling"]
    run, tray = cables.run_mm.astype(np.int64), cables.tray_mm.astype(np.int64)
    cable_set = CableSet(plan, run, tray, cables.stock_mm, cables.price_cents)
    rows = np.flatnonzero(cables.carried)
    if len(rows):
        tray[rows] = cable_set.fiber_mm(cable_set.slot[rows, 0], cable_set.slot[rows, 1])
        length = cable_set.rise[rows].sum(axis=1) + cable_set.drop[rows].sum(axis=1) + tray[rows]
        run[rows] = cable_set.jumper_mm(length, True) + cables.override_mm[rows]
        cable_set = CableSet(plan, run, tray, cables.stock_mm, cables.price_cents)
    return outcome(cable_set, settings["bundling"], settings.get("bundling_parameters") or {})


_FIGURES = (
    ("cabinet", ""), ("capacity", ""), ("diameter_um", "µm"), ("bend_mm", "mm"), ("run_mm", "mm"), ("stock_mm", "mm"),
)  # fmt: skip


def _parts(plan: Plan) -> list[str]:
    """Return the trunks by glass and connectors where the kind of bundling has trunks; the one fiber where it has that."""
    settings, parts = plan.study["cabling"], plan.catalog.bundling
    if settings["bundling"] in ("trunk", "shuffle"):
        return [trunk.id for trunk in sorted(parts.trunks, key=lambda one: (one.glass, one.connectors))]
    if settings["bundling"] == "multicore":
        given = settings.get("bundling_parameters") or {}
        fiber, cores = given.get("fiber", "mcf-8core-125"), given.get("cores")
        known = {row.id: row.cores for row in parts.multicore_fibers}
        return [fiber if cores is None or known.get(fiber) == cores else f"{cores}-core fiber"]
    return []


def _passives(made: Outcome, parts: list[str]) -> tuple[Passive, ...]:
    found = [Passive("jumpers", part, stock, count, cents) for (part, stock), (count, cents) in made.jumpers.items()]
    bought = (
        (parts.index(one["part"]), one["stock_mm"], one["cents"], NAMES.index(one["kind"])) for one in made.bundles if one["part"]
    )
    for (part, stock, cents, kind), count in sorted(Counter(bought).items()):
        known = made.priced or NAMES[kind] != "multi-core fiber"
        found.append(Passive("trunks", parts[part], stock, count, count * cents if known else None))
    return (*found, *(Passive("panels", part, 0, *amounts) for part, amounts in sorted(made.panels.items())))


def _carriers(plan: Plan, made: Outcome) -> Iterator[Violation]:
    """Each carrier is on a route of minimum length between its tray nodes."""
    cables, room, rule = plan.cables, plan.room, "panels_and_trunks_are_bought"
    nodes = np.array([ends for ends, *_ in made.carriers], np.int64).reshape(-1, 2)
    shortest = np.zeros(len(nodes), np.int64)
    if len(nodes):
        shortest = made.cable_set.distances.between(*nodes.T).astype(np.int64)
    last = len(cables.route_indptr) - 1
    own = last - len(nodes) + np.arange(len(nodes))
    yield from unequal(rule, cables.carrier_route, own, lambda n: f"carrier {n + 1}", "is not on the route of its own")
    for number, (route, (a, b), length) in enumerate(
        zip(cables.carrier_route.tolist(), nodes.tolist(), shortest.tolist(), strict=True)
    ):
        segments = cables.route_segments[cables.route_indptr[route] : cables.route_indptr[route + 1]]
        at = a
        for one, two in room.segments[segments].tolist():
            at = one + two - at if at in (one, two) else -1
        yield from unlike(rule, f"carrier {number + 1}", at, b, "its route leads to another tray node")
        yield from unlike(
            rule, f"carrier {number + 1}", int(room.segment_mm[segments].sum()), length, "is not as short as it can be"
        )
