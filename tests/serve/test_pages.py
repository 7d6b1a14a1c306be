"""Files of the pages: everything that a page loads is served, and a service worker knows all of it."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath

import pytest

from planner.install.serve import pages

CREWS = ("install", "board", "throughput")


def references(name: str) -> set[str]:
    """Return the addresses below /static/ that a file loads."""
    text = pages.table()[name].content.decode()
    folder = PurePosixPath(name).parent
    found = set(re.findall(r"[\"(]/static/([\w./-]+)", text))
    for path in re.findall(r"from \"(\.{1,2}/[\w./-]+)\"", text):
        own = folder
        for part in PurePosixPath(path).parts:
            own = own.parent if part == ".." else own / part
        found.add(str(own))
    return found


def loaded(name: str) -> set[str]:
    """Return all files that a page loads, directly or not."""
    found, waiting = set(), {name}
    while waiting:
        found |= waiting
        waiting = {other for each in waiting if not each.endswith(".svg") for other in references(each)} - found
    return found


@pytest.mark.parametrize("page", CREWS)
def test_pages_load_only_what_is_served_and_run_no_inline_code(page):
    assert loaded(f"{page}/index.html") <= pages.table().keys()
    text = pages.page(page).content.decode()
    assert not re.search(r"<script>|<style>|\bon\w+=|\bstyle=|https?://", text)


def test_the_worker_knows_the_files_of_its_page(monkeypatch):
    worker = pages.table()["install/worker.js"]
    assert worker.headers["Service-Worker-Allowed"] == "/"
    head = worker.content.decode().partition("\n")[0]
    files = {name.removeprefix("/static/") for name in json.loads(re.search(r"FILES = (\[.*\]);", head)[1])}
    assert loaded("install/index.html") - {"install/index.html", "install/worker.js"} <= files <= pages.table().keys()
    # A file with other content makes another worker, so that browsers load everything again.
    monkeypatch.setattr(pages.palette, "css", lambda: ":root { --paper: #fff; }")
    other = pages.table.__wrapped__()["install/worker.js"].content.decode().partition("\n")[0]
    assert other != head
    assert other.partition("FILES")[2] == head.partition("FILES")[2]
