"""A plan that is written again while it is served: phones learn of it, and what was recorded is carried over."""

import csv
import os
import shutil
import threading

import pytest
from shared.built_fabrics import DATA, PLAN
from shared.served import Hall, event

from planner.fabric import baseline
from planner.install.serve.doors import verify

pytestmark = pytest.mark.slow


@pytest.fixture
def schedule(tmp_path):
    path = tmp_path / "cables.csv"
    shutil.copy(PLAN, path)
    return path


@pytest.fixture
def hall(journal, schedule):
    return Hall(journal, planned=baseline.read(schedule))


def rewrite(path, change):
    """Write the schedule again with other rows."""
    with path.open(newline="", encoding="utf-8") as file:
        columns, *rows = csv.reader(file)
    rows = change([dict(zip(columns, row, strict=True)) for row in rows])
    temporary = path.with_suffix(".new")
    with temporary.open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, columns)
        out.writeheader()
        out.writerows(rows)
    os.replace(temporary, path)


def numbered(rows):
    """Number rows from 1 again."""
    return [row | {"cable": number} for number, row in enumerate(rows, 1)]


def test_phones_go_on_with_the_new_plan(hall, schedule):
    crew = hall.guest("crew")
    crew.records(event(1), event(2, "plugged", "as planned", "a"), event(4))
    first = crew.get("/api/install/cables")
    before = crew.get("/api/install/state").json()
    assert hall.served.follow() is None
    # The first cable is no longer there, and the others have other numbers.
    rewrite(schedule, lambda rows: numbered(rows[1:]))
    found = hall.served.follow()
    assert (found.carried, found.unmatched, found.relabeled) == (2, 1, 0)
    state = crew.get(f"/api/install/events?after={before['seq']}&mark={before['mark']}").json()
    assert state["plan"] != before["plan"]
    loaded = crew.get("/api/install/cables", headers={"If-None-Match": first.headers["etag"]})
    assert loaded.status_code == 200
    assert loaded.json()["plan"] == state["plan"] == crew.get("/api/me").json()["plan"]
    assert {line[0]: line[1] for line in crew.get("/api/install/state").json()["cables"]} == {1: "one end", 3: "pulled"}
    # What waited on a phone names a cable by its number in the old plan.
    assert crew.records(event(7, plan=before["plan"])).json()["new"] == 1
    board = crew.get("/api/board").json()
    assert (board["counts"]["unmatched"], board["whole"]["steps"]["pulled"]) == (1, 2)
    assert hall.served.follow() is None


def test_a_plan_that_cannot_be_read_changes_nothing_until_it_can(hall, schedule):
    crew = hall.guest("crew")
    crew.records(event(1))
    content = schedule.read_bytes()
    before = crew.get("/api/me").json()["plan"]
    schedule.write_bytes(content[:2000] + b"\xff")
    assert hall.served.follow() is None
    board = crew.get("/api/board").json()
    assert "cables.csv" in board["plan_problem"]
    assert board["plan"] == before
    schedule.unlink()
    assert hall.served.follow() is None
    assert crew.records(event(2)).json()["new"] == 1
    schedule.write_bytes(content)
    assert hall.served.follow().revision == before
    assert crew.get("/api/board").json()["plan_problem"] == ""
    assert crew.get("/api/board").json()["whole"]["steps"]["pulled"] == 2


@pytest.mark.slow
def test_a_plan_that_is_computed_again_is_served(journal, finished):
    from planner.studies import pipeline

    hall = Hall(journal, planned=baseline.read(finished))
    visitor = hall.guest("foreman", "boss")
    visitor.records(*({**event(1, "serial", f"S{n}", "device"), "device": name} for n, name in enumerate(("R001", "R002"))))
    page = visitor.get("/api/plan").json()
    study = finished / "study.toml"
    text = study.read_text()
    study.write_text(text.replace('algorithm = "identity"', 'algorithm = "random"'))
    pipeline.run(finished)
    found = hall.served.follow()
    assert found is not None
    assert hall.served.problem == ""
    assert visitor.get("/api/plan").json() != page
    # Devices keep their names, and with them what was recorded.
    values = visitor.get("/api/install/state").json()["devices"]
    assert {name: lines[0][3] for name, lines in values.items()} == {"R001": "S0", "R002": "S1"}


def test_a_scan_of_the_plan_before_is_refused(journal, schedule, monkeypatch):
    hall = Hall(journal, planned=baseline.read(schedule))
    planner = hall.guest("planner")
    real = verify.scan.verified_uploads

    def meanwhile(plan, files):
        found = real(plan, files)
        rewrite(schedule, lambda rows: numbered(rows[1:]))
        hall.served.follow()
        return found

    monkeypatch.setattr(verify.scan, "verified_uploads", meanwhile)
    files = {"files": ("ibnetdiscover.txt", (DATA / "sf-clean" / "ibnetdiscover.txt").read_bytes())}
    answer = planner.post("/api/verify", files=files)
    assert answer.status_code == 409
    assert journal.last == 0


