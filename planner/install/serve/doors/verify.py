"""Verification from the browser: discovery files, moves as work cards, and acceptance."""

from __future__ import annotations

import hashlib
import threading
from typing import Any

from planner.core.errors import InputError, Problem
from planner.fabric.verify.outputs import content
from planner.fabric.verify.worklist import worklist
from planner.install.serve.door import Call, Denied, Door
from planner.install.serve.served import Served
from planner.install.site import acceptance, phones, scan

UPLOAD_BYTES = 64_000_000
"""Maximum size of the discovery files of one scan together."""


class Running:
    """One verification runs at a time."""

    def __init__(self, served: Served):
        self.lock = threading.Lock()


def verify(served: Served, call: Call) -> dict[str, Any]:
    """Compare uploaded discovery files with the plan, and record the state of every link."""
    running = served.kept(Running).lock
    if not running.acquire(blocking=False):
        raise Denied(409, Problem("files", "another verification runs", "wait for its end"), {"Retry-After": "10"})
    try:
        files = [(each.name, each.content) for each in call.uploads]
        with served.board() as board:
            planned, site = served.planned, board.site
        found = scan.verified_uploads(planned, files)
        source = b"".join(file for _, file in files)
        with served.board() as board:
            if board.site is not site:
                raise Denied(409, Problem("files", "the plan has changed meanwhile", "send them again"))
            receipt = scan.record_scan(board, found, source)
        name = hashlib.sha256(source).hexdigest()[:16]
        made = worklist(found)
        scan.keep_cards(served.journal, name, made, crew=call.crew, plan=site.revision, clock=receipt.clock)
        return {"scan": name, "new": receipt.new, "known": receipt.known, **content(found), "cards": made}
    finally:
        running.release()


def cards(served: Served, call: Call) -> dict[str, Any]:
    """Return the work cards of the last verification of this revision of the plan; none before."""
    return scan.cards(served.journal, served.site.revision)


def accept(served: Served, call: Call) -> dict[str, Any]:
    """Accept cables: those listed, or ``"right"``: all whose link is up with nothing wrong."""
    wanted = call.json()
    cables = wanted.get("cables") if isinstance(wanted, dict) else None
    if cables != "right" and not (
        isinstance(cables, list) and all(isinstance(each, int) and not isinstance(each, bool) for each in cables)
    ):
        raise InputError(Problem("cables", 'is neither "right" nor a list of numbers', "correct it"))
    with served.board() as board:
        numbers = acceptance.acceptable(board) if cables == "right" else cables
        receipt = acceptance.accept(board, numbers, crew=call.crew)
    return {"clock": receipt.clock, "accepted": receipt.new, "refused": phones.refusals(receipt.refused)}


ROUTES = [
    Door("POST", "/api/verify", verify, "planner", body_bytes=UPLOAD_BYTES, body_s=300, form=True, threads="heavy"),
    Door("GET", "/api/verify/cards", cards),
    Door("POST", "/api/verify/accept", accept, "foreman"),
]
