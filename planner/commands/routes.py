"""Routing table of one network as a file: planner routes slimfly q=5 --routing single_path --out table.csv."""

from __future__ import annotations

import argparse

from planner.commands import SUCCESS
from planner.commands._types import positive


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("family", help="a family of planner list topology, or a dotted name")
    parser.add_argument("parameters", nargs="*", metavar="KEY=VALUE", help="parameters, values as in TOML")
    parser.set_defaults(words="parameters")
    parser.add_argument("--routing", default="minimal", help="a routing of planner list routing; default minimal")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a parameter of the routing")
    parser.add_argument("--packets", type=positive, default=1, help="packets asked about for each pair, default 1")
    parser.add_argument("--out", required=True, help="file to write: .csv, .json or .npz")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner import topology
    from planner.simulation.tables import routing_table, write
    from planner.study import parameters_of

    network = topology.build(arguments.family, **parameters_of(arguments.parameters))
    table = routing_table(network, arguments.routing, arguments.packets, **parameters_of(arguments.set))
    write(table, arguments.out)
    print(
        f"{arguments.out}: {len(table.port)} ports of {network.router_count} routers, {table.virtual_channels} virtual channels"
    )
    return SUCCESS
