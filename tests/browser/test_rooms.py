"""Rooms in a browser: a Slim Fly is planned from an empty room by mouse; rows, trays and keep-outs are edited."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from planner.hall import floor
from planner.studies import pipeline

pytestmark = pytest.mark.slow

SLOW_MS = 60_000


@pytest.fixture
def page(planner_at):
    return planner_at("/rooms", "Drag rows")


def done(page, words):
    expect(page.locator("#message")).to_contain_text(words, timeout=SLOW_MS)


def at(page, x, y):
    """Return the place of a point of the room on the screen."""
    return page.evaluate(
        "([x, y]) => { const svg = document.querySelector('#floor svg');"
        " const at = new DOMPoint(x, -y).matrixTransform(svg.getScreenCTM()); return [at.x, at.y]; }", [x, y],
    )  # fmt: skip


def drag(page, start, end):
    page.mouse.move(*at(page, *start))
    page.mouse.down()
    page.mouse.move(*at(page, *end), steps=5)
    page.mouse.up()


def test_a_slim_fly_from_an_empty_room(page, folder):
    page.click("#new")
    done(page, "a new room")
    page.click("[data-tool=outline]")
    for corner in ([0, 0], [12_000, 0], [12_000, 9000], [0, 9000], [0, 0]):
        page.mouse.click(*at(page, *corner))
    done(page, "outline drawn")
    page.select_option("#kind", "keep-out")
    drag(page, (10_800, 0), (12_000, 3000))
    done(page, "keep-out added")
    page.fill("#cold_mm", "1800")
    page.click("#fill")
    done(page, "filled with rows")
    expect(page.locator("#problems li")).to_have_count(0)
    page.click("#save")
    done(page, "saved as planned-room-1.toml")
    room = floor.room(str(folder / "planned-room-1.toml"), routers=1)
    assert room.outline.tolist() == [[0, 0], [12_000, 0], [12_000, 9000], [0, 9000]]
    assert room.row_names == ("A", "B", "C")
    assert [each.kind for each in room.obstacles] == ["keep-out"]
    page.click("#plan")
    expect(page.locator("#message")).to_contain_text("New room: planned", timeout=300_000)
    shown = page.locator(".used").count()
    page.click("#keep")
    done(page, "saved as planned-study-1")
    plan = pipeline.run(folder / "planned-study-1")
    assert plan.topology.family == "slimfly"
    assert plan.placement.cabinet_count == shown
    assert plan.room.slot_names == room.slot_names
    assert plan.violations.errors == ()


def test_trays_are_moved_and_widened_and_rows_are_moved(page, folder):
    page.locator("[data-name='cross east']").focus()
    page.fill("#field-width_mm", "450")
    page.keyboard.press("Enter")
    done(page, "changed cross east")
    page.click("[data-tool=move]")
    drag(page, (6900, 3000), (7500, 3000))
    done(page, "moved cross east")
    page.click("#undo")
    done(page, "undo")
    page.locator("[data-name='B'].row").focus()
    page.keyboard.press("ArrowUp")
    done(page, "moved B")
    page.click("#save")
    done(page, "saved as")
    room = floor.room(str(folder / "planned-room-1.toml"), routers=1)
    lab = floor.room("lab", routers=1)
    east = room.segment_tray == room.tray_names.index("cross east")
    assert set(room.segment_mm2[east].tolist()) == {450 * 100}
    assert (room.slot_xy[room.slot_row == 1] - lab.slot_xy[lab.slot_row == 1]).tolist() == [[0, 300]] * 8


def test_corners_zones_and_undo(page, folder):
    lab = floor.room("lab", routers=1)
    low, high = lab.outline.min(axis=0).tolist(), lab.outline.max(axis=0).tolist()
    page.mouse.click(*at(page, low[0] + 300, low[1] + 300))
    corner = page.locator("[data-corner='2']")
    corner.focus()
    page.keyboard.press("ArrowUp")
    done(page, "moved corner 3")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-corner='2']")).to_have_attribute("aria-label", f"Corner 3 at {high[0]}, {high[1] + 600} mm")
    page.get_by_role("button", name="Add a corner after corner 1").press("Enter")
    expect(page.locator("[data-corner]")).to_have_count(5)
    page.locator("[data-corner='1']").press("Delete")
    expect(page.locator("[data-corner]")).to_have_count(4)
    for _ in range(4):
        page.click("#undo")
    expect(page.locator("#undo")).to_be_disabled()
    page.select_option("#kind", "zone")
    for point in ([0, 0], [3000, 0], [3000, 3000], [0, 3000], [0, 0]):
        page.mouse.click(*at(page, low[0] + point[0], low[1] + point[1]))
    done(page, "zone added")
    page.click("[data-tool=move]")
    page.locator("[data-name='zone 1']").focus()
    page.fill("#field-total_power_mw", "90000")
    page.keyboard.press("Enter")
    done(page, "changed zone 1")
    page.click("#save")
    done(page, "saved as")
    room = floor.room(str(folder / "planned-room-1.toml"), routers=1)
    assert [(zone.name, zone.power_mw) for zone in room.zones] == [("zone 1", 90_000_000)]
    assert room.outline.tolist() == lab.outline.tolist()


def test_a_drawing_is_read(page, tmp_path):
    path = floor.draw("hall-a", tmp_path / "hall.dxf")
    page.set_input_files("#drawing", str(path))
    done(page, "read hall.dxf")
    assert page.locator(".thing.row").count() == len(floor.room("hall-a", routers=1).row_names)
    expect(page.locator("#problems li")).to_have_count(0)


def test_without_serious_findings_of_axe(page):
    from axe_playwright_python.sync_playwright import Axe

    page.locator("[data-name='cross east']").focus()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"][:80]) for each in found if each["impact"] in ("serious", "critical")] == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
