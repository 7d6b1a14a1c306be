"""The board as plain values: progress, what is wrong, blocked or contradictory, and hints for the foreman."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from planner.install.site.board import Board
from planner.install.site.progress import Share, progress
from planner.install.site.replan import replanned

MAX_LISTED = 500
"""Maximum number of entries of each list; `counts` has the numbers of all."""


def content(board: Board) -> dict[str, Any]:
    """Return the board; equal journals give equal values."""
    found = progress(board)
    statuses = sorted(board.statuses.values(), key=lambda status: status.cable.number)
    conflicts = board.journal.conflicts()
    hints = replanned(board)
    lists: dict[str, list[Any]] = {
        "wrong": [[each.cable.number, list(each.wrong)] for each in statuses if each.wrong],
        "blocked": [[each.cable.number, each.blocked] for each in statuses if each.blocked],
        "conflicts": [each._asdict() | {"cable": _number(board, each.target)} for each in conflicts],
        "devices": [[name, each.blocked] for name, each in sorted(board.devices.items()) if each.blocked],
        "unmatched": [[each.number, each.target, each.reason] for each in board.unmatched.values()],
        "relabeled": [[each.number, list(each.installed), list(each.planned)] for each in board.relabeled.values()],
    }
    events, last = board.journal.query("SELECT count(*), coalesce(max(received), 0) FROM event WHERE seq <= ?", (board.seq,))[0]
    return {
        "plan": board.site.revision,
        "name": board.site.name,
        "seq": board.seq,
        "events": events,
        "last": last,
        "work_order": board.site.work_order,
        "whole": _share(found.whole),
        "stages": [_share(each) for each in found.stages],
        "rows": [_share(each) for each in found.rows],
        "planned_crews": [_share(each) for each in found.crews],
        "equipment": {
            "devices": len(board.site.devices),
            "installed": sum(each.installed for each in board.devices.values()),
            "serials": sum(bool(each.serial) for each in board.devices.values()),
            "blocked": sum(bool(each.blocked) for each in board.devices.values()),
        },
        "crews": [asdict(each) | {"speed": each.speed} for each in found.paces],
        "counts": {name: len(entries) for name, entries in lists.items()},
        **{name: entries[:MAX_LISTED] for name, entries in lists.items()},
        "replan": None if hints is None else hints._asdict() | {"moved": [each._asdict() for each in hints.moved[:MAX_LISTED]]},
    }


def _share(each: Share) -> dict[str, Any]:
    return asdict(each)


def _number(board: Board, target: str) -> int:
    place = board.site.place(target)
    return place.row.number if place is not None else 0
