"""What stands in a slot or a rack unit: routers, endpoints, network interfaces, cabinets, cooling units."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from planner.errors import Problem
from planner.parts.row import Name, NonNegative, Positive, Row


@dataclass(frozen=True, kw_only=True)
class RouterPart(Row):
    """A switch box. A cage is a physical socket; it carries `ports_per_cage` ports.

    `power_typical_mw` is the box with passive cables, `power_max_mw` with active ones in every cage.
    `rate_gbps` is that of one port. `terminal_ports`, `local_ports` and `global_ports` are set where
    the maker dedicates ports to endpoints, to links of a group and to links between groups.
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
    psu_count: Positive | None = None
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
class EndpointPart(Row):
    """A box of compute nodes with `endpoints` network interfaces; the network's bill excludes its price."""

    endpoints: Positive
    connector: Name
    rate_gbps: Positive
    units: NonNegative
    power_typical_mw: NonNegative
    power_max_mw: NonNegative
    mass_g: NonNegative

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
    """A cabinet: rack units, outer size, what it weighs empty and what it may hold."""

    units: Positive
    width_mm: Positive
    depth_mm: Positive
    height_mm: Positive
    mass_g: NonNegative
    load_g: Positive
    price_cents: NonNegative
    mount_depth_mm: Positive | None = None
    loaded_g: Positive | None = None
    power_max_mw: Positive | None = None
    cooling: str = ""
    units_min: Positive | None = None
    width_min_mm: Positive | None = None
    depth_min_mm: Positive | None = None


@dataclass(frozen=True, kw_only=True)
class CoolingUnit(Row):
    """A coolant distribution unit that stands in the row beside the cabinets it serves."""

    width_mm: Positive
    depth_mm: Positive
    height_mm: Positive
    loaded_g: Positive
    serves_cabinets: Positive


def power_problems(typical_mw: int, max_mw: int) -> Iterator[Problem]:
    """Yield a problem when typical power exceeds the maximum."""
    if typical_mw > max_mw:
        yield Problem("power_typical_mw", f"{typical_mw} is more than power_max_mw = {max_mw}", "exchange or correct the two")
