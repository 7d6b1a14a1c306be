"""Plugs and light of all ports of an InfiniBand fabric: `ibdiagnet2.cables`.

Command: ``ibdiagnet --get_cable_info --cable_info_disconnected``; it writes ``/var/tmp/ibdiagnet2/ibdiagnet2.cables``.

References
----------
Public samples: a host at ``Port=1 Lid=0x00a4 GUID=0xf45214030046a0a1 Port Name=coral-ufm-001/U1/P1``, a director at
``Port Name=ib1a/L02/U1/P2``.
"""

from __future__ import annotations

import re

from planner.core.errors import InputError, Problem
from planner.fabric.verify.found import Device, Plug, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.documents import clean
from planner.fabric.verify.readers.syntax.lines import Problems, guid, number, shown
from planner.fabric.verify.readers.syntax.neighbors import joined, known
from planner.fabric.verify.readers.syntax.plugs import copper, lanes_dbm, length_m
from planner.fabric.verify.readers.syntax.plugs import number as measured

_HEADING = re.compile(r"Port=(?P<port>\d+)\s+Lid=\S+\s+GUID=(?P<guid>\S+)(?:\s+Port ?Name=(?P<name>.*))?", re.IGNORECASE)
_MARK = re.compile(r"^[ \t]*Port=\d+\s+Lid=\S+\s+GUID=0x", re.MULTILINE | re.IGNORECASE)
_OF_PORT = re.compile(r"(/U\d+)?/P[\w/]+$")


def recognizes(text: str) -> bool:
    """Whether a line is the heading of a port."""
    return "GUID=0x" in text and bool(_MARK.search(text))


def read(text: str, file: str) -> Scan:
    """Read the plugs of all ports."""
    scan = Scan(file, "ibdiagnet_cables")
    problems = Problems(file)
    port: Port | None = None
    fields: dict[str, str] = {}
    for line, row in enumerate(text.splitlines(), 1):
        row = row.strip()
        if row.startswith("Port="):
            _add(scan, port, fields)
            port, fields = _port(scan, row), {}
            if port is None:
                problems.add(line, f"is no heading of a port: {shown(row)}")
        elif port is not None and ":" in row:
            key, _, value = row.partition(":")
            fields.setdefault(clean(key).lower(), clean(value))
    _add(scan, port, fields)
    problems.check()
    if not scan.readings:
        raise InputError(Problem("", "has no plug", "run ibdiagnet with --get_cable_info", file))
    return scan


def _port(scan: Scan, row: str) -> Port | None:
    found = _HEADING.fullmatch(row)
    key = guid(found["guid"]) if found else ""
    if not found or not key or (place := number(found["port"])) is None:
        return None
    name = _OF_PORT.sub("", clean(found["name"] or "").strip('"'))
    device = Device(key, name, addresses=(key,), answers=False)
    scan.devices[key] = joined(scan.devices[key], device) if key in scan.devices else device
    return Port(key, str(place))


def _add(scan: Scan, port: Port | None, fields: dict[str, str]) -> None:
    if port is None:
        return
    technology = known(fields.get("type", ""))
    dark = copper(technology)
    plug = Plug(
        known(fields.get("vendor", "")),
        known(fields.get("pn", "")),
        known(fields.get("sn", "")),
        length_m(known(fields.get("length", ""))),
        technology,
        () if dark else _lanes(fields, "rx"),
        () if dark else _lanes(fields, "tx"),
        None if dark else measured(fields.get("temperature", "")),
    )
    scan.readings.append(Reading(port, plug=None if plug == Plug() else plug))


def _lanes(fields: dict[str, str], side: str) -> tuple[float, ...]:
    """Return the power of lanes: ``RX1 Power: 0.876 mW, -0.574 dBm``; nothing where no lane was measured."""
    names = (key for key in fields if re.fullmatch(rf"{side}\d+ power", key))
    values = [fields[name].rpartition(",")[2] for name in names]
    return lanes_dbm([value for value in values if known(value)])
