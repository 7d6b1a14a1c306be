"""Parts of the report for one reader, and sheets that earn their paper."""

from __future__ import annotations

import re

import numpy as np
import pypdfium2
import pytest
from shared.paper import printed, read
from shared.plans import planned

from planner.formats import write
from planner.paper.cabinet import Chosen
from planner.paper.chapters import READERS, Scope, chapters
from planner.paper.labeling.labels import Codes
from planner.view.cabinets import cabinets

NEEDS = {
    "crew": {
        "How to read this report",
        "Floor plan: Two halls",
        "Work order",
        "Tasks",
        "Trays",
        "Cabinets, ports and cables",
        "Index",
    },
    "buyer": {"Delivery", "Bill and power", "Cables in figures", "Assumptions and sources"},
    "site manager": {"Floor plan: Two halls", "Power", "Heat", "Site", "Delivery", "Violations", "Trays"},
    "architect": {
        "How to read this report",
        "Floor plan: Two halls",
        "Placement",
        "Site",
        "Hops and delays",
        "Violations",
        "Trays",
    },
}
NOT_FOR = {
    "crew": {"Bill and power", "Placement"},
    "buyer": {"Work order", "Cabinets, ports and cables", "Hops and delays"},
    "site manager": {"Bill and power", "Cabinets, ports and cables", "Hops and delays"},
    "architect": {"Work order", "Bill and power", "Cabinets, ports and cables"},
}

MIN_SHARE = 0.4
"""Minimum share of the height of a sheet with something printed on it."""

HANDED_OUT = ("schedule", "index")
"""Kinds of sheets whose last one may be shorter: cabinets, frames and tasks are handed out one by one."""


@pytest.fixture(scope="module")
def plan():
    return planned("two halls")


@pytest.mark.parametrize("reader", [name if name == "buyer" else pytest.param(name, marks=pytest.mark.slow) for name in READERS])
def test_a_part_has_what_its_reader_needs(plan, reader, tmp_path):
    paper = printed(plan, tmp_path, part=reader)
    assert paper.faults == ()
    assert NEEDS[reader] <= set(paper.chapters)
    assert not NOT_FOR[reader] & set(paper.chapters)
    assert f"FOR THE {reader.upper()}" in paper.pages[0]
    contents = paper.chapter("Contents")
    for title, pages in paper.chapters.items():
        if title not in ("Cover", "Contents"):
            assert re.search(rf"{re.escape(title)}\s+{pages.start + 1}\b", contents)
    assert "All sheets with their title and kind" in contents
    assert all(f"page {number} of {len(paper.pages)}" in text for number, text in enumerate(paper.pages, 1))


@pytest.mark.slow
def test_all_chapters_of_the_parts_are_in_the_whole(plan, tmp_path):
    whole = set(printed(plan, tmp_path).chapters)
    assert set().union(*NEEDS.values()) - whole == {"Tasks"}
    assert not any("lick" in text for text in printed(plan, tmp_path).pages)


def shares(path) -> list[float]:
    """Share of the height between header and footer that has something printed on it, of each page."""
    found = []
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            image = np.asarray(page.render(scale=0.4, grayscale=True).to_pil())
            high = len(image)
            strips = np.array_split(image[round(0.07 * high) : round(0.935 * high)], 40)
            found.append(float(np.mean([(strip < 250).any() for strip in strips])))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["plain", *(pytest.param(name, marks=pytest.mark.slow) for name in ("two halls", "several networks"))]
)
def test_no_sheet_is_mostly_blank(name, tmp_path):
    plan = planned(name)
    path = write(plan, tmp_path, "pdf")
    placed = cabinets(plan)
    kinds = [sheet.kind for sheet in chapters(Scope(plan, placed, "a3", Codes("cable", None), Chosen.of(plan, placed)))]
    front = len(read(path).pages) - len(kinds)
    assert 2 <= front <= 3
    blank = []
    for number, (kind, share) in enumerate(zip(kinds, shares(path)[front:], strict=True)):
        following = kinds[number + 1] if number + 1 < len(kinds) else "end"
        last = following != kind and following in ("drawing", "schedule", "end")
        if share < MIN_SHARE and kind not in HANDED_OUT and not last:
            blank.append((front + number + 1, kind, share))
    assert blank == []
