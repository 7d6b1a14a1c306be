"""Shuffle boxes: each router has cables to the boxes of its area, and trunks join the boxes of areas."""

from __future__ import annotations

import numpy as np

from planner.check.basis.bundling.cables import FIBER, Areas, CableSet, Outcome, Paneled
from planner.check.basis.bundling.looms import tie_by_cabinets
from planner.check.basis.bundling.trunks import deal, grouped, links_per_plug, longest_mm, offers

_PAIRS = 4
"""Mated pairs of MPO plugs of a link: in and out of two boxes."""


def shuffled(cable_set: CableSet, *, level: str = "row", box_cents: int | None = None) -> Outcome:
    """Route links between routers over shuffle boxes, and tie the other cables into looms."""
    made = Outcome(cable_set)
    areas, per_plug = Areas(cable_set.room, level), links_per_plug(cable_set)
    rows = made.candidates()
    rows = made.refuse(rows, ~cable_set.inventory.is_link[rows], "an endpoint's cable")
    rows = made.refuse(rows, per_plug[cable_set.assembly[rows]] == 0, "no part for its glass or plugs")
    over = Paneled(cable_set, rows, areas, level)
    longest = np.array([longest_mm(cable_set, made_of.glass) for made_of in cable_set.assemblies] or [0])[
        cable_set.assembly[over.rows]
    ]
    over.drop(made, (over.leg > longest[:, None]).any(axis=1) | (over.trunk > longest), "no trunk or jumper of that length")
    over.drop(made, over.lossy(cable_set, lambda plug: (_PAIRS, 0)), "loss above the budget")
    nodes = cable_set.room.slot_node[areas.center, FIBER].astype(np.int64)
    groups = grouped(cable_set, over, per_plug, plugs=False)
    for key, own in groups.items():
        if key[0] != key[1]:
            deal(made, over, own, key, "shuffle", (-1, -1), tuple(nodes[list(key[:2])].tolist()))
    trunks = len(made.bundles)
    _inside(made, over, nodes)
    routers = _router_cables(made, over, nodes, cable_set.parts.shuffle_box.price_cents if box_cents is None else box_cents)
    pairs = {key[:2] for key in groups if key[0] != key[1]}
    others = np.flatnonzero(cable_set.between & (np.array(made.reason) != ""))
    tie_by_cabinets(made, others)
    made.pulled += routers + len(pairs)
    made.pieces += trunks + len(np.unique(cable_set.piece[others]))
    return made


def _inside(made: Outcome, over: Paneled, nodes: np.ndarray) -> None:
    """Add the links inside one area, connected by its boxes, as one bundle without length."""
    by_area: dict[int, list[int]] = {}
    for row, (a, b) in zip(over.rows.tolist(), over.area.tolist(), strict=True):
        if a == b:
            by_area.setdefault(a, []).append(row)
    for area, rows in sorted(by_area.items()):
        made.bundle[rows] = len(made.bundles)
        nothing = dict.fromkeys(("diameter_um", "bend_mm", "run_mm", "stock_mm", "area_um2", "cents"), 0)
        ends = {"cabinet": (-1, -1), "node": (int(nodes[area]),) * 2, "capacity": len(rows), "links": len(rows)}
        made.bundles.append({"kind": "shuffle", "part": "", **ends, **nothing})


def _router_cables(made: Outcome, over: Paneled, nodes: np.ndarray, box_cents: int | None) -> int:
    """Buy the cables from routers to boxes, and the boxes; return how many routers have such cables."""
    cable_set, box = made.cable_set, made.cable_set.parts.shuffle_box
    ends: dict[tuple, list[tuple[int, int, int]]] = {}
    for end in (0, 1):
        for place, row in enumerate(over.rows.tolist()):
            made_of = cable_set.assemblies[cable_set.assembly[row]]
            key = (int(cable_set.device[row, end]), made_of.glass, int(over.area[place, end]), int(cable_set.node[row, end]))
            ends.setdefault(key, []).append((end, place, -(-made_of.fibers // 2)))
    ports: dict[int, int] = {}
    kinds: dict[tuple, list[int]] = {}
    rows = over.rows
    made.leg_mm[rows], made.via_node[rows], made.cents[rows] = over.leg, nodes[over.area], cable_set.module_cents[rows]
    order = {
        trunk.id: place for place, trunk in enumerate(sorted(cable_set.parts.trunks, key=lambda one: (one.glass, one.connectors)))
    }
    for (_, glass, area, node), own in sorted(ends.items()):
        count = -(-sum(pairs for *_, pairs in own) // box.pairs_per_router_port)
        leg = max(int(over.leg[place, end]) for end, place, _ in own)
        tray = max(int(over.leg_tray[place, end]) for end, place, _ in own)
        part, stock, cents = offers(cable_set, glass, leg)[0]
        thick = int(cable_set.area_um2(np.array(part.diameter_um)))
        made.carriers.append(((node, int(nodes[area])), FIBER, count * thick, tray))
        entry = kinds.setdefault((order[part.id], stock, part.id), [0, 0])
        entry[0] += count
        entry[1] += count * cents
        ports[area] = ports.get(area, 0) + count
        for end, place, _ in own:
            made.leg_stock_mm[rows[place], end] = stock
        # A router's cables are paid with the first of its rows.
        made.cents[rows[min(own)[1]]] += count * cents
        made.pieces += count
    made.jumpers = {(name, stock): amounts for (_, stock, name), amounts in sorted(kinds.items())}
    for _, used in sorted(ports.items()):
        count = -(-used // box.router_ports)
        made.buy(box.id, count, None if box_cents is None else count * box_cents)
    made.priced = box_cents is not None or not ports
    return len({router for router, *_ in ends})
