"""Device types of NetBox with templates of their interfaces, power ports and outlets, as its import of YAML takes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from planner.formats.dcim.export import DEVICE_TYPE, Export
from planner.formats.dcim.interfaces import Interfaces
from planner.formats.dcim.power import INPUT, Power

_AIRFLOWS = {"port-side intake": ("front-to-rear", "rear-to-front"), "port-side exhaust": ("rear-to-front", "front-to-rear")}
"""Airflow of a device whose ports are at its front, and at its rear."""


def documents(export: Export, interfaces: Interfaces, power: Power) -> Iterator[str]:
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
