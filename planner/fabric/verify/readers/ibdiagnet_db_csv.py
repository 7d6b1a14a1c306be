"""InfiniBand nodes, links, port labels and plugs as ibdiagnet's database lists them.

Collect with ``ibdiagnet --get_cable_info --cable_info_disconnected`` and take ``ibdiagnet2.db_csv`` from the folder it writes;
modules of NDR and later need ``--get_phy_info --phy_cable_disconnected``. Older versions write no block LINKS: add
``ibdiagnet2.lst`` of the same folder.
"""

from __future__ import annotations

import csv
import re

from planner.fabric.verify.found import Device, Port, Scan
from planner.fabric.verify.readers.syntax import db_csv_ports as ports
from planner.fabric.verify.readers.syntax.infiniband import joined
from planner.fabric.verify.readers.syntax.lines import Problems, guid, number, shown

_START = re.compile(r"START_(\w+)")
_KINDS = {"1": "host", "2": "switch"}
_RATIOS = {"rawber", "effectiveber", "symbolber"}
Row = tuple[int, dict[str, str]]
"""Line of a row, and its cells by lower-case names of columns."""


def recognizes(text: str) -> bool:
    """Return whether the file has blocks between START_ and END_."""
    return bool(re.search(r"^START_[A-Z0-9_]+\s*$", text, re.MULTILINE))


def read(text: str, file: str) -> Scan:
    """Return nodes, links, states of ports, plugs and error counters, as far as the blocks are there."""
    problems = Problems(file)
    blocks = _blocks(text, problems)
    if "nodes" not in blocks:
        problems.add(0, "has no block NODES", "collect it again with ibdiagnet")
    if not {"links", "cable_info"} & blocks.keys():
        problems.add(0, "has no block LINKS", "add ibdiagnet2.lst of the same folder instead, or update ibdiagnet")
    problems.check()
    devices = _devices(blocks["nodes"], problems)
    found = ports.Found()
    for name, rows in blocks.items():
        for line, row in rows:
            if name == "links":
                _link(found, row, line, problems)
            elif name != "nodes" and (port := _port(row, "nodeguid", ("portnum", "portnumber"))):
                found.take(name, port, row)
    problems.check()
    for port in [*found.states, *found.plugs, *(end for link in found.links for end in link)]:
        # Nodes of which only links speak.
        devices.setdefault(port.device, Device(port.device, addresses=(port.device,), answers=False))
    return joined(Scan(file, "ibdiagnet_db_csv", devices, found.readings(), dark_ports="ports" in blocks))


def _blocks(text: str, problems: Problems) -> dict[str, list[Row]]:
    """Return the rows of the blocks that matter here."""
    blocks: dict[str, list[Row]] = {}
    name, wanted = "", False
    header: list[str] = []
    for line, row in enumerate(text.splitlines(), 1):
        if start := _START.fullmatch(row.strip()):
            if name:
                problems.add(line, f"the block {name} has no end before {shown(row)}")
            name, header = start[1].lower(), []
        elif name and row.strip() == f"END_{name.upper()}":
            if wanted and header:
                blocks.setdefault(name, [])
            name = ""
        elif not name or not row.strip():
            continue
        elif not header:
            header = [cell.strip().lower() for cell in _cells(row)]
            wanted = name in ("nodes", "links", *ports.BLOCKS) or bool(_RATIOS & {re.sub(r"\W|_", "", cell) for cell in header})
        elif wanted:
            cells = _cells(row)
            if len(cells) < len(header):
                problems.add(line, f"has {len(cells)} cells for {len(header)} columns of {name.upper()}: {shown(row)}")
            else:
                blocks.setdefault(name, []).append((line, dict(zip(header, cells, strict=False))))
    if name:
        problems.add(0, f"is cut off inside the block {name.upper()}")
    return blocks


def _cells(row: str) -> list[str]:
    # Few rows have quotes.
    if '"' not in row:
        return row.split(",")
    try:
        return next(csv.reader([row]), [])
    except csv.Error:
        return []


def _devices(rows: list[Row], problems: Problems) -> dict[str, Device]:
    devices: dict[str, Device] = {}
    for line, row in rows:
        if not (key := guid(row.get("nodeguid", ""))):
            problems.add(line, f"has no NodeGUID: {shown(','.join(row.values()))}")
            continue
        addresses = tuple(dict.fromkeys(one for name in ("nodeguid", "portguid") if (one := guid(row.get(name, "")))))
        known = devices.get(key)
        devices[key] = Device(
            key,
            row.get("nodedesc", "").strip(),
            _KINDS.get(row.get("nodetype", "").strip(), ""),
            guid(row.get("systemimageguid", "")),
            tuple(dict.fromkeys((*(known.addresses if known else ()), *addresses))),
            ports=number(row.get("numports", "")) or 0,
        )
    return devices


def _link(found: ports.Found, row: dict[str, str], line: int, problems: Problems) -> None:
    a, b = (_port(row, f"nodeguid{end}", (f"portnum{end}",)) for end in "12")
    if a is None or b is None:
        problems.add(line, f"is no link between two ports: {shown(','.join(row.values()))}")
    else:
        found.links.append((a, b))


def _port(row: dict[str, str], device: str, names: tuple[str, ...]) -> Port | None:
    key = guid(row.get(device, ""))
    port = next((found for name in names if (found := number(row.get(name, ""))) is not None), None)
    return Port(key, str(port)) if key and port else None
