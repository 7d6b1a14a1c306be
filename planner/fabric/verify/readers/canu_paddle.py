"""Cabling of management networks as CANU states it in a paddle file (CCJ).

Collect with ``canu validate shcd --shcd SHCD.xlsx --json --out paddle.json``. It states what the
cabling diagram plans, not what is plugged in.
"""

from __future__ import annotations

from typing import Any

from planner.fabric.verify.found import HOST, SWITCH, Device, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.json import objects, parsed, word
from planner.fabric.verify.readers.syntax.lines import Problems, number

_KINDS = {"switch": SWITCH, "server": HOST, "node": HOST}


def recognizes(text: str) -> bool:
    """Return whether it is JSON with the keys of a paddle file."""
    return text.lstrip().startswith("{") and '"canu_version"' in text and '"topology"' in text


def read(text: str, file: str) -> Scan:
    """Return devices by name, and links from both ends."""
    content = parsed(text, file)
    scan, problems = Scan(file, "canu_paddle", claims=True), Problems(file)
    nodes = objects(content.get("topology") if isinstance(content, dict) else None)
    names: dict[str, str] = {}
    for place, node in enumerate(nodes):
        name, key = word(node.get("common_name")), word(node.get("id"))
        if not name or not key or key in names:
            wrong = "has no common_name" if not name else "has no id" if not key else f"repeats the id {key[:20]}"
            problems.add(0, wrong, key=f"topology {place + 1}")
            continue
        names[key] = name
        kind = _KINDS.get(word(node.get("type")).lower(), "")
        scan.devices[name] = Device(name, name, kind, model=word(node.get("model")))
    for node in nodes:
        for port in objects(node.get("ports")):
            _take(scan, names, node, port, problems)
    if not scan.devices:
        problems.add(0, "lists no node")
    problems.check()
    return scan


def _take(scan: Scan, names: dict[str, str], node: dict[str, Any], port: dict[str, Any], problems: Problems) -> None:
    near = names.get(word(node.get("id")))
    far = names.get(word(port.get("destination_node_id")))
    ends = _port(port.get("slot"), port.get("port")), _port(port.get("destination_slot"), port.get("destination_port"))
    if near is None:
        return
    if far is None or not all(ends):
        known = "has no port number" if far is not None else "leads to a node that is not in the file"
        problems.add(0, known, "create the file again with canu", f"{near}, port {word(port.get('port'))[:20]}")
        return
    speed = word(port.get("speed"))[:10]
    rate = f"{speed}G" if speed.isdigit() else ""
    scan.readings.append(Reading(Port(near, ends[0]), far=Port(far, ends[1]), state="up", speed=rate))


def _port(slot: Any, port: Any) -> str:
    plain = number(word(port))
    return "" if plain is None else f"{word(slot)}:{plain}" if word(slot) else str(plain)
