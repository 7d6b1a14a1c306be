"""Import device types of other tools as rows of a catalog."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from planner.commands import SUCCESS

if TYPE_CHECKING:
    from pathlib import Path

    from planner.core.errors import InputError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    action = actions.add_parser("import", help="convert YAML files of NetBox' device-type library to a catalog file")
    action.add_argument("file", help="YAML file of a device type, or a folder: all files below it")
    action.add_argument("--kind", choices=("router", "endpoint"), default="router", help="kind of row (default: router)")
    action.add_argument("--like", metavar="ID", help="row of the catalog whose figures replace missing ones, as estimates")
    action.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="set a key of the row, such as delay_ps; repeatable"
    )
    action.add_argument(
        "--spare-supplies", type=int, metavar="N", help="power supplies that carry nothing while all work (default: half of them)"
    )
    action.add_argument("--out", required=True, metavar="FILE", help="catalog file to write (TOML)")
    action.set_defaults(action=import_)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    return arguments.action(arguments)


def import_(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from planner.core.errors import InputError, Problem
    from planner.domain.catalog.device_types import import_device_type, import_device_types
    from planner.studies.study import parameters_of

    several = Path(arguments.file).is_dir()
    function: Callable[..., Any] = import_device_types if several else import_device_type
    options = {"kind": arguments.kind, "like": arguments.like, "spare_supplies": arguments.spare_supplies}
    try:
        found = function(arguments.file, arguments.out, given=parameters_of(arguments.set), **options)
    except ModuleNotFoundError as error:
        if error.name != "yaml":
            raise
        raise InputError(
            Problem("", "the import needs the package PyYAML, which is not installed", "pip install 'planner[yaml]'")
        ) from None
    if several:
        _report(arguments.out, arguments.kind, *found)
    else:
        _print_row(arguments.out, arguments.kind, found)
    return SUCCESS


def _print_row(out: str, kind: str, row: dict[str, Any]) -> None:
    ports = row["ports" if kind == "router" else "endpoints"]
    print(f"{out}: {kind} {row['id']}, {ports} ports {row['connector']} of {row['rate_gbps']} Gb/s")
    if row["estimates"]:
        print(f"estimates: {', '.join(row['estimates'])}")


def _report(out: str, kind: str, rows: list[dict[str, Any]], refused: dict[Path, InputError]) -> None:
    """Print the number of rows, and why other files are refused, most frequent reasons first."""
    print(f"{out}: {len(rows):,} {kind} rows of {len(rows) + len(refused):,} files")
    reasons: dict[str, list[Path]] = {}
    for path, error in refused.items():
        problem = error.problems[0]
        reasons.setdefault(f"{problem.place}: {problem.message.partition(':')[0]}", []).append(path)
    for reason, paths in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"refused {len(paths):,}: {reason}, such as {paths[0]}")
