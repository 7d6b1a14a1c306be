"""Neighbors of an Arista box as JSON of its command line or eAPI, one file per box.

Command: ``show lldp neighbors detail | json``, better with ``show hostname | json`` before it in the same file: it names the box.
The short form without ``detail`` is read, too.

References
----------
aristanetworks/anta: tests/units/anta_tests/test_connectivity.py (samples of eAPI), anta/tests/connectivity.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planner.core.errors import InputError, Problem
from planner.fabric.verify.found import Scan
from planner.fabric.verify.readers.syntax.documents import documents, tables, word
from planner.fabric.verify.readers.syntax.json import objects
from planner.fabric.verify.readers.syntax.neighbors import Neighbor, local_device, mac, scan, seconds


def recognizes(text: str) -> bool:
    """Whether a text has the table of neighbors of eAPI."""
    return '"lldpNeighbors"' in text


def read(text: str, file: str) -> Scan:
    """Read the neighbors of one box."""
    found = documents(text, file)
    blocks = list(tables(found, "lldpNeighbors"))
    if not all(isinstance(block, dict | list) for block in blocks):
        raise InputError(Problem("lldpNeighbors", "is no table of ports", "run show lldp neighbors detail | json", file))
    name = next((word(value) for value in tables(found, "hostname") if word(value)), "")
    own = next((word(value) for value in tables(found, "systemMacAddress")), "")
    neighbors = [neighbor for block in blocks for neighbor in _neighbors(block)]
    return scan(file, "arista", local_device(file, name, [own]), neighbors)


def _entries(value: Any) -> list[dict]:
    return objects(value.get("lldpNeighborInfo") if isinstance(value, dict) else value)


def _neighbors(block: Any) -> Iterator[Neighbor]:
    if isinstance(block, list):
        for entry in objects(block):
            port = word(entry.get("neighborPort"))
            yield Neighbor(
                local=word(entry.get("port")),
                name=word(entry.get("neighborDevice")),
                port=port,
                by_mac=bool(mac(port)),
                ttl_s=seconds(word(entry.get("ttl"))),
            )
        return
    for local, value in block.items():
        for entry in _entries(value):
            yield _detailed(local, entry)


def _detailed(local: str, entry: dict) -> Neighbor:
    port = (objects(entry.get("neighborInterfaceInfo")) or [{}])[0]
    enabled = entry.get("systemCapabilities")
    return Neighbor(
        local=local,
        name=word(entry.get("systemName")),
        chassis=word(entry.get("chassisId")),
        port=word(port.get("interfaceId_v2")) or word(port.get("interfaceId")),
        description=word(port.get("interfaceDescription")),
        capabilities=tuple(key for key, value in enabled.items() if value is True) if isinstance(enabled, dict) else (),
        by_mac=word(port.get("interfaceIdType")) == "macAddress",
        is_local=word(port.get("interfaceIdType")).lower().startswith("local"),
        ttl_s=seconds(word(entry.get("ttl"))),
    )
