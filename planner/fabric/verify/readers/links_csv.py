"""Links as a table of any origin: CSV with a device and a port for both ends.

Write the file with any tool: columns such as ``guid_a,port_a,guid_b,port_b`` or ``device1,port1,device2,port2``, a row for each
link. Devices are GUIDs or names; other columns are ignored. Of a table with links between switches only, nothing is reported
about nodes.
"""

from __future__ import annotations

import re

from planner.fabric.verify.found import Device, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.csv import header_of, rows
from planner.fabric.verify.readers.syntax.lines import Problems, guid, shown

_DEVICES = ("guid", "device|switch|router|system|host", "node|name", "source|destination|from|to|local|remote|[ab12]")
"""Words in names of columns with devices: the first that two columns have."""

_OWN = {"a_cabinet", "b_cabinet"}
"""Columns of a cable schedule, which is a plan."""


_DIGITS = 12
"""Minimum number of hexadecimal digits of a GUID."""


def recognizes(text: str) -> bool:
    """Return whether the header has two columns of ports and two of devices."""
    if text.lstrip()[:1] in ("{", "[", "<"):
        return False
    header = header_of(text)
    return _OWN.isdisjoint(header) and _columns(header) is not None


def read(text: str, file: str) -> Scan:
    """Return devices and links, each link once."""
    scan, problems = Scan(file, "links_csv"), Problems(file)
    columns = _columns(header_of(text))
    if columns is None:
        problems.add(1, "has no columns with device and port of both ends", "name them such as guid_a, port_a, guid_b, port_b")
        problems.check()
        return scan
    for line, row in rows(text, columns, problems):
        a, b = (_end(scan, row[device], row[port]) for device, port in (columns[:2], columns[2:]))
        if a is None or b is None:
            problems.add(
                line, f"is no link between two ports: {shown(','.join(row.values()))}", "write device and port of both ends"
            )
            continue
        scan.readings.append(Reading(a, far=b, state="up"))
    if not scan.readings:
        problems.add(0, "lists no link")
    problems.check()
    return scan


def _columns(header: list[str]) -> tuple[str, ...] | None:
    """Return the names of the columns: device and port of one end, device and port of the other; None without them.

    >>> _columns(["nodeguid1", "portnum1", "nodeguid2", "portnum2"])
    ('nodeguid1', 'portnum1', 'nodeguid2', 'portnum2')
    >>> _columns(["cable", "length"])
    """
    ports = [name for name in header if "port" in name and "guid" not in name]
    others = [name for name in header if "port" not in name or "guid" in name]
    if len(ports) != 2 or len(set(header)) < len(header):
        return None
    for words in _DEVICES:
        devices = [name for name in others if re.search(rf"(?:^|[^a-z])(?:{words})|(?:{words})(?:[^a-z]|$)", name)]
        if len(devices) == 2:
            return devices[0], ports[0], devices[1], ports[1]
    return None


def _end(scan: Scan, device: str, port: str) -> Port | None:
    if not device or not port:
        return None
    # Short names may consist of hexadecimal digits.
    key = guid(device) if len(device.removeprefix("0x")) >= _DIGITS else ""
    scan.devices.setdefault(key or device, Device(key or device, "" if key else device, addresses=(key,) if key else ()))
    return Port(key or device, port)
