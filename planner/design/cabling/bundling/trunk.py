"""Trunks: fiber links go over a jumper, a patch panel, an MPO trunk, a patch panel and a jumper."""

from __future__ import annotations

from typing import Literal

import numpy as np

from planner.design.cabling.bundling.bundles.areas import Areas, Level
from planner.design.cabling.bundling.bundles.bundles import Bundles, Legs, TrayLoad, combine
from planner.design.cabling.bundling.bundles.cables import CableSet, max_by, numbered
from planner.design.cabling.bundling.bundles.optics import fiber_links, jumpers, jumpers_bought, over_budget, refuse
from planner.design.cabling.bundling.bundles.panels import Paneled, cassette_for, leg_loads, legs_pulled, panel_nodes, panels_for
from planner.design.cabling.bundling.bundles.trunks import Offers, trunked
from planner.design.cabling.bundling.loom import by_cabinets
from planner.domain.model import MEDIUM_CLASSES
from planner.domain.parts import Positive


def bundle(
    cables: CableSet, *, level: Level = "row", min_links: Positive = 1, jumper_types: Literal["AA", "AB", "BB"] = "BB"
) -> Bundles:
    """Route fiber links over patch panels and trunks; all other cables are tied into looms.

    Parameters
    ----------
    level
        Areas with a panel: every ``cabinet`` (at its cable exit), every ``row`` or every ``zone`` (at the tray
        node of its middle slot). Links inside one of them stay direct.
    min_links
        Minimum number of links between two panels for a trunk.
    jumper_types
        Polarity types of the jumpers at both ends, which decide that of the trunks.

    Returns
    -------
    Bundles
        The cheapest trunks for each pair of panels, glass and plug; looms for the other cables.
    """
    areas = Areas.of(cables.room, level)
    reason = fiber_links(cables)
    rows = np.flatnonzero(reason == 0)
    area = areas.of_slot[cables.slot[rows]]
    rows = refuse(reason, rows, area[:, 0] == area[:, 1], "both ends in one area")
    per_plug = links_per_plug(cables)
    rows = refuse(reason, rows, per_plug[cables.assembly[rows]] == 0, "no part for its glass or plugs")
    paneled = Paneled.of(cables, rows, areas, level)
    stock, _ = jumpers(cables, rows, paneled.leg_mm)
    offers = Offers.of(cables.parts)
    longest = np.array([offers.longest_mm(made_of.glass) for made_of in cables.assemblies] or [0])[cables.assembly[rows]]
    kept = (stock > 0).all(axis=1) & (paneled.trunk_mm <= longest)
    rows, paneled = refuse(reason, rows, ~kept, "no trunk or jumper of that length"), paneled.only(kept)
    lossy = over_budget(cables, rows, paneled.fiber_mm, lambda plug: (2, 0) if plug == "mpo" else (2, 2))
    rows, paneled = refuse(reason, rows, lossy, "loss above the budget"), paneled.only(~lossy)
    group = _grouped(cables, rows, paneled, per_plug)[1]
    few = np.bincount(group, minlength=1)[group] < min_links
    rows, paneled = refuse(reason, rows, few, "too few links for a trunk"), paneled.only(~few)
    return _bought(cables, rows, paneled, areas, level, reason, per_plug, trunk_type(jumper_types))


def trunk_type(jumper_types: str) -> str:
    """Return the polarity type of trunks between jumpers of these types.

    Parallel transceivers need fiber i at one end to be 13 - i at the other. A jumper or trunk of type B reverses
    positions, one of type A does not, and adapters (key up to key down) keep positions: so an odd number of
    the three must be of type B.

    >>> trunk_type("BB"), trunk_type("AB"), trunk_type("AA")
    ('B', 'A', 'B')
    """
    return "A" if jumper_types.count("B") % 2 else "B"


