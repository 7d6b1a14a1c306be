"""Cable status of the Prescriptive Topology Manager as JSON, one file per box: the neighbors that it found, not those expected.

Command: ``ptmctl -d -j > R033.json``.

References
----------
CumulusNetworks/ptm: src/ptm_lldp.c, ptm_status_lldp (keys and words), src/ptmctl.py (rows by port).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planner.fabric.verify.found import Scan
from planner.fabric.verify.readers.syntax.documents import documents, word
from planner.fabric.verify.readers.syntax.neighbors import Neighbor, known, local_device, mac, scan


def recognizes(text: str) -> bool:
    """Whether a text is the status of cables by port."""
    return '"cbl status"' in text


def read(text: str, file: str) -> Scan:
    """Read the neighbors of one box."""
    neighbors = [neighbor for row in _ports(documents(text, file)) if (neighbor := _neighbor(row)) is not None]
    return scan(file, "ptm", local_device(file), neighbors)


def _ports(value: Any) -> Iterator[dict]:
    """Yield the rows of ports: a list, under numbers, or under the ports as lists of one."""
    if isinstance(value, dict) and "cbl status" in value:
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _ports(inner)


def _neighbor(row: dict) -> Neighbor | None:
    name, _, port = known(word(row.get("act nbr"))).partition(":")
    if not name:
        return None
    own, described = known(word(row.get("portID"))), known(word(row.get("portDescr")))
    return Neighbor(
        local=word(row.get("port")),
        name=known(word(row.get("sysname"))) or name,
        port=own or port,
        description=described or (port if port != own else ""),
        by_mac=bool(mac(own)),
    )
