"""Results of `planner verify` as events of the crew "fabric"."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from planner.core import children, scratch
from planner.core.errors import InputError, Problem
from planner.fabric.baseline import Planned
from planner.fabric.verify import verified
from planner.fabric.verify.result import Verification, states
from planner.install.site.board import Board
from planner.install.site.cables import key
from planner.install.site.fields import FABRIC
from planner.install.site.journal import Journal, Receipt
from planner.install.site.writing import Value, record

_LINK = {"right": "up", "wrong": "wrong", "dark": "dark", "unknown": "unknown"}
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


def record_scan(board: Board, found: Verification, source: bytes) -> Receipt:
    """Record the link of every compared row, serial numbers that plugs state, and findings by kind.

    Parameters
    ----------
    source
        Content of the discovery files, or what else identifies the scan: the same scan is recorded once.

    Raises
    ------
    InputError
        When too little of the scan fits the plan to conclude anything: nothing is recorded then.
    """
    if doubtful := [finding.text for finding in found.findings if finding.kind == "doubtful"]:
        remedy = "nothing was recorded: check that the files are of this plan"
        raise InputError(Problem("scan", f"is not of this plan, or states too little: {doubtful[0]}".rstrip("."), remedy))
    scan = hashlib.sha256(source).hexdigest()[:16]
    return record(board, _values(board, found), crew=FABRIC, phone=f"scan-{scan}", source=scan)


def _values(board: Board, found: Verification) -> Iterator[Value]:
    keys = {row.number: key(row) for row in board.site.rows}
    for number, state in states(found).items():
        yield Value(keys[number], "", "link", _LINK[state])
    for part in found.parts:
        for end, serial in zip("ab", part.serials, strict=True):
            if serial.strip() and part.cable in keys:
                yield Value(keys[part.cable], end, "serial", serial.strip()[:64])
    for finding in found.findings:
        for cable in finding.cables:
            if cable in keys:
                yield Value(keys[cable], "", "finding", finding.kind)


def keep_cards(journal: Journal, name: str, cards: list[dict[str, Any]], *, crew: str, plan: str, clock: int) -> None:
    """Keep the work cards of a verification: phones show the last ones, after a restart of the server too."""
    text = json.dumps({"scan": name, "plan": plan, "cards": cards, "clock": clock}, ensure_ascii=False)
    journal.write(
        crew,
        f"verification {name}, {len(cards):,} work cards",
        "INSERT OR REPLACE INTO scan VALUES (?, ?, ?)",
        [(name, clock, text)],
    )


def cards(journal: Journal, plan: str) -> dict[str, Any]:
    """Return the work cards of the last verification, none where it was of another revision of the plan.

    A move is done once its plug was recorded after `clock`.
    """
    found = journal.query("SELECT cards FROM scan ORDER BY clock DESC, id LIMIT 1")
    latest = json.loads(found[0][0]) if found else {}
    return latest if latest.get("plan") == plan else {"scan": "", "cards": [], "clock": 0}


def verified_uploads(plan: Planned, uploads: Sequence[tuple[str, bytes]]) -> Verification:
    """Verify discovery files that were uploaded: names as their senders state them, and contents.

    Raises
    ------
    InputError
        With all problems of the files, whose places begin with their names, or when they take too much time or memory: files of
        strangers are read in a process of their own.
    """
    if not uploads:
        raise InputError(Problem("files", "there is none", "choose the discovery files"))
    with scratch.folder() as folder:
        paths = []
        for number, (name, content) in enumerate(uploads):
            # Readers may take the name of a device from that of its file; no separator and no leading dot is left in it.
            path = folder / str(number) / (_UNSAFE.sub("_", name)[-80:].lstrip(".") or "file")
            path.parent.mkdir()
            path.write_bytes(content)
            paths.append(path)
        try:
            return children.bounded(verified, plan, paths)
        except children.TooMuch as error:
            raise InputError(Problem("files", f"their verification {error}", "send the files of one fabric")) from None
        except InputError as error:
            raise InputError(_named(each, folder) for each in error.problems) from None


def _named(problem: Problem, folder: Path) -> Problem:
    """Return a problem without the folder, and with the name and line of its file in its place."""
    file, message = (text.replace(f"{folder}/", "") for text in (problem.file, problem.message))
    at = f"{file.partition('/')[2]}:{problem.line}" if problem.line else file.partition("/")[2]
    return Problem(": ".join(part for part in (at, problem.place) if part), message, problem.remedy)
