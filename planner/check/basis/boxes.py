"""Boxes and sockets of a plan: devices of one part, cabinet and unit share a box, rows of one cage share a socket."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from planner.domain.model import FIXTURES, Plan
from planner.domain.parts import EndpointPart, RouterPart


@dataclass(frozen=True, eq=False)
class Boxes:
    """All boxes, by cabinet, then by unit from the bottom.

    Attributes
    ----------
    of_device
        Box of each device, int64 (D,).
    cabinet, unit, kind, devices
        Cabinet, lowest unit, part as an index into `parts`, and number of devices of each box, int64 (B,).
    is_router
        Whether each box is a router, bool (B,).
    parts
        Parts of the inventory.
    """

    of_device: np.ndarray
    cabinet: np.ndarray
    unit: np.ndarray
    kind: np.ndarray
    devices: np.ndarray
    is_router: np.ndarray
    parts: tuple[RouterPart | EndpointPart, ...]

    def __iter__(self) -> Iterator[tuple[int, int, RouterPart | EndpointPart]]:
        """Yield cabinet, lowest unit and part of each box."""
        for cabinet, unit, kind in zip(self.cabinet.tolist(), self.unit.tolist(), self.kind.tolist(), strict=True):
            yield cabinet, unit, self.parts[kind]

    @property
    def above(self) -> list[int]:
        """Number of boxes of its part above each box in its cabinet."""
        seen: Counter[tuple[int, int]] = Counter()
        found = []
        for key in zip(self.cabinet.tolist()[::-1], self.kind.tolist()[::-1], strict=True):
            found.append(seen[key])
            seen[key] += 1
        return found[::-1]

    def of_part(self, name: str) -> np.ndarray:
        """Return an attribute of each box's part, (B,)."""
        return np.array([getattr(part, name) for part in self.parts])[self.kind]


@lru_cache(maxsize=1)
def boxes(plan: Plan) -> Boxes:
    """Return the boxes of a plan."""
    inventory, placement = plan.inventory, plan.placement
    place = placement.cabinet.astype(np.int64) * (int(placement.unit.max(initial=0)) + 1) + placement.unit
    # Devices of unlike parts in one unit are several boxes, which overlap.
    key = place * len(inventory.parts) + inventory.part
    _, first, of_device, devices = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    cabinet, unit, kind = (column[first].astype(np.int64) for column in (placement.cabinet, placement.unit, inventory.part))
    return Boxes(of_device.ravel(), cabinet, unit, kind, devices, inventory.is_router[first], inventory.parts)


def in_cabinets(plan: Plan, name: str) -> np.ndarray:
    """Return the sum of an attribute of all boxes over each cabinet, int64 (C,)."""
    found = boxes(plan)
    total = np.zeros(plan.placement.cabinet_count, np.int64)
    np.add.at(total, found.cabinet, found.of_part(name))
    return total


def framed(plan: Plan) -> np.ndarray:
    """Return whether each is a cabinet of the catalog, not a unit that takes a slot by itself, bool (C,)."""
    alone = {cabinet for cabinet, _, part in boxes(plan) if part.freestanding}
    return np.array([cabinet not in alone for cabinet in range(plan.placement.cabinet_count)], bool)


def fitted(plan: Plan, name: str) -> np.ndarray:
    """Return the sum of an attribute of cable managers and PDUs over each cabinet, int64 (C,)."""
    catalog, placement = plan.catalog, plan.placement
    total = np.zeros(placement.cabinet_count, np.int64)
    if catalog.manager is not None:
        managers = placement.fixture_kind == FIXTURES.index("cable manager")
        np.add.at(total, placement.fixture_cabinet[managers], getattr(catalog.manager, name))
    if catalog.pdu is not None:
        total += pdus_of_feeds(plan) * getattr(catalog.pdu, name)
    return total


def pdus_of_feeds(plan: Plan) -> np.ndarray:
    """Return the PDUs of the feeds of each cabinet that are no devices, int64 (C,); a node may be a PDU of its cabinet."""
    placement, pdu = plan.placement, plan.catalog.pdu
    needed = placement.feeds * placement.pdus_per_feed * framed(plan) * (pdu is not None)
    for device, cabinet in enumerate(placement.cabinet.tolist()):
        if pdu is not None and plan.inventory.part_of(device).id == pdu.id and needed[cabinet]:
            needed[cabinet] -= 1
    return needed


def sockets(plan: Plan) -> np.ndarray:
    """Return a number for the cage behind both ends of every row, equal for rows that plug into one cage; int64 (W, 2)."""
    cables = plan.cables
    return boxes(plan).of_device[cables.device] * (int(cables.cage.max(initial=0)) + 1) + cables.cage


def firsts(numbers: np.ndarray) -> np.ndarray:
    """Return where each number occurs first, row by row, bool in the shape of `numbers`."""
    first = np.zeros(numbers.size, bool)
    first[np.unique(numbers.ravel(), return_index=True)[1]] = True
    return first.reshape(numbers.shape)
