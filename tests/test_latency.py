"""Delays: against every way counted by networkx, and by hand."""

from dataclasses import replace
from itertools import pairwise

import networkx
import numpy as np
import pytest

from planner.latency import latency


def fastest_minimal(plan):
    """For every ordered pair the fastest of all ways with fewest hops, enumerated."""
    graph = networkx.Graph()
    delay = plan.cables.delay_ps
    for number, (a, b) in enumerate(plan.topology.links.tolist()):
        graph.add_edge(a, b, ps=int(delay[number]))
    router = plan.catalog.router.delay_ps
    found = {}
    for a in graph:
        for b in graph:
            if a != b:
                ways = networkx.all_shortest_paths(graph, a, b)
                found[a, b] = min(sum(graph[u][v]["ps"] for u, v in pairwise(w)) + len(w) * router for w in ways)
    return found


def test_against_enumeration(small_plan):
    expected = fastest_minimal(small_plan)
    found = small_plan.latency
    assert found.worst_ps == max(expected.values())
    assert found.mean_ps == pytest.approx(sum(expected.values()) / len(expected))
    # Hoffman–Singleton: 350 ordered pairs at one hop, 2,100 at two.
    assert found.hop_histogram.tolist() == [50, 350, 2100]
    assert found.mean_hops == pytest.approx(4550 / 2450)
    path = found.worst_path.tolist()
    assert expected[path[0], path[-1]] == found.worst_ps


def test_endpoints_by_enumeration(small_plan):
    expected = fastest_minimal(small_plan)
    plan = small_plan
    ends = plan.cables.delay_ps[plan.topology.link_count :]
    router = plan.topology.endpoint_router
    total = worst = 0
    for e in range(200):
        for f in range(200):
            if e != f:
                between = expected.get((router[e], router[f]), plan.catalog.router.delay_ps)
                total += between + int(ends[e]) + int(ends[f])
                worst = max(worst, between + int(ends[e]) + int(ends[f]))
    assert plan.latency.endpoint_mean_ps == pytest.approx(total / (200 * 199))
    assert plan.latency.endpoint_worst_ps == worst


def test_cable_delay_is_that_of_the_stock_length(small_plan):
    cables = small_plan.cables
    for number in (0, 100, 374):
        made_of = cables.assemblies[cables.assembly[number]]
        assert (
            cables.delay_ps[number]
            == -(-int(cables.stock_mm[number]) * made_of.delay_ps_per_m // 1000) + 2 * made_of.delay_end_ps
        )


def test_slower_cables_never_lower_the_delay(small_plan):
    slow = replace(small_plan.cables, stock_mm=small_plan.cables.stock_mm + 1000)
    later = latency(small_plan.topology, small_plan.catalog, slow, seed=1)
    assert later.mean_ps > small_plan.latency.mean_ps
    assert later.worst_ps > small_plan.latency.worst_ps
    assert np.array_equal(later.hop_histogram, small_plan.latency.hop_histogram)
