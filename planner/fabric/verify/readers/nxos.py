"""Neighbors of a Cisco NX-OS box as JSON of its command line or NX-API, one file per box.

Command: ``show lldp neighbors detail | json > R033.json``; with ``show hostname | json`` in the same file it names the
box itself. One neighbor is an object, several are a list. The short form without ``detail`` is read, too.

References
----------
NetApp/harvest: collector of Cisco LLDP, its test and sample. opennetworkinglab/onos: LinkDiscoveryCiscoImpl.java (NX-API).
"""

from __future__ import annotations

import re

from planner.core.errors import InputError, Problem
from planner.fabric.verify.found import Scan
from planner.fabric.verify.readers.syntax.documents import documents, tables, word
from planner.fabric.verify.readers.syntax.json import objects
from planner.fabric.verify.readers.syntax.neighbors import Neighbor, local_device, mac, scan, seconds

_KEY = re.compile(r"\"TABLE_nbor(_detail)?\"\s*:")


def recognizes(text: str) -> bool:
    """Whether a text has a table of LLDP neighbors of NX-OS."""
    return '"TABLE_nbor' in text and bool(_KEY.search(text))


def read(text: str, file: str) -> Scan:
    """Read the neighbors of one box."""
    found = documents(text, file)
    detailed = _rows(found, "nbor_detail", file)
    neighbors = [_detailed(entry) for entry in detailed] or [_brief(entry) for entry in _rows(found, "nbor", file)]
    name = next((word(value) for value in tables(found, "hostname") if word(value)), "")
    return scan(file, "nxos", local_device(file, name), neighbors)


def _rows(found: list, table: str, file: str) -> list[dict]:
    blocks = list(tables(found, f"TABLE_{table}"))
    if not all(isinstance(block, dict | list) for block in blocks):
        raise InputError(Problem(f"TABLE_{table}", "is no table", "run show lldp neighbors detail | json", file))
    return [row for block in blocks for part in objects(block) for row in objects(part.get(f"ROW_{table}"))]


def _detailed(entry: dict) -> Neighbor:
    port = word(entry.get("port_id"))
    return Neighbor(
        local=word(entry.get("l_port_id")) or word(entry.get("local_port_id")),
        name=word(entry.get("sys_name")),
        chassis=word(entry.get("chassis_id")),
        port=port,
        description=word(entry.get("port_desc")),
        capabilities=_letters(entry.get("enabled_capability")),
        by_mac=bool(mac(port)),
        ttl_s=seconds(word(entry.get("ttl"))),
    )


def _brief(entry: dict) -> Neighbor:
    # The short form has the name of the far box, or its chassis id if it has no name, in one field.
    chassis, port = word(entry.get("chassis_id")), word(entry.get("port_id"))
    return Neighbor(
        local=word(entry.get("l_port_id")),
        name="" if mac(chassis) else chassis,
        chassis=chassis if mac(chassis) else "",
        port=port,
        capabilities=_letters(entry.get("capability")),
        by_mac=bool(mac(port)),
        ttl_s=seconds(word(entry.get("hold_time"))),
    )


def _letters(value: object) -> tuple[str, ...]:
    """Return capabilities: ``B, R``, or a list of letters."""
    if isinstance(value, list):
        return tuple(word(item) for item in value)
    text = word(value)
    return tuple(re.split(r"[,\s]+", text)) if re.search(r"[,\s]", text) else tuple(text) if text.isupper() else (text,)
