"""Acceptance by the foreman: cables that are right, and those that may stay as they are."""

from __future__ import annotations

from collections.abc import Collection

from planner.core.errors import InputError, Problem
from planner.install.site.board import Board
from planner.install.site.journal import Receipt
from planner.install.site.writing import Value, record

_LINKED = ("link up", "tested")


def acceptable(board: Board) -> list[int]:
    """Return the cables with a link or a passed test, with nothing wrong or blocked, that are not accepted yet."""
    return [each.cable.number for each in board.statuses.values() if each.step in _LINKED and each.is_done]


def accept(board: Board, numbers: Collection[int], *, crew: str, phone: str = "board") -> Receipt:
    """Record that cables are accepted; one in other ports than planned may stay there then.

    Raises
    ------
    InputError
        With the numbers that are no cables, or whose plugs are not all in; nothing is recorded then.
    """
    problems = []
    for number in sorted(set(numbers)):
        status = board.statuses.get(number)
        if status is None:
            problems.append(Problem("cables", f"{number} is no cable of the plan", "give the number of its first row"))
        elif not status.is_plugged and status.step not in (*_LINKED, "accepted"):
            problems.append(Problem("cables", f"cable {number} is not plugged in", "accept it when its plugs are in"))
    if problems:
        raise InputError(problems[:20])
    wanted = [board.statuses[number] for number in sorted(set(numbers))]
    values = [Value(each.cable.target, "", "accepted", "yes") for each in wanted if each.step != "accepted"]
    return record(board, values, crew=crew, phone=phone)
