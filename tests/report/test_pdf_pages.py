"""Pages that other processes draw make the same file."""

from dataclasses import replace

import pypdfium2
import pytest

from planner.core.executors.forks import AVAILABLE, Forks
from planner.domain.parts import Row
from planner.formats import pdf
from planner.paper import pages
from planner.paper.canvas import Pen
from planner.paper.document import Document
from planner.paper.sheet import Sheet

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="processes cannot be forked safely on this system")


@pytest.fixture
def replayed(monkeypatch):
    """Drawings that were added to the document, of tasks of three pages after the first two."""
    found, replay = [], Pen.replay

    def noticed(pen, drawing):
        found.append(drawing)
        replay(pen, drawing)

    monkeypatch.setattr(pages, "FRONT", 2)
    monkeypatch.setattr(pages, "CHUNK", 3)
    monkeypatch.setattr(Pen, "replay", noticed)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a3", "letter"])
def test_pages_of_several_processes_are_the_same_bytes(plan, tmp_path, replayed, paper):
    # Characters that fonts number only on the pages of tasks.
    row = Row(id="part", source="ŵ Žluťoučký kůň", confidence="D", note="北京 Δ")
    noted = replace(plan, catalog=replace(plan.catalog, rows=(*plan.catalog.rows, row)))
    pdf.write(noted, tmp_path / "one.pdf", paper=paper)
    assert not replayed
    with Forks(2) as executor:
        pdf.write(noted, tmp_path / "two.pdf", paper=paper, side_by_side=executor.map)
    whole = (tmp_path / "one.pdf").read_bytes()
    assert (tmp_path / "two.pdf").read_bytes() == whole
    count = whole.count(b"/Type /Page\n")
    # Some are drawn again for their characters; drawings that repeat, links and marks occur in those that are not.
    assert count / 4 < len(replayed) < count - pages.FRONT
    assert {method for drawing in replayed for method, _ in drawing.added} == {"_set_link", "_set_mark", "_set_stamp"}


@pytest.mark.slow
def test_characters_have_the_numbers_of_the_whole_document(plan, tmp_path, replayed):
    """Two tasks begin with another character each, and use it again on a page that needs no further one."""
    texts = ["", "", "page", "ŵ", "ŵ", "page", "ž", "ž", "page", "ŵž"]
    sheets = [Sheet("Text", lambda pen, area, text=text: pen.text(area.left, area.top, text, 12)) for text in texts]
    Document(sheets).save(plan, tmp_path / "one.pdf", letter=False)
    with Forks(2) as executor:
        Document(sheets).save(plan, tmp_path / "two.pdf", letter=False, side_by_side=executor.map)
    assert (tmp_path / "two.pdf").read_bytes() == (tmp_path / "one.pdf").read_bytes()
    with pypdfium2.PdfDocument(tmp_path / "two.pdf") as document:
        assert all(text in page.get_textpage().get_text_range() for text, page in zip(texts, document, strict=True))
    # Of each of three tasks what precedes its first other character.
    assert len(replayed) == 3


@pytest.mark.slow
def test_short_documents_are_drawn_in_one_process(plan, tmp_path, replayed, monkeypatch):
    monkeypatch.setattr(pages, "FRONT", 1000)
    with Forks(2) as executor:
        pdf.write(plan, tmp_path / "small.pdf", side_by_side=executor.map)
    assert not replayed
    assert (tmp_path / "small.pdf").stat().st_size > 0
