"""One visitor does not stop the others, and nothing outlives the server."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from contextlib import ExitStack
from pathlib import Path

import httpx
import psutil
import pytest
from shared import loops
from shared.built_fabrics import PLAN
from shared.http_phones import forked
from shared.served import Hall, event

from planner.core import children, scratch
from planner.core.errors import CheckFailed, InputError
from planner.install.serve import limits
from planner.install.serve.desks import Open
from planner.install.serve.doors import board as board_doors
from planner.install.serve.limits import EVENTS, Rates
from planner.install.serve.served import THREADS
from planner.install.site import checkpoint, phones, quota, scan
from planner.install.site.journal import Journal

pytestmark = pytest.mark.slow


# -- how much one link may record -------------------------------------------------------------------


def remarks(count, size=10, cable=1):
    return [event(cable, "remark", f"{number:06d}" + "x" * (size - 6), clock=number + 1) for number in range(count)]


def test_a_crew_records_so_many_remarks_and_its_other_work_goes_on(hall, monkeypatch):
    monkeypatch.setattr(quota, "MAX_NOTES", 30)
    crew, others = hall.guest("crew", "blue"), hall.guest("crew", "red")
    first = remarks(25)
    assert crew.records(*first).json()["new"] == 25
    more = crew.records(*remarks(10), event(2)).json()
    assert more["new"] == 6
    assert len(more["refused"]) == 5
    assert "crew blue has 30 remarks and photos, the limit is 30" in more["refused"][0]["problem"]
    # What is there already is known, and no answer is lost.
    assert crew.records(*first).json() | {"clock": 0, "seq": 0} == {"clock": 0, "seq": 0, "new": 0, "known": 25, "refused": []}
    assert others.records(*remarks(3)).json()["new"] == 3
    # A server that starts again counts what is in the journal.
    again = Hall(hall.journal)
    with Journal(hall.journal.path) as fresh:
        again = Hall(fresh).guest("crew", "blue")
        assert again.records(*remarks(1)).json()["new"] == 0


def test_texts_of_a_crew_have_a_size(hall, monkeypatch):
    monkeypatch.setattr(quota, "MAX_BYTES", 5000)
    assert hall.guest("crew").records(*remarks(10, size=1000)).json()["new"] == 5


def test_what_was_not_written_costs_nothing(hall, monkeypatch):
    monkeypatch.setattr(quota, "MAX_NOTES", 20)
    crew, batch = hall.guest("crew"), remarks(15)

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "chain", full)
        for _ in range(3):
            assert crew.records(*batch).status_code == 503
    assert crew.records(*batch).json()["new"] == 15


def test_events_beyond_what_crews_do_wait_on_the_phone(hall, monkeypatch):
    monkeypatch.setattr(limits, "EVENTS", limits.Rate(1, 10))
    crew = hall.guest("crew")
    assert crew.records(*(event(1, clock=number + 1) for number in range(8))).json()["new"] == 8
    refused = crew.records(*(event(1, clock=number + 20) for number in range(8)))
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 8
    assert EVENTS.burst > 10_000
    rates = Rates()
    assert [rates.wait_s("a", limits.Rate(2, 10), 0.0, count=count) for count in (6, 6, 4, 1)] == [0, 1, 0, 0.5]


def test_thirty_thousand_remarks_are_pages_of_a_bounded_size(journal):
    """Every phone loaded 64 MB."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quota, "MAX_NOTES", 10**6)
        patch.setattr(quota, "MAX_BYTES", 10**9)
        patch.setattr(limits, "EVENTS", limits.Rate(5, 10**6))
        patch.setattr(phones, "PAGE_BYTES", 50_000)
        hall = Hall(journal)
        crew = hall.guest("crew")
        for start in range(15):
            made = [event(1 + number % 5, "remark", "y" * 1900, clock=start * 2000 + number + 1) for number in range(500)]
            assert crew.records(*made).json()["new"] == 500
        crew.records(event(1, clock=10**6), event(2, "plugged", "as planned", "a", clock=10**6))
        crew.records(*({**event(0, "remark", "z" * 1900, "device", clock=n + 1), "device": "R1"} for n in range(50)))
        crew.records({**event(0, "serial", "S1", "device"), "device": "R2"})
        pages, page = [], ""
        while True:
            answer = crew.get(f"/api/install/events?after=0&page={page}")
            assert len(answer.content) < 50_000 + phones.NOTES * 2500
            pages.append(answer.json())
            if not (page := pages[-1]["next"]):
                break
    assert len(pages) > 4
    assert all(each["whole"] for each in pages)
    numbers = [line[0] for each in pages for line in each["cables"]]
    assert numbers == [1, 2, 3, 4]
    events = [line for each in pages for line in each["events"]]
    # The last remarks of each cable, and all that is no remark.
    assert sum(line[2] == "remark" for line in events) == 4 * phones.NOTES
    assert {(line[0], line[2]) for line in events} >= {(1, "pulled"), (2, "plugged")}
    assert [name for each in pages for name in each["devices"]] == ["R1", "R2"]
    first = pages[0]
    crew.records(event(3, clock=10**6))
    later = crew.get(f"/api/install/events?after={first['seq']}&mark={first['mark']}").json()
    assert [line[0] for line in later["cables"]] == [3]
    assert later["next"] == ""
    for odd in ("-1", "x", "d", "d\udcff", "9" * 50, "%00", "dR1"):
        assert crew.get("/api/install/state", params={"page": odd.encode("utf-8", "replace").decode()}).status_code == 200
    assert len(crew.get("/api/install/history?cable=1").json()["events"]) <= 2000


# -- threads and connections ------------------------------------------------------------------------


