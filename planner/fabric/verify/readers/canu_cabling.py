"""Neighbors of switches of management networks as CANU reports them, from LLDP.

Collect with ``canu report network cabling --ips-file ips.txt --out cabling.txt``, or for one switch with
``canu report switch cabling``. Neighbors without LLDP are listed by their MAC address only.
"""

from __future__ import annotations

import re
from itertools import pairwise

from planner.fabric.verify.found import SWITCH, Device, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.lines import LONGEST, Problems, shown

_SWITCH = re.compile(r"Switch:\s+(\S.*?)\s+\(([^()]*)\)\s*")
_HEADER = re.compile(r"PORT\s+NEIGHBOR\s+NEIGHBOR PORT\s+PORT DESCRIPTION\s+DESCRIPTION\s*")
_ROW = re.compile(r"(\S+)\s+==>(.*)")
_MAC = re.compile(r"(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}")


def recognizes(text: str) -> bool:
    """Return whether the file has a switch and a table of its neighbors."""
    return bool(re.search(r"^Switch: [^(\n]*\([^()\n]*\)", text, re.MULTILINE)) and "NEIGHBOR PORT" in text


def read(text: str, file: str) -> Scan:
    """Return switches by name and their neighbors."""
    scan, problems = Scan(file, "canu_cabling", both_ends=True), Problems(file)
    switch = ""
    starts: tuple[int, ...] = ()
    for line, row in enumerate(text.splitlines(), 1):
        if head := len(row) < LONGEST and _SWITCH.fullmatch(row):
            switch, starts = head[1], ()
            scan.devices[switch] = Device(switch, switch, SWITCH)
        elif _HEADER.fullmatch(row):
            starts = tuple(row.index(word) for word in ("NEIGHBOR ", "NEIGHBOR PORT", "PORT DESCRIPTION"))
            starts += (row.rindex("DESCRIPTION"),)
        elif found := _ROW.fullmatch(row):
            if not switch or not starts:
                problems.add(line, f"is a port without a switch and a header before it: {shown(row)}")
                continue
            _take(scan, Port(switch, found[1]), *_cells(row, starts))
        elif "==>" in row and switch:
            problems.add(line, f"is no port: {shown(row)}")
    if not scan.devices:
        problems.add(0, "lists no switch")
    problems.check()
    return scan


def _cells(row: str, starts: tuple[int, ...]) -> list[str]:
    """Return the columns; a long name pushes the others to the right, so that two blanks separate cells."""
    name, port, port_text = (row[start:end].strip() for start, end in pairwise(starts))
    aligned = row[starts[1] - 1 : starts[1]] in ("", " ") and row[starts[2] - 1 : starts[2]] in ("", " ")
    if aligned:
        return [name, port, port_text]
    rest = re.split(r"\s{2,}", row[row.index("==>") + 3 :].strip())
    return (rest + ["", ""])[:3]


def _take(scan: Scan, port: Port, name: str, far_port: str, text: str) -> None:
    mac = far_port.lower() if _MAC.fullmatch(far_port) else ""
    key = name or mac
    if not key or key.lower() == "none":
        return
    known = scan.devices.get(key)
    addresses = tuple(dict.fromkeys((*(known.addresses if known else ()), *((mac,) if mac else ()))))
    kind, answers = (known.kind, known.answers) if known else ("", False)
    scan.devices[key] = Device(key, name, kind, addresses=addresses, answers=answers)
    unknown = not name and text.startswith("No LLDP")
    # Hosts state the address of a port as its name, and the interface as its description.
    there = "" if unknown else text if mac else far_port
    names = tuple(one for one in (mac, far_port if not mac else "", "" if unknown else text) if one and one != there)
    scan.readings.append(Reading(port, far=Port(key, there), far_names=names, state="up"))
