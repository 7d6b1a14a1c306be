"""The title block at the foot of every sheet."""

from __future__ import annotations

from planner.core.units import system
from planner.domain.model.project import Project
from planner.paper.canvas import ACCENT, DARK, MUTED, RULE, Pen
from planner.paper.fonts import BOLD, MIN_PT, width_of

_ROW = 12.6
_LINES = (
    (("client", 0.22), ("project", 0.24), ("site", 0.18), ("drawing", 0.15), ("revision", 0.09), ("date", 0.12)),
    (("drawn", 0.17), ("checked", 0.17), ("approved", 0.17), ("units", 0.11), ("plan", 0.22), ("sheet", 0.16)),
)
"""Cells of the two lines, with their shares of the width."""


def draw_title_block(pen: Pen, project: Project, left: float, bottom: float, width: float, plan: str, sheet: str) -> None:
    """Draw the title block: who, what, which revision, and the sheet's number."""
    known = {name: project.text(name) for name in vars(project)} | {"units": system().title, "plan": plan, "sheet": sheet}
    top = bottom + _ROW * len(_LINES)
    for number, line in enumerate(_LINES):
        x, y = left, top - (number + 1) * _ROW
        for name, share in line:
            caption = width_of(name, MIN_PT) + 7
            pen.text(x + 3, y + 3.8, name, MIN_PT, color=MUTED)
            pen.text(x + caption, y + 3.8, known[name], 6.5, font=BOLD, color=DARK, width=width * share - caption - 3)
            x += width * share
            if name != line[-1][0]:
                pen.line([(x, y), (x, y + _ROW)], RULE, 0.4)
        pen.line([(left, y), (left + width, y)], RULE, 0.4)
    pen.box(left, bottom, width, top - bottom, None, ACCENT, weight=0.8)
