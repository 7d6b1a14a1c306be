"""Verify a finished plan with independent code."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from planner.commands import add_own_code, verdict
from planner.core.names import shown

INTERRUPTED = "no file is half-written; run the same command again"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("folder", help="folder of the plan, or of all plans of a study with phases")
    parser.add_argument(
        "--edited", action="store_true", help="accept records that differ from the fingerprints in provenance.json"
    )
    parser.add_argument(
        "--deep", action="store_true", help="also repeat the first simulated load and the first job and compare exactly"
    )
    add_own_code(parser)
    parser.add_argument("--json", action="store_true", help="print violations as JSON")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.commands.console.bars import progress_bar
    from planner.commands.console.terminal import violations
    from planner.core.record import plain
    from planner.studies.verification import phase_folders, verified

    if folders := phase_folders(arguments.folder):
        return max(_phase(arguments, folder) for folder in folders)
    with progress_bar(arguments.quiet or arguments.json) as progress:
        plan = verified(
            arguments.folder,
            edited=arguments.edited,
            deep=arguments.deep,
            own_code=arguments.own_code,
            progress=progress,
        )
    if arguments.json:
        print(json.dumps(plain(plan.violations.items), indent=1))
    else:
        violations(plan)
    return verdict(plan)


def _phase(arguments: argparse.Namespace, folder: Path) -> int:
    """Verify the plan of one phase and return the exit code."""
    if not arguments.json:
        print(f"{'phase':<11} {shown(folder.name)}")
    return run(argparse.Namespace(**vars(arguments) | {"folder": str(folder)}))
