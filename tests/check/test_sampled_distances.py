"""Distances that the verifier computes from some sources: rare ones may differ as far as a sample can, others by half."""

from dataclasses import replace

import numpy as np
import pytest

from planner.check import latency
from planner.check.latency import delays_of_all_pairs, unlikely

ROUTERS, SOURCES = 100, 10


def found_in(far, stated):
    """Columns that cannot be, of a sample of routers, of which each has some pairs at two hops and all others at one."""
    sample = np.array([[1, ROUTERS - 1 - count, count] for count in far])
    return [column for column, *_ in unlikely(sample, np.array([ROUTERS, ROUTERS * (ROUTERS - 1) - stated, stated]), ROUTERS)]


def test_a_few_sources_with_nearly_all_rare_pairs_are_no_error():
    # One router of 100 is far from 50: 100 pairs in both directions. It is in the sample, so that 500 are expected.
    assert found_in([50, *[0] * 9], 100) == []


@pytest.mark.parametrize(("stated", "found"), [(1000, []), (1400, []), (1600, [2]), (400, [2])])
def test_pairs_that_all_sources_have_may_differ_by_half(stated, found):
    assert found_in([10] * SOURCES, stated) == found


def test_a_wrong_number_of_pairs_is_found_from_some_sources(small_plan, monkeypatch):
    """A Slim Fly of 50 routers: 350 pairs at one hop and 2,100 at two."""
    monkeypatch.setattr(latency, "PAIRS", 10 * small_plan.topology.router_count)
    assert list(delays_of_all_pairs(small_plan)) == []
    wrong = replace(small_plan, latency=replace(small_plan.latency, hop_histogram=np.array([50, 850, 1600])))
    assert [item.where for item in delays_of_all_pairs(wrong)] == ["1 hops"]
