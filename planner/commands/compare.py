"""Plan and simulate the best-fitting network of each family in one room, side by side."""

from __future__ import annotations

import argparse
from pathlib import Path

from planner.commands import SUCCESS, VIOLATIONS


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "what",
        nargs="+",
        metavar="FILE|KEY=VALUE",
        help="comparison file, or the folder that holds comparison.toml; values in place of the file's, or without any file",
    )
    parser.set_defaults(words="what")
    parser.add_argument("--quick", action="store_true", help="less placement, one short simulation of each network")
    parser.add_argument("--out", metavar="FOLDER", help="folder for the results (default: beside the file, or comparison)")
    parser.add_argument("--format", metavar="NAMES", help="comma-separated: csv, html, json, md, pdf, svg")
    parser.add_argument("--workers", type=int, metavar="N", help="workers (default: one for each processor)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="Dask: tcp://host:port of a scheduler, local, or slurm")
    parser.add_argument("--fresh", action="store_true", help="empty the table of finished runs first")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--quiet", action="store_true", help="print errors only")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner import compare
    from planner.compare import outputs
    from planner.executors import executor
    from planner.terminal import progress_bar

    comparison = _comparison(arguments)
    out = Path(arguments.out) if arguments.out else comparison.base if comparison.file else Path("comparison")
    if arguments.fresh:
        (out / "compare.sqlite").unlink(missing_ok=True)
    with (
        executor(arguments.workers, arguments.cluster) as workers,
        progress_bar(arguments.quiet or arguments.json) as progress,
    ):
        result = compare.run(comparison, out, executor=workers, progress=progress)
    paths = outputs.write(result, out, comparison.head.formats)
    if arguments.json:
        import json

        from planner.compare.outputs.json import content

        print(json.dumps(content(result), indent=1, sort_keys=True))
    elif not arguments.quiet:
        _show(result, paths)
    return SUCCESS if result.succeeded else VIOLATIONS


def _comparison(arguments: argparse.Namespace):
    """The comparison: a file, if the first word is one, and the changes after it."""
    import json

    from planner import compare

    first, *rest = arguments.what
    named = "=" not in first or Path(first).exists()
    changes = rest if named else arguments.what
    changes = [*changes, "quick=true"] if arguments.quick else [*changes]
    if arguments.format:
        changes.append(f"formats={json.dumps(arguments.format.split(','))}")
    return compare.load(first if named else None, changes)


def _show(result, paths: list[Path]) -> None:
    from rich.console import Console

    from planner.compare.table import tables

    console = Console(highlight=False)
    # In a file or a pipe no column is cut.
    if not console.is_terminal:
        console = Console(highlight=False, width=240)
    console.print(tables(result))
    for path in paths:
        print(path)
