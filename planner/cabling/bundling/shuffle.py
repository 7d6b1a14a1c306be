"""Shuffle boxes: every router has few cables to the box of its zone, and trunks join the boxes of zones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.cabling.bundling._areas import Areas, Level
from planner.cabling.bundling._bundles import Bought, Bundles, Laid, Legs, Panels, Set, put_together
from planner.cabling.bundling._lay import Lay, most_of, numbered
from planner.cabling.bundling._optics import fiber_links, over_budget, refuse
from planner.cabling.bundling._panels import Paneled, panel_nodes
from planner.cabling.bundling._trunks import Offers, trunked
from planner.cabling.bundling.loom import by_cabinets
from planner.cabling.bundling.trunk import links_per_plug
from planner.model import MEDIUM_CLASSES
from planner.parts import NonNegative

_PAIRS = 4
"""Mated pairs of MPO plugs between two transceivers: where a cable enters and a trunk leaves each of two boxes.

With those in the transceivers 6, of at most 7 that the boxes are made for."""


def bundle(lay: Lay, *, level: Level = "row", box_cents: NonNegative | None = None) -> Bundles:
    """Lead links between routers over passive boxes, one set of boxes to a zone.

    A box deals the fibers that come from routers out to the trunks that leave it. Here the inside of
    each box is made for the network: any fiber may meet any other.

    Parameters
    ----------
    level
        What has boxes of its own: every ``cabinet``, ``row`` or ``zone``.
    box_cents
        Price of a box; by default the catalog's. Without one nothing is priced.

    Returns
    -------
    Bundles
        Trunks between zones; for links inside a zone one bundle without length, the zone's boxes;
        looms of the other cables.

    References
    ----------
    .. [1] AWS, "RNG: flat datacenter networks at scale", arXiv:2604.15261, 2026.
    """
    areas, offers = Areas.of(lay.room, level), Offers.of(lay.parts)
    reason = fiber_links(lay)
    rows = np.flatnonzero(reason == 0)
    rows = refuse(reason, rows, rows >= lay.topology.link_count, "an endpoint's cable")
    rows = refuse(reason, rows, links_per_plug(lay)[lay.assembly[rows]] == 0, "no part for its glass or plugs")
    paneled = Paneled.of(lay, rows, areas, level)
    longest = np.array([offers.longest_mm(made_of.glass) for made_of in lay.assemblies] or [0])[lay.assembly[rows]]
    kept = (paneled.leg_mm <= longest[:, None]).all(axis=1) & (paneled.trunk_mm <= longest)
    rows, paneled = refuse(reason, rows, ~kept, "no trunk or jumper of that length"), paneled.only(kept)
    lossy = over_budget(lay, rows, paneled.fiber_mm, lambda plug: (_PAIRS, 0))
    rows, paneled = refuse(reason, rows, lossy, "loss above the budget"), paneled.only(~lossy)
    return _built(lay, rows, paneled, areas, reason, lay.parts.shuffle_box.price_cents if box_cents is None else box_cents)


def _built(lay: Lay, rows: np.ndarray, paneled: Paneled, areas: Areas, reason: np.ndarray, box_cents: int | None) -> Bundles:
    others = np.flatnonzero(lay.between & (reason > 0))
    tied, rest = by_cabinets(lay, others)
    nodes = panel_nodes(lay, areas)
    across = paneled.area[:, 0] != paneled.area[:, 1]
    inside = _inside(rows[~across], paneled.area[~across, 0], nodes)
    trunks, along = _trunks(lay, rows[across], paneled.only(across), nodes)
    cables = _RouterCables.of(lay, rows, paneled, nodes)
    zones = np.bincount(cables.area, weights=cables.count, minlength=len(nodes)).astype(np.int64)
    boxes = -(-zones // lay.parts.shuffle_box.router_ports)
    panels = tuple(
        Panels(lay.parts.shuffle_box.id, int(nodes[zone]), count, None if box_cents is None else count * box_cents)
        for zone, count in enumerate(boxes.tolist())
        if count
    )
    pairs = len(np.unique(np.sort(paneled.area[across], axis=1), axis=0))
    return put_together(
        lay,
        [trunks, inside, tied],
        cables.legs(lay, rows, paneled, nodes),
        reason,
        [along, cables.laid],
        rest,
        pulled=len(np.unique(cables.router)) + pairs + tied.count,
        pieces=int(cables.count.sum()) + trunks.count + len(np.unique(lay.piece[others])),
        panels=panels,
        bought=cables.bought,
        priced=box_cents is not None or not panels,
    )


@dataclass(frozen=True, eq=False)
class _RouterCables:
    """The cables from routers to boxes by router and glass: how many, int64 (n,), their part, and where they lie."""

    router: np.ndarray
    area: np.ndarray
    count: np.ndarray
    laid: Laid
    of_end: np.ndarray
    stock_mm: np.ndarray
    cents: np.ndarray
    bought: tuple[Bought, ...]

    @classmethod
    def of(cls, lay: Lay, rows: np.ndarray, paneled: Paneled, nodes: np.ndarray) -> _RouterCables:
        """Count the cables; each is the smallest trunk of its glass and carries some pairs of fibers."""
        offers = Offers.of(lay.parts)
        node, area = lay.node[rows].T.ravel(), paneled.area.T.ravel()
        keys, of_end = numbered(np.column_stack([lay.device[rows].T.ravel(), np.tile(lay.glass[rows], 2), area, node]))
        fibers = np.tile(lay.of_assembly("fibers")[rows], 2)
        pairs = np.bincount(of_end, weights=-(-fibers // 2), minlength=len(keys)).astype(np.int64)
        count = -(-pairs // lay.parts.shuffle_box.pairs_per_router_port)
        leg, tray = (most_of(part.T.ravel(), of_end, len(keys)) for part in (paneled.leg_mm, paneled.leg_tray_mm))
        wanted, place = numbered(np.column_stack([keys[:, 1], leg]))
        smallest = [offers.at(lay.glasses[glass], length)[0] for glass, length in wanted.tolist()]
        part, stock, cents = np.array(smallest, np.int64).reshape(-1, 3)[place].T
        thick = np.array([trunk.diameter_um for trunk in offers.parts], np.int64)[part]
        ends = np.column_stack([keys[:, 3], nodes[keys[:, 2]]])
        laid = Laid(ends, np.full(len(keys), MEDIUM_CLASSES.index("fiber")), count * lay.area_um2(thick), tray)
        kinds, kind = numbered(np.column_stack([part, stock]))
        total = np.bincount(kind, weights=count, minlength=len(kinds)).astype(np.int64)
        paid = np.bincount(kind, weights=count * cents, minlength=len(kinds)).astype(np.int64)
        bought = tuple(
            Bought(offers.parts[which].id, length, *amounts)
            for (which, length), *amounts in zip(kinds.tolist(), total.tolist(), paid.tolist(), strict=True)
        )
        return cls(keys[:, 0], keys[:, 2], count, laid, of_end, stock, count * cents, bought)

    def legs(self, lay: Lay, rows: np.ndarray, paneled: Paneled, nodes: np.ndarray) -> Legs:
        """Return the legs of all rows; a router's cables stand, as a whole, on the first of its rows."""
        cents = (np.asarray(lay.price_cents, np.int64) - lay.length_cents)[rows]
        _, first = np.unique(self.of_end, return_index=True)
        np.add.at(cents, first % max(len(rows), 1), self.cents)
        stock = self.stock_mm[self.of_end].reshape(2, -1).T
        return Legs.of(lay, rows, paneled.leg_mm, stock, nodes[paneled.area], cents)


