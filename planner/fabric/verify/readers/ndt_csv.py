"""Links as UFM's plugin NDT (network diff tool) takes them from people.

Take the file as it was uploaded to UFM. It states what someone planned, not what is plugged in.
"""

from __future__ import annotations

import re

from planner.fabric.verify.found import Device, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.csv import header_of, rows
from planner.fabric.verify.readers.syntax.lines import Problems, shown

OVER = ("links_csv",)
"""Its columns are those of a table of links, too."""

_NAMES = ("startdevice", "startport", "enddevice", "endport")
_PORT = re.compile(r"(?:Port\s+)?(\d{1,4})", re.IGNORECASE)
_BLADE = re.compile(r"Blade\s+(\d{1,4})_Port\s+(\d{1,4})/(\d{1,4})", re.IGNORECASE)


def recognizes(text: str) -> bool:
    """Return whether the header has the columns of NDT."""
    return set(_NAMES) <= set(header_of(text))


def read(text: str, file: str) -> Scan:
    """Return devices by name, and each link once; ports of directors as leaf/chip/port."""
    scan, problems = Scan(file, "ndt_csv", claims=True), Problems(file)
    for line, row in rows(text, _NAMES, problems):
        ends = [_end(scan, row[device], row[port]) for device, port in (_NAMES[:2], _NAMES[2:])]
        if ends[0] is None or ends[1] is None:
            problems.add(
                line, f"is no link between two ports: {shown(','.join(row.values()))}", "write device and port of both ends"
            )
            continue
        scan.readings.append(Reading(ends[0], far=ends[1], state="up"))
    if not scan.readings:
        problems.add(0, "lists no link")
    problems.check()
    return scan


def _end(scan: Scan, device: str, port: str) -> Port | None:
    port = port.strip()
    if not device or not port:
        return None
    if plain := _PORT.fullmatch(port):
        port = str(int(plain[1]))
    elif blade := _BLADE.fullmatch(port):
        port = "/".join(str(int(part)) for part in blade.groups())
    else:
        # Adapters of hosts repeat the name of the host.
        port = port.removeprefix(device).strip() or port
    scan.devices.setdefault(device, Device(device, device))
    return Port(device, port)
