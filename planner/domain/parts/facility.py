"""Equipment that feeds, cools or fits out cabinets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from annotated_types import Gt, Le

from planner.core.errors import Problem
from planner.domain.parts.boxes import Airflow
from planner.domain.parts.ports import Managed, Side
from planner.domain.parts.row import Goods, NonNegative, Positive


@dataclass(frozen=True, kw_only=True)
class FacilityPart(Managed):
    """Equipment that feeds or cools cabinets: as a device in a cabinet it draws nothing, and has its management port alone."""

    WORDS: ClassVar[str]
    power_typical_mw: ClassVar[int] = 0
    power_max_mw: ClassVar[int] = 0
    psu_count: ClassVar[int] = 0
    rate_gbps: ClassVar[int] = 0
    connector: ClassVar[str] = ""
    liquid_share: ClassVar[None] = None
    airflow: ClassVar[tuple[Airflow, ...]] = ()
    port_side: ClassVar[Side] = "rear"
    rear: ClassVar[int] = 1

    @property
    def description(self) -> str:
        """What is bought."""
        return _fitting(self.WORDS, self.units)

    if TYPE_CHECKING:

        @property
        def units(self) -> int | None:
            """Height in rack units, a field of each part; None outside of cabinets."""

    @property
    def ports(self) -> int:
        """Number of ports."""
        return sum(group.count for group in self.groups)

    @property
    def cages(self) -> int:
        """Number of physical sockets."""
        return sum(group.cages for group in self.groups)


@dataclass(frozen=True, kw_only=True)
class CoolingUnit(FacilityPart):
    """A unit that removes heat, by `cools`: from the air of the room, from that behind one cabinet (rear door), or from liquid.

    `capacity_mw` is the heat that one unit removes. `serves_cabinets` is the number of cabinets that the vendor connects
    to a unit for liquid. One with `units` is located in a cabinet, which it serves; one that is `freestanding` takes a slot
    of the floor by itself, and serves its hall. `loaded_g` is its mass when filled.
    """

    WORDS = "coolant distribution unit"
    cools: Literal["room air", "rear door", "liquid"]
    capacity_mw: Positive
    units: Positive | None = None
    width_mm: Positive | None = None
    depth_mm: Positive | None = None
    height_mm: Positive | None = None
    loaded_g: Positive | None = None
    price_cents: NonNegative = 0
    serves_cabinets: Positive | None = None
    freestanding: bool = False  # type: ignore[misc]  # stated by each row here, by the class of other devices

    @property
    def description(self) -> str:
        """What is bought."""
        return f"{self.WORDS}, freestanding" if self.freestanding else super().description

    @property
    def mass_g(self) -> int:
        """Mass of a unit that is a device."""
        return self.loaded_g or 0

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.units is not None and self.cools != "liquid":
            yield Problem("units", f"a unit that cools {self.cools} is in no rack units", "leave units out")
        if self.units is not None and self.loaded_g is None:
            yield Problem("loaded_g", "a unit in a cabinet needs this key", "add its mass when filled")
        if self.freestanding and (self.units is not None or self.cools == "rear door"):
            yield Problem("freestanding", "a unit in a cabinet or at its door is not freestanding", "leave freestanding out")
        for key in ("width_mm", "depth_mm", "loaded_g") if self.freestanding else ():
            if getattr(self, key) is None:
                yield Problem(key, "a freestanding unit needs this key", "add it from the data sheet")


@dataclass(frozen=True, kw_only=True)
class PduPart(FacilityPart):
    """A power distribution unit of a cabinet; with 0 units it is mounted vertically at the rear.

    `rating_mw` is the rating of its plug and breaker, `derating` the share of it that may be drawn continuously.
    """

    WORDS = "power distribution unit"
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
    depth_mm: ClassVar[None] = None

    @property
    def limit_mw(self) -> int:
        """Maximum continuous power, rounded down."""
        return int(self.rating_mw * self.derating)


@dataclass(frozen=True, kw_only=True)
class PowerShelf(FacilityPart):
    """A shelf of rectifiers that feeds the busbar of its cabinet.

    `supplies` of `supply_mw` share the load; `spare_supplies` of them may fail. `units` are those of its cabinet.
    """

    WORDS = "power shelf"
    units: Positive
    supplies: Positive
    supply_mw: Positive
    spare_supplies: NonNegative = 0
    rating_mw: Positive
    phases: Literal[1, 3]
    volts: Positive | None = None
    volts_out: Positive | None = None
    mass_g: NonNegative
    price_cents: NonNegative
    depth_mm: ClassVar[None] = None

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        able_mw = (self.supplies - self.spare_supplies) * self.supply_mw
        if self.rating_mw > able_mw:
            message = f"{self.rating_mw} is more than {able_mw}, what {self.supplies} supplies less {self.spare_supplies} give"
            yield Problem("rating_mw", message, "correct the rating, supplies or spare_supplies")


@dataclass(frozen=True, kw_only=True)
class CableManager(Goods):
    """A horizontal cable manager; `cables` is its capacity, where known."""

    units: Positive
    mass_g: NonNegative
    price_cents: NonNegative
    cables: Positive | None = None

    @property
    def description(self) -> str:
        """What is bought."""
        return _fitting("cable manager", self.units)


@dataclass(frozen=True, kw_only=True)
class BlankingPanel(Goods):
    """A panel that closes `units` free units against recirculating warm air."""

    units: Positive
    mass_g: NonNegative
    price_cents: NonNegative

    @property
    def description(self) -> str:
        """What is bought."""
        return _fitting("blanking panel", self.units)


def _fitting(what: str, units: int | None) -> str:
    return f"{what}, {units} units" if units else f"{what}, upright"
