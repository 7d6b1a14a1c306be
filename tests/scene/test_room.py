"""The scene of a room, its legend, and what the web page gets of it."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import numpy as np
import pytest
import shapely

from planner.hall import floor
from planner.hall.scene import Layer, Scene, Shape
from planner.hall.scene.json import content
from planner.hall.scene.palette import STYLES, legend, named, shade, style_of
from planner.hall.scene.room import front, room_scene

ROOMS = ("lab", "raised-hall", "two-halls")


@pytest.mark.parametrize("name", ROOMS)
def test_shapes_are_where_the_room_has_them(name):
    room = floor.room(name, routers=1)
    scene = room_scene(room)
    slots = scene.layer("slots").shapes
    assert [shape.name for shape in slots] == list(room.slot_names)
    for slot, shape in enumerate(slots):
        polygon = shapely.Polygon(shape.points_mm)
        assert [polygon.centroid.x, polygon.centroid.y] == room.slot_xy[slot].tolist()
        assert polygon.area == room.slot_size[slot].prod()
        # The front is half a cabinet away from its center, in the direction that it faces.
        (x, y), (u, v) = front(shape).points_mm
        angle = np.radians(int(room.slot_facing[slot]))
        facing = np.array([np.cos(angle), np.sin(angle)])
        assert np.array([x + u, y + v]) / 2 - room.slot_xy[slot] == pytest.approx(facing * room.slot_size[slot] / 2, abs=1e-6)
    kinds = [shape.kind for shape in scene.layer("obstacles").shapes]
    assert kinds == [zone.kind for zone in room.obstacles]
    outline = shapely.Polygon(room.outline)
    assert all(outline.buffer(1).covers(shapely.LineString(shape.points_mm)) for shape in scene.layer("tiles").shapes)
    levels = {shape.z_mm for shape in scene.layer("trays").shapes if not shape.closed}
    assert levels <= set(room.node_xyz[:, 2].tolist())


def test_second_kinds_of_trays_are_drawn_aside():
    scene = room_scene(floor.room("raised-hall", routers=1))
    aside = {shape.kind: shape.aside for shape in scene.layer("trays").shapes}
    assert aside["tray under the floor"]
    assert not aside["fiber tray"]


def test_the_legend_has_the_kinds_of_the_scene():
    scene = room_scene(floor.room("two-halls", routers=1))
    words = [entry.text for entry in legend(scene)]
    assert {"cold aisle", "hot aisle", "door", "column", "empty slot", "tray"} <= set(words)
    assert "riser" not in words
    assert len(words) == len(set(words))


def test_a_share_sets_the_color_and_more_than_the_limit_a_hatch():
    cabinet = Shape("cabinet", [(0, 0), (1, 0), (1, 1), (0, 1)], ramp="power", share=0.5)
    assert style_of(cabinet).fill == shade("power", 0.5)
    over = Shape("cabinet", cabinet.points_mm, ramp="power", share=1.01)
    assert (style_of(over).fill, style_of(over).hatch) == (named("over"), "crossed")
    words = [entry.text for entry in legend(Scene("", (0, 0), (1, 1), [Layer("cabinets", [cabinet, over])], "the supply"))]
    assert words == [*(f"{share} % of the supply" for share in (25, 50, 75, 100)), "over the limit"]


def test_the_page_gets_all_shapes_and_no_colors():
    scene = room_scene(floor.room("two-halls", routers=1))
    data = json.loads(json.dumps(content(scene)))
    for layer, (name, pitch, groups) in zip([layer for layer in scene.layers if layer.shapes], data["layers"], strict=True):
        assert (layer.name, layer.pitch_mm) == (name, pitch)
        found = []
        for kind, closed, aside, points, start in groups:
            corners = np.reshape(points, (-1, 2)).tolist()
            found += [(kind, closed, aside, corners[a:b]) for a, b in pairwise(start)]
        wanted = [(s.kind, s.closed, s.aside, [[round(x), round(y)] for x, y in s.points_mm]) for s in layer.shapes]
        assert sorted(found) == sorted(wanted)
    assert not re.search(r"#[0-9a-f]{6}", json.dumps(data))
    assert set(data["styles"]) <= set(STYLES)
    assert {label["text"] for label in data["labels"]} >= {*scene_names(scene)}


def scene_names(scene):
    return {shape.name for shape in scene.layer("slots").shapes}
