"""The journal as files: JSON lines, from which it can be rebuilt, and CSV for spreadsheets."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem
from planner.core.names import fault
from planner.core.spreadsheet import Writer
from planner.core.storage import replacing
from planner.install.site import fields
from planner.install.site.event import MAX_CLOCK, Event, Refused, of_stranger
from planner.install.site.journal import MAX_AHEAD_US, Journal, Receipt

MAX_LINE = 20_000
"""Maximum number of bytes of a line."""

MAX_LINES = 20_000_000
_SHOWN = 20
_BATCH = 5000
_CABLE = ("plan", "target", "number", "label_a", "label_b", "part", "stock_mm")
COLUMNS = ("time", *Event._fields)
"""Columns of the CSV: when the server took the event, and the fields of `planner.install.site.event.Event`."""


def write_lines(journal: Journal, path: Path) -> int:
    """Write revisions of the plan, their cables and all events as JSON lines; return the number of events."""
    count = 0
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        for name, columns in (("plan", ("id", "received", "name")), ("cable", _CABLE)):
            for row in journal.query(f"SELECT {', '.join(columns)} FROM {name} ORDER BY 1, 2"):
                file.write(_line({"type": name, **dict(zip(columns, row, strict=True))}))
        for _, event in journal.events():
            file.write(_line({"type": "event", **event._asdict()}))
            count += 1
    return count


def write_csv(journal: Journal, path: Path) -> int:
    """Write all events as CSV, in which no text is a formula; return their number."""
    count = 0
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        rows = Writer(file)
        rows.writerow(COLUMNS)
        for _, event in journal.events():
            rows.writerow((day_and_time(event.received), *event))
            count += 1
    return count


def day_and_time(clock: int) -> str:
    """Return a clock as time of day, in UTC.

    >>> day_and_time(1_780_000_000_000_000)
    '2026-05-28 20:26:40'
    """
    return datetime.fromtimestamp(clock / 1e6, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False) + "\n"


def read_lines(journal: Journal, path: Path) -> Receipt:
    """Record the events of a file that `write_lines` wrote; those that the journal has are known.

    Raises
    ------
    InputError
        With all problems of the file; nothing is recorded then.
    """
    problems: list[Problem] = []
    content: dict[str, list[Any]] = {"plan": [], "cable": [], "event": []}
    for number, line in _lines(path):
        found = _content(line)
        if isinstance(found, str):
            problems.append(Problem("", found, "correct the line, or export the journal again", str(path), number))
            continue
        content[found[0]].append(found[1])
        if len(problems) >= _SHOWN:
            break
    plans = {row[0] for row in content["plan"]} | {row[0] for row in journal.query("SELECT id FROM plan")}
    if lost := {event.plan for event in content["event"]} - plans:
        problems.append(
            Problem("plan", f"{sorted(lost)[0]} is the plan of events, and has no line", "export it again", str(path))
        )
    if problems:
        raise InputError(problems)
    return take_over(journal, path.name, content["plan"], content["cable"], content["event"])


def take_over(journal: Journal, name: str, plans: Sequence[tuple], cables: Sequence[tuple], events: Sequence[Event]) -> Receipt:
    """Record revisions of the plan, their cables and events of another journal, which have been checked."""
    who = f"import {name[:100]}"
    journal.write(who, f"{len(cables)} cables", f"INSERT OR IGNORE INTO cable VALUES ({', '.join('?' * 7)})", cables)
    journal.write(who, f"{len(plans)} plans", "INSERT OR IGNORE INTO plan VALUES (?, ?, ?)", plans)
    new = known = 0
    refused: list[Refused] = []
    receipt = Receipt(journal.clock, 0, 0, ())
    for start in range(0, len(events), _BATCH):
        receipt = journal.record(events[start : start + _BATCH])
        new, known = new + receipt.new, known + receipt.known
        refused += receipt.refused
    return Receipt(receipt.clock, new, known, tuple(refused))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            for number in range(1, MAX_LINES + 1):
                line = file.readline(MAX_LINE + 1)
                if not line:
                    return
                if len(line) > MAX_LINE:
                    raise InputError(
                        Problem("", f"has more than {MAX_LINE:,} bytes in a line", "export it again", str(path), number)
                    )
                if line.strip():
                    yield number, line
    except OSError as error:
        raise InputError(Problem("", f"cannot be read: {error.strerror}", "check the name", str(path))) from None
    raise InputError(Problem("", f"has more than {MAX_LINES:,} lines", "import it in parts", str(path)))


def _content(line: bytes) -> tuple[str, Any] | str:
    """Return type and content of a line, or what is wrong with it."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return "is not JSON"
    return checked(found) if isinstance(found, dict) else "is not an object"


def checked(found: dict[str, Any]) -> tuple[str, Any] | str:
    """Return type and content of a line as decoded from JSON, or what is wrong with it."""
    match found.get("type"):
        case "event":
            return _event(found)
        case "plan":
            return _row(found, {"id": str, "received": int, "name": str}, "id")
        case "cable":
            kinds: dict[str, type] = {name: int if name in ("number", "stock_mm") else str for name in _CABLE}
            return _row(found, kinds, "plan")
    return "has no type: plan, cable or event"


def _event(found: dict[str, Any]) -> tuple[str, Event] | str:
    """Return an event that a server had taken."""
    crew, received = found.get("crew"), found.get("received")
    if not isinstance(crew, str) or not 0 < len(crew) <= 40 or fault(crew):
        return "crew is not a name of up to 40 characters"
    if not isinstance(received, int) or isinstance(received, bool) or not 0 < received <= MAX_CLOCK:
        return "received is not a clock"
    if received > time.time_ns() // 1000 + MAX_AHEAD_US:
        return "received is later than now: set the clock of this computer"
    role = fields.FABRIC if crew == fields.FABRIC else fields.ROLES[-1]
    event = of_stranger(found, crew, role)
    return event.reason if isinstance(event, Refused) else ("event", event._replace(received=received))


def _row(found: dict[str, Any], kinds: dict[str, type], plan: str) -> tuple[str, tuple] | str:
    for name, kind in kinds.items():
        value = found.get(name)
        if type(value) is not kind:
            return f"{name} is not {'text' if kind is str else 'a whole number'}"
        if isinstance(value, str) and (len(value) > 1000 or fault(value)):
            return f"{name} {fault(value) or 'has more than 1,000 characters'}"
        if isinstance(value, int) and not 0 <= value <= MAX_CLOCK:
            return f"{name} is out of bounds"
    if not re.fullmatch(r"[0-9a-f]{16}", found[plan]):
        return f"{plan} is not the revision of a plan"
    return found["type"], tuple(found[name] for name in kinds)
