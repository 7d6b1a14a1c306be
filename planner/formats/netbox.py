"""CSV files that NetBox imports: racks, devices, interfaces, cables and power, in one archive."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from planner.core.errors import InputError, Problem
from planner.core.section import collected
from planner.domain.model import Plan
from planner.formats.dcim.cables import BUNDLE, Cables
from planner.formats.dcim.export import DEVICE, DEVICE_TYPE, FRAME_ROLE, RACK_TYPE, Export, slug
from planner.formats.dcim.interfaces import Interfaces
from planner.formats.dcim.panels import REAR, PanelTables
from planner.formats.dcim.power import CORD, INPUT, OUTLET, PANEL, PORT, Power
from planner.formats.dcim.present import Present, elsewhere, read
from planner.formats.workbook.book import archive, csv_lines
from planner.view.names import device_names
from planner.view.selection import WHOLE, Selection

ENDING = ".netbox.zip"

Table = tuple[Sequence[str], Iterable[Sequence[Any]]]

_AIRFLOWS = {"port-side intake": ("front-to-rear", "rear-to-front"), "port-side exhaust": ("rear-to-front", "front-to-rear")}
"""Airflow of a device whose ports are at its front, and at its rear."""


def write(
    plan: Plan,
    path: Path,
    *,
    lanes: Literal["rows", "lists"] = "rows",
    site: str | None = None,
    manufacturer: str = "Generic",
    built: bool = False,
    version: Literal["4.5", "4.6"] = "4.6",
    templates: bool = False,
    existing: Path | None = None,
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
    templates
        Whether device types are YAML with their airflow and templates of their interfaces, power ports and outlets: NetBox
        makes these with each device, and the files hold the others alone. Otherwise they are CSV without templates.
    existing
        Folder with exports of a NetBox that has data: CSV files named after their table, such as ``netbox_racks.csv``, or
        answers of the REST interface. Rows that it has are left out, since an import form refuses a file with one of them.
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
    present = Present() if existing is None else read(existing)
    export = replace(_export(plan, site, manufacturer, built, version, selection), present=present)
    _require_own_names(export)
    where, power, interfaces = export.site, Power(export), Interfaces(export)
    panels = PanelTables.of(export, interfaces)
    ported = panels if panels is not None and panels.ported else None
    cables = Cables(export, interfaces, ported)
    tables: dict[str, Table] = {
        "manufacturers": (("name", "slug"), export.manufacturers()),
        "sites": (("name", "slug", "status"), [(where, slug(where), export.status)]),
        **(
            {"rack_groups": (("name", "slug"), export.rows())}
            if export.groups
            else {"locations": (("site", "name", "slug", "status"), export.locations())}
        ),
        "rack_types": (RACK_TYPE, [*export.rack_types(), *(panels.rack_types() if panels else ())]),
        "racks": (
            ("site", "group" if export.groups else "location", "name", "status", "rack_type", "description"),
            [*export.racks(), *(panels.racks() if panels else ())],
        ),
        "device_roles": (("name", "slug", "color"), export.roles(FRAME_ROLE if panels else "")),
        "device_types": (DEVICE_TYPE, [*export.device_types(), *(panels.device_types() if panels else ())]),
        "module_types": (("manufacturer", "model", "part_number", "description"), export.module_types()),
        "devices": (DEVICE, [*export.devices(), *(panels.devices() if panels else ())]),
        "interfaces": (interfaces.columns, interfaces.without_templates() if templates else interfaces.rows()),
        **(
            {"rear_ports": (REAR, ported.rear_ports()), "front_ports": (ported.front_columns(), ported.front_ports())}
            if ported
            else {}
        ),
        **({"cable_bundles": (BUNDLE, cables.bundles())} if export.groups else {}),
        "cables": (cables.columns, cables.rows() if lanes == "rows" else cables.whole()),
        "power_panels": (PANEL, power.panels()),
        "power_feeds": (power.feed_columns(), power.feeds()),
        "power_ports": (PORT, () if templates else power.ports()),
        "power_outlets": (OUTLET, () if templates else power.outlets()),
        "power_cables": (CORD, power.cords()),
    }
    files: dict[str, Iterable[str]] = {}
    for number, (name, (columns, rows)) in enumerate(tables.items(), 1):
        files[f"{number:02d}_{name}.csv"] = csv_lines(columns, present.absent(name, columns, rows))
        if templates and name == "device_types":
            del files[f"{number:02d}_{name}.csv"]
            files[f"{number:02d}_{name}.yaml"] = _documents(export, interfaces, power)
    archive(path, files)


def _require_own_names(export: Export) -> None:
    """Raise InputError when NetBox has devices of the same names at other sites."""
    if twice := elsewhere(export.present, export.site, dict.fromkeys(export.box_of.values())):
        name, where = twice[0]
        message = f"has {len(twice)} devices of the plan's names at other sites, such as {name} at {where}"
        remedy = "NetBox' import looks devices up by name: name those of the plan otherwise, such as names = … of [[network]]"
        raise InputError(Problem("existing", message, remedy))


def examine(*, existing: Path | None = None, site: str | None = None, manufacturer: str = "Generic", **others: object) -> None:
    """Reject exports that cannot be read, and names of a wrong length."""
    problems = [
        Problem(key, f"has {len(name.strip())} characters", "NetBox takes 1 to 100")
        for key, name in (("site", site), ("manufacturer", manufacturer))
        if name is not None and not 0 < len(name.strip()) <= 100
    ]
    with collected(problems):
        if existing is not None:
            read(existing)
    if problems:
        raise InputError(problems)


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
    return (DEVICE, (row for row in export.devices() if row[0] in inside)), inside


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


def _documents(export: Export, interfaces: Interfaces, power: Power) -> Iterator[str]:
    """Yield the lines of a document for each device type; values are JSON, which YAML includes."""
    parts = {part.id[:100]: part for part in export.plan.inventory.parts}
    ports = {(device, name): row for device, name, *row in power.ports()}
    outlets = list(power.outlets())
    example = {export.plan.inventory.part_of(inside[0]).id[:100]: export.box_of[inside[0]] for inside in reversed(export.boxes)}
    if export.pdus and export.plan.catalog.pdu is not None:
        example[export.plan.catalog.pdu.id[:100]] = export.pdus[0].name
    for row in export.present.absent("device_types", DEVICE_TYPE, export.device_types()):
        content: dict[str, Any] = dict(zip(DEVICE_TYPE, row, strict=True))
        content |= {key: float(content[key]) for key in ("u_height", "weight")} | {"is_full_depth": True}
        device, part = example.get(content["model"]), parts.get(content["model"])
        if part is not None and (flow := airflow(part)):
            content["airflow"] = flow
        lists = {
            "interfaces": [] if part is None else interfaces.templates(part),
            "power-ports": [_power_port(name, own) for (of, name), own in ports.items() if of == device],
            "power-outlets": [{"name": name, "power_port": INPUT} for of, name, _ in outlets if of == device],
        }
        yield "---"
        yield from (f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in content.items() if value != "")
        for key, entries in lists.items():
            if entries:
                yield f"{key}:"
                yield from (f"  - {json.dumps(entry, ensure_ascii=False)}" for entry in entries)


def airflow(part: Any) -> str:
    """Return the airflow of a device type of one variant; "" where there are several, or it is not known.

    Routers are mounted with their front, where their ports are, at the port side of the cabinet; other boxes with their front at
    its front.
    """
    if len(part.airflow) != 1:
        return ""
    at_rear = hasattr(part, "endpoints") and part.port_side == "rear"
    return "passive" if part.airflow[0] == "none" else _AIRFLOWS[part.airflow[0]][at_rear]


def _power_port(name: str, own: list[Any]) -> dict[str, Any]:
    """Return the template of a power port from a row of the table without device and name."""
    draws = {key: int(value) for key, value in zip(("maximum_draw", "allocated_draw"), own, strict=False) if value != ""}
    return {"name": name, **draws}
