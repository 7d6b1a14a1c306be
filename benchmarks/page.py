"""Opening of a web page in headless Chromium: until its floor is drawn, time of the page's thread, memory of its scripts.

The environment variable ``BENCH_PAGE`` names the files, separated by spaces, such as the page that
``planner report STUDY --formats html`` writes; each is opened five times, all in turns.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import time
from pathlib import Path
from typing import Any

_OPENED = 5
_DRAWN = "body[data-view]"
"""Found when the page has shown its first view."""


def main() -> None:
    pages = [Path(name).resolve() for name in os.environ.get("BENCH_PAGE", "").split()]
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not pages or chromium is None:
        print("skipped: needs BENCH_PAGE and Chromium", file=sys.stderr)
        return
    from playwright.sync_api import sync_playwright

    found: dict[Path, list[tuple[float, ...]]] = {page: [] for page in pages}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for page in pages * _OPENED:
            found[page].append(opened(browser, page))
        browser.close()
    print(f"load {os.getloadavg()[0]:.1f}; medians of {_OPENED}")
    print(f"{'page':<40}{'MB':>7}{'drawn s':>9}{'thread s':>10}{'heap MB':>9}")
    for page, each in found.items():
        drawn, thread, heap = map(statistics.median, zip(*each, strict=True))
        print(f"{page.name:<40}{page.stat().st_size / 1e6:>7.1f}{drawn:>9.2f}{thread:>10.2f}{heap:>9.0f}")


def opened(browser: Any, path: Path) -> tuple[float, float, float]:
    """Return seconds until the page is drawn, seconds of its thread, and megabytes of its scripts."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    began = time.perf_counter()
    page.goto(path.as_uri())
    page.wait_for_selector(_DRAWN)
    drawn = time.perf_counter() - began
    figures = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    page.close()
    return drawn, figures["TaskDuration"], figures["JSHeapUsedSize"] / 1e6


if __name__ == "__main__":
    main()
