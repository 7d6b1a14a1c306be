"""Neighbors of a box with `lldpd` as lines ``lldp.swp1.chassis.name=R001``, one file per box named after it.

Command: ``lldpcli -f keyvalue show neighbors details > R033.txt``. With ``lldpcli -f keyvalue show chassis details >> R033.txt``
the file names its box itself. Values may span lines.

References
----------
lldpd/lldpd: src/client/kv_writer.c (attributes ``name`` and ``type`` replace the last word of the key), src/client/display.c,
src/lib/atoms (subtypes of chassis and port ids).
"""

from __future__ import annotations

import re

from planner.core.errors import InputError, Problem
from planner.fabric.verify.found import Scan
from planner.fabric.verify.readers.syntax.lines import shown
from planner.fabric.verify.readers.syntax.neighbors import Neighbor, kind_by_ports, local_device, scan, seconds

_LINE = re.compile(r"(lldp|local-chassis)\.([^=]*)=(.*)", re.DOTALL)
# The name of an interface may contain dots: sfp2.665.
_FIELD = re.compile(r"(.+?)\.(via|rid|age|ttl\.ttl|(?:chassis|port|vlan|ppvid|pi|lldp-med|unknown-tlvs?)(?:\..*)?)")
_SUBTYPES = ("mac", "ifname", "ifalias", "local", "ip", "unhandled")
_NAME = r"[^\s=]{1,200}"
_HEAD = re.compile(rf"^(lldp\.{_NAME}\.(via|rid|age|(chassis|port)\.{_NAME})|local-chassis\.chassis\.{_NAME})=", re.MULTILINE)


def recognizes(text: str) -> bool:
    """Whether a text has lines of lldpcli's key-value form."""
    return ("lldp." in text or "local-chassis." in text) and bool(_HEAD.search(text))


def read(text: str, file: str) -> Scan:
    """Read the neighbors of one box."""
    own: dict[str, str] = {}
    entries: list[dict[str, str]] = []
    enabled: list[list[str]] = []
    for number, key, value in _lines(text):
        section, _, path = key.partition(".")
        if section == "local-chassis":
            own.setdefault(path, value)
            continue
        found = _FIELD.fullmatch(path)
        if found is None:
            message = f"the key {shown(key)} names no field of a neighbor"
            raise InputError(Problem("", message, "save the output of lldpcli -f keyvalue as it is", file, number))
        interface, field = found.groups()
        if field == "via" or not entries or entries[-1]["interface"] != interface:
            entries.append({"interface": interface})
            enabled.append([])
        entries[-1].setdefault(field, value)
        if field.startswith("chassis.") and field.endswith(".enabled") and value.strip() == "on":
            enabled[-1].append(field.split(".")[1])
    kind = kind_by_ports(entry["interface"] for entry in entries)
    device = local_device(file, own.get("chassis.name", ""), [own.get("chassis.mac", "")], kind=kind)
    return scan(file, "lldpcli_keyvalue", device, (_neighbor(*pair) for pair in zip(entries, enabled, strict=True)))


def _lines(text: str) -> list[tuple[int, str, str]]:
    """Return line, key and value; a line without a key continues the value before it."""
    found: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := _LINE.fullmatch(line):
            found.append((number, f"{match[1]}.{match[2]}", match[3]))
        elif found:
            start, key, value = found[-1]
            found[-1] = start, key, f"{value}\n{line}"[:4096]
    return found


def _neighbor(entry: dict[str, str], enabled: list[str]) -> Neighbor:
    return Neighbor(
        local=entry["interface"],
        name=entry.get("chassis.name", ""),
        chassis=next((entry[key] for kind in _SUBTYPES if (key := f"chassis.{kind}") in entry), "").strip(),
        port=next((entry[key] for kind in _SUBTYPES if (key := f"port.{kind}") in entry), "").strip(),
        description=entry.get("port.descr", "").strip(),
        capabilities=tuple(enabled),
        by_mac="port.mac" in entry,
        is_local="port.local" in entry,
        age_s=seconds(entry.get("age", "")),
        ttl_s=seconds(entry.get("port.ttl", entry.get("ttl.ttl", ""))),
        serial=entry.get("lldp-med.inventory.serial", ""),
        model=entry.get("lldp-med.inventory.model", ""),
    )
