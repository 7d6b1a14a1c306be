"""Rooms edited step by step: undo, problems while there are any, the same room from the saved file."""

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.errors import InputError
from planner.hall import floor
from planner.install.editing.fill import Aisles, filled
from planner.install.editing.rooms import RoomEditor, empty, of_dxf

HALL = [[0, 0], [12_000, 0], [12_000, 9000], [0, 9000]]


@pytest.fixture
def editor():
    return RoomEditor.open("lab")


def test_what_is_saved_is_the_same_room(editor, tmp_path):
    editor.do({"do": "change", "kind": "tray", "name": "row A", "keys": {"width_mm": 450}})
    editor.do({"do": "move", "kind": "row", "name": "B", "by_mm": [0, 100]})
    editor.do({"do": "add", "kind": "obstacle", "table": {"kind": "keep-out", "at_mm": [100, 6000], "size_mm": [500, 500]}})
    path = editor.save(tmp_path / "room.toml")
    again = RoomEditor.open(str(path))
    assert again.data == editor.data
    assert floor.room(str(path), routers=1).fingerprint == editor.room().fingerprint
    row_a = editor.room().tray_names.index("row A")
    assert set(editor.room().segment_mm2[editor.room().segment_tray == row_a].tolist()) == {450 * 100}


def test_shipped_rooms_stay_the_same_through_the_editor(tmp_path):
    for name in ("lab", "hall-a"):
        path = RoomEditor.open(name).save(tmp_path / f"{name}.toml")
        assert floor.room(str(path), routers=1).fingerprint == floor.room(name, routers=1).fingerprint


def test_undo_and_redo(editor):
    start = editor.data
    editor.do({"do": "remove", "kind": "tray", "name": "cross west"})
    after = editor.data
    assert after != start
    editor.undo()
    assert editor.data == start
    editor.redo()
    assert editor.data == after
    with pytest.raises(InputError, match="nothing to redo"):
        editor.redo()


def test_a_room_from_nothing():
    editor = RoomEditor(empty())
    assert editor.problems()
    with pytest.raises(InputError, match="draw the outline"):
        editor.do({"do": "fill"})
    editor.do({"do": "outline", "corners_mm": HALL})
    editor.do({"do": "columns", "at_mm": [4000, 1500], "size_mm": [400, 400], "pitch_mm": [5000, 0], "count": [2, 1]})
    editor.do({"do": "fill", "cold_mm": 1800, "hot_mm": 1200})
    assert editor.problems() == ()
    room = editor.room()
    # 12,000 less two margins of 1,200 are 16 slots; each column takes one of the first row, or two where it is between them.
    # 9,000 less two margins are three rows of 1,200, a cold aisle of 1,800 and a hot one of 1,200.
    assert room.row_names == ("A", "B", "C")
    assert (room.slot_row == 1).sum() == 16
    assert 12 <= (room.slot_row == 0).sum() <= 14
    assert [aisle.kind for aisle in room.aisles] == ["cold aisle", "hot aisle"]


def test_corners_of_outline_areas_and_trays(editor, tmp_path):
    outline = [list(each) for each in editor.data["outline_mm"]]
    editor.do({"do": "add_corner", "kind": "outline", "number": 0, "at_mm": [5000, 0]})
    editor.do({"do": "corner", "kind": "outline", "number": 1, "to_mm": [5000, -600]})
    assert editor.data["outline_mm"] == [outline[0], [5000, -600], *outline[1:]]
    editor.do({"do": "remove_corner", "kind": "outline", "number": 1})
    assert editor.data["outline_mm"] == outline
    editor.do(
        {"do": "add", "kind": "obstacle", "table": {"name": "box", "kind": "keep-out", "at_mm": [0, 6000], "size_mm": [600, 300]}}
    )
    editor.do({"do": "corner", "kind": "obstacle", "name": "box", "number": 2, "to_mm": [900, 6600]})
    assert (editor.data["obstacle"][-1]["at_mm"], editor.data["obstacle"][-1]["size_mm"]) == ([0, 6000], [900, 600])
    editor.do({"do": "add_corner", "kind": "obstacle", "name": "box", "number": 2, "at_mm": [450, 6800]})
    assert editor.data["obstacle"][-1]["corners_mm"] == [[0, 6000], [900, 6000], [900, 6600], [450, 6800], [0, 6600]]
    editor.do({"do": "corner", "kind": "tray", "name": "cross east", "number": 1, "to_mm": [7200, 5700]})
    editor.undo()
    assert editor.problems() == ()
    path = editor.save(tmp_path / "room.toml")
    assert RoomEditor.open(str(path)).data == editor.data


