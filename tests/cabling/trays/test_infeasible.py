"""Infeasible cases: proven before the first round, routed with small overflow, resumed when a few cables change."""

from dataclasses import replace

import numpy as np
import pytest

from planner.design.cabling.trays import negotiation
from planner.design.cabling.trays import routes as tray_routes
from planner.design.cabling.trays.certificate import verify_certificate
from planner.design.cabling.trays.graph import Demands, TrayGraph
from planner.design.cabling.trays.negotiation import negotiate
from planner.design.cabling.trays.routes import routes

SLOTS, ROWS, EVERY = 30, 5, 6


def hall(seed, tightness):
    """Rows of slots with a tray across at every sixth, and a room that is a share of what the worst segment takes."""
    random = np.random.default_rng(seed)
    node = np.arange(ROWS * SLOTS).reshape(ROWS, SLOTS)
    along = np.column_stack([node[:, :-1].ravel(), node[:, 1:].ravel()])
    across = np.column_stack([node[:-1, ::EVERY].ravel(), node[1:, ::EVERY].ravel()])
    count = len(along) + len(across)
    length = np.repeat([600, 2400], [len(along), len(across)])
    graph = TrayGraph(node.size, np.concatenate([along, across]), length, np.full(count, -1), np.full(count, 3))
    pairs = random.integers(0, node.size, (150, 2))
    demands = Demands(pairs, random.integers(0, 2, 150), random.choice([7, 28], 150), random.integers(1, 6, 150))
    worst = fill(graph, demands, negotiate(graph, demands)).max()
    return replace(graph, room_um2=np.full(count, int(worst * tightness))), demands


def fill(graph, demands, routed):
    use = np.zeros(len(graph.ends), np.int64)
    np.add.at(use, routed.segments, np.repeat(demands.cable_um2[routed.demand] * routed.cables, np.diff(routed.indptr)))
    return use


def sound(graph, demands, routed):
    """Every cable has a route from end to end, the overflow is as stated, and the proof holds."""
    assert np.bincount(routed.demand, routed.cables, minlength=len(demands.medium_class)).tolist() == demands.cables.tolist()
    for number, demand in enumerate(routed.demand.tolist()):
        node, goal = demands.ends[demand].tolist()
        for segment in routed.segments[routed.indptr[number] : routed.indptr[number + 1]].tolist():
            assert node in graph.ends[segment]
            node = int(graph.ends[segment].sum()) - node
        assert node == goal
    assert routed.excess_um2.tolist() == np.maximum(fill(graph, demands, routed) - graph.room_um2, 0).tolist()
    known = routed.certificate
    assert verify_certificate(graph, demands, known.segments, known.prices) == (known.needed, known.room)
    assert not routed.fits


@pytest.fixture
def early(monkeypatch):
    monkeypatch.setattr(negotiation, "EARLY_DEMANDS", 0)


@pytest.mark.slow
@pytest.mark.parametrize("tightness", [0.2, 0.35])
@pytest.mark.parametrize("seed", range(5))
def test_what_is_far_from_fitting_needs_no_round(monkeypatch, seed, tightness):
    graph, demands = hall(seed, tightness)
    late = negotiate(graph, demands)
    assert late.rounds > 0
    assert late.warm_start is None
    monkeypatch.setattr(negotiation, "EARLY_DEMANDS", 0)
    routed = negotiate(graph, demands)
    assert routed.rounds == 0
    sound(graph, demands, routed)
    # Without any round overflow and length are about the same.
    assert routed.excess_um2.sum() <= 1.25 * late.excess_um2.sum()
    assert routed.length_mm <= 1.25 * late.length_mm
    assert routed.certificate.is_cut
    # At least this overflow is on the cut's segments, regardless of the routes.
    assert routed.excess_um2[routed.certificate.segments].sum() >= routed.certificate.needed - routed.certificate.room


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_an_early_infeasibility_test_changes_nothing_where_all_fits(early, monkeypatch, seed):
    graph, demands = hall(seed, 0.75)
    asked = negotiate(graph, demands)
    monkeypatch.setattr(negotiation, "EARLY_DEMANDS", 10**9)
    routed = negotiate(graph, demands)
    assert routed.fits
    assert asked.segments.tolist() == routed.segments.tolist()
    assert asked.rounds == routed.rounds > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_few_changed_cables_start_from_the_previous_routes(early, monkeypatch, seed):
    graph, demands = hall(seed, 0.25)
    first = negotiate(graph, demands)
    area = demands.cable_um2.copy()
    area[:3] += 1
    changed = replace(demands, cable_um2=area)
    again = negotiate(graph, changed, warm_start=first.warm_start)
    sound(graph, changed, again)
    assert again.uncongested_mm == first.uncongested_mm
    assert again.excess_um2.sum() <= 1.01 * first.excess_um2.sum()
    # The same cables: routes stay or improve, without a round.
    same = negotiate(graph, demands, warm_start=first.warm_start)
    sound(graph, demands, same)
    assert (same.excess_um2.sum(), same.length_mm) <= (first.excess_um2.sum(), first.length_mm)
    # Where the proof no longer holds the negotiation starts from scratch.
    wide = replace(graph, room_um2=np.full(len(graph.ends), -1))
    free = negotiate(wide, demands, warm_start=first.warm_start)
    assert free.fits
    assert free.length_mm == free.uncongested_mm


def test_progress_reports_the_overflow(early):
    graph, demands = hall(0, 0.25)
    reports = []
    routed = negotiate(graph, demands, progress=lambda stage, done, total, **facts: reports.append((stage, done, total, facts)))
    assert {(stage, total) for stage, _, total, _ in reports} == {("trays", negotiation.ROUNDS)}
    assert max(facts["overflow_um2"] for *_, facts in reports) >= reports[-1][3]["overflow_um2"] == routed.excess_um2.sum()
    assert reports[-1][3]["overloaded_mm"] == graph.length_mm[routed.excess_um2 > 0].sum()
    assert reports[-1][3]["objective"] == routed.length_mm


def test_cables_that_cannot_fit_more_room_either_are_not_negotiated_again(lab, monkeypatch):
    """Twenty cables between two rows over trays for eight each: 200 mm² where 160, at the maximum fill 200 mm² are free."""
    asked = []

    def counted(graph, demands, **given):
        asked.append(graph.room_um2.max())
        return negotiate(graph, demands, **given)

    monkeypatch.setattr(tray_routes, "negotiate", counted)
    slot = np.tile([[lab.slot_names.index("A01"), lab.slot_names.index("B01")]], (40, 1))
    tight = replace(lab, segment_mm2=np.full(len(lab.segments), 200, np.int64))
    found = routes(tight, slot, np.zeros(40, int), np.full(40, 10_000_000))
    assert asked == [80_000_000]
    assert (found.bottleneck.needed, found.bottleneck.room) == (400 * 10**6, 160 * 10**6)
    assert (found.route >= 0).all()
