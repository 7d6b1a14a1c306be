"""What is in a room already: keys of the study, workbooks, exports of NetBox, and every kind of bad input."""

import zipfile
from dataclasses import replace

import numpy as np
import openpyxl
import pytest
from shared.plans import asked, planned

from planner.core import shipped
from planner.core.errors import InputError
from planner.core.section import Section, read
from planner.core.spreadsheet import in_cells
from planner.core.storage import restore, save
from planner.domain.model import KeepFree
from planner.formats import netbox, xlsx
from planner.hall import floor
from planner.hall.floor.existing import Contents, examine, with_existing
from planner.studies import pipeline, study

SECTION = Section("room", (floor.room,), given=("routers", "base"))


def contents(**given):
    """The table [room.existing] as a study states it."""
    return read(SECTION, {"plan": "lab", "existing": given})["existing"]


def existing(room, **given):
    return with_existing(room, contents(**given)).existing


def problems(room, **given):
    """What is wrong, as text by line."""
    with pytest.raises(InputError) as error:
        existing(room, **given)
    return [str(problem) for problem in error.value.problems]


# -- keys of the study -------------------------------------------------------------------------------


def test_cabinets_units_and_power_by_hand(lab):
    found = existing(
        lab,
        taken=[
            {"cabinet": ["A02", "B01"], "name": "storage", "power_w": 1500, "mass_kg": 300.5},
            {"cabinet": "A01", "units": "1-8", "name": "old", "power_w": 100},
            {"cabinet": "A01", "units": "40"},
        ],
        power_w={"A03": 250},
    )
    names = lab.slot_names
    assert [names[slot] for slot in found.taken] == ["A02", "B01"]
    assert [names[slot] for slot in found.shared] == ["A01"]
    assert found.units_in(names.index("A01")) == {*range(1, 9), 40}
    assert found.units_in(names.index("A02")) == frozenset()
    power = found.in_slots("power_mw", len(names))
    assert {names[slot]: int(power[slot]) for slot in np.flatnonzero(power)} == {
        "A01": 100_000, "A02": 1_500_000, "A03": 250_000, "B01": 1_500_000,
    }  # fmt: skip
    assert found.in_slots("mass_g", len(names))[names.index("B01")] == 300_500


def test_what_is_left_of_a_room(lab):
    room = with_existing(lab, contents(taken=[{"cabinet": "A01"}, {"cabinet": "A02", "units": "3", "power_w": 999_999}]))
    assert room.power_left_mw[:3].tolist() == [-1, 0, lab.slot_power_mw[2]]
    assert room.load_left_g[:3].tolist() == [-1, lab.slot_load_g[1], lab.slot_load_g[2]]
    assert np.flatnonzero(~room.free).tolist() == [0]


def test_zones_have_power_of_their_slots_and_of_their_own(tmp_path):
    text = (shipped.folder("floorplans") / "lab.toml").read_text()
    path = tmp_path / "limited.toml"
    path.write_text(text.replace("tile_mm = 600", "tile_mm = 600\ntotal_power_mw = 100_000_000\ntotal_load_g = 9_000_000"))
    room = floor.room(str(path), routers=1)
    taken = [{"cabinet": "A01", "power_w": 20_000, "mass_kg": 500}]
    used = with_existing(room, contents(taken=taken, power_w={"whole room": 5000, "A02": 1000}))
    assert [zone.name for zone in room.zones] == ["whole room"]
    assert room.left_in(0) == (100_000_000, 9_000_000)
    assert used.left_in(0) == (74_000_000, 8_500_000)


def test_the_entry_of_a_segment_has_priority_over_its_tray_and_a_cross_section_over_a_share(lab):
    found = existing(
        lab, trays={"default": 0.1, "row A": 0.5, "segment 1": 0.2, "segment 2": 0.0}, trays_mm2={"row B": 77, "segment 3": 5}
    )
    trays = np.array(lab.tray_names)[lab.segment_tray]
    for number, (tray, area_mm2, used) in enumerate(zip(trays, lab.segment_mm2, found.tray_um2, strict=True), 1):
        share = {1: 0.2, 2: 0.0}.get(number, 0.5 if tray == "row A" else 0.1)
        mm2 = {3: 5}.get(number, 77 if tray == "row B" else share * lab.design_fill * area_mm2)
        assert used == round(mm2 * 1_000_000), (number, tray)


def test_nothing_is_the_default(lab):
    assert existing(lab) == lab.existing
    assert not lab.existing.taken
    assert with_existing(lab, Contents()).fingerprint == lab.fingerprint


