"""Trunks over patch panels: the cheapest set for each pair of panels, links assigned shortest first."""

from __future__ import annotations

from functools import cache

import numpy as np

from planner.check.basis.bundling.cables import FIBER, Areas, CableSet, Outcome, Paneled
from planner.check.basis.bundling.looms import tie_by_cabinets
from planner.domain.parts import BundlingParts, CassettePart, TrunkPart


def trunked(cable_set: CableSet, *, level: str = "row", min_links: int = 1, jumper_types: str = "BB") -> Outcome:
    """Route fiber links over panels and trunks, and tie the other cables into looms."""
    made = Outcome(cable_set)
    areas = Areas(cable_set.room, level)
    rows = made.candidates()
    area = areas.of_slot[cable_set.slot[rows]]
    rows = made.refuse(rows, area[:, 0] == area[:, 1], "both ends in one area")
    per_plug = links_per_plug(cable_set)
    rows = made.refuse(rows, per_plug[cable_set.assembly[rows]] == 0, "no part for its glass or plugs")
    over = Paneled(cable_set, rows, areas, level)
    longest = np.array([longest_mm(cable_set, made_of.glass) for made_of in cable_set.assemblies] or [0])
    short = (jumper_stock(cable_set, over) == 0).any(axis=1) | (over.trunk > longest[cable_set.assembly[over.rows]])
    over.drop(made, short, "no trunk or jumper of that length")
    over.drop(made, over.lossy(cable_set, lambda plug: (2, 0) if plug == "mpo" else (2, 2)), "loss above the budget")
    groups = grouped(cable_set, over, per_plug, plugs=True)
    few = np.zeros(len(over.rows), bool)
    for own in groups.values():
        few[own] = len(own) < min_links
    over.drop(made, few, "too few links for a trunk")
    nodes = cable_set.room.slot_node[areas.center, FIBER].astype(np.int64)
    cabinet_of = {
        slot: cabinet for slot, cabinet in zip(cable_set.slot.ravel().tolist(), cable_set.cabinet.ravel().tolist(), strict=True)
    }
    bays: dict[tuple[int, str], int] = {}
    for key, own in grouped(cable_set, over, per_plug, plugs=True).items():
        ends = tuple(cabinet_of[area] for area in key[:2]) if level == "cabinet" else (-1, -1)
        cassette = cassette_for(cable_set.parts, key[3], key[2])
        assert cassette is not None  # rows without a cassette are dropped above
        for trunk in deal(made, over, own, key, "trunk", ends, tuple(nodes[list(key[:2])].tolist())):
            for area in key[:2]:
                bays[area, cassette.id] = bays.get((area, cassette.id), 0) + made.bundles[trunk]["plugs"]
    _panels(made, bays)
    jumpered(made, over, nodes)
    if level != "cabinet":
        _legs(made, over, nodes)
    trunks = len(made.bundles)
    others = np.flatnonzero(cable_set.between & (np.array(made.reason) != ""))
    tie_by_cabinets(made, others)
    made.pulled += trunks
    made.pieces = len(np.unique(cable_set.piece[others])) + trunks + 2 * len(over.rows)
    # Pieces that turn positions round must be odd in number from transceiver to transceiver.
    made.polarity = ("A" if jumper_types.count("B") == 1 else "B") if len(over.rows) else ""
    return made