def test_reports_do_not_keep_crews_from_recording(hall, monkeypatch):
    released, begun = threading.Event(), threading.Semaphore(0)

    def slow(*_):
        begun.release()
        released.wait(60)
        raise InputError([])

    monkeypatch.setattr(board_doors.outputs, "output", slow)
    boss = hall.guest("foreman", "boss")
    cookies, headers = dict(boss.http.cookies), boss.headers

    async def both():
        transport = httpx.ASGITransport(app=hall.app, client=("10.0.0.9", 1))
        async with httpx.AsyncClient(transport=transport, base_url=boss.base, cookies=cookies, timeout=60) as client:
            reports = [asyncio.create_task(client.get("/api/board/exports/as-built")) for _ in range(80)]
            # They begin one after the other: each is counted once.
            async with asyncio.timeout(50):
                for _ in range(THREADS["heavy"]):
                    while not begun.acquire(blocking=False):
                        await asyncio.sleep(0.01)
            try:
                answer = await client.post("/api/install/events", json={"events": [event(1)]}, headers=headers)
                state = await client.get("/api/install/state")
            finally:
                released.set()
            await asyncio.gather(*reports)
        return answer, state

    answer, state = loops.run(both())
    assert answer.json()["new"] == 1
    assert state.status_code == 200


def test_an_address_has_so_many_connections(tmp_path, monkeypatch):
    monkeypatch.setattr(limits.Protocol, "per_address", 20)
    with forked(PLAN, tmp_path / "site.db") as (_, port), ExitStack() as opened:
        taken = [opened.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(20)]
        time.sleep(0.2)
        for _ in range(3):
            with socket.create_connection(("127.0.0.1", port)) as refused:
                refused.settimeout(30)
                assert not received(refused)
        for each in taken[:5]:
            each.close()
        # There is room again, as soon as the server knows of it.
        end = time.monotonic() + 30
        while True:
            with socket.create_connection(("127.0.0.1", port)) as again:
                again.sendall(b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                again.settimeout(30)
                if received(again):
                    break
            assert time.monotonic() < end


def received(connection):
    try:
        return connection.recv(100)
    except ConnectionError:
        return b""


# -- processes for what strangers send --------------------------------------------------------------


def endless():
    while True:
        pass


def hungry():
    return len([b"x" * 2**20 for _ in range(10**6)])


def killed():
    os.kill(os.getpid(), signal.SIGKILL)


def broken():
    raise KeyError("a bug")


@pytest.mark.parametrize(
    ("function", "message"),
    [(endless, "took more than 1 s"), (hungry, "of memory"), (killed, "was ended from outside")],
)
def test_work_on_uploads_is_bounded(function, message):
    before = set(psutil.Process().children())
    with pytest.raises(children.TooMuch, match=message):
        children.bounded(function, seconds=1 if function is endless else 60, memory_bytes=2**28)
    left = [" ".join(each.cmdline()) for each in set(psutil.Process().children()) - before]
    # Python's own process that tidies up shared memory stays.
    assert not [line for line in left if "resource_tracker" not in line]


def test_a_bug_in_it_is_one_of_ours(capfd):
    with pytest.raises(CheckFailed, match="KeyError"):
        children.bounded(broken)
    assert "a bug" in capfd.readouterr().err


def test_an_upload_that_takes_too_long_is_refused_and_others_go_on(hall, monkeypatch):
    monkeypatch.setattr(children, "SECONDS", 0.01)
    boss = hall.guest("foreman", "boss")
    answer = boss.post("/api/verify", files={"files": ("a.txt", b"x")})
    assert answer.status_code == 400
    assert "took more than" in answer.json()["problems"][0]["message"]
    assert scan.cards(hall.journal, hall.served.site.revision)["cards"] == []


# -- the end ----------------------------------------------------------------------------------------

SEARCHES = """
import sys, time
from planner.studies import pipeline
from planner.install.editing.desk import Desk
if __name__ == "__main__":
    desk = Desk.open(sys.argv[1])
    job = desk.work.improve()
    while not job.plain()["best"]:
        time.sleep(0.1)
    print(job._process.pid, job.folder.parent, flush=True)
    time.sleep(600)
"""


def test_a_search_ends_with_a_server_that_is_killed(finished, tmp_path):
    script = tmp_path / "searches.py"
    script.write_text(SEARCHES)
    server = subprocess.Popen([sys.executable, script, finished], stdout=subprocess.PIPE, text=True)
    line = server.stdout.readline().split()
    search, folder = psutil.Process(int(line[0])), Path(line[1])
    assert search.is_running()
    assert folder.is_dir()
    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdout.close()
    psutil.wait_procs([search], timeout=30)
    assert not search.is_running() or search.status() == psutil.STATUS_ZOMBIE
    # The next one that needs a folder removes what is left.
    scratch.Scratch().close()
    assert not folder.exists()


def test_folders_in_use_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    own = scratch.Scratch()
    (own.path / "file").write_text("x")
    left = tmp_path / f"planner-work-{uuid.uuid4().hex}"
    left.mkdir()
    (tmp_path / "planner-work-link").symlink_to(own.path)
    other = scratch.Scratch()
    assert (own.path / "file").exists()
    assert not left.exists()
    for each in (own, other):
        each.close()
        assert not each.path.exists()


def test_a_server_closes_what_its_doors_keep(journal, finished):
    from planner.fabric import baseline

    hall = Hall(journal, planned=baseline.read(finished))
    boss = hall.guest("planner")
    assert boss.post("/api/planning/improve").status_code == 200
    desk = hall.served.kept(Open).desk
    folder = desk.work.job.folder.parent
    assert folder.is_dir()
    hall.served.close()
    assert not desk.work.job.is_running
    assert not folder.exists()
