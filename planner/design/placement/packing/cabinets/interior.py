"""Arrangement inside cabinets: rack units of boxes, cable managers and PDUs, and power feeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Le

from planner.domain.model import FIXTURES, Catalog
from planner.domain.parts import NonNegative


@dataclass(frozen=True, kw_only=True)
class Interior:
    """Arrangement inside every cabinet.

    Parameters
    ----------
    routers_at
        ``"top"``: routers from the top down, endpoint boxes below them. ``"bottom"``: routers at the bottom, endpoint boxes
        above. ``"middle"``: half of the endpoint boxes above, half below.
    routers_per_manager
        Number of routers per cable manager, which is mounted above them; used if the catalog selects a cable manager.
    reserve_top_units
        Rack units kept free at the top, for patch panels, the management network and the like.
    reserve_bottom_units
        Rack units kept free at the bottom.
    feeds
        Power feeds of every cabinet; used if the catalog selects a PDU. With ``"A+B"`` either feed carries the whole cabinet if
        the other fails.
    pdus_per_feed
        Number of PDUs per feed in a cabinet.
    """

    __pydantic_config__ = {"extra": "forbid"}

    routers_at: Literal["top", "middle", "bottom"] = "top"
    routers_per_manager: Annotated[int, Ge(1), Le(1000)] = 1
    reserve_top_units: NonNegative = 0
    reserve_bottom_units: NonNegative = 0
    feeds: Literal["A", "A+B"] = "A+B"
    pdus_per_feed: Annotated[int, Ge(1), Le(100)] = 1

    def feed_count(self, catalog: Catalog) -> int:
        return 0 if catalog.pdu is None else len(self.feeds.split("+"))

    def pdu_count(self, catalog: Catalog) -> int:
        """Return the number of PDUs in a cabinet."""
        return self.feed_count(catalog) * self.pdus_per_feed

    def span(self, catalog: Catalog) -> tuple[int, int]:
        """Return the lowest and highest unit for routers, managers and endpoint boxes; PDUs that need units are below."""
        below = self.pdu_count(catalog) * catalog.pdu.units if catalog.pdu else 0
        return 1 + self.reserve_bottom_units + below, catalog.cabinet.units - self.reserve_top_units

    def reference_unit(self, catalog: Catalog) -> int:
        """Return the reference unit: that of the second router from the end; in the middle, of a single router."""
        low, high = self.span(catalog)
        units = catalog.router_part.units
        managers = (1 // self.routers_per_manager + 1) * catalog.manager.units if catalog.manager else 0
        middle = low + (high - low + 1 - units) // 2
        return {"top": high + 1 - 2 * units - managers, "middle": middle, "bottom": low + units}[self.routers_at]

    def facts(self, catalog: Catalog) -> dict[str, Any]:
        """Return the fields of a placement for feeds and reserved units."""
        return {
            "reserved_units": (self.reserve_bottom_units, self.reserve_top_units),
            "feeds": self.feed_count(catalog),
            "pdus_per_feed": self.pdus_per_feed,
        }


PLAIN = Interior()
"""Routers at the top, nothing reserved."""


@dataclass(frozen=True)
class Stack:
    """Rack units: of routers int64 (R,), of endpoint boxes int64 (b,), and the fixtures as in `Placement`."""

    unit_of: np.ndarray
    box_unit: np.ndarray
    fixture_kind: np.ndarray
    fixture_cabinet: np.ndarray
    fixture_unit: np.ndarray

    @property
    def fixtures(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("fixture_kind", "fixture_cabinet", "fixture_unit")}


def stacked(catalog: Catalog, interior: Interior, cabinets: int, cabinet_of: np.ndarray, box_cabinet: np.ndarray) -> Stack:
    """Assign rack units: routers in one block with their managers, endpoint boxes adjacent to it, by id.

    Parameters
    ----------
    cabinets
        Number of cabinets.
    cabinet_of, box_cabinet
        Cabinet of each router, int64 (R,), and of each endpoint box, int64 (b,).
    """
    router, box, manager = catalog.router_part.units, catalog.endpoint_part.units, catalog.manager.units if catalog.manager else 0
    per = interior.routers_per_manager
    low, high = interior.span(catalog)
    routers = np.bincount(cabinet_of, minlength=cabinets)
    boxes = np.bincount(box_cabinet, minlength=cabinets)
    managers = -(-routers // per) if manager else np.zeros_like(routers)
    block = routers * router + managers * manager
    above = {"top": 0 * boxes, "middle": -(-boxes // 2), "bottom": boxes}[interior.routers_at]
    centered = low + (high - low + 1 - block) // 2
    # The block is moved from the center if boxes would not fit otherwise.
    foot = np.clip(centered, low + (boxes - above) * box, high - above * box - block + 1)
    foot = {"top": high - block + 1, "middle": foot, "bottom": np.full_like(block, low)}[interior.routers_at]
    head = foot + block
    place, turn = rank(cabinet_of), rank(box_cabinet)
    over = turn < above[box_cabinet]
    upward = head[box_cabinet] + turn * box
    downward = foot[box_cabinet] - (turn - above[box_cabinet] + 1) * box
    of_manager = np.repeat(np.arange(cabinets), managers)
    of_pdu = np.repeat(np.arange(cabinets), interior.pdu_count(catalog) if catalog.pdu and catalog.pdu.units else 0)
    pdu_unit = 1 + interior.reserve_bottom_units + rank(of_pdu) * (catalog.pdu.units if catalog.pdu else 0)
    return Stack(
        unit_of=head[cabinet_of] - (place + 1) * router - (place // per + 1) * manager,
        box_unit=np.where(over, upward, downward),
        fixture_kind=np.repeat([FIXTURES.index("cable manager"), FIXTURES.index("PDU")], [len(of_manager), len(of_pdu)]),
        fixture_cabinet=np.concatenate([of_manager, of_pdu]),
        fixture_unit=np.concatenate([head[of_manager] - rank(of_manager) * (per * router + manager) - manager, pdu_unit]),
    )


def rank(label: np.ndarray) -> np.ndarray:
    """Return the position of each entry among those with the same label, int64 (n,)."""
    label = np.asarray(label)
    order = np.argsort(label, kind="stable")
    start = np.searchsorted(label[order], label[order])
    place = np.empty(len(label), np.int64)
    place[order] = np.arange(len(label)) - start
    return place
