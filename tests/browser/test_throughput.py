"""Throughput in a browser: choices are answered, curves are drawn, and the page is for everybody."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_choices_are_answered_and_the_page_is_for_everybody(planner_at):
    page = planner_at("/throughput", "Estimated: minimal routing, uniform traffic")
    expect(page.locator("#found .chart .mean").first).to_be_visible()
    expect(page.locator("#found tbody tr").first).to_contain_text("0.05")
    page.locator("#routing").focus()
    page.keyboard.type("ugal")
    expect(page.locator("#message")).to_contain_text("ugal routing")
    expect(page.locator(".advice")).to_contain_text("delays and link loads need packets")
    page.select_option("#routing", "valiant")
    expect(page.locator("#message")).to_contain_text("valiant routing")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.evaluate(Axe().axe_script)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
