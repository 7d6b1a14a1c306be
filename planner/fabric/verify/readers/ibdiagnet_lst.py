"""InfiniBand links as ibdiagnet and OpenSM list them, all numbers hexadecimal.

Collect ``ibdiagnet2.lst`` of the folder that ``ibdiagnet`` writes, or ``opensm-subnet.lst`` of the folder that OpenSM dumps into.
"""

from __future__ import annotations

import re

from planner.fabric.verify.found import Device, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.infiniband import KINDS, joined, speed, width
from planner.fabric.verify.readers.syntax.lines import LONGEST, Problems, shown

_GUID = r"([0-9a-fA-F]{1,16})"
_END = (
    rf"\{{\s*(\w+)\s+Ports:([0-9a-fA-F]{{1,4}})\s+SystemGUID:{_GUID}\s+NodeGUID:{_GUID}\s+PortGUID:{_GUID}\s+"
    r"VenID:\S+\s+DevID:\S+\s+Rev:\S+\s+(?:\{(.{0,200}?)\}\s*)?LID:[0-9a-fA-F]{1,8}\s+PN:([0-9a-fA-F]{1,4})\s*\}"
)
_LINE = re.compile(rf"\s*{_END}\s*{_END}\s*(.*)")
_LINK = re.compile(r"PHY=(\S+)\s+LOG=(\S+)\s+SPD=(\S+).*")


def recognizes(text: str) -> bool:
    """Return whether a line is a link of this list."""
    return bool(re.search(r"^[ \t]*\{[ \t]*\w+\s+Ports:[0-9a-fA-F]+\s+SystemGUID:", text, re.MULTILINE))


def read(text: str, file: str) -> Scan:
    """Return nodes and links."""
    scan = Scan(file, "ibdiagnet_lst")
    problems = Problems(file)
    for line, row in enumerate(text.splitlines(), 1):
        if not row.strip() or row.startswith("#"):
            continue
        found = _LINE.fullmatch(row) if len(row) < LONGEST else None
        if found is None:
            problems.add(line, f"is no link: {shown(row)}")
            continue
        link = _LINK.fullmatch(found[15].strip())
        lanes, state, rate = link.groups() if link else ("", "", "")
        a, b = (_port(scan, found.groups()[first : first + 7]) for first in (0, 7))
        if state == "DWN":
            scan.readings.extend((Reading(a, state="down"), Reading(b, state="down")))
        else:
            scan.readings.append(Reading(a, far=b, state="up", width=width(lanes), speed=speed(rate)))
    if not scan.devices:
        problems.add(0, "lists no link")
    problems.check()
    return joined(scan)


def _port(scan: Scan, end: tuple[str, ...]) -> Port:
    kind, ports, system, node, port, name, number = end
    key, guid = node.lower().zfill(16), port.lower().zfill(16)
    known = scan.devices.get(key)
    addresses = (*known.addresses, guid) if known and guid not in known.addresses else known.addresses if known else (key, guid)
    if known is None or addresses != known.addresses:
        unique = tuple(dict.fromkeys(addresses))
        scan.devices[key] = Device(
            key, (name or "").strip(), KINDS.get(kind, ""), system.lower().zfill(16), unique, ports=int(ports, 16)
        )
    return Port(key, str(int(number, 16)))
