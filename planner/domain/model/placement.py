"""Locations of all equipment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.core.record import Record, array, value
from planner.domain.model.catalog import Catalog
from planner.domain.model.inventory import Inventory

UNIT_UM = 44_450
"""Height of one rack unit in micrometers (EIA-310: 1.75 inch)."""

FIXTURES = ("cable manager", "PDU")
"""Fixtures that occupy rack units besides devices."""


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
class Placement(Record, name="placement", needs=("topology", "inventory", "catalog", "room")):
    """Cabinet and rack unit of every device, and the slot of every cabinet.

    Devices of one cabinet with the same rack unit share a box, such as a chassis of four nodes.
    """

    cabinet: np.ndarray = array("int32", "D", "cabinet of each device")
    unit: np.ndarray = array(
        "int32", "D", "lowest rack unit of the box of each device, counted from 1 at the bottom; 0, -1 … for upright boxes"
    )
    slot_of: np.ndarray = array("int32", "C", "slot of each cabinet")
    fixture_kind: np.ndarray = array("uint8", "M", "kind of each fixture, index into FIXTURES: cable manager, PDU")
    fixture_cabinet: np.ndarray = array("int32", "M", "cabinet of each fixture")
    fixture_unit: np.ndarray = array("int32", "M", "lowest rack unit of each fixture")
    method: str = value("description of the algorithm and its run")
    objective_unit: str = value("unit of the objective: mm, cents, mW or ps")
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

    def usable_units(self, units: int) -> tuple[int, int]:
        """Return the lowest and the highest unit of cabinets of this height that is not reserved."""
        return 1 + self.reserved_units[0], units - self.reserved_units[1]

    @property
    def slot(self) -> np.ndarray:
        """Slot of each device, int64 (D,)."""
        return self.slot_of[self.cabinet].astype(np.int64)

    @cached_property
    def box(self) -> np.ndarray:
        """Box of each device, numbered by cabinet and unit, int64 (D,)."""
        return self._boxes[1]

    @property
    def first_of_box(self) -> np.ndarray:
        """First device of each box, int64 (B,)."""
        return self._boxes[0]

    def framed(self, inventory: Inventory) -> np.ndarray:
        """Return whether each is a cabinet of the catalog, not a unit that takes a slot by itself, bool (C,)."""
        return self.by_cabinet(inventory.of_part("freestanding")) == 0

    def fitted_pdus(self, inventory: Inventory, catalog: Catalog) -> np.ndarray:
        """Return the PDUs that come with each cabinet, int64 (C,): those of its feeds that are no devices of the plan."""
        if catalog.pdu is None:
            return np.zeros(self.cabinet_count, np.int64)
        devices = np.bincount(self.cabinet[inventory.of_part("id") == catalog.pdu.id], minlength=self.cabinet_count)
        return np.maximum(self.feeds * self.pdus_per_feed * self.framed(inventory) - devices, 0)

    def by_cabinet(self, figure: np.ndarray) -> np.ndarray:
        """Return the sum of a figure of boxes over each cabinet, int64 (C,); `figure` has an entry for each device, (D,)."""
        total = np.zeros(self.cabinet_count, np.int64)
        np.add.at(total, self.cabinet[self.first_of_box], figure[self.first_of_box])
        return total

    @cached_property
    def _boxes(self) -> tuple[np.ndarray, np.ndarray]:
        low = int(self.unit.min(initial=0))
        place = self.cabinet.astype(np.int64) * (int(self.unit.max(initial=0)) - low + 1) + self.unit - low
        _, first, box = np.unique(place, return_index=True, return_inverse=True)
        return first, box.ravel()
