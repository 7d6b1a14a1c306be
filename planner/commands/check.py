"""Verify a finished plan with independent code."""

from __future__ import annotations

import argparse
import json

from planner.commands import verdict


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("folder", help="folder of the plan")
    parser.add_argument(
        "--edited", action="store_true", help="accept records that differ from the fingerprints in provenance.json"
    )
    parser.add_argument(
        "--deep", action="store_true", help="also repeat the first simulated load and the first job and compare exactly"
    )
    parser.add_argument("--own-code", action="store_true", help="allow plug-in modules named in the study to run")
    parser.add_argument("--json", action="store_true", help="print violations as JSON")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.bars import progress_bar
    from planner.record import plain
    from planner.terminal import violations
    from planner.verification import verified

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
