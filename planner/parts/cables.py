"""What joins ports: finished cables, transceivers, fibre, trunks, and the rules for laying them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from planner.errors import Problem
from planner.parts.row import Lengths, Medium, Name, NonNegative, Positive, Prices, Row, ladder_problems


@dataclass(frozen=True, kw_only=True)
class CablePart(Row):
    """A finished cable with both connectors: copper (DAC), active copper (ACC, AEC) or active optical (AOC).

    `rate_gbps` is that of one link; a twin-port cable carries `links` of them between the same two
    cages. `power_mw` is the most that one end draws.
    """

    medium: Medium
    kind: Name
    rate_gbps: Positive
    links: Positive = 1
    connector_a: Name
    connector_b: Name
    stock_mm: Lengths
    price_cents: Prices
    reach_mm: Positive
    power_mw: NonNegative
    power_typical_mw: NonNegative | None = None
    diameter_um: Positive
    diameter_plus_um: NonNegative | None = None
    diameter_minus_um: NonNegative | None = None
    bend_mm: Positive
    bend_repeated_mm: Positive | None = None
    mass_g_per_m: NonNegative
    delay_ps_per_m: Positive
    delay_end_ps: NonNegative = 0
    part_number: str = ""

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from ladder_problems(self.stock_mm, self.price_cents)
        if max(self.stock_mm) > self.reach_mm:
            message = f"{max(self.stock_mm)} is beyond reach_mm = {self.reach_mm}"
            yield Problem("stock_mm", message, "drop the length or correct the reach")


@dataclass(frozen=True, kw_only=True)
class BreakoutPart(Row):
    """A splitter cable: one plug at the head, `tails` plugs at the other end; `rate_gbps` is that of the head."""

    medium: Medium
    kind: Name
    rate_gbps: Positive
    connector_head: Name
    connector_tail: Name
    tails: Positive
    stock_mm: Lengths
    reach_mm: Positive
    power_head_mw: NonNegative | None = None
    power_tail_mw: NonNegative | None = None
    delay_ps_per_m: Positive | None = None
    part_number: str = ""


@dataclass(frozen=True, kw_only=True)
class TransceiverPart(Row):
    """A pluggable module for one cage; `fibre` is the id of the fibre kind it drives.

    `kind` is the optical standard (SR4, DR4 …): only modules of the same kind, rate and fibre
    understand each other. A twin-port module serves `links` ports of one cage, each with its own
    fibre; `rate_gbps` is that of one link, price and power are those of the module. `fits` names
    other cages that take the plug. `reach_mm` holds on the best fibre (OM4 for multimode).
    """

    kind: str = "transceiver"
    rate_gbps: Positive
    links: Positive = 1
    connector: Name
    fits: tuple[str, ...] = ()
    fibre: Name
    reach_mm: Positive
    reach_om3_mm: Positive | None = None
    power_mw: NonNegative
    power_typical_mw: NonNegative | None = None
    power_half_rate_mw: NonNegative | None = None
    power_half_rate_typical_mw: NonNegative | None = None
    price_cents: NonNegative
    delay_end_ps: NonNegative = 0
    delay_ps_per_m: Positive | None = None
    mass_g: NonNegative = 0
    part_number: str = ""


@dataclass(frozen=True, kw_only=True)
class FibrePart(Row):
    """A fibre jumper between two transceivers; `fibre` names glass and connectors, `fibres` is their number."""

    fibre: Name
    fibres: Positive
    stock_mm: Lengths
    price_cents: Prices
    reach_mm: Positive | None = None
    diameter_um: Positive
    diameter_least_um: Positive | None = None
    bend_mm: Positive
    mass_g_per_m: NonNegative
    delay_ps_per_m: Positive
    polarity: str = ""
    jacket: str = ""
    part_number: str = ""

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from ladder_problems(self.stock_mm, self.price_cents)


@dataclass(frozen=True, kw_only=True)
class TrunkPart(Row):
    """A trunk: many fibres under one jacket, `connectors` MPO plugs at each end."""

    fibres: Positive
    connectors: Positive
    stock_mm: Lengths
    price_cents: Prices
    diameter_um: Positive
    diameter_least_um: Positive
    diameter_most_um: Positive
    bend_mm: Positive
    mass_g_per_m: NonNegative
    delay_ps_per_m: Positive

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from ladder_problems(self.stock_mm, self.price_cents)


@dataclass(frozen=True, kw_only=True)
class TrunkRule(Row):
    """How trunks are used: what is stocked, how many links share one, how much slack each takes."""

    stocked_fibres: tuple[Positive, ...]
    fibres_per_mpo: Positive
    fibres_per_link: Positive
    slack_least_mm: NonNegative
    slack_most_mm: NonNegative


@dataclass(frozen=True, kw_only=True)
class TrunkBound(Row):
    """Diameter and mass of an outdoor cable by number of fibres: a sourced upper bound for indoor trunks."""

    fibres: tuple[Positive, ...]
    diameter_um: tuple[Positive, ...]
    mass_g_per_m: tuple[Positive, ...]


@dataclass(frozen=True, kw_only=True)
class MulticoreFibre(Row):
    """A fibre with several cores, and the cables made of it; `None` where nothing is published."""

    cores: Positive
    cladding_um: Positive | None = None
    cable_diameter_um: Positive | None = None
    cable_fibres: Positive | None = None
    cable_cores: Positive | None = None
    replaces_diameter_um: Positive | None = None
    crosstalk_db: float | None = None


@dataclass(frozen=True, kw_only=True)
class PolarityMap(Row):
    """Which fibre position of an MPO plug meets which at the other end."""

    map: Name
    lanes: str = ""


@dataclass(frozen=True, kw_only=True)
class LossRule(Row):
    """Most loss of a mated connector pair, attenuation of fibre, and how many junctions a channel may have."""

    mpo_db: float
    lc_db: float
    junctions_max: Positive
    om4_db_per_km: float
    os2_db_per_km: float


@dataclass(frozen=True, kw_only=True)
class BendRule(Row):
    """Least bend radius by kind of cable: a multiple of the diameter, or a radius."""

    diameters: dict[str, float] = field(default_factory=dict)
    least_um: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CableDiameters(Row):
    """Diameters of typical cables, and bend radii where given."""

    diameter_um: dict[str, int]
    bend_mm: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Assembly:
    """What makes one cable: a finished cable, or two transceivers and a fibre.

    `stock_mm` and `price_cents` run in parallel, shortest first; the price is that of the whole
    assembly at that stock length. `length_part` is the row bought by length, `end_part` the row
    bought per end ("" for a finished cable). Where the second end takes another row, it is
    `end_part_b`. `power_mw` and `delay_end_ps` are those of one end (the mean of two unlike ends).
    """

    __pydantic_config__ = {"extra": "forbid"}

    id: Name
    medium: Medium
    kind: Name
    rate_gbps: int
    connector_a: str
    connector_b: str
    reach_mm: int
    stock_mm: tuple[int, ...]
    price_cents: tuple[int, ...]
    power_mw: int
    diameter_um: int
    bend_mm: int
    mass_g_per_m: int
    delay_ps_per_m: int
    delay_end_ps: int
    length_part: str
    end_part: str = ""
    end_price_cents: int = 0
    end_part_b: str = ""
    end_price_b_cents: int = 0
