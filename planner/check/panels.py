"""Rules of panels: what is bought is mounted, each socket is used once, and trunks and jumpers meet in the right ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from planner.check.basis.panels import BOX, ENCLOSURE, FAN_OUT, Held, named
from planner.check.basis.places import error, unequal, unlike
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation


@rule(281)
def panels_are_those_bought(plan: Plan) -> Iterator[Violation]:
    """Enclosures, cassettes, boxes, trunks and jumpers are those that the cable plan buys, and all rows over panels have them."""
    if plan.panels is None or "bundling" not in plan.study.get("cabling", {}):
        return
    held, panels, rule = Held(plan), plan.panels, "panels_are_those_bought"
    yield from unlike(rule, "panels.row", panels.row.tolist(), held.rows.tolist(), "are not the rows over panels")
    yield from unlike(rule, "panels.polarity", panels.polarity, plan.cables.polarity, "is not that of the trunks")
    used = {*np.array(panels.parts)[panels.part].tolist(), *np.array(panels.parts)[panels.cassette_part].tolist()}
    yield from unlike(rule, "panels.parts", Counter(panels.parts), Counter(used), "are not the parts in use")
    mounted = Counter(np.array(panels.parts)[np.concatenate([panels.part, panels.cassette_part])].tolist())
    wanted = Counter({one.part: one.quantity for one in plan.cables.passives if one.category == "panels"})
    for made in Held.of(plan):
        yield from unlike(rule, "panels.kind", set(panels.kind.tolist()), {made.kind}, "is not that of the bundling")
        yield from unlike(rule, "panels.part", {panels.parts[one] for one in panels.part.tolist()}, {made.part}, "is not in use")
        yield from unequal(rule, panels.trunk_bundle, made.trunks, lambda n: f"trunk {n + 1}", "is another bundle")
        counted = np.bincount(panels.plug_trunk, minlength=len(made.trunks))
        yield from unequal(rule, counted, made.connectors, lambda n: f"trunk {panels.trunk_names[n]}", "has other plugs")
    yield from unlike(rule, "panels", mounted, wanted, "are not those bought")
    lengths = zip(panels.jumper_part.tolist(), panels.jumper_stock_mm.tolist(), strict=True)
    jumpers = Counter((panels.jumper_parts[part], length) for part, length in lengths)
    bought = Counter({(one.part, one.stock_mm): one.quantity for one in plan.cables.passives if one.category == "jumpers"})
    yield from unlike(rule, "panels.jumper_part", jumpers, bought, "are not the jumpers bought")
    names = {panels.jumper_parts[one] for one in panels.jumper_part.tolist()}
    yield from unlike(rule, "panels.jumper_parts", Counter(panels.jumper_parts), Counter(names), "are not the parts in use")


@rule(282)
def panel_sockets_are_used_once(plan: Plan) -> Iterator[Violation]:
    """Each bay holds one cassette, each socket one plug, and each fiber of a trunk and pair of a jumper one row."""
    for held in Held.of(plan):
        panels, rule = held.panels, "panel_sockets_are_used_once"
        both = np.column_stack([panels.plug_panel.T.ravel(), panels.plug_cassette.T.ravel(), panels.plug_socket.T.ravel()])
        over = panels.plug >= 0
        for what, key in (
            ("bay", np.column_stack([panels.cassette_panel, panels.cassette_bay])),
            ("place", np.column_stack([panels.frame, panels.unit])),
            ("port", np.column_stack([panels.jumper_panel, panels.jumper_cassette, panels.jumper_port])),
            ("socket at the rear", both),
            ("plug", np.column_stack([panels.plug_trunk, panels.plug_number])),
            ("fiber", np.column_stack([np.tile(panels.plug, 2), held.end.T.ravel(), panels.fiber.T.ravel()])[np.tile(over, 2)]),
            ("pair of a jumper", np.column_stack([panels.jumper.T.ravel(), panels.pair.T.ravel()])),
        ):
            different, count = np.unique(key, axis=0, return_counts=True)
            for place, times in zip(different[count > 1].tolist(), count[count > 1].tolist(), strict=True):
                yield error(rule, f"{what} {place}", times, 1, "", "is used more than once")


@rule(283)
def panels_have_their_places(plan: Plan) -> Iterator[Violation]:
    """Panels fill their frames from the bottom, and bays, ports and sockets are among those that the part has."""
    for held in Held.of(plan):
        panels, rule, parts = held.panels, "panels_have_their_places", held.parts
        height = parts.panel.units if held.kind == ENCLOSURE else 1
        for frame, units in grouped(panels.frame, panels.unit):
            yield from unlike(
                rule,
                f"frame {panels.frame_names[frame]}",
                units,
                list(range(1, height * len(units) + 1, height)),
                "has other units",
            )
        for panel, bays in grouped(panels.cassette_panel, panels.cassette_bay):
            yield from unlike(rule, f"panel {panels.names[panel]}", bays, list(range(1, len(bays) + 1)), "does not fill its bays")
            if len(bays) > parts.panel.bays:
                yield error(rule, f"panel {panels.names[panel]}", len(bays), parts.panel.bays, "bays", "has more cassettes")
        pairs = parts.shuffle_box.pairs_per_router_port if held.kind == BOX else 1
        sockets, ports = _limits(held)
        for name, have, limit in (
            ("sockets", panels.plug_socket.T.ravel(), sockets),
            ("ports", panels.jumper_port, ports),
            ("pairs", panels.pair.ravel(), np.full(panels.pair.size, pairs)),
        ):
            for place in np.flatnonzero((have < 1) | (have > limit))[:10].tolist():
                yield error(rule, f"{name} {place + 1}", have[place], limit[place], name, "is not among those of the part")
        yield from _without_gaps(held)


def _limits(held: Held) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of sockets behind each plug, first ends first, and of ports at each jumper."""
    panels = held.panels
    if held.kind == ENCLOSURE:
        chosen = [held.cassettes.get(panels.parts[one]) for one in panels.cassette_part.tolist()]
        rear, front = (np.array([getattr(one, name, 0) for one in chosen]) for name in ("trunk_plugs", "ports"))
        return rear[panels.plug_cassette.T.ravel()], front[panels.jumper_cassette]
    ends = 2 * len(panels.plug_trunk)
    if held.kind == BOX:
        return np.full(ends, ends), np.full(len(panels.jumper_port), held.parts.shuffle_box.router_ports)
    return np.ones(ends), held.cables.bundle_capacity[panels.trunk_bundle].repeat(2)[_fiber_of(held)]


