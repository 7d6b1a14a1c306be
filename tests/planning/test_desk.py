"""The desk: log and restart, variants and comparisons, what-if plans, improvements."""

import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from shared.edited_plans import assert_as_counted, write

from planner.core.errors import InputError
from planner.install.editing.desk import Desk
from planner.install.editing.session import Session
from planner.studies import pipeline


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    """Return a folder with a study and its plan."""
    folder = tmp_path_factory.mktemp("plan")
    pipeline.run(write("plain", folder), until="near_misses")
    return folder


@pytest.fixture
def folder(planned):
    for path in (*planned.glob("planning*"), *planned.glob("planned*.csv")):
        path.unlink()
    return planned


@pytest.fixture
def desk(folder):
    opened = Desk.open(folder)
    yield opened
    opened.close()


CABINET = {"kind": "cabinet", "what": "A01", "to": "B08"}
DEVICE = {"kind": "device", "what": "R003", "unit": 1}


def test_a_restart_restores_the_session(desk, folder):
    desk.move([CABINET])
    desk.keep("far")
    desk.move([DEVICE, {"kind": "pin", "what": "R003"}])
    desk.undo()
    desk.redo()
    desk.move([{"kind": "cabinet", "what": "A02", "to": "A08"}])
    desk.undo()
    again = Desk.open(folder)
    assert again.session.figures == desk.session.figures
    assert again.session.history == desk.session.history
    assert [*again.variants.items] == ["far"]
    assert np.array_equal(again.session.layout.pinned, desk.session.layout.pinned)
    assert again.redo().after == desk.redo().after
    again.close()


def test_a_line_that_was_cut_off_is_left_out(desk, folder):
    desk.move([CABINET])
    log = folder / "planning.jsonl"
    whole = log.read_bytes()
    log.write_bytes(whole + b'{"do":"un')
    again = Desk.open(folder)
    assert again.session.figures == desk.session.figures
    assert log.read_bytes() == whole
    again.close()


@pytest.mark.parametrize(
    ("content", "words"),
    [(b'{"plan":"another"}\n', "belongs to another"), (b"no json\n", "is not JSON"), (b"[]\n", "is no step")],
)
def test_logs_of_others_are_refused(folder, content, words):
    (folder / "planning.jsonl").write_bytes(content)
    with pytest.raises(InputError, match=words):
        Desk.open(folder)


def test_every_step_is_on_the_disk(desk, folder):
    desk.move([CABINET])
    desk.undo()
    lines = [json.loads(line) for line in (folder / "planning.jsonl").read_text().splitlines()]
    assert [line.get("do") for line in lines] == [None, "move", "undo"]


@pytest.mark.parametrize("given", [None, {}, [], ["x"], [{}] * 501, [{"kind": "cabinet", "what": "A01", "to": "Z"}]])
def test_wrong_moves_leave_no_trace(desk, folder, given):
    with pytest.raises(InputError):
        desk.move(given)
    assert not (folder / "planning.jsonl").exists()


@pytest.mark.parametrize("name", [None, "", " ", "a" * 81, "now", "bad\x00", 7])
def test_names_of_variants_are_checked(desk, name):
    with pytest.raises(InputError):
        desk.keep(name)


@pytest.mark.slow
def test_variants_are_compared(desk):
    delta = desk.move([CABINET])
    desk.keep("far")
    desk.undo()
    found = desk.compare("start", "far")
    assert found.bill is not None
    assert found.actions
    assert desk.compare("start", "now").actions == []
    assert desk.take("far").after == delta.after
    with pytest.raises(InputError, match="no variant"):
        desk.compare("start", "nothing")


@pytest.mark.slow
def test_a_count_in_the_background_is_adopted(desk):
    desk.move([CABINET])
    before = desk.session.figures
    assert desk.work.count().wait(300)
    assert desk.work.job.error == ""
    assert desk.work.adopt()
    assert desk.session.figures == before
    assert desk.session.plan.violations is not None
    assert desk.session.plan.bill is not None
    assert not desk.work.adopt()


@pytest.mark.nightly
def test_a_search_never_ends_worse_than_it_began(desk):
    desk.move([CABINET, {"kind": "cabinet", "what": "A03", "to": "B05"}, {"kind": "pin", "what": "B08"}])
    pinned = np.flatnonzero(desk.session.layout.pinned)
    start = desk.session.figures.price_cents
    homes = desk.session.layout.places.slot[pinned].copy()
    job = desk.work.improve()
    with pytest.raises(InputError, match="runs already"):
        desk.work.count()
    for _ in range(3000):
        if not job.is_running or job.places is not None:
            break
        job.wait(0.1)
    desk.work.stop()
    assert not job.is_running
    assert job.error == ""
    delta = desk.best()
    assert delta.after.price_cents == job.best["price_cents"] <= start
    routers = pinned[pinned < desk.session.plan.inventory.router_count]
    assert np.array_equal(desk.session.layout.places.slot[routers], homes[: len(routers)])
    assert_as_counted(desk.session)


@pytest.mark.nightly
def test_what_if(desk):
    before = desk.session.figures
    assert desk.work.what_if({"tray_width_percent": 50}).wait(300)
    assert desk.work.job.error == ""
    plan = desk.work.result()
    assert plan.quantities["fullest_tray_percent"]["value"] == pytest.approx(2 * before.tray_percent)
    assert plan.quantities["run_mm"]["value"] == before.length_mm
    assert desk.session.figures == before


@pytest.mark.nightly
def test_what_if_a_row_has_no_power(desk):
    assert desk.work.what_if({"row_without_power": "A"}).wait(300)
    assert desk.work.job.error == ""
    plan = desk.work.result()
    assert {plan.room.row_names[plan.room.slot_row[slot]] for slot in plan.placement.slot_of.tolist()} == {"B"}


@pytest.mark.parametrize("given", [None, {}, {"design_fill": 2}, {"row_without_power": "Z"}, {"wings": 2}, {"bundling": "knot"}])
def test_wrong_switches_are_refused(desk, given):
    with pytest.raises(InputError):
        desk.work.what_if(given)


def test_saved_layouts_have_numbers(desk, folder):
    names = [desk.save("layout").name for _ in range(2)]
    assert names == ["planned-layout-1.csv", "planned-layout-2.csv"]
    assert {*names} <= {*os.listdir(folder)}
    with pytest.raises(InputError, match="no kind"):
        desk.save("poem")


def test_steps_go_on_while_plans_are_counted(desk, monkeypatch):
    """Plans side by side take minutes: moves do not wait for them, and they are those of the moment of the request."""
    began, go_on, seen = threading.Event(), threading.Event(), []

    def counted(session, wanted, *, places):
        began.set()
        assert go_on.wait(60)
        seen.append(places)
        return session.plan

    monkeypatch.setattr(Session, "counted", counted)
    desk.move([CABINET])
    places = desk.session.layout.places
    with ThreadPoolExecutor(2) as pool:
        sides = pool.submit(desk.side_by_side, ["now", "start"])
        assert began.wait(60)
        steps = pool.submit(lambda: [desk.move([DEVICE]), desk.keep("near"), desk.undo()])
        try:
            steps.result(60)
        finally:
            go_on.set()
        assert [*sides.result(60)] == ["now", "start"]
    assert seen == [places, desk.variants.start.places]
    assert [*desk.variants.items] == ["near"]
