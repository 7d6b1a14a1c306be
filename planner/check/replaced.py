"""Rules of devices with another part than their role: those of a kept plan, and those that replace them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from planner.check.basis.places import connection_name, device_name, unlike
from planner.check.basis.port_groups import Sockets
from planner.check.basis.replaced import at_replaced, replaced
from planner.check.basis.rule import Source, rule
from planner.check.basis.tables import has_tables
from planner.check.joints import Shelf
from planner.domain.model import Joint, Plan, Violation
from planner.domain.parts import DEVICES


@rule(43, source=True)
def replaced_devices_have_their_parts(plan: Plan, source: Source) -> Iterator[Violation]:
    """A device of the kept plan has its part there, or the one that replaces it, and its connections all cables that fit both."""
    rule, inventory, wanted = "replaced_devices_have_their_parts", plan.inventory, replaced(plan)
    known = {part.id: part for kind in DEVICES for part in source.rows(kind)}
    for device, part in wanted.items():
        have = inventory.part_of(device)
        yield from unlike(rule, device_name(plan, device), have.id, part, "has another part than in the study")
        yield from unlike(rule, part, have == known.get(part), True, "is not as in the catalog")
    if has_tables(plan) or not wanted:
        # Of several networks the joints of all connections follow from the parts of their ends.
        return
    shelf, names = Shelf(source.rows, plan.study["catalog"], {}), set()
    for row in np.flatnonzero(at_replaced(plan)).tolist():
        a, b = (_sockets(plan, int(device)) for device in inventory.ends[row])
        if not inventory.is_link[row]:
            b = replace(b, per_cage=a.per_cage if a.connector == b.connector else 1)
        joint = inventory.joints[inventory.joint[row]]
        name = inventory.joints[0 if inventory.is_link[row] else 1].name
        right = Joint(name, shelf.single(a, b), shelf.shared(a, b), (a.per_cage, b.per_cage))
        yield from unlike(rule, connection_name(plan, row), joint == right, True, "has other cables than fit both ports")
        names |= {name for one in joint.assemblies for name in (one.length_part, one.end_part, one.end_part_b) if name}
    of_cables = {row.id: row.origin for kind in ("cable", "breakout", "transceiver", "fiber") for row in source.rows(kind)}
    parts = [known[part].origin for part in dict.fromkeys(wanted.values()) if part in known]
    rows = [*parts, *(of_cables[name] for name in sorted(names & of_cables.keys()))]
    stated = {row.id for row in plan.catalog.rows}
    right_rows = [row for row in rows if row.id not in stated]
    yield from unlike(
        rule, "inventory.rows", list(inventory.rows) == right_rows, True, "are not the rows that replaced devices add"
    )


def _sockets(plan: Plan, device: int) -> Sockets:
    """Return the ports of a device of one network."""
    part = plan.inventory.part_of(device)
    per_cage = part.ports_per_cage if device < plan.inventory.router_count else 1
    return Sockets(0, 0, part.ports, part.connector, part.rate_gbps, per_cage)
