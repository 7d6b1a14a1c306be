"""Tables of NetBox of sites, racks, roles, types and devices, and the names that all its tables share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import cycle

import numpy as np

from planner.domain.model import FIXTURES, Plan
from planner.formats.dcim.pdus import Pdu, pdus_of
from planner.formats.dcim.present import Present
from planner.view.cabinets import devices_by_box
from planner.view.ends import fitted, plain
from planner.view.names import device_names, is_named
from planner.view.selection import WHOLE, Selection

FRAME_ROLE = "patch panel"

_SLUG = "a-zA-Z0-9_-"
_ROUTER_COLORS = ("1f77b4", "9467bd", "17becf", "ff7f0e")
_COLORS = {"endpoint": "2ca02c", "node": "2ca02c", "cable manager": "7f7f7f", "PDU": "d62728", FRAME_ROLE: "8c564b"}

RACK_TYPE = (
    "manufacturer", "model", "slug", "form_factor", "width", "u_height", "starting_unit", "desc_units",
    "outer_width", "outer_height", "outer_depth", "outer_unit", "weight", "max_weight", "weight_unit",
)  # fmt: skip
DEVICE_TYPE = ("manufacturer", "model", "slug", "part_number", "u_height", "is_full_depth", "weight", "weight_unit")
DEVICE = (
    "name", "role", "manufacturer", "device_type", "status", "site", "rack", "position", "face", "description",
)  # fmt: skip


@dataclass(frozen=True)
class Export:
    """Tables of NetBox; each refers to earlier ones by name."""

    plan: Plan
    site: str
    maker: str
    built: bool
    groups: bool
    """Whether rows are rack groups and looms cable bundles."""
    selection: Selection = WHOLE
    present: Present = field(default_factory=Present)
    """What NetBox holds already."""

    @property
    def status(self) -> str:
        return "active" if self.built else "planned"

    @cached_property
    def pdus(self) -> list[Pdu]:
        return pdus_of(self.plan, self.rack_names, self.names)

    def location(self, cabinet: int) -> tuple[str, ...]:
        """Return the location of a rack where rows are locations, otherwise nothing: NetBox looks racks up by it."""
        room, slot = self.plan.room, self.plan.placement.slot_of[cabinet]
        return () if self.groups else (self.row_names[room.row_names[room.slot_row[slot]]],)

    @cached_property
    def rack_names(self) -> dict[str, str]:
        return fitted(self.plan.room.slot_names, 100)

    @cached_property
    def row_names(self) -> dict[str, str]:
        """Return the names of rows; rack groups belong to no site, and have its name in theirs."""
        names = self.plan.room.row_names
        if not self.groups:
            return fitted(names, 100)
        long = {name: f"{self.site} {name}" for name in names}
        short = fitted(list(long.values()), 100)
        return {name: short[whole] for name, whole in long.items()}

    @cached_property
    def names(self) -> list[str]:
        return device_names(self.plan)

    @cached_property
    def boxes(self) -> list[list[int]]:
        """Return the devices of each box, in the order of the first ones."""
        return sorted(devices_by_box(self.plan))

    @cached_property
    def box_of(self) -> dict[int, str]:
        """Return the name of the box of each device: its first device and the number of others."""
        return {
            device: self.names[inside[0]] + (f"+{len(inside) - 1}" if len(inside) > 1 else "")
            for inside in self.boxes
            for device in inside
        }

    @cached_property
    def role_names(self) -> list[str]:
        """Return the roles of devices, as NetBox calls them; nodes of a network without a name are called endpoints."""
        names = list(self.plan.inventory.role_names)
        if not is_named(self.plan):
            names = ["endpoint" if name == "node" else name for name in names]
        known = self.present.names.get("device_roles", {})
        return [known.get(slug(name), name) for name in names]

    def rack(self, cabinet: int) -> str:
        return self.rack_names[self.plan.room.slot_names[self.plan.placement.slot_of[cabinet]]]

    # -- manufacturers ------------------------------------------------------------------------

    @cached_property
    def _makers(self) -> dict[str, str]:
        """The maker of each part that states one; of makers with one slug, which is unique in NetBox, the first.

        Those that NetBox has keep the name that they have there.
        """
        catalog, named = self.plan.catalog, {slug(self.maker): self.maker} | self.present.names.get("manufacturers", {})
        parts = [part for part in (catalog.cabinet, catalog.pdu, catalog.manager) if part is not None]
        stated = {part.id: part.maker[:100] for part in (*parts, *self.plan.inventory.parts) if part.maker}
        return {part: named.setdefault(slug(maker), maker) for part, maker in stated.items()}

    def maker_of(self, part: str) -> str:
        """Return the manufacturer of a part by its id."""
        return self._makers.get(part, self._usual_maker)

    @property
    def _usual_maker(self) -> str:
        return self.present.names.get("manufacturers", {}).get(slug(self.maker), self.maker)

    def manufacturers(self) -> Iterator[tuple]:
        yield from ((name, slug(name)) for name in dict.fromkeys((self._usual_maker, *self._makers.values())))

    # -- racks --------------------------------------------------------------------------------

    def rows(self) -> Iterator[tuple]:
        slugs = plain(self.row_names.values(), _SLUG, 100)
        yield from ((name, slugs[name]) for name in self.row_names.values())

    def locations(self) -> Iterator[tuple]:
        yield from ((self.site, name, slug, self.status) for name, slug in self.rows())

    def rack_types(self) -> Iterator[tuple]:
        part = self.plan.catalog.cabinet
        yield (
            self.maker_of(part.id), part.id[:100], slug(part.id), "4-post-cabinet", 19, part.units, 1, "false",
            part.width_mm, part.height_mm, part.depth_mm, "mm", _kg(part.mass_g), part.load_g // 1000, "kg",
        )  # fmt: skip

    def racks(self) -> Iterator[tuple]:
        room, slots = self.plan.room, self.plan.placement.slot_of
        for cabinet in np.argsort(slots, kind="stable").tolist():
            row = room.row_names[room.slot_row[slots[cabinet]]]
            x, y = room.slot_xy[slots[cabinet]].tolist()
            about = f"center at x {x} mm, y {y} mm"
            yield self.site, self.row_names[row], self.rack(cabinet), self.status, self.plan.catalog.cabinet.id[:100], about

    # -- devices ------------------------------------------------------------------------------

    def slug(self, name: str) -> str:
        return slug(name)

    def roles(self, more: str = "") -> Iterator[tuple]:
        """Yield the roles in use, and one more if named."""
        colors = cycle(_ROUTER_COLORS)
        fixtures = (*FIXTURES, *((more,) if more else ()))
        for name in dict.fromkeys((*self.role_names, *map(self.role_of_fixture, fixtures))):
            yield name, slug(name), _COLORS.get(name) or next(colors)

    def role_of_fixture(self, kind: str) -> str:
        """Return the role of cable managers or PDUs: one of the study if it has the same slug, which is unique in NetBox."""
        return next((name for name in self.role_names if slug(name) == slug(kind)), kind)

    def device_types(self) -> Iterator[tuple]:
        catalog = self.plan.catalog
        fixtures = {"cable manager": catalog.manager, "PDU": catalog.pdu}
        used = {FIXTURES[kind] for kind in np.unique(self.plan.placement.fixture_kind).tolist()}
        used |= {"PDU"} if self.pdus else set()
        parts = [
            *self.plan.inventory.parts,
            *(part for kind in FIXTURES if kind in used and (part := fixtures[kind]) is not None),
        ]
        for part in {part.id: part for part in parts}.values():
            number = (part.part_number or part.id)[:50]
            yield self.maker_of(part.id), part.id[:100], slug(part.id), number, part.units, "true", _kg(part.mass_g), "kg"

    def module_types(self) -> Iterator[tuple]:
        made_of = self.plan.cables.assemblies
        ends = {end.part: f"{made.rate_gbps} Gb/s {made.kind}" for made in made_of for end in made.ends if end.part}
        yield from ((self.maker_of(part), part[:100], part[:50], about[:200]) for part, about in sorted(ends.items()))

    def devices(self) -> Iterator[tuple]:
        inventory, placement, catalog = self.plan.inventory, self.plan.placement, self.plan.catalog
        for inside in self.boxes:
            first = inside[0]
            part, is_router = inventory.part_of(first), inventory.is_router[first]
            about = "" if is_router else ", ".join(self.names[device] for device in inside)
            cabinet, unit = int(placement.cabinet[first]), int(placement.unit[first])
            role, face = self.role_names[inventory.role[first]], part.port_side if is_router else "front"
            yield self._device(self.box_of[first], role, part.id, cabinet, unit, face, part.units, about)
        fixtures = zip(
            *(a.tolist() for a in (placement.fixture_kind, placement.fixture_cabinet, placement.fixture_unit)), strict=True
        )
        for number, (kind, cabinet, unit) in enumerate(fixtures, 1):
            if FIXTURES[kind] == "cable manager" and (part := catalog.manager) is not None:
                yield self._device(
                    f"M{number:04d}", self.role_of_fixture(FIXTURES[kind]), part.id, cabinet, unit, "front", part.units
                )
        for pdu in self.pdus:
            if pdu.is_node:
                continue
            part, height = catalog.pdu, 0 if pdu.unit is None else catalog.pdu.units
            yield self._device(pdu.name, self.role_of_fixture("PDU"), part.id, pdu.cabinet, pdu.unit or 0, "rear", height)

    def _device(self, name: str, role: str, part: str, cabinet: int, unit: int, face: str, units: int, about: str = "") -> tuple:
        place = (unit, face) if units else ("", "")  # a device without units is mounted elsewhere
        return (name, role, self.maker_of(part), part[:100], self.status, self.site, self.rack(cabinet), *place, about[:200])


def slug(name: str) -> str:
    """Return a name as NetBox writes it in addresses."""
    return plain([name], _SLUG, 100)[name].lower()


def _kg(mass_g: int) -> str:
    return f"{-(-mass_g // 10) / 100:g}"
