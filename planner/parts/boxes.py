"""Equipment of slots and rack units: routers, endpoints, network interfaces, cabinets, cooling units."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Gt, Le

from planner.errors import Problem
from planner.parts.row import Name, NonNegative, Positive, Row, Share

Side = Literal["front", "rear"]
Airflow = Literal["port-side exhaust", "port-side intake", "none"]


@dataclass(frozen=True, kw_only=True)
class _Ported(Row):
    """A box with ports at one side of its cabinet.

    `liquid_share` is the share of its heat that direct liquid cooling removes. Where it is not stated, it is all of the
    heat of a box without airflow, and nothing for others.
    """

    port_side: Side = "rear"
    liquid_share: Share | None = None

    @property
    def rear(self) -> int:
        """1 where the ports are at the rear of the cabinet, 0 at the front."""
        return int(self.port_side == "rear")


@dataclass(frozen=True, kw_only=True)
class RouterPart(_Ported):
    """A switch box. A cage is a physical socket; it carries `ports_per_cage` ports.

    `power_typical_mw` is the box with passive cables, `power_max_mw` with active ones in every cage.
    `rate_gbps` is that of one port. `terminal_ports`, `local_ports` and `global_ports` are set where
    the vendor dedicates ports to endpoints, to links of a group and to links between groups.

    `port_side` is the usual port side of the cabinet, `airflow` the available variants: air that
    leaves at the ports (NVIDIA: P2C), air that enters there (C2P), both, or none (liquid). Empty: not known.
    `psu_count` power supplies share the load; two, one for each feed, are typical for boxes in cabinets.
    """

    family: str = ""
    ports: Positive
    ports_per_cage: Positive = 1
    connector: Name
    rate_gbps: Positive
    units: Positive
    power_typical_mw: NonNegative
    power_max_mw: NonNegative
    mass_g: NonNegative
    depth_mm: Positive | None = None
    width_mm: Positive | None = None
    height_um: Positive | None = None
    delay_ps: NonNegative
    price_cents: NonNegative
    managed: bool | None = None
    airflow: tuple[Airflow, ...] = ()
    psu_count: Positive = 2
    psu_draw_max_mw: Positive | None = None
    psu_rating_mw: Positive | None = None
    cage_power_max_mw: Positive | None = None
    terminal_ports: NonNegative | None = None
    local_ports: NonNegative | None = None
    global_ports: NonNegative | None = None
    blades_per_chassis: Positive | None = None
    mount: str = ""

    @property
    def cages(self) -> int:
        """Number of physical sockets."""
        return self.ports // self.ports_per_cage

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.ports % self.ports_per_cage:
            message = f"{self.ports} ports do not fill cages of {self.ports_per_cage}"
            yield Problem("ports_per_cage", message, "ports must be a multiple of ports_per_cage")
        yield from power_problems(self.power_typical_mw, self.power_max_mw)


@dataclass(frozen=True, kw_only=True)
class EndpointPart(_Ported):
    """A box of compute nodes with `endpoints` network interfaces; the network's bill excludes its price."""

    endpoints: Positive
    connector: Name
    rate_gbps: Positive
    units: NonNegative
    power_typical_mw: NonNegative
    power_max_mw: NonNegative
    mass_g: NonNegative
    depth_mm: Positive | None = None
    airflow: tuple[Airflow, ...] = ()
    psu_count: Positive = 2

    @property
    def ports(self) -> int:
        """Number of ports of the box."""
        return self.endpoints

    @property
    def cages(self) -> int:
        """Number of physical sockets."""
        return self.endpoints

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from power_problems(self.power_typical_mw, self.power_max_mw)


@dataclass(frozen=True, kw_only=True)
class NicPart(Row):
    """A network interface card."""

    part_number: str = ""
    ports: Positive
    rate_gbps: Positive
    connector: Name
    pcie: str = ""
    power_typical_mw: NonNegative | None = None
    cage_power_max_mw: Positive | None = None
    delay_ps: NonNegative | None = None


