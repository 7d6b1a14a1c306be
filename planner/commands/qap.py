"""Solve a quadratic assignment problem in QAPLIB format."""

from __future__ import annotations

import argparse
import json

from planner.commands import SUCCESS


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", help="problem file (.dat); the result is compared with a .sln file of the same name")
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="wall time of the search in seconds (default: 10; no limit with --moves)"
    )
    parser.add_argument(
        "--moves",
        type=int,
        metavar="N",
        help="exchanges to evaluate, or branch-and-bound nodes with --exact; the result is reproducible",
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: 1)")
    parser.add_argument("--algorithm", default="auto", help="auto, tabu, anneal, descent, faq or exact (default: auto)")
    parser.add_argument("--exact", action="store_true", help="branch and bound; short for --algorithm exact")
    parser.add_argument("--out", metavar="FILE", help="write the permutation to this .sln file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.commands.console.bars import progress_bar
    from planner.design.qap.assess import assess

    seconds = arguments.seconds
    if seconds is None and arguments.moves is None:
        seconds = 10.0
    with progress_bar(arguments.quiet or arguments.json) as progress:
        found = assess(
            arguments.file,
            seed=arguments.seed,
            seconds=seconds,
            moves=arguments.moves,
            algorithm="exact" if arguments.exact else arguments.algorithm,
            out=arguments.out,
            progress=progress,
        )
    if arguments.json:
        print(json.dumps(found.figures(), indent=1))
    else:
        print(found.text())
    return SUCCESS
