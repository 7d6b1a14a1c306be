"""InfiniBand links as UFM lists them.

Collect with ``curl -u USER https://UFM/ufmRest/resources/links > links.json``; ``?cable_info=true`` adds plugs. Ports without a
link are not in it.
"""

from __future__ import annotations

import re
from typing import Any

from planner.fabric.verify.found import Device, Plug, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.infiniband import width
from planner.fabric.verify.readers.syntax.json import objects, parsed, word
from planner.fabric.verify.readers.syntax.lines import Problems, guid

_PORT = re.compile(r"[\w/.-]{1,40}")
_LENGTH = re.compile(r"(\d{1,5}(?:\.\d{1,3})?)\s*m?")


def recognizes(text: str) -> bool:
    """Return whether an entry has the keys of a link of UFM."""
    return text.lstrip()[:1] in ("[", "{") and '"source_guid"' in text and '"destination_guid"' in text


def read(text: str, file: str) -> Scan:
    """Return links, each once."""
    content = parsed(text, file)
    if isinstance(content, dict):
        content = content.get("links", content.get("data", content))
    scan = Scan(file, "ufm_links")
    problems = Problems(file)
    links = objects(content)
    if not links or (isinstance(content, list) and len(links) < len(content)):
        problems.add(0, "is no list of links", "give the answer of UFM as it is")
    for place, link in enumerate(links):
        near, far = _end(scan, link, "source"), _end(scan, link, "destination")
        if near is None or far is None:
            problems.add(0, f"has no GUID and port at its {'destination' if near else 'source'}", key=f"link {place + 1}")
            continue
        (a, a_label), (b, b_label) = near, far
        names = (b_label,) if b_label and b_label != b.port else ()
        label = a_label if a_label != a.port else ""
        scan.readings.append(Reading(a, label, b, names, "up", width(word(link.get("width"))), plug=_plug(link)))
    problems.check()
    return scan


def _end(scan: Scan, link: dict[str, Any], side: str) -> tuple[Port, str] | None:
    key, port = guid(word(link.get(f"{side}_guid"))), word(link.get(f"{side}_port"))
    if not key or not _PORT.fullmatch(port):
        return None
    described = word(link.get(f"{side}_port_node_description"))
    # The description ends with the port.
    name = described.rpartition(":")[0] or described
    scan.devices.setdefault(key, Device(key, name, addresses=(key,)))
    return Port(key, port), word(link.get(f"{side}_port_dname"))


def _plug(link: dict[str, Any]) -> Plug | None:
    info = link.get("cable_info")
    if not isinstance(info, dict):
        return None
    length = _LENGTH.fullmatch(word(info.get("length")))
    part, serial = (word(info.get(name)) for name in ("part_number", "serial_number"))
    return Plug("", part, serial, float(length[1]) if length else None, word(info.get("technology"))) if part or serial else None
