"""The crews' phones: what they load, what they record, and what they scan."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from planner.core.errors import InputError, Problem
from planner.core.names import fault
from planner.install.serve.door import Answer, Call, Denied, Door
from planner.install.serve.limits import require_share
from planner.install.serve.pages import page, static
from planner.install.serve.served import Served
from planner.install.site import codes, phones, photos
from planner.install.site.fields import MAX_TEXT
from planner.install.site.journal import MAX_BATCH

_CODES = 10
"""Maximum number of codes of a photo that are returned."""

_EVENTS = 2000
"""Maximum number of events of a history."""

_EVENT_BYTES = 3000
"""Mean size of the events of a large batch."""


class Facts:
    """What phones load once, compressed."""

    follows_plan = True

    def __init__(self, served: Served):
        text = json.dumps(phones.facts(served.planned, served.site), ensure_ascii=False, separators=(",", ":"))
        self.answer = static(text.encode(), "application/json")


def install(served: Served, call: Call) -> Answer:
    """Return the page of the crews."""
    return page("install")


def cables(served: Served, call: Call) -> Answer:
    """Return the cables of the plan."""
    return served.kept(Facts).answer


def state(served: Served, call: Call) -> dict[str, Any]:
    """Return the state of all cables, a page of it."""
    with served.board() as board:
        return phones.state(board, page=call.query.get("page", ""))


def changes(served: Served, call: Call) -> dict[str, Any]:
    """Return the state of the cables that events after a sequence number are about."""
    after, mark = call.whole("after"), call.query.get("mark", "")
    with served.board() as board:
        return phones.state(board, after, mark[:40], call.query.get("page", ""))


def record(served: Served, call: Call) -> dict[str, Any]:
    """Record events; the answer means that new and known ones are on the disk."""
    content = call.json()
    batch = content.get("events") if isinstance(content, dict) else None
    if not isinstance(batch, list) or len(batch) > MAX_BATCH:
        raise InputError(Problem("events", f"is not a list of up to {MAX_BATCH:,} events", "send them in parts"))
    require_share(served.rates, call.crew, len(batch))
    receipt = phones.append(served.journal, served.site, batch, crew=call.crew, role=call.role)
    return {
        "clock": receipt.clock, "seq": served.journal.last, "new": receipt.new, "known": receipt.known,
        "refused": phones.refusals(receipt.refused),
    }  # fmt: skip


def history(served: Served, call: Call) -> dict[str, Any]:
    """Return all events of a cable, or of a device, by their clocks: of very many the last ones."""
    if "device" in call.query:
        events = phones.history_of_device(served.journal, codes.device(served.site, call.query["device"]))
    else:
        row = served.site.by_number.get(call.whole("cable"))
        if row is None:
            raise Denied(404, Problem("cable", "is not in the plan", "give the number of a cable"))
        events = phones.history(served.journal, row)
    names = ("id", "crew", "phone", "clock", "written", "end", "field", "value", "undoes", "received")
    return {"columns": names, "events": [[getattr(each, name) for name in names] for each in events[-_EVENTS:]]}


def keep_photo(served: Served, call: Call) -> dict[str, str]:
    """Keep a photo; its id is the value of an event `photo`. Where there is no room the phone keeps it, and sends it later."""
    try:
        return {"id": photos.keep(served.journal, call.body, crew=call.crew, limits=served.options.photos)}
    except photos.Full as error:
        raise Denied(507, error.problem, {"Retry-After": "60"}) from None


def photo(served: Served, call: Call) -> Answer:
    """Return a photo."""
    found = photos.read(served.journal, call.parts["id"])
    if found is None:
        raise Denied(404, Problem("photo", "is not here, or not yet", "look again later"))
    headers = {"Cache-Control": "private, max-age=31536000, immutable", "Content-Disposition": "inline"}
    return Answer(found[0], found[1], headers=headers)


def scan(served: Served, call: Call) -> dict[str, Any]:
    """Return the cable and the end that a photo of a code, or the text of one, names."""
    if call.media.partition(";")[0].strip() == "application/json":
        content = call.json()
        text = content.get("text") if isinstance(content, dict) else None
        if not isinstance(text, str):
            raise InputError(Problem("text", "is not text", "send the text of a code"))
        return codes.read(served.site, text)._asdict()
    return codes.read(served.site, _photographed(call.body)[0])._asdict()


def texts(served: Served, call: Call) -> dict[str, Any]:
    """Return the texts of all codes on a photo, such as the serial number on a device; bar codes too."""
    return {"texts": [text[:MAX_TEXT] for text in _photographed(call.body)[:_CODES] if not fault(text)]}


def _photographed(photo: bytes) -> list[str]:
    try:
        found = codes.photographed(photo)
    except ModuleNotFoundError:
        remedy = "type what is on the label, or install the package zxing-cpp where planner serve runs"
        raise Denied(501, Problem("photo", "codes on photos cannot be read here", remedy)) from None
    if not found:
        raise InputError(
            Problem("photo", "shows no code that can be read", "go closer, hold still, or type what is on the label")
        )
    return found


def opened(served: Served, call: Call) -> Answer:
    """Lead from the address on a label to the cable on the page of the crews."""
    found = codes.read(served.site, call.parts["code"])
    return Answer(b"", "text/plain", 303, headers={"Location": f"/install#cable={found.cable}{found.end.upper()}"})


def opened_device(served: Served, call: Call) -> Answer:
    """Lead from the address on a device to the device on the page of the crews."""
    name = codes.device(served.site, call.parts["name"])
    return Answer(b"", "text/plain", 303, headers={"Location": f"/install#device={quote(name, safe='')}"})


def task(served: Served, call: Call) -> Answer:
    """Lead from the address on the sheet of a task to its cables on the page of the crews."""
    code = call.parts["code"]
    if not (code.isascii() and code.isdigit() and len(code) < 8):
        raise Denied(404, Problem("task", "is not the number of a task", "scan it again, or find the task in the list"))
    return Answer(b"", "text/plain", 303, headers={"Location": f"/install#task={int(code)}"})


ROUTES = [
    Door("GET", "/install", install),
    Door("GET", "/c/{code}", opened),
    Door("GET", "/C/{code}", opened),
    Door("GET", "/d/{name:path}", opened_device),
    Door("GET", "/D/{name:path}", opened_device),
    Door("GET", "/t/{code}", task),
    Door("GET", "/T/{code}", task),
    Door("GET", "/api/install/cables", cables),
    Door("GET", "/api/install/state", state),
    Door("GET", "/api/install/events", changes),
    Door("POST", "/api/install/events", record, "crew", body_bytes=MAX_BATCH * _EVENT_BYTES, threads="record"),
    Door("GET", "/api/install/history", history),
    Door("POST", "/api/install/photo", keep_photo, "crew", body_bytes=photos.MAX_BYTES, body_s=120, threads="record"),
    Door("GET", "/api/install/photo/{id}", photo),
    Door("POST", "/api/install/scan", scan, body_bytes=photos.MAX_BYTES, body_s=120, threads="heavy"),
    Door("POST", "/api/install/scan/texts", texts, "crew", body_bytes=photos.MAX_BYTES, body_s=120, threads="heavy"),
]
