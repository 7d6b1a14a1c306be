"""The foreman's board: links of crews, lists on paper, and the fabric as found."""

from __future__ import annotations

import csv
import io

import pytest
from playwright.sync_api import expect
from shared.serving import serving
from shared.sites import Floor
from shared.verifications import DATA, SCHEDULE, answer

from planner.fabric import baseline
from planner.install.site import access, replan
from planner.install.site.cables import key
from planner.install.site.writing import Value, record

pytestmark = pytest.mark.slow


@pytest.fixture
def verified_site(tmp_path):
    """The plan of the discovered fabrics, served."""
    with serving(baseline.read(SCHEDULE), tmp_path / "site.db") as found:
        yield found


def test_links_open_by_their_code_until_they_are_revoked(site, device):
    import zxingcpp
    from PIL import Image

    board = device(site.board, viewport={"width": 1280, "height": 900})
    board.page.fill("#link-crew", "blue")
    board.press("make-link")
    address = board.page.locator("#link-url").get_attribute("href")
    with Image.open(io.BytesIO(board.page.locator(".qr").screenshot(scale="css"))) as picture:
        assert [code.text for code in zxingcpp.read_barcodes(picture)] == [address]
    phone = device(address)
    phone.shows("#crew").to_have_text("blue")
    assert phone.page.url == f"{site.url}/install"
    board.page.get_by_role("button", name="Revoke the link of blue").click()
    board.shows("#links tr.over").to_contain_text("revoked")
    assert [link.revoked for link in access.links(site.journal) if link.crew == "blue"] == [True]
    assert phone.page.goto(f"{site.url}/install").status == 401
    phone.complaints.clear()
    # A crew sees the board, and no links.
    crew = device(site.link("red"))
    crew.page.goto(f"{site.url}/board")
    expect(crew.page.locator("body")).to_have_attribute("data-ready", "yes")
    crew.shows("#access").to_be_hidden()


def test_figures_are_those_of_the_journal_and_lists_go_on_paper(site, device):
    board = device(site.board)
    total = len(site.served.site.cables)
    board.shows("#installed").to_have_text(f"0 of {total}")
    rows = site.served.site.rows
    values = [Value(key(row), end, "plugged", "as planned") for row in rows[:10] for end in "ab"]
    values.append(Value(key(rows[10]), "", "blocked", "=cmd|x"))
    with site.served.board() as own:
        record(own, values, crew="crew 1", phone="p")
    board.shows("#installed").to_have_text(f"10 of {total}")
    board.shows("[data-list=blocked] li").to_have_text("Cable 11: =cmd|x")
    with board.page.expect_download() as download:
        board.press("remaining-csv")
    lines = download.value.path().read_text("utf-8-sig").splitlines()
    assert len(lines) == 1 + total - 10
    assert "'=cmd|x" in lines[1:][[line.split(",")[2] for line in lines[1:]].index("11")]
    with board.page.expect_download() as download:
        board.press("export-journal")
    assert "'=cmd|x" in download.value.path().read_text()
    with board.page.expect_download() as download:
        board.press("remaining-pdf")
    assert download.value.path().read_bytes().startswith(b"%PDF")


def test_tasks_of_a_slow_crew_are_given_to_another_one(site, device):
    floor = Floor(site.journal, site.served.site)
    cables = sorted(site.served.site.cables.values(), key=lambda cable: cable.task)
    for crew in (1, 2, 3):
        for cable in [cable for cable in cables if cable.crew == crew][:4]:
            # The second crew takes five times as long as the others.
            step_s = (cable.pull_s + cable.plug_s) / 3 * (5 if crew == 2 else 1)
            for field, value, end in (("pulled", "yes", ""), ("plugged", "as planned", "a"), ("plugged", "as planned", "b")):
                floor.does(cable.number, field, value, end, crew=f"crew {crew}", after_s=step_s)
    moved = replan.replanned(floor.board).moved[0]
    phone = device(site.link(f"crew {moved.to_crew}"))
    phone.at("#list=tasks")
    task = f"#page a[href='#task={moved.task}']"
    phone.shows("#page .rows a >> nth=0").to_be_visible()
    phone.shows(task).to_have_count(0)
    board = device(site.board)
    board.shows("#moved li >> nth=0").to_contain_text(f"Task {moved.task}")
    board.press("give")
    phone.shows(task).to_contain_text(f"planned for crew {moved.from_crew}")
    board.shows("#moved li").to_have_count(0)
    # The list on paper has it under the crew that has it now.
    lines = csv.DictReader(
        io.StringIO(board.page.request.get(f"{site.url}/api/board/remaining.csv").text().removeprefix("\ufeff"))
    )
    assert {line["crew"] for line in lines if line["task"] == str(moved.task)} == {str(moved.to_crew)}


def test_moves_of_a_verification_are_cards_on_the_phones(verified_site, device):
    known = answer("sf-mixed")
    board = device(verified_site.board, viewport={"width": 1280, "height": 900})
    board.page.set_input_files("#verify-files", DATA / "sf-mixed" / "ibnetdiscover.txt")
    board.press("verify-send")
    board.shows("#verdict").to_contain_text("findings")
    cards = board.page.request.get(f"{verified_site.url}/api/verify/cards").json()["cards"]
    moves = [card for card in cards if card["kind"] == "move"]
    assert len(moves) == known["min_plug_moves"]
    phone = device(verified_site.link("crew 1"))
    phone.at("#list=moves")
    phone.shows("#page .movecard").to_have_count(len(cards))
    first = moves[0]
    phone.shows(f"[data-card='{first['card']}']").to_contain_text(first["label"])
    phone.press(f"moved-{first['card']}")
    phone.shows("#page .movecard").to_have_count(len(cards) - 1)
    phone.is_sent()
    (event,) = [event for _, event in verified_site.journal.events() if event.crew == "crew 1"]
    assert (event.field, event.end, event.value) == ("plugged", first["end"], "as planned")

    # The cards of the last verification are there after the board is opened again.
    board.page.reload()
    board.shows("#findings [data-card]").to_have_count(len(cards))
    # A wrong file is one message.
    board.page.set_input_files("#verify-files", [{"name": "x.txt", "mimeType": "text/plain", "buffer": b"nothing of a fabric"}])
    board.press("verify-send")
    board.shows("#verify-note").to_contain_text("x.txt")
    board.complaints.clear()
