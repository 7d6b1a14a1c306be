"""List available elements, such as topologies, routings and reports, or the rows of a catalog, such as routers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from string import digits
from typing import TYPE_CHECKING

from planner.commands import SUCCESS
from planner.core import registry

if TYPE_CHECKING:
    from planner.domain.parts import PortGroup, Row

_PLURALS = {"topology": "topologies", "discovery": "discoveries", "traffic": "traffic patterns"}


class _Kinds:
    """Names of all kinds; those of catalogs are imported only when they are needed."""

    def __iter__(self) -> Iterator[str]:
        from planner.domain.parts import KINDS

        return iter((*registry.KINDS, *KINDS))


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "kind", nargs="?", type=_singular, choices=_Kinds(), metavar="KIND",
        help="only one kind of elements, or the rows of one kind of catalog: %(choices)s",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    if arguments.kind and arguments.kind not in registry.KINDS:
        from planner.domain import catalog

        _print_rows(catalog.rows(arguments.kind), as_json=arguments.json)
        return SUCCESS
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


def _print_rows(rows: tuple[Row, ...], *, as_json: bool) -> None:
    """Print the shipped rows of a kind of catalog: of devices the port groups, of others the source."""
    if as_json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
        return
    for row in rows:
        groups = getattr(row, "groups", ())
        # The row of a machine has a number of groups, that of a device its groups of ports.
        print(f"  {row.id:<30} {(_ports(groups) if isinstance(groups, tuple) else '') or row.source}")


def _ports(groups: Iterable[PortGroup]) -> str:
    """Describe port groups; numbered ones that are alike, such as the leaves of a director, at once.

    >>> from planner.domain.parts import PortGroup
    >>> _ports(PortGroup(name=name, count=40, connector="QSFP56", rate_gbps=200) for name in ("leaf1", "leaf2"))
    'leaf1 to leaf2, each: 40 QSFP56 at 200 Gb/s'
    """
    texts = []
    for (_, *ports), alike in groupby(
        groups, lambda each: (each.name.rstrip(digits), each.count, each.connector, each.rate_gbps)
    ):
        names = [group.name for group in alike]
        name = f"{names[0]} to {names[-1]}, each" if len(names) > 1 else names[0]
        texts.append(f"{name}: {ports[0]:,} {ports[1]} at {ports[2]:,} Gb/s")
    return "; ".join(texts)


def _plural(kind: str) -> str:
    return _PLURALS.get(kind, f"{kind}s")


def _singular(kind: str) -> str:
    """Accept plurals, as in ``planner list topologies``."""
    return next((one for one in _Kinds() if kind in (one, _plural(one))), kind)
