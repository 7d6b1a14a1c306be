"""Write reports of a finished plan or of a part of it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from planner.commands import SUCCESS, VIOLATIONS, add_own_code, positive

if TYPE_CHECKING:
    from planner.domain.model import Plan

_OPTIONS = ("network", "cabinet", "row", "router", "stage", "crew", "task", "paper", "since")

INTERRUPTED = "no file is half-written; run the same command again"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("folder", help="folder of the plan")
    parser.add_argument(
        "--format", default="pdf", help="comma-separated formats such as pdf,xlsx,html; see planner list reports (default: pdf)"
    )
    parser.add_argument("--network", metavar="NAME", help="only this network of several")
    parser.add_argument("--cabinet", metavar="NAME", help="only this cabinet")
    parser.add_argument("--row", metavar="NAME", help="only this row of cabinets")
    parser.add_argument("--router", metavar="NAME", help="only this router: cables with an end at it")
    parser.add_argument("--stage", metavar="NAME", help="only this install stage")
    parser.add_argument("--crew", type=int, metavar="NUMBER", help="only the tasks of this crew, counted from 1")
    parser.add_argument("--task", type=int, metavar="NUMBER", help="only this task of the work order, counted from 1")
    parser.add_argument("--paper", metavar="SIZE", help="paper size: a4, letter, a3 … (default: of the format)")
    parser.add_argument("--since", metavar="PATH", help="older plan for the list of changes: its folder, or its schedule in CSV")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="set an option of all formats, or FORMAT.KEY=VALUE of one; repeatable",
    )
    parser.add_argument("--out", metavar="FOLDER", help="output folder (default: folder of the plan)")
    parser.add_argument("--jobs", type=positive, metavar="N", help="number of processes (default: one per processor)")
    parser.add_argument(
        "--force", action="store_true", help="write files to order from although the plan breaks design rules, marked as such"
    )
    add_own_code(parser)
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def _as_the_study_is(plan: Plan, folder: Path, formats: list[str]) -> Plan:
    """Return the plan with the sections for reports as the study has them now; a note if it is not there any more."""
    from dataclasses import replace

    from planner.core.record import plain
    from planner.studies import study

    file = folder / str(plan.provenance.get("file") or "study.toml")
    if not study.is_study_of(file, plan.name):
        if any(plan.study.get(study.REPORT, {}).get(name) for name in formats):
            words = "the study of the plan is not there any more: options of formats are those that were stored with the plan"
            print(f"note: {file}: {words}", file=sys.stderr)
        return plan
    now = {name: plain(content) for name, content in study.output_sections(file, formats).items()}
    now[study.REPORT]["formats"] = plan.study.get(study.REPORT, {}).get("formats", [])
    kept = {key: content for key, content in plan.study.items() if key != study.PROJECT}
    return replace(plan, study=kept | now)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.commands.console import terminal
    from planner.commands.console.bars import progress_bar
    from planner.core.executors import forked
    from planner.domain import stored
    from planner.formats import share_out
    from planner.studies import pipeline, study

    names = [name.strip() for name in arguments.format.split(",") if name.strip()]
    given = {key: getattr(arguments, key) for key in _OPTIONS if getattr(arguments, key) is not None}
    chosen = share_out(names, given | study.parameters_of(arguments.set))
    plan = _as_the_study_is(stored.restore(arguments.folder), Path(arguments.folder), names)
    # Options of a format in the study also apply to parts of a report.
    written = plan.study.get(study.REPORT, {})
    chosen = {name: written.get(name, {}) | options for name, options in chosen.items()}
    with progress_bar(arguments.quiet) as progress, forked(arguments.jobs) as executor:
        out = Path(arguments.out or arguments.folder)
        paths = pipeline.write_reports(plan, out, chosen, progress, executor, force=arguments.force)
    for path in paths:
        print(path)
    if not arguments.force and (kept_back := pipeline.withheld(plan, chosen)):
        print(terminal.withheld(plan, kept_back), file=sys.stderr)
        return VIOLATIONS
    return SUCCESS
