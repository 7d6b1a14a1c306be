"""The work order on paper, read back from the file as text."""

import re
from dataclasses import replace

import pypdfium2
import pytest
from reportlab.lib.pagesizes import A4
from shared.small_plans import lonely, make_plan

from planner.design.work import work
from planner.domain.model import PanelPlan
from planner.formats import write
from planner.paper.work import work_sheets


@pytest.fixture(scope="module")
def busy(plan):
    """The small plan with times and three crews."""
    labor = replace(
        plan.catalog.labor, in_cabinet_s=40, between_cabinets_s=100, pull_s_per_m=6, dress_s=300, label_s=10, test_s=10
    )
    return replace(plan, work=work(replace(plan.catalog, labor=labor), *cabled(plan), crews=3, shift_hours=1.0))


def cabled(plan):
    return plan.cables, PanelPlan.none(), plan.room.segment_mm


def text_of(plan, folder):
    document = pypdfium2.PdfDocument(write(plan, folder, "pdf"))
    start = next(mark.get_dest().get_index() for mark in document.get_toc() if mark.get_title() == "Work order")
    pages = [document[number].get_textpage().get_text_range() for number in range(start, start + len(work_sheets(plan)))]
    document.close()
    return "\n".join(pages).replace("\xa0", " ").replace("\r\n", "\n")


@pytest.mark.slow
def test_every_task_is_printed_once_with_its_time(busy, tmp_path):
    text, made = text_of(busy, tmp_path), busy.work
    names = [busy.room.slot_names[slot] for slot in busy.placement.slot_of]
    found = re.findall(r"^(\d+) (\w+) (\w+) .*?(\d+) day (\d+), (\d+):(\d\d)", text, re.MULTILINE)
    assert len(found) == made.task_count
    for number, one, other, minutes, day, hour, minute in found:
        task = int(number) - 1
        a, b = made.cabinet[task]
        assert (one, other) == (names[a], "inside" if a == b else names[b])
        assert abs(60 * int(minutes) - (made.end_s[task] - made.start_s[task])) <= 30
        assert 3600 * (int(day) - 1) + 3600 * int(hour) + 60 * int(minute) == made.start_s[task] // 60 * 60


@pytest.mark.slow
def test_sums_and_crews_are_printed(busy, tmp_path):
    text, made = text_of(busy, tmp_path), busy.work
    assert f"working time of all installers {made.total_s() / 3600:.1f} hours" in text
    assert f"days of 1.0 hours {made.shifts}" in text
    for crew in range(1, 4):
        assert f"crew {crew}" in text
    total = re.search(r"^Total .*?([\d.]+)$", text, re.MULTILINE)
    assert total[1] == f"{made.total_s() / 3600:.1f}"


def test_many_crews_and_no_time_fit_the_paper(busy):
    for made in (work(busy.catalog, *cabled(busy), crews=75), replace(busy.work, shift_s=1)):
        sheets = work_sheets(replace(busy, work=made))
        assert all(sheet.size == A4 for sheet in sheets)


def test_without_work_there_is_no_sheet(plan):
    assert not work_sheets(replace(plan, work=None))
    alone = make_plan(simulate=False, network=lonely())
    assert not work_sheets(replace(alone, work=work(alone.catalog, *cabled(alone))))
