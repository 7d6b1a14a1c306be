"""Moves by hand: increments equal a full count, undo and redo are exact, impossible moves are refused."""

import dataclasses

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from shared.edited_plans import OTHERS, STUDIES, assert_as_counted, with_others, write

from planner.core.errors import InputError
from planner.domain.model import FixedDevice, NearMiss, NearMisses
from planner.install.editing import Move, Session
from planner.install.editing.counting import before_places
from planner.studies.stages import stages

OPENED: dict[str, Session] = {}

IN_CI = ("plain", "several networks", "kept")
NAMES = [pytest.param(name, marks=[] if name in IN_CI else pytest.mark.nightly) for name in (*STUDIES, *OTHERS)]


def opened(name, tmp_path_factory) -> Session:
    """Return a new session; the plan is computed once."""
    if name not in OPENED:
        folder = tmp_path_factory.mktemp("study")
        OPENED[name] = with_others(name, folder) if name in OTHERS else Session.open(write(name, folder))
    return Session(OPENED[name].study, OPENED[name].plan)


@pytest.fixture
def session(tmp_path_factory):
    return opened("plain", tmp_path_factory)


def cabinets(session):
    return [session.plan.room.slot_names[slot] for slot in np.unique(session.layout.places.slot).tolist()]


def drawn_move(session, kind, one, two, unit):
    """Return a move of a kind by drawn numbers."""
    room, homes = session.plan.room, cabinets(session)
    if kind == "cabinet":
        return Move("cabinet", homes[one % len(homes)], room.slot_names[two % room.slot_count])
    if kind == "row":
        return Move("row", room.row_names[one % len(room.row_names)], room.row_names[two % len(room.row_names)])
    names = session.plan.inventory.names
    return Move("device", str(names[one % len(names)]), homes[two % len(homes)], unit)


NUMBER = st.integers(0, 9999)
STEPS = st.lists(
    st.tuples(st.sampled_from(["cabinet", "device", "device", "row", "undo", "redo"]), NUMBER, NUMBER, st.integers(1, 48)),
    min_size=1,
    max_size=6,
)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=5, phases=[Phase.explicit, Phase.generate])
@given(steps=STEPS)
def test_increments_equal_a_full_count(name, steps, tmp_path_factory):
    session = opened(name, tmp_path_factory)
    for kind, one, two, unit in steps:
        try:
            if kind in ("undo", "redo"):
                getattr(session, kind)()
            else:
                session.move(drawn_move(session, kind, one, two, unit))
        except InputError:
            continue
    assert session.estimated == ()
    assert_as_counted(session)


def test_undo_and_redo_are_exact(session):
    start = session.figures, session.current.columns["run_mm"].copy(), session.layout.places
    first, second = cabinets(session)[:2]
    there = session.move(Move("cabinet", first, "B08")).after
    further = session.move(Move("device", "R003", second, 1)).after
    assert further != there != start[0]
    assert session.undo().after == there
    assert session.undo().after == start[0]
    assert np.array_equal(session.current.columns["run_mm"], start[1])
    assert np.array_equal(session.layout.places.unit, start[2].unit)
    assert session.redo().after == there
    assert session.redo().after == further
    with pytest.raises(InputError, match="nothing to redo"):
        session.redo()


def test_a_delta_states_what_changes(session):
    home = cabinets(session)[0]
    delta = session.move(Move("cabinet", home, "B08"))
    assert delta.title == f"cabinet {home} to B08"
    assert (
        delta.moved_count == (session.plan.placement.slot_of[session.plan.placement.cabinet] == session.floor.slots[home]).sum()
    )
    change = sum(cable.run_mm[1] - cable.run_mm[0] for cable in delta.cables)
    assert change == delta.after.length_mm - delta.before.length_mm != 0
    assert sum(cable.price_cents[1] - cable.price_cents[0] for cable in delta.cables) == (
        delta.after.price_cents - delta.before.price_cents
    )
    ends = session.plan.inventory.ends
    moved = {session.floor.devices[name] for name in delta.moved}
    assert all(moved & set(ends[cable.number - 1].tolist()) for cable in delta.cables)
    room = session.plan.room
    for cable in delta.cables:
        assert sum(room.segment_mm[list(cable.route[1])]) == session.current.columns["tray_mm"][cable.number - 1]
    assert delta.trays
    assert all(old != new for _, old, new in delta.trays)


