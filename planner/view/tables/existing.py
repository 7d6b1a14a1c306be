"""What is in the room already, as the study and its files state it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from planner.domain.model import Plan
from planner.view.tables.table import EVERYWHERE, FILE_AND_PAGE, Column, Table, each


@dataclass(frozen=True)
class Entry:
    """One row: what there is, where, and what it takes; None for figures that do not apply."""

    kind: str
    place: str
    name: str = ""
    low_unit: int | None = None
    units: int | None = None
    power_mw: int | None = None
    mass_g: int | None = None
    fill_um2: int | None = None
    source: str = ""

    @property
    def span(self) -> str:
        """Its rack units as text."""
        if self.low_unit is None:
            return ""
        high = self.low_unit + (self.units or 1) - 1
        return str(self.low_unit) if high == self.low_unit else f"{self.low_unit}–{high}"


def _data(plan: Plan) -> list[Entry] | None:
    return [*_entries(plan)] or None if plan.room is not None else None


def _entries(plan: Plan) -> Iterator[Entry]:
    room, existing = plan.room, plan.room.existing
    for item in existing.equipment:
        low, units = (item.low_unit, item.units) if item.units else (None, None)
        where, power, mass = room.slot_names[item.slot], item.power_mw or None, item.mass_g or None
        yield Entry(item.kind, where, item.name, low, units, power, mass, source=item.source)
    for zone, power_mw in zip(room.zones, existing.zone_mw or (0,) * len(room.zones), strict=True):
        if power_mw:
            yield Entry("power", zone.name, "power in use", power_mw=power_mw)
    names = plan.inventory.names.tolist() if plan.inventory is not None else []
    for number, device in existing.fixed_among(names).items():
        height = plan.inventory.part_of(number).units
        yield Entry("must not move", room.slot_names[device.slot], names[number], device.unit, height, source=device.source)
    for number, area in enumerate(existing.tray_um2, 1):
        if area:
            tray = room.tray_names[room.segment_tray[number - 1]]
            yield Entry("cables", f"{tray}, segment {number}", "cables of others", fill_um2=area)


COLUMNS = (
    Column("kind", "kind", "cabinet, units, power, cables of others in a tray, or a device that must not move",
           each(lambda e: e.kind), shown=EVERYWHERE, width=16),
    Column("place", "place", "slot, zone or tray segment", each(lambda e: e.place), shown=EVERYWHERE, width=26),
    Column("name", "name", "name of the equipment or device", each(lambda e: e.name), shown=EVERYWHERE, width=30),
    Column("span", "rack units", "rack units that it takes", each(lambda e: e.span), shown=("paper", "page"), align="right"),
    Column("low_unit", "lowest unit", "lowest rack unit that it takes", each(lambda e: e.low_unit), "whole"),
    Column("units", "units", "number of rack units", each(lambda e: e.units), "whole"),
    Column("power_mw", "power", "its maximum power", each(lambda e: e.power_mw), "whole", "mW", shown=EVERYWHERE),
    Column("mass_g", "mass", "its mass", each(lambda e: e.mass_g), "whole", "g", shown=EVERYWHERE),
    Column("fill_um2", "cross-section", "cross-section of the cables", each(lambda e: e.fill_um2), "whole", "µm²",
           shown=EVERYWHERE),
    Column("source", "source", "file that states it; empty for the study", each(lambda e: e.source), shown=FILE_AND_PAGE,
           width=24),
)  # fmt: skip

EXISTING = Table(
    "existing",
    "What is in the room already: one row per cabinet or piece of equipment of others, power in use, device that must not move, "
    "and tray segment with cables of others. Only plans with such entries have the table.",
    _data,
    COLUMNS,
)
