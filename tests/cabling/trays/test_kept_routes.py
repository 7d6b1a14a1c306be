"""Trays with kept cables: what cannot fit next to them is proven, and no proof is wrong."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from planner.design.cabling.kept import Installed
from planner.design.cabling.trays.routes import fill_um2, routes, shortest

AREA_UM2 = 10_000_000


def both_sides(room, start, end):
    """The two simple routes between a slot of row A and one of row B, whose trays are joined at both ends."""
    node = room.slot_node[[start, end], 0]
    near = shortest(room, node[None], np.zeros(1, int))[0].tolist()
    ring = [n for n in range(len(room.segments)) if room.segment_carries[n] & 1]
    for gap in near:
        # Without one segment of the shortest route the ring leaves the other side alone.
        length = room.segment_mm.copy()
        length[gap] = 10**9
        far = shortest(replace(room, segment_mm=length), node[None], np.zeros(1, int))[0].tolist()
        if gap not in far:
            assert set(far) <= set(ring)
            return near, far
    raise AssertionError("the rows are joined at one end only")


def installed(room, kept_routes, count):
    """Cables that stay on given routes, as the first ones of a plan of `count`."""
    own = len(kept_routes)
    lengths = [len(route) for route in kept_routes]
    kept = SimpleNamespace(
        route=np.arange(own),
        route_indptr=np.cumsum([0, *lengths]),
        route_segments=np.array([n for route in kept_routes for n in route], np.int64),
        turned=np.zeros(own, bool),
    )
    row = np.where(np.arange(count) < own, np.arange(count), -1)
    return Installed(kept, np.where(row >= 0, 0, -1), np.full(count, 10_000), row >= 0, row)


def routed(room, slot, kept_routes):
    """Routes of all cables, those of the first ones given, and the fill that these take."""
    count, first = len(slot), np.arange(len(slot))
    area = np.full(count, AREA_UM2)
    stay = installed(room, kept_routes, count)
    taken = stay.fill_um2(first, area, room)
    ends = np.where((first < len(kept_routes))[:, None], slot[:, :1], slot)
    found = routes(room, ends, np.zeros(count, int), area, taken_um2=taken)
    return stay.with_routes(found, first, room, np.zeros(count, int)), taken


def narrowed(room, mm2):
    return replace(room, segment_mm2=np.full(len(room.segments), mm2, np.int64))


def test_new_cables_that_do_not_fit_next_to_kept_ones_are_proven(lab):
    room = narrowed(lab, 200)
    slot = np.tile([[lab.slot_names.index("A01"), lab.slot_names.index("B01")]], (20, 1))
    near, _ = both_sides(room, *slot[0].tolist())
    found, taken = routed(room, slot, [near] * 8)
    # The near tray is at its design fill; the far one has space for eight of twelve.
    assert taken.max() == 8 * AREA_UM2
    assert (found.bottleneck.needed, found.bottleneck.room) == (12 * AREA_UM2, 8 * AREA_UM2)
    assert [found.segments_of(cable).tolist() for cable in range(8)] == [near] * 8


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_no_assignment_of_routes_refutes_a_proof(seed, lab):
    random = np.random.default_rng(seed)
    room = narrowed(lab, int(random.integers(50, 160)))
    count = int(random.integers(6, 12))
    kept = int(random.integers(1, 5))
    a, b = ([n for n, name in enumerate(lab.slot_names) if name.startswith(row)] for row in "AB")
    slot = np.column_stack([random.choice(a, count), random.choice(b, count)])
    choices = [both_sides(room, *pair) for pair in slot.tolist()]
    own = [choices[cable][int(random.integers(2))] for cable in range(kept)]
    found, taken = routed(room, slot, own)
    limit = room.design_fill * room.segment_mm2 * 1e6
    fits = False
    for choice in product((0, 1), repeat=count - kept):
        fill = taken.copy()
        for side, sides in zip(choice, choices[kept:], strict=True):
            fill[sides[side]] += AREA_UM2
        used = fill > taken
        fits = fits or bool((fill <= limit)[used].all())
    if fits:
        assert found.bottleneck is None
        used = fill_um2(found, np.full(count, AREA_UM2), len(room.segments))
        assert (used <= limit)[used > taken].all()
    if found.bottleneck is not None:
        assert not fits
        assert found.bottleneck.needed > found.bottleneck.room
