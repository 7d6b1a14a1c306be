"""Sums over the segments of routes are those of plain loops, wherever a block of routes ends."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from planner.check.basis import routes as routes_module

SEGMENTS = 6


@given(st.lists(st.lists(st.integers(0, SEGMENTS - 1), max_size=4, unique=True), max_size=8), st.integers(1, 9), st.data())
def test_sums_in_blocks(routes, entries, data):
    indptr = np.cumsum([0, *map(len, routes)])
    segments = np.array([segment for route in routes for segment in route], np.int64)
    cables = SimpleNamespace(route_indptr=indptr, route_segments=segments)
    on = data.draw(st.lists(st.integers(-1, len(routes) - 1), max_size=12))
    area = np.arange(1, len(on) + 1)
    fill, lengths = [0] * SEGMENTS, [sum(10 + segment for segment in route) for route in routes]
    for number, route in enumerate(on):
        for segment in routes[route] if route >= 0 else ():
            fill[segment] += number + 1
    before, routes_module.ENTRIES = routes_module.ENTRIES, entries
    try:
        taken = np.zeros(SEGMENTS, np.int64)
        routes_module.add_along_routes(taken, cables, np.array(on, np.int64), area)
        found = routes_module.lengths_mm(cables, SimpleNamespace(segment_mm=10 + np.arange(SEGMENTS)))
    finally:
        routes_module.ENTRIES = before
    assert (taken.tolist(), found.tolist()) == (fill, lengths)
