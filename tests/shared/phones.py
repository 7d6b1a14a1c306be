"""Phones and boards in a browser, as crews use them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import expect

PHONE = {"width": 390, "height": 844}

_NO_CONNECTION = re.compile(r"net::ERR_(INTERNET_DISCONNECTED|CONNECTION_\w+|EMPTY_RESPONSE|NETWORK_CHANGED|FAILED)")

_OFTEN = "{ const real = setTimeout; window.setTimeout = (act, ms, ...more) => real(act, ms === 3000 ? 300 : ms, ...more); }"
"""Pages poll ten times as often as at work."""

_DRAWN = "() => new Promise((drawn) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(drawn))))"
"""Until a frame is drawn after what was pressed last."""

WAIT_MS = 30_000
"""Machines are busy, and phones wait between attempts."""


@dataclass(frozen=True)
class Device:
    """A page in a context of its own, and what its console complained about."""

    page: Any
    context: Any
    complaints: list[str]

    def shows(self, selector: str) -> Any:
        """Return the expectation of an element, with patience."""
        return expect(self.page.locator(selector))

    def at(self, fragment: str) -> None:
        """Go to a fragment of the page."""
        self.page.evaluate("fragment => { location.hash = fragment; }", fragment)

    def cable(self, number: int, end: str = "") -> None:
        """Open a cable."""
        self.at(f"#cable={number}&end={end}")
        self.shows("h1").to_contain_text(f"Cable {number} ")

    def press(self, *ids: str) -> None:
        """Press buttons, each by its id."""
        for each in ids:
            self.page.locator(f"#{each}").click()

    def install(self, number: int) -> None:
        """Pull a cable, and plug both ends in."""
        self.cable(number)
        self.press("pulled", "in-a", "in-b")
        self.shows("#step").to_have_text("both ends")

    def is_sent(self) -> None:
        """Wait until the server has everything that was recorded before."""
        # The page draws what a click has recorded in its next frame: until then it shows what was there before.
        self.page.evaluate(_DRAWN)
        self.shows("#sync").to_have_text("all sent")


def opener(chromium: Callable[..., Any], devices: list[Device]) -> Callable[..., Device]:
    """Return a function that opens an address on a new device; a phone unless another size is given."""
    expect.set_options(timeout=WAIT_MS)

    def open_device(address: str, *, script: str = "", arguments: tuple[str, ...] = (), **options: Any) -> Device:
        context = chromium(*arguments).new_context(**{"viewport": PHONE, **options})
        context.set_default_timeout(WAIT_MS)
        context.add_init_script(_OFTEN + script)
        made = Device(context.new_page(), context, [])
        heard = made.complaints.append
        made.page.on("console", lambda line: heard(line.text) if line.type in ("error", "warning") else None)
        made.page.on("pageerror", lambda error: heard(str(error)))
        made.page.goto(address)
        expect(made.page.locator("body")).to_have_attribute("data-ready", "yes")
        devices.append(made)
        return made

    return open_device


def complaints(devices: list[Device]) -> list[str]:
    """Return what consoles complained about, but for requests without a connection."""
    return [text for each in devices for text in each.complaints if not _NO_CONNECTION.search(text)]
