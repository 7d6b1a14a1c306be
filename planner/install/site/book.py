"""The workbook of the plan: its yellow columns filled in from the journal, and read back into it."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem, suggestion
from planner.core.storage import replacing
from planner.domain.model import Plan
from planner.fabric import baseline
from planner.formats import workbook
from planner.formats.xlsx import write_filled
from planner.install.site.board import Board
from planner.install.site.cables import Place, Site, key
from planner.install.site.devices import DeviceStatus
from planner.install.site.fields import AS_PLANNED, FABRIC, MAX_TEXT
from planner.install.site.journal import Receipt
from planner.install.site.status import Status
from planner.install.site.writing import Value, record

_PHONE = "workbook"

_CELL = 32_000
"""Maximum number of characters that a cell takes, rounded down."""


def write_workbook(board: Board, plan: Plan, path: Path) -> None:
    """Write the workbook of the plan with what is in the journal."""
    status_of = {row.number: (status, row) for status in board.statuses.values() for row in status.cable.rows}

    def notes(sheet: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
        if sheet == "cables":
            return _of_cable(*status_of[row["cable"]])
        if sheet == "work" and row["kind"] == "cable" and row["cable"]:
            return _of_work(*status_of[row["cable"]], row["label_a"])
        if sheet in ("devices", "routers"):
            return _of_device(board, str(row["device" if sheet == "devices" else "router"]))
        return {}

    with replacing(path) as temporary:
        write_filled(plan, temporary, notes)


def _of_cable(status: Status, row: Any) -> dict[str, Any]:
    ends = [end for end in status.ends if end]
    last = max(ends, key=lambda end: end.order, default=None)
    found: dict[str, Any] = {
        "installed": status.is_plugged,
        "actual_mm": int(status.value("length_mm") or 0) or None,
        "remark": _remarks(status),
    }
    if last is not None and status.is_plugged:
        found |= {"installer": last.crew, "installed_on": _day(last.received)}
    for plug, register in zip(status.cable.plugs, status.ends, strict=True):
        if row.number in plug.rows and register is not None and register.value != AS_PLANNED:
            device, _, port = register.value.rpartition(" ")
            found |= {
                f"built_{plug.end}_device": device,
                f"built_{plug.end}_port": str(int(port) + plug.rows.index(row.number)),
            }
    return found


def _of_work(status: Status, row: Any, label_a: str) -> dict[str, Any]:
    """Return the ticks of a row of the work, whose first end may be the second of the cable."""
    sides = "ab" if label_a == row.a.label else "ba"
    found: dict[str, Any] = {"pulled": status.is_pulled, "tested": status.value("tested") == "pass"}
    for plug, register in zip(status.cable.plugs, status.ends, strict=True):
        if row.number in plug.rows:
            found[f"plugged_{'ab'[sides.index(plug.end)]}"] = register is not None
    crews = {end.crew: None for end in status.ends if end}
    return found | {"initials": ", ".join(crews)}


def _of_device(board: Board, device: str) -> dict[str, Any]:
    found = board.devices.get(device, DeviceStatus())
    remarks = [*found.remarks, *([f"blocked: {found.blocked}"] if found.blocked else [])]
    return {
        "installed": found.installed,
        "serial_number": found.serial,
        "asset_tag": found.asset_tag,
        "remark": "; ".join(remarks)[:_CELL],
    }


def _remarks(status: Status) -> str:
    remarks = [note.value for note in status.notes if note.field == "remark"]
    return "; ".join([*remarks, *([f"blocked: {status.blocked}"] if status.blocked else [])])[:_CELL]


def _day(clock: int) -> date:
    return datetime.fromtimestamp(clock / 1e6, UTC).date()


# -- import ---------------------------------------------------------------------------------------


def read_workbook(board: Board, path: Path, *, crew: str = "") -> Receipt:
    """Record what the crew filled in, as far as the journal does not have it; the same file is recorded once.

    The workbook may be that of an older revision of the plan: what it states is then carried over.

    Parameters
    ----------
    crew
        Crew of rows that name no installer; by default ``workbook``.

    Raises
    ------
    InputError
        With all problems of the workbook; nothing is recorded then.
    """
    book = workbook.read(path)
    if "cables" not in book.tables:
        raise InputError(Problem("", "has no sheet cables", "give the workbook of a plan with cables", str(path)))
    if problems := [*_unknown_ports(book, str(path))]:
        raise InputError(problems)
    site = Site.of(baseline.of_workbook(book, path))
    site.register(board.journal, by=crew or _PHONE)
    own = Board(board.journal, site)
    of_cables = list(_cables(own, book))
    # A tick states that an end is plugged in; the schedule where.
    stated = {(value.target, value.end) for value in of_cables if value.field == "plugged"}
    ticks = (value for value in _work(own, book) if value.field != "plugged" or (value.target, value.end) not in stated)
    values = [*of_cables, *ticks, *_devices(own, book)]
    source = hashlib.sha256(path.read_bytes()).hexdigest()
    receipt = record(own, dict.fromkeys(values), crew=crew or _PHONE, phone=_PHONE, source=source)
    board.refresh()
    return receipt


def _unknown_ports(book: workbook.Workbook, file: str) -> Iterator[Problem]:
    """Yield a problem for each plug in a port, or at a device, that the plan does not have.

    The sheet of ports lists all of them, but for the free ones of boxes that several endpoints share.
    """
    if "ports" not in book.tables:
        return
    ports: dict[str, set[str]] = defaultdict(set)
    boxes: dict[tuple[Any, Any], set[str]] = defaultdict(set)
    listed = book.tables["ports"].columns
    names = listed.get("port_name", listed["port"])
    for device, port, name, *box in zip(
        listed["device"], listed["port"], names, listed["cabinet"], listed["rack_unit"], strict=True
    ):
        ports[str(device)] |= {str(port), str(name)}
        boxes[tuple(box)].add(str(device))
    shared = {device for devices in boxes.values() if len(devices) > 1 for device in devices}
    columns = book.tables["cables"].columns
    for line, number in enumerate(columns["cable"]):
        for end in "ab":
            device = str(columns[f"built_{end}_device"][line] or columns[f"{end}_device"][line])
            port = str(columns[f"built_{end}_port"][line] or "")
            place = f"sheet cables, cable {number}, end {end.upper()} as built"
            if device not in ports:
                message = f"there is no device {device!r} in the plan"
                yield Problem(place, message, suggestion(device, ports) or "name a device of the plan", file)
            elif port and port not in ports[device] and device not in shared:
                last = max((int(each) for each in ports[device] if each.isdecimal()), default=0)
                message = f"{device} has no port {port!r}"
                yield Problem(place, message, f"write its number, 1 to {last}, or its name as printed", file)


def _cables(board: Board, book: workbook.Workbook) -> Iterator[Value]:
    columns = book.tables["cables"].columns
    places = {row.number: board.site.place(key(row)) for row in board.site.rows}
    port_of = {(end.device, end.printed): end.port for row in board.site.rows for end in row.ends}
    for line, number in enumerate(columns["cable"]):
        place = places[number]
        assert place is not None
        status = board.statuses[place.cable.number]
        row = {name: column[line] for name, column in columns.items()}
        crew = _crew(row["installer"])
        target = key(place.row)
        for end in "ab":
            if row["installed"] or row[f"built_{end}_port"] or row[f"built_{end}_device"]:
                plug = _built(row, place, end, port_of)
                if plug != _now(status, place, end):
                    yield Value(target, end, "plugged", plug, crew)
            if label := row[f"built_{end}_label"]:
                yield from _new_remark(status, target, end, f"label as built: {label}", crew)
            if cabinet := row[f"built_{end}_cabinet"]:
                yield from _new_remark(status, target, end, f"cabinet as built: {cabinet}", crew)
        if row["actual_mm"] and str(row["actual_mm"]) != status.value("length_mm"):
            yield Value(target, "", "length_mm", str(row["actual_mm"]), crew)
        yield from _new_remark(status, target, "", str(row["remark"] or ""), crew)


def _crew(cell: Any) -> str:
    """Return the crew that a cell names; empty where it names none, or the one of scans."""
    text = str(cell or "").strip()[:40]
    return "" if text == FABRIC else text


def _new_remark(status: Status, target: str, end: str, text: str, crew: str) -> Iterator[Value]:
    """Yield a remark that is not there yet, nor is the sum of those that are."""
    known = {note.value for note in status.notes} | {_remarks(status), ""}
    if text[:MAX_TEXT] not in known:
        yield Value(target, end, "remark", text[:MAX_TEXT], crew)


def _built(row: Mapping[str, Any], place: Place, end: str, port_of: Mapping[tuple[str, str], int]) -> str:
    """Return where a plug is: a port may be given as printed."""
    own = place.row.ends["ab".index(end)]
    device, port = row[f"built_{end}_device"] or own.device, str(row[f"built_{end}_port"] or own.port)
    number = port_of.get((device, port), port)
    return AS_PLANNED if (device, str(number)) == (own.device, str(own.port)) else f"{device} {number}"


def _now(status: Status, place: Place, end: str) -> str:
    for plug, register in zip(status.cable.plugs, status.ends, strict=True):
        if plug.end == end and place.row.number in plug.rows and register is not None:
            if register.value == AS_PLANNED:
                return AS_PLANNED
            device, _, port = register.value.rpartition(" ")
            return f"{device} {int(port) + plug.rows.index(place.row.number)}"
    return ""


def _work(board: Board, book: workbook.Workbook) -> Iterator[Value]:
    if "work" not in book.tables:
        return
    rows = {row.number: row for row in board.site.rows}
    installed = {number for number, done in book.tables["cables"].rows("cable", "installed") if done}
    names = ("kind", "cable", "label_a", "pulled", "plugged_a", "plugged_b", "tested", "initials")
    for kind, number, label_a, pulled, first, second, tested, initials in book.tables["work"].rows(*names):
        if kind != "cable" or number not in rows:
            continue
        place = board.site.place(key(rows[number]))
        assert place is not None
        status, target, crew = board.statuses[place.cable.number], key(rows[number]), _crew(initials)
        if pulled and not status.is_pulled:
            yield Value(target, "", "pulled", "yes", crew)
        for end, plugged in zip("ab" if label_a == rows[number].a.label else "ba", (first, second), strict=True):
            if plugged and not _now(status, place, end) and number not in installed:
                yield Value(target, end, "plugged", AS_PLANNED, crew)
        if tested and status.value("tested") != "pass":
            yield Value(target, "", "tested", "pass", crew)


def _devices(board: Board, book: workbook.Workbook) -> Iterator[Value]:
    name = next((name for name in ("devices", "routers") if name in book.tables), None)
    if name is None:
        return
    wanted = (name[:-1], "serial_number", "asset_tag", "installed", "remark")
    for device, serial, tag, installed, remark in book.tables[name].rows(*wanted):
        known = _of_device(board, device)
        if serial and serial != known["serial_number"]:
            yield Value(device, "device", "serial", str(serial)[:64])
        if tag and tag != known["asset_tag"]:
            yield Value(device, "device", "asset_tag", str(tag)[:50])
        if installed and not known["installed"]:
            yield Value(device, "device", "installed", "yes")
        if remark and remark != known["remark"]:
            yield Value(device, "device", "remark", str(remark)[:MAX_TEXT])
