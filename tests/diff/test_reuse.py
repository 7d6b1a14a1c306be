"""Removed cables that serve as added ones."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.schedules import PLACES, row

from planner.studies.diff.result import Pieces
from planner.studies.diff.reuse import Order, reused
from planner.view.schedule import difference


def of_lengths(stock, needs, **options):
    return reused(pieces_of(stock, needs, **options))


def pieces_of(stock, needs, **options):
    """Cables of these lengths are removed, and cables that need these are added, all between other devices."""
    places = {f"{head}{n}": ("A01", n + 1) for head in "abcd" for n in range(10)}
    old = [row(n, (f"a{n}", 1), (f"b{n}", 1), stock_mm=length, places=places) for n, length in enumerate(stock, 1)]
    new = [
        row(n, (f"c{n}", 1), (f"d{n}", 1), stock_mm=need + 500, run_mm=need, places=places, **options)
        for n, need in enumerate(needs, 1)
    ]
    return Pieces(difference(old, new))


def test_the_longest_need_takes_the_shortest_cable_that_is_long_enough():
    found = of_lengths([1000, 10_000, 5000, 3000], [2500, 4000, 20_000])
    assert [(each.old.stock_mm, each.need_mm) for each in found] == [(3000, 2500), (5000, 4000)]


def test_a_cable_leaves_before_it_is_used_again():
    order = Order(leaves={1: 1, 2: 2}, comes={1: 0, 2: 1, 3: 2})
    found = reused(pieces_of([5000, 3000], [1000, 2000, 2500]), order)
    # The first window takes nothing out; the second has the long cable alone.
    assert [(each.old.number, each.new.number) for each in found] == [(1, 2), (2, 3)]
    late = Order(leaves={1: 3, 2: 3}, comes={1: 0, 2: 1, 3: 2})
    assert reused(pieces_of([5000, 3000], [1000, 2000, 2500]), late) == []


def test_another_part_does_not_fit():
    assert len(of_lengths([3000], [2000])) == 1
    assert of_lengths([3000], [2000], part="aoc") == []


def test_a_splitter_serves_as_a_splitter_alone():
    old = [row(1, ("R0", 1), ("R1", 1)), row(2, ("R0", 2), ("R2", 1), piece=1)]
    new = [row(1, ("R3", 1), ("R4", 1)), row(2, ("R3", 2), ("R5", 1))]
    assert reused(Pieces(difference(old, new))) == []
    both = [new[0], new[1]._replace(piece=1)]
    assert len(reused(Pieces(difference(old, both)))) == 1


def test_cables_over_panels_are_not_pieces_to_re_use():
    old = [row(1, ("R0", 1), ("R1", 1))._replace(trunk="T1")]
    assert reused(Pieces(difference(old, [row(1, ("R3", 1), ("R4", 1), places=PLACES)]))) == []


@pytest.mark.slow
@given(st.lists(st.integers(1, 9), max_size=5), st.lists(st.integers(1, 9), max_size=5))
@settings(max_examples=200, deadline=None)
def test_no_assignment_reuses_more_cables_or_more_meters(stock, needs):
    found = of_lengths([1000 * each for each in stock], [1000 * each for each in needs])
    short, long = sorted((stock, needs), key=len)
    best = (0, 0)
    for chosen in permutations(long, len(short)):
        fits = [
            need
            for have, need in (zip(short, chosen, strict=True) if short is stock else zip(chosen, short, strict=True))
            if have >= need
        ]
        best = max(best, (len(fits), sum(fits)))
    assert (len(found), sum(each.need_mm for each in found) // 1000) == best
