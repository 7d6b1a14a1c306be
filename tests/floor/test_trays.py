"""Trays over and under the floor, for all cables or one medium, risers, exits, sides, totals of zones."""

import math
import re

import numpy as np
import pytest

from planner.core import shipped
from planner.core.errors import InputError
from planner.domain import catalog
from planner.domain.model import EGRESS, UNIT_UM
from planner.hall import floor
from planner.hall.floor import Lengths, Slack, TrayDistances

HEAD = """
title = "T"
source = "a test"
confidence = "D"
outline_mm = [[0, 0], [9000, 0], [9000, 9000], [0, 9000]]

[[row]]
name = "A"
first_mm = [2000, 2000]
count = 4
facing = "+y"
{first}

[[row]]
name = "B"
first_mm = [2000, 4400]
count = 4
facing = "-y"
{second}
"""
CABINET = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300").cabinet


def tray(name, path, level, **facts):
    lines = "".join(f"{key} = {value!r}\n".replace("'", '"').replace("False", "false") for key, value in facts.items())
    return f'\n[[tray]]\nname = "{name}"\npath_mm = {path}\nelevation_mm = {level}\nwidth_mm = 300\nheight_mm = 100\n{lines}'


def grid(level, prefix="", **facts):
    """A tray along each row, and one across at their western ends."""
    return (
        tray(f"{prefix}a", "[[1400, 2000], [6000, 2000]]", level, **facts)
        + tray(f"{prefix}b", "[[1400, 4400], [6000, 4400]]", level, **facts)
        + tray(f"{prefix}w", "[[1400, 2000], [1400, 4400]]", level, serves=False, **facts)
    )


RISER = '\n[[riser]]\nname = "{}"\nat_mm = [1400, {}]\nwidth_mm = 200\nheight_mm = 150\n'


def room_of(tmp_path, *parts, first="", second=""):
    path = tmp_path / "room.toml"
    path.write_text(HEAD.format(first=first, second=second) + "".join(parts))
    return floor.room(str(path), routers=1)


def problems_of(tmp_path, *parts, **rows):
    with pytest.raises(InputError) as caught:
        room_of(tmp_path, *parts, **rows)
    return [str(problem) for problem in caught.value.problems]


def test_copper_and_fiber_take_trays_of_their_own(tmp_path):
    across = tray("fiber e", "[[6000, 2000], [6000, 4400]]", 2800, carries="fiber", serves=False)
    room = room_of(tmp_path, grid(2500, "copper ", carries="copper"), grid(2800, "fiber ", carries="fiber"), across)
    assert not room.shared_trays
    copper, fiber = room.node_xyz[room.slot_node[:, 0], 2], room.node_xyz[room.slot_node[:, 1], 2]
    assert (copper == 2500).all()
    assert (fiber == 2800).all()
    # No ladder joins what has nothing in common.
    assert (room.node_xyz[room.segments][:, 0, 2] == room.node_xyz[room.segments][:, 1, 2]).all()
    assert set(room.segment_carries.tolist()) == {1, 2}
    a, b = np.array([3]), np.array([7])
    # From A04 at x = 3800 to B04: copper by the west, fiber by the east.
    assert TrayDistances(room, 0).between_mm(a, b).tolist() == [2 * (3800 - 1400) + 2400]
    assert TrayDistances(room, 1).between_mm(a, b).tolist() == [2 * (6000 - 3800) + 2400]
    one, two = Lengths(room, CABINET, Slack()).by_medium_class
    assert (one.medium_class, two.medium_class) == (0, 1)
    assert (two.drop_mm - one.drop_mm == 300).all()


def test_where_all_carry_all_there_is_one_medium_class(tmp_path):
    room = room_of(tmp_path, grid(2500))
    assert room.shared_trays
    one, two = Lengths(room, CABINET, Slack()).by_medium_class
    assert one is two


def test_trays_under_the_floor_are_reached_through_the_bottom(tmp_path):
    room = room_of(tmp_path, grid(-400, kind="basket"))
    lengths = Lengths(room, CABINET, Slack())
    assert lengths.drop_mm.tolist() == [[400 + 600] * 2] * 8
    # The lowest box is half a unit and the frame above the floor, the highest 41.5 units and the frame.
    rise = lengths.rise_mm(np.array([0, 0]), np.array([1, 42]), np.array([1, 1]))
    assert rise.tolist() == [300 + math.ceil((half * UNIT_UM / 2 + 124_100) / 1000) for half in (1, 83)]
    assert set(room.tray_kinds) == {"basket"}


def test_rows_choose_top_or_bottom(tmp_path):
    room = room_of(tmp_path, grid(2500, "over "), grid(-400, "under "), RISER.format("R", 2000), first='exit = "bottom"')
    level = room.node_xyz[room.slot_node[:, 0], 2]
    assert level[:4].tolist() == [-400] * 4
    # Above and below are equally near to the other row: the first in the file serves it.
    assert level[4:].tolist() == [2500] * 4
    riser = np.flatnonzero(room.segment_tray == room.tray_names.index("R"))
    assert room.tray_kinds[-1] == "riser"
    assert room.segment_mm[riser].tolist() == [2900]
    assert room.segment_mm2[riser].tolist() == [200 * 150]
    # Down the row, up the riser, along the other row: 600 + 2900 + 2400 + 600.
    assert TrayDistances(room).between_mm(np.array([0]), np.array([4])).tolist() == [600 + 2900 + 2400 + 600]


