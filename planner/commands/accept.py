"""Write the acceptance report of a built network: cabling record, scans, measurements, open points, signatures."""

from __future__ import annotations

import argparse
from pathlib import Path

from planner.commands import SUCCESS, VIOLATIONS, add_own_code

_SELECTION = ("network", "cabinet", "row", "stage", "crew")

INTERRUPTED = "no file is half-written; run the same command again"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("plan", help="folder of the plan, or its cable schedule as CSV or workbook")
    parser.add_argument("files", nargs="+", metavar="FILE", help="discovery files; the format is recognized by content")
    parser.add_argument(
        "--anchors", metavar="CSV", help="devices scanned at their places: columns guid (or mac, serial) and device"
    )
    parser.add_argument("--names", metavar="FILE", help="names of GUIDs: CSV with the columns guid and name, or a node-name map")
    parser.add_argument("--workbook", metavar="XLSX", help="workbook of the plan that the crew filled in")
    parser.add_argument("--loss", metavar="CSV", help="measured optical loss, one row per measurement")
    words = "headings of that file: cable=HEADING,loss_db=HEADING …; see the documentation for all"
    parser.add_argument("--columns", metavar="MAP", default="", help=words)
    words = "maximum symbol and effective bit error ratio that each port has to show (default: 1e-12)"
    parser.add_argument("--ber", type=_ratio, metavar="RATIO", help=words)
    parser.add_argument("--network", metavar="NAME", help="only this network of several")
    parser.add_argument("--cabinet", metavar="NAME", help="only this cabinet: cables with an end in it")
    parser.add_argument("--row", metavar="NAME", help="only this row of cabinets")
    parser.add_argument("--stage", metavar="NAME", help="only this install stage")
    parser.add_argument(
        "--crew", type=int, metavar="NUMBER", help="only the cables of this crew, from 1; needs the folder of the plan"
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--out", metavar="FOLDER", help="write PDF, workbook and JSON into this folder")
    add_own_code(parser)
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.commands.console.bars import progress_bar
    from planner.fabric import accept
    from planner.fabric.accept.outputs import json, terminal
    from planner.formats import Selection

    selection = {key: getattr(arguments, key) for key in _SELECTION if getattr(arguments, key) is not None}
    with progress_bar(arguments.quiet or arguments.json) as progress:
        found, plan = accept.examined_files(
            Path(arguments.plan),
            [Path(file) for file in arguments.files],
            loss=Path(arguments.loss) if arguments.loss else None,
            columns=accept.columns_of(arguments.columns),
            ber=arguments.ber,
            workbook=Path(arguments.workbook) if arguments.workbook else None,
            names=Path(arguments.names) if arguments.names else None,
            anchors=Path(arguments.anchors) if arguments.anchors else None,
            progress=progress,
            selection=Selection(**selection),
        )
    written = accept.write(found, Path(arguments.out), plan) if arguments.out else []
    print(json.text(found) if arguments.json else "\n".join(terminal.lines(found, written)))
    return SUCCESS if found.accepted else VIOLATIONS


def _ratio(text: str) -> float:
    """Parse a bit error ratio."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"expected a ratio such as 1e-15, not {text!r}")
    return value
