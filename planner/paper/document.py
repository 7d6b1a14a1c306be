"""Sheets to a file: page numbers, bookmarks, links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reportlab import rl_config
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.pdfgen.canvas import Canvas

from planner.domain.model import Plan
from planner.paper.canvas import Pen
from planner.paper.sheet import Area, Sheet, frame
from planner.view.project import project_of

_LETTER_SCALE = min(LETTER[0] / A4[0], LETTER[1] / A4[1])


@dataclass(frozen=True)
class Document:
    """All sheets in order; they are laid out before anything is drawn, so that every page number is known.

    Attributes
    ----------
    part
        Name of the part of the plan; empty for the whole.
    volume_of
        Volume of the marks in other documents of the same report.
    subject
        Subject in the metadata of the file.
    """

    sheets: Sequence[Sheet]
    part: str = ""
    volume_of: Mapping[str, int] = field(default_factory=dict)
    subject: str = "Cabling report"

    def save(self, plan: Plan, path: Path, *, letter: bool) -> None:
        """Write the file; text sheets of letter paper are those of A4, a little smaller."""
        # Streams as they are: as text they would be a quarter larger.
        rl_config.useA85 = 0
        # `invariant` leaves out the date and makes the document's id depend on its content alone.
        canvas = Canvas(str(path), invariant=1, pageCompression=1)
        canvas.setTitle(" – ".join(text for text in (plan.title or plan.name, self.part) if text))
        canvas.setSubject(self.subject)
        canvas.setCreator("Planner")
        page_of = {mark.key: page for page, sheet in enumerate(self.sheets, 1) for mark in sheet.marks}
        pen = Pen(canvas, page_of, self.volume_of)
        project = project_of(plan)

        level = -1
        for page, sheet in enumerate(self.sheets, 1):
            small = letter and sheet.size == A4
            canvas.setPageSize(LETTER if small else sheet.size)
            if small:
                canvas.translate((LETTER[0] - A4[0] * _LETTER_SCALE) / 2, (LETTER[1] - A4[1] * _LETTER_SCALE) / 2)
                canvas.scale(_LETTER_SCALE, _LETTER_SCALE)
            frame(pen, sheet, plan, page, len(self.sheets), self.part, project)
            sheet.draw(pen, Area.of(sheet.size))
            pen.end()
            for mark in sheet.marks:
                # An entry is at most one level below the one before it.
                level = min(mark.level, level + 1)
                canvas.addOutlineEntry(mark.title, mark.key, level, closed=1)
        canvas.showOutline()
        canvas.save()
