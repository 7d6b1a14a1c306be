"""Costs and limits of a placement, counted link by link and cabinet by cabinet from the records alone."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import networkx as nx
import numpy as np

RACK_UNIT_UM = 44_450


class LinkCost:
    """What a link between two slots costs, for two routers right below the highest unit, or the two highest of one cabinet."""

    def __init__(self, catalog, lengths, objective):
        self.catalog, self.lengths, self.objective = catalog, lengths, objective
        self.parts = catalog.link_assemblies
        room = lengths.room
        self.trays = nx.Graph()
        for (a, b), length in zip(room.segments.tolist(), room.segment_mm.tolist(), strict=True):
            if length < self.trays.get_edge_data(a, b, {"weight": length + 1})["weight"]:
                self.trays.add_edge(a, b, weight=length)
        self.ways = {}

    def run_mm(self, a, b):
        room, slack, cabinet = self.lengths.room, self.lengths.slack, self.catalog.cabinet
        box_um = self.catalog.router.units * RACK_UNIT_UM
        if a == b:
            if room.in_cabinet_mm is not None:
                return room.in_cabinet_mm
            return cabinet.width_mm + -(-box_um // 1000) + 2 * slack.end_mm
        if room.end_mm is not None:
            return self.tray_mm(a, b) + 2 * room.end_mm
        # The middle of the second box from the top is one and a half boxes below it.
        frame_um = 1000 * cabinet.height_mm - cabinet.units * RACK_UNIT_UM
        rise = cabinet.width_mm // 2 + -(-(frame_um + 3 * box_um // 2) // 1000)
        return self.tray_mm(a, b) + self.drops_mm(a, b) + 2 * rise + 2 * slack.end_mm + 2 * slack.loop_mm

    def tray_mm(self, a, b):
        nodes = self.lengths.room.slot_node[[a, b], 0].tolist()
        if nodes[0] not in self.ways:
            self.ways[nodes[0]] = nx.single_source_dijkstra_path_length(self.trays, nodes[0])
        return self.ways[nodes[0]][nodes[1]]

    def drops_mm(self, a, b):
        room = self.lengths.room
        nodes = room.slot_node[[a, b], 0].tolist()
        heights = (int(room.node_xyz[node, 2]) - self.lengths.cabinet.height_mm for node in nodes)
        return sum(heights) + self.level_mm(a, nodes[0]) + self.level_mm(b, nodes[1])

    def level_mm(self, slot, node):
        """From the middle of the cabinet's rear, where the ports are, to the tray node, along x and y."""
        x, y = self.lengths.room.slot_xy[slot].tolist()
        half = self.catalog.cabinet.depth_mm // 2
        dx, dy = {0: (-half, 0), 90: (0, -half), 180: (half, 0), 270: (0, half)}[int(self.lengths.room.slot_facing[slot])]
        node_x, node_y, _ = self.lengths.room.node_xyz[node].tolist()
        return abs(node_x - x - dx) + abs(node_y - y - dy)

    def _buy(self, run, first):
        """Assembly, stock length and price that are minimal by `first`, then by price, then by length."""
        return min(
            (first(assembly, stock, price), price, stock, number)
            for number, assembly in enumerate(self.parts)
            for stock, price in zip(assembly.stock_mm, assembly.price_cents, strict=True)
            if run <= stock <= assembly.reach_mm
        )

    def price(self, run, inside):
        labor = self.catalog.labor
        install = labor.in_cabinet_cents if inside else labor.between_cabinets_cents
        return self._buy(run, lambda assembly, stock, price: price)[1] + install + run * labor.pull_cents_per_m // 1000

    def _power(self, assembly):
        return 2 * assembly.power_mw

    def _delay(self, assembly, stock):
        return -(-stock * assembly.delay_ps_per_m // 1000) + 2 * assembly.delay_end_ps

    def __call__(self, a, b):
        run, made = self.run_mm(a, b), self.parts
        if self.objective == "length":
            return run
        if self.objective == "price":
            return self.price(run, a == b)
        if self.objective == "power":
            return self._power(made[self._buy(run, lambda assembly, *_: assembly.power_mw)[3]])
        if self.objective == "delay":
            bought = self._buy(run, lambda assembly, stock, _: stock * assembly.delay_ps_per_m + 2000 * assembly.delay_end_ps)
            return self._delay(made[bought[3]], bought[2])
        value, bought = self.objective, self._buy(run, lambda assembly, stock, price: price)
        assembly = made[bought[3]]
        total = value.price * self.price(run, a == b) + value.meter_cents * run / 1000
        total += value.watt_cents * self._power(assembly) / 1000 + value.ns_cents * self._delay(assembly, bought[2]) / 1000
        return round(total + value.optical_cents * (assembly.medium == "optical"))


class EndpointCost(LinkCost):
    """What an endpoint cable costs between a router right below the highest unit and a box in the middle of its cabinet."""

    def __init__(self, catalog, lengths, objective):
        super().__init__(catalog, lengths, objective)
        self.parts = catalog.endpoint_assemblies

    def run_mm(self, a, b):
        room, slack, cabinet = self.lengths.room, self.lengths.slack, self.catalog.cabinet
        router, box = self.catalog.router.units, self.catalog.endpoint.units
        lowest = 1 + (cabinet.units - box) // 2
        router_um = cabinet.units * RACK_UNIT_UM - 3 * router * RACK_UNIT_UM // 2
        box_um = (2 * lowest - 2 + box) * RACK_UNIT_UM // 2
        if a == b:
            if room.in_cabinet_mm is not None:
                return room.in_cabinet_mm
            return cabinet.width_mm + -(-(router_um - box_um) // 1000) + 2 * slack.end_mm
        if room.end_mm is not None:
            return self.tray_mm(a, b) + 2 * room.end_mm
        # Up to the outer top: the frame counts above the units.
        rises = sum(cabinet.width_mm // 2 + -(-(1000 * cabinet.height_mm - at) // 1000) for at in (router_um, box_um))
        return self.tray_mm(a, b) + self.drops_mm(a, b) + rises + 2 * slack.end_mm + 2 * slack.loop_mm


def ends(network, placed, cost):
    """Sum over all endpoint cables."""
    router, node = placed.slot[network.endpoint_router], placed.slot[network.router_count :]
    return sum(cost(a, b) for a, b in zip(router.tolist(), node.tolist(), strict=True))


def objective(network, slot, cost):
    """Sum over all links."""
    return sum(cost(int(slot[a]), int(slot[b])) for a, b in network.links.tolist())


def apart(network, slot, price):
    """What pairs of routers of one group in different slots cost."""
    group = network.group[:, 0]
    return price * sum(group[a] == group[b] and slot[a] != slot[b] for a, b in combinations(range(network.router_count), 2))


def check_limits(placed, network, room, catalog, panel_ports=None):
    """Every limit of every cabinet, and that no two boxes share a unit."""
    of_router, of_node = np.split(placed.cabinet, [network.router_count])
    router_unit, node_unit = np.split(placed.unit, [network.router_count])
    assert len(set(placed.slot_of.tolist())) == placed.cabinet_count == len(set(of_router.tolist()))
    assert np.array_equal(of_node, of_router[network.endpoint_router])
    cabinet, endpoint, router = catalog.cabinet, catalog.endpoint, catalog.router
    for number, slot in enumerate(placed.slot_of.tolist()):
        routers = np.flatnonzero(of_router == number)
        boxes = -(-int(np.isin(network.endpoint_router, routers).sum()) // endpoint.endpoints)
        mass = len(routers) * router.mass_g + boxes * endpoint.mass_g
        assert len(routers) * router.units + boxes * endpoint.units <= cabinet.units
        assert len(routers) * router.power_max_mw + boxes * endpoint.power_max_mw <= room.slot_power_mw[slot]
        assert mass <= cabinet.load_g
        assert mass + cabinet.mass_g <= room.slot_load_g[slot]
        assert room.cabinet_routers is None or len(routers) <= room.cabinet_routers
        assert panel_ports is None or network.degree[routers].sum() <= panel_ports
        if room.end_mm is None:
            across = room.slot_facing[slot] % 180 == 0
            width, depth = room.slot_size[slot][::-1] if across else room.slot_size[slot]
            assert cabinet.width_mm <= width
            assert cabinet.depth_mm <= depth
        units = defaultdict(int)
        for unit in router_unit[routers].tolist():
            for taken in range(unit, unit + router.units):
                units[taken] += 1
        for unit in set(node_unit[of_node == number].tolist()):
            for taken in range(unit, unit + endpoint.units):
                units[taken] += 1
        assert set(units.values()) == {1}
        assert min(units) >= 1
        assert max(units) <= cabinet.units
