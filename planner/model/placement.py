"""Locations of all equipment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.record import Record, array, value

UNIT_UM = 44_450
"""Height of one rack unit in micrometers (EIA-310: 1.75 inch)."""

FIXTURES = ("cable manager", "PDU")
"""Fixtures that occupy rack units besides routers and endpoint boxes."""


@dataclass(frozen=True)
class Alternative:
    """A variant of the open rules, and its total cost.

    `total` is the cost of all links and endpoint cables over the shortest trays between the final units of their boxes, in the
    unit of the objective; in cents it includes cabinets, PDUs and cable managers. The total of the chosen variant comes from
    the final search, those of the others from short searches.
    """

    groups: str
    packing: str
    endpoints: str
    cabinets: int
    total: int
    chosen: bool = False


@dataclass(frozen=True, eq=False)
class Placement(Record, name="placement"):
    """Cabinet and rack unit of every box, and the slot of every cabinet."""

    cabinet_of: np.ndarray = array("int32", "R", "cabinet of each router")
    unit_of: np.ndarray = array("int32", "R", "lowest rack unit of each router, counted from 1 at the bottom")
    endpoint_cabinet: np.ndarray = array("int32", "H", "cabinet of each endpoint")
    endpoint_unit: np.ndarray = array("int32", "H", "lowest rack unit of the box that holds each endpoint")
    slot_of: np.ndarray = array("int32", "C", "slot of each cabinet")
    fixture_kind: np.ndarray = array("uint8", "M", "kind of each fixture, index into FIXTURES: cable manager, PDU")
    fixture_cabinet: np.ndarray = array("int32", "M", "cabinet of each fixture")
    fixture_unit: np.ndarray = array("int32", "M", "lowest rack unit of each fixture")
    method: str = value("description of the algorithm and its run")
    unit: str = value("unit of the objective: mm or cents")
    objective: int = value(
        "sum of the costs of all links and endpoint cables between the slots of their ends, at reference units"
    )
    start_objective: int = value("objective of the initial layout; endpoints in separate cabinets count as in the final layout")
    evaluations: int = value("number of evaluated moves")
    front: np.ndarray = array("int64", "F,2", "Pareto front of objective and longest run length in mm")
    lower_bound: int = value("proven minimum of the objective over the layouts of bound_covers; 0 if unknown", default=0)
    bound_method: str = value("method of the lower bound", default="")
    bound_covers: str = value("cables and layouts that the lower bound covers", default="")
    alternatives: tuple[Alternative, ...] = value("evaluated variants of the open rules", default=())
    longest_mm: int | None = value("soft limit of the run length of links", "mm", default=None)
    too_long: int = value("number of links above that limit, at reference units", default=0)
    complete: bool = value("False if interrupted or limited by wall time", default=True)
    reserved_units: tuple[int, int] = value("units reserved in every cabinet: at the bottom, at the top", default=(0, 0))
    feeds: int = value("number of power feeds of every cabinet; 0 if no PDU is selected", default=0)
    pdus_per_feed: int = value("PDUs per feed in every cabinet", default=1)

    @property
    def gap(self) -> float | None:
        """Relative gap between the objective and the lower bound; None without a bound."""
        return 1 - self.lower_bound / self.objective if self.lower_bound and self.objective else None

    @property
    def cabinet_count(self) -> int:
        return len(self.slot_of)
