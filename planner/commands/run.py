"""Run a study and write its reports."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from planner.commands import verdict
from planner.errors import InputError, Problem


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("study", help="study file, or the folder that holds study.toml")
    parser.add_argument("--out", help="folder for the results (default: beside the study)")
    parser.add_argument("--until", metavar="STAGE", help="stop after this stage")
    parser.add_argument("--set", action="append", default=[], metavar="SECTION.KEY=VALUE", help="replace a value of the study")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes for independent parts (default 1)")
    parser.add_argument("--fresh", action="store_true", help="run every stage, even if its result is stored")
    parser.add_argument("--json", action="store_true", help="print all quantities as JSON")
    parser.add_argument("--quiet", action="store_true", help="print errors only")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner import flow, study
    from planner.terminal import progress_bar, summary

    checked = study.load(arguments.study, arguments.set)
    with progress_bar(arguments.quiet or arguments.json) as progress, workers(arguments.workers) as executor:
        plan = flow.run(
            checked,
            out=arguments.out,
            until=arguments.until,
            progress=progress,
            executor=executor,
            resume=not arguments.fresh,
        )
    if arguments.json:
        print(json.dumps(plan.quantities, indent=1, sort_keys=True))
    elif not arguments.quiet:
        summary(plan, flow.report_paths(plan, Path(arguments.out or checked.base)) if not arguments.until else ())
    return verdict(plan)


def workers(count: int):
    """A process pool, or a context that gives None for a single worker."""
    from contextlib import nullcontext

    if count < 1:
        raise InputError(Problem("--workers", f"must be at least 1, not {count}", ""))
    if count == 1:
        return nullcontext()
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(count, mp_context=get_context("spawn"))