@pytest.mark.parametrize(("share", "total", "kept"), [(0.2, 15, 3), (0.2, 16, 4), (0.1, 3, 1), (0.0, 9, 0), (1.0, 9, 9)])
def test_shares_are_rounded_up_to_whole_ones(share, total, kept):
    assert KeepFree(slots=share).of("slots", total) == kept


def test_a_reserve_is_one_share_or_a_table(lab):
    assert existing(lab, keep_free=0.25).keep_free == KeepFree(slots=0.25, ports=0.25, trays=0.25)
    assert existing(lab, keep_free={"units": 0.5}).keep_free == KeepFree(units=0.5)


def test_a_room_that_is_in_use_is_stored(lab, tmp_path):
    room = with_existing(lab, contents(taken=[{"cabinet": "A01"}], trays={"default": 0.5}, keep_free=0.1))
    save(room, tmp_path / "room.npz")
    assert restore(type(room), tmp_path / "room.npz").fingerprint == room.fingerprint != lab.fingerprint


# -- bad keys ----------------------------------------------------------------------------------------


def test_everything_wrong_is_reported_together(lab, tmp_path):
    (tmp_path / "junk.csv").write_text("a,b\n1,2\n")
    (tmp_path / "notes.txt").write_text("no")
    found = problems(
        lab,
        taken=[{"cabinet": "A1"}, {"cabinet": ["B08", "Q1"], "units": "9-2"}, {"cabinet": "A01", "units": "x"}],
        taken_from=[str(tmp_path / name) for name in ("junk.csv", "notes.txt", "gone.csv", "gone.xlsx")],
        fixed={"R001": {"cabinet": "A99", "unit": 30}},
        trays={"defualt": 0.1, "segment 99": 0.3},
        trays_mm2={"row Z": 5},
        power_w={"A77": 500},
    )
    wanted = [
        "existing.taken.0.cabinet: 'A1' is not a slot of lab; did you mean A01?",
        "existing.taken.1.units: '9-2' does not name rack units",
        "existing.taken.1.cabinet: 'Q1' is not a slot of lab",
        "existing.taken.2.units: 'x' does not name rack units",
        "existing.taken_from.1: notes.txt is neither a workbook (.xlsx) nor a CSV export",
        "junk.csv:1: header: is not an export of devices, device types or racks",
        "gone.csv: cannot be read",
        "gone.xlsx: cannot be read",
        "existing.fixed.R001.cabinet: 'A99' is not a slot of lab",
        "existing.trays.defualt: 'defualt' is not a tray of lab; did you mean default?",
        "existing.trays.segment 99: lab has no tray segment 99; use 1 to 20",
        "existing.trays_mm2.row Z: 'row Z' is not a tray of lab",
        "existing.power_w.A77: 'A77' is neither a slot nor a zone of lab",
    ]
    for text in wanted:
        assert sum(text in line for line in found) == 1, (text, found)
    assert len(found) == len(wanted)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"keep_free": {"units": 2}}, "existing.keep_free.units: must be less than or equal to 1, not 2"),
        ({"keep_free": -0.1}, "existing.keep_free: must be greater than or equal to 0, not -0.1"),
        ({"taken": [{"cabinet": "A01", "unts": "1"}]}, "existing.taken.0.unts: room has no such key"),
        ({"taken": [{"cabinet": 5}]}, "existing.taken.0.cabinet: must be a valid string, not 5"),
        ({"trays": {"Row A": 4}}, "existing.trays.Row A: must be less than or equal to 1, not 4"),
        ({"fixed": {"R001": {"cabinet": "A01"}}}, "existing.fixed.R001.unit: room needs this key"),
        ({"taken": [{"cabinet": "A01", "name": "a\nb"}]}, "existing.taken.0.name: contains the control character U+000A"),
        ({"power_w": {"A01": -1}}, "existing.power_w.A01: must be greater than or equal to 0, not -1"),
    ],
)
def test_values_of_the_wrong_form(given, message):
    with pytest.raises(InputError) as error:
        contents(**given)
    (problem,) = error.value.problems
    assert message in str(problem)


# -- against devices and cabinets ---------------------------------------------------------------------


def examined(room, plan, **given):
    with pytest.raises(InputError) as error:
        examine.examine(with_existing(room, contents(**given)), plan.catalog, plan.inventory)
    return [str(problem) for problem in error.value.problems]


