"""Drawings: DXF and SVG, there and back, drawings of others, and bad ones."""

import json
import math
import signal
import tomllib
import xml.etree.ElementTree as ElementTree

import ezdxf
import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shared.drawings import MAPPING, architect, differing, faults, imported

from planner.commands.console.cli import main
from planner.core.errors import InputError
from planner.hall import floor

SHIPPED = ["hall-a", "lab", "two-halls", "container", "frontier"]
GRIDS = ["spectralfly", "mddp"]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.slow
@pytest.mark.parametrize("plan", SHIPPED + GRIDS)
def test_rooms_come_back_as_they_were_drawn(tmp_path, plan):
    drawing = floor.draw(plan, tmp_path / f"{plan}.dxf", routers=90)
    again = floor.import_dxf(drawing, tmp_path / f"{plan}.toml")
    room = floor.room(plan, routers=90)
    # The papers' fixed lengths and missing aisles are no matter of drawing.
    assert differing(room, again) <= ({"end_mm", "in_cabinet_mm", "cabinet_routers", "aisles"} if plan in GRIDS else set())


@pytest.mark.slow
@pytest.mark.parametrize("plan", SHIPPED)
def test_a_drawing_is_sound_and_layered(tmp_path, plan):
    doc = ezdxf.readfile(floor.draw(plan, tmp_path / "room.dxf"))
    auditor = doc.audit()
    assert not auditor.errors
    assert not auditor.fixes
    assert doc.header["$INSUNITS"] == 4
    room = floor.room(plan, routers=1)
    space = doc.modelspace()
    inserts = space.query('INSERT[layer=="SLOT"]')
    assert [insert.get_attrib_text("NAME") for insert in inserts] == list(room.slot_names)
    assert [float(insert.get_attrib_text("POWER_KW")) * 1e6 for insert in inserts] == room.slot_power_mw.tolist()
    assert [float(insert.get_attrib_text("LOAD_KG")) * 1e3 for insert in inserts] == room.slot_load_g.tolist()
    assert len(space.query('LWPOLYLINE[layer=="TRAY"]')) == len(room.tray_names)
    assert len(space.query('LWPOLYLINE[layer=="AISLE"]')) == len(room.aisles)
    columns = sum(zone.kind == "column" for zone in room.obstacles)
    assert len(space.query('LWPOLYLINE[layer=="COLUMN"]')) == columns


@pytest.mark.slow
def test_names_of_all_kinds_survive(tmp_path):
    text = (floor.shipped.folder("floorplans") / "lab.toml").read_text()
    odd = 'D^J %%d \\"Tür\\" \\U0001F6AA ' + "x" * 300
    text = text.replace('name = "D1"', f'name = "{odd}"').replace('name = "cross east"', 'name = "ost quer"')
    (tmp_path / "odd.toml").write_text(text, encoding="utf-8")
    room = floor.room(str(tmp_path / "odd.toml"), routers=1)
    again = floor.import_dxf(floor.draw(str(tmp_path / "odd.toml"), tmp_path / "odd.dxf"), tmp_path / "odd2.toml")
    assert [zone.name for zone in again.obstacles] == [zone.name for zone in room.obstacles]
    assert again.tray_names == room.tray_names
    ElementTree.parse(floor.draw(str(tmp_path / "odd.toml"), tmp_path / "odd.svg"))


