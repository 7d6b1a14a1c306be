"""Verify a finished plan again, independently."""

from __future__ import annotations

import argparse
import json

from planner.commands import verdict
from planner.errors import InputError, Problem


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("folder", help="folder of the plan")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from dataclasses import replace

    from planner import flow
    from planner.check import check
    from planner.record import plain
    from planner.terminal import violations

    plan = flow.restore(arguments.folder)
    if plan.cables is None:
        raise InputError(Problem(str(arguments.folder), "the plan has no cables yet", "run it without --until"))
    plan = replace(plan, violations=check(plan))
    if arguments.json:
        print(json.dumps(plain(plan.violations.items), indent=1))
    else:
        violations(plan)
    return verdict(plan)
