"""Row rules, limits, doors, aisles, halls and the openings between them."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.errors import InputError
from planner.hall import floor
from planner.hall.floor import TrayDistances

HEAD = 'title = "T"\nsource = "a test"\nconfidence = "D"\n'
HALL = HEAD + "outline_mm = [[0, 0], [9000, 0], [9000, 9000], [0, 9000]]\n"
ROWS = """
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
"""
TRAYS = """
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
width_mm = 200
height_mm = 100
serves = false
"""
PLAIN = HALL + ROWS + TRAYS
HALLS = (
    HEAD
    + """
[[hall]]
name = "W"
outline_mm = [[0, 0], [5000, 0], [5000, 6000], [0, 6000]]

[[hall]]
name = "E"
outline_mm = [[5200, 0], [10000, 0], [10000, 6000], [5200, 6000]]

[[penetration]]
name = "hole"
at_mm = [4900, 1900]
size_mm = [400, 200]
through = "x"
height_mm = 50

[[row]]
name = "A"
first_mm = [2000, 2000]
count = 3

[[row]]
name = "B"
first_mm = [7000, 2000]
count = 3

[[tray]]
name = "t"
path_mm = [[1500, 2000], [9000, 2000]]
width_mm = 300
height_mm = 100
"""
)


@pytest.fixture
def build(tmp_path):
    def _build(text):
        path = tmp_path / "test.toml"
        path.write_text(text)
        return floor.room(str(path), routers=1)

    return _build


@pytest.fixture
def faults(build):
    def _faults(text):
        with pytest.raises(InputError) as caught:
            build(text)
        return [str(problem) for problem in caught.value.problems]

    return _faults


def test_sizes_within_a_row_are_side_by_side(build):
    text = PLAIN.replace(
        'facing = "+y"', 'facing = "+y"\ngap_mm = 10\n[[row.size]]\nnumbers = [2]\nwidth_mm = 800\npower_mw = 7', 1
    )
    room = build(text)
    # Half of 600 and of 800 and the gap between the first two; the same again to the third; then two of 600.
    assert room.slot_xy[:4, 0].tolist() == [2000, 2710, 3420, 4030]
    assert room.slot_size[:4].tolist() == [[600, 1200], [800, 1200], [600, 1200], [600, 1200]]
    assert room.slot_power_mw[:3].tolist() == [10**9, 7, 10**9]


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(st.lists(st.integers(1, 10).map(lambda n: 100 * n), min_size=1, max_size=8), st.integers(0, 50), st.booleans())
def test_a_row_with_gaps_is_as_long_as_its_slots_and_gaps(tmp_path_factory, widths, gap, upright):
    sizes = "".join(f"[[row.size]]\nnumbers = [{n}]\nwidth_mm = {w}\n" for n, w in enumerate(widths, 1))
    along, facing = ("+y", "+x") if upright else ("+x", "+y")
    row = f'[[row]]\nname = "A"\nfirst_mm = [5000, 5000]\ncount = {len(widths)}\ngap_mm = {gap}\nalong = "{along}"\n'
    tray = "[[tray]]\nname = 't'\npath_mm = [[4000, 5000], [4000, 5001]]\nwidth_mm = 90\nheight_mm = 90\n"
    text = HEAD + "outline_mm = [[0, 0], [20000, 0], [20000, 20000], [0, 20000]]\ntray_reach_mm = 20000\n"
    path = tmp_path_factory.mktemp("row") / "r.toml"
    path.write_text(text + row + f'facing = "{facing}"\n' + sizes + tray)
    room = floor.room(str(path), routers=1)
    axis = int(upright)
    low, high = room.slot_xy - room.slot_size / 2, room.slot_xy + room.slot_size / 2
    assert (low[1:, axis] - high[:-1, axis] == gap).all()
    assert high[-1, axis] - low[0, axis] == sum(widths) + gap * (len(widths) - 1)


def test_slots_one_by_one(build):
    slot = '[[slot]]\nname = "X"\nrow = "C"\nat_mm = [7000, 2000]\nfacing = "+x"\nwidth_mm = 800\npower_mw = 5\n'
    room = build(PLAIN.replace("[[1400, 2000], [6000, 2000]]", "[[1400, 2000], [8000, 2000]]") + slot)
    assert room.slot_names[-1] == "X"
    assert room.row_names == ("A", "B", "C")
    assert room.slot_size[-1].tolist() == [1200, 800]
    assert (room.slot_row[-1], room.slot_facing[-1], room.slot_power_mw[-1]) == (2, 0, 5)


def test_the_tightest_limit_counts(build):
    zone = '[[zone]]\nname = "%s"\nat_mm = [2300, 1000]\nsize_mm = [%d, 1500]\n%s\n'
    room = build(
        PLAIN.replace("[[row]]", "power_mw = 90\nload_g = 2000000\n[[row]]", 1)
        + zone % ("weak", 600, "cooling_mw = 30")
        + zone % ("weaker", 100, "cooling_mw = 20")
        + zone % ("floor", 1200, "load_g_per_m2 = 1000000")
    )
    # Zone "weak" covers A02 alone, "floor" A02 and A03; a slot of 0.72 m² may weigh 720 kg there.
    assert room.slot_power_mw.tolist() == [90, 20] + [90] * 6
    assert room.cooling_mw[1] == 20
    assert room.slot_load_g.tolist() == [2_000_000, 720_000, 720_000] + [2_000_000] * 5
    assert build(PLAIN).cooling_mw == ()


def test_aisles_as_configured(build, faults):
    aisle = '[[aisle]]\nbetween = ["B", "A"]\nkind = "cold"\nwidth_mm = 1200\n'
    assert build(PLAIN + aisle).aisles[0].kind == "cold aisle"
    assert "A-B is a cold aisle, not a hot one" in faults(PLAIN + aisle.replace("cold", "hot"))[0]
    found = faults(PLAIN + aisle.replace("1200", "1250"))
    assert len(found) == 4
    assert "slot A01 at (2000, 2000) mm leaves cold aisle A-B 1200 mm wide toward slot B01, 50 mm less than 1250" in found[0]
    assert "rows Z and A have no aisle" in faults(PLAIN + aisle.replace('"B"', '"Z"'))[0]


def test_one_deep_cabinet_narrows_an_aisle(faults):
    deep = PLAIN.replace('facing = "-y"', 'facing = "-y"\n[[row.size]]\nnumbers = [3]\ndepth_mm = 1400')
    found = faults(deep + '[[aisle]]\nbetween = ["A", "B"]\nkind = "cold"\nwidth_mm = 1200\n')
    assert len(found) == 1
    assert "slot A03 at (3200, 2000) mm leaves cold aisle A-B 1100 mm wide toward slot B03, 100 mm less" in found[0]


def test_a_column_in_an_aisle(build, faults):
    aisle = '[[aisle]]\nbetween = ["A", "B"]\nkind = "cold"\nwidth_mm = 900\n'
    column = '[[obstacle]]\nname = "P"\nkind = "column"\nat_mm = [3000, %d]\nsize_mm = [300, 300]\n'
    assert build(PLAIN + aisle + column % 2600).obstacles
    assert (
        "column P at (3150, 3150) mm leaves 500 mm of cold aisle A-B, less than 900 mm"
        in faults(PLAIN + aisle + column % 3000)[0]
    )


DOOR = '[[obstacle]]\nname = "D"\nkind = "door"\nat_mm = [0, 1500]\nsize_mm = [100, 1000]\n'


@pytest.mark.parametrize(("hinge", "free"), [("low", 1000), ("high", 1000), ("both", 500)])
def test_doors_swing(build, faults, hinge, free):
    """Row A reaches from x = 1700 and y = 1400 to 2600; a leaf as long as the door, or half of it, swings from x = 100."""
    opening = f'opens = "+x"\nhinge = "{hinge}"\n'
    assert build(PLAIN + DOOR + opening)
    near = PLAIN.replace("first_mm = [2000, 2000]", f"first_mm = [{100 + free - 100 + 300}, 2000]")
    found = faults(near + DOOR + opening)
    assert len(found) == 1
    assert "blocks the swing of door D by" in found[0]
    # The part of a quarter disc beyond its last 100 mm, once or twice.
    leaf, leaves = free, 2 if hinge == "both" else 1
    height = leaf - 100
    expected = leaves * (leaf**2 * math.acos(height / leaf) - height * math.sqrt(leaf**2 - height**2)) / 2
    area = int(found[0].split(" mm²")[0].split()[-1])
    assert area == pytest.approx(expected, rel=0.02)


def test_an_obstacle_may_block_a_door_too(faults):
    column = '[[obstacle]]\nname = "P"\nkind = "column"\nat_mm = [200, 1600]\nsize_mm = [200, 200]\n'
    assert "column P blocks the swing of door D by 40000 mm²" in faults(PLAIN + DOOR + 'opens = "+x"\n' + column)[0]
    assert "P is a column, no door" in faults(PLAIN + column + 'opens = "+x"\n')[0]


def test_every_aisle_is_reached_from_a_door(build, faults):
    walls = "".join(
        f'[[obstacle]]\nname = "w{n}"\nkind = "wall"\nat_mm = [{x}, 2600]\nsize_mm = [100, {depth}]\n'
        for n, (x, depth) in enumerate([(1600, 1200), (4200, 800)])
    )
    text = PLAIN + DOOR
    head = "passage_mm = {}\n[[row]]"
    assert build(text.replace("[[row]]", head.format(900), 1))
    assert build((text + walls).replace("[[row]]", head.format(400), 1))
    assert (
        "no passage 500 mm wide leads from a door to cold aisle A-B"
        in faults((text + walls).replace("[[row]]", head.format(500), 1))[0]
    )
    assert "the room has no door" in faults(PLAIN.replace("[[row]]", head.format(900), 1))[0]


def test_halls_are_joined_by_openings(build):
    room = build(HALLS)
    assert [hall.name for hall in room.halls] == ["W", "E"]
    outline = shapely.Polygon(room.outline)
    assert outline.area == 5000 * 6000 + 4800 * 6000 + 200 * 200
    assert TrayDistances(room).tray_mm[0, -1] == 8200 - 2000
    # 400 mm of the tray are in an opening of 200 x 50 mm.
    assert sorted(zip(room.segment_mm2.tolist(), room.segment_mm.tolist(), strict=True))[0] == (10_000, 400)
    assert (np.sort(room.segment_mm2)[1:] == 30_000).all()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[[1500, 2000], [9000, 2000]]", "[[1500, 2500], [9000, 2500]]", "t leaves the halls at (5000, 2500) mm for 200 mm"),
        ("at_mm = [4900, 1900]", "at_mm = [4500, 1900]", "hole at (4500, 1900) mm reaches 1 hall, not two"),
        ("height_mm = 50", "height_mm = 50\nelevation_mm = 2000", "t at 2600 mm misses hole, 2000 to 2050 mm high"),
        ("[[5200, 0]", "[[4800, 0]", "hall E overlaps hall W by"),
        ('name = "E"', 'name = "W"', "the name W occurs twice"),
        ("first_mm = [2000, 2000]", "first_mm = [4800, 2000]", "slot A01 at (4800, 2000) mm leaves the outline by 0.120 m²"),
        ("[[hall]]", "outline_mm = [[0, 0], [1, 0], [0, 1]]\n[[hall]]", "is given together with [[hall]] tables"),
        ("[[1500, 2000], [9000, 2000]]", "[[1500, 2000], [4000, 2000]]", "no tray runs through hole"),
        ("at_mm = [4900, 1900]\n", "", "penetration.0.at_mm: Drawing needs this key"),
        ("[10000, 0], [10000, 6000]", "[10000, 6000], [10000, 0]", "E is not a simple polygon"),
    ],
)
def test_faults_of_halls_are_named(faults, old, new, message):
    assert any(message in fault for fault in faults(HALLS.replace(old, new, 1)))


def test_halls_without_an_opening_are_not_joined(faults):
    start, end = HALLS.index("[[penetration]]"), HALLS.index("[[row]]")
    assert any("hall E is not connected to hall W" in fault for fault in faults(HALLS[:start] + HALLS[end:]))


def test_a_wall_without_thickness_is_a_wall(build, faults):
    thin = HALLS.replace("5200", "5000")
    assert build(thin).segment_mm2.min() == 10_000
    moved = thin.replace("[[1500, 2000], [9000, 2000]]", "[[1500, 2500], [9000, 2500]]")
    assert any("t crosses the wall between W and E at (5000, 2500) mm" in fault for fault in faults(moved))


def test_a_tray_beyond_the_wall_serves_no_slot(faults):
    """A tray 400 mm away behind the wall does not count; that of the hall, 1,200 mm away, is out of reach."""
    text = HALLS.replace("[[hall]]", "tray_reach_mm = 1000\n[[hall]]", 1).replace(
        "first_mm = [2000, 2000]\ncount = 3", "first_mm = [4600, 3200]\ncount = 1"
    )
    behind = '[[tray]]\nname = "u"\npath_mm = [[5300, 2000], [5300, 4000]]\nwidth_mm = 90\nheight_mm = 90\n'
    assert "no tray reaches slot A01 within 1000 mm: the nearest is 1200 mm away" in faults(text + behind)[0]


def test_trays_stay_inside_the_outline(faults):
    found = faults(PLAIN.replace("[[1400, 1000], [1400, 5000]]", "[[1400, -500], [1400, 5000]]"))
    assert "cross leaves the outline at (1400, -500) mm for 500 mm" in found[0]


def test_problems_of_all_kinds_come_at_once(faults):
    text = PLAIN.replace("[2000, 4400]", "[2000, 2900]").replace("[6000, 4400]", "[9500, 4400]")
    found = "\n".join(faults(text + '[[zone]]\nname = "z"\nat_mm = [0, 0]\nsize_mm = [1, 1]\n'))
    for message in ("overlaps slot B01", "b leaves the outline", "z limits nothing"):
        assert message in found


def test_frontier_as_published():
    """Cabinet map of 7 rows by 12 columns with 77 cabinets and 25 distribution units; a floor of about 4,000 square feet."""
    room = floor.room("frontier", routers=1)
    counts = np.bincount(room.slot_row).tolist()
    assert counts == [12, 12, 12, 11, 12, 12, 6]
    numbers = {int(name[1:]) for name in room.slot_names}
    every = {2000 + 100 * row + column for row in range(7) for column in range(12)}
    assert every - numbers == {2305, *range(2603, 2609)}
    assert sum(zone.kind == "cooling unit" for zone in room.obstacles) == 25
    assert shapely.Polygon(room.outline).area / 1e6 / 0.09290304 == pytest.approx(4000, rel=0.05)
    assert all(zone.corners_mm[2][1] - zone.corners_mm[0][1] >= 914 for zone in room.aisles)


def test_container_and_two_halls():
    container = floor.room("container", routers=1)
    assert container.outline.max(axis=0).tolist() == [12032, 2350]
    halls = floor.room("two-halls", routers=1)
    assert len(halls.halls) == 2
    assert len(halls.penetrations) == 2
    assert halls.segment_mm2.min() < 90_000
    assert (np.array(halls.cooling_mw) >= halls.slot_power_mw).all()
    west, east = halls.slot_names.index("A01"), halls.slot_names.index("D01")
    assert TrayDistances(halls).tray_mm[west, east] > 0
