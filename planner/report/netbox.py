"""CSV files that NetBox imports: racks, devices, interfaces, cables and power, in one archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from pathlib import Path
from typing import Any, Literal

import numpy as np

from planner.errors import InputError, Problem
from planner.model import FIXTURES, Plan
from planner.report.content.cabinets import devices_by_box
from planner.report.content.ends import fitted, plain
from planner.report.content.names import device_names, is_named
from planner.report.content.selection import WHOLE, Selection
from planner.report.dcim.cables import BUNDLE, Cables
from planner.report.dcim.interfaces import Interfaces
from planner.report.dcim.panels import REAR, ROLE, PanelTables
from planner.report.dcim.power import CORD, OUTLET, PANEL, PORT, Power
from planner.report.workbooks.book import archive, csv_lines

ENDING = ".netbox.zip"

_SLUG = "a-zA-Z0-9_-"
_ROUTER_COLORS = ("1f77b4", "9467bd", "17becf", "ff7f0e")
_COLORS = {"endpoint": "2ca02c", "node": "2ca02c", "cable manager": "7f7f7f", "PDU": "d62728", ROLE: "8c564b"}

Table = tuple[Sequence[str], Iterable[Sequence[Any]]]


def write(
    plan: Plan,
    path: Path,
    *,
    lanes: Literal["rows", "lists"] = "rows",
    site: str | None = None,
    manufacturer: str = "Generic",
    built: bool = False,
    version: Literal["4.5", "4.6"] = "4.6",
    selection: Selection = WHOLE,
) -> None:
    """Write the files; names begin with the import order, header rows are those of NetBox' import forms.

    Parameters
    ----------
    lanes
        How cables with several links are written. ``rows``: a row for each link, as NetBox 4.5 and 4.6 need it, whose
        import takes one end on each side. ``lists``: a row for each cable with lists of ends, for later versions.
    site
        Name of the site; by default the room's title.
    manufacturer
        Manufacturer of the rack, device and module types whose catalog rows state no maker.
    built
        Whether racks and devices are active and cables connected; otherwise all are planned.
    version
        The version of NetBox: rows of cabinets are rack groups from 4.6 on, locations before; cable bundles exist from 4.6 on.
    selection
        Which cables; all equipment is written, to be imported once before the cables of its parts.

    Raises
    ------
    InputError
        When the plan has no cables, not the part of the selection, or a name that NetBox would refuse.

    References
    ----------
    .. [1] netbox-community/netbox v4.5 and v4.6.8, netbox/dcim/forms/bulk_import.py and netbox/dcim/choices.py.
    """
    export = _export(plan, site, manufacturer, built, version, selection)
    where, power, interfaces = export.site, Power(export), Interfaces(export)
    panels = PanelTables.of(export, interfaces)
    ported = panels if panels is not None and panels.ported else None
    cables = Cables(export, interfaces, ported)
    tables: dict[str, Table] = {
        "manufacturers": (("name", "slug"), export.manufacturers()),
        "sites": (("name", "slug", "status"), [(where, _slug(where), export.status)]),
        **(
            {"rack_groups": (("name", "slug"), export.rows())}
            if export.groups
            else {"locations": (("site", "name", "slug", "status"), export.locations())}
        ),
        "rack_types": (_RACK_TYPE, [*export.rack_types(), *(panels.rack_types() if panels else ())]),
        "racks": (
            ("site", "group" if export.groups else "location", "name", "status", "rack_type", "description"),
            [*export.racks(), *(panels.racks() if panels else ())],
        ),
        "device_roles": (("name", "slug", "color"), export.roles(ROLE if panels else "")),
        "device_types": (_DEVICE_TYPE, [*export.device_types(), *(panels.device_types() if panels else ())]),
        "module_types": (("manufacturer", "model", "part_number", "description"), export.module_types()),
        "devices": (_DEVICE, [*export.devices(), *(panels.devices() if panels else ())]),
        "interfaces": (interfaces.columns, interfaces.rows()),
        **(
            {"rear_ports": (REAR, ported.rear_ports()), "front_ports": (ported.front_columns(), ported.front_ports())}
            if ported
            else {}
        ),
        **({"cable_bundles": (BUNDLE, cables.bundles())} if export.groups else {}),
        "cables": (cables.columns, cables.rows() if lanes == "rows" else cables.whole()),
        "power_panels": (PANEL, power.panels()),
        "power_feeds": (power.feed_columns(), power.feeds()),
        "power_ports": (PORT, power.ports()),
        "power_outlets": (OUTLET, power.outlets()),
        "power_cables": (CORD, power.cords()),
    }
    archive(path, {f"{n:02d}_{name}.csv": csv_lines(*table) for n, (name, table) in enumerate(tables.items(), 1)})


def connected_cables(plan: Plan, *, site: str | None = None, version: Literal["4.5", "4.6"] = "4.6") -> Table:
    """Return columns and rows of the table of cables with the status connected, a row for each link.

    Cables over panels are left out. The comments of a row begin with the number of its cable.

    Raises
    ------
    InputError
        As `write`.
    """
    export = _export(plan, site, "Generic", True, version, WHOLE)
    interfaces = Interfaces(export)
    panels = PanelTables.of(export, interfaces)
    cables = Cables(export, interfaces, panels if panels is not None and panels.ported else None)
    return cables.columns, (row for row in cables.rows() if str(row[-1]).startswith("cable "))


def built_devices(
    plan: Plan, *, site: str | None = None, version: Literal["4.5", "4.6"] = "4.6"
) -> tuple[Table, dict[str, list[str]]]:
    """Return columns and rows of the table of devices with the status active, and the devices of the plan in each by its name.

    Raises
    ------
    InputError
        As `write`.
    """
    export, names = _export(plan, site, "Generic", True, version, WHOLE), device_names(plan)
    inside = {export.box_of[own[0]]: [names[device] for device in own] for own in export.boxes}
    return (_DEVICE, (row for row in export.devices() if row[0] in inside)), inside


def _export(plan: Plan, site: str | None, manufacturer: str, built: bool, version: str, selection: Selection) -> Export:
    """Return what an export writes, after checking what names it.

    Raises
    ------
    InputError
        As `write`.
    """
    selection.cables(plan)
    for place, name in (("site", site), ("manufacturer", manufacturer)):
        if name is not None and not 0 < len(name.strip()) <= 100:
            raise InputError(Problem(place, f"has {len(name.strip())} characters", "NetBox takes 1 to 100"))
    where = (site or plan.room.title or plan.room.name).strip()[:100]
    return Export(plan, where, manufacturer.strip(), built, version != "4.5", selection)


_RACK_TYPE = (
    "manufacturer", "model", "slug", "form_factor", "width", "u_height", "starting_unit", "desc_units",
    "outer_width", "outer_height", "outer_depth", "outer_unit", "weight", "max_weight", "weight_unit",
)  # fmt: skip
_DEVICE_TYPE = ("manufacturer", "model", "slug", "part_number", "u_height", "is_full_depth", "weight", "weight_unit")
_DEVICE = (
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

    @property
    def status(self) -> str:
        return "active" if self.built else "planned"

    @property
    def power(self) -> Power:
        return Power(self)

    def location(self, cabinet: int) -> tuple[str, ...]:
        """Return the location of a rack where rows are locations, otherwise nothing: NetBox looks racks up by it."""
        room, slot = self.plan.room, self.plan.placement.slot_of[cabinet]
        return () if self.groups else (self.row_names[room.row_names[room.slot_row[slot]]],)

    @cached_property
    def rack_names(self) -> dict[str, str]:
        return fitted(self.plan.room.slot_names, 100)

    @cached_property
    def row_names(self) -> dict[str, str]:
        return fitted(self.plan.room.row_names, 100)

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
        """Return the roles of devices; nodes of a network without a name are called endpoints."""
        if is_named(self.plan):
            return list(self.plan.inventory.role_names)
        return ["endpoint" if name == "node" else name for name in self.plan.inventory.role_names]

    def rack(self, cabinet: int) -> str:
        return self.rack_names[self.plan.room.slot_names[self.plan.placement.slot_of[cabinet]]]

    # -- manufacturers ------------------------------------------------------------------------

    @cached_property
    def _makers(self) -> dict[str, str]:
        """The maker of each part that states one; of makers with one slug, which is unique in NetBox, the first."""
        catalog, named = self.plan.catalog, {_slug(self.maker): self.maker}
        parts = [part for part in (catalog.cabinet, catalog.pdu, catalog.manager) if part is not None]
        stated = {part.id: part.maker[:100] for part in (*parts, *self.plan.inventory.parts) if part.maker}
        return {part: named.setdefault(_slug(maker), maker) for part, maker in stated.items()}

    def maker_of(self, part: str) -> str:
        """Return the manufacturer of a part by its id."""
        return self._makers.get(part, self.maker)

    def manufacturers(self) -> Iterator[tuple]:
        yield from ((name, _slug(name)) for name in dict.fromkeys((self.maker, *self._makers.values())))

    # -- racks --------------------------------------------------------------------------------

    def rows(self) -> Iterator[tuple]:
        slugs = plain(self.row_names.values(), _SLUG, 100)
        yield from ((name, slugs[name]) for name in self.row_names.values())

    def locations(self) -> Iterator[tuple]:
        yield from ((self.site, name, slug, self.status) for name, slug in self.rows())

    def rack_types(self) -> Iterator[tuple]:
        part = self.plan.catalog.cabinet
        yield (
            self.maker_of(part.id), part.id[:100], _slug(part.id), "4-post-cabinet", 19, part.units, 1, "false",
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
        return _slug(name)

    def roles(self, more: str = "") -> Iterator[tuple]:
        """Yield the roles in use, and one more if named."""
        colors = cycle(_ROUTER_COLORS)
        fixtures = (*FIXTURES, *((more,) if more else ()))
        for name in dict.fromkeys((*self.role_names, *map(self.role_of_fixture, fixtures))):
            yield name, _slug(name), _COLORS.get(name) or next(colors)

    def role_of_fixture(self, kind: str) -> str:
        """Return the role of cable managers or PDUs: one of the study if it has the same slug, which is unique in NetBox."""
        return next((name for name in self.role_names if _slug(name) == _slug(kind)), kind)

    def device_types(self) -> Iterator[tuple]:
        catalog = self.plan.catalog
        fixtures = {"cable manager": catalog.manager, "PDU": catalog.pdu}
        used = {FIXTURES[kind] for kind in np.unique(self.plan.placement.fixture_kind).tolist()}
        used |= {"PDU"} if self.power.pdus else set()
        parts = [
            *self.plan.inventory.parts,
            *(part for kind in FIXTURES if kind in used and (part := fixtures[kind]) is not None),
        ]
        for part in {part.id: part for part in parts}.values():
            number = (part.part_number or part.id)[:50]
            yield self.maker_of(part.id), part.id[:100], _slug(part.id), number, part.units, "true", _kg(part.mass_g), "kg"

    def module_types(self) -> Iterator[tuple]:
        ends = {made.end_part: f"{made.rate_gbps} Gb/s {made.kind}" for made in self.plan.cables.assemblies if made.end_part}
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
        for pdu in self.power.pdus:
            part, height = catalog.pdu, 0 if pdu.unit is None else catalog.pdu.units
            yield self._device(pdu.name, self.role_of_fixture("PDU"), part.id, pdu.cabinet, pdu.unit or 0, "rear", height)

    def _device(self, name: str, role: str, part: str, cabinet: int, unit: int, face: str, units: int, about: str = "") -> tuple:
        place = (unit, face) if units else ("", "")  # a device without units is mounted elsewhere
        return (name, role, self.maker_of(part), part[:100], self.status, self.site, self.rack(cabinet), *place, about[:200])


def _slug(name: str) -> str:
    return plain([name], _SLUG, 100)[name].lower()


def _kg(mass_g: int) -> str:
    return f"{-(-mass_g // 10) / 100:g}"
