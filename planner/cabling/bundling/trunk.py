"""Trunks: fiber links go over a jumper, a patch panel, an MPO trunk, a patch panel and a jumper."""

from __future__ import annotations

from typing import Literal

import numpy as np

from planner.cabling.bundling._areas import Areas, Level
from planner.cabling.bundling._bundles import Bundles, Laid, Legs, put_together
from planner.cabling.bundling._lay import Lay, most_of, numbered
from planner.cabling.bundling._optics import fiber_links, jumpers, jumpers_bought, over_budget, refuse
from planner.cabling.bundling._panels import Paneled, cassette_for, legs_laid, legs_pulled, panel_nodes, panels_for
from planner.cabling.bundling._trunks import Offers, trunked
from planner.cabling.bundling.loom import by_cabinets
from planner.model import MEDIUM_CLASSES
from planner.parts import Positive


def bundle(lay: Lay, *, level: Level = "row", min_links: Positive = 1, jumper_types: Literal["AA", "AB", "BB"] = "BB") -> Bundles:
    """Lead fiber links over patch panels and trunks; what cannot go over them is tied into looms.

    Parameters
    ----------
    level
        What has a panel: every ``cabinet`` (at its exit), every ``row`` or every ``zone`` (at the tray
        node of its middle slot). Links inside one of them stay direct.
    min_links
        Pairs of panels with fewer links get no trunk.
    jumper_types
        Polarity types of the jumpers at both ends, which decide that of the trunks.

    Returns
    -------
    Bundles
        Trunks bought at least cost for each pair of panels, glass and plug; looms of the other cables.
    """
    areas = Areas.of(lay.room, level)
    reason = fiber_links(lay)
    rows = np.flatnonzero(reason == 0)
    area = areas.of_slot[lay.slot[rows]]
    rows = refuse(reason, rows, area[:, 0] == area[:, 1], "both ends in one area")
    per_plug = links_per_plug(lay)
    rows = refuse(reason, rows, per_plug[lay.assembly[rows]] == 0, "no part for its glass or plugs")
    paneled = Paneled.of(lay, rows, areas, level)
    stock, _ = jumpers(lay, rows, paneled.leg_mm)
    offers = Offers.of(lay.parts)
    longest = np.array([offers.longest_mm(made_of.glass) for made_of in lay.assemblies] or [0])[lay.assembly[rows]]
    kept = (stock > 0).all(axis=1) & (paneled.trunk_mm <= longest)
    rows, paneled = refuse(reason, rows, ~kept, "no trunk or jumper of that length"), paneled.only(kept)
    lossy = over_budget(lay, rows, paneled.fiber_mm, lambda plug: (2, 0) if plug == "mpo" else (2, 2))
    rows, paneled = refuse(reason, rows, lossy, "loss above the budget"), paneled.only(~lossy)
    group = _grouped(lay, rows, paneled, per_plug)[1]
    few = np.bincount(group, minlength=1)[group] < min_links
    rows, paneled = refuse(reason, rows, few, "too few links for a trunk"), paneled.only(~few)
    return _bought(lay, rows, paneled, areas, level, reason, per_plug, trunk_type(jumper_types))


def trunk_type(jumper_types: str) -> str:
    """Return the polarity type of trunks between jumpers of these types.

    Parallel transceivers need fiber i at one end to be 13 - i at the other. A piece of type B turns
    positions round, one of type A does not, and adapters join plugs key up to key down, position to
    position: so an odd number of pieces must be of type B.

    >>> trunk_type("BB"), trunk_type("AB"), trunk_type("AA")
    ('B', 'A', 'B')
    """
    return "A" if jumper_types.count("B") % 2 else "B"


def links_per_plug(lay: Lay) -> np.ndarray:
    """Return how many links of each assembly share one MPO plug of a trunk; 0 where no part fits, int64 (assemblies,).

    A link with MPO plugs takes one of its own; duplex links share one behind a cassette.
    """
    offers, most = Offers.of(lay.parts), lay.parts.trunk_rule.fibers_per_mpo
    found = []
    for made_of in lay.assemblies:
        fits = made_of.glass and 0 < made_of.fibers <= most and offers.longest_mm(made_of.glass) > 0
        fits = fits and cassette_for(lay, made_of.plug, made_of.glass) is not None
        found.append((1 if made_of.plug == "mpo" else most // made_of.fibers) if fits else 0)
    return np.array(found or [0], np.int64)


def _grouped(lay: Lay, rows: np.ndarray, paneled: Paneled, per_plug: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Links that may share trunks: the pair of areas, glass and plug (as numbers) of each group, and the group of each link."""
    look = np.column_stack([lay.glass[rows], lay.plug[rows], per_plug[lay.assembly[rows]]])
    return numbered(np.column_stack([np.sort(paneled.area, axis=1), look]))


def _bought(
    lay: Lay,
    rows: np.ndarray,
    paneled: Paneled,
    areas: Areas,
    level: Level,
    reason: np.ndarray,
    per_plug: np.ndarray,
    polarity: str,
) -> Bundles:
    others = np.flatnonzero(lay.between & (reason > 0))
    tied, laid = by_cabinets(lay, others)
    pieces = len(np.unique(lay.piece[others]))
    keys, group = _grouped(lay, rows, paneled, per_plug)
    glass = [lay.glasses[number] for number in keys[:, 2].tolist()]
    run, tray = (most_of(part, group, len(keys)) for part in (paneled.trunk_mm, paneled.trunk_tray_mm))
    nodes = panel_nodes(lay, areas)
    pair = keys[:, :2]
    cabinet = np.full_like(pair, -1)
    if level == "cabinet":
        cabinet_of = np.full(lay.room.slot_count, -1, np.int64)
        cabinet_of[lay.slot] = lay.cabinet
        cabinet = cabinet_of[pair]
    trunks, connectors = trunked(
        Offers.of(lay.parts), "trunk", rows, group, lay.run_mm[rows], glass, keys[:, 4], run, nodes[pair], cabinet, lay.area_um2
    )
    of = np.zeros(trunks.count, np.int64)
    of[trunks.bundle] = group
    along = Laid(trunks.node, np.full(trunks.count, MEDIUM_CLASSES.index("fiber")), trunks.area_um2, tray[of])
    cassettes = [cassette_for(lay, lay.plugs[plug], lay.glasses[one]) for one, plug in keys[:, 2:4].tolist()]
    kinds = sorted({one for one in cassettes if one is not None}, key=lambda one: one.id)
    kind = np.array([kinds.index(one) for one in cassettes], np.int64)[of] if len(of) else of
    panels = panels_for(lay, trunks.node.T.ravel(), np.tile(kind, 2), np.tile(connectors, 2), kinds)
    stock, cents = jumpers(lay, rows, paneled.leg_mm)
    legs = legs_laid(lay, rows, paneled, nodes)
    inside = level == "cabinet"
    return put_together(
        lay,
        [trunks, tied],
        Legs.of(lay, rows, paneled.leg_mm, stock, nodes[paneled.area], cents),
        reason,
        [along] if inside else [along, legs],
        laid,
        pulled=trunks.count + tied.count + (0 if inside else legs_pulled(lay, rows, paneled)),
        pieces=pieces + trunks.count + 2 * len(rows),
        panels=panels,
        polarity=polarity if len(rows) else "",
        bought=jumpers_bought(lay, rows, stock),
    )