def _fiber_of(held: Held) -> np.ndarray:
    """Return the end of a fiber, 2 t + end, whose fan-out each jumper is plugged into."""
    panels = held.panels
    owner = np.zeros(panels.panel_count, np.int64)
    owner[panels.plug_panel.ravel()] = np.arange(2 * len(panels.plug_trunk))
    return owner[panels.jumper_panel]


def _without_gaps(held: Held) -> Iterator[Violation]:
    """Shuffle boxes are filled in turn: by their routers at the front, and evenly by trunks at the rear."""
    panels, rule = held.panels, "panels_have_their_places"
    if held.kind != BOX:
        return
    for panel, used in (
        *grouped(panels.jumper_panel, panels.jumper_port),
        *grouped(panels.plug_panel.ravel(), panels.plug_socket.ravel()),
    ):
        yield from unlike(rule, f"panel {panels.names[panel]}", used, list(range(1, len(used) + 1)), "has gaps")
    counts = np.bincount(panels.plug_panel.ravel(), minlength=panels.panel_count)
    for frame, plugs in grouped(panels.frame, counts):
        if plugs[-1] - plugs[0] > 1:
            yield error(
                rule, f"frame {panels.frame_names[frame]}", plugs[-1], plugs[0] + 1, "plugs", "does not share them evenly"
            )
    yield from _routers_in_turn(held)