@pytest.mark.slow
def test_svg_is_to_scale_with_a_group_for_each_kind(tmp_path):
    room = floor.room("two-halls", routers=1)
    root = ElementTree.parse(floor.draw("two-halls", tmp_path / "room.svg", scale=100)).getroot()
    left, top, width, height = map(float, root.get("viewBox").split())
    # A meter around the room; scale and legend are below it.
    assert (left, top, width) == (0, 0, 18900 + 2000)
    assert height > 9600 + 2000
    assert [float(root.get(key).removesuffix("mm")) * 100 for key in ("width", "height")] == pytest.approx([width, height])
    groups = {group.get("id"): group for group in root.iter(f"{SVG}g")}
    assert {"outline", "slots", "trays", "obstacles", "penetrations", "aisles", "walls", "labels", "legend"} <= set(groups)
    boxes = [shapely.Polygon([tuple(map(float, p.split(","))) for p in e.get("points").split()]) for e in groups["slots"]]
    assert [box.area for box in boxes] == room.slot_size.prod(axis=1).tolist()
    assert [(round(box.centroid.x - 1000), round(9600 + 1000 - box.centroid.y)) for box in boxes] == [
        tuple(xy) for xy in room.slot_xy
    ]
    texts = [text.text for text in groups["labels"]]
    assert set(texts) >= {*room.slot_names, *room.row_names}
    assert "5 m, 1:100" in [text.text for text in groups["legend"].iter()]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["dxf", "svg"])
def test_equal_rooms_give_equal_bytes(tmp_path, suffix):
    one, two = (floor.draw("lab", tmp_path / f"{name}.{suffix}").read_bytes() for name in ("one", "two"))
    assert one == two


def test_classes_of_a_dxf_are_in_one_order_in_every_process(tmp_path):
    classes = [each.dxf.name for each in ezdxf.readfile(floor.draw("lab", tmp_path / "room.dxf")).classes]
    assert len(classes) > 5
    assert classes == sorted(classes)


# ---- drawings of others


def test_a_drawing_of_an_architect(tmp_path):
    room = imported(tmp_path, architect())
    assert room.title == "Imported"
    assert shapely.Polygon(room.outline).area == 80e6
    # Places at the pitch: the missing fourth rack leaves its number out.
    assert room.slot_names == ("A01", "A02", "A03", "A05", "B01", "B02", "B03")
    assert room.slot_xy.tolist() == [[x, 2000] for x in (2000, 2600, 3200, 4400)] + [[x, 4400] for x in (2000, 2600, 3200)]
    # The block's front is its lower side; turned by 180 degrees it looks up.
    assert room.slot_facing.tolist() == [90] * 4 + [270] * 3
    assert room.slot_size.tolist() == [[600, 1200]] * 7
    assert set(room.slot_power_mw.tolist()) == {10_000_000}
    assert [zone.kind for zone in room.aisles] == ["cold aisle"]
    column = shapely.Polygon(next(zone.corners_mm for zone in room.obstacles if zone.kind == "column"))
    assert column.buffer(1).contains(shapely.Point(8000, 6000).buffer(250))
    assert column.area < 1.03 * math.pi * 250**2
    assert set(room.node_xyz[:, 2].tolist()) == {2700}
    assert set(room.segment_mm2.tolist()) == {450 * 60}
    rules = tomllib.loads((tmp_path / "out.toml").read_text())["row"]
    assert [(rule["name"], rule["count"], rule.get("skip")) for rule in rules] == [("A", 5, [4]), ("B", 3, None)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unit", "insunits", "factor"), [("mm", 4, 1000), ("cm", 5, 100), ("in", 1, 1000 / 25.4), ("ft", 2, 1000 / 304.8)]
)
def test_units_do_not_matter(tmp_path, unit, insunits, factor):
    meters = imported(tmp_path, architect())
    for stated in (True, False):
        doc = architect(insunits=insunits if stated else 0)
        for block in (doc.blocks.get("RACK42"), doc.modelspace()):
            for entity in block:
                if entity.dxftype() == "INSERT":
                    entity.dxf.insert *= factor
                elif entity.dxftype() == "POLYLINE":
                    for vertex in entity.vertices:
                        vertex.dxf.location *= factor
                else:
                    entity.transform(ezdxf.math.Matrix44.scale(factor))
        doc.blocks.get("RACK42").block.dxf.base_point = (0.3 * factor, 0.6 * factor, 0)
        scaled = imported(tmp_path, doc, MAPPING if stated else f'units = "{unit}"\n{MAPPING}')
        # A corner of the column may round to the next millimeter.
        assert differing(meters, scaled) <= {"obstacles"}
        for zone, other in zip(meters.obstacles, scaled.obstacles, strict=True):
            assert np.abs(np.subtract(zone.corners_mm, other.corners_mm)).max() <= 1


