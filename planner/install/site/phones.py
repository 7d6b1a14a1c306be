"""What phones load of a plan, and what they send: cables by their numbers, instead of the keys of the journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from planner.core.names import natural
from planner.core.units import stock_named
from planner.domain.model import TASK_KINDS, Plan
from planner.fabric.baseline import Planned, row_of
from planner.install.site.board import Board
from planner.install.site.cables import Site, key
from planner.install.site.event import Event, Refused
from planner.install.site.journal import MAX_BATCH, Journal, Receipt, Register
from planner.view.schedule import Connection
from planner.view.task_ends import task_ends

COLUMNS = (
    "number", "cable", "stage", "task", "crew", "network", "kind", "part", "medium", "length", "length_mm", "route", "trunk",
    "a_cabinet", "a_unit", "a_device", "a_port", "a_number", "a_label", "a_panel",
    "b_cabinet", "b_unit", "b_device", "b_port", "b_number", "b_label", "b_panel",
)  # fmt: skip
"""What phones know of each row: `cable` is the number of the first row of the same cable, `task` and `crew` are 0 without, ports
are as printed and by their numbers, which events name."""

DEVICE_COLUMNS = ("device", "cabinet", "unit", "role", "part")

TASK_COLUMNS = ("task", "crew", "stage", "kind", "cables", "begin_s", "end_s", "places")

EVENT_COLUMNS = ("cable", "end", "field", "value", "item", "clock", "phone", "id", "crew", "received")
"""Values of fields: `cable` is the number of the row, `item` the event of a remark, photo or finding."""

PAGE_BYTES = 400_000
"""Size from which on the state goes on on another page."""

NOTES = 100
"""Remarks, photos and findings of a cable or device that phones load; its history has all."""

STATUS_COLUMNS = ("cable", "step", "done", "wrong", "blocked", "new_labels")


def facts(planned: Planned, site: Site) -> dict[str, Any]:
    """Return what a crew needs of a plan and does not change: rows of the schedule with both ends, stages, places, tasks."""
    work = {row.number: (cable.number, cable.task, cable.crew) for cable in site.cables.values() for row in cable.rows}
    cables = []
    for row in site.rows:
        first, task, crew = work[row.number]
        ends = [(end.cabinet, end.unit, end.device, end.printed, end.port, end.label, end.panel) for end in row.ends]
        cables.append(
            [
                row.number, first, row.stage, task, crew, row.network, row.kind, row.part, row.medium,
                stock_named(row.stock_mm, " "), row.stock_mm, row.trays, row.trunk, *ends[0], *ends[1],
            ]
        )  # fmt: skip
    at_ends = {end.cabinet for row in site.rows for end in row.ends}
    cabinets = sorted(at_ends | {device.cabinet for device in site.devices.values()}, key=natural)
    return {
        "plan": site.revision,
        "name": site.name,
        "columns": COLUMNS,
        "cables": cables,
        "stages": list(dict.fromkeys(row.stage for row in site.rows)),
        "cabinets": cabinets,
        "rows": list(dict.fromkeys(row_of(name) for name in cabinets)),
        "crews": sorted({cable.crew for cable in site.cables.values()} - {0}),
        "device_columns": DEVICE_COLUMNS,
        "devices": [[name, *site.devices[name]] for name in sorted(site.devices, key=natural)],
        "task_columns": TASK_COLUMNS,
        "tasks": [] if planned.plan is None else _tasks(planned.plan, site),
    }


def _tasks(plan: Plan, site: Site) -> list[list[Any]]:
    """Return the tasks that install cables, in the order of work."""
    work = plan.work
    if work is None:
        return []
    cables: dict[int, int] = {}
    for cable in site.cables.values():
        cables[cable.task] = cables.get(cable.task, 0) + 1
    places = [f"inside {one}" if other == "inside" else f"{one} → {other}" for one, other in task_ends(plan)]
    return [
        [task, crew + 1, work.stage_names[stage], TASK_KINDS[kind], cables[task], begin_s, end_s, places[task - 1]]
        for task, (crew, stage, kind, begin_s, end_s) in enumerate(
            zip(*(column.tolist() for column in (work.crew, work.stage, work.kind, work.start_s, work.end_s)), strict=True), 1
        )
        if task in cables
    ]


def state(board: Board, after: int = 0, mark: str = "", page: str = "") -> dict[str, Any]:
    """Return the values of the fields of all cables that events after a sequence number are about, and their statuses.

    Whatever a phone has of such a cable or device is replaced. `seen` belongs into the events that are written with the
    knowledge of this state. Of remarks, photos and findings the last `NOTES` of a cable or device are there.

    Parameters
    ----------
    after, mark
        Sequence number and mark of the state that the phone has. With 0, or those of another journal, `whole` is true: this is
        everything. `other_journal` states the latter: the journal was restored from a copy, and may lack events that it has
        acknowledged. The phone sends its own again; those that are there are known.
    page
        The value of `next` of the page before; empty for the first one. The phone has the state of `seq` and `mark` of the first
        page when it has them all.
    """
    other = bool(after) and not (after <= board.seq and board.journal.has(after, mark))
    after = 0 if other else after
    if after:
        changed, names = board.changed(after)
    else:
        changed, names = {number for number in board.statuses if board.values_of(number)}, set(board.devices)
    numbers, devices, following = _paged(board, sorted(changed), sorted(names), page)
    return {
        "clock": board.journal.clock,
        "seen": board.seen,
        "seq": board.seq,
        "mark": board.mark,
        "plan": board.site.revision,
        "whole": not after,
        "other_journal": other,
        "next": following,
        "event_columns": EVENT_COLUMNS,
        "events": [line for lines in numbers.values() for line in lines],
        "status_columns": STATUS_COLUMNS,
        "cables": [_status(board, number) for number in numbers],
        "devices": devices,
    }


def _paged(board: Board, numbers: list[int], names: list[str], page: str) -> tuple[dict[int, list], dict[str, list], str]:
    """Return the values of cables by number and of devices by name on a page, and where the next one begins; "" at the end."""
    cables: dict[int, list] = {}
    devices: dict[str, list] = {}
    size = 0
    last, device = (numbers[-1] if numbers else 0, page[1:]) if page.startswith("d") else (_number(page), None)
    for number in numbers if device is None else ():
        if number > last:
            if size > PAGE_BYTES:
                return cables, devices, str(max(cables))
            cables[number] = [_value(row, end, each) for each, end, row in _latest(board.values_of(number))]
            size += _size(cables[number])
    for name in names:
        if device is None or name > device:
            if size > PAGE_BYTES:
                return cables, devices, f"d{max(devices, default='')}"
            found = [(each, "device", 0) for each in board.devices[name].values.values()]
            devices[name] = [_value(row, end, each) for each, end, row in _latest(found)]
            size += _size(devices[name])
    return cables, devices, ""


def _number(page: str) -> int:
    return int(page) if page.isascii() and page.isdigit() and len(page) < 10 else 0


def _latest(values: list[tuple[Register, str, int]]) -> list[tuple[Register, str, int]]:
    """Return the values of a cable or device, of entries that only grow in number the last ones."""
    notes = [value for value in values if value[0].item]
    if len(notes) <= NOTES:
        return values
    kept = {value[0].item for value in sorted(notes, key=lambda value: value[0].order)[-NOTES:]}
    return [value for value in values if not value[0].item or value[0].item in kept]


def _size(lines: list[list[Any]]) -> int:
    """Return about how many bytes the values have in JSON."""
    return sum(150 + len(line[3].encode()) for line in lines)


def _value(row: int, end: str, each: Register) -> list[Any]:
    return [row, end, each.field, each.value, each.item, each.clock, each.phone, each.id, each.crew, each.received]


def _status(board: Board, number: int) -> list[Any]:
    own = board.statuses[number]
    return [number, own.step, own.is_done, list(own.wrong), own.blocked, number in board.relabeled]


def append(journal: Journal, site: Site, batch: Any, *, crew: str, role: str) -> Receipt:
    """Record a batch of events that name cables by numbers, or devices by names; see `Journal.append`.

    Parameters
    ----------
    batch
        List of mappings with the keys of `planner.install.site.event.of_stranger`, but ``cable`` with the number of a row, or
        ``device`` with a name, in place of ``target``; ``wall`` may stand for ``written``. Numbers are those of the revision
        ``plan``, by default the present one.
    """
    if not isinstance(batch, list) or len(batch) > MAX_BATCH:
        return journal.append(batch, crew=crew, role=role)
    targets = _Targets(journal, site)
    good, refused = [], []
    for each in batch:
        made = targets.event(each) if isinstance(each, Mapping) else each
        if isinstance(made, Refused):
            refused.append(made)
        else:
            good.append(made)
    receipt = journal.append(good, crew=crew, role=role)
    return receipt._replace(refused=(*refused, *receipt.refused))


class _Targets:
    """Keys of cables and devices by what phones state."""

    def __init__(self, journal: Journal, site: Site):
        self._journal, self._site = journal, site
        self._older: dict[str, dict[int, str]] = {}

    def event(self, content: Mapping[str, Any]) -> dict[str, Any] | Refused:
        plan, number, device = content.get("plan", self._site.revision), content.get("cable"), content.get("device")
        if isinstance(device, str) and content.get("end") == "device":
            target = device if device in self._site.devices else ""
        elif isinstance(number, int) and not isinstance(number, bool) and isinstance(plan, str):
            target = self._cable(plan, number)
        else:
            target = ""
        if not target:
            return Refused(str(content.get("id"))[:40], "the plan has no such cable or device: load the plan again")
        written = content.get("written", content.get("wall", ""))
        return {**content, "plan": plan, "target": target, "written": written}

    def _cable(self, plan: str, number: int) -> str:
        if plan == self._site.revision:
            row = self._site.by_number.get(number)
            return key(row) if row is not None else ""
        if plan not in self._older:
            rows: Sequence[tuple] = self._journal.query("SELECT number, target FROM cable WHERE plan = ?", (plan[:40],))
            self._older[plan] = dict(rows)
        return self._older[plan].get(number, "")


def refusals(refused: Iterable[Refused]) -> list[dict[str, Any]]:
    """Return refused events as phones read them."""
    return [{"id": each.id, "problem": each.reason, "retry": each.retry} for each in refused]


def history_of_device(journal: Journal, name: str) -> list[Event]:
    """Return all events of a device, by their clocks."""
    return [each for each in journal.history(name) if each.end == "device"]


def history(journal: Journal, row: Connection) -> list[Event]:
    """Return all events of a row, by their clocks; those recorded with its ends exchanged too."""
    found = {each.id: each for target in (key(row), key(row, turned=True)) for each in journal.history(target)}
    return sorted(found.values(), key=lambda each: each.order)
