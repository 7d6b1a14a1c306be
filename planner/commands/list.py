"""List available elements: topologies, placement algorithms, packings, bounds, routings, traffic patterns, reports."""

from __future__ import annotations

import argparse
import json

from planner import registry
from planner.commands import SUCCESS

_PLURALS = {"topology": "topologies", "traffic": "traffic patterns"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "kind", nargs="?", type=_singular, choices=tuple(registry.KINDS), metavar="KIND",
        help=f"only one kind: {', '.join(registry.KINDS)}",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    kinds = [arguments.kind] if arguments.kind else list(registry.KINDS)
    elements = [(kind, name, *registry.summary(kind, name)) for kind in kinds for name in registry.names(kind)]
    if arguments.json:
        keys = ("kind", "name", "meaning", "parameters")
        print(json.dumps([dict(zip(keys, element, strict=True)) for element in elements], indent=1))
        return SUCCESS
    last = None
    for kind, name, meaning, parameters in elements:
        if kind != last:
            print(f"{'' if last is None else chr(10)}{_plural(kind)}")
            last = kind
        print(f"  {name:<22} {meaning}")
        if parameters:
            print(f"  {'':<22} {parameters}")
    return SUCCESS


def _plural(kind: str) -> str:
    return _PLURALS.get(kind, f"{kind}s")


def _singular(kind: str) -> str:
    """Accept plurals, as in ``planner list topologies``."""
    return next((one for one in registry.KINDS if kind in (one, _plural(one))), kind)
