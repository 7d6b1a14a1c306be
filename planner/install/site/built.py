"""The cable schedule as the crews built it, in the columns of `planner verify --as-built`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from planner.fabric.verify.outputs.as_built import Built, moved, write_rows
from planner.fabric.verify.outputs.content.places import Places
from planner.fabric.verify.result import Plugged
from planner.install.site.board import Board
from planner.install.site.fields import AS_PLANNED
from planner.install.site.status import Status
from planner.view.schedule import Connection

Ports = tuple[Plugged, Plugged]


def write_as_built(board: Board, path: Path) -> list[int]:
    """Write the schedule as built as CSV; every reader of cable schedules accepts it.

    Returns
    -------
    list
        Numbers of the rows that were left out, since another cable was recorded in one of their ports later.
    """
    made, left_out = as_built(board)
    write_rows(made, path)
    return left_out


def as_built(board: Board) -> tuple[list[Built], list[int]]:
    """Return the schedule as built, and the numbers of rows left out: a port is in one row at most.

    Plugs that were recorded in another port are there; all others are where they are planned.
    """
    where = Places(board.site.rows)
    status_of = {row.number: status for status in board.statuses.values() for row in status.cable.rows}
    ports = {row.number: _ports(row, status_of[row.number]) for row in board.site.rows}
    order = sorted(board.site.rows, key=lambda row: (_planned(row) == ports[row.number], _latest(status_of[row.number])))
    taken: set[Plugged] = set()
    kept: set[int] = set()
    for row in order:
        if taken.isdisjoint(ports[row.number]) and len(set(ports[row.number])) == 2:
            taken.update(ports[row.number])
            kept.add(row.number)
    rows = [
        _with_length(moved(row, ports[row.number], where), status_of[row.number]) for row in board.site.rows if row.number in kept
    ]
    return rows, [row.number for row in board.site.rows if row.number not in kept]


def _planned(row: Connection) -> Ports:
    return Plugged(row.a.device, row.a.port), Plugged(row.b.device, row.b.port)


def _ports(row: Connection, status: Status) -> Ports:
    """Return the ports of a row: of a plug with several rows the one recorded, and those after it."""
    found = dict(zip("ab", _planned(row), strict=True))
    for plug, register in zip(status.cable.plugs, status.ends, strict=True):
        if row.number in plug.rows and register is not None and register.value != AS_PLANNED:
            device, _, port = register.value.rpartition(" ")
            found[plug.end] = Plugged(device, int(port) + plug.rows.index(row.number))
    return found["a"], found["b"]


def _latest(status: Status) -> int:
    """Return a key that puts the cable whose plugs were recorded last before others."""
    return -max((end.clock for end in status.ends if end), default=0)


def _with_length(built: Built, status: Status) -> Built:
    length = status.value("length_mm")
    if not length or built.row.run_mm <= int(length) <= built.row.stock_mm:
        return built
    texts: Iterator[str] = filter(None, (built.deviation, f"actual length {int(length) / 1000:g} m"))
    return replace(built, deviation="; ".join(texts))
