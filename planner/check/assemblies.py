"""Rules of assemblies: those in use are the catalog's, and pieces are numbered by their first rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check._places import cable_name, unequal, unlike
from planner.check._rule import rule
from planner.model import Plan, Violation
from planner.parts import Assembly


@rule(200)
def assemblies_from_the_catalog(plan: Plan) -> Iterator[Violation]:
    """What cables are made of is listed once, in the order of the catalog, and each can join what its cables join."""
    cables, catalog, rule = plan.cables, plan.catalog, "assemblies_from_the_catalog"
    links = (*catalog.link_assemblies, *catalog.shared_link_assemblies)
    endpoints = (*catalog.endpoint_assemblies, *catalog.shared_endpoint_assemblies)
    in_use = _used(cables.assembly[: plan.topology.link_count], cables.assemblies)
    to_endpoints = _used(cables.assembly[plan.topology.link_count :], cables.assemblies)
    for used, offered, what in ((in_use, links, "links"), (to_endpoints, endpoints, "endpoint cables")):
        for made_of in used:
            yield from unlike(rule, f"{made_of.id} of {what}", made_of in offered, True, "is not in the catalog as it is used")
    # A row that serves links and endpoint cables alike is listed where links have it.
    order = [*((made_of, made_of in in_use) for made_of in links), *((made_of, made_of in to_endpoints) for made_of in endpoints)]
    wanted = dict.fromkeys(made_of for made_of, used in order if used)
    names = [made_of.id for made_of in cables.assemblies], [made_of.id for made_of in wanted]
    yield from unlike(rule, "cables.assemblies", *names, "are not those in use, in the order of the catalog")


def _used(numbers: np.ndarray, assemblies: tuple[Assembly, ...]) -> list[Assembly]:
    return [assemblies[number] for number in np.unique(numbers).tolist()]


@rule(240)
def pieces_numbered_in_order(plan: Plan) -> Iterator[Violation]:
    """Pieces are numbered from 0 without gaps, in the order of their first rows."""
    piece = plan.cables.piece
    seen: dict[int, int] = {}
    wanted = [seen.setdefault(number, len(seen)) for number in piece.tolist()]
    yield from unequal("pieces_numbered_in_order", piece, wanted, lambda n: cable_name(plan, n), "number of its piece")


@rule(250)
def legs_only_where_carried(plan: Plan) -> Iterator[Violation]:
    """Only rows that a trunk, a multi-core fiber or a shuffle carries have jumpers to panels."""
    cables = plan.cables
    for field in ("leg_mm", "leg_stock_mm"):
        legs = np.where(cables.carried[:, None], getattr(cables, field), 0)
        yield from unequal(
            "legs_only_where_carried",
            getattr(cables, field),
            legs,
            lambda n: cable_name(plan, n),
            "a jumper that leads nowhere",
            "mm",
        )
