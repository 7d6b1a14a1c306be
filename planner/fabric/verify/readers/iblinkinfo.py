"""InfiniBand ports and links as ``iblinkinfo --line`` lists them, with links slower than both ends support.

Collect with ``iblinkinfo --line > iblinkinfo.txt`` on a host of the fabric. Ports without a link are in it, with the state
``Polling``, or ``Disabled`` where someone switched them off. Adapters are listed by the GUID of their port.
"""

from __future__ import annotations

import re
from dataclasses import replace

from planner.fabric.verify.found import SWITCH, Device, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.infiniband import speed, width
from planner.fabric.verify.readers.syntax.lines import LONGEST, Problems, fail, shown

_LINE = re.compile(r'0x([0-9a-f]{16}) "(.*?)"\s+\d+\s+(\d{1,4})\[\s*(\d*)\s*\]\s*==(.*?)==>\s*(.*)')
_FAR = re.compile(r'0x([0-9a-f]{16})\s+\d+\s+(\d{1,4})\[\s*(\d*)\s*\]\s*"(.*)"\s*\((.*)\)')
_STATE = re.compile(r"\(\s*(?:(\S+)\s+(\S.*?)\s+)??(\w+)/\s*(\w+)\s*\).*")
_BLOCK = re.compile(r"^(?:Switch|CA|Router): .*:$\n[ ]{1,40}[^\n]{0,80}\[..\] ==\(", re.MULTILINE)
_ADAPTER_PORTS = 4
"""No adapter has more ports."""


def recognizes(text: str) -> bool:
    """Return whether a line is a port of this list, or of the same list without ``--line``."""
    return bool(re.search(r'^0x[0-9a-f]{16} ".*?"\s+\d+\s+\d+\[..\]\s*==', text, re.MULTILINE) or _BLOCK.search(text))


def read(text: str, file: str) -> Scan:
    """Return ports and links, each link from both ends."""
    if _BLOCK.search(text[:100_000]):
        fail(file, "does not name the far devices by GUID", "collect it with iblinkinfo --line")
    scan = Scan(file, "iblinkinfo", both_ends=True, dark_ports=True)
    problems = Problems(file)
    far_names: dict[str, str] = {}
    ports: dict[str, int] = {}
    for line, row in enumerate(text.splitlines(), 1):
        found = _LINE.fullmatch(row.rstrip()) if len(row) < LONGEST else None
        if found is None:
            if row.strip() and not row.startswith(("#", "ibwarn", "src/", "WARN")):
                problems.add(line, f"is no port: {shown(row)}")
            continue
        key, name, number, label, link, far = found.groups()
        reading = _reading(Port(key, str(int(number))), label, link, far, far_names)
        if reading is None:
            problems.add(line, f"has no state or far end: {shown(row[row.index('==') :])}")
            continue
        scan.devices.setdefault(key, Device(key, name.strip(), addresses=(key,)))
        ports[key] = max(ports.get(key, 0), int(number))
        if reading.far is not None or reading.state != "up":
            scan.readings.append(reading)
    if not ports:
        problems.add(0, "lists no port")
    problems.check()
    for key, count in ports.items():
        if count > _ADAPTER_PORTS:
            scan.devices[key] = replace(scan.devices[key], kind=SWITCH, ports=count)
    for key, name in far_names.items():
        scan.devices.setdefault(key, Device(key, name.strip(), addresses=(key,), answers=False))
    return scan


def _reading(port: Port, label: str, link: str, far: str, far_names: dict[str, str]) -> Reading | None:
    state = _STATE.fullmatch(link.strip())
    if state is None:
        return None
    if state[3] == "Down":
        return Reading(port, label, state="disabled" if state[4] == "Disabled" else "down")
    if "Port not available" in far:
        return Reading(port, label, state="up")
    if (found := _FAR.fullmatch(far.strip())) is None:
        return None
    far_names.setdefault(found[1], found[4])
    names = (found[3],) if found[3] else ()
    slow = " ".join(found[5].split())
    there = Port(found[1], str(int(found[2])))
    return Reading(port, label, there, names, "up", width(state[1] or ""), speed(state[2] or ""), slow)
