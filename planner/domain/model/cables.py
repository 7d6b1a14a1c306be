"""Every cable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.record import Record, array, value
from planner.domain.parts import Assembly

MEDIA = ("copper", "active copper", "optical")

SIDES = ("none", "left", "right")
"""Side by which a cable leaves its cabinet, seen from the port side; none inside a cabinet."""


@dataclass(frozen=True)
class Passive:
    """A quantity of jumpers, trunks, multi-core fibers, panels or boxes of one part and length; `cents` None without a price."""

    category: str
    part: str
    stock_mm: int
    quantity: int
    cents: int | None


@dataclass(frozen=True)
class Bottleneck:
    """Proof that the cables do not fit into the trays at their design fill, whatever their routes.

    Every µm² in a segment costs the segment's price. All cables together, each over the cheapest route
    between its ends, cost at least `needed`; the room of all segments times their prices is only `room`. For a cut all prices
    are 1: `room` is its cross-section in µm², `needed` that of the cables that must cross it.
    """

    segments: tuple[int, ...]
    prices: tuple[int, ...]
    room: int
    needed: int
    is_cut: bool


@dataclass(frozen=True, eq=False)
class CablePlan(Record, name="cables", needs=("inventory", "catalog", "room", "placement")):
    """One row per connection, in the order of the inventory; rows of one cable have the same `piece`."""

    device: np.ndarray = array("int32", "W,2", "device at both ends")
    port: np.ndarray = array("int32", "W,2", "port at both ends, counted from 1 as printed on the box")
    cage: np.ndarray = array("int32", "W,2", "cage at both ends, counted from 1")
    piece: np.ndarray = array(
        "int32", "W", "number of the cable as bought, pulled and labeled: twin-port and splitter cables take several rows"
    )
    cabinet: np.ndarray = array("int32", "W,2", "cabinet at both ends")
    unit: np.ndarray = array("int32", "W,2", "lowest rack unit of the box at both ends")
    egress: np.ndarray = array("uint8", "W,2", "side by which the cable leaves its cabinets, index into SIDES")
    rise_mm: np.ndarray = array("int32", "W,2", "rise: length inside the cabinet at both ends", "mm")
    drop_mm: np.ndarray = array("int32", "W,2", "drop: length between cabinet top and tray node at both ends", "mm")
    tray_mm: np.ndarray = array("int32", "W", "length of the route along trays", "mm")
    slack_mm: np.ndarray = array("int32", "W,3", "slack: at the ends, service loops, per cent of rise, drop and tray", "mm")
    slack_below_mm: np.ndarray = array("int32", "W", "how much less slack than nominal, to avoid a longer cable", "mm")
    slack_above_mm: np.ndarray = array("int32", "W", "how much more slack than the minimum", "mm")
    override_mm: np.ndarray = array("int32", "W", "correction by an override of the study, positive or negative", "mm")
    run_mm: np.ndarray = array("int32", "W", "run length: sum of rise, drop, tray, slack and override", "mm")
    stock_mm: np.ndarray = array("int32", "W", "stock length: length to buy", "mm")
    assembly: np.ndarray = array("int32", "W", "parts that make up the cable, index into assemblies")
    assemblies: tuple[Assembly, ...] = value("assemblies in use")
    price_cents: np.ndarray = array(
        "int64", "W", "cost charged to this row; shared items are charged to the first row that uses them", "cents"
    )
    power_mw: np.ndarray = array("int64", "W,2", "power of plugs and modules at both ends, on the first row of each", "mW")
    modules: np.ndarray = array("int32", "W,2", "transceivers bought with the row at both ends")
    route: np.ndarray = array("int32", "W", "route over the trays, row of route_indptr; -1 inside a cabinet")
    route_indptr: np.ndarray = array("int32", "Q+1", "start of each route in route_segments")
    route_segments: np.ndarray = array("int32", "X", "tray segments of the routes, from the first end to the second")
    leg_mm: np.ndarray = array("int32", "W,2", "run of the jumper from box to panel at both ends; 0 without a jumper", "mm")
    leg_stock_mm: np.ndarray = array("int32", "W,2", "stock length of that jumper", "mm")
    bundle: np.ndarray = array("int32", "W", "loom, trunk or fiber that carries the row between cabinets; -1 inside a cabinet")
    bundle_kind: np.ndarray = array("uint8", "B", "kind of each bundle, index into bundle_kinds")
    bundle_kinds: tuple[str, ...] = value("loom, row loom, trunk, multi-core fiber, shuffle")
    bundle_part: np.ndarray = array("int32", "B", "trunk or fiber of the bundle, index into bundle_parts; -1 for looms")
    bundle_parts: tuple[str, ...] = value("ids of trunks and fibers in use")
    bundle_cabinet: np.ndarray = array("int32", "B,2", "cabinets at both ends of the bundle; -1 for a panel in the trays")
    bundle_capacity: np.ndarray = array("int32", "B", "maximum number of links")
    bundle_diameter_um: np.ndarray = array("int32", "B", "outer diameter", "µm")
    bundle_bend_mm: np.ndarray = array("int32", "B", "minimum bend radius of the center line", "mm")
    bundle_run_mm: np.ndarray = array("int32", "B", "run length; for looms that of the longest cable", "mm")
    bundle_stock_mm: np.ndarray = array("int32", "B", "stock length; for looms that of the longest cable", "mm")
    carrier_um2: np.ndarray = array("int64", "V", "cross-section of each trunk, fiber and jumper in the trays", "µm²")
    carrier_route: np.ndarray = array("int32", "V", "its route over the trays, row of route_indptr")
    passives: tuple[Passive, ...] = value("jumpers, trunks, panels and boxes bought in addition to cables and transceivers")
    polarity: str = value("polarity type of the trunks; empty without trunks")
    direct: tuple[tuple[str, int], ...] = value(
        "reasons why rows are not carried by trunks, with their number, if trunks are used"
    )
    stage: np.ndarray = array("uint8", "W", "install stage, index into stage_names")
    stage_names: tuple[str, ...] = value("names of the install stages, from inside the cabinet outward")
    label_a: np.ndarray = array("str", "W", "label text at the first end")
    label_b: np.ndarray = array("str", "W", "label text at the second end")
    fill_um2: np.ndarray = array("int64", "K", "cross-section of the cables in each tray segment", "µm²")
    shortest_tray_mm: int = value("total length of all cables over their shortest tray routes", "mm", default=0)
    bottleneck: Bottleneck | None = value("proof that the trays cannot keep their design fill, where there is one", default=None)
    complete: bool = value("False when routing was interrupted", default=True)

    @property
    def cable_count(self) -> int:
        return len(self.run_mm)

    @property
    def minimum_run_mm(self) -> np.ndarray:
        """Run length of each cable with the minimum slack, which its length to buy has to cover, int64 (W,)."""
        return self.run_mm.astype(np.int64) - self.slack_above_mm

    @property
    def carried(self) -> np.ndarray:
        """Rows that a trunk, a multi-core fiber or a shuffle carries over panels, bool (W,)."""
        over = np.append(self.bundle_kind > 1, False)
        return over[self.bundle]

    @property
    def first_of_piece(self) -> np.ndarray:
        """First row of each piece, int64 (pieces,)."""
        return np.unique(self.piece, return_index=True)[1]

    def longest_of_pieces(self, rows: slice | np.ndarray = slice(None)) -> np.ndarray:
        """Run length of the pieces of some rows, int64 (pieces,): of splitters that of the longest leg."""
        _, piece = np.unique(self.piece[rows], return_inverse=True)
        longest = np.zeros(int(piece.max(initial=-1)) + 1, np.int64)
        np.maximum.at(longest, piece, self.run_mm[rows])
        return longest

    @property
    def medium_class(self) -> np.ndarray:
        """Return the medium class of each cable, index into `planner.domain.model.MEDIUM_CLASSES`, int64 (W,)."""
        return (self.of_assembly("medium") == "optical").astype(np.int64)

    def route_of(self, cable: int) -> np.ndarray:
        """Return the tray segments of one cable in order, int32; empty inside a cabinet."""
        route = self.route[cable]
        if route < 0:
            return self.route_segments[:0]
        return self.route_segments[self.route_indptr[route] : self.route_indptr[route + 1]]

    def of_assembly(self, name: str) -> np.ndarray:
        """Return a field of each cable's assembly, such as ``"power_mw"``, as an array (W,)."""
        if not self.assemblies:
            return np.zeros(self.cable_count, np.int64)
        return np.array([getattr(assembly, name) for assembly in self.assemblies])[self.assembly]

    @property
    def delay_ps(self) -> np.ndarray:
        """Delay of each cable over its stock length, connectors included, int64 (W,)."""
        per_m = self.of_assembly("delay_ps_per_m").astype(np.int64)
        return -(-self.stock_mm.astype(np.int64) * per_m // 1000) + 2 * self.of_assembly("delay_end_ps")
