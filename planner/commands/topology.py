"""Print graph metrics of one network."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from planner.commands import SUCCESS
from planner.core.names import shown

if TYPE_CHECKING:
    from planner.domain.model import Topology


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("family", help="topology family (see planner list topology), or a dotted module name")
    parser.add_argument("parameters", nargs="*", metavar="KEY=VALUE", help="parameters of the family; values as in TOML")
    parser.set_defaults(words="parameters")
    parser.add_argument(
        "--effort",
        choices=("low", "medium", "high"),
        default="medium",
        help="effort of the bisection search and other estimates (default: medium)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.commands.console.bars import progress_bar
    from planner.network import topology
    from planner.studies.study import network_of

    given = network_of(arguments.family, arguments.parameters)
    with progress_bar(arguments.quiet or arguments.json) as progress:
        network = topology.build(**given, progress=progress)
    # Importing metrics loads the compiler, which is not needed for invalid networks.
    from planner.network import metrics

    with progress_bar(arguments.quiet or arguments.json) as progress:
        found = metrics.figures(network, effort=arguments.effort, progress=progress)
    if arguments.json:
        print(json.dumps({"family": network.family, "parameters": network.params, "figures": found}, indent=1, default=str))
    else:
        print(_lines(network, found))
    return SUCCESS


def _lines(network: Topology, found: dict[str, Any]) -> str:
    """Return graph metrics of a network as aligned lines."""
    given = ", ".join(f"{key} = {value}" for key, value in network.params.items() if value is not None)
    lines = [f"{network.family} ({given})"]
    for name, value in found.items():
        text = "–" if value is None else f"{value:,.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else f"{value:,}"
        lines.append(f"  {name.replace('_', ' '):<32} {text if not isinstance(value, bool) else 'yes' if value else 'no'}")
    return shown("\n".join(lines))
