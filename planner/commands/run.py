"""Run a study and write its reports."""

from __future__ import annotations

import argparse
import json
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.commands import add_overrides, add_workers, verdict

if TYPE_CHECKING:
    from planner.studies.stage import Study


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("study", help="study file, or a folder with study.toml")
    parser.add_argument("--out", metavar="FOLDER", help="output folder (default: folder of the study)")
    parser.add_argument("--until", metavar="STAGE", help="stop after this stage; writes no reports")
    add_overrides(parser)
    add_workers(parser)
    parser.add_argument("--fresh", action="store_true", help="recompute every stage; by default stored results are reused")
    parser.add_argument("--json", action="store_true", help="print all quantities as JSON")
    parser.add_argument("--quiet", action="store_true", help="print errors only")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.commands.console.bars import progress_bar
    from planner.commands.console.terminal import summary, withheld
    from planner.studies import pipeline, study

    checked = study.load(arguments.study, arguments.set)
    if checked.phases:
        return _phased(checked, arguments)
    with progress_bar(arguments.quiet or arguments.json) as progress, workers(arguments.jobs, arguments.cluster) as executor:
        plan = pipeline.run(
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
        summary(plan, pipeline.report_paths(plan, Path(arguments.out or checked.base)) if not arguments.until else ())
        if not arguments.until and (kept_back := pipeline.withheld(plan, study.reports(checked.sections.get("report", {})))):
            print(withheld(plan, kept_back))
    return verdict(plan)


def _phased(study: Study, arguments: argparse.Namespace) -> int:
    """Run all stages of a study and return the exit code."""
    from planner.commands.console.bars import progress_bar
    from planner.core.errors import InputError, Problem
    from planner.studies import phased
    from planner.studies.phased import outputs

    if arguments.until:
        message = "a study with [[phase]] runs whole"
        raise InputError(Problem("--until", message, "leave it out; planner run in the folder of a phase takes it"))
    with progress_bar(arguments.quiet or arguments.json) as progress, workers(arguments.jobs, arguments.cluster) as executor:
        found = phased.run(study, out=arguments.out, progress=progress, executor=executor, resume=not arguments.fresh)
    if arguments.json:
        print(json.dumps(outputs.json.content(found), indent=1, sort_keys=True))
    elif not arguments.quiet:
        print("\n".join(outputs.lines(found, Path(arguments.out or study.base))))
    return max(verdict(plan) for plan in found.plans)


def workers(count: int | None, cluster: str | None = None) -> AbstractContextManager[Any]:
    """Return an executor for independent parts of one plan; None for a single process."""
    from planner.core.executors import executor, forked

    return forked(count) if cluster is None else executor(count, cluster)