def _trunks(lay: Lay, rows: np.ndarray, paneled: Paneled, nodes: np.ndarray) -> tuple[Set, Laid]:
    """Trunks between the boxes of each pair of zones."""
    per_plug = links_per_plug(lay)[lay.assembly[rows]]
    keys, group = numbered(np.column_stack([np.sort(paneled.area, axis=1), lay.glass[rows], per_plug]))
    run, tray = (most_of(part, group, len(keys)) for part in (paneled.trunk_mm, paneled.trunk_tray_mm))
    glass, node = [lay.glasses[number] for number in keys[:, 2].tolist()], nodes[keys[:, :2]]
    cabinet = np.full((len(keys), 2), -1)
    order = lay.run_mm[rows]
    trunks, _ = trunked(Offers.of(lay.parts), "shuffle", rows, group, order, glass, keys[:, 3], run, node, cabinet, lay.area_um2)
    of = np.zeros(trunks.count, np.int64)
    of[trunks.bundle] = group
    return trunks, Laid(trunks.node, np.full(trunks.count, MEDIUM_CLASSES.index("fiber")), trunks.area_um2, tray[of])


def _inside(rows: np.ndarray, zone: np.ndarray, nodes: np.ndarray) -> Set:
    """Links between routers of one zone: its boxes join them."""
    zones, bundle = np.unique(zone, return_inverse=True)
    nothing = np.zeros(len(zones), np.int64)
    return Set(
        kind="shuffle",
        rows=rows,
        bundle=bundle.ravel(),
        cabinet=np.full((len(zones), 2), -1),
        node=np.repeat(nodes[zones][:, None], 2, axis=1),
        part=nothing - 1,
        parts=(),
        capacity=np.bincount(bundle.ravel(), minlength=len(zones)),
        area_um2=nothing,
        diameter_um=nothing,
        bend_mm=nothing,
        run_mm=nothing,
        stock_mm=nothing,
        price_cents=nothing,
    )
