"""The pages of the simulation and of the workload, read back from the file as text."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from shared.paper import printed
from shared.small_plans import make_plan, measured

from planner.simulation.workload import Job, workload
from planner.view.link_load import link_traffic


@pytest.fixture(scope="module")
def whole(plan):
    """A plan with a simulation and two jobs."""
    jobs = (Job("allreduce", 4), Job("alltoall", 3, "random"))
    made = workload(plan.topology, plan.cables.delay_ps, router_delay_ps=100_000, rate_gbps=400, seed=1, jobs=jobs)
    return measured(replace(plan, workload=made))


@pytest.fixture(scope="module")
def text(whole, tmp_path_factory):
    return printed(whole, tmp_path_factory.mktemp("simulation")).chapter("Simulation")


@pytest.mark.slow
def test_every_point_is_in_both_tables(whole, text):
    result, lines = whole.simulation, text[: text.index("Link load on the floor")].split("\n")
    for n, offered in enumerate(result.offered):
        rows = [line for line in lines if line.startswith(f"{offered:.3f} ")]
        assert len(rows) == 2
        assert f"{result.accepted[n]:.3f}" in rows[0]
        assert ("saturated" in rows[0] or "deadlock" in rows[0]) == bool(result.saturated[n] or result.deadlock[n] >= 0)
        delay = result.delay_mean[n] * result.cycle_ps / 1000
        assert f"{delay:,.1f}" in rows[1].replace(" ", " ")


@pytest.mark.slow
def test_bound_search_and_deadlock_check_are_printed(whole, text):
    result, flat = whole.simulation, text.replace("\n", " ")
    assert f"Upper bound of the accepted load: {result.load_bound:.3f}" in flat
    assert f"between offered loads {result.saturation_low:.3f} and {result.saturation_high:.3f}" in flat
    assert "The channel dependency graph is acyclic for all pairs of routers" in flat


def test_the_busiest_cables_are_named_by_their_label_at_the_sending_end(whole, text):
    """At the highest steady load, in descending order."""
    result, cables = whole.simulation, whole.cables
    assert result.offered[result.steady] == result.offered[~result.saturated].max()
    sides = np.argsort(-result.link_load[result.steady], kind="stable")[:20]
    place = text.index("Link load on the floor")
    for side in sides.tolist():
        label = (cables.label_b if side % 2 else cables.label_a)[side // 2]
        place = text.index(f"{result.link_load[result.steady, side]:.3f} {side // 2 + 1} {label} ", place)


def test_pairs_of_cabinets_and_trays_are_listed_by_their_load(whole, text):
    names = [whole.room.slot_names[slot] for slot in whole.placement.slot_of]
    found = link_traffic(whole, whole.simulation.steady)
    place = text.index("Link load on the floor")
    for number, (a, b) in enumerate(found.pairs.key[:10].tolist()):
        cables, total = found.pairs.cables[number], found.pairs.total[number]
        load = f"{total:.1f} {found.pairs.mean[number]:.2f} {found.pairs.peak[number]:.2f}"
        place = text.index(f"{number + 1} {names[a]} – {names[b]} {cables} {load}", place)
    place = text.index("Trays: the busiest segments", place)
    tray = whole.room.tray_names[whole.room.segment_tray[found.segments.key[0]]]
    assert f"{tray} {found.segments.key[0] + 1} {found.segments.cables[0]} " in text[place:]


def test_the_load_of_pairs_and_segments_is_that_of_their_cables(whole):
    result, cables = whole.simulation, whole.cables
    point = result.steady
    load = result.link_load[point].astype(float).reshape(-1, 2)
    pairs, segments = defaultdict(list), defaultdict(list)
    for link in range(whole.topology.link_count):
        ends = tuple(sorted(cables.cabinet[link].tolist()))
        if ends[0] != ends[1]:
            pairs[ends].append(link)
        for segment in cables.route_of(link):
            segments[int(segment)].append(link)
    found = link_traffic(whole, point)
    assert found.within == whole.topology.link_count - sum(map(len, pairs.values()))
    for own, made in ((pairs, found.pairs), (segments, found.segments)):
        keys = [tuple(key) if isinstance(key, list) else key for key in made.key.tolist()]
        assert sorted(keys) == sorted(own)
        assert made.cables.tolist() == [len(own[key]) for key in keys]
        assert made.total == pytest.approx([load[own[key]].sum() for key in keys])
        assert made.peak == pytest.approx([load[own[key]].max() for key in keys])
        assert made.mean == pytest.approx([load[own[key]].mean() for key in keys])
        assert (np.diff(made.total) <= 1e-6).all()


def test_jobs_stand_with_their_times(whole, text):
    made, lines = whole.workload, text.split("\n")
    for n, motif in enumerate(made.motifs):
        row = next(line for line in lines if line.startswith(f"{motif} {made.placements[n]} {made.ranks[n]} "))
        for cycles in (made.completion_cycles[n], made.bound_cycles[n]):
            assert f"{cycles * made.cycle_ps / 1e6:.2f}" in row
        assert row.endswith("done")


@pytest.mark.slow
def test_jobs_without_a_simulation_have_a_chapter(whole, tmp_path):
    paper = printed(measured(replace(whole, simulation=None)), tmp_path)
    assert "Each job runs alone" in paper.chapter("Workload")


@pytest.mark.slow
def test_time_steps_stand_with_scheduled_jobs_only(whole, text, tmp_path):
    assert "conflicts" not in text
    made = replace(whole.workload, steps=np.array([0, 42]), conflicts=np.array([-1, 7]))
    paper = printed(measured(replace(whole, simulation=None, workload=made)), tmp_path).chapter("Workload")
    assert "Steps: time steps of a job with a schedule" in paper.replace("\n", " ")
    plain, scheduled = (next(line for line in paper.split("\n") if line.startswith(motif)) for motif in made.motifs)
    assert plain.endswith(" – – done")
    assert scheduled.endswith(" 42 7 done")


@pytest.mark.slow
def test_without_both_there_is_no_chapter(plan, tmp_path):
    paper = printed(measured(replace(plan, simulation=None)), tmp_path)
    with pytest.raises(KeyError):
        paper.chapter("Simulation")


@pytest.mark.slow
def test_all_saturated(tmp_path):
    plan = make_plan(name="full", q=3, endpoints_per_router=1)
    result = replace(plan.simulation, saturated=np.ones(len(plan.simulation.offered), bool))
    assert result.steady is None
    text = printed(measured(replace(plan, simulation=result)), tmp_path).chapter("Simulation")
    assert f"At offered load {result.offered.min():g}, the lowest simulated" in text
