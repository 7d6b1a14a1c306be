"""Hosts with several ports as switches hear them: with addresses and descriptions of any kind, each port is one of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from planner.fabric.baseline import Planned
from planner.fabric.verify import verified
from planner.view.schedule import Connection, End

ADDRESSES = {
    "one for each port": lambda host, port: f"02aa.bb{port:02x}.{host:04x}",
    "one for each host": lambda host, port: f"02aa.bb00.{host:04x}",
}
DESCRIPTIONS = {
    "none": lambda host, port: "",
    "generic": lambda host, port: "Network interface",
    "bond": lambda host, port: "bond0",
    "interface": lambda host, port: f"ens{port}f0",
    "alias of the switch": lambda host, port: f"to_tor{port % 2 + 1}",
    "name of the host": lambda host, port: f"node{host:02}-p{port}",
}
NAMES = {"as planned": str, "with domain": lambda name: f"{name}.example.org", "none": lambda name: ""}


def schedule(ports: int, switches: int, hosts: int = 8) -> list[Connection]:
    """Return the cables of hosts with a number of ports, at each switch in turn."""
    rows = []
    for host in range(hosts):
        for port in range(ports):
            number, own = len(rows) + 1, 1 + host * (ports // switches) + port // switches
            a = End(f"tor{port % switches + 1}", own, str(own), "A1", 1)
            b = End(f"node{host + 1:02}", port + 1, str(port + 1), "B1", host + 1)
            rows.append(Connection(number, number, "", "endpoint", a, b, "cable", ("", ""), "", 3000, 2000, "", "", ""))
    return rows


def scanned(links: dict, folder: Path, address, description, name) -> Path:
    """Write what switches hear, in the form of EOS."""
    tables: dict[str, dict] = {}
    for (switch, port), far in links.items():
        host = int(far.device[-2:])
        info = {"interfaceIdType": "macAddress", "interfaceId": f'"{address(host, far.port)}"'}
        info["interfaceDescription"] = description(host, far.port)
        entry = {"systemName": name(far.device), "chassisId": f"02aa.bb00.{host:04x}", "neighborInterfaceInfo": info}
        tables.setdefault(switch, {})[f"Ethernet{port}"] = {"lldpNeighborInfo": [entry]}
    for switch, table in tables.items():
        (folder / f"{switch}.json").write_text(json.dumps({"lldpNeighbors": table}))
    return folder


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("description", DESCRIPTIONS)
@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(("ports", "switches"), [(2, 2), (2, 1), (4, 2), (8, 8)])
def test_every_port_of_a_host_is_one_of_its_own(ports, switches, address, description, name, tmp_path):
    rows = schedule(ports, switches)
    links = {(row.a.device, row.a.port): row.b for row in rows}
    given = ADDRESSES[address], DESCRIPTIONS[description], NAMES[name]
    found = verified(Planned(rows, tmp_path), [scanned(links, tmp_path, *given)])
    assert (found.right, found.clean) == (len(rows), True)
    if name == "none":
        # Without names no scan distinguishes two hosts.
        return
    one, other = ("tor1", 1), ("tor1", 1 + ports // switches)
    links[one], links[other] = links[other], links[one]
    found = verified(Planned(rows, tmp_path), [scanned(links, tmp_path, *given)])
    assert (found.right, len(found.wrong), len(found.moves)) == (len(rows) - 2, 2, 2)
