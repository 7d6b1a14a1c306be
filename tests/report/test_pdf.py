"""The printed report, read back from the file as text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from io import BytesIO

import numpy as np
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas
from shared.paper import Paper, printed
from shared.small_plans import lonely, make_plan, measured

from planner.check import check
from planner.domain.model import Plan
from planner.domain.parts import Row
from planner.formats import pdf
from planner.hall.floor import room
from planner.paper.canvas import ACCENT, ALARM, BOLD, DARK, REGULAR, Pen
from planner.paper.fonts import COMMON
from planner.view.names import device_names


@pytest.fixture(scope="module")
def paper(plan, tmp_path_factory) -> Paper:
    return printed(plan, tmp_path_factory.mktemp("paper"))


CABINETS = "Cabinets, ports and cables"


@pytest.mark.slow
def test_every_label_is_printed_once_in_each_cabinet_of_its_cable(plan, paper):
    words = Counter(paper.chapter(CABINETS).split())
    labels = np.concatenate([plan.cables.label_a, plan.cables.label_b])
    cabinets = 1 + (plan.cables.cabinet[:, 0] != plan.cables.cabinet[:, 1])
    assert len(set(labels.tolist())) == 2 * plan.cables.cable_count
    wanted = dict(zip(labels.tolist(), np.tile(cabinets, 2).tolist(), strict=True))
    assert {label: words[label] for label in wanted} == wanted


@pytest.mark.slow
def test_rows_carry_part_lengths_trays_and_bundle(plan, paper):
    text = paper.chapter(CABINETS)
    number = int((plan.cables.route >= 0).argmax())
    line = next(line for line in text.split("\n") if plan.cables.label_a[number] in line.split()[:2])
    run, stock = plan.cables.run_mm[number] / 1000, plan.cables.stock_mm[number] / 1000
    made_of = plan.cables.assemblies[plan.cables.assembly[number]]
    assert line.split()[0] == str(number + 1)
    assert f"{run:.3f}" in line.split()
    assert f"{stock:g}" in line.split()
    assert made_of.length_part in line.split()
    assert "row A" in line
    assert str(plan.cables.bundle[number] + 1) in line.split()


def lists(plan, paper, cabinet):
    """Return the numbers of the cables in each list of a cabinet, from 0: inside, outgoing, incoming."""
    name = plan.room.slot_names[plan.placement.slot_of[cabinet]]
    by_label = {label: number for number, label in enumerate(plan.cables.label_a.tolist())}
    pages = [paper.pages[page] for page in paper.chapters[CABINETS]]
    text = "".join(page for page in pages if f"cabinet {name}" in page)
    heads = (f"Inside {name}", f"From {name} to others", f"From others to {name}")
    found = {head: [] for head in heads}
    for piece in re.split(f"(?=^(?:{'|'.join(heads)}))", text, flags=re.MULTILINE):
        for head in heads:
            if piece.startswith(head):
                found[head] += [by_label[word] for word in piece.split() if word in by_label]
    return list(found.values())


def test_a_cabinet_lists_its_cables_inside_outgoing_and_incoming_in_pulling_order(plan, paper):
    """Without a work order by stage, the longest tray routes first."""
    cables = plan.cables
    for cabinet in range(plan.placement.cabinet_count):
        first, second = (cables.cabinet == cabinet).T
        wanted = (first & second, first & ~second, second & ~first)
        for listed, chosen in zip(lists(plan, paper, cabinet), wanted, strict=True):
            assert sorted(listed) == np.flatnonzero(chosen).tolist()
            keys = [(-int(cables.tray_mm[number]), int(cables.stage[number])) for number in listed]
            assert keys == sorted(keys)


def test_cabinets_state_their_cables(plan, paper):
    text = paper.chapter(CABINETS)
    ends = plan.cables.cabinet
    for cabinet in range(plan.placement.cabinet_count):
        name = plan.room.slot_names[plan.placement.slot_of[cabinet]]
        first, second = (ends == cabinet).T
        for head, chosen in (
            (f"Inside {name}", first & second),
            (f"From {name} to others", first & ~second),
            (f"From others to {name}", second & ~first),
        ):
            assert not chosen.any() or re.search(rf"{head}\s+{chosen.sum()} cables: ", text)
        assert f"Cabinet {name}\n" in text


def test_faceplates_show_the_cable_of_every_port(plan, paper):
    """Each device has a row of sockets with the numbers of its cables."""
    cables, names = plan.cables, device_names(plan)
    text = paper.chapter(CABINETS)
    for router in range(plan.topology.router_count):
        block = text[text.index(f"{names[router]}, unit") :]
        used = re.search(r"(\d+) of \d+ ports in use", block)
        rows, side = np.nonzero(cables.device == router)
        assert int(used[1]) == len(rows)
        # Numbers of ports and of cables, up to the next device.
        shown = re.split(r"[RE]\d{3}|Power|Inside|From", block[used.end() :])[0].split()
        ports = cables.port[rows, side]
        assert Counter(shown) >= Counter(map(str, [*(rows + 1), *ports]))


def test_rows_are_shown_from_both_sides(plan, paper):
    text = paper.chapter(CABINETS)
    front = text.index("Row A from the front")
    rear = text.index("Row A from the rear")
    names = [plan.room.slot_names[slot] for slot in sorted(plan.placement.slot_of)]
    places = [[text.index(name, start) for name in names] for start in (front, rear)]
    # The fronts of the laboratory's first row face north: seen from the front, the first slot is on the right.
    assert places[0] == sorted(places[0], reverse=True)
    assert places[1] == sorted(places[1])
    assert f"{plan.cables.cable_count} cables stay in the row." in text.replace("\n", " ")


def test_totals_on_paper_are_the_quantities(plan, paper):
    q = {name: entry["value"] for name, entry in plan.quantities.items()}
    cover, bill = paper.pages[0], paper.chapter("Bill and power")
    written = {name: f"{q[name] / 100:,.2f}" for name in q if name.endswith("cents")}
    assert f"{written['cost_cents']} USD" in cover
    for category in ("routers", "cabinets", "cables", "transceivers", "labor"):
        assert re.search(rf"{category}, subtotal\s+{re.escape(written[f'cost_{category}_cents'])}", bill)
    assert re.search(rf"Total\s+{re.escape(written['cost_cents'])}", bill)
    assert f"{q['run_mm'] / 1000:,.3f} m" in cover
    assert f"{q['stock_mm'] / 1000:,.3f} m" in cover
    assert f"{q['power_mw'] / 1e6:,.3f} kW" in bill
    assert f"{q['delay_worst_ps'] / 1000:,.1f} ns" in cover
    assert re.search(rf"^links between routers\s+{q['links']}$", cover, re.MULTILINE)


def test_page_numbers_and_contents_are_true(paper):
    for number, text in enumerate(paper.pages, 1):
        assert f"page {number} of {len(paper.pages)}" in text
    contents = paper.pages[1]
    for title, pages in paper.chapters.items():
        if title not in ("Cover", "Contents"):
            assert re.search(rf"{re.escape(title)}\s+{pages.start + 1}\b", contents)


def test_elevations_show_every_box(plan, paper):
    text = paper.chapter(CABINETS)
    assert {f"R{router:03d}" for router in range(plan.topology.router_count)} <= set(text.split())
    shown = set()
    for low, high in re.findall(r"E(\d+)(?:–E(\d+))?", text):
        shown |= set(range(int(low), int(high or low) + 1))
    assert shown == set(range(plan.topology.endpoint_count))


def test_floor_plan_names_every_slot_and_states_its_scale(plan, paper):
    text = paper.chapter("Floor plan: Laboratory")
    assert set(plan.room.slot_names) <= set(text.split())
    assert "Scale 1:50" in text
    assert "Scale 1:50" in paper.chapter("Tray fill")


def test_charts_of_the_simulation_mark_saturation(plan, paper):
    text = paper.chapter("Simulation")
    assert "packet delay (ns)" in text
    assert text.count("steady") == 3
    assert len(re.findall(r"\d saturated$", text, re.MULTILINE)) == 1
    assert "deadlock in cycle 2,312" in text
    assert f"{400 * 1.28:.1f}" in text


def test_assumptions_come_first_and_no_row_is_missing(plan, paper):
    text = paper.chapter("Assumptions and sources")
    doubtful, sure = text.split("Sourced rows")
    assert all(name in doubtful.split() for name in ("server", "cabinet-48", "lab"))
    assert all(row.id in sure.split() for row in plan.catalog.rows if not row.estimated)


def test_no_text_leaves_the_page_or_overlaps_another(paper):
    assert paper.faults == ()


@pytest.mark.parametrize("font", [REGULAR, BOLD])
@pytest.mark.parametrize("before", ["", "".join(map(chr, range(0x400, 0x4FF)))], ids=["first", "after-cyrillic"])
def test_text_is_written_as_the_library_writes_it(font, before):
    canvas, text = Canvas(BytesIO()), "".join(sorted(COMMON)) + " a (b) \\ –"
    pen = Pen(canvas, {})
    pen.text(0, 0, before, 7.25, font=font)
    pen.text(10.5, 20, text, 7.25, font=font)
    line = canvas.beginText(10.5, 20)
    line.setFont(font, 7.25)
    line.textLine(text)
    assert canvas.getCurrentPageContent().endswith(f"\n{line.getCode()}")


def test_color_width_and_dash_are_those_of_each_call():
    """Within and after what keeps the state, within and after repeated drawings, and on the next page."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=(100, 60))
    pen = Pen(canvas, {})

    def row(y):
        pen.box(0, y, 10, 10, ALARM)
        pen.line([(20, y + 5), (60, y + 5)], ACCENT, 8, ())
        with pen.kept():
            pen.box(10, y, 10, 10, DARK)
            pen.line([(70, y + 5), (72, y + 5)], DARK, 2, (1, 1))
        pen.line([(60, y + 5), (70, y + 5)], ACCENT, 8, ())
        pen.box(80, y, 10, 10, ALARM)

    for _ in range(2):
        row(0)
        pen.stamp("row", lambda: row(0), 0, 15)
        row(30)
        pen.stamp("row", lambda: row(0), 0, 45)
        pen.end()
    canvas.save()
    places = {(5, 5): ALARM, (15, 5): DARK, (40, 2.5): ACCENT, (40, 5): ACCENT, (65, 2.5): ACCENT, (85, 5): ALARM}
    with pypdfium2.PdfDocument(file.getvalue()) as document:
        for page in document:
            image = page.render(scale=4).to_pil()
            for (x, y), color in places.items():
                for row_at in (0, 15, 30, 45):
                    found = image.getpixel((int(4 * x), int(4 * (60 - row_at - y))))
                    assert found[:3] == tuple(round(255 * part) for part in color.rgb()), (x, y, row_at)
        assert len(document) == 2


