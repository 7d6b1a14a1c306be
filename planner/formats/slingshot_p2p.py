"""Point-to-point file of HPE Slingshot: one CSV row per cable with both connectors, egress, length and route."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np

from planner.core.spreadsheet import Writer
from planner.domain.model import Plan
from planner.view.ends import Cable, End, meters, pieces
from planner.view.selection import WHOLE, Selection
from planner.view.xnames import connector, racks, shared_cages

ENDING = ".p2p.csv"

COLUMNS = (
    "cable_id", "src_conn_a", "src_conn_b", "dst_conn_a", "dst_conn_b", "stage",
    "src_egress_a", "src_egress_b", "dst_egress_a", "dst_egress_b", "link_type", "src_group", "dst_group",
    "part_number", "part_length", "calculated_distance", "route",
)  # fmt: skip


def write(
    plan: Plan,
    path: Path,
    *,
    labels: bool = False,
    selection: Selection = WHOLE,
) -> None:
    """Write the file of Cray's cabling tool as ``sat swap`` reads it; lengths in meters, UTF-8.

    Comment lines before the header map cabinets to racks, unless the names of cabinets are numbers.

    Parameters
    ----------
    labels
        Whether to add labels, devices and ports of both ends, which the original does not have.
    selection
        Which cables; of several networks by default the first.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection.

    References
    ----------
    .. [1] Cray-HPE/sat, tests/resources/slingshot/Shasta_system_hsn_pt_pt.valid.1.csv (sample data).
    """
    found = pieces(plan, selection.of_one_network(plan))
    names = racks(plan)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {line}\n" for line in _preamble(plan, names))
        rows = Writer(file)
        rows.writerow((*COLUMNS, "label_a", "label_b", "device_a", "device_b") if labels else COLUMNS)
        ids, shared = _ids(plan, names), shared_cages(plan)
        for rows_of_piece in found:
            rows.writerows(_rows(plan, rows_of_piece, names, shared, ids, labels))


def _preamble(plan: Plan, names: list[str]) -> Iterator[str]:
    yield f"plan {plan.name}"
    for number in np.argsort(plan.placement.slot_of, kind="stable").tolist():
        own = plan.room.slot_names[plan.placement.slot_of[number]]
        if own != names[number]:
            yield f"rack {names[number]} is cabinet {own}"


def _rows(
    plan: Plan, piece: list[Cable], names: list[str], shared: set[tuple[int, int]], ids: list[str], labels: bool
) -> Iterator[tuple]:
    """Yield one row, or for a splitter with more than two tails a row for every two of them."""
    sides = zip(*((cable.a, cable.b) for cable in piece), strict=True)
    sources, targets = (list({connector(end, names, shared): end for end in side}.items()) for side in sides)
    first = piece[0]
    source_group, target_group = (_group(plan, end) for end in (first.a, first.b))
    kind = "edge" if not first.is_link else "local" if source_group == target_group else "global"
    assembly = first.assembly
    for start in range(0, max(len(sources), len(targets)), 2):
        # The one end of a splitter belongs to every row, its tails two by two.
        src, dst = ([*(side[start : start + 2] or side[-1:]), ("none", None)][:2] for side in (sources, targets))
        yield (
            ids[first.piece - 1], *(name for name, _ in (*src, *dst)), first.stage + 1,
            *(_egress(end, names) for _, end in (*src, *dst)), kind, source_group, target_group, assembly.length_part,
            meters(max(cable.stock_mm for cable in piece)), meters(max(cable.run_mm for cable in piece)), first.trays,
            *((first.a.label, first.b.label, _devices(src), _devices(dst)) if labels else ()),
        )  # fmt: skip


def _devices(ends: list[tuple[str, End | None]]) -> str:
    """Return the devices and ports of the ends of one side: ``R016 p3``."""
    named = (
        (end.name, "p" + end.port_name if end.port_name.isdecimal() else end.port_name) for _, end in ends if end is not None
    )
    return ", ".join(f"{device} {port}" for device, port in named)


def _egress(end: End | None, names: list[str]) -> str:
    return "none" if end is None or end.side == "none" else f"{names[end.number]}-{end.side.upper()}"


def _group(plan: Plan, end: End) -> int | str:
    """Return the outermost group of a router; "" for nodes."""
    if not end.is_router:
        return "none"
    groups = plan.inventory.group[end.device]
    own = groups[groups >= 0]
    return int(own[-1]) if len(own) else 0


def _ids(plan: Plan, names: list[str]) -> list[str]:
    """Return the id on the labels of each cable, if they have one and a mark of the end; otherwise numbers as HPE assigns them.

    HPE's id is source rack, target rack, class and a running number: ``3000.9000.00.0001``.
    """
    cables = plan.cables
    first = cables.first_of_piece
    shared = [_shared(str(cables.label_a[number]), str(cables.label_b[number])) for number in first.tolist()]
    if all(shared) and len(set(shared)) == len(shared):
        return shared
    found, running = [], dict[str, Iterator[int]]()
    for number in first.tolist():
        a, b = (names[cabinet][1:] for cabinet in cables.cabinet[number])
        head = f"{a}.{b}.{plan.inventory.kind[number]:02d}"
        found.append(f"{head}.{next(running.setdefault(head, count())):04d}")
    return found


def _shared(a: str, b: str) -> str:
    """Return the common part of two labels before the mark of the end; "" if they are not an id and a mark.

    >>> _shared("000017-A", "000017-B"), _shared("A01-03:04/A02", "A02-01:07/A01")
    ('000017', '')
    """
    one, _, mark = a.rpartition("-")
    other, _, far_mark = b.rpartition("-")
    return one if one == other and mark[:1] == "A" and far_mark[:1] == "B" else ""
