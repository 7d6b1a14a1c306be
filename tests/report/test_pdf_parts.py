"""Parts of the printed report: a summary, a cabinet, a row, a stage, a crew, volumes, papers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pypdfium2
import pytest
from shared.paper import printed, read
from shared.small_plans import make_plan
from shared.task_sheets import rows as task_rows

from planner import formats
from planner.core.errors import InputError
from planner.design.work import work
from planner.domain.model import PanelPlan
from planner.formats import file_name, write
from planner.studies import pipeline
from planner.view.names import cabinet_names, device_names, printed_ports


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """A plan in two rows, with a work order of two crews."""
    plan = make_plan(q=7, endpoints_per_router=2, simulate=False, change_room=lambda room: replace(room, cabinet_routers=8))
    labor = replace(plan.catalog.labor, in_cabinet_s=40, between_cabinets_s=100, pull_s_per_m=6, dress_s=300, label_s=10)
    return replace(
        plan, work=work(replace(plan.catalog, labor=labor), plan.cables, PanelPlan.none(), plan.room.segment_mm, crews=2)
    )


def listed(paper, plan) -> Counter:
    """How often each cable is listed, by the label at its first end, over all pages."""
    known = {label: number for number, label in enumerate(plan.cables.label_a.tolist())}
    listed = Counter()
    for page in paper.pages:
        # A row begins with the number of the cable; the guide's example of a label does not.
        for number, label in re.findall(r"^(\d[\d ]*?) (\S+/\S+) \S+/\S+ ", page, re.MULTILINE):
            assert known[label] == int(number.replace(",", "")) - 1
            listed[known[label]] += 1
    return listed


def tasked(paper, plan) -> Counter:
    """How often each cable is in a row of a task sheet, with both ends as planned."""
    cables, names, at = plan.cables, device_names(plan), cabinet_names(plan)
    ports = [printed_ports(plan, side) for side in (0, 1)]
    found: Counter = Counter()
    for row in task_rows(paper):
        number = row.number - 1
        for side, end in enumerate((row.a, row.b)):
            device = cables.device[number, side]
            place = (at[cables.cabinet[number, side]], cables.unit[number, side], names[device], ports[side][number])
            assert end == place
        assert row.task == plan.work.task[number] + 1
        found[number] += 1
    return found


def once(cables) -> Counter:
    return Counter(dict.fromkeys(cables.tolist(), 1))


def names(plan) -> np.ndarray:
    return np.array(plan.room.slot_names)[plan.placement.slot_of]


def in_cabinets(plan, cabinets) -> Counter:
    """How often each cable is listed under these cabinets: once under each in which it ends."""
    ends = plan.cables.cabinet
    here = np.isin(ends, cabinets)
    here[:, 1] &= ends[:, 0] != ends[:, 1]
    return +Counter(dict(enumerate(here.sum(axis=1).tolist())))


@pytest.mark.slow
def test_the_whole_lists_every_cable_under_each_of_its_cabinets(rows, tmp_path):
    assert listed(printed(rows, tmp_path), rows) == in_cabinets(rows, np.arange(rows.placement.cabinet_count))


@pytest.mark.slow
def test_a_cabinet_lists_every_cable_with_an_end_in_it_once(rows, tmp_path):
    name = str(names(rows)[1])
    paper = printed(rows, tmp_path, cabinet=name)
    assert listed(paper, rows) == once(np.flatnonzero((rows.cables.cabinet == 1).any(axis=1)))
    assert paper.faults == ()
    text = "".join(paper.pages)
    first, second = (rows.cables.cabinet == 1).T
    assert (f"From {name} to others" in text) == (first & ~second).any()
    assert (f"From others to {name}" in text) == (second & ~first).any()
    assert all(f"cabinet {name}" in page for page in paper.pages)


@pytest.mark.slow
def test_a_row_lists_every_cable_under_each_of_its_cabinets(rows, tmp_path):
    row = rows.room.slot_row[rows.placement.slot_of]
    chosen = rows.room.row_names[row[0]]
    assert len(set(row.tolist())) > 1
    paper = printed(rows, tmp_path, row=chosen)
    assert listed(paper, rows) == in_cabinets(rows, np.flatnonzero(row == row[0]))
    text = "".join(paper.pages)
    assert f"Row {chosen} from the rear" in text
    for name in names(rows)[row == row[0]]:
        assert f"Cabinet {name}\n" in text


@pytest.mark.slow
def test_a_stage_lists_its_cables_by_task(rows, tmp_path):
    stage = rows.cables.stage_names[int(rows.cables.stage.max())]
    paper = printed(rows, tmp_path, stage=stage)
    wanted = np.flatnonzero(rows.cables.stage == rows.cables.stage.max())
    assert tasked(paper, rows) == once(wanted)
    assert paper.faults == ()
    tasks = list(dict.fromkeys(row.task for row in task_rows(paper)))
    assert tasks == sorted(set((rows.work.task[wanted] + 1).tolist()))


@pytest.mark.slow
def test_crews_share_all_cables(rows, tmp_path):
    found = Counter()
    for crew in (1, 2):
        found += tasked(printed(rows, tmp_path, crew=crew), rows)
    assert found == once(np.arange(rows.cables.cable_count))


def test_a_crew_in_a_cabinet(rows, tmp_path):
    paper = printed(rows, tmp_path, crew=1, cabinet=str(names(rows)[0]))
    here = (rows.cables.cabinet == 0).any(axis=1) & (rows.work.crew[rows.work.task] == 0)
    assert tasked(paper, rows) == once(np.flatnonzero(here))


def test_the_summary_is_one_sheet(rows, tmp_path):
    paper = printed(rows, tmp_path, part="summary")
    assert len(paper.pages) == 1
    assert f"{rows.quantities['cost_cents']['value'] / 100:,.2f}" in paper.pages[0]
    assert "design rules" in paper.pages[0]
    assert "Electrical and optical" in paper.pages[0]
    assert paper.faults == ()


@pytest.mark.slow
def test_volumes_together_list_every_cable_under_each_of_its_cabinets(rows, tmp_path):
    options = formats.share_out(["pdf"], {"volume_cables": 200})
    paths = pipeline.write_reports(rows, tmp_path, options)
    assert len(paths) > 3
    assert [path.name for path in paths[:2]] == [
        "small.volume-1.volume_cables-200.pdf",
        "small.volume-2.volume_cables-200.pdf",
    ]
    papers = [read(path) for path in paths]
    assert sum((listed(paper, rows) for paper in papers), Counter()) == in_cabinets(rows, np.arange(rows.placement.cabinet_count))
    for number, paper in enumerate(papers, 1):
        assert paper.faults == ()
        assert f"VOLUME {number} OF {len(papers)}" in paper.pages[0] or number == 1
        assert f"volume {number} of {len(papers)}" in paper.pages[1]
    # The index of the first volume has the volume of each cabinet; that of the others the page.
    assert len(re.findall(r"vol\. 2$", papers[0].chapter("Index"), re.MULTILINE)) > 0
    assert write(rows, tmp_path, "pdf", volume=2, volume_cables=200).read_bytes() == paths[1].read_bytes()


@pytest.mark.slow
def test_links_lead_to_the_sheets_they_name(rows, tmp_path):
    path = write(rows, tmp_path, "pdf")
    paper = read(path)
    index = paper.chapter("Index")
    for cabinet, name in enumerate(names(rows)):
        page = next(number for number, text in enumerate(paper.pages, 1) if f"\nCabinet {name}\n" in text)
        assert re.search(rf"^{name} .* {page}$", index, re.MULTILINE), (cabinet, name, page)
    document = pypdfium2.PdfDocument(path)
    marks = {mark.get_title(): mark for mark in document.get_toc(max_depth=5)}
    for name in names(rows):
        mark = marks[f"Cabinet {name}"]
        assert mark.level == 2
        assert f"\nCabinet {name}\n" in paper.pages[mark.get_dest().get_index()]
    document.close()


SIZES = {"a4": ((595, 842), 842), "letter": ((612, 792), 792), "a3": ((595, 842), 1191)}


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a3", *(pytest.param(paper, marks=pytest.mark.nightly) for paper in ("a4", "letter"))])
def test_papers(rows, tmp_path, paper):
    text, floor = SIZES[paper]
    path = write(rows, tmp_path, "pdf", paper=paper)
    assert path.name == ("small.pdf" if paper == "a3" else f"small.paper-{paper}.pdf")
    document = pypdfium2.PdfDocument(path)
    sizes = [tuple(round(side) for side in page.get_size()) for page in document]
    document.close()
    assert sizes[0] == text
    assert max(max(size) for size in sizes) <= floor
    assert read(path).faults == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cabinet": "a01"}, "there is no cabinet 'a01'; did you mean A01?"),
        ({"row": "ZZ"}, "there is no row 'ZZ'"),
        ({"stage": "in rwo"}, "did you mean in row"),
        ({"crew": 3}, "there is no crew 3; there are 2"),
        ({"volume": 2}, "there is no volume 2; this plan is one volume"),
        ({"volume": 9, "volume_cables": 500}, "there is no volume 9; there are"),
        ({"part": "summary", "row": "A"}, "the part summary covers the whole plan"),
        ({"paper": "a5"}, "must be 'a4', 'a3' or 'letter'"),
    ],
)
def test_wrong_choices_are_answered(rows, tmp_path, options, message):
    with pytest.raises(InputError, match=re.escape(message)):
        write(rows, tmp_path, "pdf", **options)
    assert not list(tmp_path.iterdir())


def test_a_crew_needs_a_work_order(plan, tmp_path):
    with pytest.raises(InputError, match="no work order"):
        write(plan, tmp_path, "pdf", crew=1)


def test_names_of_parts_are_files_of_their_own():
    parts = [{}, {"cabinet": "A01"}, {"row": "A01"}, {"crew": 1}, {"part": "summary"}, {"stage": "in row", "cabinet": "A01"}]
    assert len({file_name("plan", "pdf", part) for part in parts}) == len(parts)


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", pytest.param("letter", marks=pytest.mark.nightly)])
def test_a_hall_on_small_paper_has_no_name_on_another(tmp_path, paper):
    plan = make_plan(q=5, endpoints_per_router=2, room="hall-a", change_room=lambda room: replace(room, cabinet_routers=2))
    text = printed(plan, tmp_path, paper=paper)
    assert text.faults == ()
    assert set(plan.room.slot_names) <= set(text.chapter(f"Floor plan: {plan.room.title}").split())
    assert set(plan.room.row_names) <= set(text.chapter("Tray fill").split())
