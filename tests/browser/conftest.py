"""A browser, and pages of plans that it opens from disk."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect, sync_playwright
from shared.edited_plans import write
from shared.phones import Device, complaints, opener
from shared.serving import Serving, serving
from shared.small_plans import measured, simulated

from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.domain import catalog, quantities
from planner.domain.model import Placement, Plan
from planner.fabric.baseline import Planned, read
from planner.formats import html
from planner.hall import floor
from planner.network import topology
from planner.studies import pipeline
from planner.view import schedule

FOLDER = Path(__file__).parent

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
"""Programs in order: the one without windows needs half the time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser is a second program on a busy machine: a test that fails runs once more, and the summary names it."""
    for item in items:
        if item.path.is_relative_to(FOLDER):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Callable[..., Any]]:
    """Starts headless Chromium; tests are skipped where there is none, except in CI."""
    found = os.environ.get("CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        assert "CI" not in os.environ, "CI must have Chromium: apt-get install chromium-headless-shell"
        pytest.skip("no Chromium on this machine: apt-get install chromium-headless-shell")
    with sync_playwright() as driver:
        started: dict[tuple[str, ...], Any] = {}

        def start(*arguments: str) -> Any:
            if arguments not in started:
                # Chromium refuses its sandbox to root, as whom containers run.
                started[arguments] = driver.chromium.launch(executable_path=found, args=["--no-sandbox", *arguments])
            return started[arguments]

        yield start
        for browser in started.values():
            browser.close()


@dataclass(frozen=True)
class Opened:
    """A page in the browser, with what it logged and what it requested from the network."""

    page: Any
    complaints: list[str]
    requests: list[str]

    def at(self, fragment: str) -> Any:
        """Go to a fragment of the page and wait until it is shown."""
        self.page.evaluate("fragment => new Promise(done => { addEventListener('hashchange', done, { once: true });"
                           " if (location.hash === fragment) done(); else location.hash = fragment; })", fragment)  # fmt: skip
        return self.page

    def heading(self) -> str:
        return self.page.locator("#chosen h2").inner_text()


@pytest.fixture
def opened(chromium):
    """Opens a file in a browser of its own; at the end nothing may have been logged or requested."""
    pages: list[Opened] = []

    def open_page(path: Path, fragment: str = "", arguments: tuple[str, ...] = (), **options: Any) -> Opened:
        context = chromium(*arguments).new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        made = Opened(context.new_page(), [], [])
        made.page.on("console", lambda line: made.complaints.append(line.text) if line.type in ("error", "warning") else None)
        made.page.on("pageerror", lambda error: made.complaints.append(str(error)))
        made.page.on("request", lambda request: made.requests.append(request.url))
        made.page.goto(path.as_uri() + fragment)
        expect(made.page.locator("body")).to_have_attribute("data-view", re.compile("."))
        pages.append(made)
        return made

    yield open_page
    for made in pages:
        made.page.context.close()
        assert made.complaints == []
        assert [url for url in made.requests if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.fixture(scope="session")
def plan(small_plan) -> Plan:
    """A Slim Fly of 200 endpoints with two power feeds, a work order for three crews, and figures of a simulation."""
    parts = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300", pdu="apc-ap8886")
    fed = replace(small_plan, title="A small network", catalog=parts, placement=replace(small_plan.placement, feeds=2))
    return measured(replace(fed, simulation=simulated(small_plan.topology.link_count)))


@pytest.fixture(scope="session")
def run(plan, tmp_path_factory) -> Path:
    """The folder with the page of the plan and its figures."""
    folder = tmp_path_factory.mktemp("run")
    html.write(plan, folder / "small.html")
    (folder / "quantities.json").write_text(json.dumps(plan.quantities), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def large(tmp_path_factory) -> Path:
    """The page of 1,000 cabinets and 20,000 cables in no order at all."""
    routers = 2000
    parts = catalog.select("nvidia-qm9700", "server-half-unit-400g-osfp", "hpe-10648-g2")
    network = topology.build("jellyfish", routers=routers, degree=20, endpoints_per_router=0)
    room = floor.room("spectralfly", routers=routers)
    placement = Placement(
        cabinet=np.arange(routers) // 2, unit=1 + np.arange(routers) % 2, slot_of=np.arange(routers // 2), fixture_kind=[],
        fixture_cabinet=[], fixture_unit=[], method="in order", objective_unit="mm", objective=0, start_objective=0,
        evaluations=0, front=np.zeros((0, 2)),
    )  # fmt: skip
    devices = inventory(network, parts)
    cables = cable(devices, parts, placement, floor.Lengths(room, parts.cabinet, floor.Slack()))
    records = {"topology": network, "inventory": devices, "placement": placement, "cables": cables}
    plan = Plan("large", "A large network", {}, catalog=parts, room=room, **records)
    path = tmp_path_factory.mktemp("large") / "large.html"
    html.write(plan, path)
    assert (placement.cabinet_count, cables.cable_count) == (1000, 20_000)
    assert quantities.measure(plan)["cables"]["value"] == 20_000
    return path


@pytest.fixture
def device(chromium) -> Iterator[Callable[..., Device]]:
    """Opens an address of a server on a phone or board of its own; at the end no console may have complained."""
    devices: list[Device] = []
    yield opener(chromium, devices)
    for each in devices:
        each.context.close()
    assert complaints(devices) == []


@pytest.fixture(scope="session")
def planned_small(plan) -> Planned:
    """The small plan as others have it."""
    return Planned(schedule.of_plan(plan), Path("small"), plan)


@pytest.fixture
def site(planned_small, tmp_path) -> Iterator[Serving]:
    """The small plan, served with an empty journal."""
    with serving(planned_small, tmp_path / "site.db") as found:
        yield found


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Path:
    """The folder of a small plan that was run."""
    folder = tmp_path_factory.mktemp("plan")
    pipeline.run(write("plain", folder))
    return folder


@pytest.fixture
def folder(finished, tmp_path) -> Path:
    """A folder of its own with the small plan, which a test may change."""
    copy = tmp_path / "plan"
    shutil.copytree(finished, copy)
    return copy


@pytest.fixture
def workshop(folder, tmp_path) -> Iterator[Serving]:
    """The folder of the small plan, served."""
    with serving(read(folder), tmp_path / "site.db") as found:
        yield found


@pytest.fixture
def planner_at(workshop, chromium) -> Iterator[Callable[..., Any]]:
    """Opens an address of the served small plan as a planner, once it shows some words; at the end no script may have failed."""
    context = chromium().new_context(viewport={"width": 1280, "height": 900})
    failures: list[str] = []

    def at(address: str, words: str) -> Any:
        made = context.new_page()
        made.on("pageerror", lambda error: failures.append(str(error)))
        made.on("console", lambda each: failures.append(each.text) if each.type == "error" else None)
        made.goto(workshop.link("planner", "planner"))
        made.goto(f"{workshop.url}{address}")
        expect(made.locator("#message")).to_contain_text(words, timeout=60_000)
        return made

    yield at
    context.close()
    # What the rules refuse is an answer with status 400 or 409, which browsers log.
    assert [each for each in failures if "400" not in each and "409" not in each] == []
