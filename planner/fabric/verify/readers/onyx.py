"""Neighbors of an MLNX-OS or Onyx box as JSON or text, one file per box.

Command: ``show lldp interfaces ethernet remote | json-print > R033.json``, or without ``| json-print`` as text. "Not Advertised"
counts as empty.

References
----------
Cray-HPE/canu: canu/validate/switch/cabling/cabling.py and tests/test_validate_network_cabling.py (JSON, and its lines as text).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from planner.fabric.verify.found import Scan
from planner.fabric.verify.readers.syntax.documents import clean, documents, word
from planner.fabric.verify.readers.syntax.json import objects
from planner.fabric.verify.readers.syntax.neighbors import Neighbor, local_device, mac, scan, seconds
from planner.fabric.verify.readers.syntax.table import columns

_FIELD = re.compile(r"(^[ \t]*|[{,]\s*)\"?Remote (chassis id|port-id|system name)\"?\s*:", re.MULTILINE)
_TABLE = re.compile(r"^[ \t]*Local Interface\s+(Chassis ID|Device ID)\s+Port ID\s+System Name", re.MULTILINE)
_PORT = re.compile(r"(Eth(?:ernet)?[ ]?\d+(?:/\d+)*)\s*(?:\(.*\))?\s*:?", re.IGNORECASE)


def recognizes(text: str) -> bool:
    """Whether a text is the list of neighbors, as JSON or text."""
    if "Remote " in text:
        return bool(_FIELD.search(text))
    return "No lldp remote information" in text or ("Local Interface" in text and bool(_TABLE.search(text)))


def read(text: str, file: str) -> Scan:
    """Read the neighbors of one box."""
    if text.lstrip()[:1] in ("{", "["):
        entries: Iterator[tuple[str, dict[str, str]]] = _from_json(documents(text, file))
    elif header := _TABLE.search(text):
        entries = _from_table(columns(text, header.start(), file))
    else:
        entries = _from_lines(text)
    neighbors = [_neighbor(port, fields) for port, fields in entries if fields]
    return scan(file, "onyx", local_device(file), neighbors)


def _from_json(found: list[Any]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield ports and fields; a port has a list of objects, with one field each or with all of them."""
    for document in found:
        for table in objects(document):
            for block in objects(table.get("data", table)):
                for port, value in block.items():
                    if match := _PORT.fullmatch(port.strip()):
                        yield from ((match[1], fields) for fields in _grouped(objects(value)))


def _grouped(parts: list[dict]) -> Iterator[dict[str, str]]:
    """Yield the fields of each neighbor: a field that comes again begins the next one."""
    fields: dict[str, str] = {}
    for part in parts:
        words = {key.strip().lower(): word(value) for key, value in part.items()}
        if fields.keys() & words.keys() & {"remote chassis id", "remote index", "remote port-id"}:
            yield fields
            fields = {}
        fields |= words
    yield fields


def _from_table(table: list[dict[str, str]]) -> Iterator[tuple[str, dict[str, str]]]:
    for row in table:
        named = {key.lower(): value for key, value in row.items()}
        yield (
            named.get("local interface", ""),
            {
                "remote chassis id": named.get("chassis id", named.get("device id", "")),
                "remote port-id": named.get("port id", ""),
                "remote system name": named.get("system name", ""),
            },
        )


def _from_lines(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    port = ""
    parts: list[dict[str, str]] = []
    for line in map(clean, text.splitlines()):
        if match := _PORT.fullmatch(line):
            yield from ((port, fields) for fields in _grouped(parts))
            port, parts = match[1], []
        elif port and ":" in line:
            for piece in re.split(r" ?; ", line):
                key, _, value = piece.partition(":")
                parts.append({clean(key): clean(value)})
    yield from ((port, fields) for fields in _grouped(parts))


def _neighbor(port: str, fields: dict[str, str]) -> Neighbor:
    far = fields.get("remote port-id", "")
    letters = fields.get("remote system capabilities enabled", fields.get("remote capabilities enabled", ""))
    return Neighbor(
        local=re.sub(r"^Eth(?:ernet)? ?", "Eth", port, flags=re.IGNORECASE),
        name=fields.get("remote system name", ""),
        chassis=fields.get("remote chassis id", ""),
        port=far,
        description=fields.get("remote port description", ""),
        capabilities=tuple(re.split(r"[,;\s]+", letters)),
        is_local="local" in fields.get("port id subtype", "").lower(),
        by_mac="mac" in fields.get("port id subtype", "").lower() or bool(mac(far)),
        ttl_s=seconds(fields.get("remote ttl", fields.get("ttl", ""))),
    )
