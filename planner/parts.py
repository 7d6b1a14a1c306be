"""What a catalog row may say: one dataclass per kind of row.

Integers with the unit in the name, because everything here is added up: millimetres, micrometres,
grams, milliwatts, cents, picoseconds. The TOML tables of ``catalogs/`` have exactly these keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge, Gt, MinLen

Positive = Annotated[int, Gt(0)]
NonNegative = Annotated[int, Ge(0)]
Name = Annotated[str, MinLen(1)]
Confidence = Literal["A", "B", "C", "D"]
Medium = Literal["copper", "active copper", "optical"]


@dataclass(frozen=True, kw_only=True)
class Row:
    """What every row says of itself.

    `confidence`: A read in a paper or a vendor's own text, B quoted from one, C weak or
    conflicting, D not sourced (an engineering estimate). Fields listed in `estimates` are D
    whatever the row's confidence. `date` is when the fact was read or published, as far as known.
    """

    __pydantic_config__ = {"extra": "forbid"}

    id: Name
    source: Name
    confidence: Confidence
    date: str = ""
    estimates: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class RouterPart(Row):
    """A switch box. A cage is a physical socket; it carries `ports_per_cage` ports."""

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
    delay_ps: NonNegative
    price_cents: NonNegative
    managed: bool | None = None


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


@dataclass(frozen=True, kw_only=True)
class CablePart(Row):
    """A finished cable with both connectors: copper (DAC), active copper (ACC, AEC) or active optical (AOC)."""

    medium: Medium
    kind: Name
    rate_gbps: Positive
    connector_a: Name
    connector_b: Name
    stock_mm: Annotated[tuple[Positive, ...], MinLen(1)]
    price_cents: Annotated[tuple[NonNegative, ...], MinLen(1)]
    reach_mm: Positive
    power_mw: NonNegative
    diameter_um: Positive
    bend_mm: Positive
    mass_g_per_m: NonNegative
    delay_ps_per_m: Positive
    delay_end_ps: NonNegative = 0
    part_number: str = ""


@dataclass(frozen=True, kw_only=True)
class TransceiverPart(Row):
    """A pluggable module for one cage; `fibre` is the id of the fibre kind it drives."""

    rate_gbps: Positive
    connector: Name
    fibre: Name
    reach_mm: Positive
    power_mw: NonNegative
    price_cents: NonNegative
    delay_end_ps: NonNegative = 0
    mass_g: NonNegative = 0
    part_number: str = ""


@dataclass(frozen=True, kw_only=True)
class FibrePart(Row):
    """A fibre jumper between two transceivers."""

    fibre: Name
    fibres: Positive
    stock_mm: Annotated[tuple[Positive, ...], MinLen(1)]
    price_cents: Annotated[tuple[NonNegative, ...], MinLen(1)]
    diameter_um: Positive
    bend_mm: Positive
    mass_g_per_m: NonNegative
    delay_ps_per_m: Positive
    polarity: str = ""
    part_number: str = ""


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


@dataclass(frozen=True, kw_only=True)
class LabourRates(Row):
    """What pulling and plugging costs."""

    in_cabinet_cents: NonNegative
    between_cabinets_cents: NonNegative
    pull_cents_per_m: NonNegative = 0


@dataclass(frozen=True, kw_only=True)
class Assembly:
    """What makes one cable: a finished cable, or two transceivers and a fibre.

    `stock_mm` and `price_cents` run in parallel, shortest first; the price is that of the whole
    assembly at that stock length. `length_part` is the row bought by length, `end_part` the row
    bought per end ("" for a finished cable).
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
