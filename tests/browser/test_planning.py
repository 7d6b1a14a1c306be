"""Planning mode in a browser: drag, arrow keys, undo, variants, improvements, saving; the figures are those of `planner run`."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from planner.studies import pipeline

pytestmark = pytest.mark.slow

SLOW_MS = 60_000


@pytest.fixture
def page(planner_at):
    return planner_at("/planning", "Drag a cabinet")


def figure(page, name):
    return page.locator(f"tr[data-figure={name}] td").first.text_content().replace("\xa0", " ")


def homes(page):
    return page.locator(".cabinet").evaluate_all("nodes => nodes.map(node => node.dataset.slot)")


def drag(page, source, target):
    """Drag the middle of an element to that of another one."""
    source.scroll_into_view_if_needed()
    (a, b) = (each.bounding_box() for each in (source, target))
    page.mouse.move(a["x"] + a["width"] / 2, a["y"] + a["height"] / 2)
    page.mouse.down()
    page.mouse.move(b["x"] + b["width"] / 2 - 3, b["y"] + b["height"] / 2, steps=5)
    page.mouse.move(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2)
    page.mouse.up()


def slot(page, name):
    return page.locator("g", has=page.locator(f"xpath=./*[name()='text' and text()='{name}']")).locator("rect.slot").first


def done(page, words):
    expect(page.locator("#message")).to_contain_text(words, timeout=SLOW_MS)


def test_drag_undo_save_and_run_again(page, folder):
    before = figure(page, "length_mm")
    drag(page, page.locator("[data-slot=A01]"), slot(page, "B08"))
    done(page, "cabinet A01 to B08")
    assert "B08" in homes(page)
    assert "A01" not in homes(page)
    far = figure(page, "length_mm")
    assert far != before
    page.click("#undo")
    done(page, "undo")
    assert figure(page, "length_mm") == before
    page.click("#redo")
    expect(page.locator("tr[data-figure=length_mm] td").first).to_have_text(far, timeout=SLOW_MS)
    page.click("#save-study")
    done(page, "saved as planned-study-1")
    plan = pipeline.run(folder / "planned-study-1")
    assert f"{plan.quantities['run_mm']['value'] / 1000:,.2f} m" == far
    assert f"{plan.quantities['longest_run_mm']['value'] / 1000:,.2f} m" == figure(page, "longest_mm")
    assert f"{plan.quantities['delay_worst_ps']['value'] / 1000:,g} ns" == figure(page, "delay_ps")
    bought = sum(int(plan.bill.cents(category)) for category in ("cables", "transceivers", "trunks", "panels"))
    assert figure(page, "price_cents").startswith(f"{bought / 100:,.2f} ")


def test_a_device_is_dragged_to_another_unit_and_cabinet(page):
    page.locator("[data-slot=A02]").click()
    device = page.locator("[data-device]").last
    name = device.get_attribute("data-device")
    drag(page, device, page.locator("[data-device]").nth(1))
    expect(page.locator("#message")).not_to_contain_text("Drag a cabinet", timeout=SLOW_MS)
    page.locator("[data-slot=A02]").click()
    router = page.locator("g.router").first
    moved = router.get_attribute("data-device")
    drag(page, router, page.locator("[data-slot=A03]"))
    expect(page.locator("#message")).to_contain_text(moved, timeout=SLOW_MS)
    assert name


def test_the_keyboard_moves_the_chosen_cabinet(page, folder):
    page.locator("[data-slot=A05]").focus()
    page.keyboard.press("ArrowRight")
    done(page, "cabinet A05 to A06")
    page.keyboard.press("ArrowUp")
    done(page, "cabinet A06 to B06")
    page.keyboard.press("Control+z")
    done(page, "undo")
    assert "A06" in homes(page)
    page.keyboard.press("Control+Shift+z")
    done(page, "cabinet A06 to B06")
    page.reload()
    expect(page.locator("[data-slot=B06]")).to_be_visible(timeout=SLOW_MS)
    steps = [json.loads(line).get("do") for line in (folder / "planning.jsonl").read_text().splitlines()]
    assert steps == [None, "move", "move", "undo", "redo"]


def test_rows_are_exchanged(page):
    page.select_option("#grip", "row")
    drag(page, page.locator("[data-slot=A01]"), slot(page, "B03"))
    done(page, "row A to B")
    assert all(name.startswith("B") for name in homes(page))


@pytest.mark.nightly
def test_variants_improvement_and_what_if(page):
    drag(page, page.locator("[data-slot=A01]"), slot(page, "B08"))
    done(page, "cabinet A01 to B08")
    page.fill("#variant-name", "<b>far</b>")
    page.click("#keep")
    done(page, "kept as")
    names = page.locator("#variants tr").evaluate_all("rows => rows.map(row => row.dataset.variant)")
    assert names == ["now", "start", "<b>far</b>"]
    page.click("#compare")
    expect(page.locator("#side-by-side [data-quantity=run_mm] td").first).to_be_visible(timeout=SLOW_MS)
    expect(page.locator("#difference")).to_contain_text("actions of the crew", timeout=SLOW_MS)
    page.keyboard.press("Escape")
    price = figure(page, "price_cents")
    page.click("#improve")
    expect(page.locator("#progress")).to_contain_text("best", timeout=300_000)
    page.click("#stop")
    expect(page.locator("#progress")).to_contain_text("ended", timeout=SLOW_MS)
    page.click("#best")
    done(page, "variant improved")
    amounts = [float(text.split()[0].replace(",", "")) for text in (figure(page, "price_cents"), price)]
    assert amounts[0] <= amounts[1]


def test_a_what_if_plan_is_kept_compared_saved_and_opened(page, folder, planner_at):
    page.fill("#switch-value", "50")
    page.click("#what-if")
    expect(page.locator("#found [data-quantity=fullest_tray_percent]")).to_be_visible(timeout=300_000)
    page.fill("#result-name", "half the trays")
    page.click("#keep-result")
    done(page, "kept as half the trays")
    page.get_by_role("checkbox", name="layout at the start").uncheck()
    page.click("#compare")
    row = page.locator("#side-by-side [data-quantity=fullest_tray_percent] td")
    expect(row.first).to_be_visible(timeout=SLOW_MS)
    now, half = (float(text) for text in row.all_text_contents()[:2])
    assert half == pytest.approx(2 * now, rel=1e-3)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save half the trays").click()
    done(page, "saved as planned-study-1")
    plan = pipeline.run(folder / "planned-study-1")
    assert plan.quantities["fullest_tray_percent"]["value"] == pytest.approx(half, rel=1e-3)
    opened = planner_at("/planning?plan=half%20the%20trays", "Drag a cabinet")
    expect(opened.locator("#title")).to_contain_text("what if half the trays")
    assert figure(opened, "length_mm") == figure(page, "length_mm")
    drag(opened, opened.locator("[data-slot=A01]"), slot(opened, "B08"))
    done(opened, "cabinet A01 to B08")
    assert (folder / "planning-1" / "planning.jsonl").exists()


def test_near_misses_are_accepted_by_a_click(page):
    page.locator("[data-slot=A01]").click()
    # Routers at the bottom have the longest rise to the trays.
    for _ in range(30):
        page.locator("g.router").first.focus()
        page.keyboard.press("ArrowDown")
    page.click("#count")
    done(page, "counted in full")
    page.click("#misses-title")
    before = figure(page, "price_cents")
    button = page.locator("#misses button").first
    expect(button).to_be_visible(timeout=SLOW_MS)
    saving = float(page.locator("#misses td.good").first.text_content().split()[0].lstrip("−").replace(",", ""))
    button.click()
    expect(page.locator("tr[data-figure=price_cents] td").first).not_to_have_text(before, timeout=SLOW_MS)
    after = figure(page, "price_cents")
    amounts = [float(text.split()[0].replace(",", "")) for text in (before, after)]
    assert amounts[0] - amounts[1] == pytest.approx(saving)
    page.click("#undo")
    expect(page.locator("tr[data-figure=price_cents] td").first).to_have_text(before, timeout=SLOW_MS)


def test_the_new_plan_is_opened_where_this_one_was_computed_again(page, folder, workshop):
    drag(page, page.locator("[data-slot=A01]"), slot(page, "B08"))
    done(page, "cabinet A01 to B08")
    expect(page.locator("#newer")).to_be_hidden()
    study = folder / "study.toml"
    study.write_text(study.read_text().replace('algorithm = "identity"', 'algorithm = "random"'))
    pipeline.run(folder, until="near_misses")
    workshop.served.follow()
    drag(page, page.locator("[data-slot=A02]"), slot(page, "B07"))
    expect(page.locator("#newer")).to_contain_text("computed again", timeout=SLOW_MS)
    assert "A02" in homes(page)
    page.click("#open-newer")
    done(page, "kept as variants: as it was on")
    expect(page.locator("#newer")).to_be_hidden()
    page.get_by_role("button", name="Go to as it was on").click()
    done(page, "variant as it was on")
    assert "B08" in homes(page)
    assert (folder / "planning-before-1" / "planning-1.csv").is_file()


def test_a_refused_move_states_why(page):
    page.locator("[data-slot=A02]").click()
    page.get_by_role("button", name="Pin", exact=True).click()
    done(page, "pin A02")
    drag(page, page.locator("[data-slot=A02]"), slot(page, "B07"))
    done(page, "is pinned")
    assert "A02" in homes(page)


def test_narrow_and_without_serious_findings_of_axe(page):
    from axe_playwright_python.sync_playwright import Axe

    page.locator("[data-slot=A02]").click()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
