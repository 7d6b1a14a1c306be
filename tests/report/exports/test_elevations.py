"""Elevations as SVG and DXF: every device in its units on both sides, every port once, those in use marked."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import Counter

import ezdxf
import numpy as np
import pytest
from shared.small_plans import make_plan

from planner.core.errors import InputError
from planner.formats import write

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def plan():
    return make_plan(family="torus", sizes=(4, 4), endpoints_per_router=2, simulate=False)


def used_ports(plan) -> int:
    """Return the number of ports with a cable, over all boxes."""
    boxes = plan.placement.box[plan.cables.device].ravel()
    return len(np.unique(np.column_stack([boxes, plan.cables.port.ravel()]), axis=0))


def test_every_device_is_drawn_on_both_sides_and_every_port_once(plan, tmp_path):
    root = ElementTree.parse(write(plan, tmp_path, "svg_elevations")).getroot()
    titles = Counter(title.text.rpartition(": ")[2] for group in root.iter(f"{SVG}g") if group.get("id") == "ports"
                     for title in group.iter(f"{SVG}title"))  # fmt: skip
    boxes = len(plan.placement.first_of_box)
    ports = sum(len(plan.inventory.part_of(first).port_names) for first in plan.placement.first_of_box.tolist())
    assert titles == {"in use": used_ports(plan), "free": ports - used_ports(plan)}
    drawn = [group for group in root.iter(f"{SVG}g") if group.get("id") == "boxes"]
    assert len(list(drawn[0].iter(f"{SVG}polygon"))) == 2 * boxes
    text = "".join(root.itertext())
    assert all(f"{name}, seen from the {side}" in text for name in ("A01",) for side in ("front", "rear"))


def test_layers_of_the_drawing(plan, tmp_path):
    doc = ezdxf.readfile(write(plan, tmp_path, "dxf_elevations"))
    layers = Counter(entity.dxf.layer for entity in doc.modelspace() if entity.dxftype() == "LWPOLYLINE")
    assert layers["ELEVATION"] == 2 * plan.placement.cabinet_count
    assert layers["ROUTER"] == 2 * plan.topology.router_count
    assert layers["PORT-IN-USE"] == used_ports(plan)


def test_boxes_are_in_their_units(plan, tmp_path):
    """The lowest edge of a box of unit n is n - 1 units above that of its cabinet."""
    doc = ezdxf.readfile(write(plan, tmp_path, "dxf_elevations"))
    lines = [entity for entity in doc.modelspace() if entity.dxftype() == "LWPOLYLINE"]
    (foot,) = {min(y for _, y, *_ in line.get_points()) for line in lines if line.dxf.layer == "ELEVATION"}
    boxes = [min(y for _, y, *_ in line.get_points()) for line in lines if line.dxf.layer == "ROUTER"]
    unit = plan.catalog.cabinet.unit_um / 1000
    found = Counter(round((low - foot - 1) / unit) + 1 for low in boxes)
    routers = plan.placement.unit[: plan.topology.router_count].tolist()
    assert found == Counter(routers + routers)


def test_one_cabinet_is_chosen_by_its_name(plan, tmp_path):
    chosen = write(plan, tmp_path, "svg_elevations", cabinet="A01").read_text(encoding="utf-8")
    assert chosen.count("seen from the front</text>") == 1
    with pytest.raises(InputError, match="no cabinet 'Z99'"):
        write(plan, tmp_path, "svg_elevations", cabinet="Z99")
