"""Planning mode in a browser: drag, arrow keys, undo, variants, improvements, saving; the figures are those of `planner run`."""

from __future__ import annotations

import json
import shutil

import pytest
from playwright.sync_api import expect
from shared.edited_plans import write
from shared.serving import serving

from planner import flow
from planner.planned import read

pytestmark = pytest.mark.slow

SLOW_MS = 60_000


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    """Return the folder of a finished plan."""
    folder = tmp_path_factory.mktemp("plan")
    flow.run(write("plain", folder))
    return folder


@pytest.fixture
def folder(planned, tmp_path):
    copy = tmp_path / "plan"
    shutil.copytree(planned, copy)
    return copy


@pytest.fixture
def page(folder, chromium, tmp_path):
    with serving(read(folder), tmp_path / "site.db") as found:
        context = chromium().new_context(viewport={"width": 1280, "height": 900})
        opened = context.new_page()
        complaints: list[str] = []
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        opened.on("console", lambda each: complaints.append(each.text) if each.type == "error" else None)
        opened.goto(found.link("planner", "planner"))
        opened.goto(f"{found.url}/planning")
        expect(opened.locator("#message")).to_contain_text("Drag a cabinet", timeout=SLOW_MS)
        yield opened
        context.close()
        assert [each for each in complaints if "400" not in each] == []


def figure(page, name):
    return page.locator(f"tr[data-figure={name}] td").first.text_content()


def homes(page):
    return page.locator(".cabinet").evaluate_all("nodes => nodes.map(node => node.dataset.slot)")


def drag(page, source, target):
    """Drag the middle of an element to that of another one."""
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
    plan = flow.run(folder / "planned-study-1")
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
    router = page.locator("g:has(> .router)").first
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
    assert page.locator("#variants option").all_text_contents() == ["start of the plan", "<b>far</b>"]
    page.click("#compare")
    expect(page.locator("#found table")).to_be_visible(timeout=SLOW_MS)
    price = figure(page, "price_cents")
    page.click("#improve")
    expect(page.locator("#progress")).to_contain_text("best", timeout=300_000)
    page.click("#stop")
    expect(page.locator("#progress")).to_contain_text("ended", timeout=SLOW_MS)
    page.click("#best")
    done(page, "variant improved")
    amounts = [float(text.split()[0].replace(",", "")) for text in (figure(page, "price_cents"), price)]
    assert amounts[0] <= amounts[1]
    page.fill("#switch-value", "50")
    page.click("#what-if")
    expect(page.locator("#found")).to_contain_text("fullest tray percent", timeout=300_000)


def test_a_refused_move_says_why(page):
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
