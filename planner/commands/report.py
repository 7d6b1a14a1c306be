"""Write reports of a finished plan, whole or a part of it."""

from __future__ import annotations

import argparse
from pathlib import Path

from planner.commands import SUCCESS

_PARTS = ("cabinet", "row", "stage", "paper")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("folder", help="folder of the plan")
    parser.add_argument("--format", default="pdf", help="comma-separated, such as pdf,xlsx,html; see planner list reports")
    parser.add_argument("--cabinet", metavar="NAME", help="only this cabinet")
    parser.add_argument("--row", metavar="NAME", help="only this row of cabinets")
    parser.add_argument("--stage", metavar="NAME", help="only this install stage")
    parser.add_argument("--paper", metavar="SIZE", help="a4, letter, a3 …")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="another option, or FORMAT.KEY=VALUE for one format"
    )
    parser.add_argument("--out", help="folder for the reports (default: the plan's)")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner import flow, report, study
    from planner.terminal import progress_bar

    formats = [name.strip() for name in arguments.format.split(",") if name.strip()]
    given = {key: getattr(arguments, key) for key in _PARTS if getattr(arguments, key) is not None}
    chosen = report.share_out(formats, given | study.parameters_of(arguments.set))
    plan = flow.restore(arguments.folder)
    # What the study says of a format holds for its parts too.
    written = study.reports(plan.study.get("report", {}))
    chosen = {name: written.get(name, {}) | options for name, options in chosen.items()}
    with progress_bar(arguments.quiet) as progress:
        paths = flow.write_reports(plan, Path(arguments.out or arguments.folder), chosen, progress)
    for path in paths:
        print(path)
    return SUCCESS