def test_requests_go_on_while_the_plan_changes(hall, schedule):
    """Whatever moment a request comes at, it sees one revision: numbers of cables are those of the plan that it names."""
    crew = hall.guest("crew")
    ended = threading.Event()

    def change():
        for _ in range(4):
            rewrite(schedule, lambda rows: numbered(rows[1:]))
            hall.served.follow()
        ended.set()

    changing = threading.Thread(target=change)
    changing.start()
    while not ended.is_set():
        assert crew.get("/api/install/state").status_code == 200
        facts = crew.get("/api/install/cables").json()
        number = facts["cables"][0][0]
        found = crew.records(event(number, plan=facts["plan"])).json()
        assert found["refused"] == []
    changing.join()
    assert len(hall.served.site.cables) == len(baseline.read(PLAN).rows) - 4


def run_again(folder, old, new):
    from planner.studies import pipeline

    study = folder / "study.toml"
    text = study.read_text()
    assert old in text
    study.write_text(text.replace(old, new))
    pipeline.run(folder)


MOVE = {"moves": [{"kind": "cabinet", "what": "A01", "to": "B08"}]}


def test_moves_wait_until_the_new_plan_is_opened(journal, finished):
    hall = Hall(journal, planned=baseline.read(finished))
    planner = hall.guest("planner")
    assert planner.post("/api/planning/moves", MOVE).status_code == 200
    room = planner.get("/api/rooms").json()["data"]["title"]
    before = planner.get("/api/planning/state").json()
    assert planner.get("/api/planning/newer").json() == {"newer": False}
    run_again(finished, 'algorithm = "identity"', 'algorithm = "random"')
    hall.served.follow()
    assert planner.get("/api/planning/newer").json() == {"newer": True}
    # What is shown stays, and nothing is added to it; it can still be kept.
    assert planner.get("/api/planning/state").json() == before
    for address, content in (("moves", MOVE), ("undo", {}), ("improve", {}), ("count", {}), ("what-if", {"design_fill": 0.3})):
        answer = planner.post(f"/api/planning/{address}", content)
        assert (answer.status_code, answer.json()["problems"][0]["place"]) == (409, "plan")
    assert planner.post("/api/rooms/plan", {}).status_code == 409
    assert planner.post("/api/planning/variants", {"do": "keep", "name": "mine"}).status_code == 200
    assert hall.guest("crew").post("/api/planning/newer", {}).status_code == 403
    found = planner.post("/api/planning/newer", {}).json()
    assert (found["aside"], found["carried"], found["left"]) == ("planning-before-1", ["mine"], [])
    after = planner.get("/api/planning/state").json()
    assert (after["done"], [each["name"] for each in after["variants"]]) == ([], ["mine"])
    assert planner.get("/api/planning/newer").json() == {"newer": False}
    assert planner.post("/api/planning/variants", {"do": "take", "name": "mine"}).status_code == 200
    assert planner.get("/api/planning/state").json()["slot"] == before["slot"]
    assert planner.get("/api/rooms").json()["data"]["title"] == room


def test_a_log_of_another_plan_is_offered_to_be_set_aside(journal, finished):
    first = Hall(journal, planned=baseline.read(finished)).guest("planner")
    assert first.post("/api/planning/moves", MOVE).status_code == 200
    run_again(finished, 'algorithm = "identity"', 'algorithm = "random"')
    # The server was started again.
    planner = Hall(journal, planned=baseline.read(finished)).guest("planner")
    assert planner.get("/api/planning/state").status_code == 409
    assert planner.get("/api/planning/newer").json() == {"newer": True}
    found = planner.post("/api/planning/newer", {}).json()
    assert (found["aside"], found["carried"]) == ("planning-before-1", [])
    assert (finished / "planning-before-1" / "planning.jsonl").is_file()
    assert planner.get("/api/planning/state").json()["done"] == []


def test_the_same_plan_computed_again_is_no_other(journal, finished):
    from planner.studies import pipeline

    hall = Hall(journal, planned=baseline.read(finished))
    planner = hall.guest("planner")
    assert planner.post("/api/planning/moves", MOVE).status_code == 200
    pipeline.run(finished)
    hall.served.follow()
    assert planner.get("/api/planning/newer").json() == {"newer": False}
    assert planner.post("/api/planning/undo", {}).status_code == 200
