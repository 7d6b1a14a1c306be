"""Web page of the whole plan, one file that opens from disk: floor, elevations, ports, cables, charts, tables."""

from __future__ import annotations

from pathlib import Path

from planner.model import Plan

ENDING = ".html"


def write(plan: Plan, path: Path) -> None:
    """Write the page; it loads no other files, and equal plans give equal bytes.

    A partial plan has a page too; missing parts are left out.
    """
    from planner.report._web.page import page

    path.write_text(page(plan), encoding="utf-8", newline="\n")
