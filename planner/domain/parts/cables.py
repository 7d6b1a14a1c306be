"""Parts that connect ports: finished cables, transceivers, fiber, trunks, and installation rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le, MinLen

from planner.core.errors import Problem
from planner.domain.parts.port_group import Optics
from planner.domain.parts.row import LARGEST, Goods, Lengths, Medium, Name, NonNegative, Positive, Prices, Row, ladder_problems

Glass = Literal["om3", "om4", "os2"]
Plug = Literal["mpo", "lc"]
Decibels = Annotated[float, Ge(0)]
Budget = Annotated[float, Gt(0)]


@dataclass(frozen=True, kw_only=True)
class CablePart(Goods):
    """A finished cable with both connectors: copper (DAC), active copper (ACC, AEC) or active optical (AOC).

    `rate_gbps` is that of one link; a twin-port cable carries `links` of them between the same two
    cages. `fits` names other cages that accept the plugs at this rate. `power_mw` is the maximum power of one end.
    """

    medium: Medium
    kind: Name
    rate_gbps: Positive
    links: Positive = 1
    connector_a: Name
    connector_b: Name
    fits: tuple[Name, ...] = ()
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

    @property
    def description(self) -> str:
        """What is bought, without its length."""
        ends = self.connector_a if self.connector_a == self.connector_b else f"{self.connector_a} to {self.connector_b}"
        return f"{self.kind}, {rated(self.links, self.rate_gbps)}, {ends}"

    @property
    def together(self) -> str:
        """What is delivered together."""
        return f"one cable carries {self.links} links" if self.links > 1 else super().together

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from ladder_problems(self.stock_mm, self.price_cents)
        yield from _reach_problems(self.stock_mm, self.reach_mm)


@dataclass(frozen=True, kw_only=True)
class BreakoutPart(Goods):
    """A splitter cable: one plug at the head, `tails` plugs at the other end, one link each.

    `rate_gbps` is that of one link, so the head carries `tails` times this rate. `fits_tail` names other cages that accept
    the tails. A row without a price
    or another figure that planning needs is for reference only.
    """

    medium: Medium
    kind: Name
    rate_gbps: Positive
    connector_head: Name
    connector_tail: Name
    fits_tail: tuple[Name, ...] = ()
    tails: Annotated[int, Ge(2), Le(LARGEST)]
    stock_mm: Lengths
    price_cents: Prices | None = None
    reach_mm: Positive
    power_head_mw: NonNegative | None = None
    power_tail_mw: NonNegative | None = None
    diameter_um: Positive | None = None
    bend_mm: Positive | None = None
    mass_g_per_m: NonNegative | None = None
    delay_ps_per_m: Positive | None = None
    delay_end_ps: NonNegative = 0

    @property
    def description(self) -> str:
        """What is bought, without its length."""
        ends = f"{self.connector_head} to {self.tails} x {self.connector_tail}"
        return f"{self.kind} splitter, {rated(self.tails, self.rate_gbps)}, {ends}"

    @property
    def together(self) -> str:
        """What is delivered together."""
        return f"one cable has {self.tails} plugs at its far end"

    @property
    def missing(self) -> tuple[str, ...]:
        """Missing keys that planning needs."""
        return tuple(name for name in _SPLITTER_NEEDS if getattr(self, name) is None)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.price_cents is not None:
            yield from ladder_problems(self.stock_mm, self.price_cents)
        yield from _reach_problems(self.stock_mm, self.reach_mm)


def rated(links: int, rate_gbps: int) -> str:
    """Return the rate of a part that carries one or several links.

    >>> rated(1, 400), rated(2, 400)
    ('400 Gb/s', '2 x 400 Gb/s')
    """
    return f"{rate_gbps} Gb/s" if links == 1 else f"{links} x {rate_gbps} Gb/s"


_SPLITTER_NEEDS = ("price_cents", "power_head_mw", "power_tail_mw", "diameter_um", "bend_mm", "mass_g_per_m", "delay_ps_per_m")


def _reach_problems(stock_mm: tuple[int, ...], reach_mm: int) -> Iterator[Problem]:
    if max(stock_mm) > reach_mm:
        yield Problem("stock_mm", f"{max(stock_mm)} is beyond reach_mm = {reach_mm}", "drop the length or correct the reach")


@dataclass(frozen=True, kw_only=True)
class TransceiverPart(Goods):
    """A pluggable module for one cage, or optics that are part of a device; `fiber` is the id of the fiber kind it drives.

    `kind` is the optical standard (SR4, DR4 …): only modules of the same kind, rate and fiber
    interoperate. A twin-port module serves `links` ports of one cage, each with its own
    fiber; `rate_gbps` is that of one link, price and power are those of the module. `fits` names
    other cages that accept the plug. `reach_mm` is for the best fiber (OM4 for multimode). `budget_db`
    is the maximum loss of the channel between two modules, fiber and connections within it; the
    plugs in the modules themselves are not part of it.

    `requires_host` is the `optics` that the port must have. ``"linear"``: the module has no signal processor of its own, and
    the modules at both ends are linear. ``"built-in"``: the row describes the optics of a device, whose price and power are
    those of the device; a cable has a bare plug at that end.
    """

    kind: str = "transceiver"
    rate_gbps: Positive
    links: Positive = 1
    connector: Name
    fits: tuple[str, ...] = ()
    requires_host: Optics = ""
    fiber: Name
    reach_mm: Positive
    reach_om3_mm: Positive | None = None
    budget_db: Budget
    power_mw: NonNegative
    power_typical_mw: NonNegative | None = None
    power_half_rate_mw: NonNegative | None = None
    power_half_rate_typical_mw: NonNegative | None = None
    price_cents: NonNegative
    delay_end_ps: NonNegative = 0
    delay_ps_per_m: Positive | None = None
    mass_g: NonNegative = 0

    @property
    def description(self) -> str:
        """What is bought: the whole module, with all its ports."""
        kind = "" if self.kind == "transceiver" else f" {self.kind}"
        return f"transceiver, {rated(self.links, self.rate_gbps)}{kind}, {self.connector}"

    @property
    def together(self) -> str:
        """What is delivered together."""
        return f"one module serves {self.links} ports" if self.links > 1 else super().together

    @property
    def built_in(self) -> bool:
        """Whether the optics are part of a device."""
        return self.requires_host == "built-in"

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        for key in ("price_cents", "power_mw"):
            if self.built_in and getattr(self, key):
                message = f"{getattr(self, key)} is counted twice: built-in optics are part of the device's {key.split('_')[0]}"
                yield Problem(key, message, "write 0")


@dataclass(frozen=True, kw_only=True)
class FiberPart(Goods):
    """A fiber jumper between two transceivers; `fiber` is the kind named by transceivers, `fibers` the number per link."""

    fiber: Name
    glass: Glass
    plug: Plug
    fibers: Positive
    stock_mm: Lengths
    price_cents: Prices
    reach_mm: Positive | None = None
    diameter_um: Positive
    diameter_min_um: Positive | None = None
    bend_mm: Positive
    mass_g_per_m: NonNegative
    delay_ps_per_m: Positive
    polarity: str = ""
    jacket: str = ""

    @property
    def description(self) -> str:
        """What is bought, without its length."""
        what = "fiber" if self.pieces_per_item == 1 else "leg of a fiber splitter"
        return f"{what}, {self.fibers} x {self.glass.upper()}, {self.plug.upper()}"

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from ladder_problems(self.stock_mm, self.price_cents)


@dataclass(frozen=True, kw_only=True)
class TrunkRule(Row):
    """Use of trunks: stocked fiber counts, fibers per plug and per link, slack of each trunk."""

    stocked_fibers: tuple[Positive, ...]
    fibers_per_mpo: Positive
    fibers_per_link: Positive
    slack_min_mm: NonNegative
    slack_max_mm: NonNegative


@dataclass(frozen=True, kw_only=True)
class TrunkBound(Row):
    """Diameter and mass of an outdoor cable by number of fibers: a sourced upper bound for indoor trunks."""

    fibers: tuple[Positive, ...]
    diameter_um: tuple[Positive, ...]
    mass_g_per_m: tuple[Positive, ...]


@dataclass(frozen=True, kw_only=True)
class MulticoreFiber(Goods):
    """A fiber with several cores, and cables made of it; `None` where nothing is published."""

    cores: Positive
    cladding_um: Positive | None = None
    cable_diameter_um: Positive | None = None
    cable_fibers: Positive | None = None
    cable_cores: Positive | None = None
    replaces_diameter_um: Positive | None = None
    crosstalk_db: float | None = None

    @property
    def description(self) -> str:
        """What is bought, without its length."""
        return f"multi-core fiber, {self.cores} cores"


@dataclass(frozen=True, kw_only=True)
class PolarityMap(Row):
    """Mapping of the fiber positions of an MPO plug to those at the other end."""

    map: Name
    lanes: str = ""


@dataclass(frozen=True, kw_only=True)
class LossRule(Row):
    """Maximum loss of a mated connector pair, attenuation of fiber, and maximum junctions of a channel."""

    mpo_db: Decibels
    lc_db: Decibels
    junctions_max: Positive
    om3_db_per_km: Decibels
    om4_db_per_km: Decibels
    os2_db_per_km: Decibels

    def channel_db(self, glass: str, length_mm: int, mpo_pairs: int = 0, lc_pairs: int = 0) -> float:
        """Return the loss of a channel: its fiber and the mated pairs within it.

        The plugs in the two transceivers are not counted: the published insertion loss of a
        channel is measured between them.

        Examples
        --------
        A channel of 500 m with two MPO junctions:

        >>> rule = LossRule(id="x", source="x", confidence="D", mpo_db=0.35, lc_db=0.25, junctions_max=2,
        ...     om3_db_per_km=3.5, om4_db_per_km=3.5, os2_db_per_km=0.4)
        >>> rule.channel_db("os2", 500_000, mpo_pairs=2)
        0.9
        """
        per_km = {"om3": self.om3_db_per_km, "om4": self.om4_db_per_km, "os2": self.os2_db_per_km}[glass]
        # Rounded, since sums of decimal fractions are compared with budgets of one decimal.
        return round(mpo_pairs * self.mpo_db + lc_pairs * self.lc_db + per_km * length_mm / 1e6, 9)


@dataclass(frozen=True, kw_only=True)
class CustomLength(Row):
    """Cables made to length: in steps of `increment_mm`, for `markup_percent` more than the stock price at that length.

    `kinds` lists the kinds of cable that can be made to length, such as ``"DAC"``, and ``"fiber"`` for jumpers.
    """

    increment_mm: Positive
    markup_percent: Annotated[float, Ge(0), Le(1000)]
    kinds: Annotated[tuple[Name, ...], MinLen(1)]


@dataclass(frozen=True, kw_only=True)
class LaserModule(Goods):
    """A replaceable light source of switches with co-packaged optics; the switch includes those in use."""

    price_cents: NonNegative

    @property
    def description(self) -> str:
        """What is bought."""
        return "laser module"


@dataclass(frozen=True, kw_only=True)
class BendRule(Row):
    """Minimum bend radius by kind of cable: a multiple of the diameter, or a radius."""

    diameters: dict[str, float] = field(default_factory=dict)
    radius_min_um: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CableDiameters(Row):
    """Diameters of typical cables, and bend radii where given."""

    diameter_um: dict[str, int]
    bend_mm: dict[str, int] = field(default_factory=dict)
