"""Parametric models of the papers: cost, power, layout and delay. Coefficients keep the papers' own units."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from planner.core.errors import Problem
from planner.domain.parts.row import Medium, Name, NonNegative, Positive, Row, Share, ladder_problems


@dataclass(frozen=True, kw_only=True)
class CableCost(Row):
    """Price of one cable: a line in length (times the rate where the slope is per Gb/s), or a stock ladder."""

    medium: Medium
    form: Name
    product: str = ""
    rate_gbps: Positive | None = None
    slope_usd_per_gbps_m: float | None = None
    intercept_usd_per_gbps: float | None = None
    slope_usd_per_m: float | None = None
    intercept_usd: float | None = None
    markup: float = 0.0
    reach_m: float | None = None
    stock_mm: tuple[Positive, ...] = ()
    price_cents: tuple[NonNegative, ...] = ()

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from ladder_problems(self.stock_mm, self.price_cents)

    def usd(self, length_m: float, rate_gbps: float | None = None) -> float:
        """Return the price of a cable of this length, in USD of the publication's year.

        Parameters
        ----------
        length_m
            Length of the cable.
        rate_gbps
            Rate of the cable, for models per Gb/s; the model's own rate if left out.

        Raises
        ------
        ValueError
            When the ladder has no stock length that long.

        Examples
        --------
        >>> row = CableCost(id="a", source="s", confidence="D", medium="copper", form="line",
        ...                 slope_usd_per_m=2.0, intercept_usd=10.0, markup=0.25)
        >>> row.usd(5.0)
        25.0
        """
        if self.stock_mm:
            for stock, price in zip(self.stock_mm, self.price_cents, strict=True):
                if stock >= 1000 * length_m:
                    return price / 100
            raise ValueError(f"{self.id}: no stock length reaches {length_m} m")
        rate = self.rate_gbps if rate_gbps is None else rate_gbps
        per_gbps = (self.slope_usd_per_gbps_m or 0.0) * length_m + (self.intercept_usd_per_gbps or 0.0)
        flat = (self.slope_usd_per_m or 0.0) * length_m + (self.intercept_usd or 0.0)
        return (per_gbps * (rate or 0) + flat) * (1 + self.markup)


@dataclass(frozen=True, kw_only=True)
class CableClassCost(Row):
    """Price of one cable by length class, and the share of cables in that class."""

    length_class: Name
    usd: float
    share: Share
    rate_gbps: Positive


@dataclass(frozen=True, kw_only=True)
class RouterCost(Row):
    """Price of a router: a line in the number of ports, or one box named by its ports."""

    form: Name
    slope_usd_per_port: float | None = None
    intercept_usd: float | None = None
    ports: str = ""
    usd: float | None = None

    def price_usd(self, ports: int) -> float:
        """Return the price of a router with this number of ports, in USD of the publication's year.

        Raises
        ------
        ValueError
            When the row is that of one box.

        Examples
        --------
        >>> RouterCost(id="a", source="s", confidence="D", form="line", slope_usd_per_port=500.0).price_usd(36)
        18000.0
        """
        if self.slope_usd_per_port is None:
            raise ValueError(f"{self.id} is the price of one box, not a line in the number of ports")
        return self.slope_usd_per_port * ports + (self.intercept_usd or 0.0)


@dataclass(frozen=True, kw_only=True)
class PanelCost(Row):
    """Price of patch panels: per port, or by number of ports of the panel."""

    usd_per_port: float
    ports: tuple[Positive, ...]
    usd: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class PowerModel(Row):
    """Power of a router: per lane or per port, by medium."""

    form: Name
    lanes_per_port: Positive | None = None
    w_per_lane: float | None = None
    w_per_port: float | None = None
    electric_w_per_port: float | None = None
    optical_w_per_port: float | None = None
    electric_to_m: float | None = None
    electric_to_other_m: float | None = None
    electric_pj: float | None = None
    optical_pj: float | None = None


@dataclass(frozen=True, kw_only=True)
class LayoutModel(Row):
    """Cabinet layout and cable lengths of a paper; formulas are text in the paper's symbols."""

    metric: Literal["manhattan", "class"]
    cabinet_width_m: float | None = None
    cabinet_depth_m: float | None = None
    rows: str = ""
    cabinets_per_row: str = ""
    in_cabinet_m: float | None = None
    overhead_m: float | None = None
    between_cabinets: str = ""
    routers_per_cabinet: Positive | None = None
    pairing: str = ""
    cost_model: str = ""
    class_m: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class DelayModel(Row):
    """Delays of cables, routers, forward error correction and active cable ends, in nanoseconds.

    A row with a `code` is forward error correction; links of `rates_gbps` over cables of `media` need it.
    """

    cable_ns_per_m: float | None = None
    copper_ns_per_m: float | None = None
    copper_to_m: float | None = None
    fiber_ns_per_m: float | None = None
    router_ns: tuple[float, ...] = ()
    added_ns: tuple[float, ...] = ()
    added_ns_per_end: float | None = None
    phy_ns_per_end: float | None = None
    code: str = ""
    rates_gbps: tuple[Positive, ...] = ()
    media: tuple[Medium, ...] = ()
    relative_to_kp4: float | None = None


@dataclass(frozen=True, kw_only=True)
class BundleModel(Row):
    """Bundle counts of a paper; formulas are text in the paper's symbols."""

    formulas: dict[str, str]
    printed: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class PublishedLayout(Row):
    """One row of a published layout table, for comparison with a placement of that network.

    `grid_x`, `grid_y` and `grid_longest_mm` follow from the paper's own formulas.
    """

    topology: Name
    routers: Positive
    radix: Positive
    mean_mm: Positive
    mean_skywalk_mm: Positive
    longest_mm: Positive
    longest_skywalk_mm: Positive
    electrical: NonNegative
    optical: NonNegative
    bisection_links: Positive
    power_mw: Positive
    mw_per_gbps: float
    grid_x: Positive
    grid_y: Positive
    grid_longest_mm: Positive
