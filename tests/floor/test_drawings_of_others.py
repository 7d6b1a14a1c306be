"""Drawings of others: walls that end at doors, hidden layers, names, nested blocks and external references, limits."""

from itertools import pairwise

import ezdxf
import numpy as np
import pytest
import shapely
from shared.drawings import MAPPING, architect, differing, faults, imported

from planner.core.errors import PlannerWarning
from planner.hall import floor

WITHOUT_POWER = MAPPING.replace("power_mw = 10_000_000", "")


def walls_with_doors(doc, doors, thickness=0.3):
    """Draw walls of two lines around the hall, in solids that jambs end at doors: (side, from, to) in meters."""
    space = doc.modelspace()
    for line in list(space.query("LINE")):
        space.delete_entity(line)
    inner = shapely.box(0, 0, 10, 8)
    solid = inner.buffer(thickness, join_style="mitre").difference(inner)
    beyond = 2 * thickness
    for side, low, high in doors:
        gap = {
            "s": (low, -beyond, high, 0.05), "n": (low, 7.95, high, 8 + beyond),
            "w": (-beyond, low, 0.05, high), "e": (9.95, low, 10 + beyond, high),
        }[side]  # fmt: skip
        solid = solid.difference(shapely.box(*gap))
    for part in shapely.get_parts(solid):
        for ring in (part.exterior, *part.interiors):
            corners = shapely.get_coordinates(ring.simplify(0)).tolist()
            for start, end in pairwise(corners):
                space.add_line(start, end, dxfattribs={"layer": "A-WALL-EXT"})
    return doc


@pytest.mark.parametrize(
    "doors",
    [
        [],
        [("s", 5, 6.2)],
        [("s", 1, 2), ("s", 5, 6.2), ("e", 3, 5), ("n", 0.5, 8)],
        [("w", 0.3, 1.4), ("e", 6, 7.7)],
    ],
)
def test_walls_that_end_at_doors_enclose_the_floor(tmp_path, doors):
    """With jambs the loop is the wall's own solid, not the floor inside."""
    alone = imported(tmp_path, architect())
    room = imported(tmp_path, walls_with_doors(architect(), doors))
    assert shapely.Polygon(room.outline).equals(shapely.Polygon(alone.outline))
    assert room.slot_names == alone.slot_names


def test_walls_that_enclose_no_floor_are_one_problem(tmp_path):
    found = faults(tmp_path, walls_with_doors(architect(), [("s", 0.2, 9.8)]))
    assert len(found) == 1
    assert "the lines of the outline surround walls, and no floor" in found[0]
    assert "close the inner face of the walls" in found[0]


def test_hidden_entities_are_left_out_with_a_note(tmp_path):
    """The old layout on a frozen layer, other things on a layer that is off, and an invisible column."""
    alone = imported(tmp_path, architect())
    doc = architect()
    doc.layers.add("RACK-OLD").freeze()
    doc.layers.add("NOTES").off()
    for x in (5, 5.6):
        doc.modelspace().add_blockref("RACK42", (x, 6), dxfattribs={"layer": "RACK-OLD"})
    doc.modelspace().add_line((0, 0), (1, 1), dxfattribs={"layer": "NOTES"})
    doc.modelspace().add_circle((2, 6), 0.2, dxfattribs={"layer": "S-COLS", "invisible": 1})
    with pytest.warns(PlannerWarning, match=r"left out, on layers .*: RACK-OLD \(2\), NOTES \(1\), S-COLS \(1\)"):
        room = imported(tmp_path, doc)
    assert not differing(alone, room)
    doc = architect()
    doc.layers.add("E-TRAY").freeze()
    assert "no visible entity on layer E-TRAY; thaw the layer E-TRAY, or switch it on" in faults(tmp_path, doc)[0]


@pytest.mark.parametrize("name", ["Doors/Windows", "A<B>", "Tür: alt", 'x"y', "a=b"])
def test_names_of_layers_that_others_would_not_give(tmp_path, name):
    """LibreCAD and others write them; they change nothing that is drawn."""
    alone = imported(tmp_path, architect())
    doc = architect()
    doc.modelspace().add_line((0, 0), (1, 1), dxfattribs={"layer": "PLACE"})
    doc.saveas(tmp_path / "before.dxf")
    text = (tmp_path / "before.dxf").read_text(encoding="utf-8").replace("PLACE", name)
    (tmp_path / "in.dxf").write_text(text, encoding="utf-8")
    room = floor.import_dxf(tmp_path / "in.dxf", tmp_path / "out.toml", layers=tmp_path / "layers.toml")
    assert not differing(alone, room)


def bound(doc, prefix="hall$0$"):
    """Return a drawing with another one as a block, as binding an external reference makes it: names have a prefix."""
    host = ezdxf.new("R2010")
    host.header["$INSUNITS"] = doc.header["$INSUNITS"]
    rack = host.blocks.new(f"{prefix}RACK42", base_point=(0.3, 0.6))
    rack.add_lwpolyline([(0, 0), (0.6, 0), (0.6, 1.2), (0, 1.2)], close=True)
    whole = host.blocks.new("hall")
    for entity in doc.modelspace():
        if entity.dxftype() == "INSERT":
            attributes = {"rotation": entity.dxf.rotation, "layer": entity.dxf.layer}
            copy = whole.add_blockref(f"{prefix}RACK42", entity.dxf.insert, dxfattribs=attributes)
            for attribute in entity.attribs:
                copy.add_attrib(attribute.dxf.tag, attribute.dxf.text)
        else:
            copy = entity.copy()
            whole.add_entity(copy)
            copy.dxf.layer = prefix + entity.dxf.layer
    return host


