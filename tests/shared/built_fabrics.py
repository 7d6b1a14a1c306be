"""Fabrics with known errors, from the db_csv files of the verification samples and their answers."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from planner.fabric.verify.found import HOST, SWITCH, Device, Fabric, Link, Place, Plug
from planner.fabric.verify.result import Identified, Identity

DATA = Path(__file__).parents[1] / "data" / "verify"
PLAN = DATA / "plan-slimfly-200.csv"


def blocks(path: Path) -> dict[str, list[dict[str, str]]]:
    """The blocks of a db_csv file by name."""
    found, name, lines = {}, "", []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("START_"):
            name, lines = line.removeprefix("START_"), []
        elif line.startswith("END_"):
            found[name] = list(csv.DictReader(lines))
        else:
            lines.append(line)
    return found


def built(name: str) -> tuple[Fabric, Identity, dict]:
    """A fabric with known identities, and the answer."""
    answer = json.loads((DATA / name / "answer.json").read_text(encoding="utf-8"))
    found = blocks(DATA / name / "ibdiagnet2.db_csv")

    def key(text: str) -> str:
        return text.removeprefix("0x")

    devices = {
        key(row["NodeGUID"]): Device(key(row["NodeGUID"]), row["NodeDesc"], SWITCH if row["NodeType"] == "2" else HOST)
        for row in found["NODES"]
        if key(row["NodeGUID"]) in answer["identity"]
    }
    links = [
        Link(Place(key(row["NodeGuid1"]), int(row["PortNum1"])), Place(key(row["NodeGuid2"]), int(row["PortNum2"])))
        for row in found["LINKS"]
        if key(row["NodeGuid1"]) in devices and key(row["NodeGuid2"]) in devices
    ]
    plugs = {
        Place(key(row["NodeGuid"]), int(row["PortNum"])): Plug(
            row["Vendor"], row["PN"].ljust(16), row["SN"].ljust(16), float(row["LengthDesc"].split()[0]), row["TypeDesc"]
        )
        for row in found["CABLE_INFO"]
    }
    identity = Identity({guid: Identified(guid, device, 1.0, "name") for guid, device in answer["identity"].items()})
    return Fabric(devices, links, plugs=plugs), identity, answer
