"""Crews install a plan with their phones, and the foreman follows on the board."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from shared.serving import serving

from planner.fabric.baseline import Planned
from planner.install.site import backup
from planner.install.site.board import Board
from planner.install.site.cables import key
from planner.install.site.fields import AS_PLANNED
from planner.install.site.photos import Limits
from planner.install.site.writing import Value, record
from planner.paper.labeling.text import qr_modules, qr_version

pytestmark = pytest.mark.slow

LEFT = 6
"""Cables of the stage that the phones install; the others are in already."""


@pytest.fixture
def stage(site):
    """An install stage of which few cables are left: its name and their numbers."""
    cables = list(site.served.site.cables.values())
    own = [cable for cable in cables if cable.stage == cables[-1].stage]
    done = [
        Value(key(cable.rows[0]), end, field, value)
        for cable in own[:-LEFT]
        for end, field, value in (("", "pulled", "yes"), ("a", "plugged", AS_PLANNED), ("b", "plugged", AS_PLANNED))
    ]
    with site.served.board() as board:
        record(board, done, crew="crew 3", phone="earlier")
    return own[0].stage, len(own), [cable.number for cable in own[-LEFT:]]


def events(site, phone_crew: str):
    return [event for _, event in site.journal.events() if event.crew == phone_crew]


def test_a_stage_is_installed_by_two_phones_and_a_foreman(site, stage, device):
    name, total, (*first, x, y, z) = stage
    board = device(site.board, viewport={"width": 1280, "height": 900})
    row = f"#stages tr[data-name='{name}'] td >> nth=0"
    board.shows(row).to_have_text(f"{total - LEFT} of {total}")

    board.page.fill("#link-crew", "crew 1")
    board.press("make-link")
    address = board.page.locator("#link-url").get_attribute("href")
    one = device(address)
    two = device(site.link("crew 2"))
    one.shows("#crew").to_have_text("crew 1")

    # Phone two gets out of reach once it can start without a connection.
    two.shows("body").to_have_attribute("data-offline", "ready")
    two.context.set_offline(True)
    for number in (x, y):
        two.install(number)
    two.cable(z, "b")
    two.press("pulled", "in-a", "problem")
    two.page.fill("#wrong-port", "30")
    two.press("save-port")
    two.shows("#page .banner").to_contain_text("end B is in")
    two.shows("#sync").to_have_text("offline, 9 waiting")
    two.page.reload()
    two.shows("#sync").to_have_text("offline, 9 waiting")
    two.shows("#page .banner").to_contain_text("end B is in")

    one.at(f"#stage={name}")
    one.shows("#page .rows li").to_have_count(LEFT)
    for number in first:
        one.install(number)
    one.is_sent()
    board.shows(row).to_have_text(f"{total - 3} of {total}")

    two.context.set_offline(False)
    two.is_sent()
    board.shows(row).to_have_text(f"{total - 1} of {total}")
    board.shows("[data-list=wrong] li").to_contain_text(f"Cable {z}: end b is in")
    one.at("#list=problems")
    one.shows("#page .rows a").to_contain_text(str(z))

    two.cable(z)
    two.press("in-b")
    board.shows(row).to_have_text(f"{total} of {total}")
    board.shows("[data-list=wrong]").to_have_count(0)
    one.shows("#page .empty").to_have_text("Nothing is wrong or blocked.")

    # What was sent again is recorded once.
    assert len(events(site, "crew 1")) == 3 * len(first)
    assert len(events(site, "crew 2")) == 10
    fresh = Board(site.journal, site.served.site)
    assert all(fresh.statuses[number].is_done for number in (*first, x, y, z))


def test_two_phones_that_differ_see_it_and_the_foreman_too(site, device):
    one, two = device(site.link("crew 1")), device(site.link("crew 2"))
    for each in (one, two):
        each.cable(5)
        each.page.locator("#more summary").click()
    one.context.set_offline(True)
    one.press("label-a-yes")
    one.shows("#sync").to_have_text("offline, 1 waiting")
    two.press("label-a-no")
    two.is_sent()
    one.context.set_offline(False)
    one.is_sent()
    board = device(site.board)
    board.shows("[data-list=conflicts] li").to_contain_text("Cable 5 label of end A")
    for each in (one, two):
        each.shows("#page .conflict").to_contain_text("Two crews differ")
    # Somebody who has seen both decides.
    (conflict,) = site.journal.conflicts()
    two.press("label-a-no" if conflict.value == "yes" else "label-a-yes")
    board.shows("[data-list=conflicts]").to_have_count(0)


def test_a_button_stays_below_the_finger_while_others_record(site, device):
    phone = device(site.link("crew 1"))
    phone.cable(6)
    phone.page.locator("#in-a").hover()
    phone.page.mouse.down()
    pulled = Value(key(site.served.site.rows[5]), "", "pulled", "yes")
    is_news = lambda each: "events?after" in each.url and each.json()["cables"]  # noqa: E731
    with phone.page.expect_response(is_news), site.served.board() as board:
        record(board, [pulled], crew="crew 2", phone="p")
    phone.page.evaluate("() => new Promise(requestAnimationFrame)")
    phone.shows("#step").to_have_text("planned")
    phone.page.mouse.up()
    phone.shows("#step").to_have_text("one end")
    phone.shows("#in-a.done").to_be_visible()


def test_an_undo_is_an_event(site, device):
    phone = device(site.link("crew 1"))
    phone.cable(7)
    phone.press("pulled")
    phone.shows("#step").to_have_text("pulled")
    phone.press("undo")
    phone.shows("#step").to_have_text("planned")
    phone.is_sent()
    first, second = events(site, "crew 1")
    assert (first.field, first.value, second.value, second.undoes) == ("pulled", "yes", "", first.id)


def test_a_link_that_was_revoked_keeps_what_waits_until_the_next_one(site, device):
    from planner.install.site import access

    phone = device(site.link("crew 1"))
    access.revoke(site.journal, "crew 1")
    phone.cable(9)
    phone.press("pulled")
    phone.shows("#trouble").to_contain_text("Open the link of your crew again")
    phone.shows("#sync").to_contain_text("1 waiting")
    assert events(site, "crew 1") == []
    phone.complaints.clear()
    phone.page.goto(site.link("crew 4"))
    phone.is_sent()
    assert [event.field for event in events(site, "crew 4")] == ["pulled"]
    phone.complaints.clear()


def test_a_phone_with_a_wrong_clock_records_all_the_same(site, device):
    ahead = "{ const now = Date.now; Date.now = () => now() + 86400000; }"
    phone = device(site.link("crew 1"), script=ahead)
    phone.cable(11)
    phone.press("pulled", "in-a")
    phone.is_sent()
    assert [abs(event.clock / 1e6 - time.time()) < 3600 for event in events(site, "crew 1")] == [True, True]
    phone.at("#record")
    phone.shows("#page .recorded li").to_have_count(2)


def test_what_waits_counts_for_the_next_revision_of_the_plan(planned_small, site, device):
    phone = device(site.link("crew 1"))
    phone.install(4)
    phone.is_sent()
    phone.context.set_offline(True)
    phone.cable(8)
    phone.press("pulled")
    phone.shows("#sync").to_contain_text("1 waiting")
    # The first cable is no longer there, and all others have other numbers. The server goes on.
    rows = [row._replace(number=row.number - 1, piece=row.piece - 1) for row in planned_small.rows[1:]]
    assert site.served.adopt(Planned(rows, Path("small"))).carried == 1
    phone.context.set_offline(False)
    phone.is_sent()
    phone.shows("h1").to_contain_text("Cable 8 planned")
    phone.cable(7)
    phone.shows("#step").to_have_text("pulled")
    phone.cable(3)
    phone.shows("#step").to_have_text("both ends")
    with site.served.board() as board:
        assert [board.statuses[number].step for number in (3, 4, 7, 8)] == ["both ends", "planned", "pulled", "planned"]


def test_a_restored_journal_gets_back_what_it_had_acknowledged(planned_small, device, tmp_path):
    with serving(planned_small, tmp_path / "site.db") as before:
        port = int(before.url.rpartition(":")[2])
        one, two = device(before.link("crew 1")), device(before.link("crew 2"))
        one.install(4)
        one.is_sent()
        copy = backup.backup(before.journal, tmp_path / "backups")
        one.install(5)
        one.page.locator("#more summary").click()
        one.page.set_input_files("#photo", files=[photo("137")])
        one.shows("#page .recorded a").to_be_visible()
        one.is_sent()
        two.install(6)
        two.at("#device=R003")
        two.press("installed")
        two.is_sent()
        acknowledged = {event.id: event for _, event in before.journal.events()}
    with serving(planned_small, copy, port) as after:
        # Somebody recorded as many events meanwhile: their number is that of the journal before.
        rows = after.served.site.rows[20:28]
        with after.served.board() as board:
            record(board, [Value(key(row), "", "pulled", "yes") for row in rows], crew="crew 3", phone="p")
        for each in (one, two):
            each.page.evaluate("dispatchEvent(new Event('online'))")
            each.shows("#notice").to_contain_text("restored from a copy")
            each.is_sent()
        two.cable(5)
        two.shows("#step").to_have_text("both ends")
        there = [event for _, event in after.journal.events()]
        assert len(there) == len({event.id for event in there}) == len(acknowledged) + len(rows)
        assert {event.id: event._replace(received=0) for event in there if event.id in acknowledged} == {
            name: event._replace(received=0) for name, event in acknowledged.items()
        }
        with after.served.board() as board:
            assert [board.statuses[number].step for number in (4, 5, 6, 21)] == ["both ends", "both ends", "both ends", "pulled"]
            assert board.devices["R003"].installed
        (picture,) = [event.value for event in there if event.field == "photo"]
        assert after.journal.query("SELECT hash FROM photo") == [(picture,)]


def test_what_is_typed_and_photographed_is_recorded_in_bounds(site, device):
    phone = device(site.link("crew 1"))
    phone.cable(3)
    phone.page.locator("#more summary").click()
    for name, text in (("serial", "MT1234"), ("length", "2.5"), ("remark", "tight bend")):
        phone.page.fill(f"#{name}", text)
        phone.page.locator(f"form:has(#{name}) .save").click()
    phone.shows("#page .recorded li").to_have_count(3)
    phone.is_sent()
    recorded = {event.field: event.value for event in events(site, "crew 1")}
    assert recorded == {"serial": "MT1234", "length_mm": "2500", "remark": "tight bend"}
    # Photos for which there is no room wait, and events go on.
    options = site.served.options
    site.served.options = replace(options, photos=Limits(count=0))
    phone.page.set_input_files("#photo", files=[photo("no code")])
    phone.shows("#page .recorded .bad").to_contain_text("the foreman can start planner serve with a higher --photos")
    with phone.page.expect_response("**/api/install/events"):
        phone.press("pulled")
    phone.shows("#sync").to_have_text("1 waiting")
    assert [event.field for event in events(site, "crew 1")][3:] == ["pulled"]
    site.served.options = options
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    phone.shows("#page .recorded a").to_have_attribute("href", re.compile("/api/install/photo/[0-9a-f]{64}$"))
    phone.is_sent()
    event = events(site, "crew 1")[-1]
    answer = phone.page.request.get(f"{site.url}/api/install/photo/{event.value}")
    assert (answer.status, answer.headers["content-type"]) == (200, "image/jpeg")
    phone.complaints.clear()


def test_a_device_has_a_serial_number_a_tag_and_problems(site, device):
    phone, board = device(site.link("crew 1")), device(site.board)
    cabinet = site.served.site.devices["R007"].cabinet
    phone.at(f"#list=devices&cabinet={cabinet}")
    phone.page.locator("#page .rows a", has_text="R007").click()
    phone.shows("#step").to_have_text("planned")
    phone.page.keyboard.press("i")
    phone.shows("#step").to_have_text("installed")
    phone.page.set_input_files("#serial-code", files=[photo("MT1")])
    phone.shows("#serial").to_have_value("MT1")
    # What is typed waits where there is no connection.
    phone.context.set_offline(True)
    for name, text in (("serial", "MT2042X01"), ("tag", "A-77"), ("remark", "rail bent")):
        phone.page.fill(f"#{name}", text)
        phone.page.locator(f"form:has(#{name}) .save").click()
    phone.press("problem")
    phone.page.get_by_role("button", name="Another model than planned").click()
    phone.shows("#page .banner").to_contain_text("Another model than planned")
    phone.shows("#sync").to_have_text("offline, 4 waiting")
    phone.context.set_offline(False)
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    phone.is_sent()
    board.shows("[data-list=devices] li").to_have_text("R007: Another model than planned")
    board.shows("#equipment").to_contain_text("1 of 250 installed, 1 with a serial number")
    phone.press("unblock")
    board.shows("[data-list=devices]").to_have_count(0)
    other = device(site.link("crew 2"))
    other.at("#find")
    other.page.fill("#device-name", "mt2042")
    other.press("open-device")
    other.shows("h1").to_contain_text("R007")
    other.shows("#page .recorded").to_contain_text("A-77")
    with site.served.board() as own:
        found = own.devices["R007"]
        assert (found.installed, found.serial, found.asset_tag, found.blocked) == (True, "MT2042X01", "A-77", "")
        assert found.remarks == ("rail bent",)
    assert len(events(site, "crew 1")) == 6


def photo(text: str) -> dict:
    """A photo of the code of a text."""
    file = BytesIO()
    Image.fromarray(modules_of(text, 8)).save(file, "PNG")
    return {"name": "photo.png", "mimeType": "image/png", "buffer": file.getvalue()}


def test_codes_open_the_end_of_a_cable_or_a_device(site, device):
    phone = device(site.link("crew 1"))
    phone.page.goto(f"{site.url}/C/137A")
    phone.shows("h1").to_contain_text("Cable 137 ")
    phone.shows("section.chosen h2").to_contain_text("End A")
    phone.at("#find")
    # A photo is read without a connection, too.
    phone.shows("body").to_have_attribute("data-offline", "ready")
    phone.context.set_offline(True)
    phone.page.set_input_files("#code-photo", files=[photo(f"{site.url.upper()}/C/21B")])
    phone.shows("h1").to_contain_text("Cable 21 ")
    phone.shows("section.chosen h2").to_contain_text("End B")
    phone.context.set_offline(False)
    phone.page.goto(f"{site.url}/T/1")
    phone.shows("h1").to_have_text("Task 1")
    phone.page.goto(f"{site.url}/D/R007")
    phone.shows("h1").to_contain_text("R007")


def modules_of(text: str, scale: int) -> np.ndarray:
    """The code of a text in gray, uint8 (size, size), with its quiet zone."""
    found = np.array(qr_modules(text, qr_version(text)), bool)
    return np.kron(np.pad(np.where(found, 30, 220).astype(np.uint8), 4, constant_values=220), np.ones((scale, scale), np.uint8))


@pytest.fixture
def film(tmp_path):
    """What a camera sees that is held over the label of a cable: at first nothing, then its code, somewhat turned."""
    code = Image.fromarray(modules_of("HTTP://10.0.0.5:8080/C/33A", 8)).rotate(11, expand=True, fillcolor=140)
    frames = [Image.new("L", (640, 480), 140) for _ in range(4)]
    for frame in frames[1:]:
        frame.paste(code, (150, 60))
    path = tmp_path / "camera.y4m"
    color = bytes([128]) * (2 * 320 * 240)
    path.write_bytes(
        b"YUV4MPEG2 W640 H480 F5:1 Ip A1:1 C420jpeg\n" + b"".join(b"FRAME\n" + each.tobytes() + color for each in frames)
    )
    return path


def test_the_live_camera_opens_a_cable_where_the_browser_reads_no_codes(site, device, film):
    phone = device(
        site.link("crew 1"), permissions=["camera"],
        arguments=("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                   f"--use-file-for-fake-video-capture={film}"),
    )  # fmt: skip
    assert phone.page.evaluate("'BarcodeDetector' in window") is False
    phone.at("#find")
    phone.press("live")
    phone.shows("h1").to_contain_text("Cable 33 ")
    phone.shows("section.chosen h2").to_contain_text("End A")


def test_everything_works_with_the_keyboard_alone(site, device):
    phone = device(site.link("crew 1"))
    keys = phone.page.keyboard
    keys.press("/")
    phone.shows("#key-4").to_be_visible()
    for each in ("4", "0", "a"):
        keys.press(each)
    phone.shows("#open").to_have_text("Open 40 A")
    phone.page.locator("#open").focus()
    keys.press("Enter")
    phone.shows("h1").to_contain_text("Cable 40 ")
    for each, step in (("p", "pulled"), ("a", "one end"), ("b", "both ends"), ("t", "tested")):
        keys.press(each)
        phone.shows("#step").to_have_text(step)
    keys.press("x")
    phone.shows("#dialog").to_be_visible()
    keys.press("Tab")
    keys.press("Enter")
    phone.shows("#page .banner").to_contain_text("Blocked: ")
    keys.press("n")
    phone.shows("h1").not_to_contain_text("Cable 40 ")
    keys.press("Escape")
    phone.shows("#page .rows a >> nth=0").to_be_visible()
    phone.is_sent()
    assert [event.field for event in events(site, "crew 1")] == ["pulled", "plugged", "plugged", "tested", "blocked"]


def test_every_text_is_text(site, device):
    evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    phone = device(site.link("<b>crew</b>"))
    phone.cable(2)
    phone.press("problem")
    phone.page.fill("#reason", evil)
    phone.page.locator("form:has(#reason) .save").click()
    phone.page.locator("#more summary").click()
    phone.page.fill("#remark", evil)
    phone.page.locator("form:has(#remark) .save").click()
    phone.is_sent()
    phone.shows("#page .recorded .value >> nth=0").to_have_text(evil)
    phone.shows("#crew").to_have_text("<b>crew</b>")
    board = device(site.board)
    board.shows("[data-list=blocked] li").to_contain_text(evil)
    board.shows("#links tbody th >> nth=0").to_have_text("<b>crew</b>")
    for each in (phone, board):
        assert each.page.locator("main img[src=x], main script, main b b").count() == 0
        assert "owned" not in each.page.title()


TWIN = """
async () => {
  const load = (name) => fetch(`/api/install/${name}`).then((answer) => answer.json());
  const { Facts } = await import("/static/install/facts.js");
  const { Fold, registerOf, statusOf } = await import("/static/install/fold.js");
  const known = new Facts(await load("cables")), fold = new Fold(), state = await load("state");
  for (const cells of state.events) {
    const { cable, ...event } = Object.fromEntries(state.event_columns.map((name, n) => [name, cells[n]]));
    fold.take(registerOf({ row: cable, ...event }));
  }
  return state.cables.map(([number]) => {
    const cable = known.cables.get(number), values = cable.rows.flatMap((row) => [...fold.of(row.number)]);
    const { step, done, wrong, blocked } = statusOf(cable, values);
    return [number, step, done, wrong.map((text) => text.toLowerCase()), blocked];
  });
}
"""


def test_phones_derive_the_same_statuses_as_the_server(site, device, wild):
    phone = device(site.link("crew 1"))
    found = phone.page.evaluate(TWIN)
    with site.served.board() as board:
        assert len(found) > 40
        for number, step, done, wrong, blocked in found:
            status = board.statuses[number]
            assert [step, done, blocked] == [status.step, status.is_done, status.blocked], number
            assert wrong == [text.lower() for text in status.wrong], number


@pytest.fixture
def wild(site):
    """Values of all kinds, right and wrong, about the first cables."""
    import random

    chance = random.Random(3)
    choices = [
        ("", "pulled", ("yes", "")), ("a", "plugged", (AS_PLANNED, "R001 30", "")), ("b", "plugged", (AS_PLANNED, "R002 31", "")),
        ("a", "label_ok", ("yes", "no", "")), ("b", "label_ok", ("yes", "no")), ("", "tested", ("pass", "fail", "")),
        ("", "blocked", ("too short", "")), ("b", "blocked", ("occupied", "")), ("", "accepted", ("yes", "", "")),
        ("", "link", ("up", "wrong", "dark", "unknown")), ("", "remark", ("x",)),
    ]  # fmt: skip
    rows = site.served.site.rows[:60]
    for _ in range(6):
        values = [
            Value(key(row), end, field, chance.choice(values))
            for row in rows
            for end, field, values in chance.sample(choices, chance.randint(0, 5))
        ]
        with site.served.board() as board:
            record(board, values, crew="fabric", phone="wild")
