"""From and to of every cable on paper and in files: plain, over trunks, with labels of HPE, splitters, several networks."""

from __future__ import annotations

import csv
import re

import numpy as np
import pytest
from shared.paper import printed
from shared.plans import planned
from shared.small_plans import make_plan

from planner import formats
from planner.domain.model import Plan
from planner.domain.parts.ports import UNDECLARED
from planner.view.names import end_names, is_named, printed_ports


def port_of(plan: Plan, row: int, side: int) -> str:
    """The port of one end as printed, one by one from the groups of the device."""
    cables, inventory = plan.cables, plan.inventory
    part = inventory.part_of(int(cables.device[row, side]))
    port, per_cage = int(cables.port[row, side]), inventory.joints[inventory.joint[row]].ports_per_cage[side]
    head = ""
    if is_named(plan):
        for group in part.groups:
            if port <= group.count:
                break
            port -= group.count
        if group.name != UNDECLARED:
            if group.count == 1:
                return group.name
            head = f"{group.name}/"
    return head + (str(port) if per_cage == 1 else f"{(port + per_cage - 1) // per_cage}/{(port - 1) % per_cage + 1}")


def ends_of(plan: Plan, row: int) -> list[tuple[str, str, str, str]]:
    """Cabinet, unit, device and printed port of both ends of a row, from the arrays of the plan."""
    cables, slots = plan.cables, plan.room.slot_names
    return [
        (
            slots[plan.placement.slot_of[cables.cabinet[row, side]]],
            f"U{cables.unit[row, side]}" if cables.unit[row, side] > 0 else "upright",
            str(plan.inventory.names[cables.device[row, side]]),
            port_of(plan, row, side),
        )
        for side in (0, 1)
    ]


PLANS = (
    "plain",
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("trunks", "two halls", "twin ports", "several networks")),
)


@pytest.fixture(scope="module", params=PLANS)
def plan(request) -> Plan:
    if request.param == "plain":
        return make_plan(q=3, endpoints_per_router=2, simulate=False)
    return planned(request.param)


def squeezed(text: str) -> str:
    """Text without spaces and line ends: cells wrap where their column is narrow."""
    return re.sub(r"[\s\xa0]+", "", text)


def branches(plan: Plan) -> list[int | None]:
    """The branch of each row of a splitter cable, counted row by row."""
    count: dict[int, int] = {}
    found: list[int | None] = []
    for piece, assembly in zip(plan.cables.piece.tolist(), plan.cables.assembly.tolist(), strict=True):
        count[piece] = count.get(piece, 0) + 1
        found.append(count[piece] if plan.cables.assemblies[assembly].tails > 1 else None)
    return found


@pytest.mark.slow
def test_every_row_on_paper_names_both_ends(plan, tmp_path):
    text = squeezed(printed(plan, tmp_path).chapter("Cabinets, ports and cables"))
    labels = zip(plan.cables.label_a.tolist(), plan.cables.label_b.tolist(), strict=True)
    networks = np.repeat(plan.network_names, np.diff(plan.inventory.first_link)).tolist()
    for row, (branch, network, (label_a, label_b)) in enumerate(zip(branches(plan), networks, labels, strict=True)):
        ends = [f"{cabinet} {unit}, {device} {port}" for cabinet, unit, device, port in ends_of(plan, row)]
        number = f"{row + 1:,} branch {branch}" if branch else f"{row + 1:,}"
        # In the cabinet of each of its ends.
        places = len({end[0] for end in ends_of(plan, row)})
        assert text.count(squeezed("".join((number, network, label_a, label_b, *ends)))) == places, row + 1


def test_files_name_both_ends(plan, tmp_path):
    path = formats.write(plan, tmp_path, "csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = [
        [(row[f"{x}_cabinet"], int(row[f"{x}_unit"]), row[f"{x}_device"], row[f"{x}_printed"].removeprefix("'")) for x in "ab"]
        for row in rows
    ]
    assert [
        [(cabinet, f"U{unit}" if unit > 0 else "upright", device, port) for cabinet, unit, device, port in ends] for ends in found
    ] == [ends_of(plan, row) for row in range(plan.cables.cable_count)]
    assert [line["branch"] for line in rows] == [str(branch or "") for branch in branches(plan)]


@pytest.mark.slow
def test_splitters_have_branches():
    assert set(branches(planned("twin ports"))) == {None, 1, 2}


def test_names_of_ends_are_those_of_the_arrays(plan):
    for side in (0, 1):
        texts, ports = end_names(plan, side), printed_ports(plan, side)
        for row in range(plan.cables.cable_count):
            cabinet, unit, device, port = ends_of(plan, row)[side]
            assert (texts[row], ports[row]) == (f"{cabinet} {unit}, {device} {port}", port)
