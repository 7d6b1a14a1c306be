"""Neighbors of a SONiC box: table `LLDP_ENTRY_TABLE` of its APPL_DB as JSON, or `show lldp table`; one file per box.

Command: ``sonic-db-dump -n APPL_DB -k 'LLDP_*' -y > R033.json``; the table `LLDP_LOC_CHASSIS` in it names the box itself. Or
``show lldp table > R033.txt``.

References
----------
sonic-net/sonic-dbsyncd: src/lldp_syncd/daemon.py (fields of the table). sonic-net/sonic-utilities: scripts/lldpshow (text table).
IEEE 802.1AB, 8.5.8.1: bits of capabilities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from planner.core.errors import InputError, Problem
from planner.fabric.verify.found import Scan
from planner.fabric.verify.readers.syntax.documents import documents, word
from planner.fabric.verify.readers.syntax.json import objects
from planner.fabric.verify.readers.syntax.neighbors import Neighbor, local_device, mac, scan
from planner.fabric.verify.readers.syntax.table import Row, columns

_TABLE = re.compile(r"^LocalPort\s+RemoteDevice\s+RemotePortID\b", re.MULTILINE)
_MAC_SUBTYPE, _LOCAL_SUBTYPE = "3", "7"
_BITS = ("other", "repeater", "bridge", "wlan", "router", "telephone", "docsis", "station")
"""Capabilities from the highest bit of the first byte down, as SONiC stores them."""


def recognizes(text: str) -> bool:
    """Whether a text is a dump of the neighbor table, or its text form."""
    if "LocalPort" in text:
        return bool(_TABLE.search(text))
    return "LLDP_ENTRY_TABLE" in text or "lldp_rem_" in text


def read(text: str, file: str) -> Scan:
    """Read the neighbors of one box."""
    if header := _TABLE.search(text):
        neighbors = [_from_row(row) for row in columns(text, header.start(), file)]
        return scan(file, "sonic", local_device(file), neighbors)
    own: dict = {}
    neighbors = []
    for document in documents(text, file):
        for key, value in _entries(document):
            table, _, port = key.partition(":") if ":" in key else key.partition("|")
            if table == "LLDP_LOC_CHASSIS":
                own = value
            elif table == "LLDP_ENTRY_TABLE" and port:
                neighbors.append(_from_entry(port, value))
    if not neighbors and "LLDP_ENTRY_TABLE" not in text:
        remedy = "run sonic-db-dump -n APPL_DB -k 'LLDP_*' -y"
        raise InputError(Problem("LLDP_ENTRY_TABLE", "has no such table", remedy, file))
    device = local_device(file, word(own.get("lldp_loc_sys_name")), [word(own.get("lldp_loc_chassis_id"))])
    return scan(file, "sonic", device, neighbors)


def _entries(document: object) -> Iterator[tuple[str, dict]]:
    """Yield keys with their fields: under a key of table and port, or tables of ports; with the type of a value or without."""
    for table in objects(document):
        for key, value in table.items():
            if not isinstance(value, dict):
                continue
            fields = value.get("value", value)
            if ":" in key or "|" in key or key == "LLDP_LOC_CHASSIS":
                yield key, fields if isinstance(fields, dict) else {}
            elif key == "LLDP_ENTRY_TABLE":
                yield from ((f"{key}:{port}", inner) for port, inner in value.items() if isinstance(inner, dict))
            elif key in ("APPL_DB", "0"):
                yield from _entries(value)


def _from_entry(port: str, fields: dict) -> Neighbor:
    return Neighbor(
        local=port,
        name=word(fields.get("lldp_rem_sys_name")),
        chassis=word(fields.get("lldp_rem_chassis_id")),
        port=word(fields.get("lldp_rem_port_id")),
        description=word(fields.get("lldp_rem_port_desc")),
        capabilities=_capabilities(word(fields.get("lldp_rem_sys_cap_enabled"))),
        by_mac=word(fields.get("lldp_rem_port_id_subtype")) == _MAC_SUBTYPE,
        is_local=word(fields.get("lldp_rem_port_id_subtype")) == _LOCAL_SUBTYPE,
    )


def _from_row(row: Row) -> Neighbor:
    port = row.get("RemotePortID", "")
    return Neighbor(
        local=row.get("LocalPort", ""),
        name=row.get("RemoteDevice", ""),
        port=port,
        description=row.get("RemotePortDescr", ""),
        capabilities=tuple(row.get("Capability", "")),
        by_mac=bool(mac(port)),
    )


def _capabilities(text: str) -> tuple[str, ...]:
    """Return the capabilities of a bit string such as ``28 00``, or of words.

    >>> _capabilities("28 00"), _capabilities("bridge, router")
    (('bridge', 'router'), ('bridge', 'router'))
    """
    if found := re.fullmatch(r"([0-9A-Fa-f]{2})([ :][0-9A-Fa-f]{2})*", text):
        return tuple(name for place, name in enumerate(_BITS) if int(found[1], 16) & 0x80 >> place)
    return tuple(re.split(r"[,\s]+", text.lower()))
