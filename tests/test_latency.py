"""Delays: against every path enumerated by networkx, by Dijkstra, and by hand; samples against the truth."""

from dataclasses import replace
from itertools import pairwise

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.errors import InputError
from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.design.latency import latency
from planner.design.latency.fec import fec_of
from planner.design.latency.sample import mean_and_error
from planner.design.placement import place
from planner.domain import catalog
from planner.domain.model import DELAY_PARTS, MEDIA, Plan
from planner.domain.quantities.latency import QUANTITIES
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.kernels.graph.latency import fastest
from planner.network import topology

MODELS = catalog.rows("delay_model")
FAR = 1 << 40
"""Added to every link so that fewer hops always win."""


def fastest_minimal(plan):
    """For every ordered pair the fastest of all minimal paths, enumerated."""
    graph = networkx.Graph()
    delay = plan.cables.delay_ps
    for number, (a, b) in enumerate(plan.topology.links.tolist()):
        graph.add_edge(a, b, ps=int(delay[number]))
    router = plan.inventory.parts[0].delay_ps
    found = {}
    for a in graph:
        for b in graph:
            if a != b:
                paths = networkx.all_shortest_paths(graph, a, b)
                found[a, b] = min(sum(graph[u][v]["ps"] for u, v in pairwise(w)) + len(w) * router for w in paths)
    return found


def joined(network, delay_ps, router_ps):
    """Hops and delay of every ordered pair of different routers by networkx, parallel links included.

    `router_ps` are the delays of the routers, a list.
    """
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from(range(network.router_count))
    for (a, b), ps in zip(network.links.tolist(), delay_ps.tolist(), strict=False):
        graph.add_edge(a, b, weight=FAR + ps + router_ps[b])
        graph.add_edge(b, a, weight=FAR + ps + router_ps[a])
    for a, row in networkx.all_pairs_dijkstra_path_length(graph):
        for b, length in row.items():
            if a != b:
                hops, steps_ps = divmod(length, FAR)
                yield a, b, hops, router_ps[a] + steps_ps


@pytest.fixture(scope="module")
def dragonfly():
    """A dragonfly of 36 routers in groups over several cabinets: network, devices and cables."""
    edr = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
    network = topology.build("dragonfly", a=4, h=2, endpoints_per_router=6)
    hall = floor.room("lab", routers=network.router_count)
    lengths = Lengths(hall, edr.cabinet, Slack())
    placed = place(network, edr, lengths, seed=1, algorithm="identity")
    devices = inventory(network, edr)
    return network, devices, cable(devices, edr, placed, lengths)


@pytest.mark.slow
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
    assert not found.sampled
    assert (found.mean_error_ps, found.mean_hops_error, found.endpoint_mean_error_ps, found.unreached) == (0, 0, 0, 0)


@pytest.mark.slow
def test_endpoints_by_enumeration(small_plan):
    expected = fastest_minimal(small_plan)
    plan = small_plan
    ends = plan.cables.delay_ps[plan.topology.link_count :]
    router = plan.topology.endpoint_router
    total = worst = 0
    for e in range(200):
        for f in range(200):
            if e != f:
                between = expected.get((router[e], router[f]), plan.inventory.parts[0].delay_ps)
                total += between + int(ends[e]) + int(ends[f])
                worst = max(worst, between + int(ends[e]) + int(ends[f]))
    assert plan.latency.endpoint_mean_ps == pytest.approx(total / (200 * 199))
    assert plan.latency.endpoint_worst_ps == worst


def test_the_steps_of_the_worst_path_add_up_to_its_delay(dragonfly):
    network, devices, cables = dragonfly
    found = latency(network, devices, cables, MODELS, seed=1, fec="fec-kr4")
    for number, (a, b) in zip(found.worst_links, pairwise(found.worst_path.tolist()), strict=True):
        assert {a, b} == set(network.links[number].tolist())
    assert found.router_delay_ps + found.worst_parts_ps.sum() == found.worst_ps
    fec = found.worst_parts_ps[:, DELAY_PARTS.index("FEC")]
    assert (fec == 85_500).all()
    without_fec = found.worst_parts_ps[:, 1:].sum(axis=1) - fec
    assert np.array_equal(without_fec, cables.delay_ps[found.worst_links])


