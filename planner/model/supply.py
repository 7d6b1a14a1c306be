"""Power supply: the PDUs of every box, and the boxes that fail with each PDU or feed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from planner.model.catalog import Catalog
from planner.model.failures import Domain
from planner.model.placement import Placement
from planner.model.room import Room

FEEDS = ("A", "B")


@dataclass(frozen=True)
class Supply:
    """PDUs of every box.

    Boxes of one kind in a cabinet use the PDUs of a feed in turn, from the top down. With two feeds
    a box with several power supplies uses the same PDU of both; boxes with one supply alternate between
    the feeds first.

    Attributes
    ----------
    router_pdu, endpoint_pdu
        PDU of each router, and of the box of each endpoint, on feed A and on feed B, counted
        from 0 in its cabinet and feed; -1 for none. int64 (R, 2), (H, 2).
    """

    router_pdu: np.ndarray
    endpoint_pdu: np.ndarray

    @classmethod
    def of(cls, placement: Placement, catalog: Catalog) -> Supply:
        boxes, box = np.unique(
            np.column_stack([placement.endpoint_cabinet, -placement.endpoint_unit.astype(np.int64)]), axis=0, return_inverse=True
        )
        return cls(
            _plugged(placement, placement.cabinet_of, placement.unit_of, catalog.router.psu_count),
            _plugged(placement, boxes[:, 0], -boxes[:, 1], catalog.endpoint.psu_count)[box.ravel()],
        )


def _plugged(placement: Placement, cabinet: np.ndarray, unit: np.ndarray, supplies: int) -> np.ndarray:
    pdu = np.full((len(cabinet), 2), -1)
    turn = _from_the_top(cabinet, unit)
    if placement.feeds == 1:
        pdu[:, 0] = turn % placement.pdus_per_feed
    elif placement.feeds == 2 and supplies > 1:
        pdu[:] = (turn % placement.pdus_per_feed)[:, None]
    elif placement.feeds == 2:
        pdu[np.arange(len(pdu)), turn % 2] = turn // 2 % placement.pdus_per_feed
    return pdu


def _from_the_top(cabinet: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """Return the number of boxes above each one in its cabinet, int64."""
    order = np.lexsort((-np.asarray(unit, np.int64), cabinet))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order)) - np.searchsorted(cabinet[order], cabinet[order])
    return place


def pdu_loads_mw(placement: Placement, catalog: Catalog) -> tuple[np.ndarray, np.ndarray]:
    """Return the load of every PDU with all feeds up, and with the other feed down; int64 (C, feeds, PDUs of a feed).

    All boxes draw their maximum power; one with supplies on both feeds draws half from each.
    """
    shape = placement.cabinet_count, placement.feeds, placement.pdus_per_feed
    normal, alone = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    supply = Supply.of(placement, catalog)
    _, first = np.unique(np.column_stack([placement.endpoint_cabinet, placement.endpoint_unit]), axis=0, return_index=True)
    for part, cabinet, pdu in (
        (catalog.router, placement.cabinet_of, supply.router_pdu),
        (catalog.endpoint, placement.endpoint_cabinet[first], supply.endpoint_pdu[first]),
    ):
        draw_mw = np.where((pdu >= 0).all(axis=1), -(-part.power_max_mw // 2), part.power_max_mw)
        for feed in range(placement.feeds):
            here = pdu[:, feed] >= 0
            np.add.at(normal[:, feed], (cabinet[here], pdu[here, feed]), draw_mw[here])
            np.add.at(alone[:, feed], (cabinet[here], pdu[here, feed]), part.power_max_mw)
    return normal, alone


def power_domains(placement: Placement, catalog: Catalog, room: Room) -> tuple[Domain, ...]:
    """Return the failure domain of each PDU (kind ``PDU``), and of each feed of a row and of the room (kind ``feed``).

    A box with a supply on the other feed stays up. Empty domains of PDUs and rows are omitted.
    PDUs are named by slot, feed and number: ``"A07-B1"``; feeds ``"B of row A"`` and ``"B"``.
    """
    supply = Supply.of(placement, catalog)
    homes, pdus = (placement.cabinet_of, placement.endpoint_cabinet), (supply.router_pdu, supply.endpoint_pdu)
    rows = room.slot_row[placement.slot_of]
    names = [room.slot_names[slot] for slot in placement.slot_of.tolist()]
    found = []
    for feed in range(placement.feeds):
        # Boxes without a supply on the other feed.
        only = [np.where(pdu[:, 1 - feed] < 0, pdu[:, feed], -1) for pdu in pdus]
        letter, count = FEEDS[feed], placement.pdus_per_feed
        here = [np.where(pdu < 0, -1, home * count + pdu) for home, pdu in zip(homes, only, strict=True)]
        found += _by("PDU", [f"{name}-{letter}{number + 1}" for name in names for number in range(count)], *here)
        in_row = [np.where(pdu < 0, -1, rows[home]) for home, pdu in zip(homes, only, strict=True)]
        found += _by("feed", [f"{letter} of row {name}" for name in room.row_names], *in_row)
        routers, endpoints = (np.flatnonzero(pdu >= 0) for pdu in only)
        found.append(Domain("feed", letter, routers=routers, endpoints=endpoints))
    return tuple(found)


def _by(kind: str, names: list[str], *labels: np.ndarray) -> list[Domain]:
    """Return a domain for each name with members; labels of routers and endpoints are 0 … n - 1, or -1 for none."""
    routers, endpoints = (_members(label, len(names)) for label in labels)
    return [
        Domain(kind, name, routers=failed, endpoints=behind)
        for name, failed, behind in zip(names, routers, endpoints, strict=True)
        if len(failed) or len(behind)
    ]


def _members(label: np.ndarray, count: int) -> list[np.ndarray]:
    """Return the positions of each of the labels 0 … count - 1."""
    order = np.argsort(label, kind="stable")
    edges = np.searchsorted(label[order], np.arange(count + 1))
    return [order[low:high] for low, high in pairwise(edges.tolist())]