def test_two_groups_on_one_line_are_two_rows(tmp_path):
    doc = architect()
    for x in (7, 7.6):
        doc.modelspace().add_blockref("RACK42", (x, 2), dxfattribs={"rotation": 180})
    doc.modelspace().add_line((5, 2), (8, 2), dxfattribs={"layer": "E-TRAY"})
    assert imported(tmp_path, doc).row_names == ("A", "B", "C")


def test_cabinets_drawn_as_rectangles(tmp_path):
    doc = architect()
    space = doc.modelspace()
    for insert in space.query("INSERT"):
        x, y, _ = insert.dxf.insert
        corners = [(x - 0.3, y - 0.6), (x + 0.3, y - 0.6), (x + 0.3, y + 0.6), (x - 0.3, y + 0.6)]
        space.add_lwpolyline(corners, close=True, dxfattribs={"layer": "RACKS"})
        space.delete_entity(insert)
    mapping = MAPPING.replace('[blocks]\ncabinet = ["RACK*"]', 'cabinet = ["RACKS"]')
    room = imported(tmp_path, doc, mapping)
    assert set(room.slot_facing.tolist()) == {270}
    assert room.slot_xy.tolist() == [[x, 2000] for x in (2000, 2600, 3200, 4400)] + [[x, 4400] for x in (2000, 2600, 3200)]


def test_two_outlines_are_halls_joined_by_openings(tmp_path):
    doc = architect()
    space = doc.modelspace()
    space.add_lwpolyline([(10.2, 0), (15, 0), (15, 8), (10.2, 8)], close=True, dxfattribs={"layer": "A-WALL-EXT"})
    space.add_lwpolyline([(9.9, 1.9), (10.3, 1.9), (10.3, 2.1), (9.9, 2.1)], close=True, dxfattribs={"layer": "HOLE"})
    space.add_line((5, 2), (12, 2), dxfattribs={"layer": "E-TRAY"})
    mapping = MAPPING.replace("[layers]", '[layers]\npenetration = ["HOLE"]')
    assert "this penetration has no height" in faults(tmp_path, doc, mapping)[0]
    room = imported(tmp_path, doc, mapping + '\n[penetration]\nthrough = "x"\nheight_mm = 100\n')
    assert {hall.name for hall in room.halls} == {"hall 1", "hall 2"}
    assert room.segment_mm2.min() == 200 * 100


@pytest.mark.slow
@pytest.mark.parametrize("text", ["much", "-3", "0", "nan", "1e99"])
def test_attributes_that_are_no_amounts(tmp_path, text):
    doc = architect()
    insert = doc.modelspace().query("INSERT")[2]
    insert.add_attrib("POWER_KW", text)
    insert.add_attrib("ID", "R7")
    found = faults(tmp_path, doc)
    assert len(found) == 1
    assert f"INSERT #{insert.dxf.handle} on layer 0: this cabinet has POWER_KW = '{text}', not a positive number" in found[0]
    insert.attribs[0].dxf.text = "12,5"
    room = imported(tmp_path, doc)
    assert room.slot_power_mw[room.slot_names.index("R7")] == 12_500_000


