"""Plan, simulate and compare the best-fitting network of each topology family in one room."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from planner.commands import SUCCESS, VIOLATIONS, add_workers


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "source",
        nargs="+",
        metavar="FILE|KEY=VALUE",
        help="comparison file or folder with comparison.toml, then optional KEY=VALUE overrides; or overrides alone",
    )
    parser.set_defaults(words="source")
    parser.add_argument("--quick", action="store_true", help="reduce placement effort and run one short simulation per network")
    parser.add_argument("--out", metavar="FOLDER", help="output folder (default: folder of the file, or ./comparison)")
    parser.add_argument("--format", metavar="NAMES", help="comma-separated formats: csv, html, json, md, pdf, svg (default: all)")
    add_workers(parser)
    parser.add_argument("--fresh", action="store_true", help="discard stored runs first")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")
    parser.add_argument("--quiet", action="store_true", help="print errors only")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.commands.console.bars import progress_bar
    from planner.core.executors import executor
    from planner.studies import compare
    from planner.studies.compare import outputs

    comparison = _comparison(arguments)
    out = Path(arguments.out) if arguments.out else comparison.base if comparison.file else Path("comparison")
    if arguments.fresh:
        (out / "compare.sqlite").unlink(missing_ok=True)
    with (
        executor(arguments.jobs, arguments.cluster) as workers,
        progress_bar(arguments.quiet or arguments.json) as progress,
    ):
        result = compare.run(comparison, out, executor=workers, progress=progress)
    paths = outputs.write(result, out, comparison.head.formats)
    if arguments.json:
        import json

        from planner.studies.compare.outputs.json import content

        print(json.dumps(content(result), indent=1, sort_keys=True))
    elif not arguments.quiet:
        _show(result, paths)
    return SUCCESS if result.succeeded else VIOLATIONS


def _comparison(arguments: argparse.Namespace) -> Any:
    """Load the comparison: a file if the first word names one, then the overrides."""
    import json

    from planner.studies import compare

    first, *rest = arguments.source
    named = "=" not in first or Path(first).exists()
    changes = rest if named else arguments.source
    changes = [*changes, "quick=true"] if arguments.quick else [*changes]
    if arguments.format:
        changes.append(f"formats={json.dumps(arguments.format.split(','))}")
    return compare.load(first if named else None, changes)


def _show(result: Any, paths: list[Path]) -> None:
    from rich.console import Console

    from planner.studies.compare.table import tables

    console = Console(highlight=False)
    # Do not truncate columns in a file or a pipe.
    if not console.is_terminal:
        console = Console(highlight=False, width=240)
    console.print(tables(result))
    for path in paths:
        print(path)
