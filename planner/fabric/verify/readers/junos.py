"""Neighbors of a Junos box as XML or JSON, one file per box.

Command: ``show lldp neighbors | display xml > R033.xml`` or ``| display json``; ``show lldp local-information`` in the same form
at the end of the file names the box itself. Each value of the JSON is in ``[{"data": …}]``.

References
----------
Juniper/py-junos-eznc: lib/jnpr/junos/op/lldp.yml (fields). Older versions give an SNMP index as port id and the name of the port
as its description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from planner.fabric.verify.found import Scan
from planner.fabric.verify.readers.syntax.documents import clean, documents, element, tables, word
from planner.fabric.verify.readers.syntax.json import objects
from planner.fabric.verify.readers.syntax.neighbors import Neighbor, local_device, mac, scan, seconds

_KEY = re.compile(r"<(\w+:)?lldp-neighbors-information\b|\"lldp-neighbors-information\"\s*:")


def recognizes(text: str) -> bool:
    """Whether a text has the table of neighbors of Junos, as XML or as JSON."""
    return "lldp-neighbors-information" in text and bool(_KEY.search(text))


def read(text: str, file: str) -> Scan:
    """Read the neighbors of one box."""
    start = text.lstrip()[:1]
    as_json = start in "{[" or ("<lldp-neighbors-information" not in text and '"lldp-neighbors-information"' in text)
    entries, own = _json(text, file) if as_json else _xml(text, file)
    device = local_device(file, own.get("lldp-local-system-name", ""), [own.get("lldp-local-chassis-id", "")])
    return scan(file, "junos", device, map(_neighbor, entries))


def _json(text: str, file: str) -> tuple[Iterator[dict[str, str]], dict[str, str]]:
    found = documents(text, file)
    entries = (row for table in tables(found, "lldp-neighbor-information") for row in objects(table))
    own: Any = next((objects(block)[0] for block in tables(found, "lldp-local-info") if objects(block)), {})
    own = own or next((row for block in tables(found, "lldp-local-information") for row in objects(block)), {})
    return (_words(entry) for entry in entries), _words(own)


def _xml(text: str, file: str) -> tuple[Iterator[dict[str, str]], dict[str, str]]:
    root = element(_one_root(text), file)
    own: dict[str, str] = {}
    for name in ("lldp-local-system-name", "lldp-local-chassis-id"):
        own[name] = clean(next((item.text or "" for item in root.iter(name)), ""))
    return (_texts(entry) for entry in root.iter("lldp-neighbor-information")), own


def _one_root(text: str) -> str:
    """Return the replies of a text, one after the other with prompts between them, as one document."""
    replies, at = [], text.find("<rpc-reply")
    while at >= 0 and (end := text.find("</rpc-reply>", at)) >= 0:
        replies.append(text[at:end] + "</rpc-reply>")
        at = text.find("<rpc-reply", end)
    if len(replies) < 2 or at >= 0 or "<!" in text:
        return text
    joined = "\n".join(replies)
    return f"<replies>{joined}</replies>"


def _words(entry: dict) -> dict[str, str]:
    return {key: word(value) for key, value in entry.items()}


def _texts(entry: ElementTree.Element) -> dict[str, str]:
    return {item.tag: clean(item.text or "") for item in entry.iter()}


def _neighbor(entry: dict[str, str]) -> Neighbor:
    local = entry.get("lldp-local-port-id") or entry.get("lldp-local-interface", "")
    port = entry.get("lldp-remote-port-id", "")
    subtype = entry.get("lldp-remote-port-id-subtype", "").lower()
    capabilities = entry.get("lldp-remote-system-capabilities-enabled", "")
    return Neighbor(
        # Older versions name the logical interface, unit 0.
        local=re.sub(r"\.0$", "", local),
        name=entry.get("lldp-remote-system-name", ""),
        chassis=entry.get("lldp-remote-chassis-id", ""),
        port=port,
        description=entry.get("lldp-remote-port-description", ""),
        capabilities=tuple(re.split(r"[,\s]+", capabilities)),
        by_mac="mac" in subtype or bool(mac(port)),
        is_local="local" in subtype,
        age_s=seconds(entry.get("lldp-timemark", "")) if ":" in entry.get("lldp-timemark", "") else None,
        ttl_s=seconds(entry.get("lldp-ttl", "")),
    )
