"""Where everything stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.record import Record, array, value

UNIT_UM = 44_450
"""Height of one rack unit in micrometers (EIA-310: 1.75 inch)."""

FIXTURES = ("cable manager", "PDU")
"""What takes units beside routers and endpoint boxes."""


@dataclass(frozen=True)
class Alternative:
    """Rules that the study leaves open, and what the plan would cost under them.

    `total` is what all links and endpoint cables cost over the shortest trays between the units where their boxes are, in the
    unit of the objective, and in cents also cabinets, PDUs and cable managers. That of the rules that were chosen is of the
    final search; the others had a share of it.
    """

    groups: str
    packing: str
    endpoints: str
    cabinets: int
    total: int
    chosen: bool = False


@dataclass(frozen=True, eq=False)
class Placement(Record):
    """Which cabinet and unit every box stands in, and where the cabinets stand."""

    cabinet_of: np.ndarray = array("int32", "R", "cabinet of each router")
    unit_of: np.ndarray = array("int32", "R", "lowest rack unit of each router, counted from 1 at the bottom")
    endpoint_cabinet: np.ndarray = array("int32", "H", "cabinet of each endpoint")
    endpoint_unit: np.ndarray = array("int32", "H", "lowest rack unit of the box that holds each endpoint")
    slot_of: np.ndarray = array("int32", "C", "slot of each cabinet")
    fixture_kind: np.ndarray = array("uint8", "M", "what else takes units, index into FIXTURES: cable manager, PDU")
    fixture_cabinet: np.ndarray = array("int32", "M", "cabinet of each of them")
    fixture_unit: np.ndarray = array("int32", "M", "lowest rack unit of each of them")
    method: str = value("the algorithm and how it went, in words")
    unit: str = value("unit of the objective: mm or cents")
    objective: int = value("sum over all links and endpoint cables of the cost between the slots of their ends, at usual units")
    start_objective: int = value("the same with routers in order; endpoints that are apart count as they are in the end")
    evaluations: int = value("moves tried")
    front: np.ndarray = array("int64", "F,2", "objective and longest run length in mm of layouts of which none beats another")
    lower_bound: int = value("proven minimum of the objective over what bound_covers says; 0 where nothing is known", default=0)
    bound_method: str = value("how that is known", default="")
    bound_covers: str = value("which cables and which layouts the lower bound is about, in words", default="")
    alternatives: tuple[Alternative, ...] = value("rules that the study leaves open and that were tried", default=())
    longest_mm: int | None = value("run length that no link should exceed", "mm", default=None)
    too_long: int = value("links that do, between routers at the top of their cabinets", default=0)
    complete: bool = value("False when interrupted or bounded by wall time", default=True)
    reserved_units: tuple[int, int] = value("units kept free in every cabinet: at the bottom, at the top", default=(0, 0))
    feeds: int = value("power feeds of every cabinet, A and B; 0 where no PDU was chosen", default=0)
    pdus_per_feed: int = value("PDUs of each feed in every cabinet", default=1)

    @property
    def gap(self) -> float | None:
        """Share of the objective that a better layout could save at most; None without a bound."""
        return 1 - self.lower_bound / self.objective if self.lower_bound and self.objective else None

    @property
    def cabinet_count(self) -> int:
        return len(self.slot_of)
