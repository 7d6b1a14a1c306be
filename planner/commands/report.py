"""Write reports of a finished plan."""

from __future__ import annotations

import argparse
from pathlib import Path

from planner.commands import FINE


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("folder", help="folder of the plan")
    parser.add_argument("--format", default="pdf", help="comma-separated: pdf,xlsx,csv (default pdf)")
    parser.add_argument("--out", help="folder for the reports (default: the plan's)")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner import flow, registry
    from planner.terminal import progress_bar

    formats = tuple(name.strip() for name in arguments.format.split(",") if name.strip())
    for name in formats:
        registry.load("report", name)
    plan = flow.restore(arguments.folder)
    with progress_bar(arguments.quiet) as progress:
        paths = flow.write_reports(plan, Path(arguments.out or arguments.folder), formats, progress)
    for path in paths:
        print(path)
    return FINE
