"""InfiniBand ports as ibdiagnet lists them by switch, with their labels and dark ports.

Collect ``ibdiagnet2.net_dump`` of the folder that ``ibdiagnet`` writes. Far ports are named by their labels.
"""

from __future__ import annotations

import re
from dataclasses import replace

from planner.fabric.verify.found import SWITCH, Device, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.infiniband import width
from planner.fabric.verify.readers.syntax.lines import LONGEST, Problems, guid, number, shown

_HEAD = re.compile(r'"(.+)",\s*([^,]+),\s*(0x[0-9a-fA-F]{1,16}),\s*LID\s+\d+.*')
_NEEDED = ("#", "ib#", "sta", "neighbor guid", "n#", "neighbor description")
_SPEEDS = {"2.5": "SDR", "5": "DDR", "10": "QDR", "14": "FDR", "25": "EDR", "50": "HDR", "100": "NDR", "200": "XDR"}
_MANAGEMENT = "FNM"
"""Ports of the management of a switch."""


def recognizes(text: str) -> bool:
    """Return whether a line heads the columns of a switch."""
    return bool(re.search(r"^[ \t]*#[ \t]*:[ \t]*IB#[ \t]*:[ \t]*Sta[ \t]*:", text, re.MULTILINE))


def read(text: str, file: str) -> Scan:
    """Return ports and links; far ports of switches by number where the label of both ends is in the file."""
    scan = Scan(file, "ibdiagnet_net_dump", both_ends=True, dark_ports=True)
    problems = Problems(file)
    key = ""
    columns: list[str] = []
    numbers: dict[tuple[str, str], str] = {}
    for line, row in enumerate(text.splitlines(), 1):
        if head := len(row) < LONGEST and _HEAD.fullmatch(row.strip()):
            key, columns = guid(head[3]), []
            scan.devices[key] = Device(key, head[1].strip(), SWITCH, addresses=(key,))
        elif not row.strip() or row.lstrip().startswith(("#--", "---")):
            continue
        elif row.lstrip().startswith("#"):
            names = [cell.strip().lower() for cell in row.split(":")]
            columns = names if all(name in names for name in _NEEDED) else columns
        elif not key or not columns:
            problems.add(line, f"is a port without a switch and columns before it: {shown(row)}")
        else:
            # The description is last and may contain colons.
            cells = dict(zip(columns, (cell.strip() for cell in row.split(":", len(columns) - 1)), strict=False))
            _take(scan, key, cells, line, row, numbers, problems)
    if not scan.devices:
        problems.add(0, "lists no switch")
    problems.check()
    return _numbered(scan, numbers)


def _take(
    scan: Scan, key: str, cells: dict[str, str], line: int, row: str, numbers: dict[tuple[str, str], str], problems: Problems
) -> None:
    """Take the row of a port."""
    own = number(cells.get("ib#", ""))
    if len(cells) < len(_NEEDED) or own is None or "neighbor description" not in cells:
        problems.add(line, f"is no port: {shown(row)}")
        return
    if cells["#"].upper().startswith(_MANAGEMENT):
        return
    port = Port(key, str(own))
    numbers[key, cells["#"]] = port.port
    far = guid(cells["neighbor guid"])
    if cells["sta"].upper().startswith("DOWN") or not far:
        disabled = "DISAB" in cells.get("physta", cells.get("physsta", "")).upper()
        scan.readings.append(Reading(port, cells["#"], state="disabled" if disabled else "down"))
        return
    name = cells["neighbor description"].strip().strip('"').strip()
    scan.devices.setdefault(far, Device(far, name, addresses=(far,), answers=False))
    rate = _SPEEDS.get(cells.get("lsa", ""), "")
    there = Port(far, cells["n#"])
    scan.readings.append(Reading(port, cells["#"], there, state="up", width=width(cells.get("lwa", "")), speed=rate))


def _numbered(scan: Scan, numbers: dict[tuple[str, str], str]) -> Scan:
    readings = [
        replace(reading, far=Port(far.device, numbers.get((far.device, far.port), far.port)), far_names=(far.port,))
        if (far := reading.far)
        else reading
        for reading in scan.readings
    ]
    return Scan(scan.file, scan.format, scan.devices, readings, scan.both_ends, scan.dark_ports)
