"""Pages: each folder has an `index.html` and its styles, scripts and pictures; they are served as they are, without inline code.

The files are read once: ``/static/FOLDER/FILE`` is looked up in a table.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from planner.hall.scene import palette
from planner.install.serve.door import Answer

MEDIA = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".webmanifest": "application/manifest+json",
    ".wasm": "application/wasm", ".woff2": "font/woff2",
}  # fmt: skip
"""Media types by the ending of a file; other files are not served."""

WORKER = "worker.js"
"""Name of a service worker: it keeps the files of its folder and the shared ones, and may answer for all addresses."""

SHARED = "crew"
"""Folder of styles and scripts that several pages use."""

HEAD = "head.html"
"""File there with the lines that the heads of pages have in common; a comment names it where they belong."""

OF_PLAN = ("elements.js", "numbers.js", "frame.js", "elevation.css")
"""Files of the plan's own page that other pages use: those that need no data of the plan."""

WEB = "web"
"""Address of these files below ``/static/``."""

PALETTE = "palette.css"
"""The colors of `planner.hall.scene.palette` as variables of a style sheet."""


@cache
def table() -> dict[str, Answer]:
    """Return every file of every page by its address below ``/static/``."""
    found: dict[str, Answer] = {PALETTE: static(palette.css().encode(), MEDIA[".css"])}
    for name in OF_PLAN:
        content = (files("planner.formats.web") / name).read_bytes()
        found[f"{WEB}/{name}"] = static(content, MEDIA[name[name.rfind(".") :]])
    for folder in files(__name__).iterdir():
        if folder.is_dir() and not folder.name.startswith(("_", ".")):
            _add(found, folder, folder.name)
    for name in [name for name in found if name.endswith(f"/{WORKER}")]:
        found[name] = _worker(found, name)
    return found


def _add(found: dict[str, Answer], folder: Traversable, address: str) -> None:
    for file in folder.iterdir():
        name = f"{address}/{file.name}"
        if file.is_dir():
            _add(found, file, name)
        elif file.name == HEAD:
            continue
        elif file.name == "index.html":
            found[name] = static(_whole(file.read_bytes()), MEDIA[".html"])
        elif (ending := file.name[file.name.rfind(".") :]) in MEDIA:
            found[name] = static(file.read_bytes(), MEDIA[ending])


def _whole(page: bytes) -> bytes:
    """Return a page with the lines of its head that all pages have."""
    head = (files(__name__) / SHARED / HEAD).read_bytes()
    return page.replace(f"<!-- {SHARED}/{HEAD} -->\n".encode(), head)


def _worker(found: dict[str, Answer], name: str) -> Answer:
    """Return a service worker with the files that it keeps, and their version: browsers load them again when it changes."""
    folders = (name.removesuffix(WORKER), f"{SHARED}/", f"{WEB}/", PALETTE)
    kept = sorted(each for each in found if each.startswith(folders) and not each.endswith((f"/{WORKER}", ".html")))
    page = name.replace(WORKER, "index.html")
    version = hashlib.sha256("".join(found[each].etag for each in (*kept, name, page)).encode()).hexdigest()[:16]
    head = f"const VERSION = {json.dumps(version)}, FILES = {json.dumps([f'/static/{each}' for each in kept])};\n"
    return static(head.encode() + found[name].content, found[name].media, worker=True)


def static(content: bytes, media: str, *, worker: bool = False) -> Answer:
    """Return a file as an answer, with its tag, and compressed where that is smaller."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:24]}"'
    headers = {"Cache-Control": "no-cache"} | ({"Service-Worker-Allowed": "/"} if worker else {})
    zipped = gzip.compress(content, 6, mtime=0) if len(content) > 800 else content
    return Answer(content, media, etag=tag, headers=headers, gzipped=zipped if len(zipped) < 0.9 * len(content) else None)


def page(name: str) -> Answer:
    """Return the HTML of a page."""
    return table()[f"{name}/index.html"]
