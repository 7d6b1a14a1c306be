"""Run a parameter sweep; each combination becomes a row of one table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from planner.commands import SUCCESS, VIOLATIONS, add_overrides, add_workers


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("study", help="study file with a section [sweep], or a folder with study.toml")
    parser.add_argument("--store", metavar="FILE", help="table, an SQLite file (default: the study file with the ending .sqlite)")
    parser.add_argument(
        "--table",
        metavar="FILE",
        action="append",
        default=[],
        help="also export the table to this .csv or .parquet file; repeatable",
    )
    add_workers(parser)
    add_overrides(parser)
    parser.add_argument(
        "--cache",
        metavar="FOLDER",
        help="keep stages shared between runs in this folder for later sweeps (default: removed at the end)",
    )
    parser.add_argument("--fresh", action="store_true", help="discard stored runs first")
    parser.add_argument("--list", action="store_true", help="list the runs without running them")
    parser.add_argument("--json", action="store_true", help="print the number of runs by status as JSON")
    parser.add_argument("--quiet", action="store_true", help="print errors only")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.commands.console.bars import sweep_bar
    from planner.core.executors import executor
    from planner.studies import sweep
    from planner.studies.sweep import tables

    exports = [tables.checked(table) for table in arguments.table]
    checked = sweep.load(arguments.study, arguments.set)
    if arguments.list:
        print(_listed(checked.changes))
        return SUCCESS
    path = Path(arguments.store or checked.file.with_suffix(".sqlite"))
    terms = {"cache": arguments.cache, "fresh": arguments.fresh}
    with executor(arguments.jobs, arguments.cluster) as workers, sweep_bar(arguments.quiet or arguments.json) as progress:
        result = sweep.run(checked, path, executor=workers, progress=progress, **terms)
    with sweep.Store(path) as store:
        written = [target for table in exports for target in tables.export(store, table)]
    if arguments.json:
        print(json.dumps({"runs": result.runs, "reused": result.reused, "counts": result.counts}, indent=1, sort_keys=True))
    elif not arguments.quiet:
        _print_summary(result, [path, *written])
    return SUCCESS if not result.counts.keys() - {"done", "infeasible"} else VIOLATIONS


def _listed(changes: Iterable[Mapping[str, Any]]) -> str:
    """Return one line per run of a sweep with its changed values."""
    return "\n".join(
        f"{number:>6}  " + ", ".join(f"{path} = {value!r}" for path, value in changed.items())
        for number, changed in enumerate(changes, 1)
    )


def _print_summary(result: Any, paths: Iterable[Path]) -> None:
    """Print the number of runs by status and the paths of the tables."""
    counts = ", ".join(f"{count:,} {status}" for status, count in sorted(result.counts.items()))
    print(f"{result.runs:,} runs: {counts}; {result.reused:,} reused")
    if result.others:
        print("the table also contains runs of another version of Planner (see the column program); --fresh discards them")
    for path in paths:
        print(path)
