"""A drawing of an architect, its import, and what differs between two rooms."""

import dataclasses

import ezdxf
import numpy as np
import pytest

from planner.core.errors import InputError
from planner.hall import floor


def differing(room, other):
    names = [spec.name for spec in dataclasses.fields(room)]
    pairs = {name: (getattr(room, name), getattr(other, name)) for name in names}
    return {n for n, (a, b) in pairs.items() if not (np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b)}


MAPPING = """
[layers]
outline = ["A-WALL*"]
column = ["S-COLS"]
door = ["A-DOOR"]

[blocks]
cabinet = ["RACK*"]

[cabinet]
front = "-y"
name = "ID"

[[tray]]
layer = "E-TRAY"
width_mm = 450
height_mm = 60
elevation_mm = 2700

[room]
title = "Imported"
power_mw = 10_000_000
"""


def architect(unit="m", insunits=6):
    """A hall in meters: walls of single lines, a round column, unnamed racks in two rows, one rack missing."""
    doc = ezdxf.new("R2010")
    doc.header["$INSUNITS"] = insunits
    space = doc.modelspace()
    walls = [(0, 0), (10, 0), (10, 8), (0, 8)]
    for start, end in zip(walls, [*walls[1:], walls[0]], strict=True):
        space.add_line(end, start, dxfattribs={"layer": "A-WALL-INT"})
    space.add_circle((8, 6), 0.25, dxfattribs={"layer": "S-COLS"})
    space.add_polyline2d([(0, 3), (0.1, 3), (0.1, 4), (0, 4)], close=True, dxfattribs={"layer": "A-DOOR"})
    rack = doc.blocks.new("RACK42", base_point=(0.3, 0.6))
    rack.add_lwpolyline([(0, 0), (0.6, 0), (0.6, 1.2), (0, 1.2)], close=True)
    for x in (2, 2.6, 3.2, 4.4):
        space.add_blockref("RACK42", (x, 2), dxfattribs={"rotation": 180})
    for x in (2, 2.6, 3.2):
        space.add_blockref("RACK42", (x, 4.4))
    space.add_lwpolyline([(1, 2), (5, 2), (5, 4.4), (1, 4.4)], dxfattribs={"layer": "E-TRAY"})
    return doc


def imported(tmp_path, doc, mapping=MAPPING):
    doc.saveas(tmp_path / "in.dxf")
    (tmp_path / "layers.toml").write_text(mapping)
    return floor.import_dxf(tmp_path / "in.dxf", tmp_path / "out.toml", layers=tmp_path / "layers.toml")


def faults(tmp_path, doc, mapping=MAPPING):
    with pytest.raises(InputError) as caught:
        imported(tmp_path, doc, mapping)
    return [str(problem) for problem in caught.value.problems]
