"""The records that stages hand to each other; imports NumPy and the catalog rows only.

Sizes: R routers, H endpoints, L links, W = L + H cables, C cabinets, S slots, T tray nodes,
K tray segments, Q routes, P simulated points. A *device* is a router (its id) or an endpoint (R + its id).
The page ``docs/data-model.md`` is made from these declarations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from planner.parts import Assembly, CabinetPart, EndpointPart, LabourRates, RouterPart, Row
from planner.record import Record, array, value

UNIT_UM = 44_450
"""Height of one rack unit in micrometres (EIA-310: 1.75 inch)."""

MEDIA = ("copper", "active copper", "optical")


@dataclass(frozen=True, eq=False)
class Topology(Record):
    """The network as a graph: routers, links, numbered ports, endpoints and groups."""

    family: str = value("file name of the family")
    params: dict[str, Any] = value("parameters of the family")
    links: np.ndarray = array("int32", "L,2", "routers at both ends of each link, lower id first")
    link_class: np.ndarray = array("uint8", "L", "index into link_class_names")
    link_class_names: tuple[str, ...] = value("names of link classes: local, global …")
    indptr: np.ndarray = array("int32", "R+1", "start of each router's row in indices and link")
    indices: np.ndarray = array("int32", "A", "neighbour behind each port; the position in the row is the port number")
    link: np.ndarray = array("int32", "A", "link behind each port")
    endpoint_router: np.ndarray = array("int32", "H", "router of each endpoint, ascending")
    group: np.ndarray = array("int32", "R,G", "group of each router, finest level first")
    group_names: tuple[str, ...] = value("names of the group levels: supernode, cluster …")
    coords: np.ndarray = array("int32", "R,D", "the family's own address of each router")
    coord_names: tuple[str, ...] = value("names of the coordinates")

    @property
    def router_count(self) -> int:
        return len(self.indptr) - 1

    @property
    def link_count(self) -> int:
        return len(self.links)

    @property
    def endpoint_count(self) -> int:
        return len(self.endpoint_router)

    @property
    def degree(self) -> np.ndarray:
        """Links of each router, int32 (R,)."""
        return np.diff(self.indptr)

    @property
    def endpoints_of(self) -> np.ndarray:
        """Number of endpoints of each router, int64 (R,)."""
        return np.bincount(self.endpoint_router, minlength=self.router_count)


@dataclass(frozen=True, eq=False)
class Catalog(Record):
    """The parts that one study may use, chosen from the catalog files."""

    router: RouterPart = value("the switch box of every router")
    endpoint: EndpointPart = value("the box that holds the endpoints")
    cabinet: CabinetPart = value("the cabinet")
    labour: LabourRates = value("labour rates")
    link_assemblies: tuple[Assembly, ...] = value("what can join two routers")
    endpoint_assemblies: tuple[Assembly, ...] = value("what can join a router and an endpoint")
    rows: tuple[Row, ...] = value("every catalog row in use, for sources and assumptions")
    currency: str = value("currency of all prices", default="USD")


@dataclass(frozen=True)
class Zone:
    """A named part of the floor: an obstacle where no cabinet may stand, or an aisle."""

    name: str
    kind: str
    corners_mm: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Room(Record):
    """A floor: slots for cabinets and the trays above them."""

    name: str = value("file name of the room")
    title: str = value("how the room is called on paper")
    tile_mm: int = value("pitch of the floor grid", "mm")
    outline: np.ndarray = array("int32", "O,2", "corners of the outline, anticlockwise", "mm")
    obstacles: tuple[Zone, ...] = value("columns, cooling units, keep-outs, doors")
    aisles: tuple[Zone, ...] = value("cold, hot and mixed aisles between rows")
    slot_names: tuple[str, ...] = value("name of each slot: row name and number")
    slot_xy: np.ndarray = array("int32", "S,2", "centre of each slot", "mm")
    slot_size: np.ndarray = array("int32", "S,2", "size of each slot along x and y", "mm")
    slot_row: np.ndarray = array("int32", "S", "row of each slot, index into row_names")
    slot_facing: np.ndarray = array("int32", "S", "direction of the fronts, anticlockwise from +x", "degrees")
    slot_power_mw: np.ndarray = array("int64", "S", "power limit of each slot: supply, or cooling where that is less", "mW")
    slot_load_g: np.ndarray = array("int64", "S", "floor load limit of each slot, cabinet included", "g")
    slot_node: np.ndarray = array("int32", "S", "tray node that serves each slot")
    slot_offset_mm: np.ndarray = array("int32", "S", "level way from the slot's centre to its tray node", "mm")
    row_names: tuple[str, ...] = value("names of the rows")
    node_xyz: np.ndarray = array("int32", "T,3", "place of each tray node", "mm")
    segments: np.ndarray = array("int32", "K,2", "tray nodes at both ends of each segment")
    segment_mm: np.ndarray = array("int32", "K", "length of each segment", "mm")
    segment_mm2: np.ndarray = array("int64", "K", "cross-section of each segment; 0 for no limit", "mm²")
    segment_tray: np.ndarray = array("int32", "K", "tray of each segment, index into tray_names")
    tray_names: tuple[str, ...] = value("names of the trays")
    design_fill: float = value("share of a tray's cross-section that cables may take")
    max_fill: float = value("share of a tray's cross-section that cables must never exceed")
    in_cabinet_mm: int | None = value("run length of every cable inside a cabinet, where the room fixes it", "mm", default=None)
    end_mm: int | None = value("way from port to tray node at each end, where the room fixes it", "mm", default=None)
    cabinet_routers: int | None = value("most routers in one cabinet, where the room fixes it", default=None)
    sources: tuple[Row, ...] = value("where the room's figures come from", default=())
    cooling_mw: tuple[int, ...] = value("cooling limit of each slot; empty where none is stated", "mW", default=())
    halls: tuple[Zone, ...] = value("outlines of the halls, where there are several", default=())
    penetrations: tuple[Zone, ...] = value("openings for cables in the walls between halls", default=())

    @property
    def slot_count(self) -> int:
        return len(self.slot_names)


@dataclass(frozen=True, eq=False)
class Placement(Record):
    """Which cabinet and unit every box stands in, and where the cabinets stand."""

    cabinet_of: np.ndarray = array("int32", "R", "cabinet of each router")
    unit_of: np.ndarray = array("int32", "R", "lowest rack unit of each router, counted from 1 at the bottom")
    endpoint_cabinet: np.ndarray = array("int32", "H", "cabinet of each endpoint")
    endpoint_unit: np.ndarray = array("int32", "H", "lowest rack unit of the box that holds each endpoint")
    slot_of: np.ndarray = array("int32", "C", "slot of each cabinet")
    method: str = value("the algorithm and how it went, in words")
    unit: str = value("unit of the objective: mm or cents")
    objective: int = value("sum over all links of the cost between the slots of their ends")
    start_objective: int = value("the same before optimisation")
    evaluations: int = value("moves tried")
    front: np.ndarray = array("int64", "F,2", "objective and longest run length in mm of layouts of which none beats another")
    lower_bound: int = value("no layout under the same rules has a smaller objective; 0 where nothing is known", default=0)
    bound_method: str = value("how that is known", default="")
    longest_mm: int | None = value("run length that no link should exceed", "mm", default=None)
    too_long: int = value("links that do, between routers at the top of their cabinets", default=0)
    complete: bool = value("False when interrupted or bounded by wall time", default=True)

    @property
    def gap(self) -> float | None:
        """Share of the objective that a better layout could save at most; None without a bound."""
        return 1 - self.lower_bound / self.objective if self.lower_bound and self.objective else None

    @property
    def cabinet_count(self) -> int:
        return len(self.slot_of)


@dataclass(frozen=True, eq=False)
class CablePlan(Record):
    """One row per cable: links first, in link order, then endpoints, in endpoint order."""

    device: np.ndarray = array("int32", "W,2", "device at both ends: a router's id, or R + an endpoint's id")
    port: np.ndarray = array("int32", "W,2", "port at both ends, counted from 1 as printed on the box")
    cage: np.ndarray = array("int32", "W,2", "cage at both ends, counted from 1")
    cabinet: np.ndarray = array("int32", "W,2", "cabinet at both ends")
    unit: np.ndarray = array("int32", "W,2", "lowest rack unit of the box at both ends")
    rise_mm: np.ndarray = array("int32", "W,2", "way inside the cabinet at both ends", "mm")
    drop_mm: np.ndarray = array("int32", "W,2", "way between cabinet top and tray node at both ends", "mm")
    tray_mm: np.ndarray = array("int32", "W", "way along trays", "mm")
    slack_mm: np.ndarray = array("int32", "W", "slack", "mm")
    run_mm: np.ndarray = array("int32", "W", "run length: sum of its parts", "mm")
    stock_mm: np.ndarray = array("int32", "W", "length to buy", "mm")
    assembly: np.ndarray = array("int32", "W", "what the cable is made of, index into assemblies")
    assemblies: tuple[Assembly, ...] = value("the assemblies in use")
    price_cents: np.ndarray = array("int64", "W", "price of the whole assembly", "cents")
    route: np.ndarray = array("int32", "W", "way over the trays, row of route_indptr; -1 inside a cabinet")
    route_indptr: np.ndarray = array("int32", "Q+1", "start of each route in route_segments")
    route_segments: np.ndarray = array("int32", "X", "tray segments of the routes, from the first end to the second")
    bundle: np.ndarray = array("int32", "W", "cables of one bundle join the same two cabinets; -1 inside a cabinet")
    stage: np.ndarray = array("uint8", "W", "install stage, index into stage_names")
    stage_names: tuple[str, ...] = value("names of the install stages, first to last")
    label_a: np.ndarray = array("str", "W", "label text at the first end")
    label_b: np.ndarray = array("str", "W", "label text at the second end")
    fill_um2: np.ndarray = array("int64", "K", "cross-section of the cables in each tray segment", "µm²")

    @property
    def cable_count(self) -> int:
        return len(self.run_mm)

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


@dataclass(frozen=True)
class BillLine:
    """One line of the bill; totals are quantity times unit."""

    category: str
    part: str
    description: str
    quantity: int
    unit_cents: int
    unit_power_mw: int = 0
    unit_mass_g: int = 0
    confidence: str = "A"

    @property
    def cents(self) -> int:
        return self.quantity * self.unit_cents

    @property
    def power_mw(self) -> int:
        return self.quantity * self.unit_power_mw

    @property
    def mass_g(self) -> int:
        return self.quantity * self.unit_mass_g


@dataclass(frozen=True, eq=False)
class Bill(Record):
    """What to buy and to pay."""

    currency: str = value("currency of all prices")
    lines: tuple[BillLine, ...] = value("the lines, by category")

    def _total(self, quantity: str, category: str | None) -> int:
        return sum(getattr(line, quantity) for line in self.lines if category in (None, line.category))

    def cents(self, category: str | None = None) -> int:
        """Return the total price, of one category if named."""
        return self._total("cents", category)

    def power_mw(self, category: str | None = None) -> int:
        """Return the typical power of the network: routers and both ends of every cable."""
        return self._total("power_mw", category)

    def mass_g(self, category: str | None = None) -> int:
        return self._total("mass_g", category)


@dataclass(frozen=True, eq=False)
class Latency(Record):
    """Hops and delays without load, over ordered pairs of different routers."""

    hop_histogram: np.ndarray = array("int64", "N", "ordered router pairs at 0, 1, 2 … hops")
    mean_hops: float = value("mean hops between different routers")
    mean_ps: float = value("mean delay between different routers: routers on the way and cables", "ps")
    worst_ps: int = value("largest such delay", "ps")
    worst_path: np.ndarray = array("int32", "V", "routers on the way of the worst pair")
    endpoint_mean_ps: float = value("mean delay between endpoints, their cables included", "ps")
    endpoint_worst_ps: int = value("largest such delay", "ps")
    router_delay_ps: int = value("delay of one router", "ps")
    sources: int = value("routers from which all delays were computed; fewer than R means a random sample")


@dataclass(frozen=True, eq=False)
class SimulationResult(Record):
    """What the packet engine measured, one entry per offered load."""

    routing: str = value("routing")
    traffic: str = value("traffic")
    cycle_ps: int = value("one cycle: the time of one phit on a link", "ps")
    packet_phits: int = value("length of a packet", "phits")
    cycles: int = value("cycles measured, after warm-up")
    warmup: int = value("cycles before measuring")
    virtual_channels: int = value("virtual channels of every port")
    offered: np.ndarray = array("float64", "P", "load offered", "phits/cycle/endpoint")
    generated: np.ndarray = array("float64", "P", "load generated while measuring", "phits/cycle/endpoint")
    accepted: np.ndarray = array("float64", "P", "load delivered while measuring", "phits/cycle/endpoint")
    delay_mean: np.ndarray = array("float64", "P", "mean delay from creation to arrival of the last phit", "cycles")
    delay_p99: np.ndarray = array("float64", "P", "99th percentile of the delay", "cycles")
    delay_max: np.ndarray = array("int64", "P", "largest delay", "cycles")
    mean_hops: np.ndarray = array("float64", "P", "mean hops between routers")
    fairness: np.ndarray = array("float64", "P", "Jain's index of the accepted load over endpoints")
    hop_histogram: np.ndarray = array("int64", "P,N", "packets by hops")
    delivered: np.ndarray = array("int64", "P", "packets delivered while measuring")
    saturated: np.ndarray = array("bool", "P", "True where the network accepted clearly less than was generated")
    deadlock: np.ndarray = array(
        "int64", "P", "cycle in which the last packet that could move had moved; -1 where none was stuck"
    )
    link_load: np.ndarray = array(
        "float32", "P,E", "phits per cycle in each direction of each link, forward at 2l, backward at 2l+1"
    )
    complete: bool = value("False when interrupted: later loads are missing", default=True)


@dataclass(frozen=True)
class Violation:
    """A broken design rule of a finished plan."""

    rule: str
    where: str
    value: float
    limit: float
    unit: str
    severity: str
    message: str = ""


@dataclass(frozen=True, eq=False)
class Violations(Record):
    """What the independent verifier found; an empty list is a clean plan."""

    checked: tuple[str, ...] = value("names of the rules that were checked")
    items: tuple[Violation, ...] = value("the broken rules")

    @property
    def errors(self) -> tuple[Violation, ...]:
        return tuple(item for item in self.items if item.severity == "error")


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything about one study: the records of all stages that ran, and where they came from."""

    name: str
    title: str
    study: dict[str, Any]
    catalog: Catalog | None = None
    room: Room | None = None
    topology: Topology | None = None
    placement: Placement | None = None
    cables: CablePlan | None = None
    bill: Bill | None = None
    latency: Latency | None = None
    simulation: SimulationResult | None = None
    violations: Violations | None = None
    quantities: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
