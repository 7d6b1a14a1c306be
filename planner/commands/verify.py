"""Verify the built fabric against the plan, and list the minimum plug moves that mend it."""

from __future__ import annotations

import argparse
from pathlib import Path

from planner.commands import SUCCESS, VIOLATIONS, add_own_code, positive

_SELECTION = ("network", "cabinet", "row", "stage", "crew")

INTERRUPTED = "no file is half-written; run the same command again"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("plan", help="folder of the plan, or its cable schedule as CSV or workbook")
    parser.add_argument("files", nargs="+", metavar="FILE", help="discovery files; the format is recognized by content")
    parser.add_argument("--anchors", metavar="CSV", help="scanned devices: columns guid (or mac, serial) and device")
    parser.add_argument("--names", metavar="FILE", help="names of GUIDs: CSV with the columns guid and name, or a node-name map")
    parser.add_argument("--network", metavar="NAME", help="only this network of several")
    parser.add_argument("--cabinet", metavar="NAME", help="only this cabinet: cables with an end in it")
    parser.add_argument("--row", metavar="NAME", help="only this row of cabinets")
    parser.add_argument("--stage", metavar="NAME", help="only this install stage")
    parser.add_argument("--crew", type=int, metavar="NUMBER", help="only the cables of this crew, from 1; needs a plan folder")
    parser.add_argument(
        "--crews", type=positive, default=1, metavar="N", help="number of crews that share the moves (default: 1)"
    )
    parser.add_argument("--strict", action="store_true", help="report cables exchanged between parallel links as moves, too")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--out", metavar="FOLDER", help="write JSON, workbook, work cards, name map, web page here")
    parser.add_argument("--as-built", metavar="CSV", help="write the cable schedule as it is built, with the deviations accepted")
    add_own_code(parser)
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.commands.console.bars import progress_bar
    from planner.core.errors import InputError, Problem
    from planner.domain import stored
    from planner.fabric import baseline
    from planner.fabric.verify import outputs
    from planner.fabric.verify.outputs import as_built, json
    from planner.fabric.verify.run import verified
    from planner.formats import Selection

    path = Path(arguments.plan)
    selection = {key: getattr(arguments, key) for key in _SELECTION if getattr(arguments, key) is not None}
    if arguments.as_built and selection:
        given = ", ".join(f"--{key}" for key in selection)
        raise InputError(
            Problem("--as-built", f"is the schedule of the whole plan, and {given} selects a part", "leave one of them out")
        )
    folder = path if arguments.out and path.is_dir() else None
    # A plan whose records cannot be read is refused before anything runs.
    plan = stored.restore(folder) if folder is not None else None
    with progress_bar(arguments.quiet or arguments.json) as progress:
        found = verified(
            path,
            [Path(file) for file in arguments.files],
            names=Path(arguments.names) if arguments.names else None,
            anchors=Path(arguments.anchors) if arguments.anchors else None,
            strict=arguments.strict,
            crews=arguments.crews,
            progress=progress,
            selection=Selection(**selection),
        )
        written: list[Path] = []
        left_out: list[str] = []
        if arguments.out:
            plan = plan or baseline.plan_of_rows(found.planned, path.stem)
            written += outputs.write(found, Path(arguments.out), plan, progress=progress)
            left_out = outputs.left_out(plan)
        if arguments.as_built:
            written.append(as_built.write_schedule(found, Path(arguments.as_built)))
    if arguments.json:
        print(json.text(found))
    else:
        print("\n".join(outputs.lines(found, written, left_out)))
    return SUCCESS if found.clean else VIOLATIONS
