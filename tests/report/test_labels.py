"""Labels on paper and as a table: read back from the file, measured, and decoded by a reader of others."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.small_plans import lonely, make_plan

from planner import formats
from planner.core.errors import InputError
from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.design.placement import place
from planner.design.work import work
from planner.domain import catalog
from planner.domain.model import PanelPlan, Plan
from planner.domain.parts import LabelSheet
from planner.formats import Selection, labels, labels_csv
from planner.hall import floor
from planner.network.topology import from_links
from planner.paper.labeling import text as label_text
from planner.paper.labeling.labels import labels as texts_of
from planner.paper.labeling.sheets import label_print, label_sheet, shipped_sheets

POINT_UM = 25_400 / 72
PATH = pdfium.raw.FPDF_PAGEOBJ_PATH
FLAT = [name for name, sheet in shipped_sheets().items() if not sheet.wraps]
WRAP = "self-laminating-25x38"


@pytest.fixture(scope="module")
def plan():
    """A small Slim Fly."""
    return make_plan(q=3, endpoints_per_router=2, simulate=False)


@pytest.fixture(scope="module")
def worked(plan):
    """The same plan with a work order."""
    labor = replace(plan.catalog.labor, in_cabinet_s=40, between_cabinets_s=100, pull_s_per_m=6, dress_s=300, label_s=10)
    return replace(
        plan,
        work=work(
            replace(plan.catalog, labor=replace(labor, test_s=10)), plan.cables, PanelPlan.none(), plan.room.segment_mm, crews=3
        ),
    )


def printed(plan: Plan, folder: Path, **options) -> Path:
    path = folder / "labels.pdf"
    labels.write(plan, path, **options)
    return path


def words(path: Path) -> list[list[tuple[str, float, float, float, float]]]:
    """The text of every page, line by line: text, left, top, right, bottom in µm from the upper left corner."""
    found = []
    with pdfium.PdfDocument(path) as document:
        for page in document:
            text, height = page.get_textpage(), page.get_height()
            lines = []
            for number in range(text.count_rects()):
                left, bottom, right, top = text.get_rect(number)
                box = (left, height - top, right, height - bottom)
                lines.append((text.get_text_bounded(left, bottom, right, top), *(POINT_UM * side for side in box)))
            found.append(lines)
    return found


def by_label(path: Path, sheet: LabelSheet) -> list[str]:
    """The text of every label of the file, lines joined; labels without text are left out. Text must stay within a label."""
    found = []
    for page in words(path):
        cells: dict[int, list[tuple[float, str]]] = {}
        for text, left, top, right, bottom in page:
            number = cell_of(sheet, (left + right) / 2, (top + bottom) / 2)
            x, y = sheet.corner_um(number)
            assert x <= left
            assert right <= x + sheet.width_um - sheet.margin_um + 400, text
            assert y + sheet.margin_um / 2 <= top
            assert bottom <= y + sheet.height_um - sheet.tail_um - sheet.margin_um / 2, text
            cells.setdefault(number, []).append((top, text))
        found += ["".join(text for _, text in sorted(lines)) for _, lines in sorted(cells.items())]
    return found


def cell_of(sheet: LabelSheet, x: float, y: float) -> int:
    column, row = int((x - sheet.left_um) // sheet.pitch_x_um), int((y - sheet.top_um) // sheet.pitch_y_um)
    assert 0 <= column < sheet.columns
    assert 0 <= row < sheet.rows
    return row * sheet.columns + column


def forms(label) -> list[str]:
    """What may be printed on a label, from the longest to the shortest: text, number and end, from and to."""
    head, (full, short) = f"{label.text}{label.cable} {label.end}", label.routes()
    broken = [text.replace(" → ", "→ ") for text in (full, short)]
    return [head + full, head + broken[0], head + short, head + broken[1], f"{head}: {short}", head]


def routes(plan: Plan) -> dict[tuple[int, str], str]:
    """Where each end of each cable leads, from the arrays of the plan; for cables of one row."""
    cables, slots = plan.cables, np.array(plan.room.slot_names)[plan.placement.slot_of]
    place = [[slots[cabinet] for cabinet in row] for row in cables.cabinet]
    device = plan.inventory.names[cables.device]
    ends = [
        [f"{place[row][side]} U{cables.unit[row, side]} {device[row, side]} {cables.port[row, side]}" for side in (0, 1)]
        for row in range(cables.cable_count)
    ]
    return {(row + 1, "AB"[side]): f"{own[side]} → {own[1 - side]}" for row, own in enumerate(ends) for side in (0, 1)}


def test_every_label_states_from_and_to(plan):
    assert {(label.cable, label.end): label.routes()[0] for label in texts_of(plan)} == routes(plan)


def test_branches_of_a_splitter_are_named(twins):
    cables = twins.cables
    tails = [row for row in range(cables.cable_count) if cables.assemblies[cables.assembly[row]].tails > 1]
    found = {(label.cable, label.end): label for label in texts_of(twins)}
    for row in tails:
        rows = np.flatnonzero(cables.piece == cables.piece[row])
        branch = int((rows < row).sum()) + 1
        number, tail = int(rows[0]) + 1, twins.inventory.names[cables.device[row, 1]]
        mark = f"B{branch}" if len(rows) > 1 else "B"
        assert found[number, mark].device == tail
        assert f"{tail} {cables.port[row, 1]}" in found[number, "A"].routes()[0]
        if len(rows) > 1:
            assert f"{mark} {tail} " in found[number, "A"].routes()[1]
            assert (
                "+".join(f"{cables.cage[one, 0]}/{(cables.port[one, 0] - 1) % 2 + 1}" for one in rows) == found[number, "A"].port
            )
    assert tails


# -- texts of labels -------------------------------------------------------------------------


def test_every_end_has_one_label_with_the_plan_s_text(plan):
    found = texts_of(plan)
    both = [*plan.cables.label_a.tolist(), *plan.cables.label_b.tolist()]
    assert Counter(label.text for label in found) == Counter(both)
    by_cable = {(label.cable, label.end): label.text for label in found}
    assert by_cable == {
        (row + 1, end): str(texts[row])
        for end, texts in (("A", plan.cables.label_a), ("B", plan.cables.label_b))
        for row in range(plan.cables.cable_count)
    }


def test_labels_come_in_pulling_order_with_both_ends_side_by_side(worked):
    found = texts_of(worked)
    assert [label.end for label in found] == ["A", "B"] * worked.cables.cable_count
    assert all(one.cable == other.cable for one, other in zip(found[::2], found[1::2], strict=True))
    tasks = [int(worked.work.task[label.cable - 1]) for label in found]
    assert tasks == sorted(tasks)
    assert tasks[-1] == worked.work.task_count - 1


def test_stages_share_out_the_labels_and_so_do_cabinets(plan):
    everything = Counter(texts_of(plan))
    stages = plan.cables.stage_names
    assert sum((Counter(texts_of(plan, Selection(stage=name))) for name in stages), Counter()) == everything
    cabinets = [plan.room.slot_names[slot] for slot in plan.placement.slot_of]
    of_cabinets = [texts_of(plan, Selection(cabinet=name)) for name in cabinets]
    assert sum(map(Counter, of_cabinets), Counter()) == everything
    assert all(label.cabinet == name for name, own in zip(cabinets, of_cabinets, strict=True) for label in own)


@pytest.fixture(scope="module")
def twins():
    """Three routers with parallel links over twin-port cables, and endpoints over splitters."""
    network = from_links("any", {}, 3, np.array([(0, 1), (0, 2), (0, 1), (1, 0), (1, 2)]), endpoints=5)
    parts = catalog.select("nvidia-qm9700", "server-half-unit-400g-osfp", "apc-ar3300")
    hall = floor.room("lab", routers=network.router_count)
    lengths = floor.Lengths(hall, parts.cabinet, floor.Slack())
    devices = inventory(network, parts)
    placement = place(network, parts, lengths, seed=1, algorithm="identity")
    return Plan(
        "twins",
        "",
        {},
        catalog=parts,
        room=hall,
        topology=network,
        inventory=devices,
        placement=placement,
        cables=cable(devices, parts, placement, lengths),
    )


def test_a_piece_has_as_many_labels_as_ends(twins):
    cables = twins.cables
    assert len(cables.first_of_piece) < cables.cable_count
    assert any(cables.assemblies[number].tails > 1 for number in cables.assembly)
    sockets = {
        (piece, device, cage)
        for side in (0, 1)
        for piece, device, cage in zip(
            cables.piece.tolist(), cables.device[:, side].tolist(), cables.cage[:, side].tolist(), strict=True
        )
    }
    found = texts_of(twins)
    assert len(found) == len(sockets)
    assert len({label.text for label in found}) == len(found)
    assert {label.cable - 1 for label in found} == set(cables.first_of_piece.tolist())
    assert len({(label.cable, label.end) for label in found}) == len(found)


# -- on paper ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", FLAT)
def test_every_label_is_printed_once_within_a_cell_of_its_sheet(plan, tmp_path, name):
    path = printed(plan, tmp_path, sheet=name)
    found, made = by_label(path, label_sheet(name)), texts_of(plan)
    assert len(found) == len(made)
    assert all(text in forms(label) for text, label in zip(found, made, strict=True))
    # There is room for devices and ports on every sheet, and for locations on most of them.
    assert all(text != forms(label)[-1] for text, label in zip(found, made, strict=True))
    if name == "avery-5160":
        assert found == [forms(label)[0] for label in made]


@pytest.mark.slow
def test_pages_have_the_size_of_the_sheet(plan, tmp_path):
    for name, size in (("avery-5160", (612, 792)), ("avery-l7160", (595.28, 841.89))):
        with pdfium.PdfDocument(printed(plan, tmp_path, sheet=name)) as document:
            assert all(page.get_size() == pytest.approx(size, abs=0.02) for page in document)
            assert len(document) == -(-2 * plan.cables.cable_count // label_sheet(name).count)


@pytest.mark.slow
def test_wrapped_text_is_repeated_around_the_cable_off_the_clear_part(plan, tmp_path):
    sheet = label_sheet(WRAP)
    found = by_label(printed(plan, tmp_path, sheet=WRAP), sheet)
    assert len(found) == 2 * plan.cables.cable_count
    # Cables of 6 mm are 18.8 mm around: of these 12.7 mm take print, two thirds.
    # From and to are there in short: the copies leave no room for another line.
    assert found == [2 * forms(label)[4] for label in texts_of(plan)]


@pytest.mark.slow
@pytest.mark.parametrize(("diameter_um", "minimum", "maximum"), [(2600, 1, 1), (3000, 1, 3), (8000, 1, 2)])
def test_a_thin_cable_is_printed_on_the_part_that_is_outside(plan, tmp_path, diameter_um, minimum, maximum):
    sheet, seen = label_sheet(WRAP), np.pi * diameter_um
    thin = with_labels(plan, "12:34", diameter_um)
    (page, *_) = words(printed(thin, tmp_path, sheet=WRAP))
    first = [line for line in page if line[1] < sheet.left_um + sheet.pitch_x_um and line[2] < sheet.top_um + sheet.pitch_y_um]
    assert minimum <= sum(text.startswith("12") for text, *_ in first) <= maximum
    assert min(line[2] for line in first) >= sheet.top_um + max(0, sheet.height_um - sheet.tail_um - seen)


@pytest.mark.slow
def test_start_leaves_used_labels_free_and_border_draws_every_edge(plan, tmp_path):
    sheet = label_sheet("avery-5160")
    whole = plan.cables.cable_count
    first = words(printed(plan, tmp_path, start=8, border=True))[0]
    used = {cell_of(sheet, (left + right) / 2, (top + bottom) / 2) for _, left, top, right, bottom in first}
    assert used == set(range(7, 30))
    with pdfium.PdfDocument(tmp_path / "labels.pdf") as document:
        assert len(document) == -(-(2 * whole + 7) // 30)
        boxes = [one.get_bounds() for one in document[0].get_objects() if one.type == PATH]
        edges = [box for box in boxes if box[2] - box[0] > 180]
        assert len(edges) == 30
    with pytest.raises(InputError, match=r"start: 31, but a sheet has 30 labels; give 1 to 30"):
        printed(plan, tmp_path, start=31)


@pytest.mark.slow
def test_codes_are_read_by_a_reader_of_others_and_are_large_enough(plan, tmp_path):
    rule = label_print()
    for name in FLAT:
        sheet = label_sheet(name)
        path = printed(plan, tmp_path, sheet=name, selection=Selection(cabinet=first_cabinet(plan)))
        with pdfium.PdfDocument(path) as document:
            image = document[0].render(scale=300 / 72).to_pil()
        codes = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)
        shown = texts_of(plan, Selection(cabinet=first_cabinet(plan)))[: sheet.count]
        assert Counter(code.text for code in codes) == Counter(str(label.cable) for label in shown)
        for code in codes:
            side_um = (code.position.top_right.x - code.position.top_left.x) * 25_400 / 300
            assert side_um / 21 > 0.93 * rule.module_um


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "text", "across"),
    [
        ({}, "{cable}", 21),
        ({"code": "end"}, "small/{cable}{end}", 21),
        ({"url": "HTTP://10.0.0.5:8080"}, "HTTP://10.0.0.5:8080/C/{cable}{end}", 25),
        ({"url": "http://10.0.0.5:8080/"}, "http://10.0.0.5:8080/C/{cable}{end}", 29),
    ],
)
def test_codes_have_the_chosen_content(options, text, across, plan, tmp_path):
    cabinet = first_cabinet(plan)
    path = formats.write(plan, tmp_path, "labels", sheet="avery-5160", cabinet=cabinet, **options)
    with pdfium.PdfDocument(path) as document:
        image = document[0].render(scale=300 / 72).to_pil()
    found = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)
    shown = texts_of(plan, Selection(cabinet=cabinet))[: label_sheet("avery-5160").count]
    assert Counter(code.text for code in found) == Counter(text.format(cable=label.cable, end=label.end) for label in shown)
    for code in found:
        side_um = (code.position.top_right.x - code.position.top_left.x) * 25_400 / 300
        assert side_um / across > 0.93 * label_print().module_um
    with formats.write(plan, tmp_path, "labels_csv", cabinet=cabinet, **options).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["qr"].removeprefix("'") for row in rows] == [
        text.format(cable=label.cable, end=label.end) for label in texts_of(plan, Selection(cabinet=cabinet))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["labels", "labels_csv"])
@pytest.mark.parametrize("url", ["", "two words", "http://ä", "x" * 101])
def test_wrong_addresses_are_refused(name, url, plan, tmp_path):
    with pytest.raises(InputError, match=r"url: .* is not 1 to 100 characters of ASCII"):
        formats.write(plan, tmp_path, name, url=url)
    assert list(tmp_path.iterdir()) == []


def first_cabinet(plan: Plan) -> str:
    return plan.room.slot_names[plan.placement.slot_of[0]]


@pytest.mark.slow
def test_two_writes_are_the_same_bytes(plan, tmp_path):
    one = printed(plan, tmp_path).read_bytes()
    assert printed(plan, tmp_path).read_bytes() == one


# -- what does not fit ------------------------------------------------------------------------


def with_labels(plan: Plan, text: str, diameter_um: int = 6000) -> Plan:
    """The plan with one text on all labels, and cables of one diameter."""
    assemblies = tuple(replace(assembly, diameter_um=diameter_um) for assembly in plan.cables.assemblies)
    same = np.full(plan.cables.cable_count, text)
    return replace(plan, cables=replace(plan.cables, label_a=same, label_b=same, assemblies=assemblies))


@pytest.mark.slow
def test_a_text_that_is_too_long_names_cable_and_larger_sheet(plan, tmp_path):
    with pytest.raises(InputError) as caught:
        printed(with_labels(plan, "M" * 80), tmp_path, sheet="avery-5167", selection=Selection(cabinet=first_cabinet(plan)))
    own = texts_of(plan, Selection(cabinet=first_cabinet(plan)))
    assert len(caught.value.problems) == min(len(own), 21)
    first = caught.value.problems[0]
    assert first.place == f"cable {own[0].cable}, end {own[0].end}"
    assert "does not fit on avery-5167 at 5.5 points" in first.message
    assert "use sheet = 'avery-" in first.remedy
    larger = first.remedy.split("'")[1]
    printed(with_labels(plan, "M" * 80), tmp_path, sheet=larger, selection=Selection(cabinet=first_cabinet(plan)))
    with pytest.raises(InputError, match="give shorter labels"):
        printed(with_labels(plan, "M" * 2000), tmp_path)


def test_a_cable_too_thick_to_wrap_is_named(plan, tmp_path):
    with pytest.raises(
        InputError, match=r"28\.3 mm around, the clear part of self-laminating-25x38 only 25\.4 mm long; use flat"
    ):
        printed(with_labels(plan, "x", 9000), tmp_path, sheet=WRAP)


@pytest.mark.slow
def test_letters_that_the_font_lacks_are_named(plan, tmp_path):
    with pytest.raises(InputError, match="no font has ก for the label 'ก-1'; use other letters"):
        printed(with_labels(plan, "ก-1"), tmp_path)
    found = by_label(printed(with_labels(plan, "Čćž-Ωж 1?"), tmp_path), label_sheet("avery-5160"))
    assert found[0].startswith("Čćž-Ωж 1?")


def test_wrong_options_are_named(plan, tmp_path):
    with pytest.raises(InputError, match="sheet: there is no label sheet 'avery-5161'; did you mean avery-516"):
        printed(plan, tmp_path, sheet="avery-5161")
    with pytest.raises(InputError, match="stage: there is no stage 'in rov'; did you mean in row"):
        printed(plan, tmp_path, selection=Selection(stage="in rov"))
    with pytest.raises(InputError, match="cabinet: there is no cabinet 'nowhere'"):
        printed(plan, tmp_path, selection=Selection(cabinet="nowhere"))
    with pytest.raises(InputError, match="the plan has no cables"):
        printed(Plan("bare", "", {}), tmp_path)


def test_a_plan_without_cables_prints_one_sheet_with_a_note(tmp_path):
    path = printed(make_plan(simulate=False, network=lonely()), tmp_path)
    assert [line[0] for page in words(path) for line in page] == ["No labels: nothing was chosen."]


ROW = """
[[label_sheet]]
id = "own"
title = "Own"
sheet_width_um = 100_000
sheet_height_um = 100_000
columns = 2
rows = {rows}
width_um = 45_000
height_um = 30_000
left_um = 2000
top_um = 2000
pitch_x_um = 48_000
pitch_y_um = 31_000
margin_um = 1500
source = "measured"
confidence = "A"
"""


@pytest.mark.slow
def test_a_sheet_of_the_user_s_own(plan, tmp_path):
    own = tmp_path / "own.toml"
    own.write_text(ROW.format(rows=3))
    found = by_label(printed(plan, tmp_path, sheet=str(own)), label_sheet(str(own)))
    assert found == [forms(label)[1] for label in texts_of(plan)]
    own.write_text(ROW.format(rows=4))
    with pytest.raises(InputError, match=r"own\.toml:10: .*height_um: 4 labels end at 125000 µm, the sheet at 100000"):
        printed(plan, tmp_path, sheet=str(own))
    own.write_text(ROW.format(rows=3).replace("31_000", "29_000").replace("title", "titel"))
    with pytest.raises(InputError, match="LabelSheet has no such key"):
        printed(plan, tmp_path, sheet=str(own))


def test_shipped_sheets_are_those_of_the_makers():
    """Avery's counts and sizes in inches or mm, as printed on the packs."""
    packs = {
        "avery-5160": (30, 2.625, 1.0), "avery-5167": (80, 1.75, 0.5), "avery-5366": (30, 3.4375, 2 / 3),
        "avery-l7160": (21, 63.5 / 25.4, 38.1 / 25.4), "avery-l7651": (65, 38.1 / 25.4, 21.2 / 25.4),
    }  # fmt: skip
    for name, (count, width, height) in packs.items():
        sheet = label_sheet(name)
        assert sheet.count == count
        assert (sheet.width_um, sheet.height_um) == pytest.approx((25_400 * width, 25_400 * height), abs=500)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=60),
    st.floats(20, 300), st.floats(8, 120),
)  # fmt: skip
def test_fitted_text_never_overflows_and_loses_nothing(text, width, height):
    block = label_text.fitted(text, "137 A", width, height, 5.5, 14)
    if block is None:
        return
    assert block.height <= height
    assert 5.5 <= block.size <= 14
    for line, size, font in block.rows():
        assert label_text.width_of(line, size, font) <= width + 1e-6
    assert "".join(block.lines).replace(" ", "") == text.replace(" ", "")


