"""List the configurations of topology families by radix and compare their sizes."""

from __future__ import annotations

import argparse
import json

from planner.commands import SUCCESS, span
from planner.errors import Infeasible


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "--radix", type=span, required=True, metavar="A-B", help="links per router: a number or a range such as 8-64"
    )
    parser.add_argument("--routers", type=span, metavar="A-B", help="only networks with a number of routers in this range")
    parser.add_argument("--endpoints", type=span, metavar="A-B", help="only networks with a number of endpoints in this range")
    parser.add_argument(
        "--family", metavar="NAMES", help="comma-separated families (default: all that can list their configurations)"
    )
    parser.add_argument(
        "--reference", default="polarstar", metavar="FAMILY", help="family to compare the others with (default: polarstar)"
    )
    parser.add_argument("--csv", metavar="FILE", help="write all configurations to this CSV file")
    parser.add_argument("--plot", metavar="FILE", help="write plots to this PDF file: order, Moore efficiency, feasible sizes")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from dataclasses import asdict

    from planner.explore import explore, output, ratios

    first, last = arguments.radix
    names = arguments.family.split(",") if arguments.family else None
    found = explore(range(first, last + 1), names, routers=arguments.routers, endpoints=arguments.endpoints)
    if not found:
        raise Infeasible("no family has a configuration in these ranges")
    comparison = ratios(found, arguments.reference)
    if arguments.csv:
        output.write_csv(found, arguments.csv)
    if arguments.plot:
        from planner.explore.plots import write_plots

        write_plots(found, arguments.plot)
    if arguments.json:
        print(json.dumps({"configurations": [asdict(c) for c in found], "ratios": [asdict(r) for r in comparison]}, indent=1))
    else:
        print(output.table(found, comparison, arguments.reference))
    return SUCCESS