def test_zones_and_halls_are_edited_and_read_back_equal(tmp_path):
    editor = RoomEditor(empty())
    editor.do({"do": "outline", "corners_mm": HALL})
    editor.do({"do": "add", "kind": "zone", "table": {"corners_mm": [[0, 0], [6000, 0], [6000, 9000], [0, 9000]]}})
    editor.do({"do": "change", "kind": "zone", "name": "zone 1", "keys": {"total_power_mw": 200_000_000, "name": "west"}})
    editor.do({"do": "fill"})
    assert editor.problems() == ()
    room = editor.room()
    assert [(zone.name, zone.power_mw) for zone in room.zones] == [("west", 200_000_000)]
    again = RoomEditor.open(str(editor.save(tmp_path / "room.toml")))
    assert again.data == editor.data
    assert again.room().fingerprint == floor.room_of(editor.data).fingerprint
    editor.do({"do": "remove", "kind": "zone", "name": "west"})
    assert editor.room().zones == ()
    halls = RoomEditor.open("two-halls")
    name, corners = halls.data["hall"][0]["name"], halls.data["hall"][0]["outline_mm"]
    halls.do({"do": "corner", "kind": "hall", "name": name, "number": 0, "to_mm": [corners[0][0] - 300, corners[0][1]]})
    assert list(halls.data["hall"][0]["outline_mm"][0]) == [corners[0][0] - 300, corners[0][1]]
    halls.undo()
    assert halls.data == RoomEditor.open("two-halls").data
    assert halls.problems() == ()


@pytest.mark.slow
@settings(max_examples=40)
@given(
    width=st.integers(5000, 40_000), height=st.integers(5000, 40_000), cut=st.integers(0, 3000),
    cold=st.integers(900, 2400), hot=st.integers(900, 2400), margin=st.integers(600, 1800),
)  # fmt: skip
def test_filled_rooms_are_sound(width, height, cut, cold, hot, margin):
    corners = [[0, 0], [width, 0], [width, height - cut], [width - cut, height - cut], [width - cut, height], [0, height]]
    data = empty() | {"outline_mm": corners if cut else [[0, 0], [width, 0], [width, height], [0, height]]}
    try:
        data |= filled(data, Aisles(cold_mm=cold, hot_mm=hot, margin_mm=margin))
    except InputError as error:
        assert "fits" in str(error) or "no floor" in str(error)
        return
    room = floor.room_of(data)
    inside = shapely.Polygon(data["outline_mm"]).buffer(-margin + 1, join_style="mitre")
    for (x, y), (wide, deep) in zip(room.slot_xy.tolist(), room.slot_size.tolist(), strict=True):
        assert inside.covers(shapely.box(x - wide / 2, y - deep / 2, x + wide / 2, y + deep / 2))


def test_a_drawing_becomes_a_room(tmp_path):
    path = floor.draw("lab", tmp_path / "lab.dxf")
    room = floor.room_of(of_dxf(path.read_bytes()))
    lab = floor.room("lab", routers=1)
    assert room.slot_names == lab.slot_names
    assert room.slot_xy.tolist() == lab.slot_xy.tolist()


@pytest.mark.parametrize(
    "step",
    [None, {}, {"do": "dance"}, {"do": "add", "kind": "row"}, {"do": "add", "kind": "wing", "table": {}},
     {"do": "add", "kind": "row", "table": {"name": "A", "first_mm": [0, 0], "count": 1}},
     {"do": "add", "kind": "row", "table": {"name": "Z", "first_mm": [0, 0], "count": "many"}},
     {"do": "move", "kind": "row", "name": "A", "by_mm": [1]}, {"do": "move", "kind": "row", "name": "Q", "by_mm": [1, 1]},
     {"do": "move", "kind": "row", "name": "A", "by_mm": [1, 1], "extra": 1}, {"do": "outline", "corners_mm": "square"},
     {"do": "corner", "kind": "outline", "number": 99, "to_mm": [0, 0]},
     {"do": "corner", "kind": "row", "name": "A", "number": 0, "to_mm": [0, 0]},
     {"do": "remove_corner", "kind": "tray", "name": "row A", "number": 0},
     {"do": "change", "kind": "row", "name": "A", "keys": {"name": "B"}},
     {"do": "add_corner", "kind": "outline", "number": 0, "at_mm": "here"}, {"do": "corner", "kind": "outline"},
     {"do": "facts", "keys": {"roof": 1}}, {"do": "columns", "at_mm": [0, 0], "size_mm": [1, 1], "pitch_mm": [1, 1],
      "count": [-3, -3]},
     {"do": "fill", "cold_mm": -1}, {"do": "change", "kind": "tray", "name": "row A", "keys": {"width_mm": 1}}],
)  # fmt: skip
def test_wrong_steps_change_nothing(editor, step):
    before = editor.data
    with pytest.raises(InputError):
        editor.do(step)
    assert editor.data == before
    assert not editor.can_undo


def test_a_room_with_problems_is_not_saved(editor, tmp_path):
    editor.do({"do": "move", "kind": "row", "name": "A", "by_mm": [9000, 0]})
    assert editor.problems()
    with pytest.raises(InputError):
        editor.save(tmp_path / "room.toml")
    assert not (tmp_path / "room.toml").exists()


@pytest.mark.parametrize("content", [b"", b"nonsense", b"0\nSECTION\n2\nENTITIES\n0\nEOF\n"])
def test_files_that_are_no_drawings(content):
    with pytest.raises(InputError):
        of_dxf(content)