def test_devices_and_units_that_cannot_be_there(lab, small_plan):
    found = examined(
        lab,
        small_plan,
        taken=[{"cabinet": "A02"}, {"cabinet": "B01", "units": "40-44", "name": "tall"}, {"cabinet": "A03", "units": "5"}],
        fixed={
            "R900": {"cabinet": "A06", "unit": 30},
            "R001": {"cabinet": "A02", "unit": 30},
            "R002": {"cabinet": "A06", "unit": 42},
            "R003": {"cabinet": "A06", "unit": 42},
            "R004": {"cabinet": "A03", "unit": 5},
            "R005": {"cabinet": "A07", "unit": 43},
            "E001": {"cabinet": "A06", "unit": 4},
        },
    )
    wanted = [
        "existing.taken: tall in B01: units 40 to 44 are not in a cabinet of 42 units",
        "existing.fixed.R900: the plan has no device of this name",
        "existing.fixed.E001: is a node, which stays with its router",
        "existing.fixed.R001.cabinet: must stay in A02, which a cabinet of others takes",
        "existing.fixed.R003.unit: unit 42 of A06 is taken by R002",
        "existing.fixed.R004.unit: unit 5 of A03 is taken by equipment that is there already",
        "existing.fixed.R005.unit: 1 units from unit 43 up are not in a cabinet of 42 units; use 1 to 42",
    ]
    for text in wanted:
        assert sum(text in line for line in found) == 1, (text, found)
    assert len(found) == len(wanted)


def test_cabinets_of_several_networks_stay_whole():
    plan = planned("several networks")
    found = examined(
        plan.room,
        plan,
        fixed={
            "dgx001": {"cabinet": "A01", "unit": 1},
            "dgx002": {"cabinet": "A02", "unit": 9},
            "dgx005": {"cabinet": "A01", "unit": 20},
        },
    )
    assert len(found) == 2
    assert "existing.fixed.dgx002.cabinet: shares a cabinet with dgx001, which must stay in A01" in found[0]
    assert "existing.fixed.dgx005.cabinet: A01 also has to hold the cabinet of dgx001" in found[1]


@pytest.mark.slow
def test_a_study_is_refused_before_anything_runs(tmp_path):
    given = asked("plain")
    room = given.sections["room"] | {"existing": contents(fixed={"R999": {"cabinet": "A01", "unit": 1}})}
    with pytest.raises(InputError, match=r"room\.existing\.fixed\.R999: the plan has no device of this name"):
        pipeline.run(replace(given, sections=given.sections | {"room": room}), out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


# -- workbooks ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def workbook(tmp_path_factory):
    path = tmp_path_factory.mktemp("books") / "first.xlsx"
    xlsx.write(planned("plain"), path)
    return path


@pytest.mark.slow
def test_cabinets_trays_and_devices_of_another_plan(lab, workbook):
    plan = planned("plain")
    found = existing(lab, taken_from=[str(workbook)])
    assert set(found.taken) == set(plan.placement.slot_of.tolist())
    assert list(found.tray_um2) == plan.cables.fill_um2.tolist()
    power = plan.placement.by_cabinet(plan.inventory.of_part("power_max_mw"))
    assert found.in_slots("power_mw", lab.slot_count)[plan.placement.slot_of].tolist() == power.tolist()
    assert not found.fixed
    kept = existing(lab, fixed_from=[str(workbook)])
    assert not kept.equipment
    assert not kept.tray_um2
    places = {each.name: (each.slot, each.unit) for each in kept.fixed}
    routers = plan.inventory.is_router
    assert places == dict(
        zip(
            plan.inventory.names[routers].tolist(),
            zip(plan.placement.slot[routers].tolist(), plan.placement.unit[routers].tolist(), strict=True),
            strict=True,
        )
    )


@pytest.mark.slow
def test_cables_of_several_plans_add_up(lab, workbook):
    once = np.array(planned("plain").cables.fill_um2)
    twice = existing(lab, taken_from=[str(workbook)] * 2, trays_mm2={"default": 3}).tray_um2
    assert np.array_equal(twice, 2 * once + 3_000_000)


def test_the_study_has_priority_over_files(lab, workbook):
    found = existing(lab, fixed_from=[str(workbook)], fixed={"R003": {"cabinet": "B05", "unit": 7}}).fixed
    assert next(each for each in found if each.name == "R003").unit == 7
    assert next(each for each in found if each.name == "R003").source == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda book: book.remove(book["trays"]), "sheet trays: is missing"),
        (lambda book: book["cabinets"].delete_rows(3), "sheet cabinets: has 5 rows, not 6"),
        (lambda book: book["cabinets"].cell(3, 1, "Z99"), "sheet cabinets, row 3: 'Z99' is not a slot of lab"),
        (lambda book: book["trays"].cell(1, 5, "moved"), "sheet trays, row 1: the column a_x_m is missing"),
        (lambda book: book["trays"].cell(3, 5, 1.5004), "sheet trays, row 3: 1.5004 has too many decimals"),
        (lambda book: book["trays"].cell(3, 5, "1 m"), "sheet trays, row 3: '1 m' is not a number"),
        (lambda book: book["trays"].cell(3, 5, 11), "sheet trays: segment 1 is not where it is in lab"),
    ],
)
def test_workbooks_that_do_not_fit(lab, workbook, tmp_path, change, message):
    book = openpyxl.load_workbook(workbook)
    assert book["trays"].cell(1, 5).value == "a_x_m"
    change(book)
    book.save(tmp_path / "changed.xlsx")
    (found,) = problems(lab, taken_from=[str(tmp_path / "changed.xlsx")])
    assert message in found


