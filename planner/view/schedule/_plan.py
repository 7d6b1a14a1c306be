"""The cable schedule of a plan, and of the folder of a plan."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from planner.core import reading, storage
from planner.core.errors import InputError, Problem
from planner.domain.model import CablePlan, Inventory, PanelPlan, Placement, Plan, Room
from planner.view.names import cabinet_names, device_names, end_place
from planner.view.schedule._difference import Device
from planner.view.schedule._record import Connection, End
from planner.view.tables.cables import Cables


def of_plan(plan: Plan) -> list[Connection]:
    """Return the rows of the cable schedule of a plan."""
    if plan.cables is None:
        return []
    table, cables = Cables(plan, plan.cables), plan.cables
    end_parts = [tuple(end.part for end in made.ends) for made in cables.assemblies]
    columns = (
        table.numbers,
        table.pieces(),
        table.networks.tolist() if plan.network_names != ("",) else [""] * cables.cable_count,
        table.kind.tolist(),
        _ends(table, 0),
        _ends(table, 1),
        cables.of_assembly("length_part").tolist(),
        [end_parts[number] for number in cables.assembly.tolist()],
        cables.of_assembly("medium").tolist(),
        cables.stock_mm.tolist(),
        cables.run_mm.tolist(),
        table.trays(" > ".join),
        table.trunks(),
        [cables.stage_names[number] for number in cables.stage.tolist()],
    )
    return [Connection(*row) for row in zip(*columns, strict=True)]


def devices_of_plan(plan: Plan) -> dict[str, Device]:
    """Return all devices of a placed plan by name, those without cables too."""
    inventory, placement = plan.inventory, plan.placement
    if inventory is None or placement is None or plan.room is None:
        return {}
    names, cabinets, models = device_names(plan), cabinet_names(plan), [part.id for part in inventory.parts]
    columns = (names, placement.cabinet.tolist(), placement.unit.tolist(), inventory.part.tolist())
    return {
        name: Device(end_place(cabinets[cabinet], unit), models[part]) for name, cabinet, unit, part in zip(*columns, strict=True)
    }


def _ends(table: Cables, side: int) -> Iterator[End]:
    cables = table.cables
    named, unnamed = table.plan.network_names != ("",), [""] * cables.cable_count
    columns = (
        table.device_names[cables.device[:, side]].tolist(),
        cables.port[:, side].tolist(),
        table.printed(side),
        table.cabinet_names[cables.cabinet[:, side]].tolist(),
        cables.unit[:, side].tolist(),
        (cables.label_a, cables.label_b)[side].tolist(),
        table.roles(side).tolist() if named else unnamed,
        table.panel_ports(side),
        table.device_kinds(side).tolist() if named else unnamed,
    )
    return (End(*row) for row in zip(*columns, strict=True))


_NEEDED = {"room": Room, "inventory": Inventory, "placement": Placement, "cables": CablePlan}
_PANELS = {"panels": PanelPlan}


def of_folder(folder: Path, *, key: str = "") -> list[Connection]:
    """Return the rows of the cable schedule of the plan in a folder; `key` is the key of the study that names it.

    Raises
    ------
    InputError
        When the folder has no finished plan, or its records do not fit together.
    """
    missing = [name for name in _NEEDED if not (folder / f"{name}.npz").is_file()]
    if missing:
        message = f"contains no finished plan: {', '.join(f'{name}.npz' for name in missing)} missing"
        raise InputError(Problem(key, message, "give the folder of a plan, or its cable schedule in CSV", str(folder)))
    kinds = {name: kind for name, kind in (_NEEDED | _PANELS).items() if (folder / f"{name}.npz").is_file()}
    records: dict[str, Any] = {name: storage.restore(kind, folder / f"{name}.npz") for name, kind in kinds.items()}
    try:
        study = json.loads(reading.text(folder / "provenance.json"))["study"]
        plan = Plan.of_records({"name": "", "title": "", "network": study.get("network", [])}, records)
        return of_plan(plan)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        raise InputError(Problem(key, "its records do not fit together", "run the plan again", str(folder))) from None
