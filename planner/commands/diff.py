"""Compare two plans: what stays, moves, is re-plugged, removed and added, what it costs and in which order to do it."""

from __future__ import annotations

import argparse
from pathlib import Path

from planner.commands import SUCCESS, VIOLATIONS, add_own_code

INTERRUPTED = "no file is half-written; run the same command again"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    words = "folder of a plan, or its cable schedule as CSV or workbook"
    parser.add_argument("old", metavar="OLD", help=f"the plan as it was: {words}")
    parser.add_argument("new", metavar="NEW", help=f"the plan as it shall be: {words}")
    parser.add_argument("--json", action="store_true", help="print the difference as JSON")
    parser.add_argument("--out", metavar="DIR", help="write JSON, workbook, sheets for print and a web page here")
    add_own_code(parser)
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code: 0 without a difference, else 1."""
    from planner.commands.console.bars import progress_bar
    from planner.studies.diff import compared, outputs
    from planner.studies.diff.outputs import json

    with progress_bar(arguments.quiet or arguments.json) as progress:
        found = compared(Path(arguments.old), Path(arguments.new), progress=progress)
        written = outputs.write(found, Path(arguments.out), progress=progress) if arguments.out else []
    print(json.text(found) if arguments.json else "\n".join(outputs.lines(found, written)))
    return SUCCESS if found.found.is_empty else VIOLATIONS
