"""Power supply: the PDUs of every box, and the boxes that fail with each PDU or feed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from planner.domain.model.failures import Domain
from planner.domain.model.inventory import Inventory
from planner.domain.model.placement import Placement
from planner.domain.model.room import Room

FEEDS = ("A", "B")


def pdus(inventory: Inventory, placement: Placement) -> np.ndarray:
    """Return the PDU of each device on feed A and on feed B, counted from 0 in its cabinet and feed; -1 for none; int64 (D, 2).

    Boxes of one part in a cabinet use the PDUs of a feed in turn, from the top down. With two feeds
    a box with several power supplies uses the same PDU of both; boxes with one supply alternate between
    the feeds first.
    """
    first = placement.first_of_box
    kind = placement.cabinet[first].astype(np.int64) * len(inventory.parts) + inventory.part[first]
    turn = _from_the_top(kind, placement.unit[first])
    found = np.full((len(first), 2), -1)
    if placement.feeds == 1:
        found[:, 0] = turn % placement.pdus_per_feed
    elif placement.feeds == 2:
        feed, pdu = turn % 2, turn // 2 % placement.pdus_per_feed
        alternating = np.where(feed[:, None] == np.arange(2), pdu[:, None], -1)
        several = inventory.of_part("psu_count")[first] > 1
        found = np.where(several[:, None], (turn % placement.pdus_per_feed)[:, None], alternating)
    return found[placement.box]


def _from_the_top(kind: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """Return the number of boxes of the same kind above each one, int64."""
    order = np.lexsort((-np.asarray(unit, np.int64), kind))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order)) - np.searchsorted(kind[order], kind[order])
    return place


def pdu_loads_mw(inventory: Inventory, placement: Placement) -> tuple[np.ndarray, np.ndarray]:
    """Return the load of every PDU with all feeds up, and with the other feed down; int64 (C, feeds, PDUs of a feed).

    All boxes draw their maximum power; one with supplies on both feeds draws half from each.
    """
    shape = placement.cabinet_count, placement.feeds, placement.pdus_per_feed
    normal, alone = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    first = placement.first_of_box
    cabinet, pdu, power_mw = placement.cabinet[first], pdus(inventory, placement)[first], inventory.of_part("power_max_mw")[first]
    draw_mw = np.where((pdu >= 0).all(axis=1), -(-power_mw // 2), power_mw)
    for feed in range(placement.feeds):
        here = pdu[:, feed] >= 0
        np.add.at(normal[:, feed], (cabinet[here], pdu[here, feed]), draw_mw[here])
        np.add.at(alone[:, feed], (cabinet[here], pdu[here, feed]), power_mw[here])
    return normal, alone


def power_domains(inventory: Inventory, placement: Placement, room: Room) -> tuple[Domain, ...]:
    """Return the failure domain of each PDU (kind ``PDU``), and of each feed of a row and of the room (kind ``feed``).

    A box with a supply on the other feed stays up. Empty domains of PDUs and rows are omitted.
    PDUs are named by slot, feed and number: ``"A07-B1"``; feeds ``"B of row A"`` and ``"B"``.
    """
    pdu = pdus(inventory, placement)
    home, rows = placement.cabinet, room.slot_row[placement.slot_of]
    names = [room.slot_names[slot] for slot in placement.slot_of.tolist()]
    found = []
    for feed in range(placement.feeds):
        # Boxes without a supply on the other feed.
        only = np.where(pdu[:, 1 - feed] < 0, pdu[:, feed], -1)
        letter, count = FEEDS[feed], placement.pdus_per_feed
        own = [f"{name}-{letter}{number + 1}" for name in names for number in range(count)]
        found += _by(inventory, "PDU", own, np.where(only < 0, -1, home * count + only))
        in_row = [f"{letter} of row {name}" for name in room.row_names]
        found += _by(inventory, "feed", in_row, np.where(only < 0, -1, rows[home]))
        found.append(Domain.of(inventory, "feed", letter, devices=np.flatnonzero(only >= 0)))
    return tuple(found)


def _by(inventory: Inventory, kind: str, names: list[str], label: np.ndarray) -> list[Domain]:
    """Return a domain for each name with devices; the labels of devices are 0 … n - 1, or -1 for none."""
    order = np.argsort(label, kind="stable")
    edges = np.searchsorted(label[order], np.arange(len(names) + 1))
    return [
        Domain.of(inventory, kind, name, devices=order[low:high])
        for name, (low, high) in zip(names, pairwise(edges.tolist()), strict=True)
        if low < high
    ]
