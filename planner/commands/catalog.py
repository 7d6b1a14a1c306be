"""Import device types of other tools as rows of a catalog."""

from __future__ import annotations

import argparse

from planner.commands import SUCCESS


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    action = actions.add_parser("import", help="convert a YAML file of NetBox' device-type library to a catalog file")
    action.add_argument("file", help="YAML file of a device type")
    action.add_argument("--kind", choices=("router", "endpoint"), default="router", help="kind of row (default: router)")
    action.add_argument("--like", metavar="ID", help="row of the catalog whose figures replace missing ones, as estimates")
    action.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="set a key of the row, such as delay_ps; repeatable"
    )
    action.add_argument("--out", required=True, metavar="FILE", help="catalog file to write (TOML)")
    action.set_defaults(action=import_)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    return arguments.action(arguments)


def import_(arguments: argparse.Namespace) -> int:
    from planner.catalog.device_types import import_device_type
    from planner.errors import InputError, Problem
    from planner.study import parameters_of

    given = parameters_of(arguments.set)
    try:
        row = import_device_type(arguments.file, arguments.out, kind=arguments.kind, like=arguments.like, given=given)
    except ModuleNotFoundError as error:
        if error.name != "yaml":
            raise
        raise InputError(
            Problem("", "the import needs the package PyYAML, which is not installed", "pip install 'planner[yaml]'")
        ) from None
    ports = row["ports" if arguments.kind == "router" else "endpoints"]
    print(f"{arguments.out}: {arguments.kind} {row['id']}, {ports} ports {row['connector']} of {row['rate_gbps']} Gb/s")
    if row["estimates"]:
        print(f"estimates: {', '.join(row['estimates'])}")
    return SUCCESS
