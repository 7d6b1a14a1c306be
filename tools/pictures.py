"""Make the pictures of README and docs from finished plans: python tools/pictures.py [FOLDER]

``make pictures`` runs the studies first. Floor and web pages are pictures by headless Chromium, sheets by the PDF library of the
tests; pages of phones and of the foreman are served as in the tests. FOLDER is docs/images unless given.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from planner import formats
from planner.domain import stored
from planner.domain.model import Plan

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"

HALL, HALLS = ROOT / "reports" / "polarstar-1064", ROOT / "reports" / "dragonfly-two-halls"
"""Plans of the pictures."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
"""Names of the browser, unless the variable CHROMIUM has its path."""

SHARP = 2.5
"""Pixels of a picture for each pixel of its size on the page."""

_COLORS = 256


@contextmanager
def browser() -> Iterator[Any]:
    """Yield headless Chromium."""
    from playwright.sync_api import sync_playwright

    found = os.environ.get("CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        raise SystemExit("pictures need Chromium: apt-get install chromium")
    with sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield made
        made.close()


def floor(plan: Plan, path: Path, chromium: Any, scale: int) -> None:
    """Take a picture of the floor at 1:`scale`, with row letters, scale bar and legend."""
    with tempfile.TemporaryDirectory() as folder:
        drawing = formats.write(plan, Path(folder), "svg_floor", scale=scale, routes=0, shade="use")
        page = chromium.new_page(device_scale_factor=SHARP, viewport={"width": 1600, "height": 2400})
        page.goto(drawing.as_uri())
        _save(path, page.locator("svg").screenshot())
        page.close()


def web_page(plan: Plan, path: Path, chromium: Any, fragment: str, size: tuple[int, int] = (1180, 760)) -> None:
    """Take a picture of the web page at an address, such as ``#cabinet=A05``, once its floor is drawn."""
    with tempfile.TemporaryDirectory() as folder:
        content = formats.write(plan, Path(folder), "html")
        page = chromium.new_page(device_scale_factor=1.5, viewport={"width": size[0], "height": size[1]})
        page.goto(content.as_uri() + fragment)
        page.locator("#plan-canvas[data-scenes]").wait_for()
        page.wait_for_timeout(500)
        _save(path, page.screenshot())
        page.close()


def edited(folder: Path, path: Path, chromium: Any, address: str, act: Callable[[Any], None]) -> None:
    """Take a picture of a page on which the plan in a folder is edited, after something was done there."""
    sys.path += [place for name in ("tests", "examples") if (place := str(ROOT / name)) not in sys.path]
    from shared.serving import serving

    from planner.fabric import baseline

    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "plan"
        shutil.copytree(folder, copy)
        with serving(baseline.read(copy), copy / "site.db") as found:
            page = chromium.new_page(device_scale_factor=1.5, viewport={"width": 1180, "height": 760})
            page.goto(found.link("planner", "planner"))
            page.goto(f"{found.url}{address}")
            act(page)
            _save(path, page.screenshot())
            page.close()


def _move_cabinet(page: Any) -> None:
    """Move the first cabinet to the next slot above it."""
    page.locator("#message", has_text="Drag a cabinet").wait_for(timeout=120_000)
    page.locator(".cabinet").first.focus()
    page.keyboard.press("ArrowUp")
    page.locator("#message", has_text="cabinet").and_(page.locator("#message", has_text=" ms)")).wait_for(timeout=120_000)


def _choose_tray(page: Any) -> None:
    """Choose the last tray."""
    page.locator("#message", has_text="Drag rows").wait_for(timeout=120_000)
    page.locator(".thing.tray").last.focus()


@contextmanager
def _installing(plan: Plan, cables: int) -> Iterator[Any]:
    """Serve a plan while three crews install its first cables; one plug is in a wrong port, one cable is blocked."""
    sys.path += [path for name in ("tests", "examples") if (path := str(ROOT / name)) not in sys.path]
    from installation import installed
    from shared.serving import serving

    from planner.fabric.baseline import Planned
    from planner.view import schedule

    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Planned(schedule.of_plan(plan), Path(plan.name), plan), Path(folder) / "site.db") as found,
    ):
        site, journal = found.served.site, found.journal
        start = journal.clock - 2 * 3600 * 10**6
        order = sorted(site.cables.values(), key=lambda cable: (cable.task, cable.number))
        for crew in range(1, 4):
            own = [cable for cable in order if cable.crew == crew]
            for place, cable in enumerate(own[: cables // 3]):
                other = own[place + 1].rows[0].b
                port = f"{other.device} {other.port}" if (crew, place) == (2, 5) else "as planned"
                events = installed(site, cable, crew, start + place * (80 + 40 * (crew == 3)) * 10**6, port)
                if (crew, place) == (1, 8):
                    blocked = {**events[0], "id": str(uuid4()), "field": "blocked", "value": "Cable is too short"}
                    events = [events[0], blocked]
                journal.append(events, crew=f"crew {crew}", role="crew")
        yield found


def phones(plan: Plan, path: Path, chromium: Any, cables: int = 240) -> None:
    """Take a picture of four phones of a crew: its tasks, a cable, the keypad, and a device."""
    from PIL import Image

    with _installing(plan, cables) as found:
        context = chromium.new_context(device_scale_factor=2, viewport={"width": 390, "height": 780})
        page = context.new_page()
        page.goto(found.link("crew 1"))
        page.locator("body[data-ready]").wait_for()
        screens = [page.screenshot()]
        own = [cable for cable in found.served.site.cables.values() if cable.crew == 1]
        own.sort(key=lambda cable: (cable.task, cable.number))
        page.goto(f"{found.url}/install#cable={own[cables // 3 + 1].number}&end=b")
        for button in ("pulled", "in-a"):
            page.locator(f"#{button}").click()
            page.locator(f"#{button}.done").wait_for()
        page.locator("#sync.done").wait_for()
        screens.append(page.screenshot())
        page.goto(f"{found.url}/install#find")
        for key in "137A":
            page.locator(f"#key-{key}").click()
        screens.append(page.screenshot())
        page.goto(f"{found.url}/install#device={quote(own[0].rows[0].a.device)}")
        page.locator("#installed").click()
        page.fill("#serial", "MT2042X01937")
        page.locator("form:has(#serial) .save").click()
        page.locator("#page .recorded").get_by_text("MT2042X01937").wait_for()
        page.locator("#sync.done").wait_for()
        screens.append(page.screenshot())
        context.close()
    pictures = [Image.open(io.BytesIO(each)) for each in screens]
    gap, (width, height) = 30, pictures[0].size
    whole = Image.new("RGB", (len(screens) * (width + gap) + gap, height + 2 * gap), "#bcc4ca")
    for place, each in enumerate(pictures):
        whole.paste(each, (gap + place * (width + gap), gap))
    _save(path, whole)


def board(plan: Plan, path: Path, chromium: Any, cables: int = 240) -> None:
    """Take a picture of the foreman's board."""
    with _installing(plan, cables) as found:
        page = chromium.new_page(device_scale_factor=1.5, viewport={"width": 1180, "height": 1000})
        page.goto(found.board)
        page.locator("body[data-ready]").wait_for()
        page.locator("#links tbody tr").first.wait_for()
        _save(path, page.screenshot())
        page.close()


def sheets(plan: Plan, path: Path, words: tuple[str, ...], count: int = 1, dots_per_inch: int = 100, **options: Any) -> None:
    """Take a picture of the first sheets of the cabling report from the one whose text has all words."""
    import pypdfium2
    from PIL import Image

    with (
        tempfile.TemporaryDirectory() as folder,
        pypdfium2.PdfDocument(formats.write(plan, Path(folder), "pdf", **options)) as file,
    ):
        texts = (page.get_textpage().get_text_range() for page in file)
        first = next(number for number, text in enumerate(texts) if all(word in text for word in words))
        found = [file[number].render(scale=dots_per_inch / 72).to_pil() for number in range(first, first + count)]
    width, height = sum(each.width for each in found), max(each.height for each in found)
    whole = Image.new("RGB", (width, height), "white")
    left = 0
    for each in found:
        whole.paste(each, (left, 0))
        left += each.width
    _save(path, whole)


def _save(path: Path, picture: Any) -> None:
    """Write a picture, or the bytes of one, with few colors: files in the repository are small."""
    from PIL import Image

    opened = Image.open(io.BytesIO(picture)) if isinstance(picture, bytes) else picture
    opened.convert("RGB").quantize(_COLORS, dither=Image.Dither.NONE).save(path, format="PNG", optimize=True)


PICTURES: dict[str, tuple[Path, Callable[[Plan, Path, Any], None]]] = {
    "hall-a": (HALL, lambda plan, path, chromium: floor(plan, path, chromium, scale=280)),
    "web-page": (HALL, lambda plan, path, chromium: web_page(plan, path, chromium, "#cabinet=A05")),
    "planning": (HALL, lambda plan, path, chromium: edited(HALL, path, chromium, "/planning", _move_cabinet)),
    "rooms": (HALL, lambda plan, path, chromium: edited(HALL, path, chromium, "/rooms", _choose_tray)),
    "phones": (HALLS, phones),
    "board": (HALLS, board),
    "report-floor": (HALLS, lambda plan, path, _: sheets(plan, path, ("Floor plan:", "Scale 1:"), paper="a4")),
    "report-cabinet": (HALLS, lambda plan, path, _: sheets(plan, path, ("Cabinet A03", "front"), 2, cabinet="A03")),
}
"""The folder of the plan, and what takes the picture."""


def main(folder: Path = IMAGES) -> None:
    """Make all pictures."""
    plans = {place: stored.restore(place) for place, _ in PICTURES.values()}
    with browser() as chromium:
        for name, (place, take) in PICTURES.items():
            take(plans[place], folder / f"{name}.png", chromium)
            print(folder / f"{name}.png")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