def test_a_bound_drawing_is_exploded(tmp_path):
    doc = architect()
    doc.modelspace().query("INSERT")[2].add_attrib("ID", "R7")
    alone = imported(tmp_path, doc)
    host = bound(doc)
    host.modelspace().add_blockref("hall", (0, 0))
    assert not differing(alone, imported(tmp_path, host))
    broken = bound(doc)
    broken.blocks.get("hall").add_circle((1, 1), 1e9, dxfattribs={"layer": "hall$0$S-COLS"})
    broken.modelspace().add_blockref("hall", (0, 0))
    assert "in the block hall on layer hall$0$S-COLS" in faults(tmp_path, broken)[0]
    # Nested once more, and turned.
    twice = bound(doc)
    twice.blocks.new("site").add_blockref("hall", (0, 0))
    twice.modelspace().add_blockref("site", (20, 5), dxfattribs={"rotation": 90})
    turned = imported(tmp_path, twice)
    assert shapely.Polygon(turned.outline).area == 80e6
    assert turned.outline.min(axis=0).tolist() == [12000, 5000]
    place = alone.slot_xy[alone.slot_names.index("R7")]
    assert turned.slot_xy[turned.slot_names.index("R7")].tolist() == [20000 - place[1], 5000 + place[0]]
    assert set(turned.slot_facing.tolist()) == {180, 0}


def test_a_row_drawn_as_an_array_is_a_row(tmp_path):
    doc = architect()
    space = doc.modelspace()
    for insert in list(space.query("INSERT")):
        space.delete_entity(insert)
    array = {"rotation": 180, "column_count": 4, "column_spacing": 0.6}
    space.add_blockref("RACK42", (3.8, 2), dxfattribs=array)
    assert sorted(imported(tmp_path, doc).slot_xy.tolist()) == [[2000 + 600 * n, 2000] for n in range(4)]


def test_what_is_on_layer_0_of_a_block_is_on_the_layer_of_its_reference(tmp_path):
    alone = imported(tmp_path, architect())
    doc = architect()
    space = doc.modelspace()
    tray = space.query("LWPOLYLINE")[0]
    doc.blocks.new("ROUTE").add_lwpolyline(tray.get_points("xy"), format="xy")
    space.delete_entity(tray)
    space.add_blockref("ROUTE", (0, 0), dxfattribs={"layer": "E-TRAY"})
    assert not differing(alone, imported(tmp_path, doc))


def test_external_references_are_named(tmp_path):
    alone = imported(tmp_path, architect())
    doc = architect()
    doc.add_xref_def("columns.dwg", "COLUMNS")
    doc.modelspace().add_blockref("COLUMNS", (0, 0))
    with pytest.warns(PlannerWarning, match=r"left out, external references \(xref\): columns.dwg"):
        room = imported(tmp_path, doc)
    assert not differing(alone, room)
    # If the mapping names what is in it, that is a problem.
    found = faults(tmp_path, doc, MAPPING.replace("S-COLS", "S-GRID"))
    assert "no entity on layer S-GRID" in found[0]
    assert "refers to other drawings (xref), whose lines are not in this file: columns.dwg; bind them" in found[1]


@pytest.mark.parametrize("block", ["NOTHING", "RACK42"])
def test_an_array_without_end_is_refused(tmp_path, block):
    doc = architect()
    doc.blocks.new("NOTHING")
    array = {"row_count": 30000, "column_count": 30000, "row_spacing": 1e-4, "column_spacing": 1e-4}
    doc.modelspace().add_blockref(block, (5, 5), dxfattribs=array)
    assert "has more than 400,000 entities with those inside its blocks" in faults(tmp_path, doc)[0]


def test_limits_that_a_drawing_does_not_state(tmp_path):
    lines = floor.survey_text(floor.survey(imported(tmp_path, architect(), WITHOUT_POWER))).splitlines()
    stated = {line.split(maxsplit=1)[0]: line.split(maxsplit=1)[1] for line in lines[1:]}
    assert {stated[name] for name in ("power", "cooling", "load")} == {"no limit stated"}
    doc = architect()
    doc.modelspace().query("INSERT")[2].add_attrib("POWER_KW", "12")
    some = floor.survey_text(floor.survey(imported(tmp_path, doc, WITHOUT_POWER)))
    assert "12 kW a slot at least, no limit stated for some" in some


def test_a_drawing_states_no_limits_where_the_plan_has_none(tmp_path):
    room = imported(tmp_path, architect(), WITHOUT_POWER)
    drawing = floor.draw(str(tmp_path / "out.toml"), tmp_path / "again.dxf")
    for insert in ezdxf.readfile(drawing).modelspace().query('INSERT[layer=="SLOT"]'):
        assert {attribute.dxf.tag for attribute in insert.attribs if attribute.dxf.text} == {"NAME", "ROW"}
    assert not differing(room, floor.import_dxf(drawing, tmp_path / "again.toml")) - {"name", "sources"}


def test_a_drawing_opens_on_all_of_it(tmp_path):
    doc = ezdxf.readfile(floor.draw("lab", tmp_path / "lab.dxf"))
    room = floor.room("lab", routers=1)
    low, high = room.outline.min(axis=0), room.outline.max(axis=0)
    first, last = (np.array(doc.header[name][:2]) for name in ("$EXTMIN", "$EXTMAX"))
    assert (first <= low).all()
    assert (last >= high).all()
    assert (last - first < 2 * (high - low)).all()
    (view,) = doc.viewports.get("*ACTIVE")
    assert np.abs(np.array([view.dxf.center.x, view.dxf.center.y]) - (first + last) / 2).max() < 1
    assert view.dxf.height >= (last - first)[1]
