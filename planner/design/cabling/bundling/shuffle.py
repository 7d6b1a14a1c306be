"""Shuffle boxes: every router has a few cables to the boxes of its zone, and trunks connect the boxes of zones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.design.cabling.bundling.bundles.areas import Areas, Level
from planner.design.cabling.bundling.bundles.bundles import Bought, Bundles, Legs, Panels, Set, TrayLoad, combine
from planner.design.cabling.bundling.bundles.cables import CableSet, max_by, numbered
from planner.design.cabling.bundling.bundles.optics import fiber_links, over_budget, refuse
from planner.design.cabling.bundling.bundles.panels import Paneled, panel_nodes
from planner.design.cabling.bundling.bundles.trunks import Offers, trunked
from planner.design.cabling.bundling.loom import by_cabinets
from planner.design.cabling.bundling.trunk import links_per_plug
from planner.domain.model import MEDIUM_CLASSES
from planner.domain.parts import NonNegative

_PAIRS = 4
"""Mated pairs of MPO plugs between two transceivers: where a cable enters and a trunk leaves each of two boxes.

With those in the transceivers there are 6; the boxes are designed for at most 7."""


def bundle(cables: CableSet, *, level: Level = "row", box_cents: NonNegative | None = None) -> Bundles:
    """Route links between routers over passive boxes, one set of boxes per zone.

    A box distributes the fibers from routers to the trunks that leave it. The model assumes
    boxes wired for the network: any fiber may be connected to any other.

    Parameters
    ----------
    level
        Areas with boxes: every ``cabinet``, ``row`` or ``zone``.
    box_cents
        Price of a box; by default the catalog's. Without one the plan is not priced.

    Returns
    -------
    Bundles
        Trunks between zones; for links inside a zone one bundle without length, the zone's boxes;
        looms for the other cables.

    References
    ----------
    .. [1] AWS, "RNG: flat datacenter networks at scale", arXiv:2604.15261, 2026.
    """
    areas, offers = Areas.of(cables.room, level), Offers.of(cables.parts)
    reason = fiber_links(cables)
    rows = np.flatnonzero(reason == 0)
    rows = refuse(reason, rows, ~cables.inventory.is_link[rows], "an endpoint's cable")
    rows = refuse(reason, rows, links_per_plug(cables)[cables.assembly[rows]] == 0, "no part for its glass or plugs")
    paneled = Paneled.of(cables, rows, areas, level)
    longest = np.array([offers.longest_mm(made_of.glass) for made_of in cables.assemblies] or [0])[cables.assembly[rows]]
    kept = (paneled.leg_mm <= longest[:, None]).all(axis=1) & (paneled.trunk_mm <= longest)
    rows, paneled = refuse(reason, rows, ~kept, "no trunk or jumper of that length"), paneled.only(kept)
    lossy = over_budget(cables, rows, paneled.fiber_mm, lambda plug: (_PAIRS, 0))
    rows, paneled = refuse(reason, rows, lossy, "loss above the budget"), paneled.only(~lossy)
    return _built(cables, rows, paneled, areas, reason, cables.parts.shuffle_box.price_cents if box_cents is None else box_cents)


def _built(
    cables: CableSet, rows: np.ndarray, paneled: Paneled, areas: Areas, reason: np.ndarray, box_cents: int | None
) -> Bundles:
    others = np.flatnonzero(cables.between & (reason > 0))
    tied, rest = by_cabinets(cables, others)
    nodes = panel_nodes(cables, areas)
    across = paneled.area[:, 0] != paneled.area[:, 1]
    inside = _inside(rows[~across], paneled.area[~across, 0], nodes)
    trunks, along = _trunks(cables, rows[across], paneled.only(across), nodes)
    router_cables = _RouterCables.of(cables, rows, paneled, nodes)
    zones = np.bincount(router_cables.area, weights=router_cables.count, minlength=len(nodes)).astype(np.int64)
    boxes = -(-zones // cables.parts.shuffle_box.router_ports)
    panels = tuple(
        Panels(cables.parts.shuffle_box.id, zone, count, None if box_cents is None else count * box_cents)
        for zone, count in enumerate(boxes.tolist())
        if count
    )
    pairs = len(np.unique(np.sort(paneled.area[across], axis=1), axis=0))
    return combine(
        cables,
        [trunks, inside, tied],
        router_cables.legs(cables, rows, paneled, nodes),
        reason,
        [along, router_cables.load],
        rest,
        pulled=len(np.unique(router_cables.router)) + pairs + tied.count,
        pieces=int(router_cables.count.sum()) + trunks.count + len(np.unique(cables.piece[others])),
        panels=panels,
        bought=router_cables.bought,
        priced=box_cents is not None or not panels,
    )


@dataclass(frozen=True, eq=False)
class _RouterCables:
    """The cables from routers to boxes by router and glass: number, int64 (n,), part, and tray load."""

    router: np.ndarray
    area: np.ndarray
    count: np.ndarray
    load: TrayLoad
    of_end: np.ndarray
    stock_mm: np.ndarray
    cents: np.ndarray
    bought: tuple[Bought, ...]

    @classmethod
    def of(cls, cables: CableSet, rows: np.ndarray, paneled: Paneled, nodes: np.ndarray) -> _RouterCables:
        """Count the cables; each is the smallest trunk of its glass and carries some pairs of fibers."""
        offers = Offers.of(cables.parts)
        node, area = cables.node[rows].T.ravel(), paneled.area.T.ravel()
        keys, of_end = numbered(np.column_stack([cables.device[rows].T.ravel(), np.tile(cables.glass[rows], 2), area, node]))
        fibers = np.tile(cables.of_assembly("fibers")[rows], 2)
        pairs = np.bincount(of_end, weights=-(-fibers // 2), minlength=len(keys)).astype(np.int64)
        count = -(-pairs // cables.parts.shuffle_box.pairs_per_router_port)
        leg, tray = (max_by(part.T.ravel(), of_end, len(keys)) for part in (paneled.leg_mm, paneled.leg_tray_mm))
        wanted, place = numbered(np.column_stack([keys[:, 1], leg]))
        smallest = [offers.at(cables.glasses[glass], length)[0] for glass, length in wanted.tolist()]
        part, stock, cents = np.array(smallest, np.int64).reshape(-1, 3)[place].T
        thick = np.array([trunk.diameter_um for trunk in offers.parts], np.int64)[part]
        ends = np.column_stack([keys[:, 3], nodes[keys[:, 2]]])
        load = TrayLoad(ends, np.full(len(keys), MEDIUM_CLASSES.index("fiber")), count * cables.area_um2(thick), tray)
        kinds, kind = numbered(np.column_stack([part, stock]))
        total = np.bincount(kind, weights=count, minlength=len(kinds)).astype(np.int64)
        paid = np.bincount(kind, weights=count * cents, minlength=len(kinds)).astype(np.int64)
        bought = tuple(
            Bought(offers.parts[which].id, length, *amounts)
            for (which, length), *amounts in zip(kinds.tolist(), total.tolist(), paid.tolist(), strict=True)
        )
        return cls(keys[:, 0], keys[:, 2], count, load, of_end, stock, count * cents, bought)

    def legs(self, cables: CableSet, rows: np.ndarray, paneled: Paneled, nodes: np.ndarray) -> Legs:
        """Return the legs of all rows; the cost of a router's cables is charged to the first of its rows."""
        cents = (np.asarray(cables.price_cents, np.int64) - cables.length_cents)[rows]
        _, first = np.unique(self.of_end, return_index=True)
        np.add.at(cents, first % max(len(rows), 1), self.cents)
        stock = self.stock_mm[self.of_end].reshape(2, -1).T
        return Legs.of(cables, rows, paneled.leg_mm, stock, nodes[paneled.area], cents)


