"""What is in the room already, in drawings, elevations, tables and the workbook."""

import ezdxf
import openpyxl
import pytest
from shared.page_data import page_data
from shared.paper import read as read_paper
from shared.plans import planned

from planner.core.errors import InputError
from planner.formats import dxf_floor, html, pdf, workbook, xlsx
from planner.hall.scene.palette import legend
from planner.hall.scene.plan import fill_layer
from planner.paper.elevations import limits
from planner.paper.existing import existing_sheets
from planner.view.cabinets import OTHERS, cabinets
from planner.view.floor import plan_scene
from planner.view.tables import EXISTING, TABLES, tables_of


@pytest.fixture(scope="module")
def plan():
    return planned("in use")


@pytest.mark.slow
def test_taken_slots_have_a_style_and_an_entry_of_the_legend_of_their_own(plan):
    scene = plan_scene(plan, cabinets(plan), "fill")
    taken = [shape for shape in scene.shapes() if shape.kind == "taken"]
    assert [(shape.name, shape.about) for shape in taken] == [("A01", "A01: storage"), ("B08", "B08: storage")]
    assert "cabinet of others" in {entry.text for entry in legend(scene)}
    assert "storage" in {label.note for label in scene.labels()}
    bare = plan_scene(planned("plain"), cabinets(planned("plain")), "fill")
    assert "cabinet of others" not in {entry.text for entry in legend(bare)}


def test_trays_with_cables_of_others_alone_are_drawn(plan):
    """The entry for all trays covers every segment on the floor."""
    names = {shape.name for shape in fill_layer(plan).shapes}
    assert names == set(plan.room.tray_names)


def test_elevations_show_units_in_use_with_their_name(plan):
    shared = next(cabinet for cabinet in cabinets(plan) if cabinet.name == "A04")
    assert [(box.kind, box.name, box.unit, box.units) for box in shared.others] == [(OTHERS, "old switch", 1, 28)]
    assert not any(low <= 28 for low, _ in shared.free)
    assert (shared.others_mw, shared.others_g) == (1_000_000, 50_000)
    facts = {name: value for name, value, _ in limits(shared)}
    assert facts["of that, of others"] == "1.0 kW, 50 kg"
    assert facts["power, max."].startswith(f"{(shared.power_max_mw + 1_000_000) / 1e6:.1f} of")


def test_the_table(plan):
    rows = EXISTING.rows(plan)
    names = [column.name for column in EXISTING.planned]
    entries = [dict(zip(names, row, strict=True)) for row in rows]
    assert [entry["place"] for entry in entries if entry["kind"] == "cabinet"] == ["A01", "B08"]
    (switch,) = (entry for entry in entries if entry["name"] == "old switch")
    assert switch == {
        "kind": "units", "place": "A04", "name": "old switch", "low_unit": 1, "units": 28, "power_mw": 1_000_000,
        "mass_g": 50_000, "fill_um2": None, "source": "",
    }  # fmt: skip
    assert [entry["name"] for entry in entries if entry["kind"] == "must not move"] == ["R000"]
    assert sum(entry["fill_um2"] or 0 for entry in entries) == sum(plan.room.existing.tray_um2)
    assert EXISTING.data(planned("plain")) is None
    assert EXISTING.name not in tables_of(planned("plain"))


@pytest.mark.slow
def test_the_workbook_has_the_sheet_and_is_read_back(plan, tmp_path):
    xlsx.write(plan, tmp_path / "plan.xlsx")
    book = openpyxl.load_workbook(tmp_path / "plan.xlsx")
    assert book.sheetnames == ["start", *TABLES, "existing"]
    read = workbook.read(tmp_path / "plan.xlsx").tables["existing"]
    assert list(read.rows(*(column.name for column in EXISTING.planned))) == EXISTING.rows(plan)
    del book["existing"]
    book.save(tmp_path / "less.xlsx")
    with pytest.raises(InputError, match="sheet existing: is missing"):
        workbook.read(tmp_path / "less.xlsx")


@pytest.mark.slow
def test_the_report_lists_what_is_there_and_the_reserve(plan, tmp_path):
    pdf.write(plan, tmp_path / "plan.pdf")
    paper = read_paper(tmp_path / "plan.pdf")
    assert not paper.faults
    assert "In the room already" in paper.chapters
    text = " ".join(" ".join(paper.pages).replace("\u202f", " ").split())
    assert "Kept free for growth: 4 slots, 9 rack units in the cabinets of the plan, 130 ports on the routers" in text
    assert "Cables of others are in 20 tray segments and take up to 12.0 % of the cross-section" in text
    assert "old switch" in text
    assert "equipment of others" in text
    assert existing_sheets(planned("plain")) == []


@pytest.mark.slow
def test_the_web_page_knows_it(plan, tmp_path):
    html.write(plan, tmp_path / "plan.html")
    text = (tmp_path / "plan.html").read_text()
    data = page_data(text)
    assert {"storage", "old switch", "R000", "cables of others"} <= set(data["existing"]["name"]["texts"])
    assert "taken" in data["scene"]["styles"]
    number = data["cabinets"]["names"].index("A04")
    assert [4, "old switch", 1, 28, "", -1] in data["cabinets"]["boxes"][number]


def test_a_drawing_keeps_taken_slots_as_slots(plan, tmp_path):
    dxf_floor.write(plan, tmp_path / "floor.dxf")
    slots = [
        insert for insert in ezdxf.readfile(tmp_path / "floor.dxf").modelspace().query("INSERT") if insert.dxf.layer == "SLOT"
    ]
    names = {attribute.dxf.text for insert in slots for attribute in insert.attribs if attribute.dxf.tag == "NAME"}
    assert names == set(plan.room.slot_names)