@pytest.mark.slow
def test_workbooks_of_earlier_versions_in_the_units_of_plans(lab, workbook, tmp_path):
    book = openpyxl.load_workbook(workbook)
    corners = [f"{end}_{axis}_mm" for end in "ab" for axis in "xyz"]
    for sheet, names in (("cabinets", ["power_max_mw", "floor_g"]), ("trays", [*corners, "fill_um2"])):
        page = book[sheet]
        for name in names:
            cell, factor = in_cells(name)
            (place,) = (found.column for found in page[1] if found.value == cell)
            page.cell(1, place).value = name
            for row in page.iter_rows(min_row=3, min_col=place, max_col=place):
                row[0].value = round(row[0].value * factor)
    book.save(tmp_path / "first.xlsx")
    assert existing(lab, taken_from=[str(tmp_path / "first.xlsx")]) == existing(lab, taken_from=[str(workbook)])


@pytest.mark.slow
def test_rows_that_people_sorted(lab, workbook, tmp_path):
    book = openpyxl.load_workbook(workbook)
    page = book["trays"]
    rows = [[cell.value for cell in row] for row in page.iter_rows(min_row=3)]
    for line, row in enumerate(reversed(rows), 3):
        for place, value in enumerate(row, 1):
            page.cell(line, place).value = value
    book.save(tmp_path / "sorted.xlsx")
    assert existing(lab, taken_from=[str(tmp_path / "sorted.xlsx")]) == replace(
        existing(lab, taken_from=[str(workbook)]),
        equipment=tuple(replace(each, source="sorted.xlsx") for each in existing(lab, taken_from=[str(workbook)]).equipment),
    )


def test_a_workbook_of_another_room_is_refused(workbook):
    found = problems(floor.room("hall-a", routers=1), taken_from=[str(workbook)])
    assert any("sheet trays: has 20 tray segments" in line for line in found)


# -- NetBox ------------------------------------------------------------------------------------------

DEVICES = """Name,Status,Site,Rack,Role,Type,Position,Face,U Height
sw-1,Active,Lab,A01,Leaf,SN2201,40,Front,1
node 1,Active,Lab,A01,Node,DGX,1.0,Front,8
half,Active,Lab,A02,Node,Shelf,10.5,Front,1.5
pdu,Active,Lab,A02,PDU,AP8886,,,0
spare,Active,Lab,,Leaf,SN2201,,,1
"""


def test_an_export_of_devices(lab, tmp_path):
    (tmp_path / "devices.csv").write_text(DEVICES)
    found = existing(lab, taken_from=[str(tmp_path / "devices.csv")])
    rows = [(lab.slot_names[each.slot], each.name, each.low_unit, each.units) for each in found.equipment]
    assert rows == [("A01", "node 1", 1, 8), ("A01", "sw-1", 40, 1), ("A02", "half", 10, 2)]
    assert not found.taken


def test_columns_in_any_order_with_heights_of_another_export(lab, tmp_path):
    (tmp_path / "devices.csv").write_text("position,rack,device_type,name\n3,B02,DGX,n1\n20,B02,SN2201,n2\n")
    (tmp_path / "types.csv").write_text("manufacturer,model,u_height\nNVIDIA,DGX,8\nNVIDIA,SN2201,1.0\n")
    found = existing(lab, taken_from=[str(tmp_path / name) for name in ("devices.csv", "types.csv")])
    assert [(each.low_unit, each.units) for each in found.equipment] == [(3, 8), (20, 1)]


