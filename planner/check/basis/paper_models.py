"""Prices and power by the cost models of papers, stated again from their catalog rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from planner.domain.parts import CableCost, Row

Rows = Callable[[str], Iterable[Any]]

_PRICED = {
    "slimfly": ("slimfly-sc14-router", "slimfly-sc14-fdr10-electric", "slimfly-sc14-fdr10-optical"),
    "mudigonda-stock": (
        "mudigonda-2011-port", "mudigonda-2011-stock-sfp-copper", "mudigonda-2011-stock-qsfp-copper",
        "mudigonda-2011-stock-qsfp-fiber",
    ),
    "mudigonda-custom": (
        "mudigonda-2011-port", "mudigonda-2011-single-copper", "mudigonda-2011-quad-copper", "mudigonda-2011-quad-fiber",
    ),
}  # fmt: skip
"""Rows of each cost model: the router, then its cables."""

_DRAWN = {"slimfly": "slimfly-sc14-serdes", "spectralfly": "spectralfly-2022"}
"""Row of each power model."""


class PaperPrices:
    """What routers and cables cost by the model of a paper."""

    def __init__(self, name: str, rows: Rows):
        router, *cables = _PRICED[name]
        self.name, self.router = name, {row.id: row for row in rows("router_cost")}[router]
        known = {row.id: row for row in rows("cable_cost")}
        self.cables: list[CableCost] = [known[cable] for cable in cables]
        self.pays_labor = name != "slimfly"

    @property
    def rows(self) -> list[Row]:
        return [self.router, *self.cables]

    def router_cents(self, ports: int) -> int:
        return max(0, round(100 * (self.router.slope_usd_per_port * ports + (self.router.intercept_usd or 0.0))))

    def cable(self, run_mm: int, inside: bool, server: bool) -> tuple[int, bool]:
        """Return the price in cents, and whether the cable counts as optical."""
        length_m = run_mm / 1000
        if self.name == "slimfly":
            wire, fiber = (model.usd(length_m) for model in self.cables)
            return (round(100 * wire), False) if inside or wire <= fiber else (round(100 * fiber), True)
        single, quad, optical = self.cables
        copper = single if server else quad
        if length_m <= _reach_m(copper):
            return round(100 * copper.usd(length_m)), False
        return round(100 * optical.usd(length_m)), True


class PaperPower:
    """What routers and ports draw by the model of a paper."""

    def __init__(self, name: str, rows: Rows):
        self.row = {row.id: row for row in rows("power_model")}[_DRAWN[name]]
        self.name = name

    def router_mw(self, ports: int) -> int:
        return round(1000 * ports * self.row.lanes_per_port * self.row.w_per_lane) if self.name == "slimfly" else 0

    def port_mw(self, optical: bool) -> int:
        if self.name == "slimfly":
            return 0
        return round(1000 * (self.row.optical_w_per_port if optical else self.row.electric_w_per_port))


def _reach_m(model: CableCost) -> float:
    if model.stock_mm:
        return model.stock_mm[-1] / 1000
    return math.inf if model.reach_m is None else model.reach_m