@pytest.mark.parametrize("fec", ["none", "fec-kp4"])
def test_classes_of_pairs_by_dijkstra(dragonfly, fec):
    network, devices, cables = dragonfly
    found = latency(network, devices, cables, MODELS, seed=1, fec=fec)
    assert found.class_names == ("same cabinet", "same group", "others")
    cabinet = {int(d): int(c) for d, c in zip(cables.device.ravel(), cables.cabinet.ravel(), strict=True)}
    group = network.group[:, 0]
    of = {0: [], 1: [], 2: []}
    hops_of = {0: [], 1: [], 2: []}
    more = 0 if fec == "none" else 150_000
    for a, b, hops, ps in joined(network, cables.delay_ps + more, 36 * [devices.parts[0].delay_ps]):
        kind = 0 if cabinet[a] == cabinet[b] else 1 if group[a] == group[b] else 2
        of[kind].append(ps)
        hops_of[kind].append(hops)
    assert found.class_pairs.tolist() == [len(of[kind]) for kind in range(3)]
    for kind in range(3):
        assert found.class_mean_ps[kind] == pytest.approx(np.mean(of[kind]) if of[kind] else 0)
        assert found.class_hops[kind] == pytest.approx(np.mean(hops_of[kind]) if of[kind] else 0)
        assert found.class_worst_ps[kind] == max(of[kind], default=0)
        assert found.class_parts_ps[kind, 0] == pytest.approx((found.class_hops[kind] + 1) * 90_000 if of[kind] else 0)
        assert found.class_parts_ps[kind, -1] == pytest.approx(more * found.class_hops[kind])
    assert found.mean_ps == pytest.approx((found.class_mean_ps * found.class_pairs).sum() / found.class_pairs.sum())


def test_routers_of_two_parts_by_dijkstra(dragonfly):
    network, devices, cables = dragonfly
    slow = replace(devices.parts[0], id="slow", delay_ps=550_000)
    part = np.where(devices.is_router & (np.arange(devices.device_count) % 3 == 0), len(devices.parts), devices.part)
    mixed = replace(devices, parts=(*devices.parts, slow), per_box=(*devices.per_box, 1), part=part)
    router_ps = [550_000 if router % 3 == 0 else 90_000 for router in range(36)]
    found = latency(network, mixed, cables, seed=1)
    expected = {(a, b): ps for a, b, _, ps in joined(network, cables.delay_ps, router_ps)}
    assert found.worst_ps == max(expected.values())
    assert found.mean_ps == pytest.approx(np.mean(list(expected.values())))
    path = found.worst_path.tolist()
    assert router_ps[path[0]] + found.worst_parts_ps.sum() == found.worst_ps == expected[path[0], path[-1]]
    assert found.worst_parts_ps[:, 0].tolist() == [router_ps[router] for router in path[1:]]
    assert (found.class_mean_ps * found.class_pairs).sum() / found.class_pairs.sum() == pytest.approx(found.mean_ps)
    ends, router = cables.delay_ps[network.link_count :].tolist(), network.endpoint_router.tolist()
    between = [
        expected.get((router[e], router[f]), router_ps[router[e]]) + ends[e] + ends[f]
        for e in range(len(ends))
        for f in range(len(ends))
        if e != f
    ]
    assert found.endpoint_worst_ps == max(between)
    assert found.endpoint_mean_ps == pytest.approx(np.mean(between))


def test_classes_of_cables_cover_every_cable_once(dragonfly):
    network, devices, cables = dragonfly
    found = latency(network, devices, cables, seed=1)
    medium = cables.of_assembly("medium")
    kind = np.concatenate([network.link_class, np.full(network.endpoint_count, len(network.link_class_names))])
    assert found.cable_count.sum() == cables.cable_count
    for line in range(len(found.cable_count)):
        own = (kind == found.cable_class[line]) & (medium == MEDIA[found.cable_medium[line]])
        assert found.cable_count[line] == own.sum()
        assert found.cable_parts_ps[line].sum() == pytest.approx(cables.delay_ps[own].mean())
        assert found.cable_worst_ps[line] == cables.delay_ps[own].max()
        # The medium's own column and the plugs, nothing else.
        filled = np.flatnonzero(found.cable_parts_ps[line])
        assert set(filled.tolist()) <= {1 + int(found.cable_medium[line]), DELAY_PARTS.index("connectors")}


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
    later = latency(small_plan.topology, small_plan.inventory, slow, seed=1)
    assert later.mean_ps > small_plan.latency.mean_ps
    assert later.worst_ps > small_plan.latency.worst_ps
    assert np.array_equal(later.hop_histogram, small_plan.latency.hop_histogram)


# -- forward error correction --------------------------------------------------------------------


def assembly(rate_gbps, medium="copper"):
    edr = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300").link_assemblies[0]
    return replace(edr, rate_gbps=rate_gbps, medium=medium)


