"""The work order: every cable once, long before short, crews that do not meet themselves."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.check.work import crews_in_one_place, long_before_short, work_covers_every_cable
from planner.design.work import work
from planner.domain.model import ACTIVITIES, PanelPlan
from planner.domain.parts import LaborRates
from planner.domain.quantities.work import QUANTITIES

RATES = LaborRates(
    id="rates", source="made up", confidence="D", in_cabinet_cents=1, between_cabinets_cents=1, in_cabinet_s=40,
    between_cabinets_s=100, pull_s_per_m=6, dress_s=300, label_s=10, test_s=7,
)  # fmt: skip
ORDERS = ("outside in", "cabinets first", "inside out")
RULES = (work_covers_every_cable, long_before_short, crews_in_one_place)


class Cables(SimpleNamespace):
    """Cables between cabinets in a line, one tray over all of them, a segment of a meter from each to the next."""

    def route_of(self, number):
        route = self.route[number]
        return self.route_segments[self.route_indptr[route] : self.route_indptr[route + 1]] if route >= 0 else np.zeros(0, int)


def line(pairs, piece=None):
    """A row holds four cabinets; each pair of cabinets is a bundle, each cable a piece unless `piece` states otherwise."""
    cabinet = np.array(pairs, int).reshape(-1, 2)
    count = len(cabinet)
    inside = cabinet[:, 0] == cabinet[:, 1]
    between, bundle = np.unique(np.sort(cabinet[~inside], axis=1), axis=0, return_inverse=True)
    of = np.full(count, -1)
    of[~inside] = bundle.ravel()
    routes = [list(range(a, b)) for a, b in between.tolist()]
    rows = cabinet // 4
    piece = np.arange(count) if piece is None else np.array(piece)
    return Cables(
        piece=piece, first_of_piece=np.unique(piece, return_index=True)[1], cable_count=count,
        device=np.column_stack([np.arange(count), count + np.arange(count)]), cage=np.ones((count, 2), int),
        cabinet=cabinet, bundle=of, carried=np.zeros(count, bool), route=of, route_indptr=np.cumsum([0, *map(len, routes)]),
        route_segments=np.array([segment for route in routes for segment in route], int),
        tray_mm=np.where(inside, 0, 1000 * np.ptp(cabinet, axis=1)), run_mm=1000 * np.ptp(cabinet, axis=1) + 2500,
        stage=np.where(inside, 0, np.where(rows[:, 0] == rows[:, 1], 1, 2)),
        stage_names=("in cabinet", "in row", "across the room"), bundle_run_mm=np.zeros(64, int),
        bundle_part=np.full(64, -1), label_a=np.arange(count).astype(str),
    )  # fmt: skip


def ordered(cables, **options):
    return work(SimpleNamespace(labor=RATES), cables, PanelPlan.none(), np.full(64, 1000), **options)


class Stub(SimpleNamespace):
    """A plan of a few records; hashed by identity, as a plan is."""

    __hash__ = object.__hash__


def complaints(cables, made):
    """Violations of a plan that has only cables, their work order and a long tray."""
    room = SimpleNamespace(
        segment_mm=np.full(64, 1000), node_xyz=np.zeros((65, 3), int),
        segments=np.column_stack([np.arange(64), np.arange(64) + 1]),
        tray_names=("tray",), segment_tray=np.zeros(64, int), slot_names=tuple(f"A{n}" for n in range(65)),
    )  # fmt: skip
    placement = SimpleNamespace(slot_of=np.arange(65))
    plan = Stub(cables=cables, panels=PanelPlan.none(), work=made, room=room, placement=placement)
    return [found for rule in RULES for found in rule(plan)]


PAIRS = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=40)


def test_three_cabinets_by_hand():
    """Two cables from 0 to 2, one from 0 to 1, one inside 1; one crew of one.

    The loom to 2: 2 m of route 12 s, two cables 200 s, dressing 300 s, four labels 40 s, two tests 14 s: 566 s.
    The cable to 1: 6 + 100 + 300 + 20 + 7 = 433 s. Inside: 40 + 300 + 20 + 7 = 367 s.
    """
    made = ordered(line([(0, 1), (2, 0), (1, 1), (0, 2)]), crews=1, workers=1)
    assert made.task.tolist() == [1, 0, 2, 0]
    assert made.person_s.tolist() == [[12, 200, 300, 40, 14], [6, 100, 300, 20, 7], [0, 40, 300, 20, 7]]
    assert len(ACTIVITIES) == made.person_s.shape[1]
    assert made.start_s.tolist() == [0, 566, 566 + 433]
    assert made.end_s.tolist() == [566, 566 + 433, 566 + 433 + 367]
    assert made.pieces.tolist() == [2, 1, 1]
    assert made.run_mm.tolist() == [9000, 3500, 2500]
    assert made.tray_mm.tolist() == [2000, 1000, 0]
    assert made.bundle.tolist() == [1, 0, -1]
    assert [made.total_s(stage) for stage in made.stage_names] == [367, 566 + 433, 0]
    assert (made.total_s(), made.makespan_s, made.shifts) == (1366, 1366, 1)


def test_two_crews_by_hand():
    """The short loom waits until the long one is pulled through their common tray, and no longer."""
    made = ordered(line([(0, 2), (0, 1)]), crews=2, workers=2)
    assert made.pull_s.tolist() == [6, 3]
    assert made.start_s.tolist() == [0, 6]
    assert made.crew.tolist() == [0, 1]
    assert made.end_s.tolist() == [(12 + 100 + 300 + 20 + 7 + 1) // 2, 6 + (6 + 100 + 300 + 20 + 7 + 1) // 2]


def test_the_inside_of_a_cabinet_waits_for_its_looms():
    made = ordered(line([(0, 1), (1, 1)]), crews=5)
    assert made.start_s[made.task[1]] == made.end_s[made.task[0]]
    early = ordered(line([(0, 1), (1, 1)]), crews=5, order="cabinets first")
    assert early.task.tolist() == [1, 0]
    assert early.start_s.tolist() == [0, early.end_s[0]]


@pytest.mark.parametrize(
    ("order", "stages"),
    [("outside in", [2, 1, 0]), ("cabinets first", [0, 2, 1]), ("inside out", [0, 1, 2])],
)
def test_stages_follow_the_order(order, stages):
    made = ordered(line([(0, 9), (0, 1), (5, 5)]), order=order)
    assert made.stage.tolist() == stages


def test_crews_side_by_side_work_at_different_cabinets():
    """Looms of equal route length from 0 and from 8: neighbors of the list are far from each other."""
    made = ordered(line([(0, 1), (1, 2), (2, 3), (8, 9), (9, 10), (10, 11)]), crews=2)
    for one, two in zip(made.cabinet[:-1:2].tolist(), made.cabinet[1::2].tolist(), strict=True):
        assert not set(one) & set(two)


@pytest.mark.slow
@given(PAIRS, st.integers(1, 6), st.integers(1, 4), st.sampled_from(ORDERS))
def test_the_verifier_finds_nothing(pairs, crews, workers, order):
    cables = line(pairs)
    made = ordered(cables, crews=crews, workers=workers, order=order)
    assert not complaints(cables, made)
    assert sorted(set(made.task.tolist())) == list(range(made.task_count))
    assert made.makespan_s * crews * workers >= made.total_s()
    duration = made.end_s - made.start_s
    assert (duration == -(-made.person_s.sum(axis=1) // workers)).all()
    assert made.pieces.sum() == len(pairs)
    assert made.run_mm.sum() == cables.run_mm.sum()
    assert made.total_s() == sum(made.total_s(stage) for stage in made.stage_names)


@pytest.mark.slow
@given(PAIRS, st.sampled_from(ORDERS))
def test_more_crews_never_delay_a_task(pairs, order):
    cables = line(pairs)
    before = ordered(cables, crews=1, order=order)
    for crews in (2, 3, 5, 40):
        after = ordered(cables, crews=crews, order=order)
        assert (after.task == before.task).all()
        assert (after.start_s <= before.start_s).all()
        before = after


def test_one_crew_never_waits():
    made = ordered(line([(0, 5), (2, 7), (3, 3), (1, 11), (5, 6)]), crews=1)
    assert made.start_s.tolist() == [0, *made.end_s[:-1].tolist()]


def test_cables_without_a_bundle_are_tasks_of_their_own():
    cables = line([(0, 2), (0, 2), (1, 1)])
    made = ordered(replace_columns(cables, bundle=np.full(3, -1)))
    assert made.task_count == 3
    assert made.bundle.tolist() == [-1] * 3


def test_links_of_one_cable_are_installed_and_labeled_once():
    """A twin-port cable: one length and two labels, but two links to test."""
    cables = line([(0, 1), (0, 1)], piece=[0, 0])
    cables = replace_columns(cables, device=np.array([[4, 5], [4, 5]]))
    made = ordered(cables)
    assert (made.pieces.tolist(), made.run_mm.tolist()) == ([1], [3500])
    assert made.person_s.tolist() == [[6, 100, 300, 20, 14]]
    assert not complaints(cables, made)


def test_a_splitter_goes_where_its_first_tail_goes():
    """Its head is one socket; three labels, and the route of its other tail is taken into account."""
    cables = line([(0, 1), (0, 3), (0, 3)], piece=[0, 0, 1])
    cables = replace_columns(cables, device=np.array([[4, 5], [4, 6], [7, 8]]))
    made = ordered(cables, crews=2)
    assert made.task.tolist() == [0, 0, 1]
    assert made.tray_mm.tolist() == [3000, 3000]
    assert made.person_s[0].tolist() == [18, 100, 300, 30, 14]
    assert not complaints(cables, made)
    found = complaints(cables, changed(made, "task", 1, 1))
    assert "one cable in two tasks" in {item.message for item in found}


def test_without_rates_there_is_an_order_but_no_time():
    cables = line([(0, 1), (0, 2), (2, 2)])
    times = ("in_cabinet_s", "between_cabinets_s", "pull_s_per_m", "dress_s", "label_s", "test_s")
    free = SimpleNamespace(labor=replace(RATES, **dict.fromkeys(times, 0)))
    made = work(free, cables, PanelPlan.none(), np.full(64, 1000))
    assert made.task.tolist() == [1, 0, 2]
    assert (made.total_s(), made.makespan_s, made.shifts) == (0, 0, 0)
    assert not complaints(cables, made)


def replace_columns(cables, **columns):
    return Cables(**(vars(cables) | columns))


def changed(record, name, index, value):
    content = np.array(getattr(record, name))
    content[index] = value
    return replace(record, **{name: content})


FAULTS = {
    "a cable of another task": ("work_covers_every_cable", "installs other cables", lambda w: changed(w, "task", 0, w.task[3])),
    "a cable of no task": ("work_covers_every_cable", "no task installs it", lambda w: changed(w, "task", 0, 99)),
    "a cable apart from its bundle": (
        "work_covers_every_cable", "apart from its bundle", lambda w: changed(w, "task", 1, w.task[3])
    ),
    "too many pieces": ("work_covers_every_cable", "fewer or more", lambda w: changed(w, "pieces", 0, 9)),
    "a wrong stage": ("work_covers_every_cable", "not of the install stage", lambda w: changed(w, "stage", 0, 0)),
    "a cable left out": ("work_covers_every_cable", "missing or too many", lambda w: replace(w, task=w.task[:-1])),
    "short before long": (
        "long_before_short", "a longer route after", lambda w: changed(w, "start_s", w.task[2], w.end_s.max() + 1)
    ),
    "two pulls in one tray": ("long_before_short", "through one tray", lambda w: changed(w, "start_s", w.task[3], 1)),
    "a crew in two places": ("crews_in_one_place", "before the other ends", lambda w: replace(w, crew=w.crew * 0)),
    "a crew that is not there": ("crews_in_one_place", "no such crew", lambda w: changed(w, "crew", 0, 7)),
    "a loom into a cabinet at work": (
        "crews_in_one_place", "same time", lambda w: changed(w, "start_s", w.task[4], w.start_s[w.task[3]])
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_the_verifier_finds_what_is_wrong(fault):
    rule, message, damage = FAULTS[fault]
    cables = line([(0, 1), (0, 1), (0, 3), (1, 2), (1, 1)])
    made = ordered(cables, crews=2)
    assert not complaints(cables, made)
    assert any(found.rule == rule and message in found.message for found in complaints(cables, damage(made)))


def test_a_whole_plan(small_plan):
    made = work(small_plan.catalog, small_plan.cables, PanelPlan.none(), small_plan.room.segment_mm, crews=3)
    plan = replace(small_plan, work=made, panels=PanelPlan.none())
    assert not [found for rule in RULES for found in rule(plan)]
    found = {quantity.name: quantity.of(plan) for quantity in QUANTITIES}
    assert found["work_tasks"] == made.task_count == 5 + len(plan.cables.bundle_kind)
    assert found["work_s"] == made.total_s()
    assert found["makespan_s"] == max(made.end_s)
    assert found["work_in_cabinet_s"] == made.total_s("in cabinet")
