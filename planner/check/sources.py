"""Rules of the records that depend on the study alone: network, parts and room are rebuilt and compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from planner.check.basis.places import error, unlike
from planner.check.basis.rule import Source, rule
from planner.core.record import Record, plain
from planner.domain.model import Plan, Violation

_RULE = "records_follow_the_study"


@rule(10, source=True, networks=True)
def records_follow_the_study(plan: Plan, source: Source) -> Iterator[Violation]:
    """Topology, catalog and room equal, field by field, those built from the study."""
    built: dict[str, tuple[Any, Any]] = {"catalog": (plan.catalog, source.catalog), "room": (plan.room, source.room)}
    for network, topology in source.topologies.items():
        own = {"topology": plan.topology, **plan.others.get(network, {})}.get("topology")
        built[f"{network}: topology" if plan.others else "topology"] = own, topology
    for name, (have, want) in built.items():
        if have is None or want is None:
            yield from unlike(_RULE, name, have is None, want is None, "is missing, or the study has none")
        elif have.fingerprint != want.fingerprint:
            yield from _differences(name, have, want)


def _differences(name: str, have: Record, want: Record) -> Iterator[Violation]:
    for spec in fields(want):
        one, two = getattr(have, spec.name), getattr(want, spec.name)
        where = f"{name}.{spec.name}"
        if not isinstance(two, np.ndarray):
            yield from unlike(_RULE, where, plain(one), plain(two), "does not match the study")
        elif one.shape != two.shape:
            yield error(_RULE, where, one.size, two.size, "entries", "does not match the study")
        elif not np.array_equal(one, two):
            wrong = np.argwhere(one != two)
            place = ", ".join(map(str, wrong[0].tolist()))
            message = f"entry {place} is {one[tuple(wrong[0])]}, the study makes it {two[tuple(wrong[0])]}"
            yield error(_RULE, where, len(wrong), 0, "entries", message)