# -- as a table -------------------------------------------------------------------------------


def test_two_rows_per_cable_for_label_printers(plan, tmp_path):
    labels_csv.write(plan, tmp_path / "labels.csv")
    with (tmp_path / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == labels_csv.COLUMNS
    assert [(int(row["cable_id"]), row["end"], row["line1"]) for row in rows] == [
        (label.cable, label.end, label.text) for label in texts_of(plan)
    ]
    assert all(row["qr"] == row["cable_id"] and row["qty"] == "1" for row in rows)
    one = next(row for row in rows if (row["cable_id"], row["end"]) == ("1", "B"))
    cables = plan.cables
    cabinet = plan.room.slot_names[plan.placement.slot_of[cables.cabinet[0, 1]]]
    assert one["line2"].startswith(f"{cabinet} U{cables.unit[0, 1]} R")
    assert one["line2"] == routes(plan)[1, "B"]
    assert one["line3"] == "1 B"
    assert one["line4"].startswith(f"{cables.assemblies[cables.assembly[0]].length_part} {cables.stock_mm[0] / 1000:g} m")
    labels_csv.write(plan, tmp_path / "one.csv", selection=Selection(stage=cables.stage_names[0]))
    with (tmp_path / "one.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 2 * int((cables.stage == 0).sum())
