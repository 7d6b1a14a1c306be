"""Vertical sections of rooms: cabinets and trays at their heights."""

from __future__ import annotations

import numpy as np
import pytest

from planner.hall import floor
from planner.hall.scene.section import cuts, section

HEIGHT_MM = 2000


@pytest.fixture(scope="module")
def lab():
    return floor.room("lab", routers=50)


def test_there_is_a_section_for_each_row_and_one_across(lab):
    assert [*cuts(lab)] == [*(f"row {name}" for name in lab.row_names), "across all rows"]


def test_the_cabinets_of_a_row_are_where_they_are_on_the_floor(lab):
    names = dict(enumerate(lab.slot_names))
    for row, title in enumerate(f"row {name}" for name in lab.row_names):
        cut = cuts(lab)[title]
        own = np.flatnonzero(lab.slot_row == row).tolist()
        boxes = {shape.name: np.array(shape.points_mm) for shape in section(lab, cut, names, HEIGHT_MM).layer("cabinets").shapes}
        assert set(boxes) == {lab.slot_names[slot] for slot in own}
        for slot in own:
            box = boxes[lab.slot_names[slot]]
            assert box.mean(axis=0).tolist() == [lab.slot_xy[slot, cut.along], HEIGHT_MM / 2]
            assert np.ptp(box, axis=0).tolist() == [lab.slot_size[slot, cut.along], HEIGHT_MM]


def test_trays_are_at_their_heights(lab):
    cut = cuts(lab)["across all rows"]
    drawn = section(lab, cut, {}, HEIGHT_MM)
    ends = lab.node_xyz[lab.segments]
    for shape in drawn.layer("trays").shapes:
        tray = lab.tray_names.index(shape.name)
        heights = set(ends[lab.segment_tray == tray][:, :, 2].ravel().tolist())
        assert {min(z for _, z in shape.points_mm)} <= heights
    assert {shape.name for shape in drawn.layer("trays").shapes} == set(lab.tray_names)
    written = {label.text for label in drawn.layer("heights").labels}
    level = {f"{z:,} mm" for z in ends[ends[:, 0, 2] == ends[:, 1, 2]][:, :, 2].ravel().tolist()}
    assert written == level | {"2,000 mm"}


def test_everything_is_inside_the_drawing(lab):
    for cut in cuts(lab).values():
        drawn = section(lab, cut, {}, HEIGHT_MM)
        points = np.array([point for shape in drawn.shapes() for point in shape.points_mm])
        assert (points >= drawn.low_mm).all()
        assert (points <= drawn.high_mm).all()