def _routers_in_turn(held: Held) -> Iterator[Violation]:
    """The cables of a router are plugged in one after the other, and its links take their pairs in the order of its ports."""
    panels, cables, rule = held.panels, held.cables, "panels_have_their_places"
    glasses = sorted({one.glass for one in cables.assemblies})
    glass = np.array([glasses.index(one.glass) for one in cables.assemblies])[cables.assembly[held.rows]]
    router = (cables.device[held.rows].astype(np.int64) * len(glasses) + glass[:, None]).ravel()
    jumper, pair = panels.jumper.ravel().astype(np.int64), panels.pair.ravel()
    order = np.lexsort((cables.port[held.rows].ravel(), router))
    pairs = np.repeat(-(-held.fibers // 2), 2)[order]
    _, first, owner = np.unique(router[order], return_index=True, return_inverse=True)
    before = np.cumsum(pairs) - pairs
    place = (jumper[order] - jumper[order][first][owner]) * held.parts.shuffle_box.pairs_per_router_port + pair[order] - 1
    wrong = place != before - before[first][owner]
    yield from unequal(rule, wrong, np.zeros_like(wrong), lambda n: named(held)(int(order[n]) // 2), "is not next at its router")
    slot = np.column_stack([panels.frame[panels.jumper_panel], panels.jumper_panel, panels.jumper_port])
    if (np.lexsort(slot.T[::-1]) != np.arange(len(slot))).any():
        yield error(rule, "panels.jumper_port", 0, 0, "", "cables are not numbered by their ports")


@rule(284)
def trunks_and_jumpers_meet(plan: Plan) -> Iterator[Violation]:
    """A row's jumpers and trunk are plugged into the same panels, in the frames of the areas that the row joins."""
    for held in Held.of(plan):
        panels, rule, cables = held.panels, "trunks_and_jumpers_meet", held.cables
        frame = panels.frame[panels.jumper_panel[panels.jumper]]
        yield from unequal(rule, panels.frame_slot[frame], held.center, named(held), "its panel is in another frame")
        on = panels.plug >= 0
        bundle = np.where(on, np.append(panels.trunk_bundle, -1)[panels.trunk], cables.bundle[held.rows])
        yield from unequal(rule, bundle, cables.bundle[held.rows], named(held), "is in another trunk")
        mine = panels.trunk_frame[panels.trunk[on, None], held.end[on]]
        yield from unequal(rule, frame[on], mine, named(held), "its trunk ends in another frame")
        inside = cables.bundle_part[cables.bundle[held.rows]] < 0
        yield from unequal(rule, on, ~inside, named(held), "has a plug where it has no trunk")
        yield from unequal(rule, panels.turned[inside], np.zeros(inside.sum(), bool), lambda n: "panels.turned", "has no trunk")
        if held.kind != BOX:
            yield from unequal(rule, held.front[on, :, :2], held.rear[:, :, :2], named(held), "its trunk ends in another panel")
        ends = panels.frame[panels.plug_panel]
        yield from unequal(rule, panels.trunk_frame[panels.plug_trunk], ends, lambda n: f"plug {n + 1}", "is in another frame")
        places = panels.cassette_panel[panels.plug_cassette] if len(panels.cassette_panel) else panels.plug_panel
        yield from unequal(rule, panels.plug_panel, places, lambda n: f"plug {n + 1}", "its cassette is in another panel")
        routes = cables.carrier_route[: len(panels.trunk_names)]
        yield from unequal(rule, panels.trunk_route, routes, lambda n: f"trunk {n + 1}", "is on another route")
        for trunk, plugs in grouped(panels.plug_trunk, panels.plug_number):
            yield from unlike(rule, f"trunk {trunk + 1}", plugs, list(range(1, len(plugs) + 1)), "its plugs are not numbered")


@rule(285)
def fibers_keep_their_polarity(plan: Plan) -> Iterator[Violation]:
    """Fibers at both ends of a trunk match by its type, and the ports of jumpers by the fibers."""
    for held in Held.of(plan):
        panels, rule = held.panels, "fibers_keep_their_polarity"
        on, fibers = panels.plug >= 0, held.fibers
        plugs = np.append(held.connectors, 1)[panels.trunk]
        shares = np.where(on, held.cables.bundle_capacity[held.cables.bundle[held.rows]] // plugs, 1)
        first = panels.fiber.astype(np.int64)
        if held.kind == FAN_OUT:
            fibers = np.full(len(fibers), held.settings.get("cores_per_link", 1))
        place = (first - 1) // fibers[:, None]
        wrong = ((first - 1) % fibers[:, None] != 0) | (place < 0) | (place >= shares[:, None])
        yield from unequal(rule, wrong, np.zeros_like(wrong), named(held), "its fibers are not among those of the plug")
        # Type B joins fiber i with n + 1 - i, so that of n links the first at one end is the last at the other.
        far = shares - 1 - place[:, 0] if held.cables.polarity == "B" else place[:, 0]
        yield from unequal(rule, place[:, 1], far, named(held), "its fibers change their order in the trunk")
        port = held.front[..., 2]
        if held.kind == FAN_OUT:
            yield from unequal(rule, port, place + 1, named(held), "its port is not that of its core")
        if held.kind == ENCLOSURE:
            each = np.array([one.ports // one.trunk_plugs for one in held.cassette_of_row])[:, None]
            yield from unequal(rule, (port - 1) % each, place, named(held), "its port is not that of its fiber")
            yield from unequal(rule, (port - 1) // each + 1, held.rear[..., 2], named(held), "its port is not that of its plug")


def grouped(owner: np.ndarray, number: np.ndarray) -> Iterator[tuple[int, list[int]]]:
    """Yield each owner with its numbers in order."""
    order = np.lexsort((number, owner))
    owners, start = np.unique(owner[order], return_index=True)
    for one, own in zip(owners.tolist(), np.split(number[order], start[1:]), strict=False):
        yield one, own.tolist()
