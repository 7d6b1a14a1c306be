"""Labels fit their space and do not overlap, on every shipped floor and at every scale."""

from __future__ import annotations

from itertools import combinations

import pytest

from planner.hall import floor
from planner.hall.scene import Label
from planner.hall.scene.labels import TYPES, common_size, place
from planner.hall.scene.room import room_scene, tray_names

ROOMS = ("lab", "hall-a", "raised-hall", "two-halls", "container", "frontier")


def measure(text, size, bold):
    return 0.6 * size * len(text)


def box(placed, mm_per_pt):
    """Left, bottom, right and top of a text, by the plain rule."""
    wide, high = placed.width_pt * mm_per_pt, placed.height_pt * mm_per_pt
    if placed.upright or placed.label.angle % 180 == 90:
        wide, high = high, wide
    x, y = placed.at_mm
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@pytest.mark.slow
@pytest.mark.parametrize("scale", [20, 50, 100, 250, 1000])
@pytest.mark.parametrize("name", ROOMS)
def test_no_label_covers_another(name, scale):
    room = floor.room(name, routers=1)
    scene = room_scene(room).with_layers(tray_names(room))
    mm_per_pt = scale * 25.4 / 72
    found = place(scene.labels(), measure, mm_per_pt, min_pt=5)
    for a, b in combinations([box(placed, mm_per_pt) for placed in found], 2):
        assert not overlap(a, b)
    for placed in found:
        assert 5 <= placed.size_pt <= TYPES[placed.label.kind].size_pt
        space = placed.label.space_mm if not placed.upright else placed.label.upright_mm[3:1:-1]
        for needed, given in zip((placed.width_pt, placed.height_pt), space, strict=True):
            assert not given or needed * mm_per_pt <= given + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("name", ROOMS)
def test_slots_have_all_their_names_or_none(name):
    room = floor.room(name, routers=1)
    seen = set()
    for scale in (20, 50, 75, 100, 150, 200, 300, 500, 1000, 5000):
        names = [p for p in place(room_scene(room).labels(), measure, scale * 25.4 / 72, min_pt=5) if p.label.kind == "slots"]
        assert len(names) in (0, room.slot_count)
        assert len({(p.size_pt, p.upright) for p in names}) <= 1
        seen.add(len(names))
    assert seen == {0, room.slot_count}


def test_every_row_is_named_at_both_ends_outside_of_the_row():
    room = floor.room("two-halls", routers=1)
    found = [p for p in place(room_scene(room).labels(), measure, 50 * 25.4 / 72, min_pt=5) if p.label.kind == "rows"]
    assert sorted(p.text for p in found) == sorted(2 * list(room.row_names))
    low, high = room.slot_xy - room.slot_size / 2, room.slot_xy + room.slot_size / 2
    for placed in found:
        left, bottom, right, top = box(placed, 50 * 25.4 / 72)
        for (a, b), (c, d) in zip(low.tolist(), high.tolist(), strict=True):
            assert not overlap((left, bottom, right, top), (a, b, c, d))


def test_a_text_that_is_too_wide_is_written_upright_or_left_out():
    wide = Label("obstacles", "a long name", (0, 0), (300, 3000), upright_mm=(0, 0, 300, 3000))
    [placed] = place([wide], measure, 10, min_pt=5)
    assert placed.upright
    assert place([Label("obstacles", "a long name", (0, 0), (300, 3000))], measure, 10, min_pt=5) == []
    assert common_size([wide], measure, 10, 5) == (6.0, True)


def test_the_first_of_two_stays_and_nothing_leaves_the_window():
    two = [Label("rows", "A", (0, 0)), Label("rows", "B", (2.5, 0))]
    assert [placed.text for placed in place(two, measure, 1, min_pt=5)] == ["A"]
    [placed] = place(two, measure, 1, min_pt=5, inside_mm=((2, -50), (50, 50)))
    assert placed.text == "B"
    left, bottom, right, _ = box(placed, 1)
    assert left == pytest.approx(2)
    assert (right, bottom) == pytest.approx((2 + placed.width_pt, -placed.height_pt / 2))


def test_names_become_smaller_where_more_of_them_have_room_then():
    rows = [Label("rows", f"row {n}", (0, 7 * n)) for n in range(5)]
    assert {placed.size_pt for placed in place(rows[::2], measure, 1, min_pt=5)} == {8.0}
    assert [placed.size_pt for placed in place(rows, measure, 1, min_pt=5)] == [6.0] * 5


def test_a_note_is_written_only_next_to_a_level_name():
    label = Label("slots", "A01", (0, -50), (100, 80), upright_mm=(0, 0, 100, 200), note="29%", note_mm=(0, 50))
    assert [placed.text for placed in place([label], measure, 5, min_pt=5)] == ["A01", "29%"]
    assert [placed.text for placed in place([label], measure, 12, min_pt=5)] == ["A01"]
