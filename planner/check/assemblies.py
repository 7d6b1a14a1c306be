"""Rules of assemblies: those in use are the catalog's, and pieces are numbered by their first rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check.basis.places import cable_name, unequal, unlike
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation
from planner.domain.parts import Assembly


@rule(200)
def assemblies_from_the_catalog(plan: Plan) -> Iterator[Violation]:
    """What cables are made of is listed once, in the order of the catalog, and each can join what its cables join."""
    cables, inventory, rule = plan.cables, plan.inventory, "assemblies_from_the_catalog"
    # An assembly of several joints is listed with the first.
    wanted: dict[Assembly, None] = {}
    for number, joint in enumerate(inventory.joints):
        used = [cables.assemblies[own] for own in np.unique(cables.assembly[inventory.joint == number]).tolist()]
        for made_of in used:
            known = made_of in joint.assemblies
            yield from unlike(rule, f"{made_of.id} of {joint.name}", known, True, "is not in the catalog as it is used")
        wanted |= dict.fromkeys(made_of for made_of in joint.assemblies if made_of in used)
    names = [made_of.id for made_of in cables.assemblies], [made_of.id for made_of in wanted]
    yield from unlike(rule, "cables.assemblies", *names, "are not those in use, in the order of the catalog")


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
