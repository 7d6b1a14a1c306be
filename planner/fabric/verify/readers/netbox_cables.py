"""Cables as NetBox or Nautobot records them: answer of the REST interface, or export in CSV.

Collect with ``curl -H "Authorization: Token ..." "https://NETBOX/api/dcim/cables/?limit=1000&offset=0" > cables-0.json``, a page
for each 1,000 cables (offset 1000, 2000 …), and give all pages, as files, as a folder or one after the other in one file; or
export the list of cables in CSV. It states what people recorded; cables whose status is planned are left out. A box of Planner's
export with several endpoints, E000+3, is read as its endpoints.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import product
from typing import Any

from planner.fabric.verify.found import Device, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.csv import header_of, rows
from planner.fabric.verify.readers.syntax.documents import documents
from planner.fabric.verify.readers.syntax.json import objects, word
from planner.fabric.verify.readers.syntax.lines import Problems, shown

OVER = ("links_csv",)
"""Its columns are those of a table of links, too."""

_COLUMNS = (
    ("side_a_device", "side_a_name", "side_b_device", "side_b_name"),
    ("device a", "termination a", "device b", "termination b"),
)
"""Columns of the import and of the export."""

_PLANNED = "planned"

_BOX, _LABELED, _ENDPOINT = map(re.compile, (r"(.+)\+(\d{1,4})", r"(.*\S)\s*\([^()]*\)", r"(.+?)(?:-p(\d+))?"))
"""A box with the number of its other endpoints, a port as lists show it with its label, and an interface of a box."""

Cable = list[tuple[Port, Port]]
"""Both ends of each link of a cable."""


def recognizes(text: str) -> bool:
    """Return whether it is JSON with terminations, or CSV with the columns of cables."""
    if text.lstrip()[:1] in ("{", "["):
        return '"a_terminations"' in text or '"termination_a"' in text
    header = set(header_of(text))
    return any(set(names) <= header for names in _COLUMNS)


def read(text: str, file: str) -> Scan:
    """Return devices by name, and each connected link once."""
    problems = Problems(file)
    links: Cable = []
    listed = total = 0
    if text.lstrip()[:1] in ("{", "["):
        for answer in documents(text, file):
            for page in answer if isinstance(answer, list) and any("results" in each for each in objects(answer)) else [answer]:
                _json(links, page, problems)
                entries, of_all = _counted(page)
                listed, total = listed + entries, max(total, of_all)
    else:
        _csv(links, text, problems)
    problems.check()
    scan = Scan(file, "netbox_cables", claims=True, listed=listed, total=total)
    inside = _endpoints(links)
    for link in links:
        near, far = (inside.get(end, end) for end in link)
        for end in (near, far):
            scan.devices.setdefault(end.device, Device(end.device, end.device))
        scan.readings.append(Reading(near, far=far, state="up"))
    return scan


def _csv(links: Cable, text: str, problems: Problems) -> None:
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
        links += _links([(a_device, a_port)], [(b_device, b_port)])


def _counted(page: Any) -> tuple[int, int]:
    """Return the entries of a page, and those of all pages; 0 and 0 for an answer without pages."""
    total = page.get("count") if isinstance(page, dict) and isinstance(page.get("results"), list) else None
    return (len(page["results"]), total) if isinstance(total, int) and not isinstance(total, bool) and total > 0 else (0, 0)


def _json(links: Cable, content: Any, problems: Problems) -> None:
    """Add the cables of an answer, or of a page."""
    whole = isinstance(content, dict) and "results" in content
    listed = content["results"] if whole else content
    cables = objects(listed)
    if whole and content.get("next") and not _counted(content)[1]:
        problems.add(0, "is only one page of the answer, without its number of cables", "collect all pages again")
    if (isinstance(listed, list) and len(cables) < len(listed)) or not isinstance(listed, list | dict):
        problems.add(0, "is no list of cables", "give the answer of NetBox as it is")
    for place, cable in enumerate(cables):
        status = cable.get("status")
        if word(status.get("value") if isinstance(status, dict) else status).lower() == _PLANNED:
            continue
        ends = [_ends(cable, side) for side in "ab"]
        if ends[0] and ends[1]:
            links += _links(ends[0], ends[1])
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


def _links(a: list[tuple[str, str]], b: list[tuple[str, str]]) -> Cable:
    """Return the links of a cable; one with several plugs joins them in order, a splitter joins one to each."""
    pairs = zip(a, b, strict=True) if len(a) == len(b) else product(a[:1], b) if len(a) == 1 else product(a, b[:1])
    near_far = ((Port(device, re.sub(r"\s+", " ", port)) for device, port in pair) for pair in pairs)
    return [(near, far) for near, far in near_far]


def _endpoints(links: Cable) -> dict[Port, Port]:
    """Return the endpoint of each interface of a box: the interface has its name, and its port where it has several."""
    seen: dict[str, dict[Port, tuple[str, str]]] = defaultdict(dict)
    for port in (end for link in links for end in link):
        if _BOX.fullmatch(port.device):
            bare = match[1] if (match := _LABELED.fullmatch(port.port)) else port.port
            name, number = _ENDPOINT.fullmatch(bare).groups()  # type: ignore[union-attr]  # ports have no line breaks
            seen[port.device][port] = name, number or "1"
    found: dict[Port, Port] = {}
    for device, ports in seen.items():
        first, others = _BOX.fullmatch(device).groups()  # type: ignore[union-attr]  # only boxes are seen
        names = {name for name, _ in ports.values()}
        # A device of others may have such a name too: its interfaces are more, or all unlike.
        if len(names) <= int(others) + 1 and (first in names or all(_shape(name) == _shape(first) for name in names)):
            found |= {port: Port(*own) for port, own in ports.items()}
    return found


def _shape(name: str) -> str:
    return re.sub(r"\d+", "#", name)
