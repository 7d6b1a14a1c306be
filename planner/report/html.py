"""Web page of the whole plan, one file that opens from disk: floor, elevations, ports, cables, charts, tables."""

from __future__ import annotations

from pathlib import Path

from planner.model import Plan

ENDING = ".html"


def write(plan: Plan, path: Path) -> None:
    """Write the page; it loads nothing from anywhere, and equal plans give equal bytes.

    A plan that stopped early has a page too: what it lacks is left out.
    """
    from planner.report._web.page import page

    path.write_text(page(plan), encoding="utf-8", newline="\n")
