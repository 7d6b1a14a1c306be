"""Floors as SVG and DXF: sound files, the right places and names, and a drawing that comes back as the room."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import ezdxf
import numpy as np
import pytest
from shared.small_plans import make_plan

from planner.core.errors import InputError
from planner.domain.model import Plan
from planner.domain.quantities import tray_fill
from planner.formats import write
from planner.hall import floor
from planner.hall.scene.trays import busiest_routes, tray_lines

SVG = "{http://www.w3.org/2000/svg}"
ROOMS = ("lab", "hall-a", "raised-hall", "two-halls", "container", "frontier")


def groups(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == f"{SVG}svg"
    return root, {group.get("id"): list(group) for group in root.findall(f"{SVG}g")}


def box(element) -> np.ndarray:
    points = np.array([[float(number) for number in pair.split(",")] for pair in element.get("points").split()])
    return np.concatenate([points.min(axis=0), np.ptp(points, axis=0)])


# -- SVG --------------------------------------------------------------------------------------


def test_cabinets_stand_where_the_plan_has_them(plan, tmp_path):
    root, found = groups(write(plan, tmp_path, "svg_floor", scale=100))
    used = np.sort(plan.placement.slot_of)
    assert [element.find(f"{SVG}title").text.partition(":")[0] for element in found["cabinets"]] == [
        plan.room.slot_names[slot] for slot in used
    ]
    low = plan.room.outline.min(axis=0) - 1000
    top = plan.room.outline.max(axis=0)[1] + 1000
    for element, slot in zip(found["cabinets"], used.tolist(), strict=True):
        (x, y), (wide, deep) = plan.room.slot_xy[slot], plan.room.slot_size[slot]
        assert box(element).tolist() == [x - wide / 2 - low[0], top - y - deep / 2, wide, deep]
    # A millimeter on paper is a hundred in the room.
    assert float(root.get("width").removesuffix("mm")) * 100 == float(root.get("viewBox").split()[2])
    assert len(found["slots"]) == plan.room.slot_count
    assert len(found["routes"]) == 10
    assert len(found["fill"]) == (tray_fill(plan) > 0).sum()


@pytest.mark.slow
def test_all_names_are_there_as_they_are(odd, tmp_path):
    root, found = groups(write(odd, tmp_path, "svg_floor"))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert set(texts) >= set(odd.room.slot_names)
    assert set(texts) >= set(odd.room.row_names)
    assert root.find(f"{SVG}title").text == "Plan <Ä> & „B“, Halle „Süd“, <1>, 1:50"
    # No name is longer than its cabinet in the direction of the text.
    sizes = dict(zip(odd.room.slot_names, odd.room.slot_size.tolist(), strict=True))
    for element in found["labels"]:
        if element.text in sizes:
            upright = (element.get("transform") or "").startswith("rotate(-90 ")
            assert float(element.get("font-size")) * 0.6 * len(element.text) <= sizes[element.text][upright]


def test_a_bare_room_is_drawn(plan, tmp_path):
    early = replace(plan, placement=None, cables=None, bill=None, latency=None, simulation=None, violations=None)
    for name in ("svg_floor", "dxf_floor"):
        write(early, tmp_path, name)
    _, found = groups(tmp_path / "small.floor.svg")
    assert found["trays"]
    assert not {"cabinets", "routes", "fill"} & set(found)
    with pytest.raises(InputError, match="no room"):
        write(Plan("bare", "", {}), tmp_path, "svg_floor")


# -- DXF --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_dxf_holds_cabinets_trays_and_routes(plan, tmp_path):
    doc = ezdxf.readfile(write(plan, tmp_path, "dxf_floor", routes=4))
    assert not doc.audit().has_errors
    assert doc.units == ezdxf.units.MM
    space = doc.modelspace()
    cabinets = list(space.query('INSERT[layer=="CABINET"]'))
    used = np.sort(plan.placement.slot_of)
    facts = [{attribute.dxf.tag: attribute.dxf.text for attribute in insert.attribs} for insert in cabinets]
    assert [fact["CABINET"] for fact in facts] == [plan.room.slot_names[slot] for slot in used]
    assert sum(int(fact["ROUTERS"]) for fact in facts) == 50
    assert [list(insert.dxf.insert)[:2] for insert in cabinets] == plan.room.slot_xy[used].tolist()
    assert len(space.query('INSERT[layer=="SLOT"]')) == plan.room.slot_count
    assert len(space.query('LWPOLYLINE[layer=="TRAY"]')) == len(plan.room.tray_names)
    assert len(space.query('LWPOLYLINE[layer=="ROUTE"]')) == 4
    texts = {text.dxf.text for text in space.query("TEXT")}
    assert texts >= {*plan.room.slot_names, *plan.room.row_names, *plan.room.tray_names}
    assert len(space.query('LWPOLYLINE[layer=="FILL-25"]')) == (tray_fill(plan) > 0).sum()


@pytest.mark.slow
@pytest.mark.parametrize("name", ROOMS)
def test_the_importer_reads_the_room_again(name, plan, tmp_path):
    room = floor.room(name, routers=1)
    drawing = write(replace(plan, room=room, placement=None, cables=None), tmp_path, "dxf_floor")
    again = floor.import_dxf(drawing, tmp_path / "again.toml")
    for field in ("slot_names", "row_names", "tray_names", "tray_kinds", "tray_bend_mm", "cooling_mw", "design_fill", "title"):
        assert getattr(again, field) == getattr(room, field), field
    arrays = ("outline", "slot_xy", "slot_size", "slot_row", "slot_facing", "slot_power_mw", "slot_load_g", "slot_egress")
    for field in (*arrays, "node_xyz", "segments", "segment_mm", "segment_mm2", "segment_carries", "slot_node"):
        assert np.array_equal(getattr(again, field), getattr(room, field)), field


def test_odd_names_survive_the_drawing(odd, tmp_path):
    again = floor.import_dxf(write(odd, tmp_path, "dxf_floor"), tmp_path / "again.toml")
    assert set(again.slot_names) == set(odd.room.slot_names)
    assert set(again.row_names) == set(odd.room.row_names)


# -- trays and routes ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ROOMS)
def test_lines_hold_every_level_segment_once(name):
    room = floor.room(name, routers=1)
    lines = tray_lines(room)
    held = [segment for line in lines for segment in line.segments]
    assert len(held) == len(set(held))
    heights = room.node_xyz[room.segments, 2]
    assert set(held) == set(np.flatnonzero(heights[:, 0] == heights[:, 1]).tolist())
    for line in lines:
        drawn = sum(np.hypot(x - u, y - v) for (x, y), (u, v) in pairwise(line.path_mm))
        # Each segment is rounded up to a millimeter.
        assert 0 <= room.segment_mm[line.segments].sum() - drawn <= len(line.segments)


@pytest.mark.slow
def test_routes_are_the_busiest():
    plan = make_plan(room="hall-a", family="dragonfly", a=4, h=1, endpoints_per_router=2, simulate=False)
    cables = plan.cables
    names = [plan.room.slot_names[slot] for slot in plan.placement.slot_of]
    counts = {}
    for row in range(cables.cable_count):
        route = tuple(cables.route_of(row).tolist())
        if route:
            ends = frozenset(names[cabinet] for cabinet in cables.cabinet[row].tolist())
            counts[ends, min(route, route[::-1])] = counts.get((ends, min(route, route[::-1])), 0) + 1
    found = busiest_routes(plan, 1000)
    assert sorted(route.cables for route in found) == sorted(counts.values())
    assert [route.cables for route in found] == sorted((route.cables for route in found), reverse=True)
    assert {frozenset([route.a, route.b]) for route in found} == {ends for ends, _ in counts}
    for route in found:
        ends = [
            plan.room.node_xyz[plan.room.slot_node[plan.room.slot_names.index(name)], :2].tolist() for name in (route.a, route.b)
        ]
        assert {route.path_mm[0], route.path_mm[-1]} <= {tuple(node) for pair in ends for node in pair}
