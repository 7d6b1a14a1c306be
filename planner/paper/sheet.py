"""Sheets of paper: what is printed on each, and the frame around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reportlab.lib.pagesizes import A3, A4, LETTER, landscape

from planner.domain.model import Plan
from planner.domain.model.project import Project
from planner.paper.canvas import ACCENT, MUTED, RULE, Pen
from planner.paper.fonts import BOLD
from planner.paper.title_block import draw_title_block

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
        draw_title_block(pen, project, MARGIN, _FOOT - 11, width - 2 * MARGIN, fingerprint(plan), number)
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
