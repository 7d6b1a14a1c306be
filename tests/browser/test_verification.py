"""The web page of a verified fabric."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from planner.fabric.verify import outputs
from planner.fabric.verify.result import Finding, Identity, Move, Plugged, Verification
from planner.view import schedule

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found(plan) -> Verification:
    """Two cables of one router exchanged, and one missing."""
    rows = schedule.of_plan(plan)
    first = rows[0]
    second = next(row for row in rows[1:] if row.a.device == first.a.device)
    dark = rows[-1]
    ports = [Plugged(end.device, end.port) for row in (first, second) for end in row.ends]
    wrong = [(ports[0], ports[3]), (ports[2], ports[1])]
    moves = [
        Move(
            1, first.a.device, second.a.port, first.a.device, first.a.port, first.number, "a", first.a.label, "scan it", 1, True
        ),
        Move(2, first.a.device, first.a.port, first.a.device, second.a.port, second.number, "a", second.a.label, "scan it", 1),
    ]
    open_link = (Plugged(dark.a.device, dark.a.port), Plugged(dark.b.device, dark.b.port))
    findings = [
        Finding("swapped pair", "two cables are exchanged <b>", tuple(ports), (first.number, second.number), (1, 2)),
        Finding("missing", "a cable is missing", open_link, (dark.number,)),
    ]
    return Verification(
        rows, len(rows) - 1, len(rows) - 3, wrong, [open_link], [], moves, [], [], findings, Identity({}), []
    )  # fmt: skip


@pytest.fixture(scope="module")
def page_path(plan, found, tmp_path_factory):
    folder = tmp_path_factory.mktemp("verified")
    assert folder / "verification.html" in outputs.write(found, folder, plan)
    return folder / "verification.html"


def test_the_page_opens_on_the_verification(opened, page_path, found):
    made = opened(page_path)
    expect(made.page.locator("#verdict .verdict").first).to_contain_text("2 findings in the fabric, 2 plug moves")
    expect(made.page.locator("#lists .tabs button").first).to_have_text("moves")
    expect(made.page.locator("#lists ul.rows a")).to_have_count(2)
    legend = made.page.locator("#legend")
    expect(legend).to_contain_text(f"right: {len(found.planned) - 3}")
    expect(legend).to_contain_text("wrong: 2")
    expect(legend).to_contain_text("dark: 1")
    expect(legend).to_contain_text("2 links that the plan lacks")


def test_a_move_shows_ports_label_and_neighbors(opened, page_path, found):
    made = opened(page_path, "#move=1")
    assert made.heading() == "Move 1"
    text = made.page.locator("#chosen").inner_text()
    assert found.moves[0].label in text
    assert "pull it and hold it" in text
    made.page.get_by_role("link", name="move 2 →").click()
    expect(made.page.locator("#chosen h2")).to_have_text("Move 2")


def test_findings_are_text_and_lead_to_their_moves(opened, page_path):
    made = opened(page_path, "#finding=1")
    assert made.heading() == "swapped pair"
    expect(made.page.locator("#chosen")).to_contain_text("two cables are exchanged <b>")
    made.page.locator("#chosen a[href*='move=2']").click()
    expect(made.page.locator("#chosen h2")).to_have_text("Move 2")


def test_lists_and_cables_are_filtered_by_state(opened, page_path):
    made = opened(page_path, "#verification=dark")
    expect(made.page.locator("#lists .note").first).to_contain_text("0 of 2 plug moves: verification dark")
    made.at("#verification=dark&list=findings")
    expect(made.page.locator("#lists ul.rows a")).to_have_count(1)
    made.at("#verification=wrong&view=tables&table=cables")
    expect(made.page.locator("#table tbody tr")).to_have_count(2)


def test_links_as_found_are_drawn_only_with_the_layer(opened, page_path):
    made = opened(page_path)
    canvas = made.page.locator("#plan-canvas")
    expect(canvas).to_have_attribute("data-scenes", re.compile("."))
    picture = "document.getElementById('plan-canvas').toDataURL()"
    before = made.page.evaluate(picture)
    scenes = canvas.get_attribute("data-scenes")
    made.at("#cables=none")
    expect(canvas).not_to_have_attribute("data-scenes", scenes)
    assert made.page.evaluate(picture) != before
    expect(made.page.locator("#legend")).not_to_contain_text("Fabric as found")
