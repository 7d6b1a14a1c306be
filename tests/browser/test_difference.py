"""The web page of the difference of two plans."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from planner.fabric.baseline import Planned
from planner.studies.diff import outputs
from planner.studies.diff.run import comparison
from planner.view import schedule

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page_path(plan, tmp_path_factory):
    """A cable between two cabinets is longer, and one at the first switch has another port."""
    between = int((plan.cables.cabinet[:, 0] != plan.cables.cabinet[:, 1]).nonzero()[0][-1])
    port, stock_mm = plan.cables.port.copy(), plan.cables.stock_mm.copy()
    port[0, 0] = plan.inventory.part_of(0).ports
    stock_mm[between] += 100_000
    new = replace(plan, cables=replace(plan.cables, port=port, stock_mm=stock_mm))
    old, new = (Planned(schedule.of_plan(each), Path(name), each) for each, name in ((plan, "old"), (new, "new")))
    folder = tmp_path_factory.mktemp("difference")
    outputs.write(comparison(old, new), folder)
    return folder / "difference.html"


def test_both_floors_are_drawn(opened, page_path):
    page = opened(page_path).page
    expect(page.locator("#floor-old svg")).to_be_visible()
    expect(page.locator("#floor-new svg")).to_be_visible()
    expect(page.locator("[id='old-cables removed'] polyline").first).to_be_attached()
    expect(page.locator("[id='new-cables added'] polyline").first).to_be_attached()


def test_layers_are_switched_together(opened, page_path):
    page = opened(page_path).page
    group = page.locator("[id='new-cables added']")
    assert group.evaluate("group => group.style.display") == ""
    page.get_by_label("cables added").uncheck()
    assert group.evaluate("group => group.style.display") == "none"


def test_the_filter_leaves_the_rows_that_match(opened, page_path):
    page = opened(page_path).page
    every = page.locator("details tbody tr").count()
    page.locator("#filter").fill("re-plugged")
    shown = page.locator("details tbody tr:not([hidden])")
    assert 0 < shown.count() < every
    expect(page.locator("#matches")).to_contain_text(f"{shown.count()} rows")
    page.locator("#filter").fill("no such thing")
    assert shown.count() == 0


def test_a_floor_is_zoomed_and_reset(opened, page_path):
    page = opened(page_path).page
    drawing = page.locator("#floor-old svg")
    before = drawing.get_attribute("viewBox")
    drawing.dispatch_event("wheel", {"deltaY": -200, "ctrlKey": True})
    assert drawing.get_attribute("viewBox") != before
    drawing.dispatch_event("dblclick")
    assert list(map(float, drawing.get_attribute("viewBox").split())) == list(map(float, before.split()))
