"""Rooms: slots, obstacles, aisles, trays, lengths."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.core import shipped
from planner.core.errors import InputError
from planner.domain.catalog import select
from planner.domain.model import UNIT_UM
from planner.hall import floor
from planner.hall.floor import Lengths, Slack, TrayDistances

CABINET = select("nvidia-sb7800", "server-half-unit", "apc-ar3300").cabinet
LAB = floor.room("lab", routers=1)
ROOM = """
title = "Test"
source = "a test"
confidence = "D"
outline_mm = [[0, 0], [9000, 0], [9000, 9000], [0, 9000]]
power_mw = 10_000_000
load_g = 1_000_000

[[row]]
name = "A"
first_mm = [2000, 2000]
count = 4
facing = "+y"

[[row]]
name = "B"
first_mm = [2000, 4400]
count = 4
facing = "-y"

[[tray]]
name = "a"
path_mm = [[1400, 2000], [6000, 2000]]
width_mm = 300
height_mm = 100

[[tray]]
name = "b"
path_mm = [[1400, 4400], [6000, 4400]]
width_mm = 300
height_mm = 100

[[tray]]
name = "cross"
path_mm = [[1400, 1000], [1400, 5000]]
elevation_mm = 2900
width_mm = 200
height_mm = 100
serves = false
"""


def build(tmp_path: Path, text: str, **options):
    path = tmp_path / "test.toml"
    path.write_text(text)
    return floor.room(str(path), routers=1, **options)


def complaints(tmp_path, text):
    with pytest.raises(InputError) as caught:
        build(tmp_path, text)
    return [str(problem) for problem in caught.value.problems]


def test_slots_and_trays_by_hand(tmp_path):
    room = build(tmp_path, ROOM)
    assert room.slot_names == ("A01", "A02", "A03", "A04", "B01", "B02", "B03", "B04")
    assert room.slot_xy[1].tolist() == [2600, 2000]
    assert room.slot_facing.tolist() == [90] * 4 + [270] * 4
    assert [(a.name, a.kind, a.corners_mm[0], a.corners_mm[2]) for a in room.aisles] == [
        ("A-B", "cold aisle", (1700, 2600), (4100, 3800))
    ]
    # Along row A, up 300 mm to the cross tray, over, down, and along row B.
    tray = TrayDistances(room).tray_mm
    assert tray[0, 3] == 1800
    assert tray[0, 4] == 600 + 300 + 2400 + 300 + 600
    assert np.array_equal(tray, tray.T)
    assert tray.diagonal().tolist() == [0] * 8


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('count = 4\nfacing = "+y"', 'count = 13\nfacing = "+y"', "leaves the outline by"),
        ("first_mm = [2000, 4400]", "first_mm = [2000, 2900]", "overlaps slot B01"),
        ("[[0, 0], [9000, 0], [9000, 9000], [0, 9000]]", "[[0, 0], [9000, 9000], [9000, 0], [0, 9000]]", "not a simple polygon"),
        (
            "path_mm = [[1400, 4400], [6000, 4400]]",
            "path_mm = [[1400, 6400], [6000, 6400]]",
            "no tray reaches slot B01 within 1500 mm",
        ),
        (
            "path_mm = [[1400, 1000], [1400, 5000]]",
            "path_mm = [[1400, 1000], [1400, 3000]]",
            "no route over the trays from slot A01 to slot B01",
        ),
        ('name = "B"', 'name = "A"', "slot name A01 occurs twice"),
        ("path_mm = [[1400, 2000], [6000, 2000]]", "path_mm = [[1400, 2000], [1400, 2000]]", "has no length"),
        ("confidence", "confidense", "did you mean confidence"),
        ("load_g = 1_000_000", "load_g = -1", "must be greater than 0"),
        ('count = 4\nfacing = "+y"', 'count = 0\nfacing = "+y"', "must be greater than or equal to 1"),
    ],
)
def test_every_fault_is_named_with_its_line(tmp_path, old, new, message):
    assert old in ROOM
    found = complaints(tmp_path, ROOM.replace(old, new, 1))
    assert any(message in line for line in found), found
    assert all("test.toml" in line for line in found)


def test_a_column_in_a_row_names_the_slot_to_skip(tmp_path):
    column = '\n[[obstacle]]\nname = "P1"\nkind = "column"\nat_mm = [2500, 1900]\nsize_mm = [200, 200]\n'
    found = complaints(tmp_path, ROOM + column)
    assert len(found) == 1
    assert "slot A02 at (2600, 2000) mm overlaps column P1 by 0.040 m²; move the row or add 2 to its skip" in found[0]
    room = build(tmp_path, ROOM.replace('facing = "+y"', 'facing = "+y"\nskip = [2]') + column)
    assert "A02" not in room.slot_names
    assert "A03" in room.slot_names


def test_clearance_counts(tmp_path):
    unit = '\n[[obstacle]]\nname = "U"\nkind = "cooling unit"\nat_mm = [5000, 1800]\nsize_mm = [900, 900]\n'
    assert build(tmp_path, ROOM + unit).obstacles[0].name == "U"
    assert "with its 1000 mm clearance" in complaints(tmp_path, ROOM + unit + "clearance_mm = 1000\n")[0]


@pytest.mark.slow
@pytest.mark.parametrize("plan", ["hall-a", "lab", "spectralfly", "mddp", "two-halls", "container", "frontier"])
def test_shipped_rooms_hold_together(plan):
    room = floor.room(plan, routers=300)
    assert room.slot_count > 0
    assert (TrayDistances(room).tray_mm >= np.abs(room.slot_xy[:, None] - room.slot_xy[None]).sum(axis=2) - 1).all()
    assert room.sources[0].source


def test_hall_a_is_a_real_hall():
    room = floor.room("hall-a", routers=1)
    kinds = {zone.kind for zone in room.obstacles}
    assert {"column", "cooling unit", "door", "keep-out"} <= kinds
    assert {zone.kind for zone in room.aisles} == {"cold aisle", "hot aisle"}
    assert len(room.outline) > 4
    assert len(np.unique(room.slot_power_mw)) > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("routers", "columns", "rows"),
    [(168, 5, 17), (162, 5, 17), (336, 7, 24), (338, 8, 24), (660, 10, 34), (578, 10, 32), (1092, 13, 43), (1058, 13, 42)],
)
def test_spectralfly_grid_as_in_table_ii(routers, columns, rows):
    """The grids behind SpectralFly's Table II, and its rule 2 m inside, otherwise 4 + 2 dx + 0.6 dy."""
    room = floor.room("spectralfly", routers=routers)
    assert np.unique(room.slot_xy[:, 0]).size == columns
    assert np.unique(room.slot_xy[:, 1]).size == rows
    lengths = Lengths(room, CABINET, Slack())
    run = lengths.slot_run_mm(1, 1, 1)
    column, row = (room.slot_xy // (2000, 600)).T
    dx, dy = np.abs(np.subtract.outer(column, column)), np.abs(np.subtract.outer(row, row))
    expected = 4000 + 2000 * dx + 600 * dy
    np.fill_diagonal(expected, 2000)
    assert np.array_equal(run, expected)


def test_mddp_grid():
    """MDDP, section V.B: q = ceil(sqrt(m)) rows of p = ceil(m / q) cabinets of 0.6 m x 2.1 m."""
    room = floor.room("mddp", routers=1, cabinets=20)
    assert np.unique(room.slot_xy[:, 1]).tolist() == [2100 * n for n in range(5)]
    assert np.unique(room.slot_xy[:, 0]).tolist() == [600 * n for n in range(4)]
    again = floor.room("mddp", routers=1, cabinets=20, end_mm=1000, in_cabinet_mm=1500)
    run = Lengths(again, CABINET, Slack()).slot_run_mm(1, 1, 1)
    assert run[0, 0] == 1500
    assert run[0, 1] == 2000 + 600


def test_lengths_by_hand(tmp_path):
    """Cabinet of 42 units, 600 mm wide, 1,200 mm deep, 1,991 mm high; trays at 2,600 mm over the cabinets' middle.

    The frame is 1,991 - 42 * 44.45 = 124.1 mm; it is not known how much of it is above the units.
    """
    room = build(tmp_path, ROOM)
    lengths = Lengths(room, CABINET, Slack(end_mm=100, loop_mm=200, percent=10.0))
    # Up from the outer top, and 600 mm in depth from either face.
    assert lengths.drop_mm.tolist() == [[609 + 600] * 2] * 8
    # From the middle of the topmost unit to the outer top is half a unit and the frame; from unit 1 it is 41.5 units.
    assert lengths.rise_mm(np.array([0, 0]), np.array([42, 1]), np.array([1, 1])).tolist() == [
        300 + math.ceil((0.5 * UNIT_UM + 124_100) / 1000),
        300 + math.ceil((41.5 * UNIT_UM + 124_100) / 1000),
    ]
    assert lengths.rise_mm(np.array([0]), np.array([41]), np.array([2])).tolist() == [300 + math.ceil((UNIT_UM + 124_100) / 1000)]
    inside = lengths.inside_mm(np.array([10]), np.array([1]), np.array([4]), np.array([2]))
    assert inside.tolist() == [600 + math.ceil(5.5 * UNIT_UM / 1000)]
    assert lengths.slack_mm(np.array([1001]), True).tolist() == [2 * 100 + 2 * 200 + 101]
    assert lengths.slack_mm(np.array([1001]), False).tolist() == [2 * 100 + 101]


@settings(deadline=None)
@given(st.integers(0, 3000), st.integers(0, 3000), st.floats(0, 100), st.integers(1, 20_000))
def test_more_slack_never_shortens(end_mm, loop_mm, percent, route_mm):
    less = Lengths(LAB, CABINET, Slack(end_mm=end_mm, loop_mm=loop_mm, percent=percent))
    more = Lengths(LAB, CABINET, Slack(end_mm=end_mm + 1, loop_mm=loop_mm + 1, percent=min(100.0, percent + 1)))
    for between in (True, False):
        assert more.slack_mm(route_mm, between) > less.slack_mm(route_mm, between) >= 0


def test_a_cabinet_taller_than_its_trays_is_refused(tmp_path):
    room = build(tmp_path, ROOM.replace('[[tray]]\nname = "a"', '[[tray]]\nelevation_mm = 1900\nname = "a"'))
    with pytest.raises(InputError, match="91 mm above the tray over slot A01"):
        Lengths(room, CABINET, Slack())


TEXTS = [(shipped.folder("floorplans") / f"{name}.toml").read_text() for name in ("hall-a", "two-halls")]


@pytest.mark.slow
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([(text, line) for text in TEXTS for line in range(len(text.splitlines()))]),
    st.sampled_from(["drop", "0", "-1", "1", "99999999999", '"x"', "[]", "nan", "[[0, 0]]"]),
)
def test_any_mutation_of_a_room_gives_a_room_or_a_named_fault(tmp_path_factory, place, value):
    text, line = place
    lines = text.splitlines()
    key, equals, _ = lines[line].partition("=")
    lines[line] = f"{key}= {value}" if equals and value != "drop" else ""
    path = tmp_path_factory.mktemp("room") / "hall.toml"
    path.write_text("\n".join(lines))
    try:
        assert floor.room(str(path), routers=1).slot_count > 0
    except InputError as error:
        assert all(problem.message for problem in error.problems)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "cross west"', 'name = "cross east"', "the name cross east occurs twice"),
        ("width_mm = 300", "elevation_mm = 90_000_000\nwidth_mm = 300", "no hall for computers is higher than 30 m"),
        ("width_mm = 300", "width_mm = 1", "ducts are at least 20 mm wide"),
        ("first_mm = [", "first_mm = [100_000_000, 0] #", "no floor is ten kilometers large"),
    ],
)
def test_nonsense_is_refused_with_the_reason(tmp_path, old, new, message):
    text = (shipped.folder("floorplans") / "lab.toml").read_text()
    assert old in text
    line = text[: text.index(old)].count("\n") + 1
    (tmp_path / "mine.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message) as caught:
        floor.room(str(tmp_path / "mine.toml"), routers=1)
    assert line in [problem.line for problem in caught.value.problems] or "twice" in message
