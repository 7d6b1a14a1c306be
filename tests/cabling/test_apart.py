"""Detours of cables that shall not all share a tray segment, on a ring of trays with a stub."""

from types import SimpleNamespace

import numpy as np
import pytest

from planner.design.cabling.trays.apart import apart
from planner.design.cabling.trays.routes import Routes

# Node 0 is at the end of a stub to node 1; nodes 1, 2, 3, 4 form a ring: 1-2 and 2-3 of 1 m, 3-4 and 4-1 of 3 m.
ROOM = SimpleNamespace(
    segments=np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 1]]),
    segment_mm=np.array([500, 1000, 1000, 3000, 3000]),
    segment_carries=np.full(5, 3),
    node_xyz=np.zeros((5, 3)),
    slot_node=np.array([[0, 0], [3, 3], [2, 2]]),
)
FREE = np.full(5, 100)
TWO = np.array([[0, 1], [0, 1]])
"""Slots of two cables: both from the stub to node 3, over the stub and the short half of the ring."""


def routed(slots, sets, left=FREE, spare_mm=10_000):
    """The routes of cables that took the stub and the segments 1 and 2; to node 2 only the first of them."""
    own = [np.array([0, 1]) if slot[1] == 2 else np.array([0, 1, 2]) for slot in slots.tolist()]
    found = Routes(
        np.arange(len(own)), np.cumsum([0, *map(len, own)]), np.concatenate(own),
        np.array([ROOM.segment_mm[route].sum() for route in own]), 0, None,
    )  # fmt: skip
    count = len(slots)
    made = apart(
        ROOM, found, np.array(sets), slots, np.zeros(count, np.int64), np.full(count, 10), left, np.full(count, spare_mm)
    )
    return [made.segments_of(cable).tolist() for cable in range(count)], made


def test_one_cable_takes_the_other_half():
    """The stub is the only route to node 0: both cables use it."""
    routes, made = routed(TWO, [0, 0])
    assert sorted(routes) == [[0, 1, 2], [0, 4, 3]]
    assert sorted(made.tray_mm.tolist()) == [2500, 6500]
    assert made.indptr.tolist() == [0, 3, 6]


@pytest.mark.parametrize(
    ("sets", "options"),
    [([-1, -1], {}), ([0, 1], {}), ([0, 0], {"spare_mm": 3999}), ([0, 0], {"left": np.array([100, 100, 100, 9, 100])})],
)
def test_cables_stay_without_a_set_a_longer_part_or_room(sets, options):
    """The detour is 4 m; the cables have a cross-section of 10."""
    routes, _ = routed(TWO, sets, **options)
    assert routes == [[0, 1, 2], [0, 1, 2]]


def test_room_is_taken_by_each_detour():
    """Two pairs, and room for one cable on the long half."""
    routes, _ = routed(np.concatenate([TWO, TWO]), [0, 0, 1, 1], left=np.array([100, 100, 100, 10, 10]))
    assert sorted(routes[:2]) == [[0, 1, 2], [0, 4, 3]]
    assert routes[2:] == [[0, 1, 2], [0, 1, 2]]


def test_the_shorter_detour_is_chosen():
    """To node 2 around the ring are 7 m for 1 m, to node 3 6 m for 2 m."""
    routes, _ = routed(np.array([[0, 2], [0, 1]]), [0, 0])
    assert routes == [[0, 1], [0, 4, 3]]


def test_of_three_cables_one_leaves_the_others():
    routes, made = routed(np.array([[0, 1]] * 3), [5, 5, 5])
    assert sorted(routes) == [[0, 1, 2], [0, 1, 2], [0, 4, 3]]
    # Equal routes are one row.
    assert len(made.indptr) == 3
