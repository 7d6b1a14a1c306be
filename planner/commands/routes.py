"""Write the routing table of one network to a file."""

from __future__ import annotations

import argparse

from planner.commands import SUCCESS, positive


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("family", help="topology family (see planner list topology), or a dotted module name")
    parser.add_argument("parameters", nargs="*", metavar="KEY=VALUE", help="parameters of the family; values as in TOML")
    parser.set_defaults(words="parameters")
    parser.add_argument("--routing", default="minimal", help="routing (see planner list routing; default: minimal)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="set a parameter of the routing; repeatable"
    )
    parser.add_argument(
        "--packets", type=positive, default=1, metavar="N", help="packets routed for each pair of routers (default: 1)"
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="output file, .csv, .json or .npz")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.network import topology
    from planner.simulation.tables import routing_table, write
    from planner.studies.study import network_of, parameters_of

    network = topology.build(**network_of(arguments.family, arguments.parameters))
    table = routing_table(network, arguments.routing, arguments.packets, **parameters_of(arguments.set))
    write(table, arguments.out)
    print(
        f"{arguments.out}: {len(table.port)} ports of {network.router_count} routers, {table.virtual_channels} virtual channels"
    )
    return SUCCESS