@dataclass(frozen=True, kw_only=True)
class CabinetPart(Row):
    """A cabinet: rack units, outer size, empty mass and maximum load.

    `base_mm` is the height of the lower edge of unit 1 above the floor. Where it is not known, the whole frame counts
    both above the highest unit and below the lowest: a cable that is slightly too long can be dressed.
    """

    units: Positive
    width_mm: Positive
    depth_mm: Positive
    height_mm: Positive
    mass_g: NonNegative
    load_g: Positive
    price_cents: NonNegative
    base_mm: NonNegative | None = None
    mount_depth_mm: Positive | None = None
    loaded_g: Positive | None = None
    power_max_mw: Positive | None = None
    cooling: str = ""
    units_min: Positive | None = None
    width_min_mm: Positive | None = None
    depth_min_mm: Positive | None = None

    def frame_um(self, unit_um: int) -> tuple[int, int]:
        """Return the height of the frame below the lowest and above the highest unit; 0 for blade cabinets."""
        frame = max(0, 1000 * self.height_mm - self.units * unit_um)
        return (frame, frame) if self.base_mm is None else (1000 * self.base_mm, frame - 1000 * self.base_mm)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.base_mm is not None and self.base_mm >= self.height_mm:
            message = f"unit 1 begins at {self.base_mm} mm, the cabinet ends at height_mm = {self.height_mm}"
            yield Problem("base_mm", message, "give the height of the lower edge of unit 1 above the floor")


@dataclass(frozen=True, kw_only=True)
class CoolingUnit(Row):
    """A unit that removes heat, by `cools`: from the air of the room, from that behind one cabinet (rear door), or from liquid.

    `capacity_mw` is the heat that one unit removes. `serves_cabinets` is the number of cabinets that the vendor connects
    to a unit for liquid.
    """

    cools: Literal["room air", "rear door", "liquid"]
    capacity_mw: Positive
    width_mm: Positive | None = None
    depth_mm: Positive | None = None
    height_mm: Positive | None = None
    loaded_g: Positive | None = None
    serves_cabinets: Positive | None = None


@dataclass(frozen=True, kw_only=True)
class PduPart(Row):
    """A power distribution unit of a cabinet; with 0 units it is mounted vertically at the rear.

    `rating_mw` is the rating of its plug and breaker, `derating` the share of it that may be drawn continuously.
    """

    rating_mw: Positive
    derating: Annotated[float, Gt(0), Le(1)]
    outlets: Positive
    units: NonNegative
    mass_g: NonNegative
    price_cents: NonNegative
    phases: Literal[1, 3]
    volts: Positive
    amps: Positive
    plug: str = ""

    @property
    def limit_mw(self) -> int:
        """Maximum continuous power, rounded down."""
        return int(self.rating_mw * self.derating)


@dataclass(frozen=True, kw_only=True)
class CableManager(Row):
    """A horizontal cable manager; `cables` is its capacity, where known."""

    units: Positive
    mass_g: NonNegative
    price_cents: NonNegative
    cables: Positive | None = None


@dataclass(frozen=True, kw_only=True)
class BlankingPanel(Row):
    """A panel that closes `units` free units against recirculating warm air."""

    units: Positive
    mass_g: NonNegative
    price_cents: NonNegative


def depth_problems(cabinet: CabinetPart, *boxes: RouterPart | EndpointPart) -> Iterator[Problem]:
    """Yield a problem for each box that is deeper than the cabinet."""
    name = "mount_depth_mm" if cabinet.mount_depth_mm else "depth_mm"
    depth_mm = cabinet.mount_depth_mm or cabinet.depth_mm
    for box in boxes:
        if box.depth_mm is not None and box.depth_mm > depth_mm:
            message = f"{box.id} is {box.depth_mm} mm deep, {cabinet.id} has {name} = {depth_mm}"
            yield Problem("cabinet", message, "choose a deeper cabinet")


def power_problems(typical_mw: int, max_mw: int) -> Iterator[Problem]:
    """Yield a problem when typical power exceeds the maximum."""
    if typical_mw > max_mw:
        yield Problem("power_typical_mw", f"{typical_mw} is more than power_max_mw = {max_mw}", "exchange or correct the two")