def test_faults_of_a_drawing_name_file_entity_and_layer(tmp_path):
    doc = architect()
    space = doc.modelspace()
    wall = space.query("LINE[layer=='A-WALL-INT']")[0]
    opened, wall.dxf.start = wall.dxf.handle, (9.5, 0, 0)
    flat = space.add_lwpolyline([(1, 1), (2, 1)], close=True, dxfattribs={"layer": "S-COLS"}).dxf.handle
    dot = space.add_line((1, 1), (1, 1), dxfattribs={"layer": "E-TRAY"}).dxf.handle
    askew = space.add_blockref("RACK42", (5, 6), dxfattribs={"rotation": 30}).dxf.handle
    found = faults(tmp_path, doc)
    assert len(found) == 4
    for handle, layer, message in (
        (opened, "A-WALL-INT", "outline that starts here is open"),
        (flat, "S-COLS", "this column has no area"),
        (dot, "E-TRAY", "this tray has no length"),
        (askew, "0", "is rotated by 30 degrees"),
    ):
        assert sum("in.dxf: " in f and f"#{handle} on layer {layer}: " in f and message in f for f in found) == 1
    assert not (tmp_path / "out.toml").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("S-COLS", "S-COLZ", "mapping layers.column: no entity on layer S-COLZ; did you mean S-COLS?"),
        ("RACK*", "CAB*", "mapping blocks.cabinet: no block reference of CAB*"),
        ("E-TRAY", "E-TRAYS", "mapping tray.0: no entity on layer E-TRAYS; did you mean E-TRAY?"),
        ('outline = ["A-WALL*"]', "", "no layer is named as the outline"),
        ('front = "-y"', 'front = "up"', "layers.toml:11: cabinet.front"),
        ("[room]", "[room]\nprise = 3", "layers.toml: room.prise: Drawing has no such key"),
    ],
)
def test_wrong_mappings_are_named(tmp_path, old, new, message):
    found = "\n".join(faults(tmp_path, architect(), MAPPING.replace(old, new)))
    assert message in found.replace(f"{tmp_path}/", "")


def test_drawings_without_units(tmp_path):
    found = faults(tmp_path, architect(insunits=0))
    assert len(found) == 1
    assert "the drawing states no units" in found[0]


