"""Limits of rate, size and time."""

import asyncio
from types import SimpleNamespace

import httpx
import pytest
from shared import loops
from shared.served import FAR, Hall, event

from planner.install.serve.doors import doors
from planner.install.serve.limits import KNOWN, UNKNOWN, Rate, Rates
from planner.install.site.journal import MAX_BATCH

pytestmark = pytest.mark.slow


def test_permits_fill_up_with_time():
    rates, rate = Rates(), Rate(2, 3)
    assert [rates.wait_s("a", rate, 0.0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert rates.wait_s("b", rate, 0.0) == 0
    assert rates.wait_s("a", rate, 0.5) == 0
    assert rates.wait_s("a", rate, 0.5) == 0.5
    # No more than the burst, however long it was.
    assert [rates.wait_s("a", rate, 1000.0) > 0 for _ in range(4)] == [False, False, False, True]


def test_forgotten_clients_are_those_who_asked_longest_ago():
    rates, rate = Rates(), Rate(1, 1)
    for number in range(20_000):
        assert rates.wait_s(str(number), rate, 0.0) == 0
    assert rates.wait_s("19999", rate, 0.0) > 0
    assert rates.wait_s("0", rate, 0.0) == 0


def test_too_many_requests_wait(hall, monkeypatch):
    # Whatever the machine is slow at: no time passes.
    monkeypatch.setattr("planner.install.serve.limits.time", SimpleNamespace(monotonic=lambda: 100.0))
    crew, stranger = hall.guest("crew"), hall.stranger()
    answers = [stranger.get("/k/A").status_code for _ in range(UNKNOWN.burst + 30)]
    assert answers[0] == 401
    refused = stranger.get("/k/A")
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1
    # Others are not affected: a session has permits of its own, whatever its address.
    assert crew.get("/api/me").status_code == 200
    assert KNOWN.burst > UNKNOWN.burst


def test_bodies_are_bounded_whatever_they_state(hall):
    boss = hall.guest("foreman", "boss")
    before = hall.content()
    for door in doors():
        if door.writes:
            path = door.path.replace("{", "").replace("}", "")
            content = b"x" * (door.body_bytes + 1)
            kind = {"content-type": "multipart/form-data; boundary=b"} if door.form else {}
            assert boss.http.request(door.method, path, content=content, headers=boss.headers | kind).status_code == 413, path
            chunks = (b"x" * 100_000 for _ in range(door.body_bytes // 100_000 + 2))
            assert boss.http.request(door.method, path, content=chunks, headers=boss.headers | kind).status_code == 413, path
    assert hall.content() == before


def test_batches_are_bounded(hall):
    crew = hall.guest("crew")
    assert crew.records(*(event() for _ in range(MAX_BATCH + 1))).status_code == 400
    assert crew.records(*(event() for _ in range(MAX_BATCH))).json()["new"] == MAX_BATCH


def test_slow_bodies_are_refused(journal):
    hall = Hall(journal)
    crew = hall.guest("crew")
    for door in doors():
        object.__setattr__(door, "body_s", 0.05)

    async def drops():
        yield b'{"events":'
        await asyncio.sleep(30)
        yield b"[]}"

    async def send():
        transport = httpx.ASGITransport(hall.app, client=("10.0.0.9", 1))
        async with httpx.AsyncClient(transport=transport, base_url=FAR, cookies=dict(crew.http.cookies)) as http:
            return await http.post("/api/install/events", content=drops(), headers=crew.headers)

    answer = loops.run(send())
    assert answer.status_code == 408
    assert journal.last == 0


@pytest.fixture(autouse=True)
def times():
    """Times of the doors are as they were."""
    before = {id(door): door.body_s for door in doors()}
    yield
    for door in doors():
        object.__setattr__(door, "body_s", before[id(door)])
