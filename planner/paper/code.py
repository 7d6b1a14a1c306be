"""QR codes on sheets."""

from __future__ import annotations

from planner.paper.canvas import DARK, MUTED, Pen
from planner.paper.fonts import MIN_PT
from planner.paper.labeling.text import dark_runs, qr_modules, qr_version

_LONGEST = 12
"""Texts from this length on are not written below their code."""


def draw_code(pen: Pen, content: str, x: float, y: float, size: float, caption: str) -> None:
    """Draw a QR code with its quiet zone, and below it the content, or the caption where that is long."""
    version = qr_version(content)
    if not version:
        return
    module = size / (17 + 4 * version + 4)
    across = 17 + 4 * version
    pen.rectangles(
        [
            (x + (2 + column) * module, y + (2 + across - 1 - row) * module, length * module, module)
            for row, column, length in dark_runs(qr_modules(content, version))
        ],
        DARK,
    )
    shown = content if len(content) < _LONGEST else caption
    pen.text(x + size / 2, y - 3.5, shown, MIN_PT, color=MUTED, align="center", width=size)