@pytest.mark.slow
def test_what_is_no_sound_dxf(tmp_path, capsys):
    whole = floor.draw("lab", tmp_path / "lab.dxf").read_bytes()
    bad = {"none": None, "empty": b"", "text": b"no drawing\n", "binary": bytes(range(256)) * 9, "zip": b"PK\x03\x04" * 40}
    bad |= {f"cut-{share}": whole[: len(whole) * share // 100] for share in (5, 30, 60, 90, 99)}
    for name, content in bad.items():
        path = tmp_path / f"{name}.dxf"
        if content is not None:
            path.write_bytes(content)
        assert main(["floor", "import", str(path), "--out", str(tmp_path / "x.toml")]) == 2
        error = capsys.readouterr().err.strip().splitlines()
        assert len(error) == 1, (name, error)
        assert f"{name}.dxf" in error[0]
    assert not (tmp_path / "x.toml").exists()


@pytest.mark.slow
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_mutation_of_a_drawing_gives_a_room_or_a_named_fault(tmp_path, data):
    path = tmp_path / "lab.dxf"
    if not path.exists():
        floor.draw("lab", path)
    lines = path.read_text(encoding="utf-8").splitlines()
    start = lines.index("ENTITIES")
    for _ in range(data.draw(st.integers(1, 4))):
        line = data.draw(st.integers(start, len(lines) - 2))
        lines[line] = data.draw(
            st.sampled_from(["", "0", "-1", "1e308", "nan", "inf", "x", "LINE", "CIRCLE", "SLOT", "OUTLINE", "70"])
        )
    bad = tmp_path / "bad.dxf"
    bad.write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        assert floor.import_dxf(bad, tmp_path / "bad.toml").slot_count > 0
    except InputError as error:
        assert all(problem.file and problem.message for problem in error.problems)


# ---- the command line


def test_floor_check_prints_a_summary(capsys):
    assert main(["floor", "check", "two-halls"]) == 0
    text = capsys.readouterr().out
    assert "2 halls, 2 penetrations" in text
    assert "46 in 6 rows: A 10, B 9, C 10, D 7, E 7, F 3" in text
    assert main(["floor", "check", "lab", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads(json.dumps(floor.survey(floor.room("lab", routers=1))))
    # From one end of a row to the other end of the other: 5.4 m of tray each, half a cabinet at both ends, and across.
    assert found["reach_mm"] == 4200 + 2 * 600 + 2400


@pytest.mark.slow
@pytest.mark.parametrize("plan", SHIPPED + GRIDS)
def test_shipped_rooms_pass_their_check(plan, capsys):
    assert main(["floor", "check", plan]) == 0
    assert "reach" in capsys.readouterr().out


def test_floor_check_reports_all_problems_together(tmp_path, capsys):
    text = (floor.shipped.folder("floorplans") / "lab.toml").read_text()
    path = tmp_path / "bad.toml"
    path.write_text(
        text.replace("first_mm = [2100, 4500]", "first_mm = [-100, 4500]").replace(
            "[1500, 2100], [1500, 4500]", "[1500, -900], [1500, 4500]"
        )
    )
    assert main(["floor", "check", str(path)]) == 2
    error = capsys.readouterr().err
    assert "slot B01 at (-100, 4500) mm leaves the outline" in error
    assert "cross west leaves the outline at (1500, -900) mm for 900 mm" in error


@pytest.mark.slow
def test_floor_draw_and_import(tmp_path, capsys):
    out = tmp_path / "room.dxf"
    assert main(["floor", "draw", "lab", "--out", str(out)]) == 0
    assert main(["floor", "import", str(out), "--out", str(tmp_path / "room.toml")]) == 0
    assert "16 in 2 rows" in capsys.readouterr().out
    assert main(["floor", "draw", "lab", "--out", str(tmp_path / "room.png")]) == 2
    assert "is neither .dxf nor .svg" in capsys.readouterr().err
    (tmp_path / "a-file").write_text("")
    assert main(["floor", "draw", "lab", "--out", str(tmp_path / "a-file" / "room.svg")]) == 2
    assert "cannot be written" in capsys.readouterr().err


# ---- drawings from strangers


def bomb_of_blocks():
    """Ten levels of ten blocks each: a few kilobytes that draw 10^10 lines."""
    doc = architect()
    inner = doc.blocks.new("LEVEL0")
    inner.add_line((0, 0), (1, 1))
    for level in range(1, 11):
        block = doc.blocks.new(f"LEVEL{level}")
        for _ in range(10):
            block.add_blockref(f"LEVEL{level - 1}", (0, 0))
    doc.modelspace().add_blockref("LEVEL10", (5, 5), dxfattribs={"layer": "S-COLS"})
    return doc


ARRAY = {"row_count": 30000, "column_count": 30000, "row_spacing": 1e-4, "column_spacing": 1e-4}


def bomb_of_arrays():
    doc = architect()
    doc.blocks.new("DOT").add_line((0, 0), (1, 1))
    outer = doc.blocks.new("MANY")
    outer.add_blockref("DOT", (0, 0), dxfattribs=ARRAY)
    doc.modelspace().add_blockref("MANY", (5, 5), dxfattribs={"layer": "S-COLS"})
    return doc


def block_that_holds_itself():
    doc = architect()
    outer = doc.blocks.new("SELF")
    outer.add_line((0, 0), (1, 1))
    outer.add_blockref("SELF", (0, 0))
    doc.modelspace().add_blockref("SELF", (5, 5), dxfattribs={"layer": "S-COLS"})
    return doc


def far_away(add):
    def made():
        doc = architect()
        add(doc.modelspace(), {"layer": "S-COLS"})
        return doc

    return made


BOMBS = {
    "blocks": (bomb_of_blocks, "block LEVEL10: draws 10,000,000,000 lines"),
    "arrays": (bomb_of_arrays, "block MANY: draws 900,000,000 lines"),
    "itself": (block_that_holds_itself, "SELF"),
    "circle": (far_away(lambda space, on: space.add_circle((0, 0), 1e15, dxfattribs=on)), "beyond 10 km"),
    "arc": (far_away(lambda space, on: space.add_arc((0, 0), 1e15, 0, 90, dxfattribs=on)), "beyond 10 km"),
    "ellipse": (far_away(lambda space, on: space.add_ellipse((0, 0), (1e15, 0), 0.5, dxfattribs=on)), "beyond 10 km"),
    "spline": (
        far_away(lambda space, on: space.add_open_spline([(0, 0), (1e15, 1), (-1e15, 2), (3, 3)], dxfattribs=on)),
        "beyond 10 km",
    ),
    "bulge": (
        far_away(lambda space, on: space.add_lwpolyline([(0, 0, 1e-14), (9e3, 0, 1e14), (0, 9)], "xyb", dxfattribs=on)),
        "beyond 10 km",
    ),
    "not a number": (far_away(lambda space, on: space.add_circle((float("nan"), 0), 1, dxfattribs=on)), "#"),
}
ALIKE = {"arc", "ellipse", "spline"}
"""Curves that are refused as the circle is."""


@pytest.fixture
def a_minute():
    """Ends this process after a minute, which an endless drawing would keep busy in a library; the test has failed then."""
    signal.alarm(60)
    yield
    signal.alarm(0)


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.nightly) if name in ALIKE else name for name in BOMBS])
def test_a_drawing_that_draws_without_end_is_refused(tmp_path, capsys, a_minute, name):
    make, message = BOMBS[name]
    make().saveas(tmp_path / "in.dxf")
    (tmp_path / "layers.toml").write_text(MAPPING)
    options = ["--layers", str(tmp_path / "layers.toml"), "--out", str(tmp_path / "out.toml")]
    assert main(["floor", "import", str(tmp_path / "in.dxf"), *options]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out.toml").exists()


def walls_of_two_lines(doc, thickness):
    for x, y in ((-thickness, -thickness),):
        corners = [(x, y), (10 - x, y), (10 - x, 8 - y), (x, 8 - y)]
        for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
            doc.modelspace().add_line(start, end, dxfattribs={"layer": "A-WALL-EXT"})
    return doc


def test_of_a_wall_of_two_lines_the_inner_one_counts(tmp_path):
    alone = imported(tmp_path, architect())
    assert imported(tmp_path, walls_of_two_lines(architect(), 0.3)).outline.tolist() == alone.outline.tolist()


def test_what_is_wide_between_two_outlines_is_no_wall(tmp_path):
    with pytest.raises(InputError, match="overlaps"):
        imported(tmp_path, walls_of_two_lines(architect(), 3))


def test_two_halls_within_one_outer_face(tmp_path):
    """A wall of two lines around two halls, with a wall between them."""
    doc = ezdxf.new("R2010")
    doc.header["$INSUNITS"] = 6
    space = doc.modelspace()
    for low, high in (((0, 0), (6, 8)), ((6.4, 0), (12.4, 8)), ((-0.4, -0.4), (12.8, 8.4))):
        corners = [low, (high[0], low[1]), high, (low[0], high[1])]
        space.add_lwpolyline(corners, close=True, dxfattribs={"layer": "A-WALL"})
    rack = doc.blocks.new("RACK", base_point=(0.3, 0.6))
    rack.add_lwpolyline([(0, 0), (0.6, 0), (0.6, 1.2), (0, 1.2)], close=True)
    space.add_blockref("RACK", (2, 2))
    doc.saveas(tmp_path / "in.dxf")
    (tmp_path / "layers.toml").write_text('[layers]\noutline = ["A-WALL"]\n[blocks]\ncabinet = ["RACK"]\n')
    with pytest.raises(InputError, match="hall 2 is not connected to hall hall 1"):
        floor.import_dxf(tmp_path / "in.dxf", tmp_path / "out.toml", layers=tmp_path / "layers.toml")
    assert [hall["outline_mm"][0] for hall in tomllib.loads((tmp_path / "out.toml").read_text())["hall"]] == [[0, 0], [6400, 0]]
