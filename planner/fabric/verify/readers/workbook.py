"""The workbook of a plan as the crew filled it in: cables marked as installed, and what was built otherwise.

Collect the workbook that the report ``xlsx`` wrote: the yellow columns of its sheets ``cables`` and ``devices`` (or ``routers``).
Cables that are not marked as installed are left out. It states what people wrote, not what was measured.
"""

from __future__ import annotations

from typing import Any

from planner.fabric.verify.found import Device, Plug, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.lines import fail
from planner.formats import workbook


def recognizes(text: str) -> bool:
    """Return whether the list of members is that of a workbook."""
    return text.startswith("PK\n") and "xl/workbook.xml" in text.splitlines()


def read(text: str, file: str) -> Scan:
    """Return devices by name with their serial numbers, and each installed cable once."""
    book = workbook.read(file)
    if "cables" not in book.tables:
        fail(file, "has no sheet cables", "give the workbook of a plan with cables")
    scan = Scan(file, "workbook", claims=True)
    sheet = book.tables.get("devices") or book.tables.get("routers")
    if sheet is not None:
        name = "device" if "device" in sheet.columns else "router"
        for device, serial, part in sheet.rows(name, "serial_number", "part"):
            scan.devices[device] = Device(device, device, serial=serial.strip(), model=part)
    columns = book.tables["cables"].columns
    ports = _printed(columns)
    for row, installed in enumerate(columns["installed"]):
        if installed:
            a, b = (_end(scan, columns, row, side, ports) for side in "ab")
            actual_mm = columns["actual_mm"][row]
            plug = Plug(length_m=actual_mm / 1000) if actual_mm is not None else None
            scan.readings.append(Reading(a, far=b, state="up", plug=plug))
    return scan


def _printed(columns: dict[str, Any]) -> dict[tuple[str, str], str]:
    """Return the number of each port by device and the port as printed."""
    found = {}
    for side in "ab":
        for name in (f"{side}_port_name", f"{side}_printed"):
            if name in columns:
                for device, printed, port in zip(columns[f"{side}_device"], columns[name], columns[f"{side}_port"], strict=True):
                    found[device, str(printed)] = str(port)
    return found


def _end(scan: Scan, columns: dict[str, Any], row: int, side: str, ports: dict[tuple[str, str], str]) -> Port:
    """Return the port of an end as built; empty cells are as planned."""
    device = columns[f"built_{side}_device"][row] or columns[f"{side}_device"][row]
    built = columns[f"built_{side}_port"][row]
    port = ports.get((device, built), built) if built else str(columns[f"{side}_port"][row])
    scan.devices.setdefault(device, Device(device, device))
    return Port(device, port)
