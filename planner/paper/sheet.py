"""Sheets of paper: what is printed on each, and the frame around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reportlab.lib.pagesizes import A3, A4, LETTER, landscape

from planner.core.units import system
from planner.domain.model import Plan
from planner.domain.model.project import Project
from planner.paper.canvas import ACCENT, DARK, MUTED, RULE, Pen
from planner.paper.fonts import BOLD, MIN_PT, width_of

Size = tuple[float, float]

DRAWING_PAPERS: dict[str, tuple[Size, ...]] = {
    "a4": (landscape(A4), A4),
    "a3": (landscape(A4), A4, landscape(A3), A3),
    "letter": (landscape(LETTER), LETTER),
}
"""Sizes in points that drawings may take, smallest first, by the option `paper`."""

MM = 72 / 25.4
MARGIN = 16 * MM
_HEAD = 13 * MM
_FOOT = 11 * MM

_ROW_PT = 12.6

_TITLE_BLOCK = (
    (("client", 0.22), ("project", 0.24), ("site", 0.18), ("drawing", 0.15), ("revision", 0.09), ("date", 0.12)),
    (("drawn", 0.17), ("checked", 0.17), ("approved", 0.17), ("units", 0.11), ("plan", 0.22), ("sheet", 0.16)),
)
"""Cells of the two lines of a title block, with their shares of the width."""


@dataclass(frozen=True)
class Mark:
    """A target of links and an entry of the outline, at `level` 0 for sections."""

    key: str
    title: str
    level: int = 0


@dataclass(frozen=True)
class Area:
    """The part of a sheet inside the margins, header and footer excluded; in points."""

    left: float
    bottom: float
    right: float
    top: float

    @classmethod
    def of(cls, size: tuple[float, float]) -> Area:
        """Return the printable area of a paper."""
        return cls(MARGIN, _FOOT + 6 * MM, size[0] - MARGIN, size[1] - _HEAD - 8 * MM)

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom


TEXT_WIDTH = Area.of(A4).width
"""Width of text, in points."""


@dataclass(frozen=True)
class Sheet:
    """One page: `draw` gets a pen and the area to draw in.

    A `bare` sheet has no header; `kind` is that of the sheet index; `content` are the blocks of the chapter that begins it, None
    for drawings.
    """

    title: str
    draw: Callable[[Pen, Area], None]
    size: tuple[float, float] = A4
    marks: tuple[Mark, ...] = ()
    bare: bool = False
    kind: str = ""
    content: Any = None


def frame(pen: Pen, sheet: Sheet, plan: Plan, page: int, pages: int, part: str = "", project: Project | None = None) -> None:
    """Print the header of a sheet, and its footer or title block; `part` names the part of the plan that is printed."""
    width, height = sheet.size
    middle = width / 2
    if not sheet.bare:
        y = height - _HEAD
        half = middle - MARGIN - 6
        name = f"{plan.name}, {part}" if part else plan.name
        pen.text(MARGIN, y, name, 8, font=BOLD, color=ACCENT, width=half)
        pen.text(width - MARGIN, y, sheet.title, 8, color=MUTED, align="right", width=half)
        pen.line([(MARGIN, y - 5), (width - MARGIN, y - 5)], ACCENT, 0.8)
    number = f"page {page} of {pages}"
    if project is not None:
        _draw_title_block(pen, project, MARGIN, _FOOT - 11, width - 2 * MARGIN, fingerprint(plan), number)
        return
    pen.line([(MARGIN, _FOOT + 9), (width - MARGIN, _FOOT + 9)], RULE, 0.4)
    pen.text(MARGIN, _FOOT, f"plan {fingerprint(plan)}", 6.5, color=MUTED, width=middle - MARGIN)
    pen.text(width - MARGIN, _FOOT, number, 6.5, color=MUTED, align="right")


def fingerprint(plan: Plan) -> str:
    """Return the fingerprint of the plan as its provenance has it, or else that of its cables or topology."""
    if "plan" in plan.provenance:
        return str(plan.provenance["plan"])
    records = (plan.cables, plan.placement, plan.topology)
    return next((record.fingerprint for record in records if record is not None), "without records")


def _draw_title_block(pen: Pen, project: Project, left: float, bottom: float, width: float, plan: str, sheet: str) -> None:
    """Draw the title block: who, what, which revision, and the sheet's number."""
    known = {name: project.text(name) for name in vars(project)} | {"units": system().title, "plan": plan, "sheet": sheet}
    top = bottom + _ROW_PT * len(_TITLE_BLOCK)
    for number, line in enumerate(_TITLE_BLOCK):
        x, y = left, top - (number + 1) * _ROW_PT
        for name, share in line:
            caption = width_of(name, MIN_PT) + 7
            pen.text(x + 3, y + 3.8, name, MIN_PT, color=MUTED)
            pen.text(x + caption, y + 3.8, known[name], 6.5, font=BOLD, color=DARK, width=width * share - caption - 3)
            x += width * share
            if name != line[-1][0]:
                pen.line([(x, y), (x, y + _ROW_PT)], RULE, 0.4)
        pen.line([(left, y), (left + width, y)], RULE, 0.4)
    pen.box(left, bottom, width, top - bottom, None, ACCENT, weight=0.8)
