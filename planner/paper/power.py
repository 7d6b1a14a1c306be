"""Power of a cabinet on paper: the outlet of every supply, and the breaker of every PDU."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from planner.domain.model import FEEDS, Plan
from planner.paper.blocks import Block, heading, paragraph, space
from planner.paper.sheet import TEXT_WIDTH
from planner.paper.table import Column, Table
from planner.view.cabinets import Cabinet
from planner.view.cords import Cord, breakers, cords
from planner.view.figures import grouped

_SIZE = 6.0
_PDUS = (
    Column("PDU"), Column("breaker"), Column("plug"), Column("outlets used", "right"), Column("load, both feeds (kW)", "right"),
    Column("load, this feed alone (kW)", "right"), Column("limit (kW)", "right"),
)  # fmt: skip
_ACROSS = 2


@dataclass(frozen=True)
class PowerTables:
    """The cords of each cabinet, by its number, and the breakers of its PDUs."""

    plan: Plan
    cords: dict[int, list[Cord]]
    breakers: dict[tuple[int, int, int], tuple[str, int]]

    @classmethod
    def of(cls, plan: Plan) -> PowerTables:
        """Gather the cords of all cabinets."""
        found: dict[int, list[Cord]] = defaultdict(list)
        for cord in cords(plan):
            found[cord.cabinet].append(cord)
        return cls(plan, found, breakers(plan))

    def blocks(self, cabinet: Cabinet) -> list[Block]:
        """Return the PDUs of a cabinet with their breakers, and the outlet of every supply; nothing without PDUs."""
        if not any(cabinet.pdus):
            return []
        text = (
            "The panel of each feed of a row has its breakers in the order of the cabinets. 1: A1/3 means supply 1 in outlet 3 "
            "of PDU A1; supplies and outlets are counted from 1 as on the devices."
        )
        pdus = [row for feed in range(len(cabinet.pdus)) for row in self._pdus(cabinet, feed)]
        return [
            space(4), heading("Power", size=10), paragraph(text, 7, keep=True),
            *Table.of(_PDUS, pdus, TEXT_WIDTH, _SIZE).blocks(pdus), space(4), *self._supplies(cabinet),
        ]  # fmt: skip

    def _pdus(self, cabinet: Cabinet, feed: int) -> list[tuple[str, ...]]:
        part, rows = self.plan.catalog.pdu, []
        for number, pdu in enumerate(cabinet.pdus[feed]):
            panel, position = self.breakers[cabinet.number, feed, number]
            own = [cord for cord in self.cords.get(cabinet.number, ()) if (cord.feed, cord.pdu) == (feed, number)]
            used = f"{sum(cord.outlet is not None for cord in own)} of {part.outlets}"
            loads = (grouped(mw / 1e6, 1) for mw in (pdu.normal_mw, pdu.alone_mw, pdu.limit_mw))
            supply = part.plug or f"{part.phases} x {part.amps} A, {part.volts} V"
            rows.append((pdu.name, f"{panel}, position {position}", supply, used, *loads))
        return rows

    def _supplies(self, cabinet: Cabinet) -> list[Block]:
        """Return the supplies of every box and their outlets, several boxes in a line."""
        by_device: dict[int, list[Cord]] = defaultdict(list)
        for cord in self.cords.get(cabinet.number, ()):
            by_device[cord.device].append(cord)
        boxes = [
            (str(box.unit) if box.unit > 0 else "upright", box.name, ", ".join(map(_cord, by_device[box.device])))
            for box in cabinet.boxes
            if box.device in by_device
        ]
        depth = -(-len(boxes) // _ACROSS)
        none = ("", "", "")
        rows = [
            sum((boxes[place] if place < len(boxes) else none for place in range(row, depth * _ACROSS, depth)), ())
            for row in range(depth)
        ]
        columns = (Column("unit", "right"), Column("device"), Column("supply: outlet")) * _ACROSS
        return Table.of(columns, rows, TEXT_WIDTH, _SIZE).blocks(rows) if rows else []


def _cord(cord: Cord) -> str:
    outlet = f"{FEEDS[cord.feed]}{cord.pdu + 1}/{cord.outlet}" if cord.outlet is not None else "no outlet left"
    return f"{cord.supply}:\u00a0{outlet}"