@pytest.mark.slow
def test_two_writes_are_the_same_bytes(plan, tmp_path):
    pdf.write(plan, tmp_path / "one.pdf")
    pdf.write(plan, tmp_path / "two.pdf")
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


@pytest.mark.slow
def test_long_and_foreign_names_print(plan, tmp_path):
    name, title = "Škoda-Møller-ÄÖÜß-" + "n" * 42, "Žluťoučký kůň → 北京 " * 3
    assert len(name) == 60
    row = Row(id="part-" + "x" * 55, source="https://example.org/" + "a" * 200, confidence="D", note="Δ" * 300)
    catalog = replace(plan.catalog, rows=(*plan.catalog.rows, row))
    paper = printed(replace(plan, name=name, title=title, catalog=catalog), tmp_path)
    assert name in paper.pages[0]
    assert "Žluťoučký kůň → 北京" in paper.pages[0].replace("\n", " ")
    assert "a" * 200 in "".join(paper.chapter("Assumptions and sources").split())
    assert paper.faults == ()


@pytest.mark.slow
def test_long_labels_wrap_and_none_is_cut(tmp_path):
    near = "NEAR-{cabinet}-UNIT-{unit:02d}-PORT-{port:02d}"
    far = "TO-{far_cabinet}-UNIT-{far_unit:02d}-PORT-{far_port:02d}"
    label = f"{near}-{far}-CABLE-{{cable:04d}}"
    plan = make_plan(family="torus", sizes=(4, 4), label=label, simulate=False)
    paper = printed(plan, tmp_path)
    assert paper.faults == ()
    cabinets = paper.chapter(CABINETS)
    assert cabinets.count("NEAR-") == 2 * plan.cables.cable_count
    assert "…" not in cabinets