def test_an_export_of_racks_takes_cabinets(lab, tmp_path):
    (tmp_path / "racks.csv").write_text("Name,Site,Role,Type,Height\nA05,Lab,Storage,AR3300,42U\nB05,Lab,,AR3300,42U\n")
    found = existing(lab, taken_from=[str(tmp_path / "racks.csv")])
    assert [lab.slot_names[slot] for slot in found.taken] == ["A05", "B05"]
    assert [each.name for each in found.equipment] == ["Storage", "rack"]


def test_the_export_of_a_plan_for_netbox_is_read(lab, tmp_path):
    plan = planned("plain")
    netbox.write(plan, tmp_path / "netbox.zip")
    with zipfile.ZipFile(tmp_path / "netbox.zip") as archive:
        archive.extractall(tmp_path)
    files = [str(next(tmp_path.glob(f"*_{name}.csv"))) for name in ("devices", "device_types")]
    found = existing(lab, taken_from=files)
    own = {slot: set() for slot in plan.placement.slot_of.tolist()}
    heights = plan.inventory.of_part("units")
    for device, slot in enumerate(plan.placement.slot.tolist()):
        own[slot] |= set(range(plan.placement.unit[device], plan.placement.unit[device] + heights[device]))
    assert {slot: set(found.units_in(slot)) for slot in found.shared} == own


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("Name,Rack,Position,U Height\nx,Q9,1,1\n", ["devices.csv:2: rack: the rack 'Q9' of x is not a slot of lab"]),
        ("Name,Rack,Position,U Height\nx,A01,top,1\n", ["devices.csv:2: position: 'top' is not a number of rack units"]),
        ("Name,Rack,Position,U Height\nx,A01,-3,1\n", ["devices.csv:2: position: '-3' is not a number of rack units"]),
        ("Name,Rack,Position,U Height\nx,A01,1e9,1\n", ["devices.csv:2: position: '1e9' is not a number of rack units"]),
        ("Name,Rack,Position,Type\nx,A01,5,box\n", ["devices.csv:2: u_height: '' is not a number of rack units"]),
        ("Name,Rack,Position,U Height\nx,A01,nan,1\ny,Q9,1,1\n", ["2: position: 'nan'", "3: rack: the rack 'Q9' of y"]),
        ("Name,Rack,Position,U Height\nx\x1b,A01,1,1\n", ["devices.csv:2: name: contains the control character U+001B"]),
        ("Name,Role\nA01,a\u202eb\n", ["devices.csv:2: name: contains U+202E, which reorders the text"]),
        ("Side A Device,Side B Device,Name\na,b,c\n", ["devices.csv:1: header: is not an export of devices"]),
        ("", ["devices.csv:1: header: is not an export of devices"]),
    ],
)
def test_exports_that_are_none(lab, tmp_path, text, messages):
    (tmp_path / "devices.csv").write_text(text)
    found = problems(lab, taken_from=[str(tmp_path / "devices.csv")])
    assert len(found) == len(messages)
    assert all(message in line for message, line in zip(messages, found, strict=True))


def test_many_racks_elsewhere_are_counted(lab, tmp_path):
    (tmp_path / "racks.csv").write_text("Name\n" + "".join(f"X{n}\n" for n in range(50)))
    found = problems(lab, taken_from=[str(tmp_path / "racks.csv")])
    assert len(found) == 21
    assert "30 more racks that the room does not have" in found[-1]


def test_paths_belong_to_the_study(tmp_path):
    (tmp_path / "racks.csv").write_text("Name\nA01\n")
    given = study.check(
        {
            "name": "x",
            "topology": {"family": "slimfly", "q": 3},
            "catalog": {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"},
            "room": {"plan": "lab", "existing": {"taken_from": ["racks.csv"]}},
        },
        base=tmp_path,
    )
    assert given.expanded()["room"]["existing"]["taken_from"] == [str((tmp_path / "racks.csv").resolve())]
    again = study.check(given.expanded(), base=tmp_path / "elsewhere")
    assert again.sections["room"]["existing"] == given.sections["room"]["existing"]


def test_routers_are_known_by_number_whatever_the_digits(lab):
    fixed = {"R0012": 1, "R7": 2, "leaf1": 3, "R99": 4, "r3": 5}
    found = existing(lab, fixed={name: {"cabinet": "A01", "unit": unit} for name, unit in fixed.items()})
    names = ["R012", "R007", "R003", "leaf1"]
    assert {number: each.unit for number, each in found.fixed_among(names).items()} == {0: 1, 1: 2, 3: 3}
    assert found.fixed_among(["R7", "R007"])[0].unit == 2
    assert lab.existing.fixed_among(names) == {}