@pytest.mark.slow
def test_after_a_recount_undo_still_works(session):
    start = session.figures
    session.move(Move("cabinet", cabinets(session)[0], "B08"))
    session.recount()
    assert session.undo().after == start
    assert_as_counted(session)


@pytest.mark.slow
def test_rules_that_a_move_breaks_and_mends(tmp_path_factory):
    session = opened("limits", tmp_path_factory)
    far = max(session.plan.room.slot_names)
    delta = session.move(Move("cabinet", cabinets(session)[0], far))
    names = {item.rule for item in (*delta.broken, *delta.mended)}
    assert "links_as_short_as_required" in names
    back = session.undo()
    assert (back.broken, back.mended) == (delta.mended, delta.broken)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (Move("cabinet", "nowhere", "A01"), "is not a slot of"),
        (Move("cabinet", "B08", "A01"), "there is no cabinet in slot B08"),
        (Move("row", "A", "Z"), "is not a row of"),
        (Move("device", "R9999", "A01", 1), "is not a device"),
        (Move("device", "R003", "B08", 1), "there is no cabinet in slot B08"),
        (Move("device", "R003", unit=99), "is outside"),
    ],
)
def test_impossible_moves_are_refused(session, move, words):
    before = session.figures
    with pytest.raises(InputError, match=words):
        session.move(move)
    assert session.figures == before
    assert session.history == ([], [])


def test_pinned_devices_stay(session):
    home = cabinets(session)[0]
    session.move(Move("pin", home))
    with pytest.raises(InputError, match="is pinned"):
        session.move(Move("cabinet", home, "B08"))
    session.move(Move("unpin", home))
    session.move(Move("cabinet", home, "B08"))


def test_a_box_of_another_height_is_no_exchange(session):
    room, places = session.plan.room, session.layout.places
    router = int(np.flatnonzero(session.plan.inventory.is_router)[0])
    node = int(np.flatnonzero(~session.plan.inventory.is_router)[0])
    taken = Move(
        "device", str(session.plan.inventory.names[node]), room.slot_names[places.slot[router]], int(places.unit[router])
    )
    if session.floor.heights[router] != session.floor.heights[node]:
        with pytest.raises(InputError, match="is taken by"):
            session.move(taken)
    else:
        assert str(session.plan.inventory.names[router]) in session.move(taken).moved


@pytest.mark.slow
def test_an_accepted_near_miss_saves_what_it_states(session):
    # Routers at the bottom have the longest rise to the trays.
    session.move([Move("device", f"R{number:03}", unit=unit) for number, unit in ((3, 1), (13, 2), (23, 1))])
    session.recount()
    saving = [miss.unit_saving_cents for miss in session.plan.near_misses.items]
    number = int(np.argmax(saving))
    assert saving[number] > 0
    delta = session.accept(number)
    assert delta.before.price_cents - delta.after.price_cents == saving[number]
    with pytest.raises(InputError, match="there is no near miss"):
        session.accept(len(saving))


def test_an_accepted_move_of_a_cabinet(session):
    home, end = cabinets(session)[0], session.plan.inventory.ends[0]
    miss = NearMiss(0, 10, 3000, 500, slot_end=0, slot="B08", slot_saving_cents=500)
    session.plan = dataclasses.replace(session.plan, near_misses=NearMisses(300, 1, 500, (miss,)))
    moved = session.plan.room.slot_names[session.layout.places.slot[end[0]]]
    assert session.accept(0, by="slot").title == f"cabinet {moved} to B08"
    assert home == moved
    with pytest.raises(InputError, match="proposes no move"):
        session.accept(0, by="unit")