def links_per_plug(cable_set: CableSet) -> np.ndarray:
    """Return how many links of each assembly share a plug of a trunk; 0 where no part fits; int64 (assemblies,)."""
    max_fibers, found = cable_set.parts.trunk_rule.fibers_per_mpo, []
    for made_of in cable_set.assemblies:
        fits = bool(made_of.glass) and 0 < made_of.fibers <= max_fibers and longest_mm(cable_set, made_of.glass) > 0
        cassette = cassette_for(cable_set.parts, made_of.plug, made_of.glass)
        if cassette is None or not fits:
            found.append(0)
            continue
        found.append(min(1 if made_of.plug == "mpo" else max_fibers // made_of.fibers, cassette.ports // cassette.trunk_plugs))
    return np.array(found or [0], np.int64)


def longest_mm(cable_set: CableSet, glass: str) -> int:
    return max((trunk.stock_mm[-1] for trunk in cable_set.parts.trunks if trunk.glass == glass), default=-1)


def cassette_for(parts: BundlingParts, plug: str, glass: str) -> CassettePart | None:
    fitting = [one for one in parts.cassettes if one.plug == plug and one.glass in ("", glass)]
    return min(fitting, key=lambda one: (one.price_cents / one.trunk_plugs, one.id), default=None)


def jumper_stock(cable_set: CableSet, over: Paneled) -> np.ndarray:
    """Return the stock lengths of the jumpers at both ends, of the row's own fiber; 0 where none is as long; int64 (n, 2)."""
    stock = np.zeros((len(over.rows), 2), np.int64)
    for number, made_of in enumerate(cable_set.assemblies):
        own = cable_set.assembly[over.rows] == number
        ladder = np.array([*made_of.stock_mm, 0])
        stock[own] = ladder[np.searchsorted(ladder[:-1], over.leg[own])]
    return stock


def jumpered(made: Outcome, over: Paneled, nodes: np.ndarray) -> None:
    """Record the jumpers: lengths, panels and prices."""
    cable_set, rows = made.cable_set, over.rows
    stock = jumper_stock(cable_set, over)
    made.leg_mm[rows], made.leg_stock_mm[rows], made.via_node[rows] = over.leg, stock, nodes[over.area]
    made.cents[rows] = cable_set.module_cents[rows]
    found: dict[tuple[str, int], list[int]] = {}
    for row, both in zip(rows.tolist(), stock.tolist(), strict=True):
        made_of = cable_set.assemblies[cable_set.assembly[row]]
        for length in both:
            cents = made_of.length_cents[made_of.stock_mm.index(length)]
            entry = found.setdefault((made_of.length_part, length), [0, 0])
            entry[0] += 1
            entry[1] += cents
            made.cents[row] += cents
    made.jumpers = dict(sorted(found.items()))


def grouped(cable_set: CableSet, over: Paneled, per_plug: np.ndarray, *, plugs: bool) -> dict[tuple, list[int]]:
    """Return the places of the rows that may share trunks, by pair of areas, glass, plug and links per plug, in order."""
    groups: dict[tuple, list[int]] = {}
    for place, (row, area) in enumerate(zip(over.rows.tolist(), np.sort(over.area, axis=1).tolist(), strict=True)):
        made_of = cable_set.assemblies[cable_set.assembly[row]]
        key = (*area, made_of.glass, made_of.plug if plugs else "", int(per_plug[cable_set.assembly[row]]))
        groups.setdefault(key, []).append(place)
    return dict(sorted(groups.items()))


def deal(
    made: Outcome, over: Paneled, own: list[int], key: tuple, kind: str, cabinets: tuple[int, int], nodes: tuple[int, int]
) -> list[int]:
    """Buy trunks for one group and deal its links out, the shortest first; return the numbers of the trunks."""
    cable_set = made.cable_set
    glass, per_plug = key[2], key[4]
    run, tray = int(over.trunk[own].max()), int(over.tray[own].max())
    rows = sorted((int(over.rows[place]) for place in own), key=lambda row: (int(cable_set.run[row]), row))
    numbers = []
    for part, stock, cents in cheapest(cable_set, glass, run, -(-len(own) // per_plug)):
        capacity = part.connectors * per_plug
        made.bundle[rows[:capacity]] = len(made.bundles)
        area = int(cable_set.area_um2(np.array(part.diameter_um)))
        numbers.append(len(made.bundles))
        made.bundles.append(
            {
                "kind": kind, "part": part.id, "cabinet": cabinets, "node": nodes, "capacity": capacity,
                "links": len(rows[:capacity]), "diameter_um": part.diameter_um, "bend_mm": part.bend_mm, "run_mm": run,
                "stock_mm": stock, "area_um2": area, "cents": cents, "plugs": part.connectors,
            }
        )  # fmt: skip
        made.carriers.append((nodes, FIBER, area, tray))
        rows = rows[capacity:]
    return numbers


def offers(cable_set: CableSet, glass: str, run_mm: int) -> list[tuple[TrunkPart, int, int]]:
    """Return the trunks of a glass that are long enough, with stock length and price, by connectors."""
    found = []
    for trunk in sorted(cable_set.parts.trunks, key=lambda one: (one.glass, one.connectors)):
        fitting = [pair for pair in zip(trunk.stock_mm, trunk.price_cents, strict=True) if pair[0] >= run_mm]
        if trunk.glass == glass and fitting:
            found.append((trunk, *fitting[0]))
    return found


def cheapest(cable_set: CableSet, glass: str, run_mm: int, plugs: int) -> list[tuple[TrunkPart, int, int]]:
    """Return the trunks to buy: minimum cost, then number, then plugs to spare; largest first.

    A trunk counts at the first stock length of its glass from which the run is covered, as on a price list.
    """
    steps = sorted({stock for trunk in cable_set.parts.trunks if trunk.glass == glass for stock in trunk.stock_mm})
    known = offers(cable_set, glass, next(step for step in steps if step >= run_mm))

    @cache
    def best(need: int) -> tuple[int, int, int, tuple[int, ...]]:
        if need <= 0:
            return 0, 0, 0, ()
        options = []
        for number, (trunk, _, cents) in enumerate(known):
            paid, count, spare, rest = best(need - trunk.connectors)
            options.append((paid + cents, count + 1, spare + max(trunk.connectors - need, 0), number, rest))
        paid, count, spare, number, rest = min(options, key=lambda option: option[:4])
        return paid, count, spare, (*rest, number)

    for need in range(plugs):
        best(need)
    chosen = sorted(best(plugs)[3], key=lambda number: (-known[number][0].connectors, number))
    return [known[number] for number in chosen]


def _panels(made: Outcome, bays: dict[tuple[int, str], int]) -> None:
    """Buy cassettes for the plugs at each panel, and enclosures for the cassettes."""
    parts = made.cable_set.parts
    cassettes = {one.id: one for one in parts.cassettes}
    used: dict[int, int] = {}
    for (area, name), plugs in bays.items():
        count = -(-plugs // cassettes[name].trunk_plugs)
        made.buy(name, count, count * cassettes[name].price_cents)
        used[area] = used.get(area, 0) + count
    for taken in used.values():
        count = -(-taken // parts.panel.bays)
        made.buy(parts.panel.id, count, count * parts.panel.price_cents)


def _legs(made: Outcome, over: Paneled, nodes: np.ndarray) -> None:
    """Route the jumpers over trays, first ends first, and count the looms of jumpers pulled from cabinets to panels."""
    cable_set = made.cable_set
    area = cable_set.area_um2(cable_set.of("diameter_um")[over.rows]).tolist() if len(over.rows) else []
    looms: dict[tuple[int, int], int] = {}
    for end in (0, 1):
        for place, row in enumerate(over.rows.tolist()):
            panel = int(over.area[place, end])
            ends = (int(cable_set.node[row, end]), int(nodes[panel]))
            made.carriers.append((ends, FIBER, area[place], int(over.leg_tray[place, end])))
            key = (int(cable_set.cabinet[row, end]), panel)
            looms[key] = looms.get(key, 0) + 1
    made.pulled += sum(-(-count // cable_set.parts.cables_per_loom) for count in looms.values())
