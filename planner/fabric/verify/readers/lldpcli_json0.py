"""Neighbors of a box with `lldpd` as JSON, one file per box named after it.

Command: ``lldpcli -f json0 show neighbors details > R033.json``. With ``lldpcli -f json0 show chassis details >> R033.json`` the
file names its box itself. Output of ``-f json`` is read, too, although its shape changes with the number of neighbors.

References
----------
lldpd/lldpd: src/client/display.c (tags and their order), src/client/json_writer.c (json0, and how json collapses it).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from planner.core.errors import InputError, Problem
from planner.fabric.verify.found import Device, Scan
from planner.fabric.verify.readers.syntax.documents import documents, word
from planner.fabric.verify.readers.syntax.json import objects
from planner.fabric.verify.readers.syntax.neighbors import Neighbor, kind_by_ports, local_device, scan, seconds

_HEAD = re.compile(r"^[ \t]*\{\s*\"(lldp|local-chassis)\"\s*:", re.MULTILINE)


def recognizes(text: str) -> bool:
    """Whether a text is the JSON of lldpcli."""
    return ('"lldp"' in text or '"local-chassis"' in text) and bool(_HEAD.search(text))


def read(text: str, file: str) -> Scan:
    """Read the neighbors of one box."""
    found = [value for value in documents(text, file) if isinstance(value, dict)]
    neighbors = [neighbor for value in found for neighbor in _neighbors(value.get("lldp"), file)]
    kind = kind_by_ports(neighbor.local for neighbor in neighbors)
    return scan(file, "lldpcli_json0", _local(found, file, kind), neighbors)


def _local(found: list[dict], file: str, kind: str) -> Device:
    for value in found:
        for block in objects(value.get("local-chassis")):
            name, chassis = _chassis(block.get("chassis"))
            return local_device(file, name, [word(chassis.get("id"))], kind=kind)
    return local_device(file, kind=kind)


def _neighbors(block: Any, file: str) -> Iterator[Neighbor]:
    if block is not None and not isinstance(block, dict | list):
        raise InputError(Problem("lldp", "is no list of interfaces", "save the output of lldpcli -f json0 as it is", file))
    for name, entry in _interfaces(block):
        if not isinstance(entry, dict) or not entry.keys() & {"chassis", "port"}:
            message = f"interface {name!r} has neither chassis nor port"
            raise InputError(Problem("lldp.interface", message, "run lldpcli -f json0 show neighbors details", file))
        remote, chassis = _chassis(entry.get("chassis"))
        port = (objects(entry.get("port")) or [{}])[0]
        kind = word((objects(port.get("id")) or [{}])[0].get("type"))
        capabilities = objects(chassis.get("capability"))
        inventory = [item for med in objects(entry.get("lldp-med")) for item in objects(med.get("inventory"))] or [{}]
        yield Neighbor(
            local=name,
            name=remote,
            chassis=word(chassis.get("id")),
            port=word(port.get("id")),
            description=word(port.get("descr")),
            capabilities=tuple(word(item.get("type")) for item in capabilities if item.get("enabled") is True),
            by_mac=kind == "mac",
            is_local=kind == "local",
            age_s=seconds(word(entry.get("age"))),
            ttl_s=seconds(_ttl(port) or _ttl(entry)),
            serial=word(inventory[0].get("serial")),
            model=word(inventory[0].get("model")),
        )


def _interfaces(block: Any) -> Iterator[tuple[str, Any]]:
    """Yield interfaces with their names: in json0 objects with a name, in json objects under their names, in lists of lists."""
    for table in objects(block):
        waiting = [table.get("interface", [])]
        while waiting:
            entry = waiting.pop(0)
            if isinstance(entry, list):
                waiting[:0] = entry
            elif not isinstance(entry, dict):
                yield word(entry), entry
            elif isinstance(entry.get("name"), str):
                yield entry["name"], entry
            else:
                yield from ((name, inner) for name, each in entry.items() for inner in (objects(each) or [each]))


def _chassis(value: Any) -> tuple[str, dict]:
    """Return name and object of a chassis; in json it is under its name, if it has one."""
    chassis = (objects(value) or [{}])[0]
    if chassis and "id" not in chassis and "name" not in chassis:
        name, inner = next(iter(chassis.items()))
        return name, inner if isinstance(inner, dict) else {}
    return word(chassis.get("name")), chassis


def _ttl(value: dict) -> str:
    ttl = value.get("ttl")
    return word(ttl) or word((objects(ttl) or [{}])[0].get("ttl"))
