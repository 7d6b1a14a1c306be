"""Cables as NetBox or Nautobot records them: answer of the REST interface, or export in CSV.

Collect with ``curl -H "Authorization: Token ..." "https://NETBOX/api/dcim/cables/?limit=0" > cables.json``, or export the list of
cables in CSV. It states what people recorded; cables whose status is planned are left out.
"""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from planner.verify.found import Device, Port, Reading, Scan
from planner.verify.readers.syntax.csv import header_of, rows
from planner.verify.readers.syntax.json import objects, parsed, word
from planner.verify.readers.syntax.lines import Problems, shown

OVER = ("links_csv",)
"""Its columns are those of a table of links, too."""

_COLUMNS = (
    ("side_a_device", "side_a_name", "side_b_device", "side_b_name"),
    ("device a", "termination a", "device b", "termination b"),
)
"""Columns of the import and of the export."""

_PLANNED = "planned"


def recognizes(text: str) -> bool:
    """Return whether it is JSON with terminations, or CSV with the columns of cables."""
    if text.lstrip()[:1] in ("{", "["):
        return '"a_terminations"' in text or '"termination_a"' in text
    header = set(header_of(text))
    return any(set(names) <= header for names in _COLUMNS)


def read(text: str, file: str) -> Scan:
    """Return devices by name, and each connected link once."""
    scan, problems = Scan(file, "netbox_cables", claims=True), Problems(file)
    if text.lstrip()[:1] in ("{", "["):
        _json(scan, parsed(text, file), problems)
    else:
        _csv(scan, text, problems)
    problems.check()
    return scan


def _csv(scan: Scan, text: str, problems: Problems) -> None:
    header = set(header_of(text))
    names = next((names for names in _COLUMNS if set(names) <= header), _COLUMNS[0])
    for line, row in rows(text, names, problems):
        a_device, a_port, b_device, b_port = (row[name] for name in names)
        # Power cables of the same export end at feeds and outlets, which have no device here.
        if row.get("status", "").lower() == _PLANNED:
            continue
        if not all((a_device, a_port, b_device, b_port)):
            problems.add(line, f"has no device and port at both ends: {shown(','.join(row.values()))}", "export it again")
            continue
        _take(scan, [(a_device, a_port)], [(b_device, b_port)])


def _json(scan: Scan, content: Any, problems: Problems) -> None:
    whole = isinstance(content, dict) and "results" in content
    if whole and content.get("next"):
        problems.add(0, "is only one page of the answer", "add ?limit=0 to the address")
    listed = content["results"] if whole else content
    cables = objects(listed)
    if (isinstance(listed, list) and len(cables) < len(listed)) or not isinstance(listed, list | dict):
        problems.add(0, "is no list of cables", "give the answer of NetBox as it is")
    for place, cable in enumerate(cables):
        status = cable.get("status")
        if word(status.get("value") if isinstance(status, dict) else status).lower() == _PLANNED:
            continue
        ends = [_ends(cable, side) for side in "ab"]
        if ends[0] and ends[1]:
            _take(scan, ends[0], ends[1])
        else:
            key = f"cable {word(cable.get('id'))[:20] or place + 1}"
            problems.add(0, "has no device and port at both ends", "collect it again; terminations must be complete", key)


def _ends(cable: dict[str, Any], side: str) -> list[tuple[str, str]]:
    """Return device and port of each termination of a side; Nautobot and older versions have one."""
    listed = cable.get(f"{side}_terminations", cable.get(f"termination_{side}"))
    ends = []
    for termination in objects(listed):
        inner = termination.get("object")
        port = inner if isinstance(inner, dict) else termination
        device = port.get("device")
        name = word(device.get("name") or device.get("display")) if isinstance(device, dict) else word(device)
        if name and word(port.get("name")):
            ends.append((name, word(port.get("name"))))
    return ends


def _take(scan: Scan, a: list[tuple[str, str]], b: list[tuple[str, str]]) -> None:
    """Add the links of a cable; one with several plugs joins them in order, a splitter joins one to each."""
    pairs = zip(a, b, strict=True) if len(a) == len(b) else product(a[:1], b) if len(a) == 1 else product(a, b[:1])
    for pair in pairs:
        near, far = (Port(device, re.sub(r"\s+", " ", port)) for device, port in pair)
        for end in (near, far):
            scan.devices.setdefault(end.device, Device(end.device, end.device))
        scan.readings.append(Reading(near, far=far, state="up"))
