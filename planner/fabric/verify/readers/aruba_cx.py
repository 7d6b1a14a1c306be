"""Neighbors of an Aruba CX box as JSON of its REST interface, one file per box.

Command: ``curl -b cookies "https://R033/rest/v10.04/system/interfaces/*/lldp_neighbors?depth=2" > R033.json``.

References
----------
Cray-HPE/canu: canu/utils/vendor and canu/validate/switch/cabling, with samples in tests/test_validate_switch_cabling.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from planner.fabric.verify.found import Scan
from planner.fabric.verify.readers.syntax.documents import clean, documents, word
from planner.fabric.verify.readers.syntax.json import objects
from planner.fabric.verify.readers.syntax.neighbors import Neighbor, local_device, mac, scan, seconds


def recognizes(text: str) -> bool:
    """Whether a text has the neighbors of the REST interface."""
    return '"neighbor_info"' in text and ('"chassis_id"' in text or '"port_id"' in text)


def read(text: str, file: str) -> Scan:
    """Read the neighbors of one box."""
    found = documents(text, file)
    name = next((word(table.get("hostname")) for value in found for table in objects(value) if table.get("hostname")), "")
    neighbors = [neighbor for value in found for table in objects(value) for neighbor in _neighbors(table)]
    return scan(file, "aruba_cx", local_device(file, name), neighbors)


def _neighbors(table: dict) -> Iterator[Neighbor]:
    """Yield the neighbors of a table: ports with neighbors under ``MAC,port``, with their keys escaped as in addresses."""
    for port, value in table.items():
        entries = value.get("lldp_neighbors", value) if isinstance(value, dict) else None
        if not isinstance(entries, dict):
            continue
        for key, entry in entries.items():
            if isinstance(entry, dict) and ("neighbor_info" in entry or "port_id" in entry):
                yield _neighbor(unquote(port), unquote(key), entry)


def _neighbor(local: str, key: str, entry: dict) -> Neighbor:
    info: dict[str, Any] = (objects(entry.get("neighbor_info")) or [{}])[0]
    address, _, port = key.partition(",")
    port = word(entry.get("port_id")) or word(info.get("port_id")) or clean(port)
    enabled = info.get("chassis_capability_enabled")
    names = ",".join(map(word, enabled)) if isinstance(enabled, list) else word(enabled)
    return Neighbor(
        local=local,
        name=word(info.get("chassis_name")),
        chassis=word(entry.get("chassis_id")) or word(entry.get("mac_addr")) or mac(address),
        port=port,
        description=word(info.get("port_description")),
        capabilities=tuple(re.split(r"[,\s]+", names)),
        by_mac="mac" in word(info.get("port_id_subtype")) or bool(mac(port)),
        is_local="local" in word(info.get("port_id_subtype")).lower(),
        ttl_s=seconds(word(info.get("chassis_ttl"))),
    )