def test_auto_takes_the_code_of_the_rate():
    rates = [1, 56, 100, 200, 400, 800]
    rows, ps = fec_of([assembly(rate) for rate in rates], "auto", MODELS)
    # PAM4 lanes from 200 Gb/s on need RS(544,514), lanes of 25 Gb/s RS(528,514), slower ones none.
    assert rows == ("", "", "fec-kr4", "fec-kp4", "fec-kp4", "fec-kp4")
    assert ps.tolist() == [0, 0, 85_500, 150_000, 150_000, 150_000]


def test_a_named_code_counts_on_every_cable():
    # The low-latency code takes half of what RS(544,514) takes.
    rows, ps = fec_of([assembly(56), assembly(400, "optical")], "fec-ll", MODELS)
    assert rows == ("fec-ll", "fec-ll")
    assert ps.tolist() == [75_000, 75_000]


def test_unknown_and_doubtful_codes_are_refused():
    with pytest.raises(InputError, match="did you mean fec-kp4"):
        fec_of([assembly(400)], "fec-kp", MODELS)
    # Rows without a code are no forward error correction.
    with pytest.raises(InputError, match="there is no code 'aoc-end'"):
        fec_of([assembly(400)], "aoc-end", MODELS)
    twice = [*MODELS, replace(next(row for row in MODELS if row.id == "fec-kp4"), id="mine")]
    with pytest.raises(InputError, match="fec-kp4 and mine are both for 400 Gb/s"):
        fec_of([assembly(400)], "auto", twice)


# -- samples -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_intervals_cover_the_truth_at_their_level(dragonfly):
    network, devices, cables = dragonfly
    whole = latency(network, devices, cables, seed=0)
    runs = 300
    covered = np.zeros(3)
    for seed in range(runs):
        part = latency(network, devices, cables, seed=seed, sources=24)
        assert part.sampled
        assert part.sources == 24
        assert part.worst_ps <= whole.worst_ps
        for number, (mean, error) in enumerate(
            (("mean_ps", "mean_error_ps"), ("mean_hops", "mean_hops_error"), ("endpoint_mean_ps", "endpoint_mean_error_ps"))
        ):
            covered[number] += abs(getattr(part, mean) - getattr(whole, mean)) <= getattr(part, error) + 1e-9
    # Binomial around 95 %, four standard deviations of 1.26 %.
    assert (covered / runs > 0.90).all()


def test_the_estimator_covers_unequal_clusters():
    random = np.random.default_rng(5)
    counts = random.integers(1, 40, 400)
    totals = counts * random.normal(1000, 100, 400) + random.normal(0, 50, 400)
    truth = totals.sum() / counts.sum()
    hits = 0
    for _ in range(1000):
        chosen = random.choice(400, 60, replace=False)
        mean, error = mean_and_error(totals[chosen], counts[chosen], 400)
        hits += abs(mean - truth) <= error
    assert 0.92 < hits / 1000 < 0.98


@pytest.mark.slow
def test_parts_of_the_sources_give_the_paths_between_all_routers():
    """Against networkx, in a network with more routers than a part has."""
    edr = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
    network = topology.build("slimfly", q=7, endpoints_per_router=1)
    devices = inventory(network, edr)
    lengths = Lengths(floor.room("lab", routers=network.router_count), edr.cabinet, Slack())
    cables = cable(devices, edr, place(network, edr, lengths, seed=1, algorithm="identity"), lengths)
    parts = []

    def listed(function, tasks):
        parts.extend(tasks)
        return list(map(function, parts))

    found = latency(network, devices, cables, seed=1, side_by_side=listed)
    assert len(parts) > 1
    assert np.concatenate(parts).tolist() == list(range(98))
    router_ps = devices.of_routers("delay_ps").tolist()
    paths = list(joined(network, cables.delay_ps[devices.connections()], router_ps))
    assert found.hop_histogram.tolist() == [98, *np.bincount([hops for _, _, hops, _ in paths])[1:].tolist()]
    assert found.mean_ps == pytest.approx(np.mean([ps for *_, ps in paths]))
    assert found.worst_ps == max(ps for *_, ps in paths)


def test_all_sources_leave_nothing_to_estimate(dragonfly):
    network, devices, cables = dragonfly
    assert latency(network, devices, cables, seed=1, sources=36).mean_error_ps == 0
    assert latency(network, devices, cables, seed=1, sources=4000).sources == 36
    assert mean_and_error(np.array([7.0]), np.array([1]), 2) == (7.0, float("inf"))
    assert mean_and_error(np.zeros(3), np.zeros(3, int), 9) == (0.0, 0.0)


