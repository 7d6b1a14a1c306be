"""Attacks: code in every text, paths, and thousands of requests that are almost right."""

import csv
import io
import json
from io import BytesIO
from queue import Queue

import httpx
import pytest
from PIL import Image
from shared.built_fabrics import DATA
from shared.mutated_requests import mutated, right, right_for_planners, right_for_work
from shared.served import Hall, event

from planner.fabric import baseline
from planner.install.editing import jobs
from planner.install.serve.doors import doors
from planner.install.serve.limits import Rates

pytestmark = pytest.mark.slow

CODE = (
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</title><svg/onload=alert(1)>",
    "javascript:alert(1)", "{{7*7}}",
    "=HYPERLINK(\"http://evil.example\",\"x\")", "+cmd|' /C calc'!A0", "@SUM(A1:A9)", "-2+3",
    "'; DROP TABLE event; --", "%0d%0aSet-Cookie:a=b",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def png() -> bytes:
    file = BytesIO()
    Image.new("L", (30, 30), 255).save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize("text", CODE)
def test_code_in_texts_stays_text(hall, text):
    boss = hall.guest("foreman", text[:40])
    assert boss.records(
        event(1, "remark", text, clock=1), event(1, "blocked", text, clock=2), event(2, "serial", text[:64], "a", clock=3),
        event(2, "remark", text, "b", clock=4, wall=text[:40]), event(3, "plugged", f"{text} 3", "a", clock=5),
        *(event(0, field, text[:50], "device", clock=6, device="R1") for field in ("serial", "asset_tag", "blocked", "remark")),
    ).json()["refused"] == []  # fmt: skip
    for path in ("/api/install/state", "/api/board", "/api/install/history?cable=1", "/api/audit", "/api/access", "/api/me"):
        answer = boss.get(path)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        # It is a value of JSON, and comes back as it was.
        answer.json()
    assert text in json.dumps(boss.get("/api/install/state").json(), ensure_ascii=False).replace('\\"', '"')
    for path in ("/install", "/board"):
        assert text not in boss.get(path).text
    for name in ("remaining.csv", "exports/as-built", "exports/journal", "exports/statistics"):
        rows = list(csv.reader(io.StringIO(boss.get(f"/api/board/{name}").text)))
        assert not [cell for row in rows for cell in row if cell.startswith(FORMULA)], name
    assert boss.get("/api/board/remaining.pdf").content.startswith(b"%PDF")
    assert boss.post("/api/install/scan", {"text": text}).status_code == 400


@pytest.mark.parametrize("text", CODE)
def test_code_in_names_and_contents_of_files_stays_text(hall, text):
    boss = hall.guest("foreman", "boss")
    answer = boss.post("/api/verify", files={"files": (text, text.encode())})
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/json"
    assert "/tmp" not in answer.text
    assert boss.post("/api/install/photo", raw=text.encode()).status_code == 400


def test_messages_do_not_repeat_what_reorders_text(hall):
    found = hall.guest("crew").post("/api/install/scan", {"text": "\u202egpj.exe\x1b[2J"}).json()
    assert "\u202e" not in found["problems"][0]["message"]
    assert "\x1b" not in found["problems"][0]["message"]


PATHS = (
    "/static/../planner/install/serve/app.py", "/static/%2e%2e/%2e%2e/app.py", "/static/..%2f..%2fapp.py",
    "/static//etc/passwd", "/static/install/../../app.py",
    "/static/%2fetc%2fpasswd", "/static/plan/..%2f..%2f__init__.py", "/static/install/%00", "/static/",
    "/static/install", "/site.db", "/api/../site.db",
    "/static/..\\..\\app.py", "/static/install/index.html%00.js", "/api/install/photo/..%2f..%2fsite.db",
    "/static/__init__.py", "/static/pages/__init__.py",
    "/c/..%2f..%2fetc%2fpasswd", "/k/..%2fsite.db", "/static/install/%c0%ae%c0%ae/app.py", "/.git/config",
    "/authority.key", "/server.key",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_no_path_reaches_a_file(hall, path):
    visitor = hall.local()
    request = httpx.Request("GET", "http://127.0.0.1:8080/")
    request.url = httpx.URL("http://127.0.0.1:8080").copy_with(raw_path=path.encode())
    answer = visitor.http.send(request)
    assert answer.status_code in (400, 401, 404), answer.text
    assert "import" not in answer.text
    assert "root:" not in answer.text


def written(hall) -> tuple:
    """How much there is of everything that is written: in the journal, and next to the plan."""
    rows = hall.journal.query(
        "SELECT (SELECT count(*) FROM event), (SELECT count(*) FROM audit), (SELECT count(*) FROM photo), "
        "(SELECT count(*) FROM access), (SELECT coalesce(sum(revoked), 0) FROM access), (SELECT count(*) FROM scan)"
    )
    folder = hall.planned.path
    files = sorted((path, path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*")) if folder.is_dir() else []
    return rows, files


def attack(hall, base, count, seed, *roles):
    """Send requests that are almost right as visitors of several roles, and as one without a link."""
    visitors = [*(hall.guest(role, role) for role in roles), hall.stranger()]
    answered: dict[int, int] = {}
    for number, sent in enumerate(mutated(base, count, seed)):
        if number % 50 == 0:
            hall.served.rates = Rates()
        visitor = visitors[number % len(visitors)]
        before = written(hall)
        request = visitor.http.build_request(sent.method, "/", content=sent.body, headers={**visitor.headers, **sent.headers})
        try:
            request.url = httpx.URL(visitor.base).copy_with(raw_path=sent.path.encode("ascii", "replace"))
        except httpx.InvalidURL:
            continue
        answer = visitor.http.send(request)
        answered[answer.status_code] = answered.get(answer.status_code, 0) + 1
        assert answer.status_code < 500, (number, sent, answer.text)
        assert "Traceback" not in answer.text, (number, sent)
        if answer.status_code not in (200, 303) or visitor is visitors[-1]:
            assert written(hall) == before, (number, sent, answer.text)
    assert hall.journal.query("PRAGMA integrity_check") == [("ok",)]
    # Some are right by chance: what is refused is refused for a reason.
    assert answered.get(200, 0) > 0.02 * count
    assert answered.get(400, 0) > 0.02 * count
    assert answered.get(401, 0) + answered.get(403, 0) > 0.05 * count


def attack_crews(journal, whole, count, seed):
    base = right(png(), (DATA / "sf-clean" / "ibnetdiscover.txt").read_bytes()[:2000])
    attack(Hall(journal, planned=whole), base, count, seed, "foreman", "foreman", "crew")


def attack_planners(journal, finished, count, seed):
    hall = Hall(journal, planned=baseline.read(finished))
    attack(hall, [*right_for_planners(), *right_for_work()], count, seed, "planner", "foreman", "crew")


@pytest.mark.slow
def test_two_hundred_requests_that_are_almost_right(journal, whole):
    attack_crews(journal, whole, 200, 1)


@pytest.mark.slow
def test_one_hundred_requests_of_planners_that_are_almost_right(journal, finished, no_work):
    attack_planners(journal, finished, 100, 1)


@pytest.mark.nightly
def test_ten_thousand_requests_that_are_almost_right(journal, whole):
    attack_crews(journal, whole, 7_000, 2)


@pytest.mark.nightly
def test_thousands_of_requests_of_planners_that_are_almost_right(journal, finished, no_work):
    attack_planners(journal, finished, 3_000, 2)


def test_every_door_that_writes_is_among_them():
    sent = {(each.method, each.path.partition("?")[0]) for each in (*right(b"", b""), *right_for_planners(), *right_for_work())}
    doors_ = {(door.method, door.path) for door in doors() if door.writes}
    assert doors_ - sent == {("DELETE", "/api/access/{key}")}


class Ended:
    """A process that has ended at once."""

    exitcode = 0
    pid = None

    def is_alive(self) -> bool:
        return False


@pytest.fixture
def no_work(monkeypatch):
    """Long work begins, and its process ends without a result: hundreds of them would take hours."""

    def start(self, work, *given):
        self._process, self._reports = Ended(), Queue()
        return self

    monkeypatch.setattr(jobs.Job, "start", start)