def _trunks(cables: CableSet, rows: np.ndarray, paneled: Paneled, nodes: np.ndarray) -> tuple[Set, TrayLoad]:
    """Return trunks between the boxes of each pair of zones."""
    per_plug = links_per_plug(cables)[cables.assembly[rows]]
    keys, group = numbered(np.column_stack([np.sort(paneled.area, axis=1), cables.glass[rows], per_plug]))
    run, tray = (max_by(part, group, len(keys)) for part in (paneled.trunk_mm, paneled.trunk_tray_mm))
    glass, node = [cables.glasses[number] for number in keys[:, 2].tolist()], nodes[keys[:, :2]]
    cabinet = np.full((len(keys), 2), -1)
    order = cables.run_mm[rows]
    trunks, _ = trunked(
        Offers.of(cables.parts), "shuffle", rows, group, order, glass, keys[:, 3], run, node, cabinet, cables.area_um2
    )
    of = np.zeros(trunks.count, np.int64)
    of[trunks.bundle] = group
    return trunks, TrayLoad(trunks.node, np.full(trunks.count, MEDIUM_CLASSES.index("fiber")), trunks.area_um2, tray[of])


def _inside(rows: np.ndarray, zone: np.ndarray, nodes: np.ndarray) -> Set:
    """Return bundles of the links between routers of one zone, which its boxes connect."""
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
