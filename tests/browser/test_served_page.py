"""The web page of a plan from a server: under a policy without inline code, every view works as in the page in one file."""

import socket
import threading
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import expect
from shared.served import Hall

from planner.fabric.baseline import Planned
from planner.install.site.journal import Journal
from planner.view import schedule

VIEWS = {
    "floor": "#plan-canvas", "section": "#section-drawing svg", "tables": "#table tbody tr >> nth=10",
    "charts": ".chart svg >> nth=1", "figures": "[data-quantity=cables]",
}  # fmt: skip


@pytest.fixture
def address(plan, tmp_path):
    """The address of a server in a thread of this process."""
    planned = Planned(schedule.of_plan(plan), Path("small"), plan)
    with Journal(tmp_path / "site.db") as journal, socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        settings = uvicorn.Config(Hall(journal, planned=planned).app, log_level="error", lifespan="off", ws="none")
        runner = uvicorn.Server(settings)
        thread = threading.Thread(target=runner.run, kwargs={"sockets": [own]})
        thread.start()
        yield f"http://127.0.0.1:{own.getsockname()[1]}"
        runner.should_exit = True
        thread.join()


@pytest.mark.slow
def test_every_view_works_under_the_policy(chromium, address):
    page = chromium().new_context(viewport={"width": 1280, "height": 800}).new_page()
    complaints, requests = [], []
    page.on("console", lambda line: complaints.append(line.text) if line.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    for view, shown in VIEWS.items():
        page.goto(f"{address}/#view={view}")
        expect(page.locator(shown)).to_be_visible(timeout=60_000)
    page.goto(f"{address}/#cabinet=A02")
    expect(page.locator("#chosen h2")).to_contain_text("A02")
    # Colors and widths that the page sets itself are no inline code.
    colors = page.locator("#legend i").evaluate_all("nodes => nodes.map(node => getComputedStyle(node).backgroundColor)")
    assert set(colors) - {"rgba(0, 0, 0, 0)"}
    page.context.close()
    assert not complaints
    assert {request.split("/")[2] for request in requests if not request.startswith(("data:", "blob:"))} == {address[7:]}


@pytest.mark.slow
def test_code_that_is_added_does_not_run(chromium, address):
    """What a text with markup would do if it were inserted as such."""
    page = chromium().new_context().new_page()
    page.goto(address)
    expect(page.locator("#overview")).to_be_visible(timeout=60_000)
    page.evaluate(
        """() => {
        window.ran = [];
        const script = document.createElement("script");
        script.textContent = "window.ran.push('script')";
        document.body.append(script);
        const picture = document.createElement("div");
        picture.innerHTML = "<img src=x onerror=\\"window.ran.push('handler')\\"><b style='color: red'>x</b>";
        document.body.append(picture);
        }"""
    )
    page.wait_for_timeout(500)
    assert page.evaluate("window.ran") == []
    # Style elements are allowed, which the charts need; attributes are not.
    assert page.locator("b", has_text="x").last.evaluate("node => getComputedStyle(node).color") != "rgb(255, 0, 0)"
    page.context.close()