def test_quantities_split_the_mean_and_state_errors_of_samples_only(dragonfly):
    network, devices, cables = dragonfly
    whole = latency(network, devices, cables, MODELS, seed=1, fec="fec-kr4")
    found = {q.name: q.of(Plan("", "", {}, latency=whole)) for q in QUANTITIES}
    assert found["delay_mean_error_ps"] is None
    split = [found[f"delay_{part.replace(' ', '_').lower()}_mean_ps"] or 0 for part in DELAY_PARTS]
    assert sum(split) == pytest.approx(found["delay_mean_ps"])
    assert split[-1] == pytest.approx(85_500 * whole.mean_hops)
    part = latency(network, devices, cables, seed=1, sources=12)
    found = {q.name: q.of(Plan("", "", {}, latency=part)) for q in QUANTITIES}
    assert found["delay_mean_error_ps"] == part.mean_error_ps > 0
    assert found["delay_fec_mean_ps"] is None


# -- the kernel ----------------------------------------------------------------------------------


@st.composite
def networks(draw):
    """Random networks, parallel links included, with random delays per link."""
    routers = draw(st.integers(2, 12))
    pair = st.tuples(st.integers(0, routers - 1), st.integers(0, routers - 1)).filter(lambda p: p[0] != p[1])
    links = draw(st.lists(pair, max_size=30))
    return routers, links, draw(st.lists(st.integers(1, 100), min_size=len(links), max_size=len(links)))


def rows_of(routers, links):
    """indptr, indices and link by row."""
    ends = [(a, b, k) for k, (a, b) in enumerate(links)] + [(b, a, k) for k, (a, b) in enumerate(links)]
    ends.sort()
    indptr = np.searchsorted([a for a, _, _ in ends], np.arange(routers + 1)).astype(np.int32)
    return indptr, np.array([b for _, b, _ in ends], np.int32), np.array([k for _, _, k in ends], np.int64)


def search(routers, links, delays, source):
    indptr, indices, link = rows_of(routers, links)
    hops, before, arc, queue = np.empty((4, routers), np.int32)
    delay = np.zeros(routers, np.int64)
    arc_ps = np.array(delays, np.int64)[link] if links else np.zeros(0, np.int64)
    reached = fastest(indptr, indices, arc_ps, source, hops, delay, before, arc, queue)
    return hops, delay, reached


@pytest.mark.slow
@given(networks())
@settings(max_examples=30)
def test_the_kernel_finds_what_dijkstra_finds(network):
    routers, links, delays = network
    graph = networkx.MultiGraph()
    graph.add_nodes_from(range(routers))
    for (a, b), ps in zip(links, delays, strict=True):
        graph.add_edge(a, b, weight=FAR + ps)
    for source in range(routers):
        hops, delay, reached = search(routers, links, delays, source)
        expected = networkx.single_source_dijkstra_path_length(graph, source)
        assert reached == len(expected)
        for router in range(routers):
            if router in expected:
                assert (hops[router], delay[router]) == divmod(expected[router], FAR)
            else:
                assert hops[router] == -1


@pytest.mark.slow
@given(networks(), st.data())
@settings(max_examples=30)
def test_one_more_link_never_lengthens_a_path(network, data):
    routers, links, delays = network
    more = data.draw(st.tuples(st.integers(0, routers - 1), st.integers(0, routers - 1)).filter(lambda p: p[0] != p[1]))
    for source in range(routers):
        before, _, _ = search(routers, links, delays, source)
        after, _, _ = search(routers, [*links, more], [*delays, 1], source)
        assert ((after <= before) | (before < 0)).all()


def test_disconnected_pairs_are_counted(edr, lab_lengths):
    ring = topology.build("torus", sizes=[4], endpoints_per_router=1)
    links = np.array([[0, 1], [2, 3]])
    apart = replace(
        ring, links=links, link_class=np.zeros(2), indptr=[0, 1, 2, 3, 4], indices=[1, 0, 3, 2], link=[0, 0, 1, 1]
    )  # fmt: skip
    placed = place(ring, edr, lab_lengths, seed=1, algorithm="identity")
    devices = inventory(apart, edr)
    found = latency(apart, devices, cable(devices, edr, placed, lab_lengths), seed=1)
    assert found.hop_histogram.tolist() == [4, 4]
    assert found.unreached == 8
    assert found.mean_hops == 1
