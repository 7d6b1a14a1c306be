"""InfiniBand ports, dark ones included, as ``ibnetdiscover --ports`` lists them.

Collect with ``ibnetdiscover --ports > ports.txt`` on a host of the fabric.
"""

from __future__ import annotations

import re

from planner.fabric.verify.found import Device, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.infiniband import KINDS, speed, width
from planner.fabric.verify.readers.syntax.lines import LONGEST, Problems, shown

_HEAD = r"\s*(SW|CA|RT|\?\?)\s+(\d+)\s+(\d+)\s+0x([0-9a-fA-F]{16})\s+(\S+)\s+(\S+)"
_LINK = re.compile(_HEAD + r"\s+-\s+(SW|CA|RT|\?\?)\s+(\d+)\s+(\d+)\s+0x([0-9a-fA-F]{16})\s+\(\s'(.*)'\s-\s'(.*)'\s\)\s*")
_DARK = re.compile(_HEAD + r"\s+'(.*)'\s*")
_MARK = re.compile(_HEAD + r"\s+(-\s+(SW|CA|RT)\s|')")


def recognizes(text: str) -> bool:
    """Return whether a line is a port of this list."""
    return any(_MARK.match(line) for line in text.splitlines()[:50])


def read(text: str, file: str) -> Scan:
    """Return ports and links; a port without a link is down."""
    scan = Scan(file, "ibnetdiscover_ports", both_ends=True, dark_ports=True)
    problems = Problems(file)
    for line, row in enumerate(text.splitlines(), 1):
        if found := len(row) < LONGEST and _LINK.fullmatch(row):
            a = _port(scan, found[1], found[4], found[3], found[11])
            b = _port(scan, found[7], found[10], found[9], found[12])
            if a is None or b is None:
                problems.add(line, f"has a port number that no device has: {shown(row)}")
                continue
            scan.readings.append(Reading(a, far=b, state="up", width=width(found[5]), speed=speed(found[6])))
        elif found := len(row) < LONGEST and _DARK.fullmatch(row):
            if (a := _port(scan, found[1], found[4], found[3], found[7])) is None:
                problems.add(line, f"has a port number that no device has: {shown(row)}")
            elif a.port != "0":
                scan.readings.append(Reading(a, state="down"))
        elif row.strip() and not row.startswith(("#", "ibwarn", "src/")):
            problems.add(line, f"is no port: {shown(row)}")
    problems.check()
    return scan


def _port(scan: Scan, kind: str, key: str, number: str, name: str) -> Port | None:
    key = key.lower()
    if len(number) > 4:
        return None
    if key not in scan.devices:
        scan.devices[key] = Device(key, name.strip(), KINDS.get(kind, ""), addresses=(key,))
    return Port(key, str(int(number)))
