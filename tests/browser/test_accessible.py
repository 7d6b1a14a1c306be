"""The pages of crews and foremen for everybody: contrast, names, sizes of targets, light and dark, on phones."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from planner.install.site.cables import key
from planner.install.site.writing import Value, record

pytestmark = pytest.mark.slow


@pytest.fixture
def busy(site):
    """A plan with something wrong, something blocked and a remark."""
    rows = site.served.site.rows
    values = [
        Value(key(rows[0]), "", "pulled", "yes"), Value(key(rows[0]), "a", "plugged", "R002 31"),
        Value(key(rows[1]), "", "blocked", "Cable is too short"), Value(key(rows[0]), "", "remark", "A remark"),
        *(Value(key(rows[2]), end, "plugged", "as planned") for end in "ab"), Value(key(rows[2]), "", "tested", "pass"),
    ]  # fmt: skip
    with site.served.board() as board:
        record(board, values, crew="crew 2", phone="earlier")
    return site


OPTIONS = {"resultTypes": ["violations"]}
CONTRAST = {**OPTIONS, "runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""What is checked again in the dark: colors are the only difference."""


def severe(page, scheme: str) -> list[str]:
    """Return the serious and critical findings of axe-core."""
    # Rows of a list are alike.
    page.evaluate("() => document.querySelectorAll('.rows > li:nth-child(n + 7)').forEach((row) => row.remove())")
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("options => axe.run(options)", CONTRAST if scheme == "dark" else OPTIONS)["violations"]
    found = [each for each in found if each["impact"] in ("serious", "critical")]
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]


SMALL = """
() => Array.from(document.querySelectorAll("a, button, input, select, textarea, summary"))
  .filter((each) => each.checkVisibility() && !each.closest(".hidden, .note") && !each.classList.contains("hidden"))
  .map((each) => [each.type === "checkbox" ? each.closest("label") : each, each.outerHTML.slice(0, 100)])
  .filter(([each]) => each.getBoundingClientRect().height < 43.5 || each.getBoundingClientRect().width < 43.5)
  .map(([, words]) => words)
"""


FRAGMENTS = {
    "#list=tasks": ".rows a", "#list=cabinet&cabinet=A01": ".rows a", "#list=devices&cabinet=A01": ".rows a",
    "#list=stages": ".shares", "#list=problems": ".rows a", "#task=1": ".rows a", "#find": ".keypad", "#record": ".facts",
    "#device=R000": "#installed", "#cable=1&end=a": ".banner", "#cable=3": "#in-a.done",
}  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.nightly)])
def test_the_page_of_a_crew(busy, device, scheme):
    phone = device(busy.link("crew 1"), color_scheme=scheme)
    for fragment, shown in FRAGMENTS.items():
        phone.at(fragment)
        phone.shows(f"#page {shown} >> nth=0").to_be_visible()
        fits(phone.page, scheme, fragment)
    phone.page.locator("#more summary").click()
    phone.press("pulled")
    phone.shows("#notice").to_be_visible()
    fits(phone.page, scheme, "more")
    phone.press("problem")
    phone.shows("#dialog").to_be_visible()
    fits(phone.page, scheme, "problem")


def fits(page, scheme, where):
    """Check a page of a phone: findings of axe-core, sizes of what is touched, and whether anything is cut off."""
    assert severe(page, scheme) == [], where
    assert page.evaluate(SMALL) == [], where
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_board(busy, device, scheme):
    board = device(busy.board, color_scheme=scheme, viewport={"width": 1280, "height": 900})
    board.page.fill("#link-crew", "crew 1")
    board.press("make-link")
    board.shows("#link-url").to_be_visible()
    for width in (1280, 390):
        board.page.set_viewport_size({"width": width, "height": 844})
        assert severe(board.page, scheme) == [], width
        assert board.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