def test_above_and_below_do_not_meet_without_a_riser(tmp_path):
    found = problems_of(tmp_path, grid(2500, "over "), grid(-400, "under "), first='exit = "bottom"', second='exit = "top"')
    assert len(found) == 1
    assert "no route over the trays from slot A01 to slot B01" in found[0]


def test_a_riser_needs_trays_on_both_sides(tmp_path):
    assert (
        "no tray below the floor runs through R at (1400, 2000)" in problems_of(tmp_path, grid(2500), RISER.format("R", 2000))[0]
    )
    found = problems_of(tmp_path, grid(-400), RISER.format("R", 2000))[0]
    assert "no tray above the floor runs through R" in found


def test_every_slot_needs_both_media(tmp_path):
    found = problems_of(tmp_path, grid(2500, carries="copper"))
    assert len(found) == 8
    assert all("no fiber tray reaches slot" in text for text in found)
    found = problems_of(tmp_path, grid(2500), grid(2800, "f ", carries="fiber"), first='exit = "bottom"')
    assert [text for text in found if "slot A01 by its bottom" in text and "no copper tray" in text]


def test_all_by_one_side_takes_the_whole_width(tmp_path):
    room = room_of(tmp_path, grid(2500), first='egress = "left"')
    assert [EGRESS[side] for side in room.slot_egress] == ["left"] * 4 + ["nearest"] * 4
    rise = Lengths(room, CABINET, Slack()).rise_mm(np.arange(8), np.full(8, 42), np.ones(8, int))
    assert rise.tolist() == [600 + 147] * 4 + [300 + 147] * 4


def test_zones_limit_sums(tmp_path):
    zone = '\n[[zone]]\nname = "Z"\nat_mm = [1000, 1000]\nsize_mm = [2000, 2000]\ntotal_power_mw = 5\ntotal_load_g = 7\n'
    (found,) = room_of(tmp_path, grid(2500), zone).zones
    assert (found.name, found.power_mw, found.cooling_mw, found.load_g) == ("Z", 5, None, 7)
    # A02 ends at x = 2900, A03 reaches from there into the zone.
    assert found.slots == (0, 1, 2)


def test_limits_of_the_whole_room_and_of_halls(tmp_path):
    text = (shipped.folder("floorplans") / "two-halls.toml").read_text(encoding="utf-8")
    halls = iter(("total_load_g = 11", "total_power_mw = 3\ntotal_cooling_mw = 2"))
    text = re.sub(r"^\[\[hall\]\]$", lambda found: f"{found[0]}\n{next(halls)}", text, flags=re.MULTILINE)
    (tmp_path / "limited.toml").write_text(f"total_power_mw = 5\n{text}", encoding="utf-8")
    plain, limited = floor.room("two-halls", routers=1), floor.room("limited.toml", base=tmp_path, routers=1)
    whole, one, two = limited.zones[:3]
    assert limited.zones[3:] == plain.zones
    assert (whole.name, whole.power_mw, whole.cooling_mw, whole.load_g) == ("whole room", 5, None, None)
    assert (one.power_mw, one.load_g, two.power_mw, two.cooling_mw) == (None, 11, 3, 2)
    assert [one.name, two.name] == [f"hall {hall.name}" for hall in plain.halls]
    assert sorted(one.slots + two.slots) == list(whole.slots) == list(range(plain.slot_count))


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([grid(2500, kind="pipe")], "kind"),
        ([grid(2500, carries="water")], "carries"),
        ([grid(-20_000)], "elevation_mm"),
        ([grid(2500, bend_mm=0)], "bend_mm"),
    ],
)
def test_wrong_keys_are_named(tmp_path, parts, text):
    assert any(f"tray.0.{text}" in problem for problem in problems_of(tmp_path, *parts))


@pytest.mark.slow
def test_the_raised_hall_comes_back_from_its_drawing(tmp_path):
    room = floor.room("raised-hall", routers=1)
    drawing = floor.draw("raised-hall", tmp_path / "room.dxf")
    again = floor.import_dxf(drawing, tmp_path / "again.toml")
    for name in ("slot_names", "tray_names", "tray_kinds", "tray_bend_mm", "zones", "fill_shape", "obstacles"):
        assert getattr(again, name) == getattr(room, name), name
    for name in ("slot_xy", "slot_node", "slot_egress", "node_xyz", "segments", "segment_mm2", "segment_carries"):
        assert np.array_equal(getattr(again, name), getattr(room, name)), name


@pytest.mark.slow
def test_risers_exits_and_sides_come_back_from_their_drawing(tmp_path):
    rows = {"first": 'exit = "bottom"\negress = "left"', "second": 'exit = "top"'}
    room = room_of(tmp_path, grid(2500, "over "), grid(-400, "under "), RISER.format("R", 2000), **rows)
    drawing = floor.draw(str(tmp_path / "room.toml"), tmp_path / "room.dxf")
    again = floor.import_dxf(drawing, tmp_path / "again.toml")
    for name in ("slot_node", "slot_egress", "node_xyz", "segments", "segment_tray", "segment_mm2"):
        assert np.array_equal(getattr(again, name), getattr(room, name)), name
    assert again.tray_names == room.tray_names
