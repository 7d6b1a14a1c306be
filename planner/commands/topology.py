"""Figures of one network: planner topology slimfly q=5."""

from __future__ import annotations

import argparse
import json

from planner.commands import SUCCESS


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("family", help="a family of planner list topology, or a dotted name")
    parser.add_argument("parameters", nargs="*", metavar="KEY=VALUE", help="parameters, values as in TOML")
    parser.set_defaults(words="parameters")
    parser.add_argument("--effort", choices=("low", "medium", "high"), default="medium", help="default medium")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner import topology
    from planner.study import parameters_of
    from planner.terminal import figures, progress_bar

    network = topology.build(arguments.family, **parameters_of(arguments.parameters))
    # Metrics load the compiler, which a network that is refused does not need.
    from planner import metrics

    with progress_bar(arguments.quiet or arguments.json) as progress:
        found = metrics.figures(network, effort=arguments.effort, progress=progress)
    if arguments.json:
        print(json.dumps({"family": network.family, "parameters": network.params, "figures": found}, indent=1, default=str))
    else:
        print(figures(network, found))
    return SUCCESS