@pytest.mark.slow
def test_violations_are_listed_with_value_and_limit(plan, tmp_path):
    limits = {"slot_power_mw": plan.room.slot_power_mw // 10, "slot_load_g": plan.room.slot_load_g // 10}
    narrow = replace(plan, room=replace(plan.room, **limits))
    broken = measured(replace(narrow, violations=check(replace(narrow, simulation=None, quantities={}))))
    assert len(broken.violations.errors) >= 2
    paper = printed(broken, tmp_path)
    text = " ".join(paper.chapter("Violations").split())
    assert f"{len(broken.violations.errors)} errors" in text
    assert text.count("cabinets within limits") == len(broken.violations.items) + 1
    assert "EXCEEDED" in paper.chapter(CABINETS)
    assert paper.faults == ()


def test_clean_plan_lists_the_rules_checked(plan, paper):
    text = paper.chapter("Violations")
    assert f"None. All {len(plan.violations.checked)} rules hold." in text
    assert "labels unique" in " ".join(text.split())


@pytest.mark.slow
@pytest.mark.parametrize("network", [{"family": "torus", "sizes": (2,)}, {"network": lonely()}])
def test_single_cabinet_without_simulation_prints(network, tmp_path):
    plan = make_plan(simulate=False, **network)
    assert plan.placement.cabinet_count == 1
    paper = printed(plan, tmp_path)
    assert "Simulation" not in paper.chapters
    words = Counter(paper.chapter(CABINETS).split())
    assert all(words[label] == 1 for label in plan.cables.label_a.tolist() + plan.cables.label_b.tolist())
    if not plan.cables.cable_count:
        assert "No cable ends in this cabinet." in paper.chapter(CABINETS)


def test_plan_without_records_prints(tmp_path):
    paper = printed(Plan("bare", "", {}), tmp_path)
    assert "have not been checked" in paper.chapter("Violations")


@pytest.mark.slow
def test_large_floors_are_printed_in_readable_pieces(tmp_path):
    hall = room("spectralfly", routers=6000)
    paper = printed(Plan("hall", "A large hall", {}, room=hall), tmp_path)
    pieces = paper.chapter(f"Floor plan: {hall.title}")
    assert len(paper.chapters[f"Floor plan: {hall.title}"]) > 2
    assert set(hall.slot_names) <= set(pieces.split())
    assert paper.faults == ()
