"""What goes out in the evening, as files by their names: for pages, which offer them to the foreman."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from planner.core import scratch
from planner.core.errors import InputError, Problem, suggestion
from planner.fabric.baseline import Planned
from planner.install.site import book, built, files, miswires, netbox
from planner.install.site.board import Board


class Output(NamedTuple):
    """One file: its name, what it holds in words, what writes it, and whether that needs the folder of the plan."""

    file: str
    about: str
    write: Callable[[Board, Planned, Path], object]
    whole_plan: bool = False


OUTPUTS = {
    "as-built": Output("as-built.csv", "Cable schedule as built", lambda board, _, path: built.write_as_built(board, path)),
    "workbook": Output(
        "as-built.xlsx", "Workbook, filled in", lambda board, plan, path: book.write_workbook(board, plan.titled, path), True
    ),
    "netbox": Output(
        "netbox-cables.csv", "Connected cables for NetBox",
        lambda board, plan, path: netbox.write_changes(board, plan.titled, path), True,
    ),
    "netbox-devices": Output(
        "netbox-devices.csv", "Devices for NetBox",
        lambda board, plan, path: netbox.write_device_changes(board, plan.titled, path), True,
    ),
    "journal": Output("journal.csv", "Journal as CSV", lambda board, _, path: files.write_csv(board.journal, path)),
    "lines": Output("journal.jsonl", "Journal, to be imported", lambda board, _, path: files.write_lines(board.journal, path)),
    "statistics": Output("statistics.csv", "Figures of miswires", lambda board, _, path: miswires.write_statistics(board, path)),
}  # fmt: skip
"""Every output by its key; those of `planner site export` that need no other file."""


def offered(plan: Planned) -> dict[str, Output]:
    """Return the outputs that a plan has: a schedule alone has fewer."""
    return {name: each for name, each in OUTPUTS.items() if plan.plan is not None or not each.whole_plan}


def output(board: Board, plan: Planned, name: str) -> tuple[str, bytes]:
    """Return the name of a file and its content.

    Raises
    ------
    InputError
        When there is no such output, or this plan does not have it.
    """
    known = offered(plan)
    if name not in known:
        raise InputError(Problem("export", f"there is no output {name[:40]!r}", suggestion(name[:40], known)))
    with scratch.folder() as folder:
        path = folder / known[name].file
        known[name].write(board, plan, path)
        return path.name, path.read_bytes()
