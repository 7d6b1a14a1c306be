"""Cable schedules to compare: that of a plan, of the folder of a plan, or of a file."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any, NamedTuple

from planner import reading, storage
from planner.errors import InputError, Problem
from planner.model import CablePlan, Inventory, Placement, Plan, Room
from planner.report._names import cabinet_names, device_names, end_place, printed_ports, tray_names
from planner.spreadsheet import MAX_ROWS, original


class End(NamedTuple):
    """One end of a connection: device and port by number, which identify it, where it is, and the port as printed."""

    device: str
    port: int
    place: str
    printed: str

    def __str__(self) -> str:
        return f"{self.place}, {self.device} {self.printed}"


class Connection(NamedTuple):
    """A row of a cable schedule; `number` is that of the row, from 1."""

    number: int
    a: End
    b: End
    part: str
    stock_mm: int
    run_mm: int
    trays: str


def of_plan(plan: Plan) -> list[Connection]:
    """Return the rows of the cable schedule of a plan."""
    cables = plan.cables
    if cables is None:
        return []
    names, cabinets = device_names(plan), cabinet_names(plan)
    routes = [" > ".join(trays) for trays in tray_names(plan)]
    ends = [
        [
            End(names[device], port, end_place(cabinets[cabinet], unit), printed)
            for device, port, cabinet, unit, printed in zip(
                *(array[:, side].tolist() for array in (cables.device, cables.port, cables.cabinet, cables.unit)),
                printed_ports(plan, side),
                strict=True,
            )
        ]
        for side in (0, 1)
    ]
    parts = cables.of_assembly("length_part").tolist()
    columns = (parts, cables.stock_mm.tolist(), cables.run_mm.tolist(), cables.route.tolist())
    return [
        Connection(number, a, b, part, stock_mm, run_mm, routes[route] if route >= 0 else "")
        for number, (a, b, part, stock_mm, run_mm, route) in enumerate(zip(*ends, *columns, strict=True), 1)
    ]


def read(path: Path) -> list[Connection]:
    """Return the cable schedule of a plan's folder, or of a CSV file as the format `csv` writes it.

    Raises
    ------
    InputError
        When there is neither, with the problems of the records or of the rows of the file.
    """
    return _of_folder(path) if path.is_dir() else _of_file(path)


def _of_folder(folder: Path) -> list[Connection]:
    kinds = {"room": Room, "inventory": Inventory, "placement": Placement, "cables": CablePlan}
    missing = [name for name in kinds if not (folder / f"{name}.npz").is_file()]
    if missing:
        message = f"holds no finished plan: {', '.join(f'{name}.npz' for name in missing)} missing"
        raise InputError(Problem("since", message, "give the folder of a plan, or its cable schedule in CSV", str(folder)))
    records: dict[str, Any] = {name: storage.restore(kind, folder / f"{name}.npz") for name, kind in kinds.items()}
    try:
        study = json.loads(reading.text(folder / "provenance.json"))["study"]
        plan = Plan.of_records({"name": "", "title": "", "network": study.get("network", [])}, records)
        return of_plan(plan)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        raise InputError(Problem("since", "its records do not fit together", "run the plan again", str(folder))) from None


_WHOLE = ("cable", "a_unit", "a_port", "b_unit", "b_port", "stock_mm", "run_mm")
_TEXT = ("a_cabinet", "a_device", "b_cabinet", "b_device", "part", "trays")
_SHOWN = 20
"""Maximum number of wrong rows that are listed."""


def _of_file(path: Path) -> list[Connection]:
    rows = csv.DictReader(reading.text(path).splitlines(), strict=True)
    found: list[Connection] = []
    problems: list[Problem] = []
    try:
        missing = [name for name in (*_WHOLE, *_TEXT) if name not in (rows.fieldnames or ())]
        if missing:
            message = f"has no column {', '.join(missing)}"
            raise InputError(Problem("since", message, "give the file that the report format csv writes", str(path)))
        for row in rows:
            if rows.line_num > MAX_ROWS:
                problems.append(Problem("since", f"has more than {MAX_ROWS:,} rows", "give a schedule", str(path)))
                break
            try:
                found.append(_connection(row))
            except (ValueError, TypeError) as error:
                problems.append(Problem("since", f"is not a row of a schedule: {error}", "", str(path), rows.line_num))
    except csv.Error as error:
        problems.append(Problem("since", f"is not CSV: {error}", "give the file as it was written", str(path), rows.line_num))
    if len(problems) > _SHOWN:
        problems[_SHOWN:] = [Problem("since", f"{len(problems) - _SHOWN} more rows are wrong", "", str(path))]
    if problems:
        raise InputError(problems)
    return found


def _connection(row: dict[str, str | None]) -> Connection:
    whole = {name: int(row[name] or "") for name in _WHOLE}
    text = {name: original(row[name] or "")[:1000] for name in _TEXT}
    a, b = (
        End(
            text[f"{x}_device"],
            whole[f"{x}_port"],
            end_place(text[f"{x}_cabinet"], whole[f"{x}_unit"]),
            original(row.get(f"{x}_printed") or "")[:100] or str(whole[f"{x}_port"]),
        )
        for x in "ab"
    )
    return Connection(whole["cable"], a, b, text["part"], whole["stock_mm"], whole["run_mm"], text["trays"])
