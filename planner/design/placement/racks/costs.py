"""Cost of connections between filled cabinets, by kind of connection and slots."""

from __future__ import annotations

import numpy as np

from planner.core.errors import InputError, Problem
from planner.design.placement.model.cost import Objective, Offer, cheapest, offers_of
from planner.design.placement.racks.problem import RackProblem
from planner.domain.model import POSITIONS, Inventory
from planner.domain.parts import LaborRates
from planner.hall.floor import Lengths

LARGEST = 1 << 24
"""Maximum cost of one connection, so that sums stay exact."""

APART = 1 << 22
"""Cost of two cabinets of one scalable unit in different rows, and of a cabinet away from its wanted position; above that of
most bundles of cables, since both are rules of the study."""

FAR = 4 * APART
"""Cost of two cabinets of one scalable unit in the rows farthest from each other, in addition, and in proportion for others: a
unit of several rows has neighboring ones. Less does not decide which blocks of cabinets the search joins first."""

_BLOCK = 1 << 22


def problem_of(
    inventory: Inventory, unit: np.ndarray, allowed: np.ndarray, lengths: Lengths, labor: LaborRates, objective: Objective
) -> tuple[RackProblem, int]:
    """Return the placement problem of the cabinets of an inventory, and the cost of the cables inside cabinets.

    A connection of each joint is counted between the mean rack units of its ends.

    Parameters
    ----------
    unit
        Lowest rack unit of each device, int64 (D,).
    allowed
        Whether a slot carries a cabinet, bool (C, S).

    Raises
    ------
    InputError
        When costs are too large for exact sums; use smaller weights.
    """
    racks = inventory.rack[inventory.ends].astype(np.int64)
    between = racks[:, 0] != racks[:, 1]
    tables, runs, inside = [], [], 0
    for number, joint in enumerate(inventory.joints):
        own = inventory.joint == number
        ends = [_End.of(inventory, unit, inventory.ends[own, side]) for side in (0, 1)]
        offers = offers_of(joint.single, labor, lengths, objective)
        table, run = _tables(offers, lengths.room.slot_count, *ends)
        tables.append(table)
        runs.append(run)
        if (own & ~between).any():
            inside += int((own & ~between).sum()) * _inside(offers, *ends)
    rows, count = np.unique(np.column_stack([racks, inventory.joint])[between], axis=0, return_counts=True)
    table, run = (np.stack(each) if each else np.zeros((1, *[lengths.room.slot_count] * 2), np.int32) for each in (tables, runs))
    if table.max() > LARGEST:
        message = f"a connection costs up to {int(table.max()):,}, more than {LARGEST:,}"
        raise InputError(Problem("objective", message, "choose smaller weights"))
    return RackProblem(rows[:, :2], count, rows[:, 2], table, np.zeros(allowed.shape, np.int64), allowed, run), inside


def with_wishes(
    problem: RackProblem, inventory: Inventory, row: np.ndarray, along_mm: np.ndarray, xy_mm: np.ndarray
) -> RackProblem:
    """Return the problem with costs for scalable units in several rows, and for cabinets away from their wanted positions.

    Parameters
    ----------
    row, along_mm
        Row of each slot, and its position along the row, int64 (S,).
    xy_mm
        Center of each slot, int64 (S, 2).
    """
    apart = rows_apart(row, xy_mm)
    units = inventory.rack_unit.astype(np.int64)
    pairs = [np.zeros((0, 2), np.int64)]
    for unit in np.unique(units[units >= 0]).tolist():
        members = np.flatnonzero(units == unit)
        pairs.append(np.column_stack([members[:-1], members[1:]]))
    ends = np.concatenate(pairs)
    low, high = (np.array([reduce(along_mm[row == each]) for each in row.tolist()]) for reduce in (np.min, np.max))
    to_end = np.minimum(along_mm - low, high - along_mm)
    to_middle = np.abs(2 * along_mm - low - high) // 2
    away = {POSITIONS.index("end of row"): to_end, POSITIONS.index("middle of row"): to_middle}
    bias = problem.bias.copy()
    for position, distance_mm in away.items():
        bias[inventory.rack_position == position] += distance_mm * APART // max(int(distance_mm.max()), 1)
    kind = np.append(problem.kind, np.full(len(ends), len(problem.table)))
    return RackProblem(
        np.concatenate([problem.ends, ends]),
        np.append(problem.weight, np.ones(len(ends), np.int64)),
        kind,
        np.concatenate([problem.table, apart[None]]),
        bias,
        problem.allowed,
        np.concatenate([problem.run, np.zeros_like(apart[None])]),
    )


def rows_apart(row: np.ndarray, xy_mm: np.ndarray) -> np.ndarray:
    """Return the cost of two cabinets of one scalable unit in any two slots, 0 in one row, int32 (S, S)."""
    middle = np.array([xy_mm[row == each].mean(axis=0) for each in row.tolist()])
    distance = np.abs(middle[:, None] - middle).sum(axis=2)
    far = np.rint(distance * (FAR / max(distance.max(), 1))).astype(np.int32)
    return (row[:, None] != row) * (APART + far)


class _End:
    """One end of the connections of a joint: mean lowest unit, height in units, and whether its ports are at the rear."""

    def __init__(self, unit: int, units: int, rear: int):
        self.unit, self.units, self.rear = np.array([unit]), np.array([units]), rear

    @classmethod
    def of(cls, inventory: Inventory, unit: np.ndarray, devices: np.ndarray) -> _End:
        if not len(devices):
            return cls(1, 1, 0)
        units, rear = (np.rint(inventory.of_part(name)[devices].mean()).astype(int) for name in ("units", "rear"))
        return cls(int(np.rint(unit[devices].mean())), int(units), int(rear))


def _tables(offers: list[Offer], slots: int, first: _End, second: _End) -> tuple[np.ndarray, np.ndarray]:
    """Return cost and run length of a connection between any two slots, int32 (S, S); inside a cabinet they are 0."""
    tables = np.empty((slots, slots), np.int32), np.empty((slots, slots), np.int32)
    for low in range(0, slots, step := max(1, _BLOCK // slots)):
        block = np.arange(low, min(low + step, slots))
        runs = []
        for offer in offers:
            length_mm = offer.lengths.distances.rows_mm(block).astype(np.int64)
            length_mm = length_mm + _end_mm(offer, block, first)[:, None] + _end_mm(offer, np.arange(slots), second)
            runs.append(length_mm + offer.lengths.slack_mm(length_mm, True))
        for table, values in zip(tables, cheapest(offers, runs, np.zeros(runs[0].shape, bool)), strict=True):
            table[block] = np.minimum(values, np.iinfo(np.int32).max)
    for table in tables:
        np.fill_diagonal(table, 0)
    return tables


def _end_mm(offer: Offer, slots: np.ndarray, end: _End) -> np.ndarray:
    return offer.lengths.drop_mm[slots, end.rear] + offer.lengths.rise_mm(slots, end.unit, end.units)


def _inside(offers: list[Offer], first: _End, second: _End) -> int:
    """Return the cost of a connection inside a cabinet."""
    runs = []
    for offer in offers:
        length_mm = offer.lengths.inside_mm(first.unit, first.units, second.unit, second.units, first.rear != second.rear)
        runs.append(length_mm + offer.lengths.slack_mm(length_mm, False))
    return int(cheapest(offers, runs, np.ones(1, bool))[0][0])
