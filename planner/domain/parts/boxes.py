"""Equipment of slots and rack units: routers, endpoints, network interfaces, cabinets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from planner.core.errors import Problem
from planner.domain.parts.port_group import PortGroup
from planner.domain.parts.ports import Ported, offers_problems
from planner.domain.parts.row import Goods, Name, NonNegative, Positive

Airflow = Literal["port-side exhaust", "port-side intake", "none"]


@dataclass(frozen=True, kw_only=True)
class RouterPart(Ported):
    """A switch box. A cage is a physical socket; it carries `ports_per_cage` ports.

    `ports`, `ports_per_cage`, `connector` and `rate_gbps` describe the ports that join the routers of one network; where the
    box has unlike ports, `port` lists all of them. Links within a modular chassis are part of the box.

    `power_typical_mw` is the box with passive cables, `power_max_mw` with active ones in every cage. Built-in optics are part
    of both; `laser_modules` is the number of replaceable light sources, `laser_module` the row of one, for spares.
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
    laser_modules: Positive | None = None
    laser_module: str = ""
    mount: str = ""

    @property
    def description(self) -> str:
        """What is bought."""
        return f"{self.family or 'router'}, {self.ports} x {self.rate_gbps} Gb/s"

    @property
    def together(self) -> str:
        """What is delivered together."""
        return f"{self.laser_modules} laser modules are in the box" if self.laser_modules else super().together

    @property
    def cages(self) -> int:
        """Number of physical sockets."""
        return self.ports // self.ports_per_cage

    def _undeclared(self) -> tuple[PortGroup, ...]:
        return (
            PortGroup(
                name="ports",
                count=self.ports,
                ports_per_cage=self.ports_per_cage,
                connector=self.connector,
                rate_gbps=self.rate_gbps,
            ),
        )

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.ports % self.ports_per_cage:
            message = f"{self.ports} ports do not fill cages of {self.ports_per_cage}"
            yield Problem("ports_per_cage", message, "ports must be a multiple of ports_per_cage")
        if self.laser_module and self.laser_modules is None:
            yield Problem("laser_modules", f"the number of {self.laser_module} is not stated", "add laser_modules = …")
        yield from offers_problems(self.port, "ports", self.ports, self.connector, self.rate_gbps)
        for group in self.port:
            alike = (group.connector, group.rate_gbps) == (self.connector, self.rate_gbps)
            if alike and group.ports_per_cage != self.ports_per_cage:
                message = f"the router has {self.ports_per_cage} ports in a cage, its group {group.name} {group.ports_per_cage}"
                yield Problem("ports_per_cage", message, "write the same number at both")
        yield from power_problems(self.power_typical_mw, self.power_max_mw)


@dataclass(frozen=True, kw_only=True)
class EndpointPart(Ported):
    """A box of compute nodes, or any other box with ports that is not a router; the network's bill excludes its price.

    `endpoints`, `connector` and `rate_gbps` describe the network interfaces that one network attaches. A box with port groups
    may leave them out; then it cannot be the endpoint of a study with one network.
    """

    endpoints: NonNegative = 0
    connector: str = ""
    rate_gbps: NonNegative = 0
    units: Positive
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

    def _undeclared(self) -> tuple[PortGroup, ...]:
        return (PortGroup(name="ports", count=self.endpoints, connector=self.connector, rate_gbps=self.rate_gbps),)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        given = [key for key in ("endpoints", "connector", "rate_gbps") if getattr(self, key)]
        for key in ("endpoints", "connector", "rate_gbps"):
            if key not in given and (given or not self.port):
                yield Problem(key, "EndpointPart needs this key", f"add {key} = …, or port groups alone")
        if len(given) == 3:
            yield from offers_problems(self.port, "endpoints", self.endpoints, self.connector, self.rate_gbps)
        yield from power_problems(self.power_typical_mw, self.power_max_mw)


@dataclass(frozen=True, kw_only=True)
class NicPart(Goods):
    """A network interface card."""

    ports: Positive
    rate_gbps: Positive
    connector: Name
    pcie: str = ""
    power_typical_mw: NonNegative | None = None
    cage_power_max_mw: Positive | None = None
    delay_ps: NonNegative | None = None


@dataclass(frozen=True, kw_only=True)
class CabinetPart(Goods):
    """A cabinet: rack units, outer size, empty mass and maximum load.

    `base_mm` is the height of the lower edge of unit 1 above the floor. Where it is not known, the whole frame counts
    both above the highest unit and below the lowest: a cable that is slightly too long can be dressed.

    `unit_um` is the height of one unit: 44,450 of EIA-310, 48,000 of Open Rack. `busbar` marks cabinets whose boxes draw
    direct current from a bar that `power_shelves` feed. `chassis` hold `blade_slots` for nodes and `switch_slots` for routers.
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
    unit_um: Positive = 44_450
    busbar: bool = False
    power_shelves: Positive | None = None
    chassis: Positive | None = None
    blade_slots: Positive | None = None
    switch_slots: Positive | None = None

    @property
    def description(self) -> str:
        """What is bought."""
        return f"cabinet, {self.units} units, {self.width_mm} x {self.depth_mm} mm"

    def frame_um(self, unit_um: int) -> tuple[int, int]:
        """Return the height of the frame below the lowest and above the highest unit; 0 for blade cabinets."""
        frame = max(0, 1000 * self.height_mm - self.units * unit_um)
        return (frame, frame) if self.base_mm is None else (1000 * self.base_mm, frame - 1000 * self.base_mm)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if not self.chassis and self.units * self.unit_um > 1000 * self.height_mm:
            message = f"{self.units} units of {self.unit_um / 1000:g} mm are higher than height_mm = {self.height_mm}"
            yield Problem("units", message, f"state at most {1000 * self.height_mm // self.unit_um} units, or the outer height")
        if self.base_mm is not None and self.base_mm >= self.height_mm:
            message = f"unit 1 begins at {self.base_mm} mm, the cabinet ends at height_mm = {self.height_mm}"
            yield Problem("base_mm", message, "give the height of the lower edge of unit 1 above the floor")


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
