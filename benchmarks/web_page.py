"""Web page of 20,000 cables in a browser: size, time to open, and time of each answer.

A random regular network in the room of the SpectralFly paper, two routers per cabinet in the order of the slots, with a work
order for three crews. An answer begins with the change of the address and ends with the first picture that shows it; medians of
ten. At 60 pictures per second a frame takes 16.7 ms.
"""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.design.work import work
from planner.domain import catalog
from planner.domain.model import PanelPlan, Placement, Plan
from planner.formats import html
from planner.hall import floor
from planner.network import topology

ROUTERS = (100, 2000)
"""Routers of degree 20, two in a cabinet."""

ANSWERS = {
    "select a cabinet": "#cabinet=A{n:02d}",
    "select a router": "#router=R{n:04d}",
    "select a task": "#task={n}",
    "select below all by stage": "#cables=stage&cabinet=A{n:02d}",
    "layer of cabinets": "#cabinets={layer}",
    "all cables by stage": "#cables=stage&crew={crew}",
}

TIMED = """fragment => new Promise(done => {
    const began = performance.now();
    location.hash = fragment;
    addEventListener('hashchange', () => requestAnimationFrame(() => done(performance.now() - began)), { once: true });
})"""


def main() -> None:
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        raise SystemExit("this benchmark needs Chromium: apt-get install chromium")
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for routers in ROUTERS:
            plan, path = planned(routers), Path(folder) / f"{routers}.html"
            html.write(plan, path)
            size = f"{plan.cables.cable_count:,} cables, {plan.placement.cabinet_count:,} cabinets"
            print(f"{size}: {path.stat().st_size / 1e6:.2f} MB")
            measure(browser.new_page(viewport={"width": 1280, "height": 800}), path)
        browser.close()


def planned(routers: int) -> Plan:
    """Return a plan of ten cables per router."""
    parts = catalog.select("nvidia-qm9700", "server-half-unit-400g-osfp", "hpe-10648-g2")
    network = topology.build("jellyfish", routers=routers, degree=20, endpoints_per_router=0)
    room, devices = floor.room("spectralfly", routers=routers), inventory(network, parts)
    placement = Placement(
        cabinet=np.arange(routers) // 2, unit=1 + np.arange(routers) % 2, slot_of=np.arange(routers // 2), fixture_kind=[],
        fixture_cabinet=[], fixture_unit=[], method="in order", objective_unit="mm", objective=0, start_objective=0,
        evaluations=0, front=np.zeros((0, 2)),
    )  # fmt: skip
    cables = cable(devices, parts, placement, floor.Lengths(room, parts.cabinet, floor.Slack()))
    records = {"topology": network, "inventory": devices, "placement": placement, "cables": cables}
    return Plan(
        "large", "", {}, catalog=parts, room=room, work=work(parts, cables, PanelPlan.none(), room.segment_mm, crews=3), **records
    )


def measure(page: Any, path: Path) -> None:
    """Print the time to open the page and that of each answer."""
    page.goto(path.as_uri())
    page.wait_for_selector("#plan-canvas[data-scenes]")
    opened_ms = page.evaluate("performance.now()")
    print(f"    {'open':<28}{opened_ms:>8.0f} ms")
    for name, fragment in ANSWERS.items():
        times_ms = []
        for n in range(1, 11):
            page.evaluate(TIMED, f"#reset={n}")
            layer, crew = ("use", "power")[n % 2], 1 + n % 2
            times_ms.append(page.evaluate(TIMED, fragment.format(n=n, layer=layer, crew=crew)))
        print(f"    {name:<28}{statistics.median(times_ms):>8.1f} ms", flush=True)


if __name__ == "__main__":
    main()
