"""What the terminal prints of an installation, and the list of what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from planner.core.spreadsheet import Writer
from planner.core.storage import replacing
from planner.install.site.board import Board
from planner.install.site.files import day_and_time
from planner.install.site.progress import Share, progress
from planner.install.site.replan import replanned
from planner.install.site.status import Status

_SHOWN = 10
"""Maximum number of lines of a list."""

COLUMNS = (
    "task", "crew", "cable", "stage", "step", "label_a", "a_cabinet", "a_unit", "a_device", "a_port", "label_b", "b_cabinet",
    "b_unit", "b_device", "b_port", "part", "stock_mm", "open", "wrong", "blocked",
)  # fmt: skip
"""Columns of the list of what is left; `open` are the ends whose plugs are not in."""


def lines(board: Board) -> Iterator[str]:
    """Yield the lines of `planner site status`."""
    found = progress(board)
    events = board.journal.query("SELECT count(*), coalesce(max(received), 0) FROM event")[0]
    last = f", the last at {day_and_time(events[1])} UTC" if events[0] else ""
    yield f"{board.site.name}: {found.whole.done:,} of {found.whole.cables:,} cables installed; {events[0]:,} events{last}"
    yield ""
    yield from _table("stage", found.stages)
    yield from _table("row", found.rows)
    yield from _table("planned crew", found.crews)
    for pace in found.paces:
        speed = f", {pace.speed:.0%} of the planned pace" if pace.speed and board.site.work_order else ""
        yield f"crew {pace.crew.removeprefix('crew ')}: {pace.cables:,} cables in {_hours(pace.active_s)} of work{speed}"
    if found.whole.finish_s:
        yield f"time to finish at this pace: {_hours(found.whole.finish_s)} of work"
    yield from _hints(board)
    yield from _lists(board)


def _table(head: str, shares: Sequence[Share]) -> Iterator[str]:
    if not shares:
        return
    width = max(len(head), *(len(share.name) for share in shares))
    yield f"{head:<{width}}  installed   planned  pulled  one end  blocked  wrong     left"
    for each in shares:
        counts = each.steps
        finish = "" if each.finish_s is None else _hours(each.finish_s)
        yield (
            f"{each.name:<{width}}  {each.done:>4,}/{each.cables:<5,} {counts['planned']:>7,} {counts['pulled']:>7,} "
            f"{counts['one end']:>8,} {each.blocked:>8,} {each.wrong:>6,} {finish:>8}"
        )
    yield ""


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 360 else f"{seconds / 60:.0f} min"


def _hints(board: Board) -> Iterator[str]:
    found = replanned(board)
    if found is None or not found.moved:
        return
    slow = max(found.finish_s, key=lambda crew: found.finish_s[crew])
    yield ""
    yield f"crew {slow} needs {_hours(found.before_s)}; with these tasks moved all are finished after {_hours(found.after_s)}:"
    for each in found.moved[:_SHOWN]:
        cables = f"{each.cables:,} cables, {_hours(each.work_s)} of planned work"
        yield f"  task {each.task} ({each.stage}): crew {each.from_crew} to crew {each.to_crew}, {cables}"
    yield from _more(len(found.moved))


def _lists(board: Board) -> Iterator[str]:
    statuses = sorted(board.statuses.values(), key=lambda status: status.cable.number)
    yield from _list("wrong", [f"cable {each.cable.number}: {'; '.join(each.wrong)}" for each in statuses if each.wrong])
    yield from _list("blocked", [f"cable {each.cable.number}: {each.blocked}" for each in statuses if each.blocked])
    devices = [f"device {name}: {each.blocked}" for name, each in sorted(board.devices.items()) if each.blocked]
    yield from _list("blocked devices", devices)
    conflicts = [
        f"{each.target} {each.end}: {each.field} {each.lost_value!r} of {each.lost_crew}, then {each.value!r} of {each.crew}"
        for each in board.journal.conflicts()
    ]
    yield from _list("two crews recorded different values; the last one counts", conflicts)
    unmatched = [
        f"{f'cable {each.number}, ' if each.number else ''}{each.target}: {each.reason}" for each in board.unmatched.values()
    ]
    yield from _list("recorded for cables that the plan no longer has", unmatched)
    labels = [f"cable {each.number}: {' and '.join(each.planned)}" for each in board.relabeled.values()]
    yield from _list("new labels needed", labels)


def _list(head: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        yield ""
        yield f"{head}:"
        yield from (f"  {text}" for text in texts[:_SHOWN])
        yield from _more(len(texts))


def _more(count: int) -> Iterator[str]:
    if count > _SHOWN:
        yield f"  and {count - _SHOWN:,} more"


def write_remaining(board: Board, path: Path) -> int:
    """Write the cables on which something is left to do as CSV, in the order of work; return their number."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        return list_remaining(board, file)


def list_remaining(board: Board, file: TextIO) -> int:
    """Write the list of `write_remaining` to an open file; return the number of cables."""
    left = board.remaining
    rows = Writer(file)
    rows.writerow(COLUMNS)
    rows.writerows(map(_left, left))
    return len(left)


def _left(status: Status) -> tuple[str | int, ...]:
    cable, row = status.cable, status.cable.rows[0]
    ends = [(end.label, end.cabinet, end.unit, end.device, end.printed) for end in row.ends]
    open_ends = [plug.end for plug, register in zip(cable.plugs, status.ends, strict=True) if register is None]
    return (
        cable.task or "", status.crew or "", cable.number, cable.stage, status.step, *ends[0], *ends[1], row.part, row.stock_mm,
        " ".join(open_ends), "; ".join(status.wrong), status.blocked,
    )  # fmt: skip
