"""Moves of boxes within all cabinets of a plan whose cables are bought one by one, by a compiled kernel."""

from __future__ import annotations

import numpy as np

from planner.core.progress import Progress
from planner.design.near_misses._boxes import Boxes
from planner.design.near_misses._cables import Cables
from planner.domain.model import Catalog
from planner.hall.floor import Lengths
from planner.kernels.placement.units import settle

VISITS = 500
"""Cabinets visited between two reports of progress."""


SMALL = 5_000
"""Number of cables up to which the plain search takes less time than to compile the kernel."""


def applies(boxes: Boxes, cables: Cables) -> bool:
    """Return whether the price of every cable depends on its own length alone, and this on the units of two boxes."""
    return bool(
        cables.count > SMALL
        and cables.prices.single
        and boxes.unit.min() > 0
        and (cables.box[:, 0] != cables.box[:, 1]).all()
        and np.array_equal(cables.computed_mm(np.arange(cables.count)), cables.run_mm)
    )


def settle_all(boxes: Boxes, cables: Cables, catalog: Catalog, lengths: Lengths, progress: Progress) -> int:
    """Move boxes as `planner.design.near_misses.settled` does and return the saving in cents; `cables` stays as it was."""
    waiting = np.ones(boxes.cabinets, np.uint8)
    members = np.concatenate([boxes.of(cabinet) for cabinet in range(boxes.cabinets)])
    first = np.append(0, np.cumsum([len(boxes.of(cabinet)) for cabinet in range(boxes.cabinets)]))
    ends = np.argsort(cables.box.ravel(), kind="stable")
    at = np.searchsorted(cables.box.ravel()[ends], np.arange(len(boxes.unit) + 1))
    managed = boxes.is_router if catalog.manager is not None else False
    like = np.where(boxes.stays, -1, boxes.part)
    stays = (boxes.stays | managed).astype(np.uint8)
    rows, tables = _lengths(boxes, cables, lengths, catalog.cabinet.units + 1)
    own, lists = cables.prices.tables()
    size_max, units = int(np.diff(first).max()), catalog.cabinet.units + 1
    buffers = (
        np.empty((len(boxes.unit), units), np.int64),
        np.ones(len(boxes.unit), np.uint8),
        np.empty((size_max, size_max), np.uint8),
        np.empty(units, np.int64),
    )
    taken = boxes.taken.astype(np.uint8)
    given = (members, first, boxes.unit, boxes.units, like, stays, taken, ends, at, own, rows, tables, lists, buffers)
    saved, left = 0, boxes.cabinets
    while left:
        saving, left = settle(VISITS, waiting, *given)
        saved += int(saving)
        progress("units", boxes.cabinets - int(left), boxes.cabinets, saved=saved)
    return saved


def _lengths(boxes: Boxes, cables: Cables, lengths: Lengths, units: int) -> tuple[tuple, tuple]:
    """Return the arguments `rows` and `tables` of the kernel."""
    rules = lengths.by_medium_class
    height, tall = np.unique(boxes.units), np.arange(units)
    slots = lengths.room.slot_count
    rise = np.concatenate(
        [each.rise_mm(np.arange(slots)[:, None], tall, np.full((1, units), h)) for each in rules for h in height.tolist()]
    )
    medium, rank = cables.medium_class, np.searchsorted(height, boxes.units[cables.box])
    rise_of = (medium[:, None] * len(height) + rank) * slots + cables.slot
    near = np.stack(
        [
            length + each.slack_mm(length, False)
            for each in rules
            for across in (False, True)
            for h in height.tolist()
            for other in height.tolist()
            for length in [each.inside_mm(tall[:, None], np.array(h), tall, np.array(other), across)]
        ]
    )
    rear = boxes.rear[cables.box]
    across = (rear[:, 0] != rear[:, 1]).astype(np.int64)
    kind = ((medium * 2 + across) * len(height) + rank[:, 0]) * len(height) + rank[:, 1]
    drop = np.stack([each.drop_mm for each in rules])[medium[:, None], cables.slot, rear].sum(axis=1)
    by_hand = np.where(cables.set_by_hand, cables.run_mm, -1)
    slack = int(rules[0].slack_mm(np.array(0), True)), 0.0 if lengths.room.end_mm is not None else float(lengths.slack.percent)
    rows = (cables.box, cables.cabinet, rise_of, drop + cables.tray_mm, kind, by_hand)
    return rows, (rise.astype(np.int64), near.astype(np.int64), *slack)