def links_per_plug(cables: CableSet) -> np.ndarray:
    """Return the number of links of each assembly per MPO plug of a trunk; 0 where no part fits, int64 (assemblies,).

    A link with MPO plugs takes a plug of its own; duplex links share one behind a cassette, up to its ports for each plug.
    """
    offers, fibers_per_plug = Offers.of(cables.parts), cables.parts.trunk_rule.fibers_per_mpo
    found = []
    for made_of in cables.assemblies:
        fits = made_of.glass and 0 < made_of.fibers <= fibers_per_plug and offers.longest_mm(made_of.glass) > 0
        cassette = cassette_for(cables.parts, made_of.plug, made_of.glass) if fits else None
        links = 1 if made_of.plug == "mpo" else fibers_per_plug // max(made_of.fibers, 1)
        found.append(0 if cassette is None else min(links, cassette.ports // cassette.trunk_plugs))
    return np.array(found or [0], np.int64)


def _grouped(cables: CableSet, rows: np.ndarray, paneled: Paneled, per_plug: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return groups of links that may share trunks: pair of areas, glass and plug of each, and the group of each link."""
    kind = np.column_stack([cables.glass[rows], cables.plug[rows], per_plug[cables.assembly[rows]]])
    return numbered(np.column_stack([np.sort(paneled.area, axis=1), kind]))


def _bought(
    cables: CableSet,
    rows: np.ndarray,
    paneled: Paneled,
    areas: Areas,
    level: Level,
    reason: np.ndarray,
    per_plug: np.ndarray,
    polarity: str,
) -> Bundles:
    others = np.flatnonzero(cables.between & (reason > 0))
    tied, load = by_cabinets(cables, others)
    pieces = len(np.unique(cables.piece[others]))
    keys, group = _grouped(cables, rows, paneled, per_plug)
    glass = [cables.glasses[number] for number in keys[:, 2].tolist()]
    run, tray = (max_by(part, group, len(keys)) for part in (paneled.trunk_mm, paneled.trunk_tray_mm))
    nodes = panel_nodes(cables, areas)
    pair = keys[:, :2]
    cabinet = np.full_like(pair, -1)
    if level == "cabinet":
        cabinet_of = np.full(cables.room.slot_count, -1, np.int64)
        cabinet_of[cables.slot] = cables.cabinet
        cabinet = cabinet_of[pair]
    trunks, connectors = trunked(
        Offers.of(cables.parts),
        "trunk",
        rows,
        group,
        cables.run_mm[rows],
        glass,
        keys[:, 4],
        run,
        nodes[pair],
        cabinet,
        cables.area_um2,
    )
    of = np.zeros(trunks.count, np.int64)
    of[trunks.bundle] = group
    along = TrayLoad(trunks.node, np.full(trunks.count, MEDIUM_CLASSES.index("fiber")), trunks.area_um2, tray[of])
    cassettes = [cassette_for(cables.parts, cables.plugs[plug], cables.glasses[one]) for one, plug in keys[:, 2:4].tolist()]
    kinds = sorted({one for one in cassettes if one is not None}, key=lambda one: one.id)
    kind = np.array([kinds.index(one) for one in cassettes if one is not None], np.int64)[of] if len(of) else of
    panels = panels_for(cables.parts, pair[of].T.ravel(), np.tile(kind, 2), np.tile(connectors, 2), kinds)
    stock, cents = jumpers(cables, rows, paneled.leg_mm)
    legs = leg_loads(cables, rows, paneled, nodes)
    inside = level == "cabinet"
    return combine(
        cables,
        [trunks, tied],
        Legs.of(cables, rows, paneled.leg_mm, stock, nodes[paneled.area], cents),
        reason,
        [along] if inside else [along, legs],
        load,
        pulled=trunks.count + tied.count + (0 if inside else legs_pulled(cables, rows, paneled)),
        pieces=pieces + trunks.count + 2 * len(rows),
        panels=panels,
        polarity=polarity if len(rows) else "",
        bought=jumpers_bought(cables, rows, stock),
    )
