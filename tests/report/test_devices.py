"""Devices of several networks and parts in names, tables and exports."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from shared.small_plans import make_plan

from planner import formats
from planner.view.names import device_names
from planner.view.tables import TABLES


@pytest.fixture(scope="module")
def mixed():
    """A ring of four routers with two endpoints each; router 2 is of another part with 64 ports."""
    plan = make_plan(family="torus", sizes=(4,), endpoints_per_router=2, simulate=False)
    devices = plan.inventory
    other = replace(devices.parts[0], id="nvidia-qm64", ports=64)
    part = np.where(np.arange(devices.device_count) == 2, len(devices.parts), devices.part)
    return replace(plan, inventory=replace(devices, parts=(*devices.parts, other), per_box=(*devices.per_box, 1), part=part))


@pytest.mark.slow
def test_devices_have_the_names_of_the_inventory(mixed):
    names = [f"box {n}" for n in range(12)]
    assert device_names(replace(mixed, inventory=replace(mixed.inventory, names=np.array(names)))) == names
    assert device_names(mixed) == [*(f"R{n:03d}" for n in range(4)), *(f"E{n:03d}" for n in range(8))]


def test_each_router_has_the_ports_of_its_part(mixed):
    table = TABLES["routers"]
    names = [column.name for column in table.planned]
    found = [dict(zip(names, row, strict=True)) for row in table.rows(mixed)]
    assert [row["part"] for row in found] == ["switch-16", "switch-16", "nvidia-qm64", "switch-16"]
    assert [row["free_ports"] for row in found] == [12, 12, 60, 12]
    ports = Counter(row[0] for row in TABLES["ports"].rows(mixed))
    assert [ports[f"R{n:03d}"] for n in range(4)] == [16, 16, 64, 16]
    assert [ports[f"E{n:03d}"] for n in range(8)] == 8 * [1]


def test_each_router_has_the_type_of_its_part(mixed, tmp_path):
    text = formats.write(mixed, tmp_path, "ibdiagnet_topo").read_text(encoding="ascii")
    types = {name: kind for kind, name in re.findall(r"^(\S+) (R\d+)$", text, re.MULTILINE)}
    assert types == {"R000": "SWITCH-16", "R001": "SWITCH-16", "R002": "MQM64", "R003": "SWITCH-16"}
    # Neighbors name the type of the far router.
    assert len(re.findall(r"-> MQM64 R002 ", text)) == 2