@pytest.mark.parametrize(
    "given",
    [None, [], "cabinet", {}, {"kind": "cabinet"}, {"kind": "teleport", "what": "A01"}, {"kind": "cabinet", "what": 5},
     {"kind": "device", "what": "R001", "unit": "3"}, {"kind": "device", "what": "R001", "unit": True},
     {"kind": "cabinet", "what": "A" * 10_000}, {"kind": "cabinet", "what": "A\x00"}, {"kind": ["cabinet"], "what": "A"},
     {"kind": "cabinet", "what": "A01", "extra": 1}],
)  # fmt: skip
def test_moves_of_strangers_are_checked(given):
    with pytest.raises(InputError):
        Move.of(given)


def test_moves_are_data():
    move = Move("device", "R003", "A01", 7)
    assert Move.of(move.plain()) == move
    assert dataclasses.replace(move, unit=None).plain() == {"kind": "device", "what": "R003", "to": "A01"}


@pytest.mark.slow
def test_built_devices_are_pinned_and_a_move_of_them_is_refused_at_once(tmp_path_factory):
    session = opened("kept", tmp_path_factory)
    names, fixed = session.plan.inventory.names, session.floor.fixed_devices
    assert len(fixed) == session.plan.kept.stays.sum() > 0
    assert session.layout.pinned[fixed].all()
    home = session.plan.room.slot_names[session.layout.places.slot[fixed[0]]]
    free = next(name for name in session.plan.room.slot_names if name not in cabinets(session))
    before = session.figures
    with pytest.raises(InputError, match=f"must stay: built keeps it in {home}") as refused:
        session.move(Move("cabinet", home, free))
    assert len(refused.value.problems) == 1
    with pytest.raises(InputError, match="must stay"):
        session.move(Move("unpin", str(names[fixed[0]])))
    assert session.figures == before
    own = [device for device in range(len(names)) if device not in fixed]
    assert not session.layout.pinned[own].any()


def test_a_device_that_the_study_fixes_stays(tmp_path_factory):
    plain = opened("plain", tmp_path_factory)
    slot, unit = int(plain.layout.places.slot[3]), int(plain.layout.places.unit[3])
    existing = dataclasses.replace(plain.plan.room.existing, fixed=(FixedDevice("R003", slot, unit),))
    session = Session(plain.study, dataclasses.replace(plain.plan, room=dataclasses.replace(plain.plan.room, existing=existing)))
    assert np.flatnonzero(session.layout.pinned).tolist() == [3]
    with pytest.raises(InputError, match=r"R003 would move, but must stay: \[room.existing\] of the study fixes it"):
        session.move(Move("device", "R003", unit=1))
    assert session.broken == ()


def test_records_before_places_are_used_again(tmp_path_factory):
    study = opened("kept", tmp_path_factory).study
    names = before_places(study)
    inputs = {name for name, stage in stages(study).items() if stage.is_input}
    assert inputs <= names
    assert {"kept", "inventory", "bisection"} <= names
    assert not names & {"placement", "cables", "bill", "violations"}


@pytest.mark.slow
def test_proposals_name_moves_that_still_apply(session):
    session.move([Move("device", f"R{number:03}", unit=unit) for number, unit in ((3, 1), (13, 2), (23, 1))])
    session.recount()
    found = session.proposals()
    savings = [each.saving_cents for each in found]
    assert savings == sorted(savings, reverse=True)
    assert len({each.move for each in found}) == len(found) > 0
    best = found[0]
    delta = session.accept(best.number, by=best.by)
    assert delta.before.price_cents - delta.after.price_cents == best.saving_cents
    assert best.move not in [each.move for each in session.proposals()]
    session.undo()
    assert session.proposals() == found
