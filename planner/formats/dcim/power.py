"""NetBox' tables of power: panels, feeds, PDUs with outlets, supplies of devices, and the cords between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from planner.domain.model import FEEDS
from planner.domain.parts import PduPart
from planner.formats.dcim.export import Export
from planner.formats.dcim.pdus import Pdu
from planner.view.cords import cords

INPUT = "input"
"""Name of the power port of a PDU."""

PANEL = ("site", "name", "description")
FEED = ("rack", "name", "status", "type", "supply", "phase", "voltage", "amperage", "description")
PORT = ("device", "name", "maximum_draw", "allocated_draw", "description")
OUTLET = ("device", "name", "power_port")
CORD = (
    "side_a_site", "side_a_device", "side_a_type", "side_a_name", "side_b_site", "side_b_device", "side_b_power_panel",
    "side_b_type", "side_b_name", "type", "status",
)  # fmt: skip


@dataclass(frozen=True)
class Power:
    """Power of a plan whose cabinets have feeds; without feeds, supplies of devices alone."""

    export: Export

    @property
    def part(self) -> PduPart | None:
        return self.export.plan.catalog.pdu if self.export.plan.placement.feeds else None

    @property
    def pdus(self) -> list[Pdu]:
        return self.export.pdus

    def panels(self) -> Iterator[tuple]:
        for feed in sorted({pdu.feed for pdu in self.pdus}):
            yield self.export.site, _panel(feed), f"all PDUs of feed {FEEDS[feed]}"

    def feed_columns(self) -> tuple[str, ...]:
        return "site", "power_panel", *(() if self.export.groups else ("location",)), *FEED

    def feeds(self) -> Iterator[tuple]:
        part = self.part
        for pdu in self.pdus:
            assert part is not None
            phase = "three-phase" if part.phases == 3 else "single-phase"
            where = self.export.site, _panel(pdu.feed), *self.export.location(pdu.cabinet), self.export.rack(pdu.cabinet)
            kind = "redundant" if pdu.feed else "primary"
            yield *where, pdu.name, self.export.status, kind, "ac", phase, part.volts, part.amps, part.plug

    def ports(self) -> Iterator[tuple]:
        """Yield the supplies of every box, which share its power, and the inputs of PDUs."""
        for device, name, count in self._boxes():
            part = self.export.plan.inventory.part_of(device)
            shares = [-(-power_mw // (1000 * count)) for power_mw in (part.power_max_mw, part.power_typical_mw)]
            yield from ((name, f"PSU{number + 1}", *(share or "" for share in shares), "") for number in range(count))
        for pdu in self.pdus:
            assert self.part is not None
            yield pdu.name, INPUT, self.part.limit_mw // 1000, "", self.part.plug

    def outlets(self) -> Iterator[tuple]:
        for pdu in self.pdus:
            assert self.part is not None
            yield from ((pdu.name, f"outlet{number + 1}", INPUT) for number in range(self.part.outlets))

    def cords(self) -> Iterator[tuple]:
        """Yield the cord of every supply to the next outlet of its PDU, then those of PDUs to their feeds."""
        if self.part is None:
            return
        export = self.export
        home = {(pdu.cabinet, pdu.feed, pdu.number): pdu.name for pdu in self.pdus}
        status = "connected" if export.built else "planned"
        for cord in cords(export.plan):
            if cord.outlet is not None:
                side = export.site, export.box_of[cord.device], "dcim.powerport", f"PSU{cord.supply}"
                name = home[cord.cabinet, cord.feed, cord.pdu]
                yield *side, export.site, name, "", "dcim.poweroutlet", f"outlet{cord.outlet}", "power", status
        for pdu in self.pdus:
            far = export.site, "", _panel(pdu.feed), "dcim.powerfeed", pdu.name
            yield export.site, pdu.name, "dcim.powerport", INPUT, *far, "power", status

    def _boxes(self) -> Iterator[tuple[int, str, int]]:
        """Yield first device, name and number of supplies of each box that draws power."""
        for inside in self.export.boxes:
            part = self.export.plan.inventory.part_of(inside[0])
            if part.psu_count and part.power_max_mw:
                yield inside[0], self.export.box_of[inside[0]], part.psu_count


def _panel(feed: int) -> str:
    return f"feed {FEEDS[feed]}"
